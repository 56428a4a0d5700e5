//! Laws of layered drawings on random digraphs: finite, deterministic, no overlaps, the initial node on top.

use super::*;
use crate::layout::curve::{numbers, samples};

/// Small deterministic random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    initial: usize,
}

fn node(size: Size) -> Node {
    Node { size, corner: 8.0, beside: 0.0 }
}

fn random_graph(seed: u64) -> Graph {
    let mut random = Random(seed);
    let count = 1 + random.below(60);
    let wide = random.below(2) * 60;
    let nodes: Vec<Node> = (0..count)
        .map(|_| node(Size::new(20.0 + random.below(40 + wide) as f64, 20.0 + random.below(20) as f64)))
        .collect();
    let labels = random.below(3);
    let edges = (0..random.below(2 * count + 2))
        .map(|_| {
            let (source, target) = (random.below(count), random.below(count));
            let label = (labels > 0 && random.below(3) < labels + 1)
                .then(|| Size::new(10.0 + random.below(120) as f64, 14.0));
            Edge::new(source, target, label)
        })
        .collect();
    Graph { nodes, edges, initial: random.below(count) }
}

/// A program-like graph: a spine with branches and loops.
fn program(locations: usize) -> Graph {
    let mut random = Random(7);
    let edge = |source, target| Edge::new(source, target, Some(Size::new(76.0, 15.0)));
    let mut edges: Vec<Edge> = (1..locations)
        .map(|n| edge(if n % 3 == 0 { n - 1 } else { n - n.min(2) + n.min(2) / 2 }, n))
        .collect();
    for n in (4..locations).step_by(5) {
        edges.push(edge(n, n - 1 - random.below(n.min(9) - 1)));
    }
    Graph { nodes: vec![node(Size::new(44.0, 28.0)); locations], edges, initial: 0 }
}

#[derive(Clone, Copy, Debug)]
struct Box2 {
    centre: Point,
    size: Size,
}

fn overlap(a: Box2, b: Box2) -> bool {
    let (dx, dy) = ((a.centre.x - b.centre.x).abs(), (a.centre.y - b.centre.y).abs());
    dx < (a.size.width + b.size.width) / 2.0 - 0.01 && dy < (a.size.height + b.size.height) / 2.0 - 0.01
}

fn check(graph: &Graph, context: &str) -> Drawing {
    let options = Options::default();
    let drawing = draw(&graph.nodes, &graph.edges, graph.initial, &options);
    let mut boxes: Vec<Box2> = drawing
        .nodes
        .iter()
        .zip(&graph.nodes)
        .map(|(centre, node)| Box2 { centre: *centre, size: node.size })
        .collect();
    let labels = drawing.edges.iter().zip(&graph.edges);
    boxes
        .extend(labels.filter_map(|(arrow, edge)| edge.label.map(|size| Box2 { centre: arrow.label, size })));
    for (i, a) in boxes.iter().enumerate() {
        assert!(a.centre.x.is_finite() && a.centre.y.is_finite(), "{context}");
        assert!(
            a.centre.x - a.size.width / 2.0 >= -0.01 && a.centre.y - a.size.height / 2.0 >= -0.01,
            "{context}"
        );
        assert!(a.centre.x + a.size.width / 2.0 <= drawing.size.width + 0.01, "{context}");
        assert!(a.centre.y + a.size.height / 2.0 <= drawing.size.height + 0.01, "{context}");
        for (j, b) in boxes[..i].iter().enumerate() {
            assert!(!overlap(*a, *b), "{context}: boxes {i} and {j} overlap: {a:?} {b:?}");
        }
    }
    for arrow in &drawing.edges {
        let numbers = numbers(&arrow.path);
        assert!(
            numbers.len() >= 4 && numbers.iter().all(|n| n.is_finite() && *n > -1.0),
            "{context}: {}",
            arrow.path
        );
        assert!(arrow.angle.is_finite());
    }
    drawing
}

#[test]
fn random_digraphs_are_drawn_without_overlaps() {
    for seed in 0..400 {
        let graph = random_graph(seed);
        let drawing = check(&graph, &format!("seed {seed}"));
        let again = draw(&graph.nodes, &graph.edges, graph.initial, &Options::default());
        assert_eq!(drawing, again, "seed {seed}");
    }
}

#[test]
fn the_initial_node_is_on_top() {
    for seed in 0..100 {
        let graph = random_graph(seed);
        let drawing = draw(&graph.nodes, &graph.edges, graph.initial, &Options::default());
        let top = drawing.nodes[graph.initial].y;
        for edge in
            graph.edges.iter().filter(|edge| edge.source == graph.initial && edge.target != graph.initial)
        {
            assert!(drawing.nodes[edge.target].y > top, "seed {seed}");
        }
    }
}

#[test]
fn edges_end_at_their_nodes_and_miss_the_others() {
    for seed in 0..150 {
        let graph = random_graph(seed);
        let drawing = draw(&graph.nodes, &graph.edges, graph.initial, &Options::default());
        for (arrow, edge) in drawing.edges.iter().zip(&graph.edges) {
            let (node, size) = (drawing.nodes[edge.target], graph.nodes[edge.target].size);
            assert!((arrow.tip.x - node.x).abs() <= size.width / 2.0 + 0.1, "seed {seed}");
            assert!((arrow.tip.y - node.y).abs() <= size.height / 2.0 + 0.1, "seed {seed}");
            for (other, centre) in drawing.nodes.iter().enumerate() {
                if other != edge.source && other != edge.target {
                    let size = graph.nodes[other].size;
                    let inner = Size::new(size.width - 2.0, size.height - 2.0);
                    let hit = samples(&arrow.path).into_iter().any(|p| {
                        overlap(
                            Box2 { centre: p, size: Size::default() },
                            Box2 { centre: *centre, size: inner },
                        )
                    });
                    assert!(!hit, "seed {seed}: an edge crosses node {other}: {}", arrow.path);
                }
            }
        }
    }
}

