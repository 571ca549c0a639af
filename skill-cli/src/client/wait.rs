use std::time::Duration;

/// A duration as messages say it: `0.4 s`, `12 s`, `3 min 20 s`.
pub(super) fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    match whole {
        0..=9 if duration.subsec_millis() >= 50 => format!("{:.1} s", duration.as_secs_f64()),
        0..=119 => format!("{whole} s"),
        _ => format!("{} min {} s", whole / 60, whole % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_well() {
        let said = |millis| seconds(Duration::from_millis(millis));
        assert_eq!(
            [said(400), said(2000), said(42_000), said(200_000)],
            ["0.4 s", "2 s", "42 s", "3 min 20 s"]
        );
    }
}
