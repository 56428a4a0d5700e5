//! Small integers in binary. A variable with few values that is only compared with constants and others of its kind,
//! like a program counter, needs no arithmetic: its value is encoded with truth values, and a comparison becomes a
//! formula over them. [`Bits::decoded`] converts a formula over these truth values back to one over the values.

use std::collections::{BTreeMap, BTreeSet};

use solver_lite::number::Q;
use solver_lite::term::{Linear, Node, Sort, Term, Terms, Value};

/// The greatest number of values that are encoded in binary.
const VALUES: u64 = 256;

/// The greatest number of pairs of values that are compared one by one.
const PAIRS: u64 = 4_096;

/// The greatest nesting depth of conditional terms inside sums.
const NESTED: usize = 2_000;

/// A variable encoded in binary.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    /// Its value, its value after a step, and intermediate values; each with its binary encoding, the least significant
    /// truth value first.
    pub(super) terms: Vec<(Term, Vec<Term>)>,
    lo: i64,
    count: u64,
    /// Are values printed one by one, because they have names?
    listed: bool,
}

/// A candidate for binary encoding: terms as in [`Binary`], and its range.
pub(super) struct Candidate {
    pub(super) terms: Vec<Term>,
    pub(super) lo: Q,
    pub(super) hi: Q,
    pub(super) listed: bool,
}

/// The variables encoded in binary.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    pub(super) all: Vec<Binary>,
}

/// The results for terms while formulas are rewritten.
struct Encoder<'a> {
    /// The terms for values, with their truth values and the least value.
    digits: BTreeMap<Term, (Vec<Term>, i64, u64)>,
    images: BTreeMap<Term, Term>,
    terms: &'a mut Terms,
}

impl Bits {
    /// Which of these variables, each with its range, can be encoded in binary in these formulas?
    pub(super) fn choose(candidates: &[Candidate], formulas: &[Term], terms: &mut Terms) -> Bits {
        let mut ranges: BTreeMap<Term, (i64, u64)> = BTreeMap::new();
        for Candidate { terms, lo, hi, .. } in candidates {
            let number = |q: &Q| q.to_string().parse::<i64>().ok();
            if let (Some(lo), Some(hi)) = (number(lo), number(hi))
                && lo <= hi
                && let Some(count) = hi.checked_sub(lo).and_then(|n| u64::try_from(n).ok()).map(|n| n + 1)
                && count <= VALUES
            {
                ranges.extend(terms.iter().map(|t| (*t, (lo, count))));
            }
        }
        let comparisons: Vec<BTreeSet<Term>> = terms
            .subterms(formulas)
            .into_iter()
            .filter_map(|t| match terms.node(t) {
                Node::Le(form, _) | Node::Lt(form, _) | Node::Eq(form, _) => leaves(terms, *form),
                _ => None,
            })
            .collect();
        let deep = terms.subterms(formulas).into_iter().any(|t| choices(terms, t) > NESTED);
        if deep {
            return Bits::default();
        }
        loop {
            let fits = |leaves: &BTreeSet<Term>| {
                let pairs = leaves.iter().try_fold(1u64, |n, t| Some(n.saturating_mul(ranges.get(t)?.1)));
                pairs.is_some_and(|n| n <= PAIRS)
            };
            let misfits: Vec<Term> = comparisons
                .iter()
                .filter(|l| !fits(l))
                .flatten()
                .filter(|t| ranges.contains_key(t))
                .copied()
                .collect();
            if misfits.is_empty() {
                break;
            }
            for c in candidates.iter().filter(|c| c.terms.iter().any(|t| misfits.contains(t))) {
                c.terms.iter().for_each(|t| {
                    ranges.remove(t);
                });
            }
        }
        let mut bits = Bits::default();
        for candidate in candidates {
            let Some((lo, count)) = ranges.get(&candidate.terms[0]).copied() else { continue };
            let digits = u64::BITS - (count - 1).leading_zeros();
            let mut written = |t: &Term| {
                let name = terms.name(*t).unwrap_or("?").to_owned();
                (*t, (0..digits).map(|i| terms.var(&format!("{name}.{i}"), Sort::Bool)).collect())
            };
            let all = candidate.terms.iter().map(&mut written).collect();
            bits.all.push(Binary { terms: all, lo, count, listed: candidate.listed });
        }
        bits
    }

