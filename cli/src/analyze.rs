//! `veristep analyze`: facts of a model, without a property.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use veristep_core::chart::facts::Facts as ChartFacts;
use veristep_core::chart::{Chart, StateId, TransitionId as ChartTransition};
use veristep_core::diagnostic::Diagnostic;
use veristep_core::net::coverability::{Count, NoTree, Tree};
use veristep_core::net::facts::{Behaviour, Counted, Limits as NetLimits, Liveness, Structure};
use veristep_core::net::invariants::{Invariant, sum};
use veristep_core::net::siphons::Places;
use veristep_core::net::timed::classes::{Facts, NoFacts, Stopped};
use veristep_core::net::timed::{Clocks, Semantics};
use veristep_core::net::{Net, TransitionId};
use veristep_core::run;
use veristep_core::system::{Formalism, System};
use veristep_core::text::count;

use crate::input::{self, BadInput, Language};
use crate::printed::Format;
use crate::watch::Limits;
use crate::{HOLDS, complain};

/// Arguments of `analyze`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    model: PathBuf,
    /// Limit of reachable markings that are enumerated
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    limit: usize,
    /// Analyze a time net with its intervals, which is the default; a net without intervals is an error then
    #[arg(long)]
    timed: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    language: Language,
    #[command(flatten)]
    limits: Limits,
}

/// Prints the facts.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let known: Known = Arc::default();
    let (so_far, format) = (Arc::clone(&known), arguments.format);
    let watched = arguments.limits.watch(Duration::ZERO, move |reason| {
        if let Some(facts) = so_far.lock().ok().and_then(|mut facts| facts.take()) {
            facts.print(format);
        }
        complain(&format!("unknown: {reason}"));
    })?;
    let text = input::read(&arguments.model)?;
    let wrong = |d: Vec<Diagnostic>| input::render(&arguments.model.display().to_string(), &text, &d);
    match run::net(kind, &text).map_err(wrong)? {
        Some(net) => {
            if arguments.timed && !net.is_timed() {
                return crate::input::bad("error: --timed is for nets with intervals of time");
            }
            let clocks = Clocks::of(&net).map_err(wrong)?;
            let mut facts = NetFacts::of((net, clocks), arguments.limit, &known);
            facts.is_complete = true;
            // From now on these are the facts that are printed.
            drop(watched);
            facts.print(format);
        }
        None => {
            let system = run::load_for(kind, &text, None).map_err(wrong)?;
            if let Some(reading) = &system.chart {
                print_chart(&reading.chart, arguments.limit, arguments.format);
                return Ok(HOLDS);
            }
            let sizes = sizes(&system);
            match arguments.format {
                Format::Json => say!("{sizes}"),
                Format::Text => {
                    say!("{}", system.name);
                    let fields = sizes.as_object().into_iter().flatten();
                    fields.filter(|(_, n)| n.is_number()).for_each(|(name, n)| say!("  {name}: {n}"));
                }
            }
        }
    }
    Ok(HOLDS)
}

/// The facts of a net so far, which are printed when a limit is reached.
type Known = Arc<Mutex<Option<NetFacts>>>;

/// The facts of a net.
#[derive(Clone)]
struct NetFacts {
    net: Arc<Net>,
    structure: Structure,
    /// From a decision diagram, for nets that place invariants bound.
    counted: Option<Counted>,
    /// Of a time net, with its semantics.
    timed: Option<(Semantics, Result<Facts, NoFacts>)>,
    /// None past the limit.
    behaviour: Option<Behaviour>,
    /// The bounds of the coverability tree.
    cover: Option<Result<Vec<Count>, NoTree>>,
    /// Was everything tried?
    is_complete: bool,
}

/// The greatest number of classes of a time net.
const CLASSES: usize = 500_000;

/// The nodes of the coverability tree that is tried before the enumeration, which never ends for an unbounded net.
const FEW: usize = 2_000;

