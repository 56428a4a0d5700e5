//! A compressed set of packed markings: tree compression (Laarman, van de Pol and Weber, "Parallel Recursive State
//! Compression for Free", 2011), with a table of pairs at each node.
//!
//! The halves of the words are the leaves of a binary tree. A node above the leaves stands for a pair of numbers by its
//! index in a table that all nodes share, so that parts which many markings have in common are stored once. The root
//! is a pair, too; a marking is a slot of the table of roots, which costs 8 bytes divided by the table's load. Markings
//! are numbered in the order in which they were inserted.

/// A slot of the table of roots without a marking.
const EMPTY: u64 = u64::MAX;
/// The slot of the marking whose root is [`EMPTY`]: 64 places with one token each.
const ALL_ONES: u32 = u32::MAX;
/// A slot of a table of indices without an index.
const NONE: u32 = u32::MAX;
/// The greatest number of markings or pairs.
const MOST: usize = u32::MAX as usize - 1;

/// The store cannot number any more markings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The set of markings.
#[derive(Clone, Debug)]
pub struct Store {
    shape: Shape,
    inner: Pairs,
    /// The roots, by hash.
    roots: Vec<u64>,
    /// By slot of `roots`, the number of the marking, if this is asked for.
    numbers: Option<Vec<u32>>,
    /// By number of the marking, the slot of its root.
    slots: Vec<u32>,
    /// The number of the marking whose slot is [`ALL_ONES`].
    all_ones: Option<usize>,
}

/// The root of a marking's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root(u64);

/// The numbers of nodes on each level of the tree, from the leaves to the two children of the root, and where each
/// level starts in a [`Tree`].
#[derive(Clone, Debug)]
struct Shape {
    levels: Vec<(usize, usize)>,
    nodes: usize,
}

/// A marking with the numbers at all nodes of its tree below the root.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The packed marking.
    pub words: Vec<u64>,
    nodes: Vec<u32>,
}

impl Tree {
    /// Makes this a copy of another one.
    pub fn copy_from(&mut self, other: &Tree) {
        self.words.clone_from(&other.words);
        self.nodes.clone_from(&other.nodes);
    }
}

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The marking is new, with this number.
    New(usize),
    /// The marking is known; with its number, if the store has them.
    Known(Option<usize>),
}

impl Store {
    /// An empty set of markings of this many words. With `numbered`, known markings are found with their numbers.
    #[must_use]
    pub fn new(words: usize, numbered: bool) -> Store {
        let roots = vec![EMPTY; 1 << 10];
        let numbers = numbered.then(|| vec![NONE; roots.len()]);
        let shape = Shape::new(2 * words);
        Store { shape, inner: Pairs::new(), roots, numbers, slots: Vec::new(), all_ones: None }
    }

    /// The number of markings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Is the set empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Are known markings found with their numbers?
    #[must_use]
    pub fn is_numbered(&self) -> bool {
        self.numbers.is_some()
    }

    /// From now on, known markings are found without their numbers.
    pub fn forget_numbers(&mut self) {
        self.numbers = None;
    }

