//! Properties of a system.
//!
//! A property is parsed from text in the syntax of the command line. [`Property::apply`] reduces it to reachability of
//! the error location, which is what engines decide. Edges and locations that it adds follow the system's own, so
//! traces need no translation.

#[cfg(test)]
mod tests;

use crate::ctl::Ctl;
use crate::diagnostic::{Diagnostic, Span, check_source, limits};
use crate::expr::{Expr, Kind, Tok, Type, VarId, check_as};
use crate::kit::Goal;
use crate::ltl::{AtomMeaning, stated};
use crate::net::NamedProperty;
use crate::net::condition::unfolded;
use crate::net::timed::{Semantics, Timed, UNTIMED};
use crate::system::clocks::AFTER_WAITING;
use crate::system::net::bounded;
use crate::system::{Edge, Formalism, Location, LocationId, Op, Role, System};
use crate::temporal::{Demand, Requirement, Termination};

/// The label of the edge to the error location from where executions of a chart cannot continue.
pub(crate) const CANNOT_CONTINUE: &str = "the execution cannot continue";

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    /// No run reaches the error location.
    ErrorUnreachable,
    /// The expression is true at every named location of every run.
    Invariant(Expr),
    /// The expression is true at some named location of some run.
    Reachable(Expr),
    /// No run deadlocks, except at final and error locations.
    DeadlockFree,
    /// Every infinite run satisfies a formula of temporal logic.
    Temporal(Box<Requirement>),
    /// The initial state satisfies a formula of branching time that is not one of reachability.
    Branching(Box<Ctl>),
}

/// Of a chart: an invariant, which is about the states in which it waits for the environment anyway.
const STABLE_INVARIANT: &str = "stable-invariant:";

/// Prefixes of properties that are not supported.
const OTHER: [(&str, &str); 3] = [
    ("invariant-file:", "'invariant-file:'"),
    (STABLE_INVARIANT, "'stable-invariant:'"),
    ("query:", "'query:'"),
];

/// The greatest number of comparisons of a property of a net without equivalences.
const COMPARISONS: u64 = 1_000_000;

impl Property {
    /// Why the model has no property of its own, and which properties are possible; none if it has one.
    #[must_use]
    pub fn no_property(system: &System) -> Option<String> {
        let diagnostics = Property::parse("", system).err()?;
        diagnostics.into_iter().map(|d| d.message).find(|message| message.starts_with(NO_PROPERTY))
    }

    /// Parses `error-location-unreachable` (for circuits `bad-unreachable`), `deadlock-free`, `embedded` or
    /// `embedded:NAME` for the property contained in the model, `E<> EXPR`, `invariant:EXPR`, a formula of temporal
    /// logic ([`Requirement::parse`]), `recurrent-location:L` or `recurrent:EXPR` (no run visits these states
    /// infinitely often), or a Boolean expression over the variables of `system`. The empty text is the model's default
    /// property.
    ///
    /// # Errors
    /// Errors in the text, and unsupported constructs; places are in `text`.
    pub fn parse(text: &str, system: &System) -> Result<Property, Vec<Diagnostic>> {
        // The intervals of a net were left out when it was read for this property.
        let is_untimed = system.net.as_ref().is_some_and(|net| !net.is_timed());
        let blank;
        let text = match is_untimed && text.trim_start().starts_with(UNTIMED) {
            true => {
                blank = text.replacen(UNTIMED, &" ".repeat(UNTIMED.len()), 1);
                &blank
            }
            false => text,
        };
        let property = Property::read(text, system)?;
        let whole = Span::new(0, text.len());
        property.supported(system).map_err(|message| vec![Diagnostic::unsupported(whole, message)])?;
        property.names_one_variable(system).map_err(|message| vec![Diagnostic::error(whole, message)])?;
        property.names_one_location(system).map_err(|message| vec![Diagnostic::error(whole, message)])?;
        Ok(property)
    }

