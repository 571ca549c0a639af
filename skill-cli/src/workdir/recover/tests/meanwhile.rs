//! What somebody changes while a command works is not lost.

use super::*;

/// What somebody else does between the look at a place and the change.
type Meddling = fn(&Path);

const MEDDLING: [(&str, Meddling); 5] = [
    ("edits a file", |root| write(root, "skills/changes/SKILL.md", "mine")),
    ("adds a file", |root| write(root, "skills/leaves/notes.md", "mine")),
    ("puts another copy there", |root| {
        fs::rename(root.join("skills/changes"), root.join("skills/was")).unwrap();
        write(root, "skills/changes/SKILL.md", "mine");
    }),
    ("puts one where nothing was", |root| write(root, "skills/comes/SKILL.md", "mine")),
    ("puts a file where nothing was", |root| write(root, "skills/comes", "mine")),
];

#[test]
fn what_changes_before_the_decision_stays_and_nothing_is_done() {
    for without_exchange in [false, true] {
        for (what, meddle) in MEDDLING {
            let scene = scene(false);
            let guard = scene.guard();
            let disk = disk(Kind::None, 0, without_exchange);
            let transaction = planned(disk, &scene.workdir, &guard).unwrap();
            meddle(scene.root());
            let expected = mine(picture(scene.root()));
            let refused = transaction.commit();
            assert!(matches!(refused, Err(ChangeError::Changed(_))), "{what}: {refused:?}");
            drop(guard);
            assert_eq!(mine(picture(scene.root())), expected, "{what}");
        }
    }
}

/// Without what was made ready.
fn mine(mut picture: Picture) -> Picture {
    picture.retain(|path, _| {
        let ours = [".skill-stage-", ".skill/stage-", ".skill/journal", ".skill/trees", ".skill/backup"];
        !ours.iter().any(|part| path.contains(part))
    });
    picture
}

#[test]
fn what_changes_after_a_stopped_decision_is_kept() {
    for without_exchange in [false, true] {
        for (what, meddle) in MEDDLING {
            for at in 0.. {
                let scene = scene(false);
                let (done, whole) = stopped(&scene, Kind::Killed, at, without_exchange);
                if done && whole {
                    break;
                }
                let here = |name: &str| scene.root().join("skills").join(name).exists();
                if here("leaves") && here("changes") && !here("comes") {
                    meddle(scene.root());
                    scene.settle();
                    let found = picture(scene.root()).into_values().any(|text| text == "mine");
                    assert!(found, "{what} after step {at}");
                }
            }
        }
    }
}

#[test]
fn a_copy_that_was_changed_while_its_command_was_stopped_goes_to_backup() {
    let (scene, aside) = (0..)
        .find_map(|at| {
            let scene = scene(false);
            stopped(&scene, Kind::Killed, at, false);
            let aside = scene.root().join("skills/.skill-stage-7e57/old-0.aside");
            aside.is_dir().then_some((scene, aside))
        })
        .unwrap();
    fs::write(aside.join("SKILL.md"), "mine").unwrap();
    assert_eq!(scene.settle(), Recovered::Finished);
    let kept = scene.root().join(".skill/backup/changes-changed-1/SKILL.md");
    assert_eq!(fs::read_to_string(kept).unwrap(), "mine");
    assert_eq!(fs::read_to_string(scene.root().join("skills/changes/SKILL.md")).unwrap(), "new");
}
