//! Links to a model and to one exact step of its run.
//!
//! `#` + one version character + base64url(deflate(checksum, fields)). The fields are ordered by importance, model text
//! first, so that the model survives if a chat program truncates the link. A link is untrusted input: its size is
//! bounded before and after inflation, and decoding never panics.

use data_encoding::BASE64URL_NOPAD;
use miniz_oxide::inflate::stream::{self, InflateState};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use serde::{Deserialize, Serialize};

use crate::kit::{Journal, Role, fnv1a};

mod address;

pub use address::{Place, address_of, find};

/// The version character of links that are created here.
pub const VERSION: char = '1';
/// The limit on characters of a link.
pub const MAX_FRAGMENT: usize = 64 * 1024;
/// The limit on bytes after inflation.
pub const MAX_CONTENT: usize = 1024 * 1024;
/// The same limit for models that are kept.
const MAX_KEPT: usize = 16 * 1024 * 1024;
/// The compression level: the highest, since links are short.
const LEVEL: u8 = 10;

/// The contents of a link.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// The format of the model, as a file extension: `cfa`.
    pub kind: String,
    /// The model.
    pub text: String,
    /// The property; empty for that of the model.
    pub property: String,
    /// Options by name.
    pub options: Vec<(String, String)>,
    /// The current step.
    pub cursor: Option<Cursor>,
    /// The state of the page, by name.
    pub view: Vec<(String, String)>,
    /// The verdict as text; recomputed when the link is opened.
    pub verdict: String,
    /// The edges of the counterexample.
    pub trace: Vec<u32>,
}

/// A step of a run: its index, validated by a hash, and an address that survives changes of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cursor {
    /// The number of events before the step.
    pub index: u32,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The role of the phase of the last event.
    pub role: Option<Role>,
    /// The number of events of this role so far in this iteration.
    pub nth: u32,
    /// [`Journal::prefix_hash`] of the preceding events.
    pub hash: u32,
}

/// Why nothing could be decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// An unknown version.
    Version(char),
    /// The limit on characters, which is exceeded.
    TooLong(usize),
    /// No field could be decoded.
    Unreadable,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Broken::Version(c) => {
                write!(f, "This link has the format '{}', which is not supported.", c.escape_default())
            }
            Broken::TooLong(limit) => write!(f, "This link is longer than {limit} characters."),
            Broken::Unreadable => f.write_str("This link is damaged and cannot be decoded."),
        }
    }
}

/// A link, as far as it could be decoded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    /// The decoded fields; lost ones are empty.
    pub link: Link,
    /// Names of the lost fields.
    pub lost: Vec<&'static str>,
    /// Is the checksum correct?
    pub intact: bool,
}

impl Link {
    /// The fragment, `#` included.
    #[must_use]
    pub fn encode(&self) -> String {
        let body = self.body();
        let mut content = fnv1a(body.iter().copied()).to_le_bytes().to_vec();
        content.extend(body);
        let packed = miniz_oxide::deflate::compress_to_vec(&content, LEVEL);
        format!("#{VERSION}{}", BASE64URL_NOPAD.encode(&packed))
    }

    fn body(&self) -> Vec<u8> {
        let fields = (
            &self.kind,
            &self.text,
            &self.property,
            &self.options,
            self.cursor,
            &self.view,
            &self.verdict,
            &self.trace,
        );
        postcard::to_allocvec(&fields).expect("strings and numbers can be written")
    }

    /// Decodes a fragment, with or without `#`.
    ///
    /// # Errors
    /// If nothing could be decoded.
    pub fn decode(fragment: &str) -> Result<Opened, Broken> {
        if fragment.strip_prefix('#').unwrap_or(fragment).len() > MAX_FRAGMENT {
            // Another version is the more important problem.
            let version =
                fragment.trim_start_matches('#').chars().next().filter(|version| *version != VERSION);
            return Err(version.map_or(Broken::TooLong(MAX_FRAGMENT), Broken::Version));
        }
        Link::unpacked(fragment, MAX_CONTENT)
    }

