//! `veristep certify`: runs the independent checker on a certificate file.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use veristep_core::certificate::{self, Certificate, File, VERSION};
use veristep_core::formats::aiger;
use veristep_core::property::Property;
use veristep_core::run::Kind;
use veristep_core::text::count;

use crate::input::{self, BadInput, Language};
use crate::watch::Limits;
use crate::{HOLDS, VIOLATED, complain};

/// Arguments of `certify`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The model
    model: PathBuf,
    /// The certificate, written by `veristep check --certificate`
    certificate: PathBuf,
    /// The property that the certificate must prove; by default the property in the certificate
    #[arg(long, value_name = "TEXT")]
    property: Option<String>,
    /// Write each obligation of a 'holds' certificate as an SMT-LIB script to this folder; each script must be
    /// unsatisfiable
    #[arg(long, value_name = "FOLDER")]
    export: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
    #[command(flatten)]
    limits: Limits,
}

/// 0: accepted, 1: rejected.
pub(crate) fn run(arguments: &Arguments) -> Result<u8, BadInput> {
    let kind = arguments.language.kind(&arguments.model)?;
    let _watched =
        arguments.limits.watch(Duration::ZERO, |reason| complain(&format!("unknown: {reason}")))?;
    let model = input::read(&arguments.model)?;
    let name = arguments.certificate.display();
    if kind == Kind::Aiger && arguments.certificate.extension().is_some_and(|e| e == "wit") {
        return witness(arguments, &model);
    }
    let file: File = serde_json::from_str(&input::read(&arguments.certificate)?).map_err(|e| {
        BadInput::Mistake(format!("{name}:{}:{}: error: not a certificate: {e}", e.line(), e.column()))
    })?;
    if file.version != VERSION {
        return input::bad(format!(
            "{name}:1:1: error: certificates of version {} are not supported",
            file.version
        ));
    }
    if let Err(what) = file.of.is_of(kind, &model) {
        say!("rejected: {what}");
        return Ok(VIOLATED);
    }
    let asked = file.of.property();
    let system = input::model(&arguments.model, kind, &model, Some(asked))?;
    let property = input::property(&system, &format!("{name} (property)"), asked)?;
    if let Some(asked) = &arguments.property
        && input::property(&system, "property", asked)? != property
    {
        say!("rejected: the certificate is about another property: {}", property.text(&system));
        return Ok(VIOLATED);
    }
    if let Some(folder) = &arguments.export {
        let scripts = certificate::export(&system, &property, &file.certificate)
            .or_else(|why| input::bad(format!("{name}: error: {why}")))?;
        let failed = |e| BadInput::Mistake(format!("{}: error: {e}", folder.display()));
        std::fs::create_dir_all(folder).map_err(failed)?;
        scripts.iter().try_for_each(|s| input::write(&folder.join(&s.name), &s.text))?;
        say!("{} written to {}", count(scripts.len(), "script"), folder.display());
    }
    match certificate::check(&system, &property, &file.certificate) {
        Ok(report) => {
            let is_run = matches!(file.certificate, Certificate::Trace { .. } | Certificate::Lasso { .. });
            let verdict = if is_run == property.wants_run() { "holds" } else { "violated" };
            say!("accepted: {verdict}: {}", property.text(&system));
            report.sentences.iter().for_each(|s| say!("  {s}"));
            report.trusted.iter().for_each(|s| say!("  not checked: {s}"));
            Ok(HOLDS)
        }
        Err(why) => {
            say!("rejected: {why}");
            Ok(VIOLATED)
        }
    }
}

/// Checks a witness in AIGER's own format.
fn witness(arguments: &Arguments, model: &str) -> Result<u8, BadInput> {
    let kind = Kind::Aiger;
    let witness = input::read(&arguments.certificate)?;
    let system = input::model(&arguments.model, kind, model, None)?;
    let accepted = aiger::read_witness(model, &witness)
        .and_then(|c| certificate::check(&system, &Property::ErrorUnreachable, &c).map_err(|e| e.0));
    Ok(match accepted {
        Ok(report) => {
            say!("accepted: violated: bad-unreachable");
            report.sentences.iter().for_each(|s| say!("  {s}"));
            HOLDS
        }
        Err(why) => {
            say!("rejected: {why}");
            VIOLATED
        }
    })
}
