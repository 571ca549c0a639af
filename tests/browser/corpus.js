// Real skills in a real browser: the page, the security page and a file of each. `CORPUS_DIR` says where a folder of
// them is; they are not part of the project.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";

import { alive, lists } from "./support/alive.js";
import { publish, skillMd } from "./support/registry.js";
import { Visitor } from "./support/visitor.js";
import { launch, views } from "./support/view.js";

const folder = process.env.CORPUS_DIR;
const files = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile());
const skills = files.filter((path) => /(^|\/)SKILL\.md$/.test(path)).map((path) => path.slice(0, -"SKILL.md".length));

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

// The files of a skill that no skill below it has for itself.
const filesOf = (skill) => {
  const below = skills.filter((other) => other !== skill && other.startsWith(skill));
  const own = files.filter((path) => path.startsWith(skill) && !below.some((other) => path.startsWith(other)));
  return Object.fromEntries(own.map((path) => [relative(skill, path), readFileSync(join(folder, path))]));
};

test("every real skill", async (context) => {
  const visitor = await Visitor.enter(browser, views[0]);
  const counts = { shown: 0, closed: 0, helped: 0 };
  let most = { nodes: 0 };
  for (const [number, skill] of skills.entries()) {
    const slug = `real-${number}`;
    const own = filesOf(skill);
    let { status, body } = await publish("many", { slug }, own);
    if (body.code === "frontmatter-missing") {
      // Publishing asks for one; what such a text looks like is to be seen all the same.
      own["SKILL.md"] = skillMd({ name: slug, description: "d" }, own["SKILL.md"]);
      ({ status, body } = await publish("many", { slug }, own));
      counts.helped += 1;
    }
    assert.equal(status, 201, `${skill}: ${JSON.stringify(body)}`);
    counts[body.status === "quarantined" ? "closed" : "shown"] += 1;
    for (const part of ["", "/security", "/files?path=SKILL.md"]) {
      const path = `/many/skills/${slug}${part}`;
      const answer = await visitor.goTo(path, null);
      assert.equal(answer.status(), body.status === "quarantined" ? 403 : 200, `${skill} at ${path}`);
      assert.deepEqual(await visitor.page.evaluate(alive, lists), [], `${skill} at ${path}`);
      assert.deepEqual(visitor.faults(), [], `${skill} at ${path}`);
      const nodes = await visitor.page.evaluate(() => document.querySelectorAll("*").length);
      if (nodes > most.nodes) most = { nodes, skill, path };
    }
  }
  context.diagnostic(`${skills.length} skills: ${counts.shown} shown, ${counts.closed} closed, ${counts.helped} with a frontmatter of ours`);
  context.diagnostic(`the largest page has ${most.nodes} nodes: ${most.skill} at ${most.path}`);
  assert.ok(counts.shown > 0);
});
