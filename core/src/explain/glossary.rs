//! The words of abstraction refinement, each defined in one sentence.
//!
//! The definitions follow Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking (2020), Section 2.

/// A word of the glossary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Term {
    /// Abstract state.
    AbstractState,
    /// Abstract reachability graph.
    Arg,
    /// Abstract counterexample.
    AbstractCounterexample,
    /// Cartesian abstraction.
    CartesianAbstraction,
    /// Complete.
    Complete,
    /// Covered.
    Covered,
    /// Cut.
    Cut,
    /// Entails.
    Entails,
    /// Error location.
    ErrorLocation,
    /// Expanded.
    Expanded,
    /// Feasible.
    Feasible,
    /// Indexed variables.
    IndexedVariables,
    /// Interpolant.
    Interpolant,
    /// Invariant.
    Invariant,
    /// Iteration.
    Iteration,
    /// Lazy pruning.
    LazyPruning,
    /// Location.
    Location,
    /// Precision.
    Precision,
    /// Predicate.
    Predicate,
    /// Refinement.
    Refinement,
    /// Spurious.
    Spurious,
    /// Valuation.
    Valuation,
    /// Waitlist.
    Waitlist,
}

impl Term {
    /// All words, in alphabetical order of the enumeration.
    pub const ALL: [Term; 23] = [
        Term::AbstractState,
        Term::Arg,
        Term::AbstractCounterexample,
        Term::CartesianAbstraction,
        Term::Complete,
        Term::Covered,
        Term::Cut,
        Term::Entails,
        Term::ErrorLocation,
        Term::Expanded,
        Term::Feasible,
        Term::IndexedVariables,
        Term::Interpolant,
        Term::Invariant,
        Term::Iteration,
        Term::LazyPruning,
        Term::Location,
        Term::Precision,
        Term::Predicate,
        Term::Refinement,
        Term::Spurious,
        Term::Valuation,
        Term::Waitlist,
    ];

    /// The word itself.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Term::AbstractState => "abstract state",
            Term::Arg => "abstract reachability graph",
            Term::AbstractCounterexample => "abstract counterexample",
            Term::CartesianAbstraction => "Cartesian abstraction",
            Term::Complete => "complete",
            Term::Covered => "covered",
            Term::Cut => "cut",
            Term::Entails => "entails",
            Term::ErrorLocation => "error location",
            Term::Expanded => "expanded",
            Term::Feasible => "feasible",
            Term::IndexedVariables => "indexed variables",
            Term::Interpolant => "interpolant",
            Term::Invariant => "invariant",
            Term::Iteration => "iteration",
            Term::LazyPruning => "lazy pruning",
            Term::Location => "location",
            Term::Precision => "precision",
            Term::Predicate => "predicate",
            Term::Refinement => "refinement",
            Term::Spurious => "spurious",
            Term::Valuation => "valuation",
            Term::Waitlist => "waitlist",
        }
    }

    /// What it means, in one sentence.
    #[must_use]
    pub fn definition(self) -> &'static str {
        match self {
            Term::AbstractState => {
                "A location together with a formula; it stands for all concrete states at that location in which \
                 the formula is true."
            }
            Term::Arg => {
                "The tree of abstract states found so far: each edge is one operation of the program, and \
                 covered-by edges point across the tree."
            }
            Term::AbstractCounterexample => {
                "A path of abstract states from the start to the error location; it may or may not belong to a \
                 real run."
            }
            Term::CartesianAbstraction => {
                "Each tracked predicate is asked about on its own, and the new abstract state is the conjunction \
                 of the answers that are certain."
            }
            Term::Complete => {
                "A graph in which every node is expanded, covered or at the error location, so nothing is left \
                 to explore."
            }
            Term::Covered => {
                "A node is covered when another node at the same location already represents all of its states, \
                 so its successors need no exploring of their own."
            }
            Term::Cut => {
                "A position on the counterexample that splits its steps into a first part A and a second part B."
            }
            Term::Entails => {
                "One formula entails another when every state that satisfies the first satisfies the second."
            }
            Term::ErrorLocation => {
                "The location that must never be reached; reaching it means that the property is violated."
            }
            Term::Expanded => "A node is expanded when all of its successors are in the graph.",
            Term::Feasible => "A path is feasible when at least one real run of the program follows it.",
            Term::IndexedVariables => {
                "One copy of each variable for every position on a path, so that the value before a step and the \
                 value after it have different names."
            }
            Term::Interpolant => {
                "A formula between A and B: A implies it, it contradicts B, and it only mentions variables that A \
                 and B share."
            }
            Term::Invariant => "A formula that is true at a location every time any run gets there.",
            Term::Iteration => {
                "One round of the loop: explore with the current precision, check a counterexample, refine."
            }
            Term::LazyPruning => {
                "Only the part of the graph in which the new predicates matter is removed; the rest is kept for \
                 the next iteration."
            }
            Term::Location => "A position in the program, like a line number.",
            Term::Precision => "The set of predicates that is tracked; all other facts are forgotten.",
            Term::Predicate => "A true-or-false statement about the variables, such as x < 5.",
            Term::Refinement => "Making the abstraction finer, so that one false alarm cannot come back.",
            Term::Spurious => {
                "An abstract counterexample is spurious when no real run follows it: a false alarm."
            }
            Term::Valuation => "One value for each variable, at one moment of a run.",
            Term::Waitlist => "The nodes that are in the graph but have not been looked at yet.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_single_sentences() {
        for (i, term) in Term::ALL.into_iter().enumerate() {
            assert_eq!(term as usize, i, "{term:?} is listed in order");
            let text = term.definition();
            assert!(text.ends_with('.') && !text.contains(". "), "{text}");
            assert!(!term.name().is_empty());
        }
    }
}