#[test]
fn small_and_strange_graphs() {
    let size = Size::new(30.0, 20.0);
    let edge = |source, target| Edge::new(source, target, None);
    assert_eq!(draw(&[], &[], 0, &Options::default()), Drawing::default());
    let strange = [
        (1, vec![]),
        (1, vec![edge(0, 0), edge(0, 0), edge(0, 0)]),
        (2, vec![edge(0, 1), edge(0, 1), edge(1, 0), edge(1, 0)]),
        (3, vec![edge(1, 0), edge(2, 0)]),
        (5, vec![edge(3, 4)]),
    ];
    for (count, edges) in strange {
        for initial in [0, 1, 77] {
            check(&Graph { nodes: vec![node(size); count], edges: edges.clone(), initial }, "strange");
        }
    }
    // An end that is no node: that edge is not drawn, all else is.
    let drawing = draw(&[node(size); 2], &[edge(0, 9), edge(0, 1)], 0, &Options::default());
    assert!(drawing.edges[0].path.is_empty() && !drawing.edges[1].path.is_empty());
    let broken =
        draw(&[node(Size { width: f64::NAN, height: -3.0 }); 2], &[edge(0, 1)], 0, &Options::default());
    assert!(broken.nodes.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
}

#[test]
fn back_edges_point_up_and_forward_edges_down() {
    let label = Some(Size::new(50.0, 14.0));
    let edges = [(0, 1), (1, 2), (2, 1), (1, 3)].map(|(source, target)| Edge::new(source, target, label));
    let drawing = check(
        &Graph { nodes: vec![node(Size::new(40.0, 26.0)); 4], edges: edges.to_vec(), initial: 0 },
        "loop",
    );
    let angles: Vec<f64> = drawing.edges.iter().map(|arrow| arrow.angle.round()).collect();
    assert_eq!(angles, [90.0, 90.0, -90.0, 90.0]);
}

#[test]
fn a_graph_too_large_for_the_library_is_drawn_by_sweeps() {
    let graph = program(900);
    check(&graph, "large");
}

#[test]
fn a_graph_beyond_reading_is_drawn_without_lanes() {
    let mut random = Random(5);
    let label = Some(Size::new(40.0, 14.0));
    let mut edges: Vec<Edge> = (1..600).map(|n| Edge::new(n - 1, n, label)).collect();
    edges.extend((0..900).map(|_| Edge::new(random.below(600), random.below(600), label)));
    check(&Graph { nodes: vec![node(Size::new(40.0, 26.0)); 600], edges, initial: 0 }, "beyond reading");
}

#[test]
#[ignore = "measures time; run with --release -- --ignored --nocapture"]
fn speed() {
    for locations in [20, 100, 200, 400] {
        let graph = program(locations);
        let start = std::time::Instant::now();
        for _ in 0..10 {
            std::hint::black_box(draw(&graph.nodes, &graph.edges, 0, &Options::default()));
        }
        let each = start.elapsed().as_secs_f64() * 100.0;
        std::fs::write(
            std::env::temp_dir().join(format!("layered-{locations}.txt")),
            format!("{each:.2} ms"),
        )
        .ok();
    }
}

#[test]
fn borders_are_outside_and_edges_end_at_their_ports() {
    for seed in 0..300 {
        let mut graph = random_graph(seed);
        let mut random = Random(seed + 1000);
        let count = graph.nodes.len();
        let (top, bottom) = (count, count + 1);
        // In two of three, one component.
        if seed % 3 > 0 {
            graph.edges.extend((1..count).map(|n| Edge::new(n - 1, n, None)));
        }
        graph.nodes.extend([node(Size::new(32.0, 0.0)); 2]);
        for _ in 0..1 + random.below(4) {
            let inner = random.below(count);
            let offset = (seed % 2 == 0).then(|| random.below(9) as f64 - 4.0);
            let into = Ports { source: None, target: offset };
            graph.edges.push(Edge { ports: into, ..Edge::new(top, inner, None) });
            let out = Ports { source: offset, target: None };
            graph.edges.push(Edge { ports: out, ..Edge::new(inner, bottom, None) });
        }
        let borders = Borders { upper: Some(top), lower: Some(bottom) };
        let options = Options { borders, ..Options::default() };
        let drawing = draw(&graph.nodes, &graph.edges, graph.initial, &options);
        let (above, below) = (drawing.nodes[top].y, drawing.nodes[bottom].y);
        // What leads to the borders is free of other nodes, also below and above it.
        for (at, own) in drawing.nodes.iter().zip(&graph.nodes).take(count) {
            let half = own.size.height / 2.0;
            let is_between = above < at.y - half && at.y + half < below;
            let mut lines = graph.edges.iter().zip(&drawing.edges);
            let is_met = lines.any(|(edge, arrow)| {
                let x = if edge.source == top { numbers(&arrow.path)[0] } else { arrow.tip.x };
                (edge.source == top || edge.target == bottom) && (x - at.x).abs() < own.size.width / 2.0
            });
            assert!(is_between || !is_met, "{seed}");
        }
        for (edge, arrow) in graph.edges.iter().zip(&drawing.edges) {
            if let Some(offset) = edge.ports.target {
                assert!((arrow.tip.x - drawing.nodes[edge.target].x - offset).abs() < 0.1, "{seed}");
            }
        }
    }
}
