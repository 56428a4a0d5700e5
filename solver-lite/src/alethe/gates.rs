//! Boolean operators as clauses, by the rules of Alethe that are tautologies.

use crate::alethe::steps::StepId;
use crate::alethe::store::{Id, Lit};
use crate::alethe::{Builder, NoRule};
use crate::term::Sort;

impl Builder<'_> {
    /// The clauses of a formula over its arguments; none for atoms.
    pub(super) fn gate(&mut self, t: Id) -> Result<Vec<StepId>, NoRule> {
        if let Some(known) = self.gates.get(&t) {
            return Ok(known.clone());
        }
        let all = self.clauses(t)?;
        for at in &all {
            self.tautologies.entry(self.steps.clause(*at).to_vec()).or_insert(*at);
        }
        self.gates.insert(t, all.clone());
        Ok(all)
    }

    /// Is the formula an operator over formulas?
    pub(super) fn is_gate(&self, t: Id) -> bool {
        let (operator, arguments) = self.steps.store.parts(t);
        match operator {
            "and" | "or" | "xor" | "=>" | "distinct" => true,
            "=" => arguments.len() > 2 || self.steps.store.sort(arguments[0]) == Sort::Bool,
            "ite" => self.steps.store.sort(t) == Sort::Bool,
            _ => false,
        }
    }

    fn clauses(&mut self, t: Id) -> Result<Vec<StepId>, NoRule> {
        if !self.is_gate(t) {
            return Ok(Vec::new());
        }
        let (operator, arguments) = self.steps.store.parts(t);
        let arguments = arguments.to_vec();
        Ok(match (operator, arguments.as_slice()) {
            ("and" | "or", _) => self.junction(t, operator == "and", &arguments),
            ("xor", [_, _]) => self.table(t, &["xor_pos1", "xor_pos2", "xor_neg1", "xor_neg2"]),
            ("=>", [_, _]) => self.table(t, &["implies_pos", "implies_neg1", "implies_neg2"]),
            ("=", [_, _]) => self.table(t, &["equiv_pos1", "equiv_pos2", "equiv_neg1", "equiv_neg2"]),
            ("ite", _) => self.table(t, &["ite_pos1", "ite_pos2", "ite_neg1", "ite_neg2"]),
            ("=" | "=>" | "distinct", _) => {
                let other = self.expansion(t).expect("it has one");
                let rule = if operator == "distinct" { "distinct_elim" } else { "nary_elim" };
                self.rewritten(t, other, rule)
            }
            _ => return Err(NoRule(format!("'{operator}' with {} arguments", arguments.len()))),
        })
    }

    fn junction(&mut self, t: Id, conjunction: bool, arguments: &[Id]) -> Vec<StepId> {
        let steps = &mut self.steps;
        let not_t = steps.store.not(t);
        let mut all = Vec::with_capacity(arguments.len() + 1);
        let mut long = vec![if conjunction { t } else { not_t }];
        for (i, a) in arguments.iter().enumerate() {
            let not_a = steps.store.not(*a);
            long.push(if conjunction { not_a } else { *a });
            all.push(match conjunction {
                true => steps.indexed("and_pos", vec![not_t, *a], i),
                false => steps.indexed("or_neg", vec![t, not_a], i),
            });
        }
        all.push(steps.axiom(if conjunction { "and_neg" } else { "or_pos" }, long));
        all
    }

    /// The clauses of an operator with two or three arguments, by the names of their rules.
    fn table(&mut self, t: Id, rules: &[&'static str]) -> Vec<StepId> {
        let arguments = self.steps.store.parts(t).1.to_vec();
        rules.iter().map(|rule| self.row(t, &arguments, rule)).collect()
    }

    fn row(&mut self, t: Id, arguments: &[Id], rule: &'static str) -> StepId {
        // The sign of the formula, then the position and the sign of each argument.
        let (gate, signs): (bool, &[(usize, bool)]) = match rule {
            "xor_pos1" => (false, &[(0, true), (1, true)]),
            "xor_pos2" => (false, &[(0, false), (1, false)]),
            "xor_neg1" => (true, &[(0, true), (1, false)]),
            "xor_neg2" => (true, &[(0, false), (1, true)]),
            "implies_pos" => (false, &[(0, false), (1, true)]),
            "implies_neg1" => (true, &[(0, true)]),
            "implies_neg2" => (true, &[(1, false)]),
            "equiv_pos1" => (false, &[(0, true), (1, false)]),
            "equiv_pos2" => (false, &[(0, false), (1, true)]),
            "equiv_neg1" => (true, &[(0, false), (1, false)]),
            "equiv_neg2" => (true, &[(0, true), (1, true)]),
            "ite_pos1" => (false, &[(0, true), (2, true)]),
            "ite_pos2" => (false, &[(0, false), (1, true)]),
            "ite_neg1" => (true, &[(0, true), (2, false)]),
            "ite_neg2" => (true, &[(0, false), (1, false)]),
            _ => unreachable!("no rule of a table"),
        };
        let store = &mut self.steps.store;
        let mut formulas = vec![if gate { t } else { store.not(t) }];
        for (i, positive) in signs {
            formulas.push(if *positive { arguments[*i] } else { store.not(arguments[*i]) });
        }
        self.steps.axiom(rule, formulas)
    }

    /// `=`, `=>` and `distinct` of more arguments (`distinct` of any number) in terms of two.
    pub(crate) fn expansion(&mut self, t: Id) -> Option<Id> {
        let store = &mut self.steps.store;
        let (operator, arguments) = store.parts(t);
        let arguments = arguments.to_vec();
        match operator {
            "=" if arguments.len() > 2 => {
                let links: Vec<Id> = arguments.windows(2).map(|w| store.formula("=", w)).collect();
                Some(store.formula("and", &links))
            }
            "=>" if arguments.len() > 2 => {
                let (last, rest) = arguments.split_last()?;
                Some(rest.iter().rev().fold(*last, |done, a| store.formula("=>", &[*a, done])))
            }
            "distinct" if arguments.len() > 2 && store.sort(arguments[0]) == Sort::Bool => {
                Some(store.bool(false))
            }
            "distinct" => {
                let mut parts = Vec::new();
                for (i, a) in arguments.iter().enumerate() {
                    for b in &arguments[i + 1..] {
                        let equal = store.formula("=", &[*a, *b]);
                        parts.push(store.not(equal));
                    }
                }
                Some(if parts.len() == 1 { parts[0] } else { store.formula("and", &parts) })
            }
            _ => None,
        }
    }

    /// The rule makes `t` and `other` equivalent.
    fn rewritten(&mut self, t: Id, other: Id, rule: &'static str) -> Vec<StepId> {
        let steps = &mut self.steps;
        let equivalence = steps.store.formula("=", &[t, other]);
        let given = steps.axiom(rule, vec![equivalence]);
        let (not_t, not_other) = (steps.store.not(t), steps.store.not(other));
        let forward = steps.step("equiv1", vec![not_t, other], vec![given], Vec::new());
        let back = steps.step("equiv2", vec![t, not_other], vec![given], Vec::new());
        vec![forward, back]
    }

    /// `true`, and the negation of `false`.
    pub(super) fn truth(&mut self, t: Id) -> Option<StepId> {
        let store = &mut self.steps.store;
        if t == store.bool(true) {
            return Some(self.steps.axiom("true", vec![t]));
        }
        if t == store.bool(false) {
            let negated = store.not(t);
            return Some(self.steps.axiom("false", vec![negated]));
        }
        None
    }

    /// A numeric `ite` equals one of its branches: clauses `¬c ∨ a = ite` and `c ∨ b = ite`, each with its equation.
    pub(super) fn branches(&mut self, t: Id) -> Result<[(Lit, StepId); 2], NoRule> {
        if let Some(known) = self.choices.get(&t) {
            return Ok(*known);
        }
        let &[c, a, b] = self.steps.store.parts(t).1 else { unreachable!("an ite was expected") };
        let steps = &mut self.steps;
        let itself = steps.store.formula("=", &[t, t]);
        let [then, other] = [a, b].map(|branch| steps.store.formula("=", &[branch, t]));
        let choice = steps.store.formula("ite", &[c, then, other]);
        let both = steps.store.formula("and", &[itself, choice]);
        let equivalence = steps.store.formula("=", &[itself, both]);
        let reflexive = steps.axiom("eq_reflexive", vec![itself]);
        let intro = steps.axiom("ite_intro", vec![equivalence]);
        let not_itself = steps.store.not(itself);
        let forward = steps.step("equiv1", vec![not_itself, both], vec![intro], Vec::new());
        let (condition, then, other) = (steps.store.lit(c), steps.store.lit(then), steps.store.lit(other));
        let mut premises = vec![reflexive, forward];
        premises.extend(self.gate(both)?);
        premises.extend(self.gate(choice)?);
        let yes = self.derive(&[condition.negated(), then], &premises)?;
        let no = self.derive(&[condition, other], &premises)?;
        let done = [(then, yes), (other, no)];
        self.choices.insert(t, done);
        Ok(done)
    }
}
