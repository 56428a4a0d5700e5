//! The syntax of `.sc` texts, with error recovery: a broken line is skipped up to the next one that begins with a word
//! of the language.

use crate::chart::StateKind;
use crate::diagnostic::{Diagnostic, Span, limits};
use crate::expr::{Parsed, Parser, Reported, Syntax, Tok};
use crate::formats::Name;
use crate::formats::chart::{
    Written, WrittenAction, WrittenEvent, WrittenTransition, WrittenType, WrittenVariable,
};
use crate::formats::family;
use crate::net::NamedProperty;

use super::compose::composed;

/// The words that begin a line.
pub(super) const WORDS: [&str; 17] = [
    "var", "event", "internal", "queue", "initial", "state", "region", "final", "history", "deep", "entry",
    "exit", "on", "after", "always", "done", "property",
];

/// The words that are no names.
pub(super) const RESERVED: [&str; 5] = ["layout", "raise", "send", "skip", "chart"];

/// A system of charts as written.
pub(super) struct System {
    pub(super) name: Name,
    /// The components, each with the name of its chart.
    pub(super) components: Vec<(Name, Name)>,
    pub(super) channels: Vec<Channel>,
    pub(super) capacity: Option<usize>,
    pub(super) properties: Vec<NamedProperty>,
}

/// A channel from an event that a component sends to one that another component waits for.
pub(super) struct Channel {
    pub(super) from: Name,
    pub(super) to: Name,
    /// If messages wait in it: its name, and how many can wait.
    pub(super) queue: Option<(Name, usize)>,
}

/// Parses a text that has passed `check_source`; also returns the errors of its syntax. A text has one chart, or
/// several with a system of them.
pub(super) fn parse(text: &str) -> (Written, Vec<Diagnostic>) {
    let mut p = Parser::new(text, Syntax::Ltl);
    let mut charts: Vec<Written> = Vec::new();
    loop {
        let mut reader = Reader { written: Written::default(), open: Vec::new(), text };
        let read = reader.read(&mut p);
        if reader.written.states.is_empty() {
            reader.written.add(
                Name { text: String::new(), span: Span::default() },
                StateKind::Composite,
                None,
            );
        }
        charts.push(reader.written);
        if read.is_err() || p.word() != "chart" {
            break;
        }
    }
    if p.word() == "system" && p.out.is_empty() {
        if let Ok(system) = system(&mut p, text) {
            let mut out = Vec::new();
            let whole = composed(&charts, &system, &mut out);
            if p.tok() != Tok::End {
                p.unexpected("the end of the text after the system's '}'");
            }
            if out.is_empty() {
                return (whole, p.out);
            }
            p.out.extend(out);
        }
    } else if p.out.is_empty() && p.tok() != Tok::End {
        p.unexpected("the end of the text after the chart's '}', another chart, or a system of charts");
    } else if p.out.is_empty() && charts.len() > 1 {
        let name = &charts[1].states[0].name;
        let (span, message) =
            (name.span, "a text with several charts needs a 'system' of them after the last one");
        p.error(span, message);
    }
    (charts.swap_remove(0), p.out)
}

/// `system S { component a : C  channel a.out -> b.in  property … }`
fn system(p: &mut Parser<'_>, text: &str) -> Parsed<System> {
    const WORDS: [&str; 5] = ["component", "channel", "queue", "property", "layout"];
    p.advance();
    let (components, channels, properties) = (Vec::new(), Vec::new(), Vec::new());
    let mut system = System { name: name(p)?, components, channels, capacity: None, properties };
    p.expect(Tok::Sym("{"))?;
    loop {
        match p.word() {
            "component" => {
                p.advance();
                let all = names(p)?;
                p.expect(Tok::Sym(":"))?;
                let of = name(p)?;
                system.components.extend(all.into_iter().map(|component| (component, of.clone())));
            }
            "channel" => system.channels.push(channel(p)?),
            "queue" => system.capacity = Some(places(p)?),
            "property" => {
                let property = family::property(p, text, &WORDS, &system.properties)?;
                system.properties.push(property);
            }
            "}" => break,
            _ => return Err(p.unexpected("'component', 'channel', 'queue', 'property', or '}'")),
        }
    }
    p.advance();
    Ok(system)
}

/// `channel a.out -> b.in`, or with a queue `channel line: a.out -> b.in queue 3`.
fn channel(p: &mut Parser<'_>) -> Parsed<Channel> {
    p.advance();
    let first = name(p)?;
    let (own, from) = match p.eat(Tok::Sym(":")) {
        true => (Some(first), name(p)?),
        false => (None, first),
    };
    p.expect(Tok::Key("imply"))?;
    let to = name(p)?;
    let queue = match (own, p.word() == "queue") {
        (Some(own), true) => Some((own, places(p)?)),
        (None, true) => {
            return Err(
                p.error(from.span, "a channel with a queue has a name: channel line: a.out -> b.in queue 3")
            );
        }
        (Some(own), false) => return Err(p.error(own.span, "only a channel with a queue has a name")),
        (None, false) => None,
    };
    Ok(Channel { from, to, queue })
}

