//! Answers after a check: models and values, cores, proofs.

use std::fmt::Write as _;

use crate::alethe::{self, NoRule};
use crate::proof::Proof;
use crate::search::Model;
use crate::smtlib::declare::numerals;
use crate::smtlib::lexer::Complaint;
use crate::smtlib::original::Written;
use crate::smtlib::{Command, Reply, Session, State, original};
use crate::solver::Solver;
use crate::term::print::{smt_number, smt_symbol};
use crate::term::{Term, Value};

impl Session {
    fn model(&self, c: &Command) -> Result<&Model, Complaint> {
        match &self.state {
            State::Sat(model) => Ok(model),
            _ => c.complain(c.root, "there is no model: the last answer was not sat"),
        }
    }

    pub(super) fn after_unsat(&self, c: &Command) -> Result<(), Complaint> {
        match self.state {
            State::Unsat => Ok(()),
            _ => c.complain(c.root, "there is no refutation: the last answer was not unsat"),
        }
    }

    fn value(&self, model: &Model, t: Term) -> String {
        match model.eval(&self.terms, t) {
            Value::Bool(b) => b.to_string(),
            Value::Num(q) => smt_number(&q, self.terms.sort(t)),
        }
    }

    pub(super) fn get_model(&mut self, c: &Command) -> Reply {
        let model = self.model(c)?;
        let mut out = String::from("(\n");
        for (name, t) in self.scope.constants() {
            let (sort, value) = (self.terms.sort(t), self.value(model, t));
            let _ = writeln!(out, "  (define-fun {} () {sort} {value})", smt_symbol(name));
        }
        out.push(')');
        Ok(Some(out))
    }

    pub(super) fn get_value(&mut self, c: &Command) -> Reply {
        let [list] = c.exactly("(get-value (terms…))")?;
        let model = self.model(c)?.clone();
        let Some(all) = c.arena.list(list).filter(|l| !l.is_empty()) else {
            return c.complain(list, "a list of terms was expected");
        };
        let mut pairs = Vec::new();
        for e in all {
            let t = self.reading(|session| session.reader(c.arena).term(*e))?;
            pairs.push(format!("({} {})", c.arena.source(*e, c.text), self.value(&model, t)));
        }
        Ok(Some(format!("({})", pairs.join(" "))))
    }

    pub(super) fn get_assignment(&mut self, c: &Command) -> Reply {
        let model = self.model(c)?;
        let pair = |(name, t): (&String, &Term)| format!("({} {})", smt_symbol(name), self.value(model, *t));
        let pairs: Vec<String> = self.scope.named.iter().map(pair).collect();
        Ok(Some(format!("({})", pairs.join(" "))))
    }

    pub(super) fn get_assertions(&self) -> String {
        let text = |t: &Term| self.terms.smt(*t).to_string();
        let all: Vec<String> = self
            .asserted
            .iter()
            .map(|a| match &a.name {
                None => text(&a.term),
                Some(name) => format!("(! {} :named {})", text(&a.term), smt_symbol(name)),
            })
            .collect();
        format!("({})", all.join("\n "))
    }

    pub(super) fn get_proof(&mut self, c: &Command) -> Reply {
        self.after_unsat(c)?;
        let all = self.all();
        let proof = self.explicit(c, &all)?;
        if self.is_alethe() {
            let text = self.alethe(&proof);
            return text.map(Some).or_else(|why| c.complain(c.root, why));
        }
        Ok(Some(format!("(\n{})", proof.text(&self.terms))))
    }

    /// The proof in the format Alethe, about the script's text.
    fn alethe(&mut self, proof: &Proof) -> Result<String, String> {
        let kept = self.written.iter().filter(|w| matches!(w, Written::Assertion(_))).count();
        if kept != self.asserted.len() {
            return Err("the option :proof-format has to be set before the first assertion".to_owned());
        }
        let numerals = numerals(self.logic.as_deref());
        let assumed: Vec<&str> = self.assumed.iter().map(|(_, text)| text.as_str()).collect();
        let original = original::read(&self.terms, &self.scope, numerals, &self.written, &assumed);
        original
            .and_then(|original| alethe::script(&mut self.terms, original, proof))
            .map_err(|NoRule(what)| format!("Alethe has no rule for a step of this proof: {what}"))
    }

    /// The refutation of the last check in the format Alethe; `None` unless the last answer was `unsat`, and nothing
    /// was asserted or withdrawn since.
    ///
    /// # Errors
    /// If the limits do not suffice, or the format has no rule for a step.
    pub fn alethe_proof(&mut self) -> Option<Result<String, String>> {
        let State::Unsat = self.state else { return None };
        let all = self.all();
        Some(match self.refutation(&all) {
            Ok(proof) => self.alethe(&proof),
            Err(why) => Err(format!("the refutation cannot be made explicit: {why}")),
        })
    }

    /// Indices into [`Session::all`] of a contradictory subset.
    fn core(&mut self, c: &Command) -> Result<Vec<usize>, Complaint> {
        let all = self.all();
        let core = self.explicit(c, &all)?.core();
        if !self.is_on(":minimal-unsat-cores") {
            return Ok(core);
        }
        // Deletion: assertions that are not needed are removed one after the other.
        let mut kept = core;
        let mut next = 0;
        while next < kept.len() {
            let mut solver = Solver::new(self.limits);
            for (k, i) in kept.iter().enumerate() {
                if k != next {
                    solver.assert(&mut self.terms, all[*i]);
                }
            }
            if solver.check(&mut self.terms, &[]).is_unsat() {
                kept.remove(next);
            } else {
                next += 1;
            }
        }
        Ok(kept)
    }

    pub(super) fn get_unsat_core(&mut self, c: &Command) -> Reply {
        self.after_unsat(c)?;
        let core = self.core(c)?;
        let name = |i: &usize| self.asserted.get(*i).and_then(|a| a.name.as_deref()).map(smt_symbol);
        let names: Vec<String> = core.iter().filter_map(name).collect();
        Ok(Some(format!("({})", names.join(" "))))
    }

    pub(super) fn get_unsat_assumptions(&mut self, c: &Command) -> Reply {
        self.after_unsat(c)?;
        let first = self.asserted.len();
        let core = self.core(c)?;
        let text = |i: &usize| i.checked_sub(first).map(|a| self.assumed[a].1.as_str());
        let all: Vec<&str> = core.iter().filter_map(text).collect();
        Ok(Some(format!("({})", all.join(" "))))
    }
}
