//! Badges for other pages: a small picture that says how a skill stands.

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use http::{HeaderName, HeaderValue, StatusCode};
use skill_core::digest::Sha256;
use skill_core::name::SkillName;
use skill_core::state::ReleaseState;

use super::badge::Badge;
use super::browse::USED_DAYS;
use super::text::escaped;
use super::words::grouped;
use crate::app::App;
use crate::http::extract::{Query, SkillPath};
use crate::problem::ApiError;
use crate::store::{downloads, lines, skills};

/// Other pages show it; whoever passes it on asks again after so many seconds.
const CACHING: &str = "max-age=300";
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Two words, and what colour the second stands on.
#[derive(Debug, PartialEq, Eq)]
struct Shield {
    label: &'static str,
    value: String,
    /// White on it is read by everybody (WCAG 2, at least 4.5:1).
    ground: &'static str,
}

const GREY: &str = "#545c57";
const BLUE: &str = "#17528f";

/// `/{owner}/skills/{slug}/badge.svg?show=`: `version`, `verdict` or `downloads`. What cannot be had is 404, and a picture
/// that says so, as browsers show the picture of an error too.
pub(super) async fn badge(
    State(app): State<App>,
    SkillPath(name): SkillPath,
    query: Query,
) -> Result<Response, ApiError> {
    let found = shield(&app, &name, query.text("show").unwrap_or("version")).await?;
    let status = if found.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let missing = || Shield { label: "skill", value: "not found".to_owned(), ground: GREY };
    let svg = found.unwrap_or_else(missing).svg();
    let tag = format!("\"{}\"", &Sha256::of(&svg).to_hex()[..32]);
    let mut response = (status, svg).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(CACHING));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    headers.insert(ETAG, HeaderValue::from_str(&tag).map_err(ApiError::internal)?);
    Ok(response)
}

/// What is shown of a skill that can be chosen.
async fn shield(app: &App, name: &SkillName, show: &str) -> Result<Option<Shield>, ApiError> {
    let mut conn = app.db().read().await?;
    let skill = skills::find(&mut conn, name).await?.filter(|skill| skill.deleted_at.is_none());
    let Some((skill, latest)) = skill.and_then(|skill| skill.latest.clone().map(|latest| (skill, latest)))
    else {
        return Ok(None);
    };
    let Some(line) = lines::find(&mut conn, &skill.id, &latest).await? else { return Ok(None) };
    Ok(match show {
        "version" => Some(Shield { label: "skill", value: latest.to_string(), ground: BLUE }),
        "verdict" => {
            let badge = Badge::of(line.state, line.verdict);
            let ground = match line.state {
                ReleaseState::Visible if badge.is_clean() => "#14603a",
                _ => "#744600",
            };
            Some(Shield { label: "verdict", value: badge.word.to_lowercase(), ground })
        }
        "downloads" => {
            let since = downloads::since(app.clock().now(), USED_DAYS);
            let days = downloads::by_day(&mut conn, &skill.id, since).await?;
            let people = days.iter().map(|of| of.people).sum();
            let value = format!("{} in {USED_DAYS} days", grouped(people));
            Some(Shield { label: "downloads", value, ground: BLUE })
        }
        _ => None,
    })
}

impl Shield {
    /// The picture. It is as wide as its text is about; `textLength` makes every font keep to that.
    fn svg(&self) -> String {
        const HEIGHT: usize = 20;
        let wide = |text: &str| text.chars().count() * 7;
        let (left, right) = (wide(self.label) + 10, wide(&self.value) + 10);
        let (label, value, all) = (escaped(self.label), escaped(&self.value), left + right);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"{HEIGHT}\" role=\"img\" \
             aria-label=\"{label}: {value}\">\n<title>{label}: {value}</title>\n"
        );
        // Writing to a string cannot end in an error.
        for (x, width, ground) in [(0, left, "#1a1e1c"), (left, right, self.ground)] {
            let _ =
                writeln!(svg, "<rect x=\"{x}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{ground}\"/>");
        }
        for (x, width, text) in [(5, left - 10, &label), (left + 5, right - 10, &value)] {
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"14\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#fff\" \
                 font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">{text}</text>"
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let shield = Shield { label: "skill", value: "<script>\"'&\u{202e}".to_owned(), ground: GREY };
        let svg = shield.svg();
        assert!(!svg.contains("<script") && !svg.contains('\u{202e}'), "{svg}");
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }
}
