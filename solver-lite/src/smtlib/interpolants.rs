//! `(get-interpolants A B …)` in SMTInterpol's form: each group is a name or `(and n1 n2 …)`; the answer has one
//! interpolant less than there are groups.
//!
//! Assertions in no group (and assumptions) are added after the last one. So each interpolant still follows from the
//! groups before it and contradicts everything else.

use std::collections::BTreeSet;

use crate::certify::certify;
use crate::interpolate::{self, Arithmetic, Boolean, Method};
use crate::proof::Proof;
use crate::refute::{Refutation, refute};
use crate::search::Incomplete;
use crate::smtlib::lexer::Complaint;
use crate::smtlib::sexpr::Id;
use crate::smtlib::{Command, Reply, Session};
use crate::term::print::TEXT_LIMIT;
use crate::term::{Term, Terms};

/// Groups a sequence may have.
const GROUPS: usize = 10_000;

impl Session {
    pub(super) fn get_interpolants(&mut self, c: &Command) -> Reply {
        self.after_unsat(c)?;
        let (groups, method) = (self.groups(c)?, self.method(c)?);
        if !(2..=GROUPS).contains(&groups.len()) {
            return c.complain(c.root, format!("between 2 and {GROUPS} groups were expected"));
        }
        let mut order: Vec<usize> = Vec::new();
        let mut cuts = Vec::new();
        for group in groups {
            order.extend(group);
            cuts.push(order.len());
        }
        cuts.pop();
        let all = self.all();
        let taken: BTreeSet<usize> = order.iter().copied().collect();
        order.extend((0..all.len()).filter(|i| !taken.contains(i)));
        let ordered: Vec<Term> = order.iter().map(|i| all[*i]).collect();
        let mut proof = self.explicit(c, &ordered)?;
        if !interpolate::is_about(&mut self.terms, &ordered, &proof) {
            // Its learned clauses may depend on withdrawn assertions.
            proof = match refute(&mut self.terms, &ordered, self.limits) {
                Refutation::Proof(proof) => proof,
                Refutation::Incomplete(why) => {
                    return c.complain(c.root, format!("the interpolants cannot be computed: {why}"));
                }
                Refutation::Model(_) => unreachable!("the assertions were refuted"),
            };
        }
        let interpolants = interpolate::at_cuts(&mut self.terms, &ordered, &proof, &cuts, method);
        let checked = self.is_on(":check-interpolants") || self.is_on(":certify-interpolants");
        if checked && let Err(why) = self.check_interpolants(&ordered, &proof, &cuts, method, &interpolants) {
            return c.complain(c.root, format!("the interpolants could not be checked: {why}"));
        }
        let texts: Vec<String> = interpolants.iter().map(|i| self.terms.smt(*i).to_string()).collect();
        if texts.iter().any(|t| t.len() > TEXT_LIMIT) {
            return c.complain(c.root, format!("an interpolant has more than {TEXT_LIMIT} characters"));
        }
        Ok(Some(format!("({})", texts.join("\n "))))
    }

    /// The options `:interpolation-boolean` and `:interpolation-arithmetic`.
    fn method(&self, c: &Command) -> Result<Method, Complaint> {
        let boolean = match self.options.get(":interpolation-boolean").map(String::as_str) {
            None | Some("mcmillan") => Boolean::McMillan,
            Some("pudlak") => Boolean::Pudlak,
            Some("dual") => Boolean::Dual,
            Some(_) => return c.complain(c.root, ":interpolation-boolean is mcmillan, pudlak or dual"),
        };
        let arithmetic = match self.options.get(":interpolation-arithmetic").map(String::as_str) {
            None | Some("farkas") => Arithmetic::Farkas,
            Some("decomposed") => Arithmetic::Decomposed,
            Some(_) => return c.complain(c.root, ":interpolation-arithmetic is farkas or decomposed"),
        };
        Ok(Method { boolean, arithmetic })
    }

    /// Indices of assertions, group by group. Without arguments each named assertion is a group.
    fn groups(&self, c: &Command) -> Result<Vec<Vec<usize>>, Complaint> {
        if c.arguments.is_empty() {
            let named = self.asserted.iter().enumerate().filter(|(_, a)| a.name.is_some());
            return Ok(named.map(|(i, _)| vec![i]).collect());
        }
        let mut taken = BTreeSet::new();
        let mut groups = Vec::new();
        for group in c.arguments {
            let mut members = Vec::new();
            for at in group_names(c, *group)? {
                let i = self.assertion_named(c, at)?;
                if !taken.insert(i) {
                    return c.complain(at, format!("'{}' is in a group already", c.symbol(at)?));
                }
                members.push(i);
            }
            groups.push(members);
        }
        Ok(groups)
    }

    /// The index of the assertion with this name.
    fn assertion_named(&self, c: &Command, at: Id) -> Result<usize, Complaint> {
        let name = c.symbol(at)?;
        let found = self.asserted.iter().position(|a| a.name.as_deref() == Some(name));
        found.map_or_else(|| c.complain(at, format!("no assertion is named '{name}'")), Ok)
    }

    /// Each interpolant and the next group imply the next interpolant: the checker accepts a refutation of the
    /// negation.
    fn check_interpolants(
        &mut self,
        ordered: &[Term],
        proof: &Proof,
        cuts: &[usize],
        method: Method,
        interpolants: &[Term],
    ) -> Result<(), Incomplete> {
        let mut said = Vec::new();
        let mut judge = |terms: &Terms, step: &[Term], proof: &Proof| {
            let judged = certify(terms, step, proof);
            judged.unwrap_or_else(|why| panic!("interpolant {} does not follow: {why}", said.len()));
            said.push(step[0]);
        };
        interpolate::steps(&mut self.terms, ordered, proof, cuts, method, self.limits, &mut judge)?;
        assert_eq!(said[1..], *interpolants, "what was checked is the answer");
        Ok(())
    }
}

/// The names of a group.
fn group_names(c: &Command, group: Id) -> Result<Vec<Id>, Complaint> {
    match c.arena.list(group) {
        None => Ok(vec![group]),
        Some([and, names @ ..]) if c.arena.symbol(*and) == Some("and") && !names.is_empty() => {
            Ok(names.to_vec())
        }
        Some(_) => c.complain(group, "a group is a name or (and name name …); trees are not supported"),
    }
}
