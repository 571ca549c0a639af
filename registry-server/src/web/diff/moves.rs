use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::store::files::FileRow;

/// The files that are in both releases at different paths with the same bytes: the old one by its new path.
///
/// Each old file moves once, and where several have the same bytes, the first in order of their paths goes to the
/// first. An empty file says nothing about where it was.
pub(super) fn moves<'a>(
    old: &'a BTreeMap<String, FileRow>,
    new: &'a BTreeMap<String, FileRow>,
) -> BTreeMap<&'a str, &'a FileRow> {
    let mut gone: HashMap<_, VecDeque<&FileRow>> = HashMap::new();
    for file in old.values().filter(|file| file.size > 0 && !new.contains_key(&file.path)) {
        gone.entry(file.sha256).or_default().push_back(file);
    }
    let come = new.values().filter(|file| !old.contains_key(&file.path));
    come.filter_map(|file| Some((file.path.as_str(), gone.get_mut(&file.sha256)?.pop_front()?))).collect()
}
