//! Files and properties from the command line.

use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use veristep_core::diagnostic::{Diagnostic, LineIndex, Severity};
use veristep_core::formats::aiger;
use veristep_core::formats::c::DataModel;
use veristep_core::property::Property;
use veristep_core::run::{self, Kind};
use veristep_core::system::System;

/// Input without a verdict, with the reason in words.
pub(crate) enum BadInput {
    /// A mistake of the user.
    Mistake(String),
    /// Valid, but not supported.
    Unsupported(String),
}

pub(crate) fn bad<T>(message: impl Into<String>) -> Result<T, BadInput> {
    Err(BadInput::Mistake(message.into()))
}

/// Limit of a file in bytes.
const BYTES: u64 = 64 << 20;

/// Reads a file as text; a binary AIGER circuit is converted to the ASCII format.
pub(crate) fn read(path: &Path) -> Result<String, BadInput> {
    let failed = |e| BadInput::Mistake(format!("{}: error: {e}", path.display()));
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > BYTES {
        return bad(format!("{}: error: the file has more than {BYTES} bytes", path.display()));
    }
    if let Some(text) = aiger::ascii(&bytes) {
        return text.or_else(|why| bad(format!("{}:1:1: error: {why}", path.display())));
    }
    if let Some(text) = transcoded(&bytes) {
        return Ok(text);
    }
    let text = String::from_utf8(bytes);
    text.map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].split(|b| *b == b'\n').count();
        BadInput::Mistake(format!("{}:{line}:1: error: the file is not UTF-8 text", path.display()))
    })
}

/// The text of a file in UTF-16 with a byte order mark, or of an XML file that declares an encoding of Latin letters
/// with one byte each (ISO 8859-1).
fn transcoded(bytes: &[u8]) -> Option<String> {
    let units = |unit: fn([u8; 2]) -> u16| {
        let pairs = bytes[2..].chunks_exact(2);
        let is_whole = pairs.remainder().is_empty();
        let units: Vec<u16> = pairs.map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16(&units).ok().filter(|_| is_whole)
    };
    match bytes {
        [0xff, 0xfe, ..] => return units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return units(u16::from_be_bytes),
        _ => {}
    }
    let declaration = bytes.split(|b| *b == b'>').next().filter(|first| first.starts_with(b"<?xml"))?;
    let declaration = String::from_utf8_lossy(declaration).to_ascii_lowercase();
    let is_latin = ["iso-8859-1", "latin1", "us-ascii"].iter().any(|e| declaration.contains(e));
    is_latin.then(|| bytes.iter().map(|b| char::from(*b)).collect())
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), BadInput> {
    std::fs::write(path, text).map_err(|e| BadInput::Mistake(format!("{}: error: {e}", path.display())))
}

/// The language of a model.
#[derive(Args, Clone, Debug)]
pub(crate) struct Language {
    /// The kind of model, if the file extension does not determine it
    #[arg(long)]
    kind: Option<String>,
    /// Data model of C: ILP32 (long has 32 bits) or LP64 (long has 64)
    #[arg(long, value_name = "MODEL", value_parser = ["ILP32", "LP64"], ignore_case = true)]
    data_model: Option<String>,
}

impl Language {
    /// The kind of a model.
    ///
    /// # Errors
    /// If it is not known, or has no data model although one is given.
    pub(crate) fn kind(&self, path: &Path) -> Result<Kind, BadInput> {
        let kind = kind(path, self.kind.as_deref())?;
        let Some(model) = &self.data_model else { return Ok(kind) };
        let model = if model.eq_ignore_ascii_case("LP64") { DataModel::Lp64 } else { DataModel::Ilp32 };
        kind.with(model)
            .ok_or_else(|| BadInput::Mistake("error: --data-model is for programs in C".to_owned()))
    }
}

/// The given kind, or the one of the file extension.
fn kind(path: &Path, named: Option<&str>) -> Result<Kind, BadInput> {
    let name = named.or_else(|| path.extension().and_then(|e| e.to_str())).unwrap_or("");
    // Several tools write nets as XML.
    if named.is_none() && name.eq_ignore_ascii_case("xml") {
        return Ok(match Kind::guess(&read(path)?) {
            Kind::Pnml => Kind::Pnml,
            _ => Kind::Romeo,
        });
    }
    match Kind::of_name(name) {
        Some(kind) => Ok(kind),
        None if named.is_some() => bad(format!(
            "error: models of kind '{name}' are not supported yet; supported: {}",
            Kind::names(", ")
        )),
        None => bad(format!(
            "{}: error: the file name does not determine the kind of model; give it with --kind",
            path.display()
        )),
    }
}

/// Reads a model, for a property if one is given.
pub(crate) fn model(path: &Path, kind: Kind, text: &str, asked: Option<&str>) -> Result<System, BadInput> {
    run::load_for(kind, text, asked).map_err(|d| render(&path.display().to_string(), text, &d))
}

/// Reads a property; the empty text is the format's own. `origin` is the source of the text: a file, or the place of a
/// query in one with the id after `#`.
pub(crate) fn property(system: &System, origin: &str, text: &str) -> Result<Property, BadInput> {
    run::property(system, text).map_err(|d| match (text.trim(), origin.split_once('#')) {
        ("", _) => BadInput::Mistake(format!("error: {}; give a property with --property", d[0].message)),
        // The text was made from the query.
        (_, Some((place, id))) => {
            let one = |d: &Diagnostic| format!("{place}: error: the query '{id}': {}", d.message);
            refused(d.iter().map(one).collect::<Vec<_>>().join("\n"), &d)
        }
        _ => render(origin, text, &d),
    })
}

/// The message about these diagnostics.
fn refused(message: String, diagnostics: &[Diagnostic]) -> BadInput {
    let understood = diagnostics.iter().all(|d| d.severity == Severity::Unsupported);
    if understood { BadInput::Unsupported(message) } else { BadInput::Mistake(message) }
}

pub(crate) fn render(file: &str, text: &str, diagnostics: &[Diagnostic]) -> BadInput {
    let lines = LineIndex::new(text);
    refused(diagnostics.iter().map(|d| d.render(file, &lines)).collect::<Vec<_>>().join("\n"), diagnostics)
}

/// A time limit in seconds.
pub(crate) fn limit(timeout: Option<f64>) -> Result<Option<Duration>, BadInput> {
    let Some(seconds) = timeout else { return Ok(None) };
    match Duration::try_from_secs_f64(seconds) {
        Ok(limit) if !limit.is_zero() => Ok(Some(limit)),
        _ => bad("error: --timeout needs a positive number of seconds"),
    }
}
