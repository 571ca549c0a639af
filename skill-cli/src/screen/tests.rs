#![allow(clippy::unicode_not_nfc, reason = "the fixture holds a combining accent")]

use std::io;

use super::*;
use crate::code::Code;
use crate::context::{Clock, Stop, Terminal};
use crate::report::{Cell, Column, Line, Role, Table};
use crate::sandbox::Sink;

fn world(columns: Option<u16>, locale: &str) -> World {
    let is_terminal = columns.is_some();
    World {
        env: [("LANG", locale)].into_iter().collect(),
        home: None,
        cwd: "/work".into(),
        terminal: Terminal { stdin: is_terminal, stdout: is_terminal, stderr: is_terminal, columns },
        clock: Clock::fixed(jiff::Timestamp::UNIX_EPOCH),
        system_config: "/nonexistent".into(),
        system_owner: 0,
        stop: Stop::default(),
    }
}

fn shown(globals: &Globals, world: &World, show: impl FnOnce(&Screen)) -> (String, String) {
    let (out, err) = (Sink::default(), Sink::default());
    let screen = Screen::new(globals, world, out.clone(), err.clone());
    show(&screen);
    (out.text(), err.text())
}

fn plain(columns: Option<u16>, show: impl FnOnce(&Screen)) -> (String, String) {
    let globals = Globals { color: Color::Never, ..Globals::default() };
    shown(&globals, &world(columns, "C.UTF-8"), show)
}

/// Everything that can go wrong in a cell.
fn hostile() -> Table {
    let mut table =
        Table::new([Column::new("skill").whole(), Column::new("version").whole(), Column::new("summary")]);
    for (name, summary) in [
        ("li/weather-cn", "查询天气并给出穿衣建议，支持中文和英文，也支持其他语言和城市"),
        (
            "acme/coder",
            "👩\u{200d}💻 writes code, e\u{301}tude included, and more than fits into a line of eighty",
        ),
        ("acme/rtl", "שלום עולם"),
        ("evil/escape", "\u{1b}[31mred\u{1b}[0m and a \u{202e}turn"),
    ] {
        table.push([Cell::of(Role::Name, name), Cell::from("1.0.0"), Cell::from(summary)]);
    }
    table
}

fn report(table: Table) -> Report {
    Report::new(Value::Null, vec![table.into()])
}