    /// Is the property supported for the model, if it is a circuit or a net?
    fn supported(&self, system: &System) -> Result<(), &'static str> {
        let conditions = match self {
            Property::Invariant(e) | Property::Reachable(e) => vec![e],
            Property::Branching(formula) => formula.conditions(),
            _ => Vec::new(),
        };
        if system.net.is_some()
            && conditions.into_iter().map(unfolded).fold(0, u64::saturating_add) > COMPARISONS
        {
            return Err("the equivalences in this property are nested too deeply");
        }
        let Some(circuit) = &system.circuit else { return Ok(()) };
        if circuit.has_constraints && !self.excludes_dead_ends() {
            return Err(
                "for a circuit with constraints, a property is bad-unreachable or a temporal formula (without stuck=deadlock), as in G l0",
            );
        }
        if self.variables().iter().any(|v| v.index() >= circuit.latches) {
            return Err(
                "a property of a circuit can name latches; inputs and gates have values only during steps, not in states",
            );
        }
        match self {
            Property::Temporal(r)
                if matches!(r.semantics.termination, Termination::DeadEnd | Termination::Deadlock) =>
            {
                Err(
                    "stuck=dead-end and stuck=deadlock are not supported for circuits, whose bad outputs end a run",
                )
            }
            Property::Temporal(_) if circuit.has_fairness => {
                Err("temporal formulas are not supported for circuits with fairness constraints")
            }
            Property::ErrorUnreachable if circuit.asks_justice => {
                Err("justice properties of circuits are not supported")
            }
            _ => Ok(()),
        }
    }

    /// Does each of its variables have a unique name in the program?
    fn names_one_variable(&self, system: &System) -> Result<(), String> {
        let variables = self.variables();
        let mut ambiguous = system.lifetimes.iter().flat_map(|l| &l.ambiguous);
        ambiguous.find(|v| variables.contains(v)).map_or(Ok(()), |v| {
            let name = &system.variable(*v).name;
            Err(format!(
                "the program has several variables with the name '{name}'; a property can name one of them only if their names differ"
            ))
        })
    }

    /// Is it about the time or the clocks of a time net?
    pub(crate) fn is_timed(&self, system: &System) -> bool {
        matches!(self, Property::Invariant(e) | Property::Reachable(e) if system.is_about_time(e))
    }

    /// Does it ask whether a marking of a time net is reached within some time?
    pub(crate) fn is_within(&self, system: &System) -> bool {
        matches!(self, Property::Reachable(e) if system.within(e).is_some())
    }

    /// Does the property ignore states in which runs cannot continue? They include those that violate a constraint of a
    /// circuit.
    fn excludes_dead_ends(&self) -> bool {
        match self {
            Property::ErrorUnreachable => true,
            Property::Temporal(requirement) => requirement.semantics.termination != Termination::Deadlock,
            Property::Invariant(_) | Property::Reachable(_) => false,
            Property::DeadlockFree | Property::Branching(_) => false,
        }
    }

    /// Is each location of a program that it names the only one of its line?
    fn names_one_location(&self, system: &System) -> Result<(), String> {
        let (Property::Temporal(requirement), Some(_)) = (self, &system.lifetimes) else { return Ok(()) };
        for atom in &requirement.atoms {
            let AtomMeaning::At(l) = atom else { continue };
            let name = &system.location(*l).name;
            let second = format!("{name}_2");
            if system.find_location(&second).is_some() {
                return Err(format!(
                    "the program has several locations of this name ('{name}', '{second}'); @L can be used only for a line with one location"
                ));
            }
        }
        Ok(())
    }

    /// The variables of the property.
    fn variables(&self) -> Vec<VarId> {
        match self {
            Property::ErrorUnreachable | Property::DeadlockFree | Property::Branching(_) => Vec::new(),
            Property::Invariant(e) | Property::Reachable(e) => e.variables(),
            Property::Temporal(requirement) => {
                let atoms = requirement.atoms.iter().filter_map(|atom| match atom {
                    AtomMeaning::Condition(e) => Some(e.variables()),
                    _ => None,
                });
                atoms.flatten().collect()
            }
        }
    }

    fn read(text: &str, system: &System) -> Result<Property, Vec<Diagnostic>> {
        check_source(text)?;
        let whole = Span::new(0, text.len());
        let trimmed = text.trim();
        if let Some(embedded) = Property::embedded(trimmed, system) {
            return embedded.map_err(|message| vec![Diagnostic::error(whole, message)]);
        }
        if matches!(trimmed, "error-location-unreachable" | "bad-unreachable" | "unreach-call") {
            return Ok(Property::ErrorUnreachable);
        }
        if trimmed.is_empty() {
            return match system.error {
                Some(_) => Ok(Property::ErrorUnreachable),
                None => Err(vec![Diagnostic::error(whole, no_property(system))]),
            };
        }
        if trimmed == "deadlock-free" && system.find_variable(trimmed).is_none() {
            if let Some(read) = Property::of_time_net(system) {
                return read;
            }
            return match system.knows_deadlocks(&|l| system.inside_action(l)) {
                Ok(()) => Ok(Property::DeadlockFree),
                Err(why) => Err(vec![Diagnostic::unsupported(whole, format!("deadlock-free: {why}"))]),
            };
        }
        if let Some(bound) = trimmed.strip_suffix("-safe").and_then(|n| n.parse::<u64>().ok()) {
            let bound = u32::try_from(bound).unwrap_or(u32::MAX);
            return match &system.net {
                Some(net) => Ok(Property::Invariant(bounded(net, bound))),
                None => Err(vec![Diagnostic::unsupported(whole, format!("{trimmed} is for Petri nets"))]),
            };
        }
        let in_chart = |start: &str| system.chart.is_some() && start == STABLE_INVARIANT;
        for (start, what) in OTHER.into_iter().filter(|(start, _)| !in_chart(start)) {
            let named = system.find_variable(start).is_some();
            let meant = |rest: &str| {
                let longer = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                !start.ends_with(char::is_alphanumeric) || rest.starts_with(':') || !longer && !named
            };
            if trimmed.strip_prefix(start).is_some_and(meant) {
                let message = format!("{what} is not supported as a property");
                return Err(vec![Diagnostic::unsupported(whole, message)]);
            }
        }
        let other = ["ltl:", "ltl[", "never:", "invariant:", STABLE_INVARIANT, "recurrent", "E<>"];
        let other = other.iter().any(|prefix| trimmed.starts_with(prefix));
        if trimmed.starts_with("ctl:") || !other && Ctl::is_branching(text, system) {
            return Property::branching(text, system);
        }
        if !trimmed.starts_with("E<>")
            && let Some(temporal) = Property::temporal(text, system)
        {
            return temporal;
        }
        // Blanks in place of the prefix preserve spans.
        let blank;
        let prefix = ["invariant:", STABLE_INVARIANT].into_iter().find(|p| trimmed.starts_with(p));
        let formula = match prefix {
            Some(prefix) => {
                blank = text.replacen(prefix, &" ".repeat(prefix.len()), 1);
                &blank
            }
            None => text,
        };
        if let Some(rest) = formula.trim_start().strip_prefix("E<>") {
            let blanks = " ".repeat(formula.len() - rest.len());
            return of_states(&format!("{blanks}{rest}"), system).map(Property::Reachable);
        }
        of_states(formula, system).map(Property::Invariant)
    }

    /// That no run of a time net reaches a state in which no transition will ever fire; none for other models.
    #[inline(never)]
    fn of_time_net(system: &System) -> Option<Result<Property, Vec<Diagnostic>>> {
        let (net, clocks) = (system.net.as_deref()?, system.clocks.as_deref()?);
        let endless = match clocks.semantics {
            Semantics::Transitions => Vec::new(),
            Semantics::Places => Timed::of(net).map_or_else(|problems| problems, |timed| timed.without_end()),
        };
        // Their places are those in the text of the net.
        let of_property = |problem: Diagnostic| Diagnostic { span: Span::default(), ..problem };
        let endless: Vec<Diagnostic> = endless.into_iter().map(of_property).collect();
        Some(if endless.is_empty() { Ok(Property::DeadlockFree) } else { Err(endless) })
    }

    /// A formula of branching time. Formulas of reachability are properties of states.
    #[inline(never)]
    fn branching(text: &str, system: &System) -> Result<Property, Vec<Diagnostic>> {
        let formula = Ctl::parse(&text.replacen("ctl:", "    ", 1), system)?;
        if let Some(c) = formula.as_ef() {
            return Ok(Property::Reachable(c));
        }
        match formula.as_ag() {
            Some(c) => Ok(Property::Invariant(c)),
            None if system.clocks.is_some() => {
                let message = "formulas of branching time (CTL) other than those of reachability are not supported for time nets";
                Err(vec![Diagnostic::unsupported(Span::new(0, text.len()), message)])
            }
            None if system.net.is_some() => Ok(Property::Branching(Box::new(formula))),
            None => {
                let message = "formulas of branching time (CTL) other than those of reachability, such as AG c and EF c for a condition c, are supported for Petri nets only";
                Err(vec![Diagnostic::unsupported(Span::new(0, text.len()), message)])
            }
        }
    }

    /// A property that the text of the model states.
    #[inline(never)]
    fn of_text(stated: &NamedProperty, system: &System) -> Result<Property, String> {
        if stated.text.trim().starts_with("embedded") {
            return Err(format!("the property '{}' refers to a property", stated.name));
        }
        let read = Property::read(&stated.text, system);
        let what = if system.net.is_some() { "net" } else { "model" };
        read.map_err(|d| format!("the property '{}' of the {what}: {}", stated.name, d[0].message))
    }

    /// The property contained in the model, if this is requested: by its name, or the first one.
    fn embedded(text: &str, system: &System) -> Option<Result<Property, String>> {
        let first = || {
            let condition = system.embedded.as_ref().map(|(name, _)| name);
            condition.or(system.stated.first().map(|p| &p.name)).map(String::as_str)
        };
        let asked = match text.strip_prefix("embedded") {
            None if text.is_empty() => first()?,
            None => return None,
            Some("") if system.find_variable("embedded").is_some() => return None,
            Some("") => first().unwrap_or(""),
            Some(rest) => rest.strip_prefix(':')?.trim(),
        };
        if let Some((_, e)) = system.embedded.as_ref().filter(|(name, _)| name == asked) {
            return Some(Ok(Property::Invariant(e.clone())));
        }
        if let Some(stated) = system.stated.iter().find(|p| p.name == asked) {
            return Some(Property::of_text(stated, system));
        }
        Some(Err(match &system.embedded {
            _ if system.net.is_some() && asked.is_empty() => return None,
            _ if system.net.is_some() => format!("the net states no property '{asked}'"),
            Some((name, _)) => format!("the model contains the property '{name}', not '{asked}'"),
            None if system.stated.is_empty() => "the model contains no property".to_owned(),
            None => format!("the model contains no property '{asked}'"),
        }))
    }

    /// `ltl:…`, `ltl[…]:…`, `never:…`, `recurrent-location:L`, `recurrent:EXPR`, or a formula with a temporal operator.
    fn temporal(text: &str, system: &System) -> Option<Result<Property, Vec<Diagnostic>>> {
        let trimmed = text.trim_start();
        let spelled = ["ltl:", "ltl[", "never:"].iter().any(|p| trimmed.starts_with(p));
        let recurrent = ["recurrent-location:", "recurrent:"].into_iter().find(|p| trimmed.starts_with(p));
        let formula = match recurrent {
            // Blanks before the formula preserve spans; the formula is the negation of the recurrence.
            Some(prefix) => {
                let rest = &trimmed[prefix.len()..];
                let at_location = prefix.contains("location");
                let places = " ".repeat(text.len() - rest.len()) + rest;
                if !at_location && let Err(wrong) = condition(&places, system) {
                    return Some(Err(wrong));
                }
                let at = if at_location { format!("@\"{}\"", rest.trim()) } else { format!("({rest}\n)") };
                format!("F G !{at}")
            }
            None if spelled || crate::ltl::is_temporal(text, system) => text.to_owned(),
            None => return None,
        };
        let read = Requirement::parse(&formula, system);
        let read = read.and_then(|r| match &r.demand {
            Demand::Satisfy(f) if !spelled && !f.is_temporal() => {
                let whole = Span::new(0, text.len());
                Err(vec![Diagnostic::error(whole, format!("{AT_ONE_POSITION}: G ({trimmed})"))])
            }
            _ => Ok(r),
        });
        Some(read.map(|r| Property::Temporal(Box::new(r))))
    }

    /// The reason of a verdict: why the property holds (the error location of [`Property::apply`] is unreachable) or is
    /// violated. A location is mentioned only if the property is about one.
    #[must_use]
    pub fn reason(&self, system: &System, reached: bool) -> String {
        let text = match (self, system.formalism, reached) {
            (Property::ErrorUnreachable, Formalism::Automaton, false) => "the error location is unreachable",
            (Property::ErrorUnreachable, Formalism::Automaton, true) => {
                "a concrete run reaches the error location"
            }
            (Property::ErrorUnreachable, Formalism::Chart, false) => {
                "no queue overflows, and no variable leaves its range"
            }
            (Property::ErrorUnreachable, Formalism::Chart, true) => {
                "a queue overflows, or a variable leaves its range"
            }
            (Property::ErrorUnreachable | Property::Invariant(_), _, false) => {
                "the property is true in every reachable state"
            }
            (Property::ErrorUnreachable | Property::Invariant(_), _, true) => {
                "a concrete run reaches a state in which the property is false"
            }
            (Property::Temporal(asked), _, false) if asked.fairness.is_empty() => {
                "every infinite run satisfies the property"
            }
            (Property::Temporal(_), _, false) => "every fair infinite run satisfies the property",
            (Property::Temporal(_), _, true) => {
                "a run that repeats a cycle infinitely often violates the property"
            }
            (Property::DeadlockFree, _, false) => "no run reaches a deadlock",
            (Property::DeadlockFree, _, true) => "a concrete run reaches a deadlock",
            (Property::Branching(_), _, false) => "the initial marking satisfies the formula",
            (Property::Branching(_), _, true) => "the initial marking violates the formula",
            (Property::Reachable(_), _, false) => "no run reaches such a state",
            (Property::Reachable(_), _, true) => "a concrete run reaches such a state",
        };
        let reason = match self {
            Property::Temporal(requirement) => {
                let fault = system.fault.map_or(
                    "",
                    |_| "; runs in which a queue overflows or a variable leaves its range are ignored",
                );
                format!("{text}; {}{fault}", requirement.semantics_text(system))
            }
            Property::Invariant(e) | Property::Reachable(e) => format!("{text}{}", which_states(e, system)),
            _ => text.to_owned(),
        };
        match &system.clocks {
            Some(clocks) => format!("{reason}; {}", clocks.semantics.text()),
            None => reason,
        }
    }

    /// The final state of a run that reaches the error location of [`Property::apply`].
    #[must_use]
    pub fn goal(&self, system: &System) -> Goal {
        match self {
            Property::ErrorUnreachable if system.formalism == Formalism::Automaton => Goal::Error,
            Property::ErrorUnreachable | Property::Invariant(_) => Goal::Violation,
            Property::DeadlockFree => Goal::Deadlock,
            Property::Reachable(_) => Goal::Wanted,
            Property::Temporal(_) => Goal::Lasso,
            Property::Branching(_) => Goal::Violation,
        }
    }

    /// Does a run that reaches the error location witness the property?
    #[must_use]
    pub fn wants_run(&self) -> bool {
        matches!(self, Property::Reachable(_))
    }

    /// The text of the property.
    #[must_use]
    pub fn text(&self, system: &System) -> String {
        match self {
            Property::ErrorUnreachable => "error-location-unreachable".to_owned(),
            Property::Invariant(e) => system.expr_text(e),
            Property::Reachable(e) => format!("E<> {}", system.expr_text(e)),
            Property::DeadlockFree => "deadlock-free".to_owned(),
            Property::Temporal(requirement) => requirement.text(system),
            Property::Branching(formula) => format!("ctl:{}", formula.text(system)),
        }
    }

    /// The system whose error location is reachable if and only if the property is violated.
    ///
    /// For an invariant, the system's own error location becomes an ordinary one.
    #[must_use]
    pub fn apply(&self, mut system: System) -> System {
        let wrong: Vec<(LocationId, Expr)> = match self {
            Property::Temporal(_) | Property::Branching(_) => return system,
            Property::ErrorUnreachable if system.error.is_some() => return system,
            Property::ErrorUnreachable => Vec::new(),
            Property::Invariant(e) => meant(e, &system).map(|l| (l, e.clone().negated())).collect(),
            Property::Reachable(e) => meant(e, &system).map(|l| (l, e.clone())).collect(),
            Property::DeadlockFree if system.clocks.is_some() => system.stuck().into_iter().collect(),
            Property::DeadlockFree => {
                let inside = |l: LocationId| system.inside_action(l);
                let plain = |l: &LocationId| {
                    let ends = matches!(system.location(*l).role, Role::Final | Role::Error);
                    !inside(*l) && !ends && !system.precedes_runs(*l)
                };
                let stuck = |l: LocationId| {
                    let stuck =
                        system.deadlocks(l, &inside).expect("it was known when the property was read");
                    (l, stuck)
                };
                let never = |e: &Expr| e.kind == Kind::Bool(false);
                system.location_ids().filter(plain).map(stuck).filter(|(_, e)| !never(e)).collect()
            }
        };
        for l in &mut system.locations {
            if l.role == Role::Error {
                l.role = Role::Plain;
            }
        }
        let error = LocationId::new(system.locations.len());
        let mut name = "violated".to_owned();
        while system.find_location(&name).is_some() {
            name.push('_');
        }
        let span = Span::default();
        system.locations.push(Location { name, role: Role::Error, anonymous: false, span });
        for (source, condition) in wrong {
            let op = Op::Assume(condition);
            let label = system.op_text(&op);
            system.edges.push(Edge { source, target: error, op, label, span });
        }
        let second = system.second_tokens(error);
        system.edges.extend(second);
        if let Some(source) = system.fault {
            let label = CANNOT_CONTINUE.to_owned();
            system.edges.push(Edge { source, target: error, op: Op::Skip, label, span });
        }
        system.error = Some(error);
        system.index_edges();
        system
    }
}

