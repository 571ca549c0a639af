use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Which process holds the lock on a file, where the system tells it (Linux: proc_locks(5)).
pub(super) fn of(file: &fs_err::File) -> Option<u32> {
    let inode = file.metadata().ok()?.ino();
    let locks = fs_err::read_to_string(Path::new("/proc/locks")).ok()?;
    in_table(&locks, inode)
}

/// Lines read `1: FLOCK  ADVISORY  WRITE 4242 fd:01:1234567 0 EOF`. The device is left out of the
/// comparison: layered file systems report another one there than for the file.
fn in_table(locks: &str, inode: u64) -> Option<u32> {
    locks.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, "FLOCK", _, "WRITE", process, place, ..] = fields[..] else { return None };
        let held = place.rsplit(':').next()?.parse::<u64>().ok()?;
        process.parse().ok().filter(|&process| process > 0 && held == inode)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_system_is_read() {
        let table = "1: POSIX  ADVISORY  WRITE 7 fd:01:42 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 4242 fd:01:42 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 11 fd:01:42 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 0 fd:01:43 0 EOF\n";
        assert_eq!(in_table(table, 42), Some(4242));
        assert_eq!(in_table(table, 43), None);
        assert_eq!(in_table("", 42), None);
    }
}
