//! Answers of `/api/v1` and what they are made of.

use std::collections::BTreeMap;

use axum::response::{IntoResponse as _, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde::Serialize;
use serde_json::Value;
use skill_core::verdict::{Finding, Verdict};
use skill_core::version::Version;

use super::wire::{
    LatestVersion, Metadata, Moderation, SearchItem, SearchOwner, Setup, Skill, SkillItem, Stats, VersionItem,
};
use crate::app::App;
use crate::store::catalogue::Card;
use crate::store::lines::Line;
use crate::store::releases::Release;

/// A JSON answer, which nobody between us and the client may keep (contract 0).
pub(crate) fn json<T: Serialize>(body: &T) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => {
            ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], bytes).into_response()
        }
        Err(error) => crate::problem::ApiError::internal(error).into_response(),
    }
}

/// What every answer says about the skill of a card.
pub(super) fn skill(card: &Card, latest: Option<&Version>) -> Skill {
    let mut tags: BTreeMap<String, String> =
        card.tags.iter().map(|(tag, version)| (tag.to_string(), version.to_string())).collect();
    if let Some(latest) = latest {
        tags.insert("latest".to_owned(), latest.to_string());
    }
    Skill {
        slug: card.slug.clone(),
        display_name: card.display_name.clone(),
        summary: card.summary.clone(),
        description: None,
        topics: Vec::new(),
        tags,
        stats: Stats {
            downloads: card.downloads as i64,
            stars: card.stars as i64,
            installs: card.downloads as i64,
            versions: card.versions as i64,
            comments: 0,
        },
        created_at: card.created_at.as_millisecond(),
        updated_at: card.updated_at.as_millisecond(),
    }
}

/// A skill in a list; its card shows the release that `latest` means.
pub(super) fn item(card: &Card) -> SkillItem {
    SkillItem {
        skill: skill(card, Some(&card.version)),
        owner_handle: card.owner.clone(),
        latest_version: Some(latest_version(card)),
        metadata: card.manifest.as_ref().map(metadata),
    }
}

pub(super) fn latest_version(card: &Card) -> LatestVersion {
    LatestVersion {
        version: card.version.clone(),
        created_at: card.published_at.as_millisecond(),
        changelog: card.changelog.clone(),
    }
}

/// A skill that was found.
pub(crate) fn search_item(app: &App, card: &Card) -> SearchItem {
    SearchItem {
        score: 0.0,
        id: card.skill_id.clone(),
        slug: card.slug.clone(),
        display_name: card.display_name.clone(),
        summary: card.summary.clone(),
        version: card.version.clone(),
        owner_handle: card.owner.clone(),
        owner: SearchOwner {
            handle: card.owner.clone(),
            display_name: card.owner_name.clone(),
            image: None,
            kind: card.owner_kind.as_str().to_owned(),
        },
        downloads: card.downloads as i64,
        updated_at: card.updated_at.as_millisecond(),
        canonical_url: app.page_of(&card.name()),
        verdict: card.verdict,
    }
}

pub(super) fn version_item(release: &Line, changelog: String) -> VersionItem {
    VersionItem {
        version: release.version.clone(),
        created_at: release.published_at.as_millisecond(),
        changelog_source: (!changelog.is_empty()).then_some("user"),
        changelog,
        state: release.state,
        verdict: release.verdict,
    }
}

/// `setup` of the contract: what must be set (environment, configuration), then the described variables, each
/// key once (contract 1.5).
pub(super) fn metadata(manifest: &Value) -> Metadata {
    let mut setup: Vec<Setup> = Vec::new();
    let mut add = |key: &str, required: bool| {
        if setup.iter().all(|known| known.key != key) {
            setup.push(Setup { key: key.to_owned(), required });
        }
    };
    for list in ["/requires/env", "/requires/config"] {
        texts(manifest.pointer(list)).for_each(|key| add(key, true));
    }
    for variable in manifest.get("envVars").and_then(Value::as_array).into_iter().flatten() {
        let required = variable.get("required").and_then(Value::as_bool).unwrap_or(true);
        if let Some(name) = variable.get("name").and_then(Value::as_str) {
            add(name, required);
        }
    }
    let os: Vec<String> = texts(manifest.get("os")).map(str::to_owned).collect();
    Metadata { setup, os: (!os.is_empty()).then_some(os), systems: None }
}

fn texts(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// A warning about a release; `None` if it is clean.
pub(super) fn moderation(release: &Release) -> Option<Moderation> {
    if release.verdict == Verdict::Clean {
        return None;
    }
    let mut reason_codes: Vec<String> = release.findings.iter().map(|f| f.rule_id.clone()).collect();
    reason_codes.sort_unstable();
    reason_codes.dedup();
    Some(Moderation {
        is_suspicious: true,
        is_malware_blocked: release.verdict == Verdict::Malicious,
        verdict: verdict(release.verdict),
        reason_codes,
        updated_at: Some(release.scanned_at.as_millisecond()),
        engine_version: Some(release.ruleset.clone()),
        summary: release.findings.iter().min().map(|finding: &Finding| finding.message.clone()),
    })
}

/// The contract's words for a verdict; it has none for what could not be analysed, which is treated as
/// suspicious (docs/API.md, "States").
pub(super) const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Clean => "clean",
        Verdict::Suspicious | Verdict::NotAnalysable => "suspicious",
        Verdict::Malicious => "malicious",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn setup_names_each_key_once_in_order() {
        let manifest = json!({
            "requires": { "env": ["A_KEY", "B_KEY"], "config": ["a.b"] },
            "envVars": [{ "name": "B_KEY", "required": false }, { "name": "C_KEY", "required": false }],
            "os": ["linux"],
        });
        let Metadata { setup, os, .. } = metadata(&manifest);
        let keys: Vec<_> = setup.iter().map(|one| (one.key.as_str(), one.required)).collect();
        assert_eq!(keys, [("A_KEY", true), ("B_KEY", true), ("a.b", true), ("C_KEY", false)]);
        assert_eq!(os, Some(vec!["linux".to_owned()]));
        assert_eq!(metadata(&json!({})).os, None);
    }
}
