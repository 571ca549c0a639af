// Reading a skill: its page and its tabs, its files, what changed, what was found, and taking the command along.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { base } from "../support/registry.js";
import { journey } from "../support/tour.js";
import { light, scripted, views } from "../support/view.js";

const GITHUB = "/acme/skills/github";
const SUSPICIOUS = "/mallory/skills/suspicious";

const tab = (page, name) => page.getByRole("navigation", { name: "Pages of this skill" }).getByRole("link", { name });

journey("compare two versions", async (visitor, page) => {
  await visitor.goTo(GITHUB);
  await visitor.follow(() => tab(page, /Versions/).click(), `${GITHUB}/versions`);
  await page.getByRole("combobox", { name: /^From/ }).selectOption("3.0.0");
  await page.getByRole("combobox", { name: /^To/ }).selectOption("4.0.0");
  await visitor.follow(() => page.getByRole("button", { name: "Compare" }).click(), `${GITHUB}/diff?from=3.0.0&to=4.0.0`);
  assert.equal(await page.getByRole("heading", { level: 2 }).first().innerText(), "What changed from 3.0.0 to 4.0.0");
  const added = page.locator("table.diff ins").first();
  assert.ok(await added.isVisible());
  assert.ok(await page.locator("table.diff del").first().isVisible());
  assert.match(await page.locator("table.diff tr.added").first().innerText(), /added/);
  await page.getByLabel("Layout").selectOption("side");
  await visitor.follow(() => page.getByRole("button", { name: "Compare" }).click(), `${GITHUB}/diff?from=3.0.0&to=4.0.0&view=side`);
  assert.ok(await page.locator("table.diff.side").first().isVisible());
  await visitor.follow(() => page.getByRole("link", { name: "Swap" }).click(), `${GITHUB}/diff?from=4.0.0&to=3.0.0`);
  await visitor.isWell();
});

journey("go through the changes by key", async (visitor, page) => {
  await visitor.goTo(`${GITHUB}/diff?from=3.0.0&to=4.0.0`);
  assert.ok(await page.getByText("Keys, while a file has the focus: n for the next one").isVisible());
  const current = () => page.evaluate(() => document.activeElement.closest(".change")?.id);
  const all = await page.locator(".change").evaluateAll((changes) => changes.map((change) => change.id));
  assert.ok(all.length > 2);
  await page.keyboard.press("n");
  assert.equal(await current(), undefined, "a single key does nothing where no file has the focus");
  await page.locator(`main a[href="#${all[0]}"]`).click();
  assert.equal(await current(), all[0]);
  for (const id of all.slice(1)) {
    await page.keyboard.press("n");
    assert.equal(await current(), id);
    assert.ok(await page.locator(`#${id} > header`).evaluate((one) => one.getBoundingClientRect().top < innerHeight));
  }
  await page.keyboard.press("n");
  assert.equal(await current(), all.at(-1));
  await page.keyboard.press("p");
  assert.equal(await current(), all.at(-2));
  await page.getByRole("combobox", { name: "Search skills" }).pressSequentially("np");
  assert.equal(await current(), undefined);
}, scripted);

journey("copy the install command", async (visitor, page) => {
  await visitor.goTo(GITHUB);
  await page.evaluate(() => navigator.clipboard.writeText("something else"));
  const copy = page.getByRole("button", { name: "Copy the install command" });
  await copy.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "skill install acme/github");
  await visitor.goTo(`${GITHUB}/security`);
  await page.getByRole("button", { name: "Copy the verify command" }).click();
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "skill verify github");
}, scripted);

journey("where copying is refused the command is selected", async (visitor, page) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("refused"));
  });
  await visitor.goTo(GITHUB);
  await page.getByRole("button", { name: "Copy the install command" }).click();
  await page.getByRole("status").filter({ hasText: "Copying failed, select the text" }).waitFor({ state: "attached" });
  assert.equal(await page.evaluate(() => String(getSelection())), "skill install acme/github");
}, scripted.slice(0, 1));

journey("where nothing can be copied there is no button", async (visitor, page) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined }));
  await visitor.goTo(GITHUB);
  assert.equal(await page.getByRole("button", { name: /Copy/ }).count(), 0);
  assert.equal(await page.locator("#cmd").innerText(), "skill install acme/github");
}, [...scripted.slice(0, 1), ...views.filter(({ script }) => !script)]);

journey("open a file, a line of it, and its bytes", async (visitor, page) => {
  await visitor.goTo(GITHUB);
  await visitor.follow(() => tab(page, /Files/).click(), `${GITHUB}/files`);
  const link = page.getByRole("rowheader").getByRole("link").first();
  const name = await link.innerText();
  await visitor.follow(() => link.click(), `${GITHUB}/files?`);
  assert.match(await page.getByRole("heading", { level: 2 }).first().innerText(), new RegExp(name));
  await page.goto(`${page.url()}#L3`);
  assert.equal(await page.locator(".line:target").getAttribute("id"), "L3");
  const raw = page.getByRole("link", { name: "Raw file" });
  const address = base + (await raw.getAttribute("href"));
  const download = await visitor.save(() => raw.click());
  const answer = await fetch(address);
  assert.deepEqual(readFileSync(await download.path()), Buffer.from(await answer.arrayBuffer()));
  assert.match(answer.headers.get("content-disposition"), /^attachment/);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
}, light);

journey("a raw page is saved, not shown", async (visitor, page) => {
  const address = "/mallory/skills/hostile-scripts/files?version=1.0.1&path=payloads%2F0.html";
  await visitor.goTo(address);
  const raw = await page.getByRole("link", { name: "Raw file" }).getAttribute("href");
  const download = await visitor.save(() => page.goto(base + raw).catch(() => {}));
  assert.equal(page.url(), base + address);
  await download.delete();
}, views.slice(0, 2));

journey("from a verdict to the line that it is about", async (visitor, page) => {
  await visitor.goTo(SUSPICIOUS);
  assert.ok(await page.locator(".state .badge", { hasText: "Suspicious" }).isVisible());
  await visitor.follow(() => page.getByRole("link", { name: "What was checked" }).click(), `${SUSPICIOUS}/security`);
  const finding = page.getByRole("article").first();
  assert.match(await finding.innerText(), /Why it matters[^]*What to do/i);
  assert.match(await finding.locator("mark").innerText(), /curl/);
  await visitor.follow(() => finding.getByRole("link", { name: /SKILL\.md/ }).click(), `${SUSPICIOUS}/files?`);
  assert.match(await page.locator(".line:target").innerText(), /curl/);
  await visitor.goTo(`${GITHUB}/security`);
  assert.ok((await page.locator(".checks dt").count()) >= 5);
  assert.ok(await page.getByText("Everything here is said by the registry you want to check").isVisible());
}, light);
