//! Slips of the finger.

use strsim::osa_distance;

/// Below this many letters every other name is near; nothing can be said.
const SHORTEST: usize = 4;
/// From this many letters on two slips are as easily passed over as one.
const LONG: usize = 9;

/// How many letters two names without hyphens differ by, if it is few enough to be overlooked: one, or two in long
/// names. A letter left out, put in, changed, or swapped with its neighbour counts as one (optimal string
/// alignment). The shorter name decides what is long; of four letters the first is looked at, not overlooked.
pub(super) fn within_reach(one: &str, other: &str) -> Option<u8> {
    let shorter = one.len().min(other.len());
    if shorter < SHORTEST || (shorter == SHORTEST && one.as_bytes()[0] != other.as_bytes()[0]) {
        return None;
    }
    let reach: u8 = if shorter < LONG { 1 } else { 2 };
    if one.len().abs_diff(other.len()) > usize::from(reach) {
        return None;
    }
    u8::try_from(osa_distance(one, other)).ok().filter(|distance| *distance <= reach)
}

#[cfg(test)]
mod tests {
    use super::within_reach;

    #[test]
    fn one_slip_in_short_names_two_in_long_ones() {
        assert_eq!(within_reach("gihtub", "github"), Some(1));
        assert_eq!(within_reach("githb", "github"), Some(1));
        assert_eq!(within_reach("gthb", "github"), None);
        assert_eq!(within_reach("kuberntes", "kubernetes"), Some(1));
        assert_eq!(within_reach("kubrntes9", "kubernetes"), None);
        assert_eq!(within_reach("kuberentse", "kubernetes"), Some(2));
        assert_eq!(within_reach("postgersq", "postgresql"), Some(2));
    }

    #[test]
    fn short_names_are_their_own() {
        assert_eq!(within_reach("san", "scan"), None);
        assert_eq!(within_reach("raft", "craft"), None);
        assert_eq!(within_reach("crat", "craft"), Some(1));
    }
}
