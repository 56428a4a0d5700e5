//! The script and its answers.

use std::rc::Rc;

use veristep_core::diagnostic::{Diagnostic, Span};
use yew::prelude::*;

use crate::solver::protocol::Said;
use crate::solver::{Msg, Work};
use crate::ui::editor::Editor;
use crate::ui::icon::icon;

/// The kind of text, in links.
pub const KIND: &str = "smt2";

/// The props.
pub struct Props {
    /// The script.
    pub text: Rc<str>,
    /// Changes when it was replaced.
    pub version: u32,
    /// The answers so far.
    pub said: Rc<Vec<Said>>,
    /// The answers are about the text as it is.
    pub current: bool,
    /// The current work of the engine.
    pub work: Work,
    /// The user stopped it.
    pub stopped: bool,
    /// The open check.
    pub chosen: Option<u32>,
    /// The callback for messages.
    pub act: Callback<Msg>,
}

/// The script above, its answers below.
pub fn script_panel(props: &Props) -> Html {
    let running = props.work == Work::Running;
    let diagnostics = if props.current { problems(&props.text, &props.said) } else { Vec::new() };
    html! {
        <section class="panel script" aria-label="Script">
            <Editor label="Script" language="smtlib" text={props.text.clone()} version={props.version} diagnostics={Rc::new(diagnostics)}
                marks={vec![]} command={None} on_change={props.act.reform(Msg::Typed)} on_cursor={Callback::noop()} />
            <div class={classes!("answers", (!props.current).then_some("stale"))} aria-label="Answers" role="log" tabindex="0" data-testid="answers">
                <h2>{ "Answers" }
                    if !props.current && !props.said.is_empty() { <span class="muted">{ " to an earlier text; run again" }</span> }
                    if running { <span class="muted">{ " so far…" }</span> }</h2>
                if props.stopped { <p class="muted">{ "Stopped before an answer." }</p> }
                if props.said.is_empty() && !running && !props.stopped { <p class="muted">{ "The script has no (check-sat)." }</p> }
                <ol>{ for props.said.iter().map(|said| answer(props, said)) }</ol>
            </div>
        </section>
    }
}

/// Longer answers are truncated; the command line prints them in full.
const SHOWN: usize = 20_000;

fn answer(props: &Props, said: &Said) -> Html {
    let line =
        html! { <span class="line" title="The line where the command ends">{ said.line.to_string() }</span> };
    let Some(check) = said.check else {
        let wrong = said.text.starts_with("(error");
        return html! { <li class={classes!(wrong.then_some("wrong"))}>{ line }<pre>{ crate::text::short(&said.text, SHOWN) }</pre></li> };
    };
    let act = props.act.clone();
    let onclick = Callback::from(move |_: MouseEvent| act.emit(Msg::Open(check)));
    let pressed = props.chosen == Some(check);
    html! {
        <li class="check">{ line }{ verdict(&said.text) }
            <button class="btn small" {onclick} aria-pressed={pressed.to_string()} disabled={!props.current || props.work == Work::Running} data-testid={format!("open-{check}")}>
                { if props.work == Work::Opening(check) { "opening…" } else { "open" } }</button>
        </li>
    }
}

/// An answer by word, shape and colour.
pub fn verdict(answer: &str) -> Html {
    let (tone, sign) = match answer {
        "sat" => ("sat", "plus"),
        "unsat" => ("unsat", "minus"),
        _ => ("open", "unknown"),
    };
    html! { <span class={classes!("answer", tone)}>{ icon(sign) }{ answer.to_owned() }</span> }
}

/// The errors among the answers, at their places.
fn problems(text: &str, said: &[Said]) -> Vec<Diagnostic> {
    said.iter().filter_map(|said| problem(text, &said.text)).collect()
}

/// `(error "3:14: …")`.
fn problem(text: &str, answer: &str) -> Option<Diagnostic> {
    let message = answer.strip_prefix("(error \"")?.strip_suffix("\")")?.replace("\"\"", "\"");
    let mut parts = message.splitn(3, ':');
    let (line, column): (usize, usize) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text.get(start..)?;
    let into: usize = rest.chars().take(column - 1).map(char::len_utf8).sum();
    let word = rest.get(into..)?.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(1).max(1);
    let at = u32::try_from(start + into).ok()?;
    let end = at + u32::try_from(word).ok()?;
    let message = parts.next()?.trim().to_owned();
    Some(Diagnostic::error(Span { start: at, end }, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_in_the_text() {
        let text = "(check-sat)\n(asert true)\n";
        let found = problem(text, "(error \"2:1: unknown command 'asert'\")").expect("an error");
        assert_eq!((found.span.start, found.message.as_str()), (12, "unknown command 'asert'"));
        assert!(problem(text, "unsat").is_none());
        assert!(problem(text, "(error \"99:7: x\")").is_none_or(|d| d.span.start as usize <= text.len()));
    }
}
