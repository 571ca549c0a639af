/// Xorshift: the same archives in every run.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    /// Once in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// Changes some bytes, or cuts some off.
    pub(super) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(2) {
            let at = self.below(bytes.len());
            bytes[at] = match self.below(3) {
                0 => bytes[at] ^ (1 << self.below(8)),
                1 => self.one_of(b"\0\xff01/.x"),
                _ => self.below(256) as u8,
            };
        }
        if self.once_in(12) {
            bytes.truncate(self.below(bytes.len()));
        }
    }
}