/// `queue 8`
fn places(p: &mut Parser<'_>) -> Parsed<usize> {
    p.advance();
    let capacity = p.word().parse::<usize>().ok().filter(|n| (1..=64).contains(n));
    let Some(capacity) = capacity else {
        return Err(p.unexpected("a number of places, from 1 to 64"));
    };
    p.advance();
    Ok(capacity)
}

struct Reader<'a> {
    written: Written,
    /// The states that the next line can belong to, with their columns; the chart first.
    open: Vec<(usize, usize)>,
    text: &'a str,
}

/// The column of a part: the characters before it on its line; a tab counts as one.
fn column(text: &str, span: Span) -> usize {
    let before = &text[..span.start as usize];
    before.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// A name that is not a word of the language.
fn name(p: &mut Parser<'_>) -> Parsed<Name> {
    let word = p.word();
    if WORDS.contains(&word) || RESERVED.contains(&word) {
        let message = format!("'{word}' is a word of the language, and not a name; write \"{word}\"");
        return Err(p.error(p.token().span, message));
    }
    family::name(p)
}

/// Names with commas between them.
fn names(p: &mut Parser<'_>) -> Parsed<Vec<Name>> {
    let mut all = vec![name(p)?];
    while p.eat(Tok::Sym(",")) {
        all.push(name(p)?);
    }
    Ok(all)
}

impl Reader<'_> {
    fn read(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        if p.word() != "chart" {
            return Err(p.unexpected("'chart'"));
        }
        p.advance();
        let name = family::name(p)?;
        p.expect(Tok::Sym("{"))?;
        self.written.add(name, StateKind::Composite, None);
        while !matches!(p.tok(), Tok::Sym("}") | Tok::End) {
            if self.line(p).is_err() {
                skip(p, self.text);
            }
            if p.out.len() > limits::DIAGNOSTICS {
                return Err(Reported);
            }
        }
        self.written.close = p.expect(Tok::Sym("}"))?.span;
        Ok(())
    }

    /// The state that a line at this column belongs to.
    fn owner(&mut self, column: usize) -> usize {
        while self.open.last().is_some_and(|(of, _)| *of >= column) {
            self.open.pop();
        }
        self.open.last().map_or(0, |(_, state)| *state)
    }

    fn line(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        let start = p.token().span;
        let column = column(self.text, start);
        let owner = self.owner(column);
        match p.word() {
            "var" => self.variables(p)?,
            "event" => self.events(p, true)?,
            "internal" => self.events(p, false)?,
            "queue" => self.written.capacity = Some(places(p)?),
            "property" => {
                let words = [&WORDS[..], &RESERVED].concat();
                let property = family::property(p, self.text, &words, &self.written.properties)?;
                self.written.properties.push(property);
            }
            "layout" => {
                let (entries, span) = family::layout(p)?;
                self.written.layouts.push(span);
                for (name, pin, span) in entries {
                    self.written.pins.insert(name.text.clone(), pin);
                    self.written.positions.push((name, span));
                }
            }
            "initial" => {
                p.advance();
                let targets = names(p)?;
                let actions = slash(p)?;
                if self.written.states[owner].initial.replace((targets, actions)).is_some() {
                    return Err(p.error(start, "this state has an initial state already"));
                }
            }
            "state" | "region" | "final" | "history" | "deep" => self.state(p, column, owner)?,
            "entry" | "exit" => self.entry(p, owner)?,
            "on" | "after" | "always" | "done" => {
                let t = self.transition(p, owner)?;
                self.written.states[owner].transitions.push(t);
            }
            _ => {
                let wanted = "a word that begins a line, as 'state', 'on', 'entry', 'var' or 'property'";
                return Err(p.unexpected(wanted));
            }
        }
        Ok(())
    }

    fn state(&mut self, p: &mut Parser<'_>, column: usize, owner: usize) -> Parsed<()> {
        if self.open.len() >= limits::DEPTH as usize {
            let span = p.token().span;
            return Err(
                p.error(span, format!("states are nested too deeply, the limit is {}", limits::DEPTH))
            );
        }
        if let Some((_, last)) = self.open.last() {
            let between = Span { start: self.written.states[*last].name.span.end, end: p.token().span.start };
            if !between.of(self.text).contains('\n') {
                return Err(p.unexpected("a line of its own for a state"));
            }
        }
        let (word, deep) = (p.word(), p.word() == "deep");
        p.advance();
        if deep {
            if p.word() != "history" {
                return Err(p.unexpected("'history'"));
            }
            p.advance();
        }
        let kind = match word {
            "final" => StateKind::Final,
            "history" | "deep" => StateKind::History { deep },
            _ => StateKind::Atomic,
        };
        let name = name(p)?;
        if name.text.contains('.') {
            return Err(p.error(name.span, "the name of a state has no dots"));
        }
        let around = self.written.states[owner].kind;
        if word == "region" && owner > 0 && matches!(around, StateKind::Atomic | StateKind::Parallel) {
            self.written.states[owner].kind = StateKind::Parallel;
        } else if word == "region" {
            return Err(p.error(name.span, "a region is inside of a state"));
        } else if around == StateKind::Parallel && !matches!(kind, StateKind::History { .. }) {
            return Err(
                p.error(name.span, "a state with regions has no other states in it; move it into a region")
            );
        }
        let at = self.written.add(name, kind, Some(owner));
        if matches!(kind, StateKind::History { .. }) && p.eat(Tok::Key("imply")) {
            let targets = names(p)?;
            let actions = slash(p)?;
            self.written.states[at].initial = Some((targets, actions));
        }
        if p.word() == "folded" && kind == StateKind::Atomic {
            self.written.states[at].folded = Some(p.token().span);
            p.advance();
        }
        self.open.push((column, at));
        Ok(())
    }

    fn entry(&mut self, p: &mut Parser<'_>, owner: usize) -> Parsed<()> {
        let entry = p.word() == "entry";
        p.advance();
        p.eat(Tok::Sym("/"));
        let actions = actions(p)?;
        let state = &mut self.written.states[owner];
        if entry { &mut state.entry } else { &mut state.exit }.extend(actions);
        Ok(())
    }

    /// `on e, f [guard] -> X / actions`, and the same after `after 3`, `always` and `done`.
    fn transition(&mut self, p: &mut Parser<'_>, owner: usize) -> Parsed<WrittenTransition> {
        let start = p.token().span;
        let word = p.word();
        p.advance();
        let mut t = WrittenTransition::default();
        match word {
            "on" => t.events = Some(patterns(p)?),
            "after" => {
                let span = p.token().span;
                let time = p.word().parse::<u32>().ok().filter(|n| *n > 0);
                let Some(time) = time else { return Err(p.unexpected("a number of ticks, at least 1")) };
                p.advance();
                t.after = Some((time, span));
            }
            "done" => t.events = Some(vec![Name { text: self.done_event(owner), span: start }]),
            _ => {}
        }
        if p.eat(Tok::Sym("[")) {
            t.guard = Some(p.expression()?);
            p.expect(Tok::Sym("]"))?;
        }
        if p.eat(Tok::Key("imply")) {
            if p.word() == "internal" {
                p.advance();
                t.internal = true;
            }
            t.targets = names(p)?;
        }
        let is_bare = t.targets.is_empty() && p.tok() != Tok::Sym("/");
        t.actions = slash(p)?;
        t.span = start.to(p.previous());
        if is_bare {
            return Err(
                p.error(t.span, "this transition has neither a target ('-> X') nor actions ('/ x := 1')")
            );
        }
        Ok(t)
    }

    /// The event that a state is complete.
    fn done_event(&self, state: usize) -> String {
        let path = std::iter::successors(Some(state), |s| self.written.states[*s].parent.filter(|p| *p > 0));
        let mut names: Vec<&str> = path.map(|s| self.written.states[s].name.text.as_str()).collect();
        names.reverse();
        crate::chart::Chart::done_event(&names.join("."))
    }

    fn variables(&mut self, p: &mut Parser<'_>) -> Parsed<()> {
        p.advance();
        let all = names(p)?;
        let ty = if p.eat(Tok::Sym(":")) { Some(ty(p)?) } else { None };
        let value = if p.eat(Tok::Sym("=")) { Some(p.expression()?) } else { None };
        let variable = |name| WrittenVariable { name, ty: ty.clone(), value: value.clone() };
        self.written.variables.extend(all.into_iter().map(variable));
        Ok(())
    }

    /// `event coin(amount : 1..3), button`
    fn events(&mut self, p: &mut Parser<'_>, external: bool) -> Parsed<()> {
        p.advance();
        loop {
            let event = name(p)?;
            let mut parameters = Vec::new();
            if external && p.eat(Tok::Sym("(")) {
                loop {
                    let parameter = name(p)?;
                    p.expect(Tok::Sym(":"))?;
                    parameters.push((parameter, ty(p)?));
                    if !p.eat(Tok::Sym(",")) {
                        break;
                    }
                }
                p.expect(Tok::Sym(")"))?;
            }
            self.written.events.push(WrittenEvent { name: event, external, parameters });
            if !p.eat(Tok::Sym(",")) {
                return Ok(());
            }
        }
    }
}

