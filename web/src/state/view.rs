//! Settings of the views: tabs, popovers, preferences.

use veristep_core::draw::{Chosen, Fold, MOMENTS};
use veristep_core::system::VarId;

use crate::state::Granularity;

/// The tabs of the panel in the middle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MiddleTab {
    /// The abstract reachability graph.
    #[default]
    Graph,
    /// A statechart that is played, event by event.
    Simulation,
    /// The counterexample and its interpolants.
    Path,
    /// The predicates.
    Precision,
    /// The automaton and the product.
    Product,
    /// The reachable markings of a net.
    Markings,
    /// The invariants, siphons and traps of a net.
    Structure,
    /// The run of a time net on the axis of time.
    Timeline,
    /// A small system under a set of predicates.
    Abstractions,
    /// Concrete values against the abstraction.
    States,
    /// The list of events.
    Events,
}

impl MiddleTab {
    /// All tabs.
    pub const ALL: [MiddleTab; 11] = [
        MiddleTab::Graph,
        MiddleTab::Simulation,
        MiddleTab::Path,
        MiddleTab::Product,
        MiddleTab::Precision,
        MiddleTab::Markings,
        MiddleTab::Structure,
        MiddleTab::Timeline,
        MiddleTab::Abstractions,
        MiddleTab::States,
        MiddleTab::Events,
    ];

    /// A stable name, for links and tests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MiddleTab::Graph => "graph",
            MiddleTab::Simulation => "simulation",
            MiddleTab::Path => "path",
            MiddleTab::Product => "product",
            MiddleTab::Precision => "precision",
            MiddleTab::Markings => "markings",
            MiddleTab::Structure => "structure",
            MiddleTab::Timeline => "timeline",
            MiddleTab::Abstractions => "abstractions",
            MiddleTab::States => "states",
            MiddleTab::Events => "events",
        }
    }

    /// Its title on screen.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            MiddleTab::Graph => "Graph",
            MiddleTab::Simulation => "Simulation",
            MiddleTab::Path => "Path",
            MiddleTab::Product => "Automaton",
            MiddleTab::Precision => "Precision",
            MiddleTab::Markings => "Markings",
            MiddleTab::Structure => "Structure",
            MiddleTab::Timeline => "Timeline",
            MiddleTab::Abstractions => "Abstractions",
            MiddleTab::States => "States",
            MiddleTab::Events => "Events",
        }
    }

    /// The tab of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<MiddleTab> {
        MiddleTab::ALL.into_iter().find(|tab| tab.name() == name)
    }
}

/// What the model panel shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LeftTab {
    /// Text above, diagram below.
    #[default]
    Both,
    /// The text.
    Text,
    /// The diagram.
    Diagram,
}

/// Which panel a phone shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PhoneTab {
    /// The model.
    Model,
    /// The algorithm.
    #[default]
    View,
    /// The explanation.
    Why,
}

/// Whether removed nodes stay visible after the step that removed them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ShowGhosts {
    /// For one step.
    #[default]
    Briefly,
    /// Always.
    Always,
}

/// The open popover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Popover {
    /// The examples.
    Gallery,
    /// The link.
    Share,
    /// The options.
    Options,
    /// The keys and words.
    Help,
}

/// The settings of all views.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The panel in the middle.
    pub middle: MiddleTab,
    /// The model panel.
    pub left: LeftTab,
    /// On a phone.
    pub phone: PhoneTab,
    /// Removed nodes.
    pub ghosts: ShowGhosts,
    /// The nodes of the graph that are folded.
    pub fold: Fold,
    /// The open popover.
    pub popover: Option<Popover>,
    /// The granularity of steps while playing.
    pub grain: Granularity,
    /// Steps a second while playing, as an index into the speeds.
    pub speed: usize,
    /// The shown cut of the path.
    pub cut: Option<u32>,
    /// The two variables whose values are drawn, if chosen.
    pub axes: Option<(VarId, VarId)>,
    /// The predicates of the tab of abstractions, if chosen.
    pub predicates: Option<Chosen>,
    /// The moment of the timeline, in thousandths of its duration.
    pub clock: u32,
    /// The certificate is shown.
    pub certificate: bool,
    /// The shown glossary entry, by its number.
    pub term: Option<u32>,
    /// The search in the gallery.
    pub search: String,
    /// The link carries the step.
    pub share_step: bool,
    /// The link was copied.
    pub copied: bool,
    /// The colours.
    pub theme: Theme,
    /// Larger, for a projector.
    pub projected: bool,
}

/// The colours of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// As the system.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// Its name in the style sheet and in storage.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Theme {
        [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.name() == name).unwrap_or_default()
    }

    /// Its icon, and its title on screen.
    #[must_use]
    pub fn sign(self) -> (&'static str, &'static str) {
        match self {
            Theme::Auto => ("auto", "Colours: as the system"),
            Theme::Light => ("sun", "Colours: light"),
            Theme::Dark => ("moon", "Colours: dark"),
        }
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Theme {
        match self {
            Theme::Auto => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Auto,
        }
    }
}

impl Default for View {
    fn default() -> View {
        View {
            middle: MiddleTab::default(),
            left: LeftTab::default(),
            phone: PhoneTab::default(),
            ghosts: ShowGhosts::default(),
            fold: Fold::default(),
            popover: None,
            grain: Granularity::Event,
            speed: 1,
            cut: None,
            axes: None,
            predicates: None,
            clock: MOMENTS,
            certificate: false,
            term: None,
            search: String::new(),
            share_step: true,
            copied: false,
            theme: Theme::default(),
            projected: false,
        }
    }
}
