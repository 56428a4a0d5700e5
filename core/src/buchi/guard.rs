//! Boolean functions of atoms as reduced ordered binary decision diagrams (Bryant, "Graph-Based Algorithms for Boolean
//! Function Manipulation", 1986). Equal functions have equal ids, so comparison takes constant time.

use std::collections::HashMap;

/// A Boolean function: a node in the [`Guards`] that created it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Guard(u32);

impl Guard {
    /// The constant false.
    pub const FALSE: Guard = Guard(0);
    /// The constant true.
    pub const TRUE: Guard = Guard(1);
}

/// A conjunction of literals: variables with their truth values.
pub type Literals = Vec<(u32, bool)>;

/// The manager of all functions of one automaton.
#[derive(Clone, Debug)]
pub struct Guards {
    /// Variable, cofactor for false, cofactor for true; the first two nodes are the constants.
    nodes: Vec<(u32, Guard, Guard)>,
    unique: HashMap<(u32, Guard, Guard), Guard>,
    chosen: HashMap<(Guard, Guard, Guard), Guard>,
    /// The remaining budget of operations and products, if limited.
    budget: Option<usize>,
}

impl Default for Guards {
    fn default() -> Guards {
        let leaf = (u32::MAX, Guard::FALSE, Guard::FALSE);
        Guards { nodes: vec![leaf, leaf], unique: HashMap::new(), chosen: HashMap::new(), budget: None }
    }
}

