//! Versions written in two places agree: Trunk refuses a wasm-bindgen or wasm-opt other than the one in its
//! configuration, and its configuration must follow the lock files.

use super::File;
use crate::setup;

pub(super) fn check(files: &[File]) -> Vec<String> {
    let text = |path: &str| files.iter().find(|file| file.path == path).map(|file| file.text.as_str());
    let (Some(trunk), Some(lock), Some(packages)) =
        (text("Trunk.toml"), text("Cargo.lock"), text("package.json"))
    else {
        return vec!["Trunk.toml, Cargo.lock or package.json is not there".into()];
    };
    let mut findings = Vec::new();
    let mut same = |tool: &str, wanted: Option<String>| {
        let named = quoted_after(trunk, &format!("{tool} = "));
        if named.is_none() || named != wanted {
            findings.push(format!("Trunk.toml: {tool} is {named:?} but {wanted:?} is locked"));
        }
    };
    same("wasm_bindgen", setup::locked_version(lock, "wasm-bindgen").ok());
    let binaryen = quoted_after(packages, "\"binaryen\": ");
    same("wasm_opt", binaryen.and_then(|version| Some(format!("version_{}", version.split('.').next()?))));
    findings
}

fn quoted_after(text: &str, before: &str) -> Option<String> {
    let rest = &text[text.find(before)? + before.len()..];
    rest.strip_prefix('"')?.split('"').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::file;

    fn findings(bindgen: &str, opt: &str) -> usize {
        check(&[
            file("Trunk.toml", &format!("[tools]\nwasm_bindgen = \"{bindgen}\"\nwasm_opt = \"{opt}\"\n")),
            file("Cargo.lock", "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n"),
            file("package.json", "{ \"binaryen\": \"132.0.0\" }"),
        ])
        .len()
    }

    #[test]
    fn a_version_that_drifted_is_found() {
        assert_eq!(findings("0.2.130", "version_132"), 0);
        assert_eq!(findings("0.2.129", "version_132"), 1);
        assert_eq!(findings("0.2.130", "version_131"), 1);
        assert_eq!(check(&[]).len(), 1);
    }
}
