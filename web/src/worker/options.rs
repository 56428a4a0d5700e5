//! The options of runs as sent to the page, which needs no change for a new option.

use veristep_core::methods::options::MethodOption;
use veristep_core::run::{Method, Options};

use crate::protocol::RunOption;

/// All options, in the order of the page.
pub(super) fn options() -> Vec<RunOption> {
    let described = |m: &Method| (m.name().to_owned(), m.what().to_owned());
    let method = RunOption {
        name: Options::ENGINE.to_owned(),
        title: "Method".to_owned(),
        usual: Method::default().name().to_owned(),
        choices: Method::ALL.iter().map(described).collect(),
        hint: String::new(),
        only: Vec::new(),
    };
    let of = |m: Method| (m.about().options)().into_iter().map(move |option| offered(m, option));
    [method].into_iter().chain(Method::ALL.into_iter().flat_map(of)).collect()
}

/// An option of a method.
fn offered(method: Method, option: MethodOption) -> RunOption {
    let pair = |(name, values): (&str, Vec<&str>)| {
        (name.to_owned(), values.into_iter().map(str::to_owned).collect())
    };
    let engine = (Options::ENGINE, vec![method.name()]);
    RunOption {
        name: option.name.to_owned(),
        title: option.title.to_owned(),
        usual: option.usual,
        choices: option.choices.iter().map(|(c, what)| ((*c).to_owned(), (*what).to_owned())).collect(),
        hint: option.hint.to_owned(),
        only: [engine].into_iter().chain(option.only).map(pair).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::options::set;

    #[test]
    fn only_what_is_unusual_and_has_a_meaning_is_kept() {
        let (known, mut all) = (options(), vec![]);
        let mut after = |name: &str, value: &str| -> Vec<String> {
            set(&known, &mut all, name, value);
            all.iter().map(|(n, v)| format!("{n}={v}")).collect()
        };
        after("domain", "expl");
        after("search", "err");
        assert_eq!(after("max-enum", "5"), ["domain=expl", "max-enum=5", "search=err"]);
        assert_eq!(after("domain", "pred-bool"), ["domain=pred-bool", "search=err"]);
        assert_eq!(after("search", "bfs"), ["domain=pred-bool"]);
        assert_eq!(after("engine", "split"), ["engine=split"]);
        assert_eq!(after("domain", "expl"), ["engine=split", "domain=expl"]);
        after("refinement", "seq");
        assert_eq!(
            after("initial", "x < 2"),
            ["engine=split", "domain=expl", "refinement=seq", "initial=x < 2"]
        );
        assert_eq!(after("engine", "auto"), ["engine=auto"]);
        after("engine", "k-liveness");
        assert_eq!(after("bound", "7"), ["engine=k-liveness", "bound=7"]);
        after("engine", "explicit");
        assert_eq!(after("emptiness", "components"), ["engine=explicit", "emptiness=components"]);
    }
}
