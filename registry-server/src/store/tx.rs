use jiff::Timestamp;
use skill_core::digest::Sha256;
use sqlx::{Any, Transaction};

use super::audit::{self, NewAudit};
use super::events::{self, NewEvent};
use super::log::{self, NewStatement};
use super::{Conn, StoreError, head};
use crate::entropy::Entropy;

/// A transaction that changes what a reader can see.
///
/// It holds the order of the registry: [`WriteTx::commit`] is the only way to end it well, and moves the
/// head, writes the event and the leaves of every statement logged in it. Dropped, nothing happened.
#[must_use = "a write transaction that is not committed is undone"]
pub struct WriteTx {
    tx: Transaction<'static, Any>,
    now: Timestamp,
    entropy: Entropy,
    logged: Vec<(String, Sha256)>,
    audited: Vec<NewAudit>,
    events: Vec<NewEvent>,
}

/// The numbers that a committed change got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Committed {
    /// Number of the last event.
    pub event: u64,
    /// Leaf numbers of the statements, in the order in which they were logged.
    pub leaves: Vec<u64>,
}

impl WriteTx {
    pub(super) const fn new(tx: Transaction<'static, Any>, now: Timestamp, entropy: Entropy) -> Self {
        Self { tx, now, entropy, logged: Vec::new(), audited: Vec::new(), events: Vec::new() }
    }

    /// The connection on which this transaction's queries run.
    pub fn conn(&mut self) -> &mut Conn {
        &mut self.tx
    }

    /// When the transaction began; every row of it carries this time.
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// Keeps a signed statement; its leaf follows at commit, in this order.
    pub async fn log(&mut self, statement: &NewStatement) -> Result<Sha256, StoreError> {
        let digest = log::insert(&mut self.tx, statement, self.now).await?;
        self.logged.push((statement.kind.clone(), digest));
        Ok(digest)
    }

    /// Writes a change into the audit log; its row follows at commit, in this order.
    pub fn audit(&mut self, row: NewAudit) {
        self.audited.push(row);
    }

    /// Notes that another skill changes in this transaction too; its event follows at commit, before the last.
    pub fn also(&mut self, event: NewEvent) {
        self.events.push(event);
    }

    /// Writes the audit log, moves the head, writes the events and the leaves, and commits. Nothing else is written
    /// after the head moved: its row lock is held as shortly as can be.
    pub async fn commit(mut self, event: NewEvent) -> Result<Committed, StoreError> {
        self.events.push(event);
        audit::append(&mut self.tx, &self.entropy, self.now, &self.audited).await?;
        let count = self.events.len() as u64;
        let head = head::advance(&mut self.tx, count, self.logged.len() as u64).await?;
        for (number, event) in (head.event - count + 1..=head.event).zip(&self.events) {
            events::insert(&mut self.tx, number, event, self.now).await?;
        }
        let first = head.leaf - self.logged.len() as u64;
        let leaves: Vec<u64> = (first..head.leaf).collect();
        for (index, (kind, digest)) in leaves.iter().zip(&self.logged) {
            log::insert_leaf(&mut self.tx, *index, kind, *digest, head.event).await?;
        }
        self.tx.commit().await?;
        Ok(Committed { event: head.event, leaves })
    }
}

/// A transaction that writes, whether readers see what it changes or not.
pub trait Writing {
    /// As [`WriteTx::conn`].
    fn conn(&mut self) -> &mut Conn;
    /// As [`WriteTx::now`].
    fn now(&self) -> Timestamp;
}

impl Writing for WriteTx {
    fn conn(&mut self) -> &mut Conn {
        Self::conn(self)
    }

    fn now(&self) -> Timestamp {
        Self::now(self)
    }
}

impl Writing for QuietTx {
    fn conn(&mut self) -> &mut Conn {
        Self::conn(self)
    }

    fn now(&self) -> Timestamp {
        Self::now(self)
    }
}

/// A transaction that changes nothing a reader can see: token use, counts, job claims, the audit.
#[must_use = "a transaction that is not committed is undone"]
pub struct QuietTx {
    tx: Transaction<'static, Any>,
    now: Timestamp,
    entropy: Entropy,
    audited: Vec<NewAudit>,
}

impl QuietTx {
    pub(super) const fn new(tx: Transaction<'static, Any>, now: Timestamp, entropy: Entropy) -> Self {
        Self { tx, now, entropy, audited: Vec::new() }
    }

    /// The connection on which this transaction's queries run.
    pub fn conn(&mut self) -> &mut Conn {
        &mut self.tx
    }

    /// When the transaction began; every row of it carries this time.
    pub const fn now(&self) -> Timestamp {
        self.now
    }

    /// Writes a change into the audit log; its row follows at commit, in this order.
    pub fn audit(&mut self, row: NewAudit) {
        self.audited.push(row);
    }

    /// Writes the audit log and makes the changes last.
    pub async fn commit(mut self) -> Result<(), StoreError> {
        audit::append(&mut self.tx, &self.entropy, self.now, &self.audited).await?;
        Ok(self.tx.commit().await?)
    }
}
