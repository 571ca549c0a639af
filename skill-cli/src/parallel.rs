//! The same work on many things, on all cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

/// Does `work` on each of `items` and gives the answers in the order of the items.
pub(crate) fn each<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(8).min(items.len());
    if workers <= 1 {
        return items.into_iter().map(work).collect();
    }
    let queue = Mutex::new(items.into_iter().enumerate());
    let answers = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((place, item)) = next else { break };
                    let answer = work(item);
                    answers.lock().unwrap_or_else(PoisonError::into_inner).push((place, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_items() {
        let answers = each((0..1000).collect(), |number: u32| number * 2);
        assert_eq!(answers, (0..1000).map(|number| number * 2).collect::<Vec<_>>());
        assert!(each(Vec::new(), |number: u32| number).is_empty());
    }
}
