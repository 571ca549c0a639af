//! The literals of compressed blocks (RFC 8878, 3.1.1.3.1), of which the decoder is not strict enough: where they
//! stand in four streams, it looks whether all of them together are as many as announced. Here each is counted, so that
//! a reader that goes by their lengths makes the same of them.

use super::bits::{Backward, Forward};

/// Longest code of a literal.
const MAX_BITS: usize = 11;
/// Most states of the table that packs weights, as a power of two.
const MAX_ACCURACY: usize = 6;

/// What is kept from block to block: blocks may use the table of the one before.
#[derive(Default)]
pub(super) struct Literals(Option<Codes>);

impl Literals {
    /// Whether the literals of a block are as many as they say, stream by stream. `None` where they are not.
    pub(super) fn check(&mut self, block: &[u8]) -> Option<()> {
        let first = *block.first()?;
        let (kind, format) = (first & 3, first >> 2 & 3);
        if kind < 2 {
            return Some(());
        }
        let (header, bits) = [(3, 10), (3, 10), (4, 14), (5, 18)].get(usize::from(format)).copied()?;
        let number =
            block.get(..header)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)) >> 4;
        let (size, packed) = (number & ((1 << bits) - 1), number >> bits);
        let mut streams = block.get(header..header + packed)?;
        if kind == 2 {
            let (codes, used) = Codes::read(streams)?;
            self.0 = Some(codes);
            streams = streams.get(used..)?;
        }
        let codes = self.0.as_ref()?;
        if format == 0 {
            return (codes.count(streams)? == size).then_some(());
        }
        let (lengths, mut streams) = streams.split_at_checked(6)?;
        let share = size.div_ceil(4);
        for length in lengths.chunks(2) {
            let length = length.iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
            let (stream, rest) = streams.split_at_checked(length)?;
            (codes.count(stream)? == share).then_some(())?;
            streams = rest;
        }
        (Some(codes.count(streams)?) == size.checked_sub(3 * share)).then_some(())
    }
}

/// How long the code is that begins with given bits: all that has to be known of a table to count.
struct Codes {
    longest: usize,
    /// By the next `longest` bits.
    lengths: Vec<u8>,
}

impl Codes {
    /// Reads a table (RFC 8878, 4.2.1); gives its bytes, too.
    fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let (header, rest) = bytes.split_first()?;
        let (weights, used) = if *header < 128 {
            let used = usize::from(*header);
            (packed_weights(rest.get(..used)?)?, used)
        } else {
            let count = usize::from(header - 127);
            let used = count.div_ceil(2);
            let halves = rest.get(..used)?.iter().flat_map(|byte| [byte >> 4, byte & 15]);
            (halves.take(count).map(usize::from).collect(), used)
        };
        Some((Self::of(weights)?, used + 1))
    }

    /// The last weight is not written: it fills the table up.
    fn of(mut weights: Vec<usize>) -> Option<Self> {
        let cells = |weight: usize| if weight == 0 { 0 } else { 1_usize << (weight - 1) };
        if weights.iter().any(|weight| *weight > MAX_BITS) {
            return None;
        }
        let filled: usize = weights.iter().map(|weight| cells(*weight)).sum();
        let longest = filled.checked_ilog2()? as usize + 1;
        let left = (1 << longest) - filled;
        if longest > MAX_BITS || !left.is_power_of_two() {
            return None;
        }
        weights.push(left.ilog2() as usize + 1);
        weights.sort_unstable();
        let cell = |weight: usize| std::iter::repeat_n((longest + 1 - weight) as u8, cells(weight));
        let lengths = weights.into_iter().filter(|weight| *weight > 0).flat_map(cell).collect();
        Some(Self { longest, lengths })
    }

    /// How many codes a stream holds, which has to end with its last.
    fn count(&self, stream: &[u8]) -> Option<usize> {
        let mut bits = Backward::new(stream)?;
        let mut count = 0;
        while bits.left() > 0 {
            bits.skip((*self.lengths.get(bits.peek(self.longest))?).into());
            count += 1;
        }
        (bits.left() == 0).then_some(count)
    }
}

/// A state of the decoder of weights: what it stands for, and how many bits choose the next one from where.
#[derive(Clone, Copy, Default)]
struct State {
    symbol: usize,
    bits: usize,
    base: usize,
}

/// Weights that are packed themselves (RFC 8878, 4.2.1.2), with two states that take turns.
fn packed_weights(bytes: &[u8]) -> Option<Vec<usize>> {
    let mut table = Forward::new(bytes);
    let accuracy = table.take(4)? + 5;
    if accuracy > MAX_ACCURACY {
        return None;
    }
    let states = states(&shares(&mut table, accuracy)?, accuracy)?;
    let mut bits = Backward::new(bytes.get(table.used()..)?)?;
    let mut next = |state: State| {
        let index = state.base + bits.peek(state.bits);
        bits.skip(state.bits);
        Some((states.get(index).copied()?, bits.left() < 0))
    };
    let begin = State { symbol: 0, bits: accuracy, base: 0 };
    let (mut one, mut other) = (next(begin)?.0, next(begin)?.0);
    let mut weights = Vec::new();
    while weights.len() < 255 {
        weights.push(one.symbol);
        let (state, over) = next(one)?;
        if over {
            weights.push(other.symbol);
            return Some(weights);
        }
        (one, other) = (other, state);
    }
    None
}

/// How many states each symbol has; `None` for less than one.
fn shares(table: &mut Forward<'_>, accuracy: usize) -> Option<Vec<Option<usize>>> {
    let mut left = 1_usize << accuracy;
    let mut shares = Vec::new();
    while left > 0 {
        let bits = (left + 1).ilog2() as usize + 1;
        let value = table.take(bits)?;
        let low = value & ((1 << (bits - 1)) - 1);
        let short = (1 << bits) - 1 - (left + 1);
        let value = if low < short {
            table.put_back();
            low
        } else if value > low {
            value - short
        } else {
            value
        };
        let share = value.checked_sub(1);
        left = left.checked_sub(share.unwrap_or(1))?;
        shares.push(share);
        if share == Some(0) {
            loop {
                let zeros = table.take(2)?;
                shares.extend(std::iter::repeat_n(Some(0), zeros));
                if zeros < 3 {
                    break;
                }
            }
        }
    }
    Some(shares)
}

/// The table of states (RFC 8878, 4.1.1).
fn states(shares: &[Option<usize>], accuracy: usize) -> Option<Vec<State>> {
    let size = 1_usize << accuracy;
    let mut states = vec![State::default(); size];
    let mut top = size;
    for (symbol, _) in shares.iter().enumerate().filter(|(_, share)| share.is_none()) {
        top = top.checked_sub(1)?;
        states.get_mut(top)?.symbol = symbol;
    }
    let step = (size >> 1) + (size >> 3) + 3;
    let mut at = 0;
    for (symbol, share) in shares.iter().enumerate() {
        for _ in 0..share.unwrap_or_default() {
            states.get_mut(at)?.symbol = symbol;
            at = (at + step) % size;
            while at >= top && top > 0 {
                at = (at + step) % size;
            }
        }
    }
    let mut numbers: Vec<usize> = shares.iter().map(|share| share.unwrap_or(1)).collect();
    for state in &mut states {
        let number = numbers.get_mut(state.symbol)?;
        state.bits = accuracy - number.checked_ilog2()? as usize;
        state.base = (*number << state.bits).checked_sub(size)?;
        *number += 1;
    }
    Some(states)
}
