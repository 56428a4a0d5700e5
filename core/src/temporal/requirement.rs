//! Requirements on the runs of a system, and the word of a run.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use crate::buchi::{self, Automaton, StateId, TooLarge, hoa};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Expr, Kind};
use crate::ltl::{AtomMeaning, Formula, Letter, Stated, stated};
use crate::system::{EdgeId, Formalism, LocationId, Role, State, System, VarId};
use crate::temporal::{Fairness, Strength};

/// A step of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A statement of a program; an action (`env` or `trans`) of an extended transition system.
    Fine,
    /// A whole edge of an automaton; `env` and `trans` together.
    Coarse,
}

/// The start of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// At the initial state.
    Initial,
    /// At the state after the first action, as in Theta's product.
    AfterFirstAction,
}

/// Which finite runs count as infinite, by repeating their last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// None: finite runs satisfy every formula.
    Never,
    /// Runs that have reached a final location.
    Final,
    /// Runs at a location without outgoing edges. (Runs at a location whose edges are all disabled are ignored.)
    DeadEnd,
    /// Runs in a state in which no edge is enabled.
    Deadlock,
}

/// How the word of a run is defined. Verdicts depend on it, so it is reported with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WordSemantics {
    /// The steps of the word.
    pub step: Step,
    /// The place of position 0.
    pub start: Start,
    /// The treatment of finite runs.
    pub termination: Termination,
}

/// The defaults, which follow Theta's formats.
impl Default for WordSemantics {
    fn default() -> WordSemantics {
        WordSemantics { step: Step::Fine, start: Start::AfterFirstAction, termination: Termination::Final }
    }
}

