//! Whose turn it is: so many bundles are in memory and scanned at a time, and no publisher's uploads keep another
//! publisher waiting behind all of them.
//!
//! One bundle of a publisher is read at a time. Among those who wait, the publisher comes first whose last turn is
//! longest ago, and of one publisher the upload that came first. Nobody overtakes whoever is next, so that a bundle that
//! needs every slot gets them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot::{self, error::RecvError};

/// The queue; clones are the same one.
#[derive(Debug, Clone)]
pub(crate) struct Turns(Arc<Mutex<Queue>>);

/// Room for a bundle, for as long as this is held.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Turns,
    who: String,
    slots: u32,
}

#[derive(Debug)]
struct Queue {
    free: u32,
    /// In the order in which they came.
    waiting: Vec<Waiting>,
    publishers: HashMap<String, Publisher>,
    /// How many turns were given.
    given: u64,
}

#[derive(Debug)]
struct Waiting {
    who: String,
    slots: u32,
    given: oneshot::Sender<Turn>,
}

/// A publisher who has a turn, or waits for another one.
#[derive(Debug, Default)]
struct Publisher {
    has_turn: bool,
    /// The number of the last turn.
    last: u64,
}

impl Turns {
    /// A queue for so many slots.
    pub(crate) fn new(slots: u32) -> Self {
        let queue = Queue { free: slots, waiting: Vec::new(), publishers: HashMap::new(), given: 0 };
        Self(Arc::new(Mutex::new(queue)))
    }

    /// Waits until it is the turn of `who` and so many slots are free. Whoever stops waiting leaves the queue.
    pub(crate) async fn wait(&self, who: &str, slots: u32) -> Result<Turn, RecvError> {
        let (given, turn) = oneshot::channel();
        self.lock().waiting.push(Waiting { who: who.to_owned(), slots, given });
        self.serve();
        turn.await
    }

    /// Gives turns to all who may have one now.
    fn serve(&self) {
        let mut served = Vec::new();
        let mut queue = self.lock();
        while let Some(Waiting { who, slots, given }) = queue.next() {
            served.push((given, Turn { turns: self.clone(), who, slots }));
        }
        drop(queue);
        for (given, turn) in served {
            // Whoever left meanwhile gives it back here.
            drop(given.send(turn));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Takes whoever is next out of the queue, if there is room.
    fn next(&mut self) -> Option<Waiting> {
        self.waiting.retain(|waiting| !waiting.given.is_closed());
        let publishers = &self.publishers;
        let last = |who: &str| publishers.get(who).map_or(0, |publisher| publisher.last);
        let has_none = |who: &str| !publishers.get(who).is_some_and(|publisher| publisher.has_turn);
        let candidates = self.waiting.iter().enumerate().filter(|(_, waiting)| has_none(&waiting.who));
        let (next, waiting) = candidates.min_by_key(|(at, waiting)| (last(&waiting.who), *at))?;
        self.free = self.free.checked_sub(waiting.slots)?;
        let waiting = self.waiting.remove(next);
        self.given += 1;
        self.publishers.insert(waiting.who.clone(), Publisher { has_turn: true, last: self.given });
        Some(waiting)
    }

    /// Takes back a turn. A publisher who waits for no other one is forgotten.
    fn take_back(&mut self, who: &str, slots: u32) {
        self.free += slots;
        if self.waiting.iter().all(|waiting| waiting.who != who) {
            self.publishers.remove(who);
        } else if let Some(publisher) = self.publishers.get_mut(who) {
            publisher.has_turn = false;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.lock().take_back(&self.who, self.slots);
        self.turns.serve();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    type Wait = Pin<Box<dyn Future<Output = Result<Turn, RecvError>>>>;

    fn wait(turns: &Turns, who: &'static str, slots: u32) -> Wait {
        let turns = turns.clone();
        let mut wait: Wait = Box::pin(async move { turns.wait(who, slots).await });
        assert!(poll(&mut wait).is_none(), "{who} waits");
        wait
    }

    fn poll(wait: &mut Wait) -> Option<Turn> {
        match wait.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => Some(turn.unwrap()),
            Poll::Pending => None,
        }
    }

    fn at_once(turns: &Turns, who: &'static str, slots: u32) -> Turn {
        let turns = turns.clone();
        poll(&mut (Box::pin(async move { turns.wait(who, slots).await }) as Wait)).expect("there is room")
    }

    /// Gives turns back one after the other, and tells who came next each time.
    fn order(mut held: Turn, mut waiting: Vec<(&'static str, Wait)>) -> Vec<&'static str> {
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(held);
            let next = waiting.iter_mut().enumerate().find_map(|(at, (_, wait))| Some((at, poll(wait)?)));
            let (at, turn) = next.expect("somebody is next");
            order.push(waiting.remove(at).0);
            held = turn;
        }
        order
    }

    #[test]
    fn six_uploads_of_one_publisher_keep_nobody_else_waiting() {
        let turns = Turns::new(2);
        let flood = at_once(&turns, "flood", 1);
        let waiting: Vec<_> = (0..5).map(|_| ("flood", wait(&turns, "flood", 1))).collect();
        let small = at_once(&turns, "small", 1);
        drop(small);
        drop(at_once(&turns, "another", 1));
        assert_eq!(order(flood, waiting), ["flood"; 5]);
    }

    #[test]
    fn publishers_take_turns() {
        let turns = Turns::new(1);
        let held = at_once(&turns, "a", 1);
        let waiting = ["a", "a", "b", "b", "c"].map(|who| (who, wait(&turns, who, 1)));
        assert_eq!(order(held, waiting.into()), ["b", "c", "a", "b", "a"]);
    }

    #[test]
    fn a_bundle_that_needs_every_slot_gets_them() {
        let turns = Turns::new(2);
        let (one, other) = (at_once(&turns, "a", 1), at_once(&turns, "b", 1));
        let mut large = wait(&turns, "c", 2);
        let mut small = wait(&turns, "d", 1);
        drop(one);
        assert!(poll(&mut large).is_none() && poll(&mut small).is_none());
        drop(other);
        let large = poll(&mut large).expect("it is its turn");
        assert!(poll(&mut small).is_none());
        drop(large);
        assert!(poll(&mut small).is_some());
    }

    #[test]
    fn whoever_leaves_holds_nothing_up() {
        let turns = Turns::new(1);
        let held = at_once(&turns, "a", 1);
        let (gone, mut stays) = (wait(&turns, "b", 1), wait(&turns, "c", 1));
        let given_and_gone = wait(&turns, "d", 1);
        drop(gone);
        drop(held);
        drop(poll(&mut stays).expect("it is its turn"));
        // It has been given its turn and never looks.
        drop(given_and_gone);
        drop(at_once(&turns, "e", 1));
        assert!(turns.lock().publishers.is_empty());
    }
}
