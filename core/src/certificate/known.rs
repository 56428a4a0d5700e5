//! The set of markings that the check of a certificate has reached, each as a few bytes.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// A set of markings, numbered in the order in which they were inserted.
#[derive(Default)]
pub(super) struct Known {
    /// The numbers of the markings, by the hash of their bytes.
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The bytes of all markings, and where those of each marking end.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The bytes of the marking that is inserted.
    new: Vec<u8>,
}

impl Known {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Inserts a marking, if it is new; gives its number.
    ///
    /// # Panics
    /// If there are more than 2³² markings.
    pub(super) fn insert(&mut self, marking: &[u32]) -> u32 {
        self.new.clear();
        write(marking, &mut self.new);
        let Known { table, hasher, bytes, ends, new } = self;
        let hash = hasher.hash_one(new.as_slice());
        if let Some(number) = table.find(hash, |n| bytes_of(bytes, ends, *n as usize) == new.as_slice()) {
            return *number;
        }
        let number = u32::try_from(ends.len()).expect("the number of markings is limited");
        bytes.extend_from_slice(new);
        ends.push(bytes.len());
        table.insert_unique(hash, number, |n| hasher.hash_one(bytes_of(bytes, ends, *n as usize)));
        number
    }

    /// Replaces the tokens of all places by those of a marking of the set.
    pub(super) fn read(&self, number: usize, marking: &mut [u32]) {
        marking.fill(0);
        let mut numbers = Numbers(bytes_of(&self.bytes, &self.ends, number));
        let mut place = 0;
        while let (Some(distance), Some(tokens)) = (numbers.next(), numbers.next()) {
            place += distance as usize;
            marking[place] = tokens;
        }
    }
}

fn bytes_of<'a>(bytes: &'a [u8], ends: &[usize], number: usize) -> &'a [u8] {
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &bytes[start..ends[number]]
}

/// Writes a marking: for each place with tokens, the distance from the one before it and the tokens, with seven bits
/// in a byte.
fn write(marking: &[u32], bytes: &mut Vec<u8>) {
    let mut number = |mut n: u32| {
        while n >= 128 {
            bytes.push((n % 128 + 128) as u8);
            n /= 128;
        }
        bytes.push(n as u8);
    };
    let mut last = 0;
    for (p, tokens) in marking.iter().enumerate().filter(|(_, tokens)| **tokens > 0) {
        number(u32::try_from(p - last).expect("places are numbered by 32 bits"));
        number(*tokens);
        last = p;
    }
}

/// The numbers that were written.
struct Numbers<'a>(&'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (first, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u32::from(first % 128) << shift;
            if *first < 128 {
                return Some(number);
            }
            shift += 7;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markings_are_found_and_read_again() {
        let markings: Vec<Vec<u32>> = (0..3_000_u32)
            .map(|n| (0..300).map(|p| if (n * 7 + p * p) % 61 == 0 { n * 131_071 + p } else { 0 }).collect())
            .collect();
        let mut different = markings.clone();
        different.sort();
        different.dedup();
        let mut known = Known::default();
        let numbers: Vec<u32> = markings.iter().map(|m| known.insert(m)).collect();
        assert_eq!(known.len(), different.len());
        let mut read = vec![9; 300];
        for (marking, number) in markings.iter().zip(numbers) {
            assert_eq!(known.insert(marking), number);
            known.read(number as usize, &mut read);
            assert_eq!(read, *marking);
        }
        let number = known.insert(&[u32::MAX; 300]);
        known.read(number as usize, &mut read);
        assert_eq!(read, [u32::MAX; 300]);
    }
}
