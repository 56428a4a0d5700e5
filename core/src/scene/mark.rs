//! Roles of the parts of pictures. Renderers choose colours, the legend explains the roles in words.

use serde::{Deserialize, Serialize};

macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident $word:literal $meaning:expr;)*) => {
        /// A role of a part of a picture.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Mark { $($(#[$doc])* $name,)* }

        impl Mark {
            /// All of them, in the order of the legend.
            pub const ALL: &[Mark] = &[$(Mark::$name,)*];

            /// Its name in files and style sheets.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Mark::$name => $word,)* }
            }

            /// Its meaning, for the legend; `None` if the shape explains itself.
            #[must_use]
            pub fn meaning(self) -> Option<&'static str> {
                match self { $(Mark::$name => $meaning,)* }
            }
        }
    };
}

marks! {
    /// The subject of the step.
    Current "current" Some("this step");
    /// Another subject of the step.
    Second "second" Some("also in this step");
    /// A run of the automaton is in this state and can still be accepted.
    Active "active" Some("current state of a run");
    /// A run of the automaton is in this state, and the rest of the word is not accepted.
    Lost "lost" Some("current state of a run, from which the rest is rejected");
    /// Where runs start.
    Initial "initial" Some("initial");
    /// Where runs end.
    Final "final" Some("final");
    /// Must not be reached.
    Error "error" Some("error location");
    /// Between two statements of one edge of the text.
    Between "between" Some("between two statements");
    /// A state of a chart with states in it.
    Composite "composite" None;
    /// A part of a state that is active together with its neighbours.
    Orthogonal "orthogonal" Some("region: all regions are active together");
    /// An active state of a chart.
    InConfiguration "in-configuration" Some("active");
    /// Accepting, or containing an accepting state.
    Accepting "accepting" Some("accepting");
    /// The target of the search.
    Target "target" Some("✕ at the error location");
    /// On the waitlist.
    Waiting "waiting" Some("○ on the waitlist");
    /// On the counterexample.
    Path "path" Some("on the path found");
    /// Covered by another node, or the edge that says by which.
    Covered "covered" Some("↷ covered");
    /// A concrete state whose abstract state was stored before, or the edge to the state that was stored.
    Matched "matched" Some("↷ matched, not explored");
    /// A step with respect to which the abstraction is not exact.
    Inexact "inexact" Some("step that is not exact");
    /// A reachable state that no search reached.
    Missed "missed" Some("reached by no search");
    /// A state that only the search before the refinement reached.
    Earlier "earlier" Some("only before the refinement");
    /// A state that only the search after the refinement reached.
    Later "later" Some("only after the refinement");
    /// Stands for nodes that are not drawn.
    Folded "folded" Some("nodes that are not drawn");
    /// Removed.
    Pruned "pruned" Some("removed");
    /// After the point where a path is infeasible.
    Broken "broken" Some("not feasible");
    /// An edge that cannot be taken.
    Infeasible "infeasible" Some("edge that cannot be taken");
    /// Left out by slicing.
    Sliced "sliced" Some("cannot affect the property");
    /// On the stack of a search.
    Stack "stack" Some("on the stack of the search");
    /// On the stack of the outer search.
    Cyan "cyan" Some("on the stack of the outer search");
    /// Finished by the outer search.
    Blue "blue" Some("finished by the outer search");
    /// On no accepting cycle.
    Red "red" Some("on no accepting cycle");
    /// The edge closes a cycle.
    Back "back" Some("closes the cycle");
    /// The edge was taken in this step.
    Taken "taken" Some("edge of this step");
    /// The path of this step.
    Trail "trail" Some("path of this step");
    /// Contains an initial state.
    HasInitial "has-initial" Some("has an initial state");
    /// Contains a state that violates the property.
    Violating "violating" Some("violates the property");
    /// Violates the property with some values of the other variables.
    Sometimes "sometimes" Some("may violate the property");
    /// Kept from before the last split.
    Kept "kept" Some("kept from before the last split");
    /// Resulted from the last split.
    Split "split" Some("result of the last split");
    /// Not reached yet.
    Unreached "unreached" Some("not reached yet");
    /// Reachable along the counterexample, without its next transition.
    DeadEnd "dead-end" Some("dead-end state");
    /// Has the next transition of the counterexample.
    Leads "leads" Some("bad state");
    /// Reached by sampled runs.
    Reached "reached" Some("reached by runs");
    /// Allowed by the abstraction.
    Allowed "allowed" Some("allowed by the abstraction");
    /// Allowed by the chosen node.
    Chosen "chosen" Some("allowed by the chosen node");
    /// Not allowed by the abstraction.
    Excluded "excluded" Some("not allowed by the abstraction");
    /// A border between regions.
    Border "border" Some("border");
    /// A border that the last refinement made.
    Fresh "fresh" Some("new border");
    /// A set of concrete states.
    Concrete "concrete" Some("concrete states");
    /// From an abstract state to its concrete states.
    Means "means" None;
    /// The empty set.
    Empty "empty" Some("no concrete state");
    /// Part of a conflict of the solver.
    Conflict "conflict" Some("part of the conflict");
    /// A constraint that contradicts others.
    Refused "refused" Some("would close a negative cycle");
    /// A literal of a trail that was decided.
    Decided "decided" Some("decided");
    /// A literal that follows from a clause.
    Propagated "propagated" Some("by a clause");
    /// A literal that follows in arithmetic.
    Implied "implied" Some("by arithmetic");
    /// A literal from which one follows.
    Premise "premise" Some("premise");
    /// A value that violates a bound.
    Outside "outside" Some("violates a bound");
    /// A variable that a pivot moves out of the basis.
    Leaving "leaving" Some("leaves the basis");
    /// A variable that a pivot moves into the basis.
    Entering "entering" Some("enters the basis");
    /// On the run that was found.
    Run "run" Some("run that was found");
    /// In the set that a picture is about.
    Member "member" Some("in the set");
    /// A dead marking.
    Dead "dead" Some("dead marking");
    /// Has ω: places that can have any number of tokens.
    Unbounded "unbounded" Some("unbounded (ω)");
    /// An enabled transition that another one can disable, or that disables another one.
    InConflict "in-conflict" Some("enabled, in conflict with another");
    /// A fact.
    Fact "fact" None;
    /// An answer that proves a part of the property.
    No "no" None;
    /// An answer that needs more work.
    Yes "yes" None;
    /// An answer that is a violation.
    Bad "bad" None;
    /// Something open.
    Open "open" None;
    /// The newest entry.
    Newest "newest" Some("newest");
    /// What is known at a location.
    Known "known" Some("labels of the nodes at the location");
    /// A transition of a net that can fire.
    Enabled "enabled" Some("enabled");
    /// A clock runs and its interval is reached.
    Ready "ready" Some("its interval is reached");
    /// A clock runs and its interval is not reached.
    Young "young" Some("before its interval");
    /// The moment that is shown.
    Moment "moment" Some("the moment that is shown");
    /// An arc that disables a transition.
    Inhibitor "inhibitor" Some("inhibitor arc");
    /// Less important.
    Muted "muted" None;
    /// A name of an axis.
    Axis "axis" None;
    /// One of eight kinds that have no order.
    Kind0 "kind-0" Some("colours distinguish kinds");
    /// One of eight.
    Kind1 "kind-1" Some("colours distinguish kinds");
    /// One of eight.
    Kind2 "kind-2" Some("colours distinguish kinds");
    /// One of eight.
    Kind3 "kind-3" Some("colours distinguish kinds");
    /// One of eight.
    Kind4 "kind-4" Some("colours distinguish kinds");
    /// One of eight.
    Kind5 "kind-5" Some("colours distinguish kinds");
    /// One of eight.
    Kind6 "kind-6" Some("colours distinguish kinds");
    /// One of eight.
    Kind7 "kind-7" Some("colours distinguish kinds");
}

impl Mark {
    /// The mark of a kind without order, by its number.
    #[must_use]
    pub fn kind(number: usize) -> Mark {
        use Mark::{Kind0, Kind1, Kind2, Kind3, Kind4, Kind5, Kind6, Kind7};
        [Kind0, Kind1, Kind2, Kind3, Kind4, Kind5, Kind6, Kind7][number % 8]
    }
}
