//! Walks over terms: children, reachable sub-terms, substitution, evaluation. No recursion.

use crate::term::{Linear, Node, Term, Terms, Value};

/// The sub-terms of some terms, ascending, so children come before parents.
pub(crate) struct Reachable {
    terms: Vec<Term>,
    /// The index of each; omitted for small sets.
    index: Option<Index>,
}

/// Smaller sets are searched linearly.
const FEW: usize = 32;

impl Reachable {
    /// The sub-terms of the roots, if there are few. Most roots are small, and the store has many other terms.
    fn few(terms: &Terms, roots: &[Term]) -> Option<Reachable> {
        let mut found: Vec<Term> = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(t) = stack.pop() {
            if let Err(place) = found.binary_search(&t) {
                if found.len() == FEW {
                    return None;
                }
                found.insert(place, t);
                terms.children(t, |c| stack.push(c));
            }
        }
        Some(Reachable { terms: found, index: None })
    }

    fn many(terms: &Terms, roots: &[Term]) -> Reachable {
        let mut index = Index::below(roots.iter().map(|t| t.index() + 1).max().unwrap_or(0));
        let mut stack: Vec<Term> = roots.iter().copied().filter(|t| index.insert(*t)).collect();
        while let Some(t) = stack.pop() {
            terms.children(t, |c| {
                if index.insert(c) {
                    stack.push(c);
                }
            });
        }
        Reachable { terms: index.count(), index: Some(index) }
    }

    /// The number of terms before an element.
    fn rank(&self, t: Term) -> usize {
        match &self.index {
            Some(index) => index.rank(t),
            None => self.terms.binary_search(&t).expect("it is in"),
        }
    }
}

/// A set of terms with the rank of each.
struct Index {
    words: Vec<u64>,
    /// Number of terms before each word.
    before: Vec<u32>,
}

impl Index {
    /// The empty set, for the first terms of a store.
    fn below(terms: usize) -> Index {
        Index { words: vec![0; terms.div_ceil(64)], before: Vec::new() }
    }

    /// Was it not in yet?
    fn insert(&mut self, t: Term) -> bool {
        let (word, bit) = (&mut self.words[t.index() / 64], 1 << (t.index() % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// The terms, ascending. Nothing is inserted afterwards.
    fn count(&mut self) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for (i, word) in self.words.iter().enumerate() {
            self.before.push(u32::try_from(terms.len()).expect("a number of terms"));
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                terms.push(Term(u32::try_from(64 * i + bit).expect("an index of a term")));
            }
        }
        terms
    }

    fn rank(&self, t: Term) -> usize {
        let (word, below) = (t.index() / 64, (1 << (t.index() % 64)) - 1);
        (self.before[word] + (self.words[word] & below).count_ones()) as usize
    }
}

impl Terms {
    /// Calls `visit` on each direct child of `t`.
    pub fn children(&self, t: Term, mut visit: impl FnMut(Term)) {
        match self.node(t) {
            Node::True | Node::False | Node::Var(_) => {}
            Node::Not(a)
            | Node::Le(a, _)
            | Node::Lt(a, _)
            | Node::Eq(a, _)
            | Node::Div(a, _)
            | Node::Mod(a, _) => {
                visit(*a);
            }
            Node::And(cs) | Node::Or(cs) => cs.iter().copied().for_each(visit),
            Node::Iff(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Ite(c, a, b) => {
                visit(*c);
                visit(*a);
                visit(*b);
            }
            Node::Linear(_, l) => l.terms.iter().for_each(|(t, _)| visit(*t)),
        }
    }

    /// All sub-terms of `roots` (themselves included), ascending: children come before parents.
    #[must_use]
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        self.reachable(roots).terms
    }

    /// All sub-terms of `roots`.
    pub(crate) fn reachable(&self, roots: &[Term]) -> Reachable {
        Reachable::few(self, roots).unwrap_or_else(|| Reachable::many(self, roots))
    }

    /// The variables of `t`, ascending.
    #[must_use]
    pub fn vars(&self, t: Term) -> Vec<Term> {
        let mut all = self.subterms(&[t]);
        all.retain(|t| matches!(self.node(*t), Node::Var(_)));
        all
    }

    /// Replaces variables: `map` gives the new term of a variable, or `None` to keep it.
    ///
    /// # Panics
    /// If a variable is replaced by a term of another sort.
    pub fn substitute(&mut self, t: Term, mut map: impl FnMut(&mut Terms, Term) -> Option<Term>) -> Term {
        let all = self.reachable(&[t]);
        let mut new: Vec<Term> = Vec::with_capacity(all.terms.len());
        for &old in &all.terms {
            let image = if matches!(self.node(old), Node::Var(_)) {
                let image = map(self, old).unwrap_or(old);
                assert!(self.sort(image) == self.sort(old), "substitution keeps sorts");
                image
            } else {
                self.rebuild(old, &|t| new[all.rank(t)])
            };
            new.push(image);
        }
        new[all.rank(t)]
    }