    /// The truth values of each variable are those of one of its values.
    pub(super) fn domain(&self, terms: &mut Terms) -> Term {
        let mut parts = Vec::new();
        for b in &self.all {
            let now = &b.terms[0].1;
            let values: Vec<bool> = (0..1u64 << now.len()).map(|n| n < b.count).collect();
            parts.push(tree(terms, now, &values));
        }
        terms.and(parts)
    }

    /// The formulas over truth values.
    pub(super) fn encoded(&self, formulas: &[Term], terms: &mut Terms) -> Vec<Term> {
        let mut digits = BTreeMap::new();
        for b in &self.all {
            digits.extend(b.terms.iter().map(|(t, own)| (*t, (own.clone(), b.lo, b.count))));
        }
        let all = terms.subterms(formulas);
        let mut encoder = Encoder { digits, images: BTreeMap::new(), terms };
        for t in all {
            let image = encoder.image(t);
            encoder.images.insert(t, image);
        }
        formulas.iter().map(|t| encoder.images[t]).collect()
    }

    /// A formula over truth values as one over the values, current ones only.
    pub(super) fn decoded(&self, formula: Term, terms: &mut Terms) -> Term {
        let mut owner: BTreeMap<Term, (usize, usize)> = BTreeMap::new();
        for (k, b) in self.all.iter().enumerate() {
            owner.extend(b.terms[0].1.iter().enumerate().map(|(i, bit)| (*bit, (k, i))));
        }
        if owner.is_empty() {
            return formula;
        }
        let mut images: BTreeMap<Term, Image> = BTreeMap::new();
        for t in terms.subterms(&[formula]) {
            let image = self.decode(t, &owner, &images, terms);
            images.insert(t, image);
        }
        let image = images.remove(&formula).expect("a subterm of itself");
        self.plain(image, terms)
    }

    fn decode(
        &self,
        t: Term,
        owner: &BTreeMap<Term, (usize, usize)>,
        images: &BTreeMap<Term, Image>,
        terms: &mut Terms,
    ) -> Image {
        if let Some(&(k, bit)) = owner.get(&t) {
            let values = (0..self.all[k].count).map(|n| n >> bit & 1 == 1).collect();
            return Image::Values(k, values);
        }
        let (children, conjunction) = match terms.node(t).clone() {
            Node::Not(a) => {
                return match &images[&a] {
                    Image::Values(k, values) => Image::Values(*k, values.iter().map(|v| !v).collect()),
                    Image::Term(a) => Image::Term(terms.not(*a)),
                };
            }
            Node::And(all) => (all, true),
            Node::Or(all) => (all, false),
            Node::Iff(a, b) => {
                let [a, b] = [a, b].map(|x| self.plain(images[&x].clone(), terms));
                return Image::Term(terms.iff(a, b));
            }
            Node::Ite(c, a, b) if terms.sort(t) == Sort::Bool => {
                let [c, a, b] = [c, a, b].map(|x| self.plain(images[&x].clone(), terms));
                return Image::Term(terms.ite(c, a, b));
            }
            // Conditional terms inside comparisons.
            Node::Le(..) | Node::Lt(..) | Node::Eq(..) => {
                return Image::Term(terms.substitute(t, |terms, x| {
                    let &(k, bit) = owner.get(&x)?;
                    let values = (0..self.all[k].count).map(|n| n >> bit & 1 == 1).collect();
                    Some(self.plain(Image::Values(k, values), terms))
                }));
            }
            _ => return Image::Term(t),
        };
        // The constraints on one variable are one set of its values.
        let mut sets: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
        let mut parts = Vec::new();
        for child in children.iter() {
            match &images[child] {
                Image::Term(t) => parts.push(*t),
                Image::Values(k, values) => {
                    let set = sets.entry(*k).or_insert_with(|| vec![conjunction; values.len()]);
                    set.iter_mut()
                        .zip(values)
                        .for_each(|(s, v)| *s = if conjunction { *s && *v } else { *s || *v });
                }
            }
        }
        if parts.is_empty() && sets.len() == 1 {
            let (k, values) = sets.pop_first().expect("one set");
            return Image::Values(k, values);
        }
        for (k, values) in sets {
            parts.push(self.plain(Image::Values(k, values), terms));
        }
        Image::Term(if conjunction { terms.and(parts) } else { terms.or(parts) })
    }

