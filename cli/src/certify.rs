//! `veristep certify`: the independent checker on a certificate file.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use veristep_core::certificate::{self, Certificate};
use veristep_core::formats::aiger;
use veristep_core::property::Property;
use veristep_core::run::Kind;

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
    let name = arguments.certificate.display();
    if kind == Kind::Aiger && arguments.certificate.extension().is_some_and(|e| e == "wit") {
        let witness = input::read(&arguments.certificate)?;
        let system = input::model(&arguments.model, kind, &model, None)?;
        let accepted = aiger::read_witness(&model, &witness)
            .and_then(|c| certificate::check(&system, &Property::ErrorUnreachable, &c).map_err(|e| e.0));
        return Ok(match accepted {
            Ok(report) => {
                say!("accepted: violated: bad-unreachable");
                report.sentences.iter().for_each(|s| say!("  {s}"));
                HOLDS
            }
            Err(why) => {
                say!("rejected: {why}");
                VIOLATED
            }
        });
    }
    let file: File = serde_json::from_str(&input::read(&arguments.certificate)?).map_err(|e| {
        BadInput::Mistake(format!("{name}:{}:{}: error: not a certificate: {e}", e.line(), e.column()))
    })?;
    if file.version != 1 {
        return input::bad(format!(
            "{name}:1:1: error: certificates of version {} are not supported",
            file.version
        ));
    }
    let system = input::model(&arguments.model, kind, &model, Some(&file.property))?;
    let property = input::property(&system, &format!("{name} (property)"), &file.property)?;
    if let Some(asked) = &arguments.property
        && input::property(&system, "property", asked)? != property
    {
        say!("rejected: the certificate is about another property: {}", property.text(&system));
        return Ok(VIOLATED);
    }
    match certificate::check(&system, &property, &file.certificate) {
        Ok(report) => {
            let is_run = matches!(file.certificate, Certificate::Trace { .. } | Certificate::Lasso { .. });
            let verdict = if is_run == property.wants_run() { "holds" } else { "violated" };
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