    /// The same operator over the images of the children.
    fn rebuild(&mut self, t: Term, new: &dyn Fn(Term) -> Term) -> Term {
        let mut changed = false;
        self.children(t, |c| changed |= new(c) != c);
        if !changed {
            return t;
        }
        match self.node(t).clone() {
            Node::True | Node::False | Node::Var(_) => t,
            Node::Not(a) => self.not(new(a)),
            Node::And(cs) => self.and(cs.iter().map(|c| new(*c))),
            Node::Or(cs) => self.or(cs.iter().map(|c| new(*c))),
            Node::Iff(a, b) => self.iff(new(a), new(b)),
            Node::Ite(c, a, b) => self.ite(new(c), new(a), new(b)),
            Node::Le(a, q) => {
                let bound = self.num(q, self.sort(a));
                self.le(new(a), bound)
            }
            Node::Lt(a, q) => {
                let bound = self.num(q, self.sort(a));
                self.lt(new(a), bound)
            }
            Node::Eq(a, q) => {
                let bound = self.num(q, self.sort(a));
                self.eq(new(a), bound)
            }
            Node::Div(a, q) => self.div(new(a), &q),
            Node::Mod(a, q) => self.modulo(new(a), &q),
            Node::Linear(sort, l) => {
                let mut total = Linear::constant(l.constant);
                for (c, q) in &l.terms {
                    total.add_scaled(q, &self.linear(new(*c)));
                }
                self.sum(total, sort)
            }
        }
    }

    /// The value of `t` where `value` gives the values of variables.
    pub fn eval(&self, t: Term, value: impl FnMut(Term) -> Value) -> Value {
        self.eval_all(&[t], value).pop().expect("one value a root")
    }

    /// The values of several terms.
    pub fn eval_all(&self, roots: &[Term], value: impl FnMut(Term) -> Value) -> Vec<Value> {
        self.eval_below(&self.reachable(roots), roots, value)
    }

    /// The same for terms that are evaluated often: their sub-terms are computed once.
    pub(crate) fn eval_below(
        &self,
        all: &Reachable,
        roots: &[Term],
        mut value: impl FnMut(Term) -> Value,
    ) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(all.terms.len());
        for &s in &all.terms {
            let v = self.eval_node(s, &|t| &values[all.rank(t)], &mut value);
            values.push(v);
        }
        roots.iter().map(|t| values[all.rank(*t)].clone()).collect()
    }

    fn eval_node<'v>(
        &self,
        t: Term,
        value: &impl Fn(Term) -> &'v Value,
        of_var: &mut impl FnMut(Term) -> Value,
    ) -> Value {
        let num = |t: &Term| value(*t).num();
        let truth = |t: &Term| value(*t).bool();
        match self.node(t) {
            Node::True => Value::Bool(true),
            Node::False => Value::Bool(false),
            Node::Var(_) => of_var(t),
            Node::Not(a) => Value::Bool(!truth(a)),
            Node::And(cs) => Value::Bool(cs.iter().all(truth)),
            Node::Or(cs) => Value::Bool(cs.iter().any(truth)),
            Node::Iff(a, b) => Value::Bool(truth(a) == truth(b)),
            Node::Ite(c, a, b) => value(if truth(c) { *a } else { *b }).clone(),
            Node::Le(a, q) => Value::Bool(num(a) <= q),
            Node::Lt(a, q) => Value::Bool(num(a) < q),
            Node::Eq(a, q) => Value::Bool(num(a) == q),
            Node::Div(a, q) => Value::Num(num(a).div_euclid(q)),
            Node::Mod(a, q) => Value::Num(num(a).rem_euclid(q)),
            Node::Linear(_, l) => {
                let mut sum = l.constant.clone();
                for (t, q) in &l.terms {
                    sum += &(q * num(t));
                }
                Value::Num(sum)
            }
        }
    }
}

impl Value {
    /// The truth value.
    ///
    /// # Panics
    /// If it is a number.
    #[must_use]
    pub fn bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            Value::Num(_) => panic!("a number where a truth value belongs"),
        }
    }

    /// The number.
    ///
    /// # Panics
    /// If it is a truth value.
    #[must_use]
    pub fn num(&self) -> &crate::number::Q {
        match self {
            Value::Num(q) => q,
            Value::Bool(_) => panic!("a truth value where a number belongs"),
        }
    }
}
