//! Laws of the tidy tree on random trees: no overlaps, parents centred, order kept, stable under growth.

use super::*;

/// Small deterministic random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn random_tree(seed: u64, count: usize) -> Vec<Node> {
    let mut random = Random(seed);
    let window = 1 + random.below(12);
    (0..count)
        .map(|id| Node {
            parent: (id > 0).then(|| id - 1 - random.below(window.min(id))),
            size: Size::new(30.0 + random.below(70) as f64, 20.0 + random.below(3) as f64 * 10.0),
            ..Node::default()
        })
        .collect()
}

fn place(tidy: &Tidy, id: usize) -> Point {
    tidy.nodes[id].expect("the node is drawn")
}

fn children(nodes: &[Node], tidy: &Tidy, parent: usize) -> Vec<usize> {
    (0..nodes.len()).filter(|id| nodes[*id].parent == Some(parent) && tidy.nodes[*id].is_some()).collect()
}

fn check(nodes: &[Node], tidy: &Tidy) {
    let options = Options::default();
    for row in &tidy.rows {
        for pair in row.nodes.windows(2) {
            let gap = place(tidy, pair[1]).x - place(tidy, pair[0]).x;
            let room = (nodes[pair[0]].size.width + nodes[pair[1]].size.width) / 2.0;
            assert!(gap >= room + options.sibling_gap - 0.01, "{pair:?} overlap");
        }
    }
    for id in (0..nodes.len()).filter(|id| tidy.nodes[*id].is_some()) {
        let at = place(tidy, id);
        let half = nodes[id].size.width / 2.0;
        assert!(at.x - half >= options.margin - 0.01 && at.x + half <= tidy.size.width);
        assert!(at.y + nodes[id].size.height / 2.0 <= tidy.size.height);
        let below = children(nodes, tidy, id);
        if let (Some(first), Some(last)) = (below.first(), below.last()) {
            assert!(
                (at.x - f64::midpoint(place(tidy, *first).x, place(tidy, *last).x)).abs() <= 0.5,
                "centred, in whole pixels"
            );
            assert!(below.windows(2).all(|pair| place(tidy, pair[0]).x < place(tidy, pair[1]).x), "in order");
            assert!(below.iter().all(|child| place(tidy, *child).y > at.y));
        }
    }
}

#[test]
fn no_overlaps_and_parents_are_centred() {
    for seed in 0..200 {
        let nodes = random_tree(seed, 1 + (seed as usize * 7) % 150);
        check(&nodes, &draw(&nodes, &Options::default()));
    }
}

#[test]
fn appending_moves_nodes_to_the_right_or_not_at_all() {
    for seed in 0..60 {
        let nodes = random_tree(seed, 80);
        let mut before = draw(&nodes[..1], &Options::default());
        for count in 2..=nodes.len() {
            let after = draw(&nodes[..count], &Options::default());
            let new = count - 1;
            let above: Vec<usize> =
                std::iter::successors(nodes[new].parent, |parent| nodes[*parent].parent).collect();
            for old in 0..new {
                let (was, is) = (place(&before, old), place(&after, old));
                assert!(is.x >= was.x - 0.01, "seed {seed}: {old} moved left when {new} came");
                // Only what is above the new node or to its right may move.
                let moved = is.x > was.x + 0.01;
                assert!(
                    !moved || above.contains(&old) || right_of(&nodes, old, new),
                    "seed {seed}: {old} {new}"
                );
            }
            before = after;
        }
    }
}

/// Whether `a` comes after `b` in the order of the tree, neither being above the other.
fn right_of(nodes: &[Node], a: usize, b: usize) -> bool {
    let path = |id: usize| {
        let mut path: Vec<usize> = std::iter::successors(Some(id), |id| nodes[*id].parent).collect();
        path.reverse();
        path
    };
    path(a) > path(b)
}

#[test]
fn folded_and_hidden_nodes_make_room() {
    let mut nodes = random_tree(3, 60);
    nodes[2].show = Show::Folded;
    nodes[5].show = Show::Hidden;
    let tidy = draw(&nodes, &Options::default());
    check(&nodes, &tidy);
    let drawn = tidy.nodes.iter().flatten().count();
    assert_eq!(tidy.folded[0], nodes.len() - drawn);
    for (id, node) in nodes.iter().enumerate() {
        assert_eq!(tidy.nodes[id].is_some(), tidy.stand_in[id] == Some(id));
        if node.parent == Some(2) {
            assert_eq!((tidy.nodes[id], tidy.stand_in[id]), (None, tidy.stand_in[2]));
        }
    }
    assert!(tidy.nodes[5].is_none());
    let covers = tidy.covers(&[(7, 1), (1, 7), (0, 0), (999, 0), (0, 999), (5, 0)]);
    assert!(covers[2].is_none() && covers[3].is_none() && covers[4].is_none() && covers[5].is_none());
}