    /// As a formula over values: the ranges inside the set or outside, whichever are fewer.
    fn plain(&self, image: Image, terms: &mut Terms) -> Term {
        let (k, values) = match image {
            Image::Term(t) => return t,
            Image::Values(k, values) => (k, values),
        };
        let (x, lo) = (self.all[k].terms[0].0, self.all[k].lo);
        let ranges = |wanted: bool| {
            let mut all: Vec<(i64, i64)> = Vec::new();
            for (n, v) in (0i64..).zip(&values) {
                match all.last_mut() {
                    _ if *v != wanted => {}
                    Some((_, last)) if *last == lo + n - 1 && !self.all[k].listed => *last = lo + n,
                    _ => all.push((lo + n, lo + n)),
                }
            }
            all
        };
        let (inside, outside) = (ranges(true), ranges(false));
        let negated = outside.len() < inside.len();
        let last = lo + i64::try_from(values.len()).unwrap_or(i64::MAX) - 1;
        let mut parts = Vec::new();
        for (from, to) in if negated { outside } else { inside } {
            let [a, b] = [from, to].map(|n| terms.int(n));
            parts.push(match (from == lo && !negated, to == last && !negated) {
                _ if from == to => terms.eq(x, a),
                (true, true) => Term::TRUE,
                (true, false) => terms.le(x, b),
                (false, true) => terms.ge(x, a),
                (false, false) => {
                    let both = [terms.ge(x, a), terms.le(x, b)];
                    terms.and(both)
                }
            });
        }
        let any = terms.or(parts);
        if negated { terms.not(any) } else { any }
    }
}

/// A decoded formula: a set of values of one variable, or any.
#[derive(Clone)]
enum Image {
    Values(usize, Vec<bool>),
    Term(Term),
}

