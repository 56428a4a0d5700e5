//! The options of the framework (section 4, Table 1).

use std::collections::BTreeSet;

use solver_lite::number::Q;

use crate::expr::Expr;
use crate::methods::options::MethodOption;
use crate::methods::shared::Shared;
use crate::property::condition;
use crate::symbolic::Symbolic;
use crate::system::{Op, System, VarId};

/// How cells are distinguished, and how a refinement splits them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Splitting {
    /// By predicates, and by the values of explicit variables if there are any (predicate and combined abstraction).
    #[default]
    Predicates,
    /// By the values of visible variables (explicit-value abstraction).
    Values,
}

/// The interpolants of a spurious counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// One, at the failure state.
    #[default]
    Craig,
    /// One at each state.
    Sequence,
}

/// The options of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SplitOptions {
    /// How cells are distinguished.
    pub splitting: Splitting,
    /// Do some variables have values in addition to the predicates? Those that are named, or control-like ones.
    pub combined: bool,
    /// How counterexamples are interpolated.
    pub interpolation: Interpolation,
    /// Variables with values from the start, by name. If there are none, explicit-value abstraction has those of the
    /// property.
    pub explicit: Vec<String>,
    /// Initial predicates, as texts.
    pub initial: Vec<String>,
    /// Are the cells explored before the first split cell kept?
    pub incremental: bool,
}

impl Default for SplitOptions {
    fn default() -> SplitOptions {
        SplitOptions {
            splitting: Splitting::default(),
            combined: false,
            interpolation: Interpolation::default(),
            explicit: Vec::new(),
            initial: Vec::new(),
            incremental: true,
        }
    }
}

/// The options, in the order of the page.
pub(crate) fn offered() -> Vec<MethodOption> {
    let list = MethodOption::list;
    let cells = vec![
        ("pred", "A cell: states that agree on the predicates."),
        ("combined", "Also one cell for each value of small domains."),
        ("expl", "A cell: one value for each visible variable."),
    ];
    let refinements = vec![
        ("craig", "One interpolant splits the failure state."),
        ("seq", "A sequence of interpolants splits all states of the path."),
    ];
    let incremental =
        vec![("on", "The prefix before the split cell is kept."), ("off", "The search restarts.")];
    vec![
        list("domain", "Cells", "pred", cells),
        list("refinement", "Refinement", "craig", refinements),
        list("incremental", "Incremental search", "on", incremental),
        MethodOption::text(
            "explicit",
            "Variables with values",
            "Names, separated by commas; if empty, chosen by a heuristic.",
        ),
        MethodOption::text("initial", "Initial predicates", "Conditions, separated by semicolons."),
    ]
}

impl SplitOptions {
    /// Sets an option by name: `domain` (pred, expl, combined), `refinement` (craig, seq), `explicit`, `initial`,
    /// `incremental` (on, off).
    ///
    /// # Errors
    /// What is wrong with the name or the value, in words.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let list = |separator: char| {
            value.split(separator).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned).collect()
        };
        match (name, value) {
            ("domain", "pred") => (self.splitting, self.combined) = (Splitting::Predicates, false),
            ("domain", "combined") => (self.splitting, self.combined) = (Splitting::Predicates, true),
            ("domain", "expl") => (self.splitting, self.combined) = (Splitting::Values, false),
            ("domain", _) => return Err(format!("domain: '{value}' is none of pred, expl, combined")),
            ("refinement", "craig") => self.interpolation = Interpolation::Craig,
            ("refinement", "seq") => self.interpolation = Interpolation::Sequence,
            ("refinement", _) => return Err(format!("refinement: '{value}' is none of craig, seq")),
            ("incremental", "on") => self.incremental = true,
            ("incremental", "off") => self.incremental = false,
            ("incremental", _) => return Err(format!("incremental: '{value}' is none of on, off")),
            ("explicit", _) => self.explicit = list(','),
            ("initial", _) => self.initial = list(';'),
            _ => return Err(format!("the engine split has no option '{name}'")),
        }
        Ok(())
    }

    /// The options that differ from the defaults, by name.
    #[must_use]
    pub fn choices(&self) -> Vec<(String, String)> {
        let domain = match (self.splitting, self.combined) {
            (Splitting::Values, _) => "expl",
            (Splitting::Predicates, true) => "combined",
            (Splitting::Predicates, false) => "pred",
        };
        let refinement = if self.interpolation == Interpolation::Craig { "craig" } else { "seq" };
        let mut all = vec![("domain", domain.to_owned()), ("refinement", refinement.to_owned())];
        if !self.explicit.is_empty() {
            all.push(("explicit", self.explicit.join(",")));
        }
        if !self.initial.is_empty() {
            all.push(("initial", self.initial.join(";")));
        }
        if !self.incremental {
            all.push(("incremental", "off".to_owned()));
        }
        all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// A short name.
    #[must_use]
    pub fn short(&self) -> String {
        let all: Vec<String> = self.choices().into_iter().map(|(_, value)| value).collect();
        format!("split {}", all.join(" "))
    }

    /// The positions of terms of a state that are visible from the start; those that encode the location always are.
    pub(super) fn visible(&self, shared: &mut Shared) -> Result<BTreeSet<usize>, String> {
        let symbolic = &mut shared.symbolic;
        let mut visible: BTreeSet<usize> = symbolic.place().collect();
        for name in &self.explicit {
            let v = symbolic
                .blocks
                .system
                .find_variable(name)
                .ok_or_else(|| format!("explicit: the model has no variable '{name}'"))?;
            visible.extend(symbolic.positions(v));
        }
        if self.combined && self.explicit.is_empty() {
            visible.extend(control(symbolic));
        }
        if self.splitting == Splitting::Values && self.explicit.is_empty() {
            let asked = asked(&symbolic.blocks.system);
            visible.extend(asked.into_iter().flat_map(|v| symbolic.positions(v)));
        }
        Ok(visible)
    }

    /// The initial predicates.
    pub(super) fn predicates(&self, system: &System) -> Result<Vec<Expr>, String> {
        let read = |text: &String| {
            condition(text, system).map_err(|d| format!("initial: '{text}': {}", d[0].message))
        };
        self.initial.iter().map(read).collect()
    }
}

/// The greatest number of values of a variable that is visible from the start.
const FEW: i64 = 256;

/// Numbers and enumerations that have few values, like program counters and locks.
fn control(symbolic: &Symbolic) -> Vec<usize> {
    let few = |v: &&VarId| symbolic.size(**v).is_some_and(|n| n <= Q::from(FEW));
    symbolic.variables.iter().filter(few).flat_map(|v| symbolic.positions(*v)).collect()
}

/// The variables of the property: those in the conditions of edges to the error location.
pub(super) fn asked(system: &System) -> BTreeSet<VarId> {
    fn conditions(op: &Op, asked: &mut BTreeSet<VarId>) {
        match op {
            Op::Assume(e) => asked.extend(e.variables()),
            Op::Sequence(ops) => ops.iter().for_each(|op| conditions(op, asked)),
            _ => {}
        }
    }
    let mut asked = BTreeSet::new();
    for edge in system.edges.iter().filter(|e| Some(e.target) == system.error) {
        conditions(&edge.op, &mut asked);
    }
    asked
}
