//! `veristep link`: the fragment of an address that opens a model in the page.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use veristep_core::link::{Link, MAX_FRAGMENT};

use crate::input::{self, BadInput, Language};
use crate::watch::Limits;
use crate::{HOLDS, complain};

/// Arguments of `link`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    model: PathBuf,
    /// The property
    #[arg(long, value_name = "TEXT", default_value = "")]
    property: String,
    /// Address of the page, printed before the link
    #[arg(long, value_name = "ADDRESS", default_value = "")]
    base: String,
    #[command(flatten)]
    language: Language,
    #[command(flatten)]
    limits: Limits,
}

/// Prints `#…`, the fragment of the page's address.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let _watched =
        arguments.limits.watch(Duration::ZERO, |reason| complain(&format!("unknown: {reason}")))?;
    let text = input::read(&arguments.model)?;
    let system = input::model(&arguments.model, kind, &text, Some(&arguments.property))?;
    input::property(&system, "property", &arguments.property)?;
    let link =
        Link { kind: kind.name().to_owned(), text, property: arguments.property.clone(), ..Link::default() };
    let fragment = link.encode();
    if fragment.len() > MAX_FRAGMENT {
        return input::bad(format!(
            "error: the link would have {} characters, the limit is {MAX_FRAGMENT}",
            fragment.len()
        ));
    }
    say!("{}{}{fragment}", arguments.base, if fragment.starts_with('#') { "" } else { "#" });
    Ok(HOLDS)
}
