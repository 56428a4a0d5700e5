//! The simplex tableau at a step.

use std::collections::BTreeMap;

use veristep_core::draw::{self, Bound};
use veristep_core::scene::{Body, Mark, Scene, Text};

use crate::solver::arithmetic_view::Marks;
use crate::solver::protocol::{Column, Lit, Step};
use crate::solver::words::text;

/// A basic column, and its row: columns and coefficients.
type Row = (u32, Vec<(u32, String)>);

/// The tableau: bounds of a conflict and of the step are marked, and the variables that a pivot exchanges.
pub fn tableau(marks: &Marks, columns: &[Column], rows: &[Row]) -> Scene {
    let (left, entered) = match marks.step {
        Some(Step::Pivoted(left, entered)) => (Some(*left), Some(*entered)),
        _ => (None, None),
    };
    let rows: BTreeMap<u32, &Vec<(u32, String)>> = rows.iter().map(|(basic, sum)| (*basic, sum)).collect();
    let name =
        |column: u32| columns.get(column as usize).map_or("", |column| marks.name(column.name)).to_owned();
    let bound = |bound: &Option<(String, Lit)>| {
        bound.as_ref().map(|(value, lit)| Bound {
            value: value.clone(),
            literal: text(marks.opened, *lit).to_owned(),
            marks: marks.roles(*lit),
        })
    };
    let column = |(number, column): (usize, &Column)| draw::Column {
        name: marks.name(column.name).to_owned(),
        meaning: marks.meaning(column.name).map(str::to_owned),
        lower: bound(&column.lower),
        upper: bound(&column.upper),
        value: (column.value.clone(), column.violated),
        row: u32::try_from(number)
            .ok()
            .and_then(|number| rows.get(&number))
            .map(|sum| sum.iter().map(|(column, factor)| (factor.clone(), name(*column))).collect()),
        marks: vec![
            (Mark::Leaving, Some(column.name) == left),
            (Mark::Entering, Some(column.name) == entered),
        ],
    };
    let columns_drawn: Vec<draw::Column> = columns.iter().enumerate().map(column).collect();
    let caption = match columns.iter().any(|column| column.value.contains('δ')) {
        true => {
            Text::plain("δ is a sufficiently small positive number: it turns strict bounds into weak ones.")
        }
        false => Text::default(),
    };
    Scene::of("Simplex tableau", caption, Body::Table(draw::tableau(&columns_drawn)))
}
