//! The options of runs, by name: those that differ from the usual ones are kept. Which there are the engine tells.

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

/// Has an option a meaning beside the others?
#[must_use]
pub fn applies(known: &[RunOption], all: &[(String, String)], option: &RunOption) -> bool {
    option.only.iter().all(|(name, of)| of.iter().any(|v| v == value(known, all, name)))
}

/// Sets an option; what has no meaning beside it any more goes.
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