/// The type of a text of its own.
pub(in crate::formats) fn type_of(text: &str) -> Option<WrittenType> {
    let mut p = Parser::new(text, Syntax::Ltl);
    let written = ty(&mut p).ok()?;
    (p.tok() == Tok::End && p.out.is_empty()).then_some(written)
}

/// The events of a transition: names, `a.*` and `*`.
fn patterns(p: &mut Parser<'_>) -> Parsed<Vec<Name>> {
    let mut all = Vec::new();
    loop {
        let mut pattern = match p.tok() {
            Tok::Sym("*") => Name { text: String::new(), span: p.token().span },
            _ => name(p)?,
        };
        if p.tok() == Tok::Sym("*") {
            pattern.span = pattern.span.to(p.advance().span);
            pattern.text.push('*');
        }
        all.push(pattern);
        if !p.eat(Tok::Sym(",")) {
            return Ok(all);
        }
    }
}

fn ty(p: &mut Parser<'_>) -> Parsed<WrittenType> {
    match p.word() {
        "bool" => {
            p.advance();
            Ok(WrittenType::Bool)
        }
        "int" => {
            p.advance();
            Ok(WrittenType::Int)
        }
        "{" => {
            p.advance();
            let values = names(p)?;
            p.expect(Tok::Sym("}"))?;
            Ok(WrittenType::Values(values))
        }
        _ if matches!(p.tok(), Tok::Number | Tok::Sym("-")) => {
            let first = p.operand_of_comparison()?;
            for _ in 0..2 {
                if !p.eat(Tok::Sym(".")) {
                    return Err(p.unexpected("'..' between the least and the greatest number, as in 0..5"));
                }
            }
            Ok(WrittenType::Range(first, p.operand_of_comparison()?))
        }
        _ => Err(p.unexpected("a type (bool, int, a range as 0..5, or values as {idle, busy})")),
    }
}

