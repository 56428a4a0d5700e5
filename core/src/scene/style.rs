//! From roles to strokes and fills: the only place where pictures get their colours, as names of inks. The page gives
//! each ink its colour in the light and in the dark theme; files use those of [`Ink::light`].

use serde::{Deserialize, Serialize};

use crate::scene::{Mark, Node, Shape};

macro_rules! inks {
    ($($name:ident $word:literal $light:literal;)*) => {
        /// A colour by its name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "names of colours")]
        pub enum Ink { $($name,)* }

        impl Ink {
            /// All of them.
            pub const ALL: &[Ink] = &[$(Ink::$name,)*];

            /// Its name in style sheets.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Ink::$name => $word,)* }
            }

            /// On white, as `#rrggbb`.
            #[must_use]
            pub fn light(self) -> &'static str {
                match self { $(Ink::$name => $light,)* }
            }
        }
    };
}

inks! {
    None "none" "none";
    Text "text" "#161b24";
    Muted "muted" "#424b5a";
    Line "line" "#7f8998";
    Surface "surface" "#ffffff";
    Sunken "sunken" "#f6f7f9";
    Accent "accent" "#3552cc";
    AccentSoft "accent-soft" "#e9edff";
    Abstract "abstract" "#1c63c9";
    Check "check" "#0b7470";
    Concretize "concretize" "#975000";
    ConcreteSoft "concrete-soft" "#fdf1e2";
    Prune "prune" "#b32a5b";
    Violated "violated" "#bd2c2a";
    ViolatedSoft "violated-soft" "#fdecea";
    Holds "holds" "#15743a";
    HoldsSoft "holds-soft" "#e6f5eb";
    Cyan "cyan" "#d3f1f5";
    Blue "blue" "#d5e3fb";
    Red "red" "#fbdcdc";
    Kind0 "kind-0" "#dbe9fb";
    Kind1 "kind-1" "#fde6cf";
    Kind2 "kind-2" "#dff3df";
    Kind3 "kind-3" "#f6dcec";
    Kind4 "kind-4" "#e8e0f8";
    Kind5 "kind-5" "#fbf2c9";
    Kind6 "kind-6" "#d5f1ee";
    Kind7 "kind-7" "#ebe3da";
}

/// The dashes of a stroke.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Dash {
    /// None.
    #[default]
    Solid,
    /// Long dashes.
    Dashed,
    /// Short dashes.
    Dotted,
}

/// How a part is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Style {
    /// The outline.
    pub stroke: Ink,
    /// The inside.
    pub fill: Ink,
    /// The texts.
    pub text: Ink,
    /// The width of the outline.
    pub width: f64,
    /// Its dashes.
    pub dash: Dash,
    /// It has a second outline inside.
    pub double: bool,
    /// It is set back.
    pub faded: bool,
    /// It has a halo.
    pub halo: Option<Ink>,
}

impl Style {
    /// The style of a node.
    #[must_use]
    pub fn of_node(marks: &[Mark]) -> Style {
        Style { fill: Ink::Surface, stroke: Ink::Line, width: 1.4, ..Style::base() }.with(marks)
    }

    /// The style of an edge or a line.
    #[must_use]
    pub fn of_edge(marks: &[Mark]) -> Style {
        let style = Style { stroke: Ink::Line, text: Ink::Muted, width: 1.5, ..Style::base() };
        Style { fill: Ink::None, double: false, halo: None, ..style.with(marks) }
    }

    /// The style of an area.
    #[must_use]
    pub fn of_region(marks: &[Mark]) -> Style {
        let style = Style { width: 1.0, ..Style::base() }.with(marks);
        // States of charts have frames in front of the rest.
        let is_framed = marks.contains(&Mark::Composite) || marks.contains(&Mark::Orthogonal);
        let fill = if marks.contains(&Mark::InConfiguration) { Ink::Sunken } else { style.fill };
        if is_framed { Style { stroke: Ink::None, fill, ..style } } else { style }
    }

