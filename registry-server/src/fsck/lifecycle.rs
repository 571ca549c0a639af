use super::finding::{Family, Report};
use crate::lifecycle::{Candidate, Facts, latest, state};
use crate::store::releases::Release;
use crate::store::restrictions::{self, Action, Restriction};
use crate::store::skills::{self, Skill};
use crate::store::{Conn, StoreError, holds, lines, log, releases};

const PAGE: u32 = 100;

/// States follow from facts and `latest` from states; each release has its two statements.
pub(super) async fn check(conn: &mut Conn, report: &mut Report) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let page = skills::page(conn, &after, PAGE).await;
        let Some(page) = report.readable(Family::States, "a skill", page)? else { return Ok(()) };
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.id);
        for skill in &page {
            let checked = of_skill(conn, skill, report).await;
            report.readable(Family::States, &skill.name().to_string(), checked)?;
        }
    }
}

async fn of_skill(conn: &mut Conn, skill: &Skill, report: &mut Report) -> Result<(), StoreError> {
    let restrictions = restrictions::of_skill(conn, &skill.id).await?;
    let mut all = Vec::new();
    for line in lines::of_skill(conn, &skill.id).await? {
        all.extend(releases::by_id(conn, &line.id).await?);
    }
    let holds = holds::of_skill(conn, &skill.id).await?;
    for release in &all {
        let open = holds.iter().filter(|hold| hold.release_id == release.id && hold.decided.is_none()).count()
            as u64;
        if open != release.awaiting {
            let what = format!("{} {}", skill.name(), release.version);
            report.wrong(Family::States, format!("{what}: {open} open holds, counted {}", release.awaiting));
        }
        of_release(conn, skill, release, &restrictions, report).await?;
    }
    let candidates: Vec<_> = all.iter().map(|r| Candidate { version: &r.version, state: r.state }).collect();
    let expected = latest(&candidates, skill.latest_override.clone());
    if expected.version != skill.latest || expected.latest_override != skill.latest_override {
        let [found, right] = [&skill.latest, &expected.version]
            .map(|v| v.as_ref().map_or("none".to_owned(), ToString::to_string));
        report.wrong(Family::States, format!("{}: latest is {found}, not {right}", skill.name()));
    }
    report.saw(Family::States, all.len() as u64);
    Ok(())
}

async fn of_release(
    conn: &mut Conn,
    skill: &Skill,
    release: &Release,
    restrictions: &[Restriction],
    report: &mut Report,
) -> Result<(), StoreError> {
    let what = format!("{} {}", skill.name(), release.version);
    let open: Vec<_> = restrictions
        .iter()
        .filter(|one| one.release_id == release.id && one.is_open())
        .filter_map(Restriction::open)
        .collect();
    if open.contains(&Action::Delete) != skill.deleted_at.is_some() {
        let of_skill =
            if skill.deleted_at.is_some() { "deleted and it is not" } else { "not deleted and it is" };
        report.wrong(Family::States, format!("{what}: its skill is {of_skill}"));
    }
    let expected = state(Facts { verdict: release.verdict, awaiting: release.awaiting > 0, open: &open });
    if release.state != expected {
        report.wrong(Family::States, format!("{what}: its state is {}, not {expected}", release.state));
    }
    for (digest, kind) in [(release.release_statement, "release"), (release.scan_statement, "scan")] {
        if log::find(conn, digest).await?.is_none_or(|statement| statement.kind != kind) {
            report.wrong(Family::States, format!("{what}: it has no {kind} statement"));
        }
    }
    Ok(())
}
