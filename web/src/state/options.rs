//! The options of runs, by name: those that differ from the defaults are kept. The engine sends the list of options.

use veristep_core::methods::{auto, under};
use veristep_core::run::{Kind, Options};

use crate::protocol::RunOption;

/// Options with their values.
pub type Values = Vec<(String, String)>;

/// The value of an option.
#[must_use]
pub fn value<'a>(known: &'a [RunOption], all: &'a [(String, String)], name: &str) -> &'a str {
    let usual = || {
        let mut named = known.iter().filter(|o| o.name == name);
        let applying = named.clone().find(|o| applies(known, all, o));
        applying.or_else(|| named.next()).map_or("", |o| &o.usual)
    };
    all.iter().find(|(n, _)| n == name).map_or_else(usual, |(_, value)| value)
}

/// Is an option applicable with the others?
#[must_use]
pub fn applies(known: &[RunOption], all: &[(String, String)], option: &RunOption) -> bool {
    option.only.iter().all(|(name, of)| of.iter().any(|v| v == value(known, all, name)))
}

/// Sets an option; options that are no longer applicable are removed.
pub fn set(known: &[RunOption], all: &mut Values, name: &str, to: &str) {
    let before = std::mem::take(all);
    let kept = before.into_iter().filter(|(n, _)| n != name).chain([(name.to_owned(), to.to_owned())]);
    let chosen: Values = kept.collect();
    let keeps = |o: &&RunOption| {
        let value = value(known, &chosen, &o.name);
        // Methods have options of the same name with other values.
        let possible = o.choices.is_empty() || o.choices.iter().any(|(c, _)| c == value);
        value != o.usual && possible && applies(known, &chosen, o)
    };
    let pair = |o: &RunOption| (o.name.clone(), value(known, &chosen, &o.name).to_owned());
    *all = known.iter().filter(keeps).map(pair).collect();
}

/// Programs and automata with more lines are large.
const LARGE: usize = 200;

/// The default method for a model; none for the general default. Small programs and automata are for
/// stepping through one strategy, guarded commands for the method of their paper; transition systems, circuits and
/// large programs use a schedule of several.
#[must_use]
pub fn method(kind: Kind, text: &str) -> Option<(String, String)> {
    let method = match kind {
        Kind::Gc => &under::ABOUT,
        Kind::Cfa | Kind::C | Kind::CLp64 if text.lines().nth(LARGE).is_none() => return None,
        _ => &auto::ABOUT,
    };
    Some((Options::ENGINE.to_owned(), method.name.to_owned()))
}

/// The options of a text that replaces another one: the default method is adjusted, unless options were chosen.
pub fn follow(all: &mut Values, before: Option<(String, String)>, now: Option<(String, String)>) {
    if before != now && all.iter().eq(before.iter()) {
        *all = now.into_iter().collect();
    }
}
