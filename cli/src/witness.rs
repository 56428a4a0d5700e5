//! Witnesses of verdicts on programs: the parts known to the command line only, the file, its hash and the time.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};
use veristep_core::certificate::Certificate;
use veristep_core::formats::c::{self, DataModel, Task};
use veristep_core::system::System;

/// The witness of a certificate, as YAML.
pub(crate) fn witness(
    (model, sizes): (&Path, DataModel),
    system: &System,
    text: &str,
    certificate: &Certificate,
) -> String {
    let hash: Vec<u8> = Sha256::digest(text.as_bytes()).to_vec();
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let name = Sha256::digest([hash.as_slice(), &seconds.to_le_bytes()].concat());
    let task = Task {
        file: model.display().to_string(),
        hash: hex(&hash),
        created: date(seconds),
        uuid: uuid(&name),
        model: sizes,
    };
    c::witness(system, text, certificate, &task)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A UUID of version 8 of RFC 9562, whose content is free.
fn uuid(bytes: &[u8]) -> String {
    let mut b: [u8; 16] = bytes[..16].try_into().expect("sixteen bytes");
    b[6] = 0x80 | b[6] & 0x0f;
    b[8] = 0x80 | b[8] & 0x3f;
    let h = hex(&b);
    format!("{}-{}-{}-{}-{}", &h[..8], &h[8..12], &h[12..16], &h[16..20], &h[20..])
}

/// A time in the format of RFC 3339. The date is the civil date of a number of days since 1970.
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that the leap day is the last one.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_709_164_800), "2024-02-29T00:00:00Z");
        assert_eq!(date(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn numbers_have_their_form() {
        assert_eq!(uuid(&[0xff; 32]), "ffffffff-ffff-8fff-bfff-ffffffffffff");
    }
}
