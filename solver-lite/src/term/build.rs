//! Constructors of terms: each normalises, so that the store's invariants hold; only `gate` does not flatten.

use crate::number::Q;
use crate::term::{Linear, Node, Sort, Term, Terms};

/// Longer operands of the same operator are not flattened: in a chain of definitions, each containing the previous one,
/// everything would be copied every time.
pub(crate) const FLAT: usize = 64;

/// The comparison of a linear sum with zero.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Le,
    Lt,
    Eq,
}

impl Terms {
    /// A truth constant.
    #[must_use]
    pub fn bool(&self, value: bool) -> Term {
        if value { Term::TRUE } else { Term::FALSE }
    }

    /// An integer constant.
    pub fn int(&mut self, value: i64) -> Term {
        self.num(Q::from(value), Sort::Int)
    }

    /// A numeric constant of sort Int or Real.
    ///
    /// # Panics
    /// If a fraction is given for an Int.
    pub fn num(&mut self, value: Q, sort: Sort) -> Term {
        assert!(sort == Sort::Real || value.is_integer(), "a fraction is not an Int");
        self.intern(Node::Linear(sort, Linear::constant(value)), sort)
    }

    /// Negation.
    pub fn not(&mut self, t: Term) -> Term {
        debug_assert_eq!(self.sort(t), Sort::Bool);
        match *self.node(t) {
            Node::True => Term::FALSE,
            Node::False => Term::TRUE,
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(t), Sort::Bool),
        }
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, children: impl IntoIterator<Item = Term>) -> Term {
        self.junction(children, Term::TRUE, Term::FALSE)
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, children: impl IntoIterator<Item = Term>) -> Term {
        self.junction(children, Term::FALSE, Term::TRUE)
    }

    /// A conjunction (or disjunction) without flattening and without simplification of complements, to preserve
    /// sharing. The operands are not constants.
    pub(crate) fn gate(&mut self, conjunction: bool, operands: impl IntoIterator<Item = Term>) -> Term {
        let mut operands: Vec<Term> = operands.into_iter().collect();
        debug_assert!(
            operands.iter().all(|t| ![Term::TRUE, Term::FALSE].contains(t)) && !operands.is_empty()
        );
        operands.sort_unstable();
        operands.dedup();
        match operands.as_slice() {
            [one] => *one,
            _ if conjunction => self.intern(Node::And(operands.into()), Sort::Bool),
            _ => self.intern(Node::Or(operands.into()), Sort::Bool),
        }
    }

    /// And (`unit` = true) or Or (`unit` = false): flatten short operands, sort, deduplicate, simplify complements.
    fn junction(&mut self, children: impl IntoIterator<Item = Term>, unit: Term, zero: Term) -> Term {
        let conjunction = unit == Term::TRUE;
        let mut flat = Vec::new();
        for t in children {
            debug_assert_eq!(self.sort(t), Sort::Bool);
            match self.node(t) {
                Node::And(inner) if conjunction && inner.len() <= FLAT => flat.extend_from_slice(inner),
                Node::Or(inner) if !conjunction && inner.len() <= FLAT => flat.extend_from_slice(inner),
                _ if t == unit => {}
                _ if t == zero => return zero,
                _ => flat.push(t),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for &t in &flat {
            if let Node::Not(inner) = self.node(t)
                && flat.binary_search(inner).is_ok()
            {
                return zero;
            }
        }
        match flat.as_slice() {
            [] => unit,
            [one] => *one,
            _ if conjunction => self.intern(Node::And(flat.into()), Sort::Bool),
            _ => self.intern(Node::Or(flat.into()), Sort::Bool),
        }
    }

    /// `a ⇒ b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let na = self.not(a);
        self.or([na, b])
    }

    /// `a ⇔ b`.
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        let (a, na) = self.strip(a);
        let (b, nb) = self.strip(b);
        let (a, b) = (a.min(b), a.max(b));
        let positive = if a == b {
            Term::TRUE
        } else if a == Term::TRUE {
            b
        } else {
            self.intern(Node::Iff(a, b), Sort::Bool)
        };
        if na == nb { positive } else { self.not(positive) }
    }

    /// `a ⊕ b`.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let equal = self.iff(a, b);
        self.not(equal)
    }

    /// A term without its outermost negation (`false` counts as negated `true`), and whether there was one.
    #[must_use]
    pub fn strip(&self, t: Term) -> (Term, bool) {
        match *self.node(t) {
            Node::Not(inner) => (inner, true),
            Node::False => (Term::TRUE, true),
            _ => (t, false),
        }
    }

    /// `if c then a else b`, for any sort; Int and Real branches become Real.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        let (c, negated) = self.strip(c);
        let (a, b) = if negated { (b, a) } else { (a, b) };
        if a == b || c == Term::TRUE {
            return a;
        }
        if self.sort(a) == Sort::Bool {
            return self.bool_ite(c, a, b);
        }
        let sort = self.sort(a).max(self.sort(b));
        self.intern(Node::Ite(c, a, b), sort)
    }

    fn bool_ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        let nc = self.not(c);
        if a == Term::TRUE || a == c {
            return self.or([c, b]);
        }
        if a == Term::FALSE || a == nc {
            return self.and([nc, b]);
        }
        if b == Term::TRUE || b == nc {
            return self.or([nc, a]);
        }
        if b == Term::FALSE || b == c {
            return self.and([c, a]);
        }
        self.intern(Node::Ite(c, a, b), Sort::Bool)
    }

    /// A sum as a term: the single summand itself where that is equal.
    pub fn sum(&mut self, linear: Linear, sort: Sort) -> Term {
        if let ([(t, q)], true) = (linear.terms.as_slice(), linear.constant.is_zero())
            && q.is_one()
            && self.sort(*t) == sort
        {
            return *t;
        }
        self.intern(Node::Linear(sort, linear), sort)
    }

    fn meet(&self, a: Term, b: Term) -> Sort {
        debug_assert!(self.sort(a) != Sort::Bool && self.sort(b) != Sort::Bool);
        self.sort(a).max(self.sort(b))
    }

    /// Sum of any number of arithmetic terms; the empty sum is the integer 0.
    pub fn add(&mut self, summands: impl IntoIterator<Item = Term>) -> Term {
        let mut total = Linear::constant(Q::ZERO);
        let mut sort = Sort::Int;
        for t in summands {
            total.add_scaled(&Q::ONE, &self.linear(t));
            sort = sort.max(self.sort(t));
        }
        self.sum(total, sort)
    }

    /// `a − b`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let mut total = self.linear(a);
        total.add_scaled(&Q::MINUS_ONE, &self.linear(b));
        let sort = self.meet(a, b);
        self.sum(total, sort)
    }

    /// `factor · t`; a fractional factor makes the result Real.
    pub fn scale(&mut self, factor: &Q, t: Term) -> Term {
        let mut total = self.linear(t);
        total.scale(factor);
        let sort = if factor.is_integer() { self.sort(t) } else { Sort::Real };
        self.sum(total, sort)
    }

    /// `−t`.
    pub fn neg(&mut self, t: Term) -> Term {
        self.scale(&Q::MINUS_ONE, t)
    }

    /// An Int term as a Real one.
    pub fn to_real(&mut self, t: Term) -> Term {
        let linear = self.linear(t);
        self.sum(linear, Sort::Real)
    }

    /// Euclidean quotient by a constant, as SMT-LIB's `div`.
    ///
    /// # Panics
    /// If `k` is zero or not an integer, or `t` is not an Int.
    pub fn div(&mut self, t: Term, k: &Q) -> Term {
        assert!(k.is_integer() && !k.is_zero() && self.sort(t) == Sort::Int, "div by a nonzero integer");
        if k.is_negative() {
            let positive = self.div(t, &-k);
            return self.neg(positive);
        }
        if k.is_one() {
            return t;
        }
        let l = self.linear(t);
        if l.terms.is_empty() {
            return self.num(l.constant.div_euclid(k), Sort::Int);
        }
        self.intern(Node::Div(t, k.clone()), Sort::Int)
    }

    /// Euclidean remainder by a constant, as SMT-LIB's `mod`.
    ///
    /// # Panics
    /// If `k` is zero or not an integer, or `t` is not an Int.
    pub fn modulo(&mut self, t: Term, k: &Q) -> Term {
        assert!(k.is_integer() && !k.is_zero() && self.sort(t) == Sort::Int, "mod by a nonzero integer");
        let k = k.abs();
        let l = self.linear(t);
        if l.terms.is_empty() || k.is_one() {
            return self.num(l.constant.rem_euclid(&k), Sort::Int);
        }
        self.intern(Node::Mod(t, k), Sort::Int)
    }

    /// `a ≤ b`.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        let difference = self.difference(a, b);
        self.compare(difference, Relation::Le)
    }

    /// `a < b`.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        let difference = self.difference(a, b);
        self.compare(difference, Relation::Lt)
    }

    /// `a ≥ b`.
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    /// `a > b`.
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }

    /// `a = b`, for any sort.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if self.sort(a) == Sort::Bool {
            return self.iff(a, b);
        }
        let difference = self.difference(a, b);
        self.compare(difference, Relation::Eq)
    }

    /// Pairwise different.
    pub fn distinct(&mut self, children: &[Term]) -> Term {
        let mut parts = Vec::new();
        for (i, &a) in children.iter().enumerate() {
            for &b in &children[i + 1..] {
                let equal = self.eq(a, b);
                parts.push(self.not(equal));
            }
        }
        self.and(parts)
    }

    /// `linear ≤ 0`.
    pub fn le_zero(&mut self, linear: Linear) -> Term {
        self.compare(linear, Relation::Le)
    }

    /// `linear < 0`.
    pub fn lt_zero(&mut self, linear: Linear) -> Term {
        self.compare(linear, Relation::Lt)
    }

    fn difference(&self, a: Term, b: Term) -> Linear {
        let mut l = self.linear(a);
        l.add_scaled(&Q::MINUS_ONE, &self.linear(b));
        l
    }

    /// Is every variable of this sum an Int (in whatever sort the sum is used)?
    #[must_use]
    pub fn all_int(&self, linear: &Linear) -> bool {
        linear.terms.iter().all(|(t, _)| self.sort(*t) == Sort::Int)
    }

    /// Normalises `linear ⋈ 0` to `±(form ⋈ bound)`.
    fn compare(&mut self, mut linear: Linear, relation: Relation) -> Term {
        if linear.terms.is_empty() {
            let c = &linear.constant;
            return self.bool(match relation {
                Relation::Le => !c.is_positive(),
                Relation::Lt => c.is_negative(),
                Relation::Eq => c.is_zero(),
            });
        }
        let factor = linear.coprime_factor();
        let flipped = linear.terms[0].1.is_negative();
        linear.scale(&if flipped { -&factor } else { factor });
        let bound = -&linear.constant;
        linear.constant = Q::ZERO;
        let integral = self.all_int(&linear);
        let sort = if integral { Sort::Int } else { Sort::Real };
        let form = self.sum(linear, sort);
        match (relation, integral) {
            (Relation::Eq, true) if !bound.is_integer() => Term::FALSE,
            (Relation::Eq, _) => self.intern(Node::Eq(form, bound), Sort::Bool),
            // flipped: form ≥ bound, i.e. not (form ≤ ⌈bound⌉ − 1), or form > bound, i.e. not (form ≤ ⌊bound⌋)
            (Relation::Le, true) if flipped => self.not_le(form, &bound.ceil() - &Q::ONE),
            (Relation::Lt, true) if flipped => self.not_le(form, bound.floor()),
            (Relation::Le, true) => self.intern(Node::Le(form, bound.floor()), Sort::Bool),
            (Relation::Lt, true) => self.intern(Node::Le(form, &bound.ceil() - &Q::ONE), Sort::Bool),
            (Relation::Le, false) if flipped => {
                let lt = self.intern(Node::Lt(form, bound), Sort::Bool);
                self.not(lt)
            }
            (Relation::Lt, false) if flipped => self.not_le(form, bound),
            (Relation::Le, false) => self.intern(Node::Le(form, bound), Sort::Bool),
            (Relation::Lt, false) => self.intern(Node::Lt(form, bound), Sort::Bool),
        }
    }

    /// The two comparisons of the equation `form = bound`.
    pub(crate) fn sides(&mut self, form: Term, bound: &Q) -> [Term; 2] {
        let le = self.intern(Node::Le(form, bound.clone()), Sort::Bool);
        let ge = if self.sort(form) == Sort::Int {
            self.not_le(form, bound - &Q::ONE)
        } else {
            let lt = self.intern(Node::Lt(form, bound.clone()), Sort::Bool);
            self.not(lt)
        };
        [le, ge]
    }

    fn not_le(&mut self, form: Term, bound: Q) -> Term {
        let le = self.intern(Node::Le(form, bound), Sort::Bool);
        self.not(le)
    }
}
