//! A list in shared chunks: a clone shares all of them, and a change copies one. Views of long runs are cloned at each
//! step, which changes few nodes of many.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// The number of items of a chunk.
const SIZE: usize = 128;

/// A list whose clones share what they have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunks<T> {
    /// All but the last have [`SIZE`] items, and the last has at least one.
    chunks: Vec<Arc<Vec<T>>>,
}

impl<T> Default for Chunks<T> {
    fn default() -> Chunks<T> {
        Chunks { chunks: Vec::new() }
    }
}

impl<T: Clone> Chunks<T> {
    /// The number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * SIZE + last.len())
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// An item, if there are as many.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index / SIZE)?.get(index % SIZE)
    }

    /// All items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        if self.len().is_multiple_of(SIZE) {
            self.chunks.push(Arc::new(Vec::with_capacity(SIZE)));
        }
        if let Some(last) = self.chunks.last_mut() {
            Arc::make_mut(last).push(item);
        }
    }
}

impl<T: Clone> Index<usize> for Chunks<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.chunks[index / SIZE][index % SIZE]
    }
}

impl<T: Clone> IndexMut<usize> for Chunks<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.chunks[index / SIZE])[index % SIZE]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_and_keep_their_items() {
        let mut list = Chunks::default();
        let mut clones = Vec::new();
        for item in 0..1_000_usize {
            assert_eq!((list.len(), list.get(item)), (item, None));
            list.push(item);
            clones.push(list.clone());
        }
        list[300] = 7;
        for (index, clone) in clones.iter().enumerate() {
            assert!(clone.iter().copied().eq(0..=index), "a clone of {} items", index + 1);
        }
        assert_eq!((list[299], list[300], list.get(999)), (299, 7, Some(&999)));
        let shared = list.chunks.iter().zip(&clones[999].chunks).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
        assert_eq!((list.chunks.len(), shared), (8, 7), "one chunk was copied");
        assert!(Chunks::<u8>::default().is_empty());
    }
}
