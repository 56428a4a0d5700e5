//! Markings packed into words, with enabling tests and firings on whole words.
//!
//! Each place has a field of some bits, and above it a guard bit that is 0 in every marking. With the guard bits set, a
//! subtraction of weights from all fields of a word at once clears the guard bits of exactly those fields that are
//! smaller than the weight. A firing is one addition to each word that it changes; a guard bit that is set afterwards
//! means that the field is too small, and then the layout is replaced by a wider one. Places that have had at most one
//! token so far have a single bit, which is tested directly. Places that are connected are close to each other, so that
//! words have few different values.

use super::order::force;
use super::{Marking, Net, PlaceId, TransitionId};

/// Bits of a word.
const WORD: u32 = 64;
/// The greatest number of bits of a field: tokens are `u32`.
const WIDEST: u32 = 32;

/// The field of a place.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    /// A field of one bit has no guard bit.
    width: u32,
}

impl Field {
    fn most(self) -> u64 {
        (1 << self.width) - 1
    }

    /// Is it a single bit?
    fn is_flag(self) -> bool {
        self.width == 1
    }

    /// The bits with the guard bit.
    fn size(self) -> u32 {
        if self.is_flag() { 1 } else { self.width + 1 }
    }

    /// The bit that is set after a comparison if there are enough tokens: the guard bit, or the single bit itself.
    fn test(self) -> u64 {
        1 << (self.shift + self.size() - 1)
    }

    /// A number of tokens as it is subtracted in a comparison; a single bit is compared with 1 only.
    fn compared(self, tokens: u32) -> u64 {
        if self.is_flag() { 0 } else { u64::from(tokens) << self.shift }
    }
}

/// The part of a transition in one word.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    word: usize,
    /// The weights of the input arcs, in their fields, and the bits that are set if there are enough tokens.
    needed: u64,
    needs: u64,
    /// The weights of the inhibitor arcs, in their fields, and the bits that are set if there are that many tokens.
    limit: u64,
    limits: u64,
    /// What a firing adds, modulo 2^64.
    change: u64,
    /// The single bits that it sets.
    sets: u64,
}

/// A transition over packed markings.
#[derive(Clone, Debug)]
struct Move {
    parts: Vec<Part>,
    /// The first place whose field cannot hold what the transition adds to it.
    overflow: Option<PlaceId>,
}

/// The fields of all places, and the transitions over them.
#[derive(Clone, Debug)]
pub struct Layout {
    fields: Vec<Field>,
    order: Vec<PlaceId>,
    /// By word: its guard bits.
    guards: Vec<u64>,
    /// The transitions that can be enabled with these fields.
    moves: Vec<(TransitionId, Move)>,
}

/// A field is too small for the tokens of its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooNarrow(pub PlaceId);

impl Layout {
    /// Fields that hold at least these numbers of tokens.
    #[must_use]
    pub fn new(net: &Net, most: &[u32]) -> Layout {
        let widths: Vec<u32> = most.iter().map(|m| (u32::BITS - m.leading_zeros()).max(1)).collect();
        Layout::of_widths(net, &widths, &force(net))
    }

    fn of_widths(net: &Net, widths: &[u32], order: &[PlaceId]) -> Layout {
        let mut fields: Vec<Field> =
            widths.iter().map(|width| Field { word: 0, shift: 0, width: *width }).collect();
        let (mut guards, mut used) = (vec![0_u64], 0);
        for place in order {
            let field = &mut fields[place.index()];
            if used + field.size() > WORD {
                guards.push(0);
                used = 0;
            }
            (field.word, field.shift) = (guards.len() - 1, used);
            if !field.is_flag() {
                guards[field.word] |= field.test();
            }
            used += field.size();
        }
        let mut layout = Layout { fields, order: order.to_vec(), guards, moves: Vec::new() };
        let moves = net.transition_ids().filter_map(|t| Some((t, layout.movement(net, t)?)));
        layout.moves = moves.collect();
        layout
    }

    /// A transition; none if it needs more tokens than a field can hold.
    fn movement(&self, net: &Net, transition: TransitionId) -> Option<Move> {
        let t = net.transition(transition);
        let mut parts: Vec<Part> = Vec::new();
        let mut overflow = None;
        let part = |parts: &mut Vec<Part>, word: usize| match parts.iter().position(|p| p.word == word) {
            Some(at) => at,
            None => {
                parts.push(Part { word, ..Part::default() });
                parts.len() - 1
            }
        };
        for arc in &t.inputs {
            let field = self.fields[arc.place.index()];
            if u64::from(arc.weight) > field.most() {
                return None;
            }
            let at = part(&mut parts, field.word);
            parts[at].needed |= field.compared(arc.weight);
            parts[at].needs |= field.test();
        }
        for arc in &t.inhibitors {
            let field = self.fields[arc.place.index()];
            // A limit that the field cannot reach does not restrict.
            if u64::from(arc.weight) <= field.most() {
                let at = part(&mut parts, field.word);
                parts[at].limit |= field.compared(arc.weight);
                parts[at].limits |= field.test();
            }
        }
        for (place, change) in net.effect(transition) {
            let field = self.fields[place.index()];
            if change > 0 && change.unsigned_abs() > field.most() {
                overflow = overflow.or(Some(place));
            }
            let at = part(&mut parts, field.word);
            let moved = change.unsigned_abs().wrapping_shl(field.shift);
            let part = &mut parts[at];
            part.change =
                if change > 0 { part.change.wrapping_add(moved) } else { part.change.wrapping_sub(moved) };
            if change > 0 && field.is_flag() {
                part.sets |= field.test();
            }
        }
        Some(Move { parts, overflow })
    }

