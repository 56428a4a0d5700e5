//! The terms of the methods, each defined in one sentence.
//!
//! Those of abstraction refinement follow Hajdu, Micskei: Efficient Strategies for CEGAR-Based Model Checking
//! (2020), Section 2.

/// A term of the glossary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Concept {
    /// Abstract state.
    AbstractState,
    /// Acceptance.
    Acceptance,
    /// Abstract reachability graph.
    Arg,
    /// Abstract counterexample.
    AbstractCounterexample,
    /// Büchi automaton.
    BuchiAutomaton,
    /// Cartesian abstraction.
    CartesianAbstraction,
    /// Counterexample-guided abstraction refinement.
    Cegar,
    /// Cell.
    Cell,
    /// Certificate.
    Certificate,
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
    /// Fairness.
    Fairness,
    /// Feasible.
    Feasible,
    /// Frame.
    Frame,
    /// Indexed variables.
    IndexedVariables,
    /// Interpolant.
    Interpolant,
    /// Invariant.
    Invariant,
    /// Iteration.
    Iteration,
    /// k-induction.
    KInduction,
    /// Lasso.
    Lasso,
    /// Lazy pruning.
    LazyPruning,
    /// Lemma.
    Lemma,
    /// Location.
    Location,
    /// Precision.
    Precision,
    /// Predicate.
    Predicate,
    /// Product.
    Product,
    /// Rank.
    Rank,
    /// Refinement.
    Refinement,
    /// Spurious.
    Spurious,
    /// Trap.
    Trap,
    /// Unrolling.
    Unrolling,
    /// Valuation.
    Valuation,
    /// Waitlist.
    Waitlist,
    /// Weakest precondition.
    WeakestPrecondition,
}

impl Concept {
    /// All terms, in the order of the enumeration.
    pub const ALL: [Concept; 38] = [
        Concept::AbstractState,
        Concept::Acceptance,
        Concept::Arg,
        Concept::AbstractCounterexample,
        Concept::BuchiAutomaton,
        Concept::CartesianAbstraction,
        Concept::Cegar,
        Concept::Cell,
        Concept::Certificate,
        Concept::Complete,
        Concept::Covered,
        Concept::Cut,
        Concept::Entails,
        Concept::ErrorLocation,
        Concept::Expanded,
        Concept::Fairness,
        Concept::Feasible,
        Concept::Frame,
        Concept::IndexedVariables,
        Concept::Interpolant,
        Concept::Invariant,
        Concept::Iteration,
        Concept::KInduction,
        Concept::Lasso,
        Concept::LazyPruning,
        Concept::Lemma,
        Concept::Location,
        Concept::Precision,
        Concept::Predicate,
        Concept::Product,
        Concept::Rank,
        Concept::Refinement,
        Concept::Spurious,
        Concept::Trap,
        Concept::Unrolling,
        Concept::Valuation,
        Concept::Waitlist,
        Concept::WeakestPrecondition,
    ];

    /// The term itself.
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What it means, in one sentence.
    #[must_use]
    pub fn definition(self) -> &'static str {
        TABLE[self as usize].2
    }
}

