//! What holds for every reference and requirement: what is shown of it reads back as the same.

use skill_core::reference::Reference;
use skill_core::requirement::Requirement;
use skill_core::version::Version;

pub(crate) fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for is_folder in [false, true] {
        let folder = |_: &str| is_folder;
        let Ok((reference, warnings)) = Reference::parse(text, &folder) else { continue };
        let secret = warnings.iter().any(|warning| warning.code() == "token-in-url");
        let shown = reference.to_string();
        // Of a source with credentials the secret part is not shown, and of a folder's name only a file
        // system knows where it ends.
        if secret || is_folder {
            continue;
        }
        let (again, _) = Reference::parse(&shown, &folder)
            .unwrap_or_else(|error| panic!("{text:?} -> {shown:?}: {error}"));
        assert_eq!(again, reference, "{text:?} -> {shown:?}");
    }
    if let Ok((requirement, _)) = Requirement::parse(text) {
        let shown = requirement.to_string();
        let (again, warning) = Requirement::parse(&shown).expect("a normal form reads back");
        assert!(warning.is_none(), "{shown:?}");
        assert_eq!(again.to_string(), shown);
        for version in ["0.0.0", "0.0.3", "0.2.3", "1.0.0-rc.1", "1.0.0", "1.2.3", "2.0.0"] {
            let version: Version = version.parse().expect("a version");
            assert_eq!(again.matches(&version), requirement.matches(&version), "{text:?} {version}");
        }
    }
}
