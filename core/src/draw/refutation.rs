//! Refutations as graphs: clauses, from the empty one down to those that are given, with an edge to each premise.

use crate::layout::layered::Options;
use crate::scene::{Drawing, Edge, Mark, Node, Row, Shape, Thing, fit};

/// The maximal number of drawn clauses.
const DRAWN: usize = 120;
/// The maximal number of literals of a clause that are drawn, and the length of one.
const LITERALS: usize = 4;
const LONGEST: usize = 32;

/// A clause of a refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Its literals; none for the empty clause.
    pub literals: Vec<String>,
    /// Its justification.
    pub reason: Reason,
    /// The clauses it was resolved from, by number, each but the first with the atom resolved on.
    pub premises: Vec<(usize, Option<String>)>,
}

/// The justification of a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// An assertion, by name.
    Assertion(String),
    /// It defines an abbreviation.
    Definition,
    /// A lemma of arithmetic.
    Arithmetic,
    /// Resolution.
    Resolution,
}

/// The graph; none if there are too many clauses to be drawn.
#[must_use]
pub fn refutation(clauses: &[Clause]) -> Option<Drawing> {
    if clauses.is_empty() || clauses.len() > DRAWN {
        return None;
    }
    let nodes = clauses.iter().enumerate().map(|(number, clause)| node(number, clause)).collect();
    let edges = clauses.iter().enumerate().flat_map(|(number, clause)| {
        clause.premises.iter().enumerate().map(move |(i, (premise, atom))| {
            let on = atom.as_ref().map(|atom| format!(", resolved on {atom}")).unwrap_or_default();
            let title = format!("{} is a premise of {}{on}", premise + 1, number + 1);
            Edge::new(format!("c{number}.{i}"), key(number), key(*premise)).labelled(String::new(), title)
        })
    });
    let options = Options { node_gap: 22.0, rank_gap: 30.0, margin: 24.0, ..Options::default() };
    Some(Drawing::layered(nodes, edges.collect(), clauses.len() - 1, &options))
}

fn key(number: usize) -> String {
    format!("c{number}")
}

fn node(number: usize, clause: &Clause) -> Node {
    let reason = match &clause.reason {
        Reason::Assertion(name) => format!("assertion {name}"),
        Reason::Definition => "definition".to_owned(),
        Reason::Arithmetic => "arithmetic".to_owned(),
        Reason::Resolution => "resolution".to_owned(),
    };
    let all = if clause.literals.is_empty() { "false".to_owned() } else { clause.literals.join(" or ") };
    let mut rows = vec![Row::name(fit(&reason, LONGEST)), Row::corner((number + 1).to_string())];
    if clause.literals.is_empty() {
        rows.push(Row::fact("false", None));
    }
    for (i, literal) in clause.literals.iter().take(LITERALS).enumerate() {
        let or = if i == 0 { "" } else { "or " };
        rows.push(Row::fact(format!("{or}{}", fit(literal, LONGEST)), None));
    }
    if clause.literals.len() > LITERALS {
        rows.push(Row::fact(format!("and {} more", clause.literals.len() - LITERALS), None));
    }
    let thing = Thing::Clause(u32::try_from(number).unwrap_or(u32::MAX));
    let title = format!("{}, {reason}: {all}", number + 1);
    Node::new(key(number), Shape::Box, rows, title).about([thing]).marked(&[
        (Mark::Kind0, matches!(clause.reason, Reason::Assertion(_))),
        (Mark::Kind7, clause.reason == Reason::Definition),
        (Mark::Kind6, clause.reason == Reason::Arithmetic),
        (Mark::No, clause.literals.is_empty()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(literals: &[&str], reason: Reason, premises: &[(usize, &str)]) -> Clause {
        Clause {
            literals: literals.iter().map(|literal| (*literal).to_owned()).collect(),
            reason,
            premises: premises.iter().map(|(premise, atom)| (*premise, Some((*atom).to_owned()))).collect(),
        }
    }

    #[test]
    fn the_empty_clause_leads_down_to_those_that_are_given() {
        let clauses = [
            clause(&["x ≤ 3"], Reason::Assertion("a".into()), &[]),
            clause(&["x > 5"], Reason::Assertion("2".into()), &[]),
            clause(&["not x ≤ 3", "not x > 5"], Reason::Arithmetic, &[]),
            clause(&["not x > 5"], Reason::Resolution, &[(2, ""), (0, "x ≤ 3")]),
            clause(&[], Reason::Resolution, &[(3, ""), (1, "x > 5")]),
        ];
        let drawing = refutation(&clauses).expect("it is small");
        assert_eq!((drawing.nodes.len(), drawing.edges.len()), (5, 4));
        let height = |key: &str| drawing.node(key).map(|node| node.rect.y).expect("a node");
        for edge in &drawing.edges {
            assert!(height(&edge.source) < height(&edge.target), "{}", edge.title);
            assert!(!edge.arrow.path.is_empty());
        }
        let end = drawing.node("c4").expect("the empty clause");
        assert!(end.is(Mark::No) && end.title == "5, resolution: false");
        assert_eq!(refutation(&[]), None);
        assert_eq!(refutation(&vec![clauses[0].clone(); DRAWN + 1]), None);
    }
}