impl NetFacts {
    fn of((net, clocks): (Net, Option<Clocks>), limit: usize, known: &Known) -> NetFacts {
        let net = Arc::new(net);
        let limits = NetLimits { markings: limit, ..NetLimits::default() };
        let structure = Structure::of_class(&net);
        let mut facts = NetFacts {
            net: Arc::clone(&net),
            structure,
            counted: None,
            timed: None,
            behaviour: None,
            cover: None,
            is_complete: false,
        };
        let save = |facts: &NetFacts| {
            if let Ok(mut known) = known.lock() {
                *known = Some(facts.clone());
            }
        };
        save(&facts);
        facts.structure = Structure::of(&net, limits);
        save(&facts);
        // Time restricts which markings are reachable.
        if let Some(clocks) = clocks {
            facts.timed = Some((clocks.semantics, Facts::of(&net, &clocks, limit.min(CLASSES))));
            return facts;
        }
        let bounds = |nodes: usize| Tree::of(&net, nodes).map(|tree| tree.bounds());
        if facts.structure.bounds.contains(&None) {
            facts.cover = bounds(FEW).ok().filter(|all| all.contains(&Count::Omega)).map(Ok);
        }
        if facts.cover.is_some() {
            return facts;
        }
        facts.counted = Counted::of(&net, &facts.structure, limits);
        save(&facts);
        if facts.counted.as_ref().is_none_or(|c| c.markings.is_some_and(|n| n <= limit as u128)) {
            facts.behaviour = Behaviour::of(&net, &facts.structure, limits);
        }
        if facts.behaviour.is_none() && facts.counted.is_none() {
            facts.cover = Some(bounds(limits.cover));
        }
        facts
    }

    fn print(&self, format: Format) {
        match format {
            Format::Json => say!("{}", self.json()),
            Format::Text => self.text(),
        }
    }

    fn json(&self) -> Value {
        let (b, c, s) = (self.behaviour.as_ref(), self.counted.as_ref(), &self.structure);
        let set =
            |places: &Places| places.iter().map(|p| self.net.place(*p).name.clone()).collect::<Vec<_>>();
        let sets =
            |all: &Option<Vec<Places>>| all.as_ref().map(|all| all.iter().map(set).collect::<Vec<_>>());
        let path = |path: &Vec<TransitionId>| {
            path.iter().map(|t| self.net.transition(*t).name.clone()).collect::<Vec<_>>()
        };
        let tokens = |c: &Count| match c {
            Count::Tokens(n) => json!(n),
            Count::Omega => json!("omega"),
        };
        let bound =
            b.map(|b| &b.bounds).or(c.map(|c| &c.bounds)).map(|all| all.iter().max().copied().unwrap_or(0));
        let timed = self.timed.as_ref().and_then(|(_, facts)| facts.as_ref().ok());
        let bound = bound.or(timed.map(|facts| facts.bounds.iter().max().copied().unwrap_or(0)));
        let liveness = b.and_then(|b| b.liveness.as_ref());
        let texts = |all: &Option<Vec<Invariant>>, text: &dyn Fn(&Invariant) -> String| {
            all.as_ref().map(|all| all.iter().map(text).collect::<Vec<_>>())
        };
        json!({
            "name": self.net.name,
            "complete": self.is_complete,
            "places": self.net.places.len(),
            "transitions": self.net.transitions.len(),
            "arcs": self.net.arcs(),
            "max_weight": self.net.max_weight(),
            "inhibitor_arcs": self.net.transitions.iter().map(|t| t.inhibitors.len()).sum::<usize>(),
            "tokens": self.net.initial().iter().map(|t| u64::from(*t)).sum::<u64>(),
            "timed": self.net.is_timed(),
            "semantics": self.timed.as_ref().map(|(semantics, _)| semantics.text()),
            "state_classes": timed.map(|facts| facts.classes),
            "state_class_transitions": timed.map(|facts| facts.firings),
            "class": s.class.name(),
            "ordinary": s.class.is_ordinary,
            "pure": s.class.is_pure,
            "connected": s.class.is_connected,
            "reachable_markings": b.map(|b| json!(b.markings)).or(c.map(|c| number(c.markings))).or(timed.map(|t| json!(t.markings))),
            "firings": b.map(|b| b.firings),
            "dead_markings": b.map(|b| json!(b.dead)).or(c.map(|c| number(c.dead))).or(timed.map(|t| json!(t.dead))),
            "diagram_nodes": c.map(|c| c.nodes),
            "deadlock": b.and_then(|b| b.deadlock.as_ref().map(path)),
            "bounded": self.bounded(),
            "bound": bound,
            "bounds": self.bounds().map(|all| all.iter().map(tokens).collect::<Vec<_>>()),
            "safe": bound.map(|b| b <= 1),
            "live": liveness.map(|l| l.iter().all(|l| *l == Liveness::Live)),
            "liveness": liveness.map(|l| l.iter().map(|l| level(*l)).collect::<Vec<_>>()),
            "home_states": b.and_then(|b| b.home),
            "reversible": b.and_then(|b| b.home.map(|home| home == b.markings)),
            "place_invariants": texts(&s.place_invariants, &|i| self.invariant(i)),
            "transition_invariants": texts(&s.transition_invariants, &|i| self.cycle(i)),
            "siphons": sets(&s.siphons),
            "traps": sets(&s.traps),
        })
    }
}