/// Each term with its name and its definition, in the order of the enumeration.
const TABLE: [(Concept, &str, &str); Concept::ALL.len()] = [
    (
        Concept::AbstractState,
        "abstract state",
        "A location together with a formula; it represents all concrete states at that location that \
         satisfy the formula.",
    ),
    (
        Concept::Acceptance,
        "acceptance",
        "A Büchi automaton accepts a run that visits accepting states infinitely often.",
    ),
    (
        Concept::Arg,
        "abstract reachability graph",
        "The tree of abstract states explored so far: each edge is an operation of the program, and a covered-by \
         edge leads from a covered node to the node that covers it.",
    ),
    (
        Concept::AbstractCounterexample,
        "abstract counterexample",
        "A path of abstract states from the start to the error location; a concrete run along it may or \
         may not exist.",
    ),
    (
        Concept::BuchiAutomaton,
        "Büchi automaton",
        "A finite automaton over infinite runs; that of the negated formula accepts exactly the runs that \
         violate the formula.",
    ),
    (
        Concept::CartesianAbstraction,
        "Cartesian abstraction",
        "Each tracked predicate is checked on its own, and the new abstract state is the conjunction of \
         the predicates and negations that are entailed.",
    ),
    (
        Concept::Cegar,
        "CEGAR",
        "Counterexample-guided abstraction refinement: an abstraction is explored, an abstract \
         counterexample is checked, and a spurious one refines the abstraction, until the property is \
         proved or violated.",
    ),
    (
        Concept::Cell,
        "cell",
        "An abstract state of the method split: a set of concrete states that are not distinguished.",
    ),
    (
        Concept::Certificate,
        "certificate",
        "Evidence for a verdict, such as an inductive invariant or a concrete run, that a separate checker \
         verifies.",
    ),
    (
        Concept::Complete,
        "complete",
        "A graph in which every node is expanded, covered or at the error location, so no node remains to \
         be explored.",
    ),
    (
        Concept::Covered,
        "covered",
        "A node is covered when another node at the same location represents all of its states, so its \
         successors need not be explored.",
    ),
    (
        Concept::Cut,
        "cut",
        "A position on the counterexample that splits its steps into a first part A and a second part B.",
    ),
    (
        Concept::Entails,
        "entails",
        "One formula entails another when every state that satisfies the first satisfies the second.",
    ),
    (
        Concept::ErrorLocation,
        "error location",
        "The location that must never be reached; reaching it means that the property is violated.",
    ),
    (Concept::Expanded, "expanded", "A node is expanded when all of its successors are in the graph."),
    (
        Concept::Fairness,
        "fairness",
        "An assumption that excludes some infinite runs, for example those in which an edge is enabled \
         infinitely often but taken only finitely often.",
    ),
    (
        Concept::Feasible,
        "feasible",
        "A path is feasible when at least one concrete run of the program follows it.",
    ),
    (
        Concept::Frame,
        "frame",
        "In property-directed reachability, a set of states that contains all states reachable in at most \
         a given number of steps.",
    ),
    (
        Concept::IndexedVariables,
        "indexed variables",
        "One copy of each variable for every position on a path, so that the value before a step and the \
         value after it have different names.",
    ),
    (
        Concept::Interpolant,
        "interpolant",
        "For contradictory formulas A and B, a formula that A implies, that contradicts B and that contains only \
         variables common to A and B.",
    ),
    (
        Concept::Invariant,
        "invariant",
        "A formula that is true in every reachable state, or in every reachable state at a location.",
    ),
    (
        Concept::Iteration,
        "iteration",
        "One round of the loop: explore with the current precision, check a counterexample, refine.",
    ),
    (
        Concept::KInduction,
        "k-induction",
        "A proof by induction over k consecutive states: the first k states of every run are good, and \
         after k good states the next one is good.",
    ),
    (
        Concept::Lasso,
        "lasso",
        "A finite path followed by a cycle; repeating the cycle gives an infinite run.",
    ),
    (
        Concept::LazyPruning,
        "lazy pruning",
        "Only the subtree of the first node with a new precision is removed; the rest of the graph is kept for \
         the next iteration.",
    ),
    (
        Concept::Lemma,
        "lemma",
        "A formula that is true of all states in a frame; the conjunction of its lemmas describes the \
         frame.",
    ),
    (Concept::Location, "location", "A position in the control flow of the program."),
    (
        Concept::Precision,
        "precision",
        "The set of predicates and variables that are tracked; everything else is abstracted away.",
    ),
    (Concept::Predicate, "predicate", "A Boolean formula over the variables, such as x < 5."),
    (
        Concept::Product,
        "product",
        "The model and an automaton running in parallel; its runs are the pairs of a run of the model and \
         a run of the automaton on it.",
    ),
    (
        Concept::Rank,
        "rank",
        "A natural number for each state that no step increases; if it decreases whenever an accepting \
         state is left, no run visits accepting states infinitely often.",
    ),
    (
        Concept::Refinement,
        "refinement",
        "An extension of the precision that excludes a spurious counterexample.",
    ),
    (
        Concept::Spurious,
        "spurious",
        "An abstract counterexample is spurious when no concrete run follows it: a false alarm.",
    ),
    (
        Concept::Trap,
        "trap",
        "A set of places of a Petri net: each transition that takes tokens from them also adds tokens to them, so \
         once the set is marked, it stays marked.",
    ),
    (
        Concept::Unrolling,
        "unrolling",
        "The formula of all paths with a given number of steps: one copy of the variables for each state \
         and one copy of the transition relation for each step.",
    ),
    (Concept::Valuation, "valuation", "An assignment of a value to each variable, in one state of a run."),
    (Concept::Waitlist, "waitlist", "The nodes that are in the graph but have not been explored yet."),
    (
        Concept::WeakestPrecondition,
        "weakest precondition",
        "The weakest condition on a state under which a command is possible and leads to states of a given set.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_single_sentences() {
        for (i, term) in Concept::ALL.into_iter().enumerate() {
            assert_eq!((term as usize, TABLE[i].0), (i, term), "{term:?} is listed in order");
            let text = term.definition();
            assert!(text.ends_with('.') && !text.contains(". "), "{text}");
            assert!(!term.name().is_empty());
        }
    }
}