    /// Decodes what [`encode`](Link::encode) made of a long text: not from a link, but from where it was kept.
    ///
    /// # Errors
    /// If nothing could be decoded.
    pub fn unpack(fragment: &str) -> Result<Opened, Broken> {
        Link::unpacked(fragment, MAX_KEPT)
    }

    fn unpacked(fragment: &str, most: usize) -> Result<Opened, Broken> {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        let version = fragment.chars().next().ok_or(Broken::Unreadable)?;
        if version != VERSION {
            return Err(Broken::Version(version));
        }
        let packed = unbase(&fragment[version.len_utf8()..]);
        let content = inflate(&packed, most);
        let (sum, body) = content.split_first_chunk::<4>().ok_or(Broken::Unreadable)?;
        let intact = u32::from_le_bytes(*sum) == fnv1a(body.iter().copied());
        let mut reader = Reader { rest: body, lost: Vec::new() };
        let link = reader.link();
        if link.text.is_empty() && !intact {
            return Err(Broken::Unreadable);
        }
        Ok(Opened { link, lost: reader.lost, intact })
    }
}

/// Decodes as many whole characters as are valid.
fn unbase(text: &str) -> Vec<u8> {
    let valid = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count();
    let mut length = valid;
    // A truncated link may end with one surplus character or with an incomplete byte.
    while length > 0 {
        if let Ok(bytes) = BASE64URL_NOPAD.decode(&text.as_bytes()[..length]) {
            return bytes;
        }
        length -= 1;
        if valid - length > 4 {
            break;
        }
    }
    Vec::new()
}

/// Inflates up to this number of bytes, and stops early where data are truncated or damaged.
fn inflate(mut packed: &[u8], most: usize) -> Vec<u8> {
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let mut content = Vec::new();
    let mut chunk = [0; 8192];
    while content.len() < most {
        let result = stream::inflate(&mut state, packed, &mut chunk, MZFlush::None);
        let made = &chunk[..result.bytes_written];
        content.extend(&made[..made.len().min(most - content.len())]);
        packed = &packed[result.bytes_consumed..];
        let stuck = result.bytes_written == 0 && result.bytes_consumed == 0;
        if stuck || result.status != Ok(MZStatus::Ok) {
            break;
        }
    }
    content
}

/// Decodes field by field; the first that fails and all later ones are lost.
struct Reader<'a> {
    rest: &'a [u8],
    lost: Vec<&'static str>,
}

impl<'a> Reader<'a> {
    fn link(&mut self) -> Link {
        Link {
            kind: self.field("the kind of model"),
            text: self.text(),
            property: self.field("the property"),
            options: self.field("the options"),
            cursor: self.field("the step"),
            view: self.field("the view"),
            verdict: self.field("the verdict"),
            trace: self.field("the counterexample"),
        }
    }

    fn field<T: Default + Deserialize<'a>>(&mut self, name: &'static str) -> T {
        if !self.lost.is_empty() {
            self.lost.push(name);
            return T::default();
        }
        if let Ok((value, rest)) = postcard::take_from_bytes(self.rest) {
            self.rest = rest;
            value
        } else {
            self.lost.push(name);
            T::default()
        }
    }

    /// The model; its beginning if it was truncated.
    fn text(&mut self) -> String {
        let before = self.rest;
        let text: String = self.field("the end of the model");
        let cut_here = text.is_empty() && self.lost == ["the end of the model"];
        if !cut_here {
            return text;
        }
        let Ok((_, bytes)) = postcard::take_from_bytes::<u32>(before) else { return text };
        let good = match std::str::from_utf8(bytes) {
            Ok(all) => all,
            Err(e) => std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(),
        };
        good.to_owned()
    }
}

impl Cursor {
    /// The step after `index` events of a journal.
    #[must_use]
    pub fn at(journal: &Journal, index: usize) -> Cursor {
        let index = index.min(journal.events.len());
        let (iteration, role, nth) = address_of(&journal.events[..index]);
        Cursor {
            index: u32::try_from(index).unwrap_or(u32::MAX),
            iteration,
            role,
            nth,
            hash: journal.prefix_hash(index),
        }
    }
}

#[cfg(test)]
mod tests;