/// The sizes of a model that is no net.
fn sizes(system: &System) -> Value {
    let named = |l: &veristep_core::system::Location| !l.anonymous;
    let from_named = |e: &&veristep_core::system::Edge| {
        named(system.location(e.source)) || system.formalism != Formalism::Automaton
    };
    let locations = system.locations.iter().filter(|l| named(l)).count();
    json!({
        "name": system.name,
        "locations": locations,
        "edges": system.edges.iter().filter(from_named).count(),
        "variables": system.variables.len(),
        "error_location": system.error.map(|l| system.location(l).name.clone()),
        "property": system.embedded.as_ref().map(|(name, _)| name.clone()),
    })
}

/// Prints the facts of a statechart. Its stable configurations are the sets of active states in which it waits for the
/// environment; null past the limit.
fn print_chart(chart: &Chart, limit: usize, format: Format) {
    let facts = ChartFacts::of(chart, limit);
    let found = &facts.found;
    let states = |all: &[StateId]| all.iter().map(|s| chart.state(*s).name.clone()).collect::<Vec<_>>();
    let transitions =
        |all: &[ChartTransition]| all.iter().map(|t| chart.transition_text(*t)).collect::<Vec<_>>();
    let conflicts: Vec<String> = facts
        .conflicts
        .iter()
        .map(|(a, b)| format!("{} before {}", chart.transition_text(*a), chart.transition_text(*b)))
        .collect();
    let fault = |(events, why): (Vec<String>, String)| match events.join(" ") {
        none if none.is_empty() => format!("at the start: {why}"),
        events => format!("after {events}: {why}"),
    };
    let faults = facts.faults(chart, limit).into_iter().map(fault).collect();
    let complete = facts.is_complete();
    let counts = [
        ("states", Some(chart.state_ids().skip(1).filter(|s| !chart.is_history(*s)).count())),
        ("transitions", Some(chart.transitions.len())),
        ("events", Some(chart.events.iter().filter(|e| e.external).count())),
        ("variables", Some(chart.data().count())),
        ("stable_configurations", complete.then(|| found.configurations().len())),
        ("stable_states", complete.then_some(found.statuses.len())),
    ];
    let lists = [
        ("unreachable_states", states(&facts.unreachable)),
        ("dead_transitions", transitions(&facts.dead)),
        ("chosen_by_order", conflicts),
        ("faults", faults),
    ];
    match format {
        Format::Json => {
            let mut all = json!({"name": chart.name, "complete": complete});
            counts.iter().for_each(|(name, n)| all[*name] = json!(n));
            lists.iter().for_each(|(name, list)| all[*name] = json!(list));
            say!("{all}");
        }
        Format::Text => {
            say!("{}", chart.name);
            for (name, n) in counts.iter().filter_map(|(name, n)| Some((name, n.as_ref()?))) {
                say!("  {}: {n}", name.replace('_', " "));
            }
            for (name, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
                say!("  {}:", name.replace('_', " "));
                list.iter().for_each(|line| say!("    {line}"));
            }
            if !complete {
                say!(
                    "  (the search is incomplete: states and transitions in these lists may be reachable, and others may be missing)"
                );
            }
        }
    }
}

/// A number that may be too large for JSON's numbers: then it is a text.
fn number(n: Option<u128>) -> Value {
    match n {
        None => Value::Null,
        Some(n) => u64::try_from(n).map_or_else(|_| json!(n.to_string()), |n| json!(n)),
    }
}