/// The variables in the value of a number, without those in conditions; `None` for a constant.
fn leaves(terms: &Terms, t: Term) -> Option<BTreeSet<Term>> {
    let mut found = BTreeSet::new();
    let mut stack = vec![t];
    let mut seen = BTreeSet::new();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        match terms.node(t) {
            Node::Var(_) => {
                found.insert(t);
            }
            Node::Ite(_, a, b) => stack.extend([*a, *b]),
            _ => terms.children(t, |c| stack.push(c)),
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The number of nested conditional terms at the top of a number.
fn choices(terms: &Terms, mut t: Term) -> usize {
    let mut n = 0;
    while let Node::Ite(_, _, b) = terms.node(t) {
        n += 1;
        t = *b;
    }
    n
}

/// The function of these truth values (the least significant first) with this table.
fn tree(terms: &mut Terms, digits: &[Term], table: &[bool]) -> Term {
    if table.iter().all(|v| *v == table[0]) {
        return terms.bool(table[0]);
    }
    let (last, rest) = digits.split_last().expect("a table of one line is constant");
    let (low, high) = table.split_at(table.len() / 2);
    let (low, high) = (tree(terms, rest, low), tree(terms, rest, high));
    terms.ite(*last, high, low)
}

impl Encoder<'_> {
    fn image(&mut self, t: Term) -> Term {
        let of = |e: &Self, t: &Term| e.images[t];
        match self.terms.node(t).clone() {
            Node::True | Node::False | Node::Var(_) => t,
            Node::Not(a) => {
                let a = of(self, &a);
                self.terms.not(a)
            }
            Node::And(all) => {
                let all: Vec<Term> = all.iter().map(|a| of(self, a)).collect();
                self.terms.and(all)
            }
            Node::Or(all) => {
                let all: Vec<Term> = all.iter().map(|a| of(self, a)).collect();
                self.terms.or(all)
            }
            Node::Iff(a, b) => {
                let (a, b) = (of(self, &a), of(self, &b));
                self.terms.iff(a, b)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (of(self, &c), of(self, &a), of(self, &b));
                self.terms.ite(c, a, b)
            }
            Node::Le(form, _) | Node::Lt(form, _) | Node::Eq(form, _) => {
                let binary =
                    leaves(self.terms, form).is_some_and(|l| l.iter().all(|v| self.digits.contains_key(v)));
                if binary { self.compared(t) } else { self.rebuilt(t, of(self, &form)) }
            }
            Node::Div(a, k) => {
                let a = of(self, &a);
                self.terms.div(a, &k)
            }
            Node::Mod(a, k) => {
                let a = of(self, &a);
                self.terms.modulo(a, &k)
            }
            Node::Linear(sort, linear) => {
                let mut total = Linear::constant(linear.constant.clone());
                for (part, factor) in &linear.terms {
                    let part = of(self, part);
                    total.add_scaled(factor, &self.terms.linear(part));
                }
                self.terms.sum(total, sort)
            }
        }
    }

    /// A comparison of another number with the same bound.
    fn rebuilt(&mut self, t: Term, form: Term) -> Term {
        let sort = self.terms.sort(form);
        match self.terms.node(t).clone() {
            Node::Le(_, q) => {
                let q = self.terms.num(q, sort);
                self.terms.le(form, q)
            }
            Node::Lt(_, q) => {
                let q = self.terms.num(q, sort);
                self.terms.lt(form, q)
            }
            Node::Eq(_, q) => {
                let q = self.terms.num(q, sort);
                self.terms.eq(form, q)
            }
            _ => unreachable!("a comparison"),
        }
    }

    /// A comparison of variables in binary: conditional terms first, then all values one by one.
    fn compared(&mut self, t: Term) -> Term {
        if let Some(image) = self.images.get(&t) {
            return *image;
        }
        let form = match self.terms.node(t) {
            Node::Le(form, _) | Node::Lt(form, _) | Node::Eq(form, _) => *form,
            // The comparison of a constant, or lifted over a conditional term.
            _ => return self.lifted(t),
        };
        let image = match self.choice(form) {
            Some((choice, condition, branches)) => {
                let [then, other] = branches.map(|branch| {
                    let form = self.replaced(form, choice, branch);
                    let t = self.rebuilt(t, form);
                    self.compared(t)
                });
                let condition = self.images[&condition];
                self.terms.ite(condition, then, other)
            }
            None => self.enumerated(t, form),
        };
        self.images.insert(t, image);
        image
    }

    fn lifted(&mut self, t: Term) -> Term {
        match self.terms.node(t).clone() {
            Node::Not(a) => {
                let a = self.compared(a);
                self.terms.not(a)
            }
            Node::And(all) => {
                let all: Vec<Term> = all.iter().map(|a| self.compared(*a)).collect();
                self.terms.and(all)
            }
            Node::Or(all) => {
                let all: Vec<Term> = all.iter().map(|a| self.compared(*a)).collect();
                self.terms.or(all)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.compared(c), self.compared(a), self.compared(b));
                self.terms.ite(c, a, b)
            }
            Node::Iff(a, b) => {
                let (a, b) = (self.compared(a), self.compared(b));
                self.terms.iff(a, b)
            }
            _ => t,
        }
    }

    /// The first conditional term inside a number.
    fn choice(&self, form: Term) -> Option<(Term, Term, [Term; 2])> {
        let mut stack = vec![form];
        while let Some(t) = stack.pop() {
            match self.terms.node(t) {
                Node::Ite(c, a, b) => return Some((t, *c, [*a, *b])),
                _ => self.terms.children(t, |c| stack.push(c)),
            }
        }
        None
    }

    fn replaced(&mut self, t: Term, old: Term, new: Term) -> Term {
        if t == old {
            return new;
        }
        match self.terms.node(t).clone() {
            Node::Linear(sort, linear) => {
                let mut total = Linear::constant(linear.constant.clone());
                for (part, factor) in &linear.terms {
                    let part = self.replaced(*part, old, new);
                    total.add_scaled(factor, &self.terms.linear(part));
                }
                self.terms.sum(total, sort)
            }
            Node::Div(a, k) => {
                let a = self.replaced(a, old, new);
                self.terms.div(a, &k)
            }
            Node::Mod(a, k) => {
                let a = self.replaced(a, old, new);
                self.terms.modulo(a, &k)
            }
            _ => t,
        }
    }

    fn enumerated(&mut self, t: Term, form: Term) -> Term {
        let vars: Vec<Term> = leaves(self.terms, form).into_iter().flatten().collect();
        let mut digits: Vec<Term> = Vec::new();
        let mut parts = Vec::new();
        for v in &vars {
            let (own, lo, _) = &self.digits[v];
            parts.push((digits.len(), own.len(), *lo));
            digits.extend(own);
        }
        let value = |n: u64, k: usize| {
            let (from, length, lo) = parts[k];
            let own = n >> from & ((1u64 << length) - 1);
            Value::Num(Q::from(lo + i64::try_from(own).unwrap_or(0)))
        };
        let table: Vec<bool> = (0..1u64 << digits.len())
            .map(|n| self.terms.eval(t, |v| value(n, vars.iter().position(|x| *x == v).unwrap_or(0))).bool())
            .collect();
        tree(self.terms, &digits, &table)
    }
}
