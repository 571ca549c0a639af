//! Downloads by people, day by day: drawn, and as a table.

use jiff::Timestamp;
use serde::Serialize;

use crate::store::downloads::{self, OfDay};
use crate::web::words::{counted, grouped};

/// Days that are shown, today among them.
pub(super) const DAYS: i64 = 90;
/// What a day takes of the width, and a bar of that.
const STEP: i64 = 4;
const BAR: i64 = 3;
/// How high the highest bar is.
const HEIGHT: u64 = 48;

/// The downloads of the last days.
#[derive(Debug, Serialize)]
pub(super) struct Chart {
    /// `1,204 downloads by people in 90 days`.
    total: String,
    /// What the drawing shows, for who cannot see it.
    in_words: String,
    view_box: String,
    bars: Vec<Bar>,
    /// The days that had any, newest first.
    rows: Vec<Row>,
}

/// One day, in units of the drawing.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Bar {
    x: i64,
    y: u64,
    width: i64,
    height: u64,
}

#[derive(Debug, Serialize)]
struct Row {
    exact: String,
    day: String,
    count: String,
}

impl Chart {
    /// Of the days that had any, by day. `None` where there were none.
    pub(super) fn of(days: &[OfDay], now: Timestamp) -> Option<Self> {
        let since = downloads::since(now, DAYS);
        let days = || days.iter().filter(|of| of.people > 0);
        let total = days().map(|of| of.people).sum();
        let most = days().max_by_key(|of| of.people)?;
        Some(Self {
            total: format!("{} by people in {DAYS} days", counted(total, "download")),
            in_words: format!(
                "Downloads a day for {DAYS} days, at most {} on {}",
                grouped(most.people),
                in_words(most.day)
            ),
            view_box: format!("0 0 {} {HEIGHT}", DAYS * STEP),
            bars: days().map(|of| Bar::of(of, since, most.people)).collect(),
            rows: days().rev().map(Row::of).collect(),
        })
    }
}

impl Bar {
    /// What was downloaded at all is seen.
    fn of(of: &OfDay, since: i64, most: u64) -> Self {
        let part = u128::from(of.people) * u128::from(HEIGHT) / u128::from(most.max(1));
        let height = u64::try_from(part).unwrap_or(HEIGHT).max(1);
        Self { x: (of.day - since) * STEP, y: HEIGHT - height, width: BAR, height }
    }
}

impl Row {
    fn of(of: &OfDay) -> Self {
        let exact = downloads::start(of.day).strftime("%Y-%m-%d").to_string();
        Self { exact, day: in_words(of.day), count: grouped(of.people) }
    }
}

fn in_words(day: i64) -> String {
    downloads::start(day).strftime("%-d %B %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i64, people: u64) -> OfDay {
        OfDay { day, people, bots: 7, mirrors: 7 }
    }

    fn at(day: i64) -> Timestamp {
        downloads::start(day)
    }

    #[test]
    fn bars_stand_where_their_day_is() {
        let chart = Chart::of(&[day(911, 1), day(950, 0), day(999, 50), day(1_000, 100)], at(1_000)).unwrap();
        let bar = |x, y, height| Bar { x, y, width: 3, height };
        assert_eq!(chart.bars, [bar(0, 47, 1), bar(352, 24, 24), bar(356, 0, 48)]);
        assert_eq!(
            (chart.total.as_str(), chart.view_box.as_str()),
            ("151 downloads by people in 90 days", "0 0 360 48")
        );
        assert_eq!(chart.in_words, "Downloads a day for 90 days, at most 100 on 27 September 1972");
        let rows: Vec<_> = chart.rows.iter().map(|row| format!("{} {}", row.exact, row.count)).collect();
        assert_eq!(rows, ["1972-09-27 100", "1972-09-26 50", "1972-06-30 1"]);
    }

    #[test]
    fn nothing_is_no_chart() {
        assert!(Chart::of(&[], at(1_000)).is_none());
        assert!(Chart::of(&[day(1_000, 0)], at(1_000)).is_none());
        assert_eq!(Chart::of(&[day(1_000, u64::MAX)], at(1_000)).unwrap().bars[0].height, 48);
    }
}
