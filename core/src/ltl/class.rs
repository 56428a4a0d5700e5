//! The hierarchy of temporal properties (Manna and Pnueli, "A hierarchy of temporal properties", 1990), determined
//! syntactically (Černá and Pelánek, "Relating hierarchy of temporal properties to model checking", 2003).

use std::fmt;

use crate::ltl::{Formula, Temporal};

/// The class of a formula in the hierarchy: the least one that its syntax implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Both safety and guarantee: a finite prefix decides it.
    SafetyAndGuarantee,
    /// Every violating word has a finite prefix that violates it.
    Safety,
    /// Every satisfying word has a finite prefix that satisfies it.
    Guarantee,
    /// A Boolean combination of safety and guarantee.
    Obligation,
    /// A condition holds infinitely often.
    Recurrence,
    /// A condition holds at all positions from some point on.
    Persistence,
    /// A Boolean combination of recurrence and persistence: every formula is one.
    Reactivity,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::SafetyAndGuarantee => "safety and guarantee",
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Recurrence => "recurrence",
            Class::Persistence => "persistence",
            Class::Reactivity => "reactivity",
        })
    }
}

/// The classes implied by the syntax of a formula.
#[derive(Clone, Copy)]
struct In {
    safety: bool,
    guarantee: bool,
    obligation: bool,
    recurrence: bool,
    persistence: bool,
}

impl Class {
    /// The class of a formula.
    #[must_use]
    pub fn of(formula: &Formula) -> Class {
        let classes = membership(formula);
        match classes {
            In { safety: true, guarantee: true, .. } => Class::SafetyAndGuarantee,
            In { safety: true, .. } => Class::Safety,
            In { guarantee: true, .. } => Class::Guarantee,
            In { obligation: true, .. } => Class::Obligation,
            In { recurrence: true, .. } => Class::Recurrence,
            In { persistence: true, .. } => Class::Persistence,
            _ => Class::Reactivity,
        }
    }
}

impl In {
    const ALL: In =
        In { safety: true, guarantee: true, obligation: true, recurrence: true, persistence: true };

    fn negated(self) -> In {
        In {
            safety: self.guarantee,
            guarantee: self.safety,
            obligation: self.obligation,
            recurrence: self.persistence,
            persistence: self.recurrence,
        }
    }

    fn and(self, other: In) -> In {
        In {
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
            recurrence: self.recurrence && other.recurrence,
            persistence: self.persistence && other.persistence,
        }
    }
}

fn membership(formula: &Formula) -> In {
    let of = |i: usize| membership(&formula.children()[i]);
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => In::ALL,
        Formula::Not(a) => membership(a).negated(),
        Formula::And(all) | Formula::Or(all) => all.iter().map(membership).fold(In::ALL, In::and),
        Formula::Implies(_) => of(0).negated().and(of(1)),
        Formula::Iff(_) | Formula::Xor(_) => {
            let both = of(0).and(of(1));
            both.and(both.negated())
        }
        Formula::Unary(Temporal::Next, a) => membership(a),
        Formula::Unary(Temporal::Finally, _) => until(In::ALL, of(0)),
        Formula::Unary(_, _) => until(In::ALL, of(0).negated()).negated(),
        Formula::Binary(Temporal::Until, _) => until(of(0), of(1)),
        Formula::Binary(Temporal::Release, _) => until(of(0).negated(), of(1).negated()).negated(),
        // a W b = ¬(¬a M ¬b) with the operands of M exchanged: a M b = b U (a ∧ b).
        Formula::Binary(Temporal::WeakUntil, _) => {
            let (a, b) = (of(0).negated(), of(1).negated());
            until(b, a.and(b)).negated()
        }
        Formula::Binary(_, _) => until(of(1), of(0).and(of(1))),
    }
}

/// `a U b`
fn until(a: In, b: In) -> In {
    In {
        safety: false,
        guarantee: a.guarantee && b.guarantee,
        obligation: a.obligation && b.guarantee,
        recurrence: a.recurrence && b.guarantee,
        persistence: a.persistence && b.persistence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_formulas_are_where_they_belong() {
        let class = |text: &str| Class::of(&crate::ltl::propositional(text).unwrap().formula);
        for (text, expected) in [
            ("p & X q", Class::SafetyAndGuarantee),
            ("G(p -> X q)", Class::Safety),
            ("p W q", Class::Safety),
            ("F p", Class::Guarantee),
            ("p U q", Class::Guarantee),
            ("F p -> F q", Class::Obligation),
            ("G p | F q", Class::Obligation),
            ("GF p", Class::Recurrence),
            ("G(p -> F q)", Class::Recurrence),
            ("FG p", Class::Persistence),
            ("GF p -> GF q", Class::Reactivity),
        ] {
            assert_eq!(class(text), expected, "{text}");
        }
    }
}