/// The locations at which a formula is evaluated: named ones at which its variables exist and have values. A formula
/// about time is also evaluated when time has passed.
fn meant(e: &Expr, system: &System) -> impl Iterator<Item = LocationId> {
    let speaks = system.speaks_of(&e.variables());
    let waited = system.clocks.as_ref().filter(|_| system.is_about_time(e)).map(|_| AFTER_WAITING);
    let is_meant = move |l: &LocationId| !system.location(*l).anonymous || Some(*l) == waited;
    system.location_ids().filter(move |l| is_meant(l) && speaks[l.index()])
}

/// The states covered by a formula, if not all, or a note on uninitialised variables in initial states.
fn which_states(e: &Expr, system: &System) -> String {
    let variables = e.variables();
    let declared = system.lifetimes.is_some() || system.circuit.is_some();
    if system.formalism == Formalism::Automaton && !declared && !variables.is_empty() {
        return "; initial states are included, where a variable may have any value".to_owned();
    }
    let speaks = system.speaks_of(&variables);
    let plain = |l: &LocationId| *l != system.initial && Some(*l) != system.error;
    if system.location_ids().filter(plain).all(|l| speaks[l.index()]) {
        return String::new();
    }
    let names: Vec<&str> = variables.iter().map(|v| system.variable(*v).name.as_str()).collect();
    let have = if names.len() == 1 { "is in scope and initialised" } else { "are in scope and initialised" };
    format!("; it is checked in the states in which {} {have}", names.join(", "))
}

