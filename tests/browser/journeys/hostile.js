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

// In the page: its nodes, once it is laid out.
const nodesOf = () => {
  document.body.getBoundingClientRect();
  return document.querySelectorAll("*").length;
};

// CPU time that the page's own process spent since it was opened, in milliseconds.
const spent = async (session) => {
  const { metrics } = await session.send("Performance.getMetrics");
  return Math.round(metrics.find(({ name }) => name === "TaskDuration").value * 1000);
};

const lookAt = async (visitor, session, path) => {
  const answer = await visitor.goTo(path, null);
  const nodes = await visitor.page.evaluate(nodesOf);
  const took = await spent(session);
  assert.deepEqual(await visitor.page.evaluate(alive, lists), [], path);
  const html = await answer.text();
  const title = await visitor.page.title();
  assert.ok(title.endsWith(` · ${new URL(visitor.origin).host}`), `${path} is titled ${title}`);
  assert.equal(visitor.page.url(), new URL(path, visitor.origin).href, "it led away");
  assert.deepEqual(visitor.faults(), [], path);
  assert.ok(nodes <= MOST_NODES, `${path} has ${nodes} nodes`);
  assert.ok(html.length <= MOST_BYTES, `${path} has ${html.length} bytes`);
  shown.push({ path, nodes, bytes: html.length, took, status: answer.status() });
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
    const session = await visitor.context.newCDPSession(visitor.page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    for (const path of pagesOf(slug, releases)) await lookAt(visitor, session, path);
    await visitor.leave();
  });
}

test("what was shown", (context) => {
  const slowest = shown.toSorted((one, other) => other.took - one.took).slice(0, 3);
  const heaviest = shown.toSorted((one, other) => other.nodes - one.nodes).slice(0, 1);
  for (const { path, nodes, bytes, took } of [...slowest, ...heaviest]) context.diagnostic(`${took} ms of CPU, ${nodes} nodes, ${bytes} bytes: ${path.slice(0, 90)}`);
  const closed = shown.filter(({ status }) => status !== 200);
  context.diagnostic(`${shown.length} pages, ${closed.length} of them closed or not found`);
  assert.ok(closed.length * 10 < shown.length, "most pages have to be seen to be harmless");
});
