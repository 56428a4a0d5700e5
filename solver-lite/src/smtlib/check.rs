//! The assertion stack and the checks.

use std::fmt::{self, Write as _};

use crate::certify::certify;
use crate::inside::inside;
use crate::proof::Proof;
use crate::search::Incomplete;
use crate::smtlib::lexer::Complaint;
use crate::smtlib::original::Written;
use crate::smtlib::sexpr::Id;
use crate::smtlib::{Asserted, Command, Frame, Reason, Reply, Session, State};
use crate::smtlib::{Kind, scope::Scope, sexpr::Expr};
use crate::solver::{Answer, Solver};
use crate::term::Term;

/// Limit of printed steps of a query.
const STEPS: usize = 10_000;
/// Limit of their text in bytes.
const STEPS_TEXT: usize = 8 << 20;

/// Frames a script may open.
const FRAMES: usize = 1_000_000;

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Limit(why) => why.fmt(f),
            Reason::Lost => f.write_str("incomplete: an earlier command was rejected"),
        }
    }
}

impl Session {
    pub(super) fn assert(&mut self, c: &Command) -> Reply {
        let read = c.exactly("(assert term)").and_then(|[e]| {
            let t = self.reading(|session| session.reader(c.arena).formula(e))?;
            Ok((e, t))
        });
        let (e, term) = read.inspect_err(|_| self.lost = true)?;
        self.state = State::Open;
        self.asserted.push(Asserted { term, name: name_of(c, e) });
        if self.is_alethe() {
            self.written.push(Written::Assertion(c.arena.source(e, c.text).to_owned()));
        }
        self.solver.assert(&mut self.terms, term);
        Ok(None)
    }

    fn count(c: &Command) -> Result<usize, Complaint> {
        match c.arguments {
            [] => Ok(1),
            [n] => c
                .arena
                .source(*n, c.text)
                .parse()
                .ok()
                .filter(|n| *n <= FRAMES)
                .map_or_else(|| c.complain(*n, format!("a number up to {FRAMES} was expected")), Ok),
            _ => c.complain(c.root, "at most one number was expected"),
        }
    }

    pub(super) fn push(&mut self, c: &Command) -> Reply {
        let count = Session::count(c)?;
        if self.frames.len() + count > FRAMES {
            return c.complain(c.root, format!("at most {FRAMES} frames may be open"));
        }
        for _ in 0..count {
            let (asserted, scope) = (self.asserted.len(), self.scope.mark());
            self.frames.push(Frame { asserted, scope, written: self.written.len(), lost: self.lost });
            self.solver.push();
        }
        self.state = State::Open;
        Ok(None)
    }

    pub(super) fn pop(&mut self, c: &Command) -> Reply {
        let count = Session::count(c)?;
        if count > self.frames.len() {
            return c.complain(c.root, format!("{} frames are open", self.frames.len()));
        }
        for _ in 0..count {
            let frame = self.frames.pop().expect("counted");
            self.asserted.truncate(frame.asserted);
            self.scope.undo(frame.scope);
            self.unwrite(frame.written);
            self.lost = frame.lost;
            self.solver.pop();
        }
        self.state = State::Open;
        Ok(None)
    }

    /// Forgets the text written since; definitions are kept if declarations are global.
    fn unwrite(&mut self, mark: usize) {
        let since = self.written.split_off(mark);
        let stays = |w: &Written| self.scope.global && matches!(w, Written::Definition(_));
        self.written.extend(since.into_iter().filter(stays));
    }

    pub(super) fn reset_assertions(&mut self) {
        self.solver = Solver::new(self.limits);
        self.asserted.clear();
        self.unwrite(0);
        self.assumed.clear();
        self.frames.clear();
        self.lost = false;
        self.state = State::Open;
        if !self.scope.global {
            self.scope = Scope::default();
        }
    }

    pub(super) fn check(&mut self, c: &Command, assumptions: &[Id]) -> Reply {
        let mut assumed = Vec::new();
        for e in assumptions {
            let t = self.reading(|session| session.reader(c.arena).formula(*e))?;
            assumed.push((t, c.arena.source(*e, c.text).to_owned()));
        }
        let terms: Vec<Term> = assumed.iter().map(|(t, _)| *t).collect();
        self.assumed = assumed;
        let asking = [":produce-proofs", ":produce-unsat-cores", ":produce-interpolants", ":check-proofs"];
        self.solver.expect_proofs(self.is_alethe() || asking.iter().any(|option| self.is_on(option)));
        let (state, answer) = match self.solver.check(&mut self.terms, &terms) {
            Answer::Unsat => (State::Unsat, "unsat"),
            Answer::Sat(_) if self.lost => (State::Unknown(Reason::Lost), "unknown"),
            Answer::Sat(model) => (State::Sat(model), "sat"),
            Answer::Unknown(why) => (State::Unknown(Reason::Limit(why)), "unknown"),
        };
        self.state = state;
        self.checks += 1;
        let steps = if self.is_on(":steps") { self.steps() } else { String::new() };
        if matches!(self.state, State::Unsat) && self.is_on(":check-proofs") {
            let all = self.all();
            return match self.refutation(&all) {
                Ok(proof) => {
                    let size = proof.steps.len();
                    Ok(Some(format!("unsat\n; a refutation of {size} steps was accepted{steps}")))
                }
                Err(why) => {
                    self.state = State::Unknown(Reason::Limit(why));
                    Ok(Some("unknown".to_owned()))
                }
            };
        }
        Ok(Some(format!("{answer}{steps}")))
    }

    /// As comments: the steps of the online search for the answer.
    fn steps(&mut self) -> String {
        let all = self.all();
        let mut text = String::new();
        for (i, moment) in inside(&mut self.terms, &all, self.limits, STEPS).moments.iter().enumerate() {
            if text.len() > STEPS_TEXT {
                text.push_str("\n; …");
                break;
            }
            let _ = write!(text, "\n; {} {}", i + 1, moment.step.text(&self.terms));
        }
        text
    }

    /// The assertions, then the assumptions, of the last check.
    pub(super) fn all(&self) -> Vec<Term> {
        self.asserted.iter().map(|a| a.term).chain(self.assumed.iter().map(|(t, _)| *t)).collect()
    }

    /// After `unsat`: an accepted refutation of [`Session::all`], in any order.
    pub(super) fn refutation(&mut self, all: &[Term]) -> Result<Proof, Incomplete> {
        let proof = self.solver.refutation(&mut self.terms, all)?;
        certify(&self.terms, all, &proof).expect("the solver's refutations are accepted");
        Ok(proof)
    }

    /// The same for a command, which complains if the limits do not suffice.
    pub(super) fn explicit(&mut self, c: &Command, all: &[Term]) -> Result<Proof, Complaint> {
        let proof = self.refutation(all);
        proof.or_else(|why| c.complain(c.root, format!("the refutation cannot be made explicit: {why}")))
    }
}

/// `n` of an assertion `(! term … :named n)`.
fn name_of(c: &Command, e: Id) -> Option<String> {
    let [bang, _, attributes @ ..] = c.arena.list(e)? else { return None };
    if c.arena.get(*bang) != Expr::Atom(Kind::Symbol, "!") {
        return None;
    }
    let at = attributes.iter().position(|a| c.arena.get(*a) == Expr::Atom(Kind::Keyword, ":named"))?;
    Some(c.arena.symbol(*attributes.get(at + 1)?)?.to_owned())
}