/// Actions after a slash, if there is one.
fn slash(p: &mut Parser<'_>) -> Parsed<Vec<WrittenAction>> {
    if p.eat(Tok::Sym("/")) { actions(p) } else { Ok(Vec::new()) }
}

/// Actions with semicolons between them.
fn actions(p: &mut Parser<'_>) -> Parsed<Vec<WrittenAction>> {
    let mut all = Vec::new();
    loop {
        all.extend(action(p)?);
        let goes_on = p.eat(Tok::Sym(";"));
        let ends = WORDS.contains(&p.word()) || matches!(p.tok(), Tok::Sym("}") | Tok::End);
        if !goes_on || ends {
            return Ok(all);
        }
    }
}

/// An action; none for `skip`.
fn action(p: &mut Parser<'_>) -> Parsed<Option<WrittenAction>> {
    let action = match p.word() {
        "skip" => {
            p.advance();
            return Ok(None);
        }
        "raise" => {
            p.advance();
            WrittenAction::Raise(name(p)?)
        }
        "send" => {
            p.advance();
            WrittenAction::Send(name(p)?)
        }
        "if" => p.nested(conditional)?,
        _ if p.tok() == Tok::Ident => {
            let target = name(p)?;
            p.expect(Tok::Sym(":="))?;
            WrittenAction::Assign(target, p.expression()?)
        }
        _ => return Err(p.unexpected("an action: x := e, raise e, send e, skip, or if c { … } else { … }")),
    };
    Ok(Some(action))
}

/// `if c { … } else if d { … } else { … }`
fn conditional(p: &mut Parser<'_>) -> Parsed<WrittenAction> {
    let mut branches = Vec::new();
    loop {
        p.advance();
        let condition = p.expression()?;
        branches.push((condition, block(p)?));
        if !p.eat(Tok::Key("else")) {
            return Ok(WrittenAction::If(branches, Vec::new()));
        }
        if p.word() != "if" {
            return Ok(WrittenAction::If(branches, block(p)?));
        }
    }
}

fn block(p: &mut Parser<'_>) -> Parsed<Vec<WrittenAction>> {
    p.expect(Tok::Sym("{"))?;
    let all = actions(p)?;
    p.expect(Tok::Sym("}"))?;
    Ok(all)
}

/// Skips to the next line that begins with a word of the language.
fn skip(p: &mut Parser<'_>, text: &str) {
    let mut depth = 0_usize;
    let mut first = true;
    loop {
        match p.tok() {
            Tok::End => return,
            Tok::Sym("}") if depth == 0 => return,
            Tok::Sym("{") => depth += 1,
            Tok::Sym("}") => depth -= 1,
            _ if depth == 0
                && !first
                && (WORDS.contains(&p.word()) || p.word() == "layout")
                && family::begins_line(text, p.token().span) =>
            {
                return;
            }
            _ => {}
        }
        p.advance();
        first = false;
    }
}