#[test]
fn strange_trees_are_drawn() {
    assert!(draw(&[], &Options::default()).nodes.is_empty());
    let size = Size { width: f64::NAN, height: -1.0 };
    let strange = [Some(7), Some(1), None, Some(0)].map(|parent| Node { parent, size, ..Node::default() });
    let tidy = draw(&strange, &Options::default());
    assert!(tidy.nodes.iter().all(|p| p.is_some_and(|p| p.x.is_finite() && p.y.is_finite())));
    let deep: Vec<Node> =
        (0..20_000_usize).map(|id| Node { parent: id.checked_sub(1), ..Node::default() }).collect();
    assert_eq!(draw(&deep, &Options::default()).nodes.len(), deep.len());
}

#[test]
fn most_nodes_stay_where_they_were() {
    for seed in 0..20 {
        let mut nodes = random_tree(seed, 30);
        let free = draw(&nodes, &Options::default());
        for (node, at) in nodes.iter_mut().zip(&free.nodes) {
            node.before = at.map(|at| Point::new(at.x - 400.0, at.y + 7_000.0));
        }
        // The same tree is in the same place, and so is what was left of it when it grew.
        let same = draw(&nodes, &Options::default());
        let stay = |tidy: &Tidy, nodes: &[Node]| {
            let stays = |n: &usize| {
                let (now, before) = (place(tidy, *n), nodes[*n].before.unwrap());
                (now.x - before.x).abs() + (now.y - before.y).abs() < 0.2
            };
            (0..30).filter(stays).count()
        };
        assert_eq!(stay(&same, &nodes), 30);
        nodes.push(Node { parent: Some(29), size: Size::new(60.0, 30.0), ..Node::default() });
        let grown = draw(&nodes, &Options::default());
        assert!(stay(&grown, &nodes) >= 15, "{}", stay(&grown, &nodes));
        // Edges end at their nodes.
        let ends = |arrow: &Arrow, node: usize| {
            let below = place(&grown, node).y - arrow.tip.y;
            (0.0..60.0).contains(&below) && (arrow.tip.x - place(&grown, node).x).abs() < 0.2
        };
        assert!(grown.edges.iter().enumerate().all(|(n, edge)| edge.as_ref().is_none_or(|e| ends(e, n))));
    }
}

#[test]
fn covers_avoid_nodes_where_they_can() {
    let (mut crossed, mut all) = (0, 0);
    for seed in 0..40 {
        let nodes = random_tree(seed, 40);
        let tidy = draw(&nodes, &Options::default());
        let mut random = Random(seed);
        let covers: Vec<(usize, usize)> = (0..8).map(|_| (20 + random.below(20), random.below(20))).collect();
        for (arrow, (from, to)) in tidy.covers(&covers).into_iter().zip(&covers) {
            let arrow = arrow.expect("both are drawn");
            assert!(arrow.path.starts_with('M') && arrow.angle.is_finite());
            let end = place(&tidy, *to);
            assert!((arrow.tip.x - end.x).abs() <= nodes[*to].size.width / 2.0 + 0.1);
            let hits =
                crate::layout::curve::samples(&arrow.path).into_iter().filter_map(|at| tidy.node_at(at));
            let hits: Vec<usize> = hits.collect();
            all += 1;
            crossed += usize::from(hits.into_iter().any(|node| node != *from && node != *to));
        }
    }
    assert!(crossed * 10 < all, "{crossed} of {all} cover edges cross a node");
}

#[test]
#[ignore = "measures time; run with --release -- --ignored"]
fn speed() {
    for count in [100, 1_000, 3_000] {
        let nodes = random_tree(1, count);
        let covers: Vec<(usize, usize)> = (0..count / 6).map(|i| (count - 1 - i * 3, i * 2)).collect();
        let start = std::time::Instant::now();
        for _ in 0..10 {
            let tidy = draw(&nodes, &Options::default());
            std::hint::black_box(&tidy);
        }
        let tree = start.elapsed().as_secs_f64() * 100.0;
        let tidy = draw(&nodes, &Options::default());
        let start = std::time::Instant::now();
        std::hint::black_box(tidy.covers(&covers));
        let over = start.elapsed().as_secs_f64() * 1000.0;
        std::fs::write(
            std::env::temp_dir().join(format!("tidy-{count}.txt")),
            format!("{tree:.2} ms, covers {over:.2} ms"),
        )
        .ok();
    }
}