    /// The bytes in use, without what is allocated in advance.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = self.numbers.as_ref().map_or(0, Vec::len);
        8 * self.roots.len() + 4 * numbers + 4 * self.slots.len() + self.inner.bytes()
    }

    /// Reads the marking of that number.
    pub fn read(&self, number: usize, tree: &mut Tree) {
        tree.nodes.resize(self.shape.nodes, 0);
        let root = match self.slots[number] {
            ALL_ONES => EMPTY,
            slot => self.roots[slot as usize],
        };
        let Some(&(top, _)) = self.shape.levels.last() else { return };
        (tree.nodes[top], tree.nodes[top + 1]) = split(root);
        for pair in self.shape.levels.windows(2).rev() {
            let [(below, length), (above, _)] = [pair[0], pair[1]];
            for i in 0..length / 2 {
                let (left, right) = split(self.inner.pairs[tree.nodes[above + i] as usize]);
                (tree.nodes[below + 2 * i], tree.nodes[below + 2 * i + 1]) = (left, right);
            }
            if length % 2 == 1 {
                tree.nodes[below + length - 1] = tree.nodes[above + length / 2];
            }
        }
        tree.words.clear();
        let leaves = tree.nodes[..self.shape.levels[0].1].chunks_exact(2);
        tree.words.extend(leaves.map(|halves| joined(halves[0], halves[1])));
    }

    /// The root of the tree of a marking in which these words have changed. The caches of the machine are asked for the
    /// slot of the root, so several roots should be computed before they are inserted.
    ///
    /// # Errors
    /// If there are too many markings.
    #[inline]
    pub fn root(&mut self, tree: &mut Tree, changed: impl Iterator<Item = usize>) -> Result<Root, Full> {
        for word in changed {
            let (left, right) = split(tree.words[word]);
            (tree.nodes[2 * word], tree.nodes[2 * word + 1]) = (left, right);
            // The nodes above a word: all but the children of the root are pairs.
            let mut at = word;
            for pair in self.shape.levels.windows(2) {
                let [(below, length), (above, _)] = [pair[0], pair[1]];
                tree.nodes[above + at] = if 2 * at + 1 < length {
                    self.inner.insert(joined(tree.nodes[below + 2 * at], tree.nodes[below + 2 * at + 1]))?
                } else {
                    tree.nodes[below + 2 * at]
                };
                at /= 2;
            }
        }
        let top = self.shape.levels.last().expect("a tree has leaves").0;
        let root = joined(tree.nodes[top], tree.nodes[top + 1]);
        std::hint::black_box(self.roots[start(root, self.roots.len())]);
        Ok(Root(root))
    }

    /// Inserts a marking.
    ///
    /// # Errors
    /// If there are too many markings.
    pub fn insert_words(&mut self, words: &[u64]) -> Result<Inserted, Full> {
        let mut tree = Tree { words: words.to_vec(), nodes: vec![0; self.shape.nodes] };
        let root = self.root(&mut tree, 0..words.len())?;
        self.insert(root)
    }

    /// Inserts the marking with this root.
    ///
    /// # Errors
    /// If there are too many markings.
    #[inline]
    pub fn insert(&mut self, Root(root): Root) -> Result<Inserted, Full> {
        if root == EMPTY {
            return self.insert_all_ones();
        }
        let mut slot = start(root, self.roots.len());
        loop {
            match self.roots[slot] {
                EMPTY => break,
                found if found == root => {
                    return Ok(Inserted::Known(self.numbers.as_ref().map(|n| n[slot] as usize)));
                }
                _ => slot = (slot + 1) & (self.roots.len() - 1),
            }
        }
        let number = self.slots.len();
        if number >= MOST {
            return Err(Full);
        }
        self.place(slot, root, number);
        // At most four fifths of the slots are in use.
        if 5 * self.slots.len() > 4 * self.roots.len() {
            self.grow();
        }
        Ok(Inserted::New(number))
    }

    #[cold]
    fn insert_all_ones(&mut self) -> Result<Inserted, Full> {
        if let Some(number) = self.all_ones {
            return Ok(Inserted::Known(self.numbers.as_ref().map(|_| number)));
        }
        let number = self.slots.len();
        if number >= MOST {
            return Err(Full);
        }
        self.all_ones = Some(number);
        self.slots.push(ALL_ONES);
        Ok(Inserted::New(number))
    }

    fn place(&mut self, slot: usize, root: u64, number: usize) {
        self.roots[slot] = root;
        if let Some(numbers) = &mut self.numbers {
            numbers[slot] = u32::try_from(number).expect("at most 2^32 markings");
        }
        self.slots.push(u32::try_from(slot).expect("at most 2^32 slots"));
    }

    #[cold]
    fn grow(&mut self) {
        let size = 2 * self.roots.len();
        let old = std::mem::replace(&mut self.roots, vec![EMPTY; size]);
        if let Some(numbers) = &mut self.numbers {
            *numbers = vec![NONE; size];
        }
        let slots = std::mem::take(&mut self.slots);
        self.slots.reserve(size / 5 * 4);
        for (number, slot) in slots.into_iter().enumerate() {
            if slot == ALL_ONES {
                self.slots.push(slot);
                continue;
            }
            let root = old[slot as usize];
            let mut slot = start(root, size);
            while self.roots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.place(slot, root, number);
        }
    }
}

impl Shape {
    fn new(leaves: usize) -> Shape {
        let (mut levels, mut nodes, mut length) = (Vec::new(), 0, leaves);
        loop {
            levels.push((nodes, length));
            nodes += length;
            if length <= 2 {
                return Shape { levels, nodes };
            }
            length = length.div_ceil(2);
        }
    }
}

/// A set of pairs, numbered in the order of insertion.
#[derive(Clone, Debug)]
struct Pairs {
    pairs: Vec<u64>,
    /// Numbers, by hash.
    table: Vec<u32>,
}

impl Pairs {
    fn new() -> Pairs {
        Pairs { pairs: Vec::new(), table: vec![NONE; 1 << 8] }
    }

    fn bytes(&self) -> usize {
        8 * self.pairs.len() + 4 * self.table.len()
    }

    #[inline]
    fn insert(&mut self, pair: u64) -> Result<u32, Full> {
        let mut slot = start(pair, self.table.len());
        loop {
            match self.table[slot] {
                NONE => break,
                found if self.pairs[found as usize] == pair => return Ok(found),
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
        let number = u32::try_from(self.pairs.len()).ok().filter(|n| (*n as usize) < MOST).ok_or(Full)?;
        self.table[slot] = number;
        self.pairs.push(pair);
        if 3 * self.pairs.len() > 2 * self.table.len() {
            self.grow();
        }
        Ok(number)
    }

    #[cold]
    fn grow(&mut self) {
        let size = 2 * self.table.len();
        self.table = vec![NONE; size];
        for (pair, number) in self.pairs.iter().zip(0..) {
            let mut slot = start(*pair, size);
            while self.table[slot] != NONE {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = number;
        }
    }
}

/// The first slot for a key in a table of `size` slots, a power of two of at least 2.
#[inline]
fn start(key: u64, size: usize) -> usize {
    let mixed = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    #[expect(clippy::cast_possible_truncation, reason = "the index is smaller than the size")]
    let slot = (mixed >> (u64::BITS - size.trailing_zeros())) as usize;
    slot
}

fn joined(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
fn split(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}
