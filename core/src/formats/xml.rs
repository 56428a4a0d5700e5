//! XML texts with places for diagnostics.

use roxmltree::{Document, Error, Node, ParsingOptions, TextPos};

use crate::diagnostic::{Diagnostic, Span};

/// The greatest number of nodes of a document.
const NODES: u32 = 4_000_000;

/// Parses a text that has passed `check_source`.
///
/// # Errors
/// Why it is no XML.
pub(super) fn document(text: &str) -> Result<Document<'_>, Diagnostic> {
    if let Some(at) = entity(text) {
        let message = "declarations of entities are not supported";
        return Err(Diagnostic::unsupported(Span::new(at, at + "<!ENTITY".len()), message));
    }
    let options = ParsingOptions { allow_dtd: true, nodes_limit: NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|e| wrong(text, &e))
}

/// Where an entity may be declared: in the declaration of the document's type.
fn entity(text: &str) -> Option<usize> {
    let start = text.find("<!DOCTYPE")?;
    text[start..].find("<!ENTITY").map(|at| start + at)
}

fn wrong(text: &str, error: &Error) -> Diagnostic {
    let at = offset(text, error.pos());
    let message = error.to_string();
    // The message ends with its line and column.
    let message = message.split(" at ").next().unwrap_or_default();
    Diagnostic::error(Span::new(at, at), format!("this is no XML: {message}"))
}

/// The byte of a line and column.
fn offset(text: &str, at: TextPos) -> usize {
    let line =
        text.split_inclusive('\n').take((at.row as usize).saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or_default();
    let column = rest.char_indices().nth((at.col as usize).saturating_sub(1)).map_or(rest.len(), |(i, _)| i);
    line + column
}

/// The start tag of an element.
pub(super) fn tag(node: Node<'_, '_>) -> Span {
    let range = node.range();
    let text = node.document().input_text().get(range.clone()).unwrap_or_default();
    Span::new(range.start, range.start + text.find('>').map_or(text.len(), |at| at + 1))
}

/// The child elements of that name.
pub(super) fn children<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    node.children().filter(move |n| n.is_element() && n.tag_name().name() == name)
}

/// The first child element of that name.
pub(super) fn child<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> Option<Node<'a, 'input>> {
    children(node, name).next()
}

/// The text of an element: that of a child `<text>` or `<value>`, or its own; trimmed, and with its place.
pub(super) fn content(node: Node<'_, '_>) -> (String, Span) {
    let inner = child(node, "text").or_else(|| child(node, "value")).unwrap_or(node);
    let text: String = inner.children().filter(Node::is_text).filter_map(|n| n.text()).collect();
    let place = inner.children().find(|n| n.is_text() && n.text().is_some_and(|t| !t.trim().is_empty()));
    let span = place.map_or_else(|| tag(inner), |n| trimmed(n.document().input_text(), n.range()));
    (text.trim().to_owned(), span)
}

fn trimmed(text: &str, range: std::ops::Range<usize>) -> Span {
    let inside = text.get(range.clone()).unwrap_or_default();
    let start = range.start + inside.len() - inside.trim_start().len();
    Span::new(start, start + inside.trim().len())
}