impl WordSemantics {
    /// Sets `step`, `start` or `stuck`.
    ///
    /// # Errors
    /// An invalid name or value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match (name, value) {
            ("step", "half" | "statement" | "fine") => self.step = Step::Fine,
            ("step", "full" | "edge" | "coarse") => self.step = Step::Coarse,
            ("start", "initial") => self.start = Start::Initial,
            ("start", "after-first-action") => self.start = Start::AfterFirstAction,
            ("stuck", "never") => self.termination = Termination::Never,
            ("stuck", "final") => self.termination = Termination::Final,
            ("stuck", "dead-end") => self.termination = Termination::DeadEnd,
            ("stuck", "deadlock") => self.termination = Termination::Deadlock,
            ("step", _) => return Err(format!("step: '{value}' is none of half, full, statement, edge")),
            ("start", _) => return Err(format!("start: '{value}' is none of initial, after-first-action")),
            ("stuck", _) => {
                return Err(format!("stuck: '{value}' is none of never, final, dead-end, deadlock"));
            }
            _ => return Err(format!("'{name}' is none of step, start, stuck, weak, strong")),
        }
        Ok(())
    }

    /// Does the word have a new position on entry to this location?
    #[must_use]
    pub fn is_position(self, system: &System, location: LocationId) -> bool {
        let named = !system.location(location).anonymous;
        match (system.formalism, system.actions) {
            // Before the reset a circuit has no state.
            (Formalism::Automaton, _) if system.circuit.is_some() && location == system.initial => false,
            (Formalism::Automaton, _) => self.step == Step::Fine || named,
            (_, Some(actions)) if location == actions.init => self.start == Start::Initial,
            (_, Some(actions)) if location == actions.trans => self.step == Step::Fine,
            (_, _) => named,
        }
    }

    /// Can a position of the word be at this location?
    fn can_be_at(self, system: &System, location: LocationId) -> bool {
        let passed = if location == system.initial { self.starts_at_once(system) } else { false };
        let entered = system.edges.iter().any(|e| e.target == location);
        passed || entered && self.is_position(system, location) || self.stays(system, location).is_some()
    }

    /// Is position 0 before the first edge?
    #[must_use]
    pub fn starts_at_once(self, system: &System) -> bool {
        self.start == Start::Initial && self.is_position(system, system.initial)
    }

    /// Is this location inside of an atomic step, whose partial executions are discarded?
    pub(crate) fn passes(self, system: &System, location: LocationId) -> bool {
        let first = location == system.initial || system.actions.is_some_and(|a| location == a.init);
        !first && !self.is_position(system, location)
    }

    /// Are the deadlocks known?
    ///
    /// # Errors
    /// The reason why not.
    fn stays_are_known(self, system: &System) -> Result<(), String> {
        let passes = |l: LocationId| self.passes(system, l);
        match self.termination {
            Termination::Never | Termination::DeadEnd => Ok(()),
            Termination::Deadlock => system.knows_deadlocks(&passes),
            Termination::Final => {
                let ends = |l: &LocationId| system.location(*l).role == Role::Final;
                let mut open = system.location_ids().filter(|l| ends(l) && !system.out_edges(*l).is_empty());
                open.try_for_each(|l| system.deadlocks(l, &passes).map(|_| ()))
            }
        }
    }

    /// The states of this location that a run repeats for ever; none if there are none.
    #[must_use]
    pub fn stays(self, system: &System, location: LocationId) -> Option<Expr> {
        let edges = system.out_edges(location);
        let (ends, last) = (edges.is_empty(), system.location(location).role == Role::Final);
        match self.termination {
            _ if system.precedes_runs(location) => None,
            Termination::Never => None,
            Termination::Final if !last => None,
            Termination::Final | Termination::DeadEnd if ends => Some(Expr::bool(true)),
            Termination::DeadEnd => None,
            Termination::Deadlock if self.passes(system, location) => None,
            Termination::Final | Termination::Deadlock => {
                let stuck = system.deadlocks(location, &|l| self.passes(system, l));
                let stuck = stuck.expect("it was known when the property was read");
                (stuck.kind != Kind::Bool(false)).then_some(stuck)
            }
        }
    }

    /// A description for users: steps, position 0, finite runs.
    #[must_use]
    pub fn text(self, system: &System) -> String {
        let circuit = system.circuit.is_some();
        let step = match (system.formalism, self.step) {
            _ if circuit => "a step is one clock cycle",
            (Formalism::Net, _) => "a step is one firing",
            (Formalism::Commands, _) => "a step is one command",
            (Formalism::Chart, _) => "a step is the reaction to one event of the environment",
            (Formalism::Extended, Step::Fine) => "a step is one action, env or trans",
            (Formalism::Extended, Step::Coarse) => "a step is env and trans together",
            (Formalism::Automaton, Step::Fine) => "a step is one statement",
            (Formalism::Automaton, Step::Coarse) => "a step is one edge",
            _ => "a step is one transition",
        };
        let start = match (system.formalism, self.start) {
            _ if circuit => "position 0 is the state after the reset",
            (Formalism::Net, _) => "position 0 is the initial marking",
            (Formalism::Symbolic | Formalism::Commands | Formalism::Chart, _) | (_, Start::Initial) => {
                "position 0 is the initial state"
            }
            (Formalism::Extended, _) => "position 0 is the state after init",
            _ => "position 0 is the state after the first step",
        };
        let stuck = match self.termination {
            Termination::Final | Termination::DeadEnd
                if circuit || system.formalism != Formalism::Automaton =>
            {
                "finite runs are ignored"
            }
            Termination::Never => "finite runs are ignored",
            Termination::Final => {
                "a run that ends at a final location repeats its last state, other finite runs are ignored"
            }
            Termination::DeadEnd => {
                "a run at a location without edges repeats its last state, other finite runs are ignored"
            }
            Termination::Deadlock => "a finite run repeats its last state",
        };
        format!("{step}; {start}; {stuck}")
    }
}

/// The text in the brackets: `step=half, start=initial`; only what differs from the defaults.
impl fmt::Display for WordSemantics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.step == Step::Coarse {
            parts.push("step=full");
        }
        if self.start == Start::Initial {
            parts.push("start=initial");
        }
        match self.termination {
            Termination::Never => parts.push("stuck=never"),
            Termination::Final => {}
            Termination::DeadEnd => parts.push("stuck=dead-end"),
            Termination::Deadlock => parts.push("stuck=deadlock"),
        }
        f.write_str(&parts.join(","))
    }
}

/// The specification of runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Demand {
    /// All of them satisfy this formula.
    Satisfy(Formula),
    /// This automaton, over the atoms of the requirement, accepts none of them.
    Never(Box<Automaton>),
}

/// A requirement on every fair run.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// The specification.
    pub demand: Demand,
    /// The meaning of the atoms.
    pub atoms: Vec<AtomMeaning>,
    /// The definition of words.
    pub semantics: WordSemantics,
    /// The fairness assumptions,
    pub fairness: Vec<Fairness>,
    /// and their formula.
    pub assumed: Formula,
    /// By location, where variables have limited lifetimes: do all variables of the formula exist there and have
    /// values? Only such states are positions of the word.
    pub meant: Option<Vec<bool>>,
    /// The variables of the formula as text, if the formula does not cover all states.
    pub(crate) partial: Option<String>,
}