impl Guards {
    fn node(&mut self, variable: u32, low: Guard, high: Guard) -> Guard {
        if low == high {
            return low;
        }
        let next = Guard(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        let id = *self.unique.entry((variable, low, high)).or_insert(next);
        if id == next {
            self.nodes.push((variable, low, high));
        }
        id
    }

    /// A variable.
    pub fn variable(&mut self, variable: u32) -> Guard {
        self.node(variable, Guard::FALSE, Guard::TRUE)
    }

    /// A variable or its negation.
    pub fn literal(&mut self, variable: u32, positive: bool) -> Guard {
        let v = self.variable(variable);
        if positive { v } else { self.not(v) }
    }

    /// The top variable of a function.
    fn top(&self, f: Guard) -> u32 {
        self.nodes[f.0 as usize].0
    }

    /// The top variable with its two cofactors, for false and for true; `None` for a constant.
    pub(crate) fn parts(&self, f: Guard) -> Option<(u32, Guard, Guard)> {
        (f > Guard::TRUE).then(|| self.nodes[f.0 as usize])
    }

    /// The cofactors of the function by `variable`, which is at most its top variable.
    fn cofactors(&self, f: Guard, variable: u32) -> (Guard, Guard) {
        let (top, low, high) = self.nodes[f.0 as usize];
        if top == variable { (low, high) } else { (f, f) }
    }

    /// `c ? a : b`
    pub fn choose(&mut self, c: Guard, a: Guard, b: Guard) -> Guard {
        match (c, a, b) {
            (Guard::TRUE, _, _) => return a,
            (Guard::FALSE, _, _) => return b,
            (_, Guard::TRUE, Guard::FALSE) => return c,
            _ if a == b => return a,
            _ => {}
        }
        if let Some(known) = self.chosen.get(&(c, a, b)) {
            return *known;
        }
        if !self.spend() {
            return Guard::FALSE;
        }
        let variable = self.top(c).min(self.top(a)).min(self.top(b));
        let [c2, a2, b2] = [c, a, b].map(|f| self.cofactors(f, variable));
        let low = self.choose(c2.0, a2.0, b2.0);
        let high = self.choose(c2.1, a2.1, b2.1);
        let result = self.node(variable, low, high);
        self.chosen.insert((c, a, b), result);
        result
    }

    /// `¬a`
    pub fn not(&mut self, a: Guard) -> Guard {
        self.choose(a, Guard::FALSE, Guard::TRUE)
    }

    /// `a ∧ b`
    pub fn and(&mut self, a: Guard, b: Guard) -> Guard {
        self.choose(a, b, Guard::FALSE)
    }

    /// `a ∨ b`
    pub fn or(&mut self, a: Guard, b: Guard) -> Guard {
        self.choose(a, Guard::TRUE, b)
    }

    /// `a ∧ ¬b`
    pub fn minus(&mut self, a: Guard, b: Guard) -> Guard {
        self.choose(b, Guard::FALSE, a)
    }

    /// Does `a` imply `b`?
    pub fn implies(&mut self, a: Guard, b: Guard) -> bool {
        a == b || self.minus(a, b) == Guard::FALSE
    }

    /// The conjunction of literals.
    pub fn cube(&mut self, literals: &[(u32, bool)]) -> Guard {
        literals.iter().fold(Guard::TRUE, |all, (v, positive)| {
            let literal = self.literal(*v, *positive);
            self.and(all, literal)
        })
    }

    /// The cofactor where `variable` has this value.
    pub fn restrict(&mut self, f: Guard, variable: u32, value: bool) -> Guard {
        let top = self.top(f);
        if top > variable {
            return f;
        }
        let (low, high) = self.cofactors(f, top);
        if top == variable {
            return if value { high } else { low };
        }
        let (low, high) = (self.restrict(low, variable, value), self.restrict(high, variable, value));
        let v = self.variable(top);
        self.choose(v, high, low)
    }

    /// The value under an assignment.
    #[must_use]
    pub fn eval(&self, f: Guard, value: &dyn Fn(u32) -> bool) -> bool {
        let mut at = f;
        while at != Guard::TRUE && at != Guard::FALSE {
            let (variable, low, high) = self.nodes[at.0 as usize];
            at = if value(variable) { high } else { low };
        }
        at == Guard::TRUE
    }

    /// The variables on which the function depends, ascending.
    #[must_use]
    pub fn support(&self, f: Guard) -> Vec<u32> {
        let mut seen = std::collections::BTreeSet::new();
        let mut found = std::collections::BTreeSet::new();
        let mut stack = vec![f];
        while let Some(f) = stack.pop() {
            if f != Guard::TRUE && f != Guard::FALSE && seen.insert(f) {
                let (variable, low, high) = self.nodes[f.0 as usize];
                found.insert(variable);
                stack.extend([low, high]);
            }
        }
        found.into_iter().collect()
    }

    /// A conjunction of literals that implies the function; `None` if it is unsatisfiable.
    #[must_use]
    pub fn witness(&self, f: Guard) -> Option<Literals> {
        let mut literals = Vec::new();
        let mut at = f;
        while at != Guard::TRUE {
            if at == Guard::FALSE {
                return None;
            }
            let (variable, low, high) = self.nodes[at.0 as usize];
            let positive = low == Guard::FALSE;
            literals.push((variable, positive));
            at = if positive { high } else { low };
        }
        Some(literals)
    }

    /// Copies a function from another manager, where variable `v` becomes `to[v]`.
    pub(super) fn copy(
        &mut self,
        from: &Guards,
        f: Guard,
        to: &[u32],
        known: &mut HashMap<Guard, Guard>,
    ) -> Guard {
        if let Some(copied) = known.get(&f) {
            return *copied;
        }
        let copied = match from.parts(f) {
            None => f,
            Some((variable, low, high)) => {
                let (low, high) = (self.copy(from, low, to, known), self.copy(from, high, to, known));
                let v = self.variable(to[variable as usize]);
                self.choose(v, high, low)
            }
        };
        known.insert(f, copied);
        copied
    }

    /// An irredundant sum of prime implicants (Minato, "Fast Generation of Irredundant Sum-of-Products Forms from
    /// Binary Decision Diagrams", 1992).
    pub fn implicants(&mut self, f: Guard) -> Vec<Literals> {
        self.between(f, f).1
    }

    /// Sets the budget of operations and products. Results are invalid once it is used up.
    pub(super) fn limit(&mut self, budget: Option<usize>) {
        self.budget = budget;
    }

    /// Has the budget been exceeded?
    pub(super) fn is_exhausted(&self) -> bool {
        self.budget == Some(0)
    }

    /// Takes one unit from the budget, if there is one; false if it is used up.
    fn spend(&mut self) -> bool {
        let Some(budget) = &mut self.budget else { return true };
        *budget = budget.saturating_sub(1);
        *budget > 0
    }

    /// A sum that is implied by `least` and implies `most`; and its function.
    fn between(&mut self, least: Guard, most: Guard) -> (Guard, Vec<Literals>) {
        if !self.spend() {
            return (Guard::FALSE, Vec::new());
        }
        if least == Guard::FALSE {
            return (Guard::FALSE, Vec::new());
        }
        if most == Guard::TRUE {
            return (Guard::TRUE, vec![Vec::new()]);
        }
        let variable = self.top(least).min(self.top(most));
        let ((l0, l1), (m0, m1)) = (self.cofactors(least, variable), self.cofactors(most, variable));
        let (only0, only1) = (self.minus(l0, m1), self.minus(l1, m0));
        let (f0, cubes0) = self.between(only0, m0);
        let (f1, cubes1) = self.between(only1, m1);
        let (rest0, rest1) = (self.minus(l0, f0), self.minus(l1, f1));
        let (rest, both) = (self.or(rest0, rest1), self.and(m0, m1));
        let (f2, cubes2) = self.between(rest, both);
        let v = self.variable(variable);
        let sides = self.choose(v, f1, f0);
        let whole = self.or(sides, f2);
        let with = |cubes: Vec<Literals>, positive: bool| {
            cubes.into_iter().map(move |cube| [vec![(variable, positive)], cube].concat())
        };
        let cubes = with(cubes0, false).chain(with(cubes1, true)).chain(cubes2).collect();
        (whole, cubes)
    }

    /// The text, as a sum of products, where `name` gives the names of variables: `1`, `0`, `p & !q | r`.
    pub fn text(&mut self, f: Guard, name: &dyn Fn(u32) -> String) -> String {
        match f {
            Guard::TRUE => return "1".to_owned(),
            Guard::FALSE => return "0".to_owned(),
            _ => {}
        }
        let cubes = self.implicants(f);
        let alone = cubes.len() == 1 && cubes[0].len() == 1;
        let literal = |(v, positive): (u32, bool)| {
            let name = name(v);
            // `x = 1` among operators is `(x = 1)`.
            let loose = name.contains(' ') && !(alone && positive);
            let name = if loose { format!("({name})") } else { name };
            if positive { name } else { format!("!{name}") }
        };
        let product = |cube: Literals| cube.into_iter().map(literal).collect::<Vec<_>>().join(" & ");
        cubes.into_iter().map(product).collect::<Vec<_>>().join(" | ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_what_their_tables_say() {
        let mut g = Guards::default();
        let vars: Vec<Guard> = (0..3).map(|v| g.variable(v)).collect();
        let not = g.not(vars[1]);
        let (a, b) = (g.and(vars[0], not), g.or(vars[1], vars[2]));
        let f = g.choose(a, b, vars[2]);
        for bits in 0..8_u32 {
            let value = |v: u32| bits >> v & 1 == 1;
            let expected = if value(0) && !value(1) { value(1) || value(2) } else { value(2) };
            assert_eq!(g.eval(f, &value), expected, "{bits}");
        }
        assert_eq!(g.support(f), [2], "only the last one matters");
        let x = g.choose(vars[0], not, vars[1]);
        assert_eq!(g.text(x, &|v| format!("p{v}")), "!p0 & p1 | p0 & !p1");
        let (whole, cubes) = g.between(x, x);
        assert_eq!((whole, cubes.len()), (x, 2));
        assert_eq!(g.restrict(x, 1, true), g.not(vars[0]));
        assert!(g.implies(x, Guard::TRUE) && !g.implies(Guard::TRUE, x));
        assert_eq!(g.witness(Guard::FALSE), None);
    }
}