/// The level of Murata's paper.
fn level(liveness: Liveness) -> u8 {
    match liveness {
        Liveness::Dead => 0,
        Liveness::Potentially => 1,
        Liveness::Infinitely => 3,
        Liveness::Live => 4,
    }
}

impl NetFacts {
    /// By place, its greatest number of tokens, if known.
    fn bounds(&self) -> Option<Vec<Count>> {
        match (&self.behaviour, &self.cover) {
            (Some(b), _) => Some(b.bounds.iter().map(|n| Count::Tokens(*n)).collect()),
            (None, None) => {
                self.counted.as_ref().map(|c| c.bounds.iter().map(|n| Count::Tokens(*n)).collect())
            }
            (None, Some(Ok(bounds))) => Some(bounds.clone()),
            _ => None,
        }
    }

    fn bounded(&self) -> Option<bool> {
        let structural = || self.structure.bounds.iter().all(Option::is_some).then_some(true);
        let timed = self.timed.as_ref().and_then(|(_, facts)| facts.as_ref().ok());
        let structural = || timed.map(|_| true).or_else(structural);
        self.bounds().map(|all| !all.contains(&Count::Omega)).or_else(structural)
    }

    /// `2 p + q = 3`
    fn invariant(&self, invariant: &Invariant) -> String {
        let total = sum(invariant, &self.net.initial());
        format!("{} = {total}", self.weighted(invariant, |i| &self.net.places[i].name))
    }

    /// `2 t + u`
    fn cycle(&self, invariant: &Invariant) -> String {
        self.weighted(invariant, |i| &self.net.transitions[i].name)
    }