    fn base() -> Style {
        Style {
            stroke: Ink::None,
            fill: Ink::None,
            text: Ink::Text,
            width: 1.0,
            dash: Dash::Solid,
            double: false,
            faded: false,
            halo: None,
        }
    }

    /// Later marks of the list of roles are stronger than earlier ones.
    fn with(self, marks: &[Mark]) -> Style {
        let mut style = self;
        for mark in Mark::ALL.iter().rev().filter(|mark| marks.contains(mark)) {
            style.add(*mark);
        }
        // An initial or final state that is active is drawn as active.
        if marks.contains(&Mark::InConfiguration) {
            style.add(Mark::InConfiguration);
        }
        style
    }

    /// A stroke with its text, and the inside.
    fn inks(&mut self, stroke: Ink, fill: Ink) {
        (self.stroke, self.fill, self.text) = (stroke, fill, stroke);
    }

    /// A strong stroke.
    fn stroke_of(&mut self, ink: Ink) {
        (self.stroke, self.width) = (ink, 2.4);
    }

    /// A current state, whose name keeps its colour.
    fn state(&mut self, stroke: Ink, fill: Ink) {
        self.stroke_of(stroke);
        self.fill = fill;
    }

    fn add(&mut self, mark: Mark) {
        match mark {
            Mark::Current => self.halo = Some(Ink::Accent),
            Mark::Second => self.halo = self.halo.or(Some(Ink::Line)),
            Mark::Initial => (self.stroke, self.width) = (Ink::Text, 2.0),
            Mark::Final | Mark::Later => self.inks(Ink::Holds, Ink::HoldsSoft),
            Mark::Error => {
                self.inks(Ink::Violated, Ink::ViolatedSoft);
                self.double = true;
            }
            Mark::Composite => (self.stroke, self.fill) = (Ink::Line, Ink::Sunken),
            Mark::Back => self.dash = Dash::Dashed,
            Mark::Orthogonal => (self.stroke, self.dash) = (Ink::Line, Dash::Dashed),
            Mark::Between => (self.stroke, self.fill) = (Ink::None, Ink::Line),
            Mark::Accepting | Mark::HasInitial => self.double = true,
            Mark::Target => {
                (self.stroke, self.text, self.double) = (Ink::Violated, Ink::Violated, true);
            }
            Mark::Waiting | Mark::Unreached | Mark::Propagated => self.fill = Ink::Sunken,
            Mark::Covered => (self.stroke, self.dash) = (Ink::Check, Dash::Dashed),
            Mark::Path | Mark::Run | Mark::Premise | Mark::Leaving => self.stroke_of(Ink::Concretize),
            Mark::Folded => (self.fill, self.dash) = (Ink::Sunken, Dash::Dotted),
            Mark::Pruned => (self.stroke, self.dash, self.faded) = (Ink::Prune, Dash::Dotted, true),
            Mark::Broken | Mark::Sliced | Mark::Missed => (self.dash, self.faded) = (Dash::Dotted, true),
            Mark::Infeasible => self.stroke = Ink::Muted,
            Mark::Stack => self.stroke_of(Ink::Abstract),
            Mark::Cyan => self.fill = Ink::Cyan,
            Mark::Red => self.fill = Ink::Red,
            Mark::Active => self.state(Ink::Holds, Ink::HoldsSoft),
            Mark::InConfiguration => self.state(Ink::Accent, Ink::AccentSoft),
            Mark::Lost => self.state(Ink::Violated, Ink::ViolatedSoft),
            Mark::Taken => (self.stroke, self.text, self.width) = (Ink::Abstract, Ink::Abstract, 2.4),
            Mark::Trail => (self.stroke, self.width) = (Ink::Abstract, 1.6),
            Mark::Known => self.text = Ink::Accent,
            Mark::Bad | Mark::Dead | Mark::Outside => self.inks(Ink::Violated, Ink::ViolatedSoft),
            Mark::Violating => self.inks(Ink::Violated, Ink::ViolatedSoft),
            Mark::Sometimes => (self.stroke, self.dash) = (Ink::Violated, Dash::Dotted),
            Mark::Kept | Mark::Matched => (self.stroke, self.dash) = (Ink::Muted, Dash::Dotted),
            Mark::Split | Mark::Newest => self.width = 2.4,
            Mark::DeadEnd => (self.fill, self.stroke) = (Ink::Concretize, Ink::Concretize),
            Mark::Leads => (self.fill, self.stroke) = (Ink::Check, Ink::Check),
            Mark::Reached => (self.fill, self.stroke) = (Ink::Text, Ink::Text),
            Mark::Allowed => (self.fill, self.stroke) = (Ink::AccentSoft, Ink::Line),
            Mark::Blue | Mark::Chosen => self.fill = Ink::Blue,
            Mark::Excluded => (self.fill, self.stroke) = (Ink::Surface, Ink::Line),
            Mark::Border => (self.stroke, self.dash) = (Ink::Abstract, Dash::Dashed),
            Mark::Concrete => (self.stroke, self.fill) = (Ink::Concretize, Ink::ConcreteSoft),
            Mark::Means => (self.stroke, self.dash) = (Ink::Concretize, Dash::Dotted),
            Mark::Empty => {
                self.inks(Ink::Violated, Ink::ViolatedSoft);
                self.dash = Dash::Dashed;
            }
            Mark::Fresh => self.stroke_of(Ink::Violated),
            Mark::Conflict => (self.stroke, self.text, self.width) = (Ink::Violated, Ink::Violated, 2.4),
            Mark::Refused | Mark::Inexact => (self.stroke, self.dash) = (Ink::Violated, Dash::Dashed),
            Mark::Decided | Mark::Member => self.inks(Ink::Accent, Ink::AccentSoft),
            Mark::Implied => (self.stroke, self.text) = (Ink::Check, Ink::Check),
            Mark::Entering => self.stroke_of(Ink::Check),
            Mark::No => (self.stroke, self.text) = (Ink::Holds, Ink::Holds),
            Mark::Yes | Mark::Open => (self.stroke, self.text) = (Ink::Concretize, Ink::Concretize),
            Mark::Moment => (self.stroke, self.width) = (Ink::Accent, 2.6),
            Mark::Enabled | Mark::Unbounded | Mark::Ready => self.inks(Ink::Holds, Ink::HoldsSoft),
            Mark::InConflict | Mark::Young | Mark::Earlier => self.inks(Ink::Concretize, Ink::ConcreteSoft),
            Mark::Inhibitor => (self.stroke, self.text) = (Ink::Violated, Ink::Violated),
            Mark::Muted => self.text = Ink::Muted,
            Mark::Fact | Mark::Axis => {}
            Mark::Kind0 | Mark::Kind1 | Mark::Kind2 | Mark::Kind3 => self.fill = kind_ink(mark),
            Mark::Kind4 | Mark::Kind5 | Mark::Kind6 | Mark::Kind7 => self.fill = kind_ink(mark),
        }
    }
}

impl Node {
    /// How it is drawn; a frame does not cover what is in it.
    #[must_use]
    pub fn style(&self) -> Style {
        let style = Style::of_node(&self.marks);
        if self.shape == Shape::Frame { Style { fill: Ink::None, ..style } } else { style }
    }
}

/// The fill of a kind that has no order.
fn kind_ink(mark: Mark) -> Ink {
    match mark {
        Mark::Kind1 => Ink::Kind1,
        Mark::Kind2 => Ink::Kind2,
        Mark::Kind3 => Ink::Kind3,
        Mark::Kind4 => Ink::Kind4,
        Mark::Kind5 => Ink::Kind5,
        Mark::Kind6 => Ink::Kind6,
        Mark::Kind7 => Ink::Kind7,
        _ => Ink::Kind0,
    }
}