/// A formula about a location without a temporal operator would be about position 0 of the word only.
const AT_ONE_POSITION: &str = "@ can be used only inside a temporal formula; for every position write";

/// The start of the message that a model has no property.
pub const NO_PROPERTY: &str = "no property to check";

/// The message that a model has no property, with possible properties.
fn no_property(system: &System) -> String {
    let what = match system.formalism {
        Formalism::Automaton if system.lifetimes.is_some() => {
            "the program contains no assertion and no call of reach_error"
        }
        Formalism::Automaton => "the model has no error location",
        _ => "the model contains no property",
    };
    if system.formalism == Formalism::Net {
        return format!(
            "{NO_PROPERTY}: {what}; a property can be deadlock-free, 1-safe, a condition (p >= 1), or a formula (AG EF p = 1)"
        );
    }
    format!(
        "{NO_PROPERTY}: {what}; a property can be an invariant (x >= 0), a temporal formula (G F (x = 0)) or deadlock-free"
    )
}

/// A condition with the operators of the model's language, or with those of temporal formulas, which include all
/// spellings.
fn of_states(text: &str, system: &System) -> Result<Expr, Vec<Diagnostic>> {
    condition(text, system)
        .or_else(|wrong| stated(text, system).ok().and_then(|stated| stated.condition()).ok_or(wrong))
}

/// Parses a Boolean expression over the variables of `system`.
///
/// # Errors
/// Errors in the text, and unsupported constructs; places are in `text`.
pub fn condition(text: &str, system: &System) -> Result<Expr, Vec<Diagnostic>> {
    let mut p = system.parser(text);
    let ast = p.expression();
    if ast.is_ok() && p.tok() != Tok::End {
        p.unexpected("the end of the property");
    }
    let mut out = std::mem::take(&mut p.out);
    out.truncate(limits::DIAGNOSTICS);
    let Ok(ast) = ast else { return Err(out) };
    if !out.is_empty() {
        return Err(out);
    }
    if let Some(refused) = system.refused_quotient(&ast) {
        return Err(vec![refused]);
    }
    let Some(expr) = check_as(&ast, &Type::Bool, system, &mut out) else { return Err(out) };
    system.without_arrays(&expr).map_err(|d| vec![d])
}