/// The contents of the brackets of `ltl[…]:`.
#[derive(Default)]
struct Choices {
    semantics: WordSemantics,
    fairness: Vec<Fairness>,
    /// Which of `step`, `start` and `stuck` are set explicitly.
    given: Vec<String>,
}

impl Choices {
    fn read(text: &str) -> Result<Choices, String> {
        let mut choices = Choices::default();
        for option in text.split(',').filter(|o| !o.trim().is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let strength = match name.trim() {
                "weak" => Strength::Weak,
                "strong" => Strength::Strong,
                name => {
                    choices.semantics.set(name, value.trim())?;
                    if choices.given.iter().any(|given| given == name) {
                        return Err(format!("'{name}' is given twice"));
                    }
                    choices.given.push(name.to_owned());
                    continue;
                }
            };
            choices.fairness.push(Fairness { strength, name: value.trim().to_owned() });
        }
        Ok(choices)
    }
}

impl Requirement {
    /// Parses `FORMULA`, `ltl:FORMULA`, `ltl[step=half,start=initial,weak=A->B]:FORMULA`; instead of a formula,
    /// `never:` and an automaton (in the Hanoi omega-automata format, or a never claim of SPIN) that must accept no
    /// run.
    ///
    /// # Errors
    /// Errors in the text; places are in `text`.
    pub fn parse(text: &str, system: &System) -> Result<Requirement, Vec<Diagnostic>> {
        let mut choices = Choices::default();
        let start = text.len() - text.trim_start().len();
        let mut prefix = 0;
        if let Some(rest) = text[start..].strip_prefix("ltl:") {
            prefix = text.len() - rest.len();
        } else if let Some(rest) = text[start..].strip_prefix("ltl[") {
            let Some((options, formula)) = rest.split_once("]:") else {
                let message = "expected 'ltl[…]:' and then a formula";
                return Err(vec![Diagnostic::error(Span::new(start, text.len()), message)]);
            };
            prefix = text.len() - formula.len();
            let wrong = |why| vec![Diagnostic::error(Span::new(start, prefix), why)];
            choices = Choices::read(options).map_err(wrong)?;
            let initial = system.begins_with_states() || system.circuit.is_some();
            let after = choices.semantics.start == Start::AfterFirstAction;
            if initial && after && choices.given.iter().any(|given| given == "start") {
                let why = "start=after-first-action is not supported here: words of transition systems, circuits and nets begin with the initial state";
                return Err(vec![Diagnostic::unsupported(Span::new(start, prefix), why)]);
            }
        }
        choices.semantics.stays_are_known(system).map_err(|why| {
            let message = format!("the deadlocks are not known: {why}");
            vec![Diagnostic::unsupported(Span::new(start, prefix), message)]
        })?;
        let (mut demand, mut atoms) = match text[prefix..].trim_start().strip_prefix(NEVER) {
            Some(automaton) => never(text, text.len() - automaton.len(), system)?,
            None => {
                // Blanks in place of the prefix preserve spans.
                let Stated { formula, atoms } = stated(&(" ".repeat(prefix) + &text[prefix..]), system)?;
                (Demand::Satisfy(formula), atoms)
            }
        };
        let (mut assumed, mut count, stated) = (Vec::new(), 0, atoms.len());
        for fairness in &choices.fairness {
            let place = Span::new(start, prefix);
            assumed.push(fairness.formula(system, &mut atoms, &mut count, place).map_err(|d| vec![d])?);
        }
        let mut variables = BTreeSet::new();
        for atom in &atoms {
            if let AtomMeaning::Condition(e) = atom {
                variables.extend(e.variables());
            }
        }
        let variables: Vec<VarId> = variables.into_iter().collect();
        let meant = system.lifetimes.as_ref().map(|_| system.speaks_of(&variables));
        if let Some(at) = meant.as_ref().and_then(|meant| changes_unseen(system, meant, &variables)) {
            let message = format!(
                "at {at} a variable of the formula is assigned while another one is out of scope or uninitialised; that is supported in invariants only"
            );
            return Err(vec![Diagnostic::unsupported(Span::new(start, text.len()), message)]);
        }
        let place = |l: LocationId| {
            meant.as_ref().is_none_or(|meant| meant[l.index()]) && choices.semantics.can_be_at(system, l)
        };
        if let Some(blind) = atoms.iter().position(|a| !a.can_be_seen(system, &place)) {
            let what = atoms[blind].text(system);
            return Err(vec![never_true(&what, (blind >= stated).then_some(prefix), (start, text.len()))]);
        }
        if let Demand::Never(automaton) = &mut demand {
            let names: Vec<String> = atoms.iter().map(|a| a.text(system)).collect();
            **automaton = automaton.over(&names).expect("its atoms are among these");
        }
        let assumed = assumed.into_iter().reduce(Formula::and).unwrap_or(Formula::Constant(true));
        let Choices { semantics, fairness, .. } = choices;
        let partial = meant.as_ref().and_then(|meant| partial(system, meant, &variables));
        Ok(Requirement { demand, atoms, semantics, fairness, assumed, meant, partial })
    }

