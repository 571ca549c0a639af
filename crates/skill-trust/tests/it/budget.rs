//! What fits into an envelope, as docs/FORMAT.md says it.

use skill_core::name::SkillName;
use skill_trust::envelope::TrustEnvelopeError;
use skill_trust::predicate::{ReleasePredicate, Restriction};
use skill_trust::{LoggedStatement, Statement, TrustEnvelope};

use crate::world::World;

const FORMAT: &str = include_str!("../../../../docs/FORMAT.md");

/// Everything at once about one release: renamed, given away, quarantined by mistake and restored.
struct Whole {
    parts: Vec<(&'static str, Vec<LoggedStatement>)>,
}

impl Whole {
    fn of(world: &World, from: &str, to: &str) -> Self {
        let SkillName { owner, slug } = from.parse().unwrap();
        let renamed = |statement: &Statement| {
            let text = String::from_utf8(statement.to_json()).unwrap();
            let name = format!(r#""owner":"{owner}","slug":"{slug}""#);
            let text = text.replace("acme/github@", &format!("{from}@"));
            let text = text.replace(r#""owner":"acme","slug":"github""#, &name);
            Statement::parse(text.as_bytes()).unwrap()
        };
        let release =
            ReleasePredicate { requirements: [].into(), publisher: owner.clone(), ..world.release() };
        let receiver = to.parse::<SkillName>().unwrap().owner;
        let sign = |statements: &[Statement]| -> Vec<LoggedStatement> {
            statements.iter().map(|said| world.sign(0, said)).collect()
        };
        let release = renamed(&Statement::release(world.content, release));
        let scan = renamed(&Statement::scan(world.content, world.scan()));
        let pair = [world.restriction(Restriction::Quarantine, 1), world.restoration(1, 2)];
        let mut parts = vec![
            ("release and scan", sign(&[release, scan])),
            ("alias", sign(&[world.alias(from, to)])),
            ("transfer", sign(&[world.transfer(from, receiver.as_str())])),
            ("quarantine and restoration", sign(&pair.map(|said| renamed(&said)))),
        ];
        // A log of ten million.
        let all = parts.iter_mut().flat_map(|(_, said)| said);
        for (logged, leaf) in all.zip(10_000_000..) {
            logged.log_index = leaf;
        }
        Self { parts }
    }

    /// How many bytes each part adds to an envelope, and how many all are.
    fn sizes(&self) -> Vec<(&'static str, usize)> {
        let bytes = |parts: &[(&str, Vec<LoggedStatement>)]| match TrustEnvelope::new(
            parts.iter().flat_map(|(_, said)| said.clone()).collect(),
        ) {
            Ok(envelope) => envelope.to_json().len(),
            Err(TrustEnvelopeError::TooLarge { bytes }) => bytes,
            Err(other) => panic!("{other}"),
        };
        let held: Vec<_> = (0..=self.parts.len()).map(|count| bytes(&self.parts[..count])).collect();
        let added = held.windows(2).map(|pair| pair[1] - pair[0]);
        let parts = self.parts.iter().map(|(part, _)| *part).zip(added);
        [("frame", held[0])].into_iter().chain(parts).chain([("all", held[self.parts.len()])]).collect()
    }
}

fn grouped(bytes: usize) -> String {
    match (bytes / 1000, bytes % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}

/// One alias, one transfer and one restored pair leave room for one restriction more. With the longest names
/// that there are they do not fit.
#[test]
fn an_envelope_has_room_for_a_life() {
    let world = World::new();
    let usual = Whole::of(&world, "acme/github", "octo/gh").sizes();
    let (owner, slug) = ("o".repeat(40), "s".repeat(96));
    let longest = Whole::of(&world, &format!("{owner}/{slug}"), &format!("p{}/{slug}", &owner[1..])).sizes();
    let rows: Vec<String> = usual
        .iter()
        .zip(&longest)
        .map(|((part, usual), (_, longest))| {
            format!("| {part} | {} | {} |", grouped(*usual), grouped(*longest))
        })
        .collect();
    let table = rows.join("\n");
    assert!(FORMAT.contains(&table), "docs/FORMAT.md, \"Trust envelope\", should say\n{table}");
    let (_, all) = usual.last().unwrap();
    let (_, pair) = usual[usual.len() - 2];
    assert!(all + pair / 2 < TrustEnvelope::MAX_BYTES, "{all} bytes");
    assert!(longest.last().unwrap().1 > TrustEnvelope::MAX_BYTES, "{longest:?}");
}
