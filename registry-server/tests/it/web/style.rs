//! The stylesheet's colours, read out of it: text is read by everybody, in light and in dark.

use std::collections::BTreeMap;

use super::markup;
use crate::support::TestRegistry;

/// Luminance of a colour as WCAG 2 defines it.
fn luminance(hex: &str) -> f64 {
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The pairs of `--name: light-dark(#…, #…)`.
fn tokens(style: &str) -> BTreeMap<String, [String; 2]> {
    let declarations =
        style.split(';').filter_map(|one| one.rsplit_once("--")?.1.split_once(": light-dark("));
    let pairs = declarations.map(|(name, colours)| {
        let (light, dark) = colours.trim_end_matches(')').split_once(", ").unwrap();
        (name.to_owned(), [light.to_owned(), dark.to_owned()])
    });
    pairs.collect()
}

#[tokio::test]
async fn every_text_stands_out() {
    let registry = TestRegistry::on_sqlite().start().await;
    let home = registry.anonymous().get("/").await;
    let page = markup::read(home.text()).unwrap();
    let style = page.all("link").find(|link| link.get("rel") == "stylesheet").unwrap().get("href");
    let style = registry.anonymous().get(style).await;
    let tokens = tokens(style.text());
    let mut checked = 0;
    let mut hold = |text: &str, ground: &str, least: f64| {
        for mode in [0, 1] {
            let ratio = contrast(&tokens[text][mode], &tokens[ground][mode]);
            assert!(ratio >= least, "{text} on {ground}: {ratio:.2}, wanted {least}");
            checked += 1;
        }
    };
    for ground in ["bg", "surface", "sunken"] {
        for text in ["text", "muted", "link"] {
            hold(text, ground, 6.0);
        }
        for edge in ["focus", "edge"] {
            hold(edge, ground, 3.0);
        }
    }
    for state in ["ok", "warn", "bad", "unknown", "off"] {
        let tint = format!("{state}-bg");
        hold(state, &tint, 6.0);
        hold("text", &tint, 6.0);
        hold("link", &tint, 6.0);
    }
    hold("surface", "bad", 6.0);
    assert_eq!(checked, 62);
}
