// Skills written to come alive, in a real browser: nothing of them runs, loads, leads away or passes for the page's own.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { alive, lists } from "../support/alive.js";
import { families } from "../support/payloads.js";
import { Visitor } from "../support/visitor.js";
import { launch, views } from "../support/view.js";

// A page may be large, since a text may be; a larger one would be slow on a small machine.
const MOST_NODES = 12_000;
const MOST_BYTES = 4 << 20;

let browser;
const shown = [];

before(async () => {
  browser = await launch();
});

after(() => browser.close());

// In the page: its nodes, and how long it took to be laid out, in milliseconds.
const weight = () => {
  const from = performance.getEntriesByType("navigation")[0].responseEnd;
  document.body.getBoundingClientRect();
  return { nodes: document.querySelectorAll("*").length, took: performance.now() - from };
};

const lookAt = async (visitor, path) => {
  const answer = await visitor.goTo(path, null);
  const { nodes, took } = await visitor.page.evaluate(weight);
  assert.deepEqual(await visitor.page.evaluate(alive, lists), [], path);
  const html = await answer.text();
  const title = await visitor.page.title();
  assert.ok(title.endsWith(` · ${new URL(visitor.origin).host}`), `${path} is titled ${title}`);
  assert.equal(visitor.page.url(), new URL(path, visitor.origin).href, "it led away");
  assert.deepEqual(visitor.faults(), [], path);
  assert.ok(nodes <= MOST_NODES, `${path} has ${nodes} nodes`);
  assert.ok(html.length <= MOST_BYTES, `${path} has ${html.length} bytes`);
  shown.push({ path, nodes, bytes: html.length, took: Math.round(took), status: answer.status() });
};

// The text of every release; of the last one, which holds the most, every other page.
const pagesOf = (slug, releases) => {
  const page = `/mallory/skills/${slug}`;
  const { version, payloads } = releases.at(-1);
  const file = (number) => `${page}/files?version=${version}&path=payloads%2F${number}.html`;
  const asked = (payload) => encodeURIComponent(payload.replaceAll("\0", "").slice(0, 150).toWellFormed());
  return [
    ...releases.map((release) => `${page}/versions/${release.version}`),
    `${page}/versions`,
    `${page}/diff?to=${version}`,
    `${page}/diff?to=${version}&view=side`,
    `${page}/security?version=${version}`,
    `${page}/files?version=${version}`,
    ...payloads.map((_, number) => file(number)),
    ...payloads.map((payload) => `/search?q=${asked(payload)}`),
    `/skills?owner=${asked(payloads[0])}`,
    `${page}/files?version=${version}&path=${asked(payloads[0])}`,
  ];
};

for (const { slug, releases } of families) {
  test(slug, async () => {
    const visitor = await Visitor.enter(browser, views[0]);
    for (const path of pagesOf(slug, releases)) await lookAt(visitor, path);
    await visitor.leave();
  });
}

test("what was shown", (context) => {
  const slowest = shown.toSorted((one, other) => other.took - one.took).slice(0, 3);
  const heaviest = shown.toSorted((one, other) => other.nodes - one.nodes).slice(0, 1);
  for (const { path, nodes, bytes, took } of [...slowest, ...heaviest]) context.diagnostic(`${took} ms, ${nodes} nodes, ${bytes} bytes: ${path.slice(0, 90)}`);
  const closed = shown.filter(({ status }) => status !== 200);
  context.diagnostic(`${shown.length} pages, ${closed.length} of them closed or not found`);
  assert.ok(closed.length * 10 < shown.length, "most pages have to be seen to be harmless");
});
