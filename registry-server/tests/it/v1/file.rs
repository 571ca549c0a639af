use crate::support::Skill;

on_both_engines! {
    async fn one_file_with_its_headers(registry) {
        let ada = registry.user("ada").await;
        Skill::new("demo").file("docs/Größe.html", "<script>alert(1)</script>").published(&ada).await;
        let anyone = registry.anonymous();
        let answer = anyone.get("/api/v1/skills/demo/file?path=docs/Gr%C3%B6%C3%9Fe.html&version=1.0.0").await;
        let mut headers: Vec<_> = answer
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .filter(|line| !line.starts_with("x-request-id"))
            .collect();
        headers.sort_unstable();
        insta::assert_snapshot!(headers.join("\n"), @r#"
        access-control-allow-origin: *
        cache-control: no-cache
        content-disposition: attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%2Ehtml
        content-length: 25
        content-security-policy: default-src 'none'
        content-type: text/plain
        etag: "5c140d35dcb46a622e2cedf5ef5cc3638cdffd1c118c9331f8c84669f0b74783"
        x-content-sha256: 5c140d35dcb46a622e2cedf5ef5cc3638cdffd1c118c9331f8c84669f0b74783
        x-content-size: 25
        x-content-type-options: nosniff
        x-frame-options: DENY
        "#);
        assert_eq!(answer.text(), "<script>alert(1)</script>");
        let tag = answer.header("etag").unwrap();
        let path = "/api/v1/skills/demo/file?path=docs/Gr%C3%B6%C3%9Fe.html&version=1.0.0";
        let known = anyone.known(path, tag).await;
        assert_eq!((known.status.as_u16(), known.body.len(), known.header("etag")), (304, 0, Some(tag)));
        assert_eq!(anyone.known(&format!("{path}&preview=1"), tag).await.status, 200);
    }

    async fn in_any_letter_case_and_as_a_preview(registry) {
        let ada = registry.user("ada").await;
        let large = "x".repeat(200_001);
        Skill::new("demo").file("large.txt", &large).file("tool", [0xff, 0xfe]).published(&ada).await;
        let anyone = registry.anonymous();
        let mut shown = String::new();
        for query in ["path=skill.md&preview=1", "path=large.txt&preview=1", "path=tool&preview=1", "path=no.txt", "",
            "path=SKILL.md&version=9.9.9", "path=../../etc/passwd"] {
            let answer = anyone.get(&format!("/api/v1/skills/demo/file?{query}")).await;
            let kind = answer.header("content-type").unwrap_or("-").to_owned();
            let line = answer.text().lines().next().unwrap_or_default().to_owned();
            shown += &format!("{query}: {} {kind} {line}\n", answer.status.as_u16());
        }
        insta::assert_snapshot!(shown, @r"
        path=skill.md&preview=1: 200 text/plain; charset=utf-8 ---
        path=large.txt&preview=1: 413 text/plain; charset=utf-8 File too large to preview
        path=tool&preview=1: 415 text/plain; charset=utf-8 File is not text
        path=no.txt: 404 text/plain; charset=utf-8 File not found
        : 400 text/plain; charset=utf-8 Missing path
        path=SKILL.md&version=9.9.9: 404 text/plain; charset=utf-8 Version not found
        path=../../etc/passwd: 404 text/plain; charset=utf-8 File not found
        ");
    }

    /// Whatever a publisher calls a file, a browser that is told to run or apply it refuses: the addresses of files are
    /// of the same origin as the pages.
    async fn nothing_that_a_browser_runs(registry) {
        let ada = registry.user("ada").await;
        let endings = ["js", "mjs", "cjs", "css", "html", "xhtml", "xml", "xsl", "svg", "wasm", "pdf", "sh", "md", "json", "png"];
        let mut skill = Skill::new("demo");
        for ending in endings {
            skill = skill.file(&format!("a.{ending}"), "alert(1)");
        }
        skill.published(&ada).await;
        let mut shown = String::new();
        for ending in endings {
            let answer = registry.anonymous().get(&format!("/api/v1/skills/demo/file?path=a.{ending}")).await;
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
            shown += &format!("{ending}: {}\n", answer.header("content-type").unwrap());
        }
        insta::assert_snapshot!(shown, @r"
        js: text/plain
        mjs: text/plain
        cjs: text/plain
        css: text/plain
        html: text/plain
        xhtml: application/octet-stream
        xml: application/octet-stream
        xsl: application/octet-stream
        svg: application/octet-stream
        wasm: application/octet-stream
        pdf: application/octet-stream
        sh: text/plain
        md: text/markdown
        json: application/json
        png: image/png
        ");
    }
}
