//! `veristep certify`: the independent checker on a certificate file.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use veristep_core::certificate::{self, Certificate};

use crate::input::{self, BadInput};
use crate::{HOLDS, VIOLATED};

/// Arguments of `certify`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    model: PathBuf,
    /// The certificate, as `veristep check --certificate` wrote it
    certificate: PathBuf,
    /// The property that the certificate must be about; without it, the one that the certificate names
    #[arg(long, value_name = "TEXT")]
    property: Option<String>,
    /// The kind of model, if the file's name does not tell
    #[arg(long)]
    kind: Option<String>,
}

/// A certificate file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The version of this format: 1.
    version: u32,
    property: String,
    certificate: Certificate,
}

/// The text of a certificate file.
pub(crate) fn file_text(property: &str, certificate: &Certificate) -> String {
    let file = File { version: 1, property: property.to_owned(), certificate: certificate.clone() };
    let mut text = serde_json::to_string_pretty(&file).expect("plain data");
    text.push('\n');
    text
}

/// 0: accepted, 1: rejected.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = input::kind(&arguments.model, arguments.kind.as_deref())?;
    let model = input::read(&arguments.model)?;
    let system = input::model(&arguments.model, kind, &model)?;
    let name = arguments.certificate.display();
    let file: File = serde_json::from_str(&input::read(&arguments.certificate)?).map_err(|e| {
        BadInput::Mistake(format!("{name}:{}:{}: error: not a certificate: {e}", e.line(), e.column()))
    })?;
    if file.version != 1 {
        return input::bad(format!(
            "{name}:1:1: error: certificates of version {} are not supported",
            file.version
        ));
    }
    let property = input::property(&system, &format!("{name} (property)"), &file.property)?;
    if let Some(asked) = &arguments.property
        && input::property(&system, "property", asked)? != property
    {
        say!("rejected: the certificate is about another property: {}", property.text(&system));
        return Ok(VIOLATED);
    }
    match certificate::check(&system, &property, &file.certificate) {
        Ok(report) => {
            let verdict = match file.certificate {
                Certificate::Invariant { .. } => "holds",
                Certificate::Trace { .. } => "violated",
            };
            say!("accepted: {verdict}: {}", property.text(&system));
            report.sentences.iter().for_each(|s| say!("  {s}"));
            Ok(HOLDS)
        }
        Err(why) => {
            say!("rejected: {why}");
            Ok(VIOLATED)
        }
    }
}
