//! The findings as a SARIF log, and the paths in it.

use serde_json::Value;

use crate::support::Sandbox;

use super::sandbox;

/// The log as SARIF 2.1.0 wants it: what its schema requires of each part that is there.
#[test]
fn the_sarif_log_is_one() {
    let user = sandbox();
    let out = user.skill(["lint", "weather", "--sarif"]).success();
    let log = out.json();
    assert_eq!((&log["version"], log["runs"].as_array().unwrap().len()), (&"2.1.0".into(), 1));
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        for text in [&rule["shortDescription"]["text"], &rule["help"]["text"], &rule["help"]["markdown"]] {
            assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
        assert!(
            ["error", "warning", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap())
        );
    }
    let results = run["results"].as_array().unwrap();
    let findings = user.skill(["lint", "weather", "--json"]).json();
    assert_eq!(results.len(), findings["findings"].as_array().unwrap().len());
    for (result, found) in results.iter().zip(findings["findings"].as_array().unwrap()) {
        is_result(result, found, rules);
    }
    let fixes = results.iter().filter(|result| result.get("fixes").is_some()).count();
    assert_eq!(fixes, 2);
}

fn is_result(result: &Value, found: &Value, rules: &[Value]) {
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(rules[index]["id"], result["ruleId"]);
    assert_eq!((&result["ruleId"], &result["level"]), (&found["code"], &found["severity"]));
    assert_eq!(result["message"]["text"], found["message"]);
    assert_eq!(result["partialFingerprints"]["codeAndLine/v1"].as_str().unwrap().len(), 32);
    let place = &result["locations"][0]["physicalLocation"];
    is_artifact(&place["artifactLocation"], found);
    let region = &place["region"];
    assert_eq!(
        (&region["startLine"], &region["startColumn"], &region["endColumn"]),
        (&found["line"], &found["column"], &found["endColumn"])
    );
    assert!(
        region["endColumn"].as_u64() >= region["startColumn"].as_u64()
            && region["startColumn"].as_u64() >= Some(1)
    );
    for fix in result.get("fixes").and_then(Value::as_array).into_iter().flatten() {
        assert!(fix["description"]["text"].is_string());
        let change = &fix["artifactChanges"][0];
        is_artifact(&change["artifactLocation"], found);
        let replacement = &change["replacements"][0];
        assert!(replacement["insertedContent"]["text"].is_string());
        let deleted = &replacement["deletedRegion"];
        assert_eq!(deleted["startLine"], found["line"], "{deleted}");
        assert!(deleted["endLine"].as_u64() >= deleted["startLine"].as_u64());
    }
}

fn is_artifact(artifact: &Value, found: &Value) {
    let uri = artifact["uri"].as_str().unwrap();
    assert_eq!(uri, format!("weather/{}", found["file"].as_str().unwrap()));
    assert_eq!(artifact["uriBaseId"], "%SRCROOT%");
}

#[test]
fn paths_in_a_sarif_log_are_uris() {
    let user = Sandbox::new();
    user.write(
        "天气 1/SKILL.md",
        "---\nname: weather\ndescription: Tells it when asked, not for climate\n---\nText\n",
    );
    let location = |arguments: &[&str]| {
        let log = user.skill(arguments).json();
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"].clone()
    };
    let here = location(&["lint", "天气 1", "--sarif", "--strict"]);
    assert_eq!(here["uri"], "%E5%A4%A9%E6%B0%94%201/SKILL.md");
    assert_eq!(here["uriBaseId"], "%SRCROOT%");
    let outside = Sandbox::new();
    outside
        .write("x/SKILL.md", "---\nname: y\ndescription: Tells it when asked, not for climate\n---\nText\n");
    let path = outside.work().join("x");
    let there = location(&["lint", path.to_str().unwrap(), "--sarif"]);
    assert_eq!(there["uri"], format!("file://{}/SKILL.md", path.display()));
    assert!(there.get("uriBaseId").is_none());
    user.write("we/天 气.md", "[x](gone.md)\n");
    user.write(
        "we/SKILL.md",
        "---\nname: we\ndescription: Tells the weather when asked, not for climate\n---\nText\n",
    );
    let log = user.skill(["lint", "we", "--sarif"]).success().json();
    let uri = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "we/%E5%A4%A9%20%E6%B0%94.md");
}

#[test]
fn the_name_of_an_archive_is_no_name_of_a_folder() {
    let user = Sandbox::new();
    user.write(
        "weather/SKILL.md",
        "---\nname: weather\ndescription: Tells it when asked, not for climate\n---\n[x](gone.md)\n",
    );
    user.skill(["pack", "weather", "-o", "weather-1.2.tar.gz"]).success();
    let out = user.skill(["lint", "weather-1.2.tar.gz", "--sarif"]).success();
    let results = out.json()["runs"][0]["results"].clone();
    assert_eq!(results.as_array().unwrap().len(), 1, "{out}");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "weather-1.2.tar.gz#SKILL.md");
    assert_eq!(place["contextRegion"]["snippet"]["text"], "[x](gone.md)");
    assert!(place["region"].get("snippet").is_none());
}
