//! Maps and sets with a small fixed hash function. Keys are internal ids and terms, so no protection against chosen
//! keys and no seed is needed; small queries spend most of their time in look-ups.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Folding>>;
/// A set.
pub type Set<K> = HashSet<K, BuildHasherDefault<Folding>>;

/// The hash function: each word is multiplied in, and the two halves of the product are folded.
#[derive(Clone, Copy, Default, Debug)]
pub struct Folding(u64);

const MULTIPLIER: u128 = 0x9E37_79B9_7F4A_7C15;

impl Folding {
    #[inline]
    fn word(&mut self, word: u64) {
        let product = u128::from(self.0.rotate_left(29) ^ word ^ 0x51_7C_C1_B7_27_22_0A_95) * MULTIPLIER;
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let (low, high) = (product as u64, (product >> 64) as u64);
        self.0 = low ^ high;
    }
}

impl Hasher for Folding {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, i: u8) {
        self.word(u64::from(i));
    }

    #[inline]
    fn write_u32(&mut self, i: u32) {
        self.word(u64::from(i));
    }

    #[inline]
    fn write_u64(&mut self, i: u64) {
        self.word(i);
    }

    #[inline]
    fn write_usize(&mut self, i: usize) {
        self.word(i as u64);
    }

    #[inline]
    fn write_i64(&mut self, i: i64) {
        self.word(i.cast_unsigned());
    }

    #[inline]
    fn write_isize(&mut self, i: isize) {
        self.word(i.cast_unsigned() as u64);
    }
}