    /// A wider layout, for a field that was too small; none if tokens cannot be counted there any more.
    #[must_use]
    pub fn widened(&self, net: &Net, narrow: TooNarrow) -> Option<Layout> {
        let mut widths: Vec<u32> = self.fields.iter().map(|f| f.width).collect();
        let width = &mut widths[narrow.0.index()];
        if *width == WIDEST {
            return None;
        }
        // Repeated widening is frequent only while there are few markings.
        *width = (*width + width.div_ceil(2)).min(WIDEST);
        Some(Layout::of_widths(net, &widths, &self.order))
    }

    /// The number of words of a packed marking.
    #[must_use]
    pub fn words(&self) -> usize {
        self.guards.len()
    }

    /// Packs a marking.
    ///
    /// # Panics
    /// If a field is too small.
    #[must_use]
    pub fn pack(&self, marking: &[u32]) -> Vec<u64> {
        let mut words = vec![0; self.words()];
        for (field, tokens) in self.fields.iter().zip(marking) {
            assert!(u64::from(*tokens) <= field.most(), "the field is wide enough");
            words[field.word] |= u64::from(*tokens) << field.shift;
        }
        words
    }

    /// The tokens of a place.
    #[must_use]
    pub fn tokens(&self, words: &[u64], place: PlaceId) -> u32 {
        let field = self.fields[place.index()];
        u32::try_from(words[field.word] >> field.shift & field.most()).expect("fields have at most 32 bits")
    }

    /// Unpacks a marking.
    #[must_use]
    pub fn unpack(&self, words: &[u64]) -> Marking {
        (0..self.fields.len()).map(|p| self.tokens(words, PlaceId::new(p))).collect()
    }

    /// The number of transitions that can be enabled with these fields; they are numbered from 0.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    /// The transition of that number.
    #[must_use]
    pub fn transition(&self, number: usize) -> TransitionId {
        self.moves[number].0
    }

    /// Is the transition of that number enabled?
    #[must_use]
    #[inline]
    pub fn is_enabled(&self, words: &[u64], number: usize) -> bool {
        self.moves[number].1.parts.iter().all(|part| {
            let full = words[part.word] | self.guards[part.word];
            full.wrapping_sub(part.needed) & part.needs == part.needs
                && (part.limits == 0 || full.wrapping_sub(part.limit) & part.limits == 0)
        })
    }

    /// Fires the enabled transition of that number.
    ///
    /// # Errors
    /// If a field is too small; `words` are not a marking then.
    #[inline]
    pub fn fire(&self, words: &mut [u64], number: usize) -> Result<(), TooNarrow> {
        let movement = &self.moves[number].1;
        if let Some(place) = movement.overflow {
            return Err(TooNarrow(place));
        }
        let mut over = 0;
        for part in &movement.parts {
            let word = &mut words[part.word];
            over |= *word & part.sets;
            *word = word.wrapping_add(part.change);
            over |= *word & self.guards[part.word];
        }
        if over == 0 { Ok(()) } else { Err(self.narrow(words, number)) }
    }

    /// The words that a firing of the transition of that number changes.
    pub fn changed(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        self.moves[number].1.parts.iter().filter(|part| part.change != 0).map(|part| part.word)
    }

    /// The place whose field was too small for a firing, after it.
    #[cold]
    fn narrow(&self, words: &[u64], number: usize) -> TooNarrow {
        // A carry out of a single bit can set a guard bit above it, so single bits are tested first.
        let mut before = words.to_vec();
        for part in &self.moves[number].1.parts {
            before[part.word] = before[part.word].wrapping_sub(part.change);
        }
        let sets = |f: &Field| {
            let part = self.moves[number].1.parts.iter().find(|part| part.word == f.word);
            f.is_flag() && part.is_some_and(|part| part.sets & before[f.word] & f.test() != 0)
        };
        let guarded = |f: &Field| !f.is_flag() && words[f.word] & f.test() != 0;
        let over = self.fields.iter().position(sets).or_else(|| self.fields.iter().position(guarded));
        TooNarrow(PlaceId::new(over.expect("a field is too small")))
    }
}
