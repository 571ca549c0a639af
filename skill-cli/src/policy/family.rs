//! A program and everything that it started, until all of it is gone.
//!
//! On Linux a process belongs to the family if it is in the program's session or group, descends from
//! it, was seen as a member before, or was orphaned to this process, which `skill` makes the reaper of
//! its descendants: so a child that forks twice and opens a session of its own is found too. Not found
//! is what another program starts on its behalf (a service manager, cron, a container engine).
//!
//! Where `/proc` does not show this very process, nothing could be found, and no program is started.
//!
//! Elsewhere only the program's own group is known.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// How long the end of a family may take.
const END: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);

/// A started program and its descendants. Dropped, all of them are killed.
pub(super) struct Family {
    leader: Pid,
    /// When the leader started, in clock ticks.
    #[cfg(target_os = "linux")]
    since: u64,
    /// Children of this process that are none of the family.
    others: BTreeSet<i32>,
    /// Members that were seen, with their start.
    seen: BTreeSet<(i32, u64)>,
    /// Whether orphans come to this process.
    reaper: bool,
    /// Whether the leader was waited for, so that its number may be another's.
    pub(super) reaped: bool,
    ended: bool,
}

/// The children that this process has, before a program is started.
///
/// # Errors
/// The processes of the system cannot be seen.
pub(super) fn children() -> io::Result<BTreeSet<i32>> {
    let own = own();
    Ok(processes()?.into_iter().filter(|process| process.parent == own).map(|process| process.id).collect())
}

impl Family {
    /// The family of a program that was just started; `others` is what [`children`] gave before.
    pub(super) fn of(leader: Pid, others: BTreeSet<i32>) -> Self {
        Self {
            leader,
            #[cfg(target_os = "linux")]
            since: Process::read(leader.as_raw_nonzero().get()).map_or(0, |process| process.start),
            others,
            seen: BTreeSet::new(),
            reaper: is_reaper(),
            reaped: false,
            ended: false,
        }
    }

    /// Remembers who belongs to the family now. Needed where orphans go elsewhere.
    ///
    /// # Errors
    /// As [`children`].
    pub(super) fn look(&mut self) -> io::Result<()> {
        if self.reaper { Ok(()) } else { self.members().map(drop) }
    }

    /// How many are alive, the leader left out.
    ///
    /// # Errors
    /// As [`children`].
    pub(super) fn left(&mut self) -> io::Result<usize> {
        let leader = self.leader.as_raw_nonzero().get();
        Ok(self.members()?.into_iter().filter(|id| *id != leader || self.reaped).count())
    }

    /// Kills all of them. Gives how many could not be ended.
    ///
    /// # Errors
    /// As [`children`]; then the program's own group is killed alone.
    pub(super) fn end(&mut self) -> io::Result<usize> {
        let began = std::time::Instant::now();
        loop {
            if !self.reaped || cfg!(not(target_os = "linux")) {
                // One call for the whole group: nobody in it can fork away meanwhile.
                let _ = kill_process_group(self.leader, Signal::KILL);
            }
            let leader = self.leader.as_raw_nonzero().get();
            let mut alive = self.members()?;
            alive.retain(|id| self.reaped || *id != leader);
            if alive.is_empty() {
                self.ended = true;
                return Ok(0);
            }
            for pid in alive.iter().filter(|id| **id > 0).filter_map(|id| Pid::from_raw(*id)) {
                let _ = kill_process(pid, Signal::KILL);
            }
            if began.elapsed() > END {
                self.ended = true;
                return Ok(alive.len());
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if !self.ended {
            let _ = self.end();
        }
    }
}

fn own() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

#[cfg(target_os = "linux")]
fn is_reaper() -> bool {
    rustix::process::child_subreaper().is_ok_and(|set| set.is_some())
}

#[cfg(not(target_os = "linux"))]
fn is_reaper() -> bool {
    false
}

/// What the system says of a process.
#[derive(Debug, Clone, Copy)]
struct Process {
    id: i32,
    parent: i32,
    group: i32,
    session: i32,
    start: u64,
    dead: bool,
}

#[cfg(target_os = "linux")]
impl Process {
    /// `/proc/N/stat` (proc_pid_stat(5)): the name in brackets may hold anything.
    fn read(id: i32) -> Option<Self> {
        let bytes = fs_err::read(format!("/proc/{id}/stat")).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |index: usize| fields.get(index)?.parse().ok();
        Some(Self {
            id,
            dead: matches!(*fields.first()?, "Z" | "X" | "x"),
            parent: number(1)?,
            group: number(2)?,
            session: number(3)?,
            start: fields.get(19)?.parse().ok()?,
        })
    }
}

#[cfg(target_os = "linux")]
fn processes() -> io::Result<Vec<Process>> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir("/proc")? {
        let id = entry?.file_name().to_str().and_then(|name| name.parse().ok());
        // One that ended meanwhile is none.
        found.extend(id.and_then(Process::read));
    }
    // A folder that shows nobody is no /proc.
    if found.iter().any(|process| process.id == own()) {
        Ok(found)
    } else {
        Err(io::Error::new(io::ErrorKind::NotFound, "/proc does not show this process"))
    }
}

#[cfg(not(target_os = "linux"))]
fn processes() -> io::Result<Vec<Process>> {
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
impl Family {
    /// The members that are alive. The dead ones that came to this process are buried.
    fn members(&mut self) -> io::Result<Vec<i32>> {
        let all = processes()?;
        let leader = self.leader.as_raw_nonzero().get();
        let own = own();
        let mut found: BTreeSet<i32> = all
            .iter()
            .filter(|process| process.start >= self.since && process.id != own)
            .filter(|process| {
                let orphan = self.reaper && process.parent == own && !self.others.contains(&process.id);
                process.id == leader && !self.reaped
                    || process.session == leader
                    || process.group == leader
                    || self.seen.contains(&(process.id, process.start))
                    || orphan
            })
            .map(|process| process.id)
            .collect();
        loop {
            let below: Vec<i32> = all
                .iter()
                .filter(|process| found.contains(&process.parent) && !found.contains(&process.id))
                .map(|process| process.id)
                .collect();
            if below.is_empty() {
                break;
            }
            found.extend(below);
        }
        let mut alive = Vec::new();
        for process in all.iter().filter(|process| found.contains(&process.id)) {
            self.seen.insert((process.id, process.start));
            if !process.dead {
                alive.push(process.id);
            } else if process.parent == own && process.id != leader {
                bury(process.id);
            }
        }
        Ok(alive)
    }
}

#[cfg(target_os = "linux")]
fn bury(id: i32) {
    let _ = rustix::process::waitpid(Pid::from_raw(id), rustix::process::WaitOptions::NOHANG);
}

#[cfg(not(target_os = "linux"))]
impl Family {
    fn members(&mut self) -> io::Result<Vec<i32>> {
        let leader = self.leader.as_raw_nonzero().get();
        let alive = rustix::process::test_kill_process_group(self.leader).is_ok();
        Ok(if alive && self.reaped { vec![-leader] } else { Vec::new() })
    }
}