    fn weighted<'n>(&'n self, invariant: &Invariant, name: impl Fn(usize) -> &'n String) -> String {
        let part = |(i, weight): &(usize, u64)| match weight {
            1 => name(*i).clone(),
            weight => format!("{weight} {}", name(*i)),
        };
        invariant.iter().map(part).collect::<Vec<_>>().join(" + ")
    }

    fn text(&self) {
        let (net, s) = (&self.net, &self.structure);
        say!("{}: {}", net.name, s.class.name());
        say!(
            "  {}, {}, {}{}",
            count(net.places.len(), "place"),
            count(net.transitions.len(), "transition"),
            count(net.arcs(), "arc"),
            if net.has_inhibitors() { ", with inhibitor arcs" } else { "" }
        );
        self.markings();
        let list = |title: &str, all: Option<Vec<String>>| match all {
            None if self.is_complete => say!("  {title}: too many to be computed"),
            None => say!("  {title}: not known"),
            Some(all) => {
                say!("  {title}: {}", all.len());
                all.iter().take(SHOWN).for_each(|line| say!("    {line}"));
                if all.len() > SHOWN {
                    say!("    and {} more, which --format json prints", all.len() - SHOWN);
                }
            }
        };
        let names = |places: &Places| {
            places.iter().map(|p| net.place(*p).name.clone()).collect::<Vec<_>>().join(", ")
        };
        let all = |i: &Option<Vec<Invariant>>| {
            i.as_ref().map(|all| all.iter().map(|i| self.invariant(i)).collect())
        };
        list("place invariants", all(&s.place_invariants));
        let all =
            |i: &Option<Vec<Invariant>>| i.as_ref().map(|all| all.iter().map(|i| self.cycle(i)).collect());
        list("transition invariants", all(&s.transition_invariants));
        list("minimal siphons", s.siphons.as_ref().map(|all| all.iter().map(names).collect()));
        list("minimal traps", s.traps.as_ref().map(|all| all.iter().map(names).collect()));
        if let Some(open) = s.open_siphons(net).filter(|open| !open.is_empty()) {
            let open: Vec<String> = open.into_iter().map(names).collect();
            list("siphons without a marked trap, which may become empty", Some(open));
        }
    }

    /// The reachable markings, as far as they are known.
    fn markings(&self) {
        let net = &self.net;
        match (&self.behaviour, self.bounded()) {
            (Some(b), _) => {
                say!("  {}, {} firings, {} dead", count(b.markings, "reachable marking"), b.firings, b.dead);
                say!("  bounded: at most {} in a place", count(b.bound() as usize, "token"));
                if let Some(path) = &b.deadlock {
                    let names: Vec<&str> = path.iter().map(|t| net.transition(*t).name.as_str()).collect();
                    say!(
                        "  deadlock after: {}",
                        if names.is_empty() { "no firing".to_owned() } else { names.join(" ") }
                    );
                }
                if let (Some(liveness), Some(home)) = (&b.liveness, b.home) {
                    self.liveness(liveness);
                    say!(
                        "  {}",
                        match home {
                            0 => "no home state".to_owned(),
                            n if n == b.markings =>
                                "reversible: every reachable marking is a home state".to_owned(),
                            n => count(n, "home state"),
                        }
                    );
                }
            }
            (None, _) if self.timed.is_some() => self.classes(),
            (None, Some(false)) => {
                let bounds = self.bounds().unwrap_or_default();
                let omega = net.places.iter().zip(&bounds).filter(|(_, b)| **b == Count::Omega);
                let names: Vec<&str> = omega.map(|(p, _)| p.name.as_str()).collect();
                say!("  unbounded: {}", names.join(", "));
            }
            (None, Some(true)) => match &self.counted {
                Some(Counted { markings: Some(markings), dead, bounds, nodes }) => {
                    let dead = dead.map_or_else(String::new, |dead| format!(", {dead} dead"));
                    say!(
                        "  {markings} reachable markings{dead} (a decision diagram of {})",
                        count(*nodes, "node")
                    );
                    let bound = bounds.iter().max().copied().unwrap_or(0);
                    say!("  bounded: at most {} in a place", count(bound as usize, "token"));
                }
                Some(Counted { markings: None, .. }) => {
                    say!("  bounded, with more than 10^38 reachable markings")
                }
                None if self.is_complete => say!("  bounded, with more reachable markings than the limit"),
                None => say!("  bounded; the number of reachable markings is not known"),
            },
            (None, None) if self.is_complete => {
                say!(
                    "  boundedness is not known: there are too many markings, or too many tokens in a place"
                );
            }
            (None, None) => say!("  boundedness is not known"),
        }
    }

    /// The classes of a time net.
    fn classes(&self) {
        let Some((semantics, facts)) = &self.timed else { return };
        say!("  time: {}", semantics.text());
        match facts {
            Ok(facts) => {
                let classes = match semantics {
                    Semantics::Transitions => count(facts.classes, "state class"),
                    Semantics::Places => count(facts.classes, "zone"),
                };
                say!(
                    "  {}, {classes}, {} firings, {} dead",
                    count(facts.markings, "reachable marking"),
                    facts.firings,
                    facts.dead
                );
                say!(
                    "  bounded: at most {} in a place",
                    count(facts.bounds.iter().max().copied().unwrap_or(0) as usize, "token")
                );
            }
            Err(NoFacts::Limit) => {
                say!("  boundedness is not known: there are more state classes than the limit")
            }
            Err(NoFacts::Stopped(Stopped::Second(t, p))) => {
                let names = (&self.net.transition(*t).name, &self.net.place(*p).name);
                say!(
                    "  not safe, as a net with delays of places must be: '{}' gives a second token to '{}'",
                    names.0,
                    names.1
                );
            }
            Err(NoFacts::Stopped(_)) => {
                say!("  boundedness is not known: there are too many tokens in a place, or too many cases")
            }
        }
    }

    fn liveness(&self, levels: &[Liveness]) {
        let named = |level: Liveness| {
            let of = self.net.transitions.iter().zip(levels).filter(|(_, l)| **l == level);
            of.map(|(t, _)| t.name.as_str()).collect::<Vec<_>>()
        };
        if levels.iter().all(|l| *l == Liveness::Live) {
            say!("  live");
            return;
        }
        for (level, what) in [
            (Liveness::Dead, "never fire"),
            (Liveness::Potentially, "can fire, but not infinitely often"),
            (Liveness::Infinitely, "can fire infinitely often, but are not live"),
        ] {
            let names = named(level);
            if !names.is_empty() {
                say!("  {what}: {}", names.join(", "));
            }
        }
    }
}

/// Sets that are printed.
const SHOWN: usize = 12;