#[test]
fn a_table_at_80_columns() {
    let (out, _) = plain(Some(80), |screen| screen.report(&report(hostile())));
    insta::assert_snapshot!(out, @r"
    skill          version  summary
    li/weather-cn  1.0.0    查询天气并给出穿衣建议，支持中文和英文，也支持其他语言 …
    acme/coder     1.0.0    👩‍💻 writes code, étude included, and more than fits into…
    acme/rtl       1.0.0    שלום עולם
    evil/escape    1.0.0    \u{1b}[31mred\u{1b}[0m and a \u{202e}turn
    ");
}

#[test]
fn a_table_at_40_columns() {
    let (out, _) = plain(Some(40), |screen| screen.report(&report(hostile())));
    insta::assert_snapshot!(out, @r"
    skill          version  summary
    li/weather-cn  1.0.0    查询天气并给出 …
    acme/coder     1.0.0    👩‍💻 writes code,…
    acme/rtl       1.0.0    שלום עולם
    evil/escape    1.0.0    \u{1b}[31mred\u…
    ");
}

#[test]
fn a_table_in_a_pipe_is_neither_cut_nor_wrapped() {
    let (out, _) = plain(None, |screen| screen.report(&report(hostile())));
    insta::assert_snapshot!(out, @r"
    skill          version  summary
    li/weather-cn  1.0.0    查询天气并给出穿衣建议，支持中文和英文，也支持其他语言和城市
    acme/coder     1.0.0    👩‍💻 writes code, étude included, and more than fits into a line of eighty
    acme/rtl       1.0.0    שלום עולם
    evil/escape    1.0.0    \u{1b}[31mred\u{1b}[0m and a \u{202e}turn
    ");
}

#[test]
fn a_plain_locale_sees_ascii_alone() {
    let (out, _) =
        shown(&Globals { color: Color::Never, ..Globals::default() }, &world(Some(80), "C"), |screen| {
            screen.report(&report(hostile()));
        });
    assert!(out.is_ascii());
    assert!(out.contains("..."), "{out}");
    assert!(out.lines().all(|line| line.len() <= 80), "{out}");
}

#[test]
fn columns_go_in_their_order_and_paths_are_never_cut() {
    let mut table = Table::new([
        Column::new(""),
        Column::new("skill").whole(),
        Column::new("from").dropped(2),
        Column::new("size").right().dropped(1),
        Column::new("where").whole(),
    ])
    .indent(2);
    for name in ["acme/github", "acme/travel-briefing"] {
        let path = format!("skills/{}", name.split('/').next_back().unwrap());
        table.push([
            Cell::from("+"),
            Cell::from(name),
            Cell::from("corp"),
            Cell::from("41.2 KiB"),
            Cell::from(path),
        ]);
    }
    let (out, _) = plain(Some(56), |screen| screen.report(&report(table.clone())));
    insta::assert_snapshot!(out, @r"
       skill                 from  where
    +  acme/github           corp  skills/github
    +  acme/travel-briefing  corp  skills/travel-briefing
    ");
    let (out, _) = plain(Some(40), |screen| screen.report(&report(table)));
    insta::assert_snapshot!(out, @r"
      +
      skill: acme/github
      from: corp
      size: 41.2 KiB
      where: skills/github

      +
      skill: acme/travel-briefing
      from: corp
      size: 41.2 KiB
      where: skills/travel-briefing
    ");
}

fn failure() -> Failure {
    let mut list = Table::new([Column::new("").whole(), Column::new("").whole()]);
    list.push([Cell::from("changed"), Cell::from("SKILL.md")]).under.push("one line".to_owned());
    Failure::new(
        Code::DiskDiffers,
        "skills/github differs from its lock in a way that takes more than one line here",
    )
    .list(list)
    .because("a fact")
    .nothing_changed()
    .hint("run `skill install github --force` to move this copy to .skill/backup/ and take the release")
    .key("files", vec!["SKILL.md"])
}

#[test]
fn a_failure_has_label_reasons_list_and_hints() {
    let (out, err) = plain(Some(80), |screen| screen.failure(&failure()));
    assert_eq!(out, "");
    insta::assert_snapshot!(err, @r"
    error[disk-differs]: skills/github differs from its lock in a way that takes
           more than one line here
         changed  SKILL.md
                  one line
      because: a fact
      because: nothing was changed
    hint: run `skill install github --force` to move this copy to .skill/backup/ and
          take the release
    ");
}

#[test]
fn quiet_keeps_errors_and_drops_hints() {
    let globals = Globals { quiet: true, ..Globals::default() };
    let (_, err) = shown(&globals, &world(None, "C.UTF-8"), |screen| {
        screen.tell(&Message::note("a note"));
        screen.tell(&Message::warning(Code::SlugLong, "a warning").hint("a hint"));
        screen.plan(&[Block::Line("a plan".into())]);
        screen.failure(&failure());
    });
    assert!(err.starts_with("warning[slug-long]: a warning\nerror[disk-differs]: "), "{err}");
    assert!(!err.contains("hint") && !err.contains("a note") && !err.contains("a plan"), "{err}");
}

#[test]
fn json_is_one_line_and_stderr_stays_empty() {
    let globals = Globals { json: true, color: Color::Always, ..Globals::default() };
    let (out, err) = shown(&globals, &world(None, "C.UTF-8"), |screen| {
        screen.tell(&Message::warning(Code::SlugLong, "a warning"));
        screen.failure(&failure());
    });
    assert_eq!(err, "");
    assert_eq!(out.matches('\n').count(), 1);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["error"]["code"], "disk-differs");
    assert_eq!(document["error"]["because"], serde_json::json!(["a fact"]));
    assert_eq!(document["error"]["hints"], serde_json::json!(["skill install github --force"]));
    assert_eq!(document["error"]["exit"], 4);
    assert_eq!(document["error"]["files"], serde_json::json!(["SKILL.md"]));
}

#[test]
fn colour_is_asked_for_or_the_terminal_s() {
    let env = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<Environment>();
    assert!(colour(Color::Always, &env(&[("NO_COLOR", "1")]), false));
    assert!(!colour(Color::Never, &env(&[]), true));
    assert!(colour(Color::Auto, &env(&[("NO_COLOR", "")]), true));
    assert!(!colour(Color::Auto, &env(&[("NO_COLOR", "1")]), true));
    assert!(!colour(Color::Auto, &env(&[("TERM", "dumb")]), true));
    assert!(!colour(Color::Auto, &env(&[]), false));
}

#[test]
fn colour_wraps_the_label_alone() {
    let globals = Globals { color: Color::Always, ..Globals::default() };
    let (_, err) = shown(&globals, &world(None, "C.UTF-8"), |screen| {
        screen.failure(&Failure::new(Code::Usage, "what happened"));
    });
    assert_eq!(err, "\u{1b}[1m\u{1b}[31merror[usage]:\u{1b}[0m what happened\n");
}

#[test]
fn the_first_locale_that_is_set_decides() {
    let env = |pairs: &[(&str, &str)]| pairs.iter().copied().collect::<Environment>();
    assert!(is_unicode(&env(&[("LANG", "de_DE.UTF-8")])));
    assert!(is_unicode(&env(&[("LC_CTYPE", "C.utf8")])));
    assert!(!is_unicode(&env(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")])));
    assert!(is_unicode(&env(&[("LC_ALL", ""), ("LANG", "de_DE.UTF-8")])));
    assert!(!is_unicode(&env(&[("LANG", "C.UTF-8"), ("TERM", "dumb")])));
    assert!(!is_unicode(&env(&[])));
}

/// A sink whose reader is gone, or whose disk is full.
struct Broken(io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_end_and_a_full_disk_is_none() {
    for (kind, quiet) in [(io::ErrorKind::BrokenPipe, true), (io::ErrorKind::StorageFull, false)] {
        let screen = Screen::new(&Globals::default(), &world(None, "C"), Broken(kind), Sink::default());
        screen.report(&report(hostile()));
        assert_eq!(screen.finish().is_ok(), quiet, "{kind}");
    }
}

#[test]
fn prose_hangs_under_its_text() {
    let line = Line::from("one two three four five six seven eight").indent(2, 6);
    let text = draw::blocks(&[line.into()], Surface { columns: Some(40), ..Surface::default() });
    assert_eq!(text, "  one two three four five six seven\n      eight\n");
}
