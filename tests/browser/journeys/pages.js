// Every kind of page, at each width and in each colour scheme, with and without a script: well-behaved, accessible,
// light, and as wide as its window.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { base } from "../support/registry.js";
import { Visitor } from "../support/visitor.js";
import { launch, views } from "../support/view.js";

const GITHUB = "/acme/skills/github";
const LONG = `/many/skills/${"l".repeat(96)}`;

// Name, address, and status where it is not 200.
const PAGES = [
  ["home", "/"],
  ["browse", "/skills"],
  ["browse-filtered", "/skills?sort=name&os=linux&secrets=none&verdict=clean&owner=many"],
  ["browse-nothing", "/skills?owner=nobody"],
  ["search", "/search?q=sorts"],
  ["search-exact", "/search?q=github"],
  ["search-nothing", "/search?q=zzzzzz"],
  ["search-empty", "/search"],
  ["publisher", "/many"],
  ["skill", GITHUB],
  ["skill-older", `${GITHUB}/versions/3.0.0`],
  ["skill-yanked", `${GITHUB}/versions/3.4.2`],
  ["skill-suspicious", "/mallory/skills/suspicious"],
  ["skill-chinese", "/acme/skills/zhoubao"],
  ["skill-right-to-left", "/many/skills/right-to-left"],
  ["skill-long", `${LONG}/versions/1.0.0-${"9".repeat(50)}`],
  ["closed", "/mallory/skills/malicious", 403],
  ["versions", `${GITHUB}/versions`],
  ["versions-many", "/mallory/skills/hostile-broken/versions"],
  ["files", `${GITHUB}/files`],
  ["file", `${GITHUB}/files?path=SKILL.md`],
  ["file-findings", "/mallory/skills/suspicious/files?path=SKILL.md"],
  ["file-hidden", "/mallory/skills/hidden/files?path=notes.txt"],
  ["file-binary", "/acme/skills/bar-chart/files?path=assets%2Fexample.png"],
  ["diff", `${GITHUB}/diff?from=3.0.0&to=4.0.0`],
  ["diff-side", `${GITHUB}/diff?from=3.0.0&to=4.0.0&view=side`],
  ["diff-alone", "/acme/skills/zhoubao/diff"],
  ["security", `${GITHUB}/security`],
  ["security-findings", "/mallory/skills/suspicious/security"],
  ["missing-skill", "/acme/skills/githob", 404],
  ["missing-page", "/nobody", 404],
  ["unreadable", "/search?q=%00", 400],
];

// What a page may weigh beside the words of a skill, everything that it loads counted.
const MOST_BYTES = 100_000;

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

// In the page: the bytes of its publisher's words.
const words = () => {
  const theirs = document.querySelectorAll(".doc, .source, .change, .lede, .more, .lines, .row-text, .finding pre");
  return [...theirs].reduce((sum, one) => sum + new TextEncoder().encode(one.outerHTML).length, 0);
};

const isLight = async (visitor, answer, loaded) => {
  const html = (await answer.body()).length - (await visitor.page.evaluate(words));
  const rest = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(html + rest < MOST_BYTES, `${answer.url()}: ${html} bytes of its own and ${rest} beside it`);
};

// In the page: letters twice as large.
const enlarge = () => document.documentElement.style.setProperty("font-size", "200%");

const reflows = async (visitor) => {
  const { width, height } = visitor.page.viewportSize();
  for (const narrow of width === 360 ? [320] : [768]) {
    await visitor.page.setViewportSize({ width: narrow, height });
    await visitor.isWell();
  }
  await visitor.page.evaluate(enlarge);
  await visitor.isWell();
  await visitor.page.setViewportSize({ width, height });
};

// Without a script a page has the same colours: one scheme is enough to see that it is whole.
for (const view of views.filter(({ script, scheme }) => script || scheme === "light")) {
  test(`every page at ${view.name}`, async (context) => {
    const visitor = await Visitor.enter(browser, view);
    const loaded = new Map();
    visitor.page.on("response", async (answer) => {
      const path = new URL(answer.url()).pathname;
      if (path.startsWith("/static/")) loaded.set(path, (await answer.body()).length);
    });
    for (const [name, path, status] of PAGES) {
      await context.test(name, async () => {
        const answer = await visitor.goTo(path, status);
        await visitor.shoot(name);
        await visitor.isTouchable();
        await isLight(visitor, answer, loaded);
        if (view.script) await visitor.isAccessible();
        await reflows(visitor);
      });
    }
    assert.ok([...loaded.keys()].every((path) => /^\/static\/(style|page|icon)-\w{16}\.(css|js|svg)$/.test(path)), [...loaded.keys()].join());
    await visitor.leave();
  });
}

test("no two pages have the same title", async () => {
  const titled = new Map();
  for (const [name, path, status] of PAGES) {
    // What is missing has no title of its own, a filtered list is the list, and two columns show what one does.
    if (status === 404 || name.startsWith("browse-") || name === "diff-side") continue;
    const html = await (await fetch(base + path)).text();
    const [, title] = html.match(/<title>([^<]*)</);
    assert.ok(!titled.has(title), `${name} and ${titled.get(title)} are both titled ${title}`);
    titled.set(title, name);
  }
});