    fn is_meant(&self, location: LocationId) -> bool {
        self.meant.as_ref().is_none_or(|meant| meant[location.index()])
    }

    /// Does the word have a new position on entry to this location?
    #[must_use]
    pub fn is_position(&self, system: &System, location: LocationId) -> bool {
        self.is_meant(location) && self.semantics.is_position(system, location)
    }

    /// The states of a location that a run repeats for ever, where the automaton is in this state; none if there are
    /// none. A run that ends before the first letter has no word.
    #[must_use]
    pub fn stays(
        &self,
        system: &System,
        location: LocationId,
        automaton: &Automaton,
        state: StateId,
    ) -> Option<Expr> {
        let unread = state == automaton.initial && !automaton.returns();
        if self.meant.is_some() && unread { None } else { self.semantics.stays(system, location) }
    }

    /// Is position 0 before the first edge?
    #[must_use]
    pub fn starts_at_once(&self, system: &System) -> bool {
        self.is_meant(system.initial) && self.semantics.starts_at_once(system)
    }

    /// The text, which [`Requirement::parse`] accepts.
    #[must_use]
    pub fn text(&self, system: &System) -> String {
        let mut choices: Vec<String> =
            Some(self.semantics.to_string()).filter(|r| !r.is_empty()).into_iter().collect();
        choices.extend(self.fairness.iter().map(Fairness::to_string));
        let demand = match &self.demand {
            Demand::Satisfy(formula) => formula.text(&|p| self.atoms[p.index()].text(system)),
            Demand::Never(automaton) => {
                let text = hoa::print(automaton, "");
                format!("{NEVER}{}", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
        };
        if choices.is_empty() { demand } else { format!("ltl[{}]:{demand}", choices.join(",")) }
    }

    /// The texts of the atoms.
    #[must_use]
    pub fn names(&self, system: &System) -> Vec<String> {
        self.atoms.iter().map(|a| a.text(system)).collect()
    }

    /// The formula for all runs, with fairness assumptions; none if the requirement is an automaton.
    #[must_use]
    pub fn formula(&self) -> Option<Formula> {
        match (&self.demand, &self.assumed) {
            (Demand::Satisfy(formula), Formula::Constant(true)) => Some(formula.clone()),
            (Demand::Satisfy(formula), assumed) => {
                Some(Formula::Implies(Box::new([assumed.clone(), formula.clone()])))
            }
            (Demand::Never(_), _) => None,
        }
    }

    /// The Büchi automaton of the negated requirement, with acceptance by states.
    ///
    /// # Errors
    /// If it is too large.
    pub fn forbidden(&self, system: &System) -> Result<Automaton, TooLarge> {
        let automaton = self.translated(system)?;
        Ok(if self.meant.is_some() { automaton.never_returning() } else { automaton })
    }

    fn translated(&self, system: &System) -> Result<Automaton, TooLarge> {
        let names = self.names(system);
        let Demand::Never(automaton) = &self.demand else {
            let formula = self.formula().expect("a formula is demanded");
            return buchi::of_formula(&formula.negated(), &names);
        };
        let fair = buchi::generalized(&self.assumed, &names)?;
        let both = automaton.intersection(&fair, STATES).ok_or(TooLarge::States)?;
        Ok(both.reduced().degeneralized().reduced())
    }

    /// The definition of words and the fairness assumptions, as text.
    #[must_use]
    pub fn semantics_text(&self, system: &System) -> String {
        let mut text = self.semantics.text(system);
        if let Some(names) = &self.partial {
            let _ = write!(text, "; positions are the states in which {names} in scope and initialised");
        }
        for fairness in &self.fairness {
            let (how, when) = match fairness.strength {
                Strength::Weak => ("weakly", "can be taken from some time on"),
                Strength::Strong => ("strongly", "can be taken infinitely often"),
            };
            let what = match fairness.name.as_str() {
                "all" => "every edge with alternatives".to_owned(),
                name => name.to_owned(),
            };
            let _ = write!(text, "; runs are {how} fair to {what}: what {when} is taken infinitely often");
        }
        text
    }

    /// The atoms that are true in a state at a location, after a step over an edge. An atom whose expression is
    /// undefined is false.
    #[must_use]
    pub fn letter(&self, edge: Option<EdgeId>, location: LocationId, state: &State) -> Letter {
        let holds = |atom: &AtomMeaning| match atom {
            AtomMeaning::Condition(e) => e.eval(&|v| state[v.index()].clone()).is_ok_and(|x| x.bool()),
            _ => atom.known(edge, location).expect("it is not about values"),
        };
        self.atoms.iter().map(holds).collect()
    }
}

/// The prefix of a property that is an automaton.
const NEVER: &str = "never:";
/// The limit on states of products of automata.
const STATES: usize = 20_000;

/// An automaton that must accept no run, from this offset of the text on. Its atoms are conditions.
fn never(text: &str, from: usize, system: &System) -> Result<(Demand, Vec<AtomMeaning>), Vec<Diagnostic>> {
    // Blanks preserve spans.
    let blank: String = text[..from].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
    let blank = blank + &" ".repeat(from - text[..from].chars().count());
    let mut automaton = buchi::read(&format!("{blank}{}", &text[from..]))?;
    let mut atoms: Vec<AtomMeaning> = Vec::new();
    for name in &mut automaton.atoms {
        let wrong = |why: String| vec![Diagnostic::error(Span::new(from, text.len()), why)];
        let of = stated(name, system).map_err(|d| wrong(format!("the atom '{name}': {}", d[0].message)))?;
        let meaning = match of.formula {
            Formula::Atom(p) => of.atoms[p.index()].clone(),
            Formula::Constant(b) => AtomMeaning::Condition(Expr::bool(b)),
            _ => return Err(wrong(format!("the atom '{name}' depends on more than one state"))),
        };
        *name = meaning.text(system);
        if !atoms.contains(&meaning) {
            atoms.push(meaning);
        }
    }
    Ok((Demand::Never(Box::new(automaton)), atoms))
}

/// Where a variable of a formula changes after a position of the word, in a state that is not a position: a run that
/// ends there would repeat a value other than that of the last position.
fn changes_unseen<'a>(system: &'a System, meant: &[bool], variables: &[VarId]) -> Option<&'a str> {
    let mut open: Vec<LocationId> = system.location_ids().filter(|l| meant[l.index()]).collect();
    let mut seen: BTreeSet<LocationId> = open.iter().copied().collect();
    while let Some(l) = open.pop() {
        for edge in system.out_edges(l).iter().map(|e| system.edge(*e)) {
            let changes = edge.op.written().iter().any(|v| variables.contains(v));
            if changes && !meant[edge.target.index()] {
                return Some(&system.location(edge.target).name);
            }
            if seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    None
}

/// Reports an atom of the formula, or of the fairness assumptions, that is true at no position of any word.
fn never_true(atom: &str, fairness: Option<usize>, (start, end): (usize, usize)) -> Diagnostic {
    let never = "never true at a position of the word; try another";
    match fairness {
        Some(prefix) => {
            let message = format!("fairness depends on '{atom}', which is {never} step=, start= or edge");
            Diagnostic::unsupported(Span::new(start, prefix), message)
        }
        None => Diagnostic::error(Span::new(start, end), format!("'{atom}' is {never} step= or start=")),
    }
}

/// The variables, if they do not exist or have no values in some states.
fn partial(system: &System, meant: &[bool], variables: &[VarId]) -> Option<String> {
    let plain = |l: &LocationId| *l != system.initial && Some(*l) != system.error;
    if system.location_ids().filter(plain).all(|l| meant[l.index()]) {
        return None;
    }
    let mut names: Vec<&str> = variables.iter().map(|v| system.variable(*v).name.as_str()).collect();
    names.sort_unstable();
    Some(format!("{} {}", names.join(", "), if names.len() == 1 { "is" } else { "are" }))
}
