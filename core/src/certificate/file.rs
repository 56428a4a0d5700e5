//! Certificates as files, each bound to its model and its property.

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

use super::Certificate;
use crate::formats::Kind;
use crate::system::System;

/// The default property of a model.
const QUESTION: &str = "error-location-unreachable";

/// The version of the format.
pub const VERSION: u32 = 2;

/// A certificate with the identity of its model and property.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct File {
    /// The version of the format.
    pub version: u32,
    /// The identity.
    #[serde(flatten)]
    pub of: Identity,
    /// The certificate.
    pub certificate: Certificate,
}

/// The identity of a model and a property.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// The language of the model.
    kind: String,
    /// The SHA-256 of the model's text.
    model: String,
    property: String,
    /// The SHA-256 of the property's text.
    property_hash: String,
}

impl Identity {
    /// The identity of a model and a property as texts; without a property, the model's default is used.
    #[must_use]
    pub fn new(kind: Kind, model: &str, system: &System, property: &str) -> Identity {
        match (property.trim(), &system.embedded) {
            ("", Some((name, _))) => Identity::of_texts(kind, model, &format!("embedded:{name}")),
            ("", None) => Identity::of_texts(kind, model, QUESTION),
            _ => Identity::of_texts(kind, model, property),
        }
    }

    fn of_texts(kind: Kind, model: &str, property: &str) -> Identity {
        Identity {
            kind: kind.name().to_owned(),
            model: sha256(model),
            property: property.to_owned(),
            property_hash: sha256(property),
        }
    }

    /// The property.
    #[must_use]
    pub fn property(&self) -> &str {
        &self.property
    }

    /// Does the identity match a model?
    ///
    /// # Errors
    /// The reason why not.
    pub fn is_of(&self, kind: Kind, model: &str) -> Result<(), &'static str> {
        let here = Identity::of_texts(kind, model, &self.property);
        match () {
            () if here.property_hash != self.property_hash => Err("its property was changed"),
            () if here.kind != self.kind => Err("it is for another language or data model"),
            () if here.model != self.model => Err("it is for another model"),
            () => Ok(()),
        }
    }
}

impl File {
    /// A certificate file for a model and a property.
    #[must_use]
    pub fn new(of: Identity, certificate: Certificate) -> File {
        File { version: VERSION, of, certificate }
    }

    /// As JSON.
    ///
    /// # Panics
    /// Never: all data are serializable.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data") + "\n"
    }
}

fn sha256(text: &str) -> String {
    let digest = sha2::Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
