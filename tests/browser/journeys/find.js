// Finding a skill: by search, by suggestion, by browsing, by publisher, and after a wrong turn.
import assert from "node:assert/strict";

import { journey } from "../support/tour.js";
import { light, scripted } from "../support/view.js";

const GITHUB = "/acme/skills/github";

journey("search from the front page, and read", async (visitor, page) => {
  await visitor.goTo("/");
  await page.getByRole("searchbox", { name: "Search all skills" }).fill("pull requests");
  await visitor.follow(() => page.keyboard.press("Enter"), "/search?q=pull+requests");
  assert.match(await page.getByRole("heading", { level: 1 }).innerText(), /^\d+ skills? for .*pull requests/);
  const found = page.locator(".row-name a", { hasText: "acme/github" });
  assert.equal(await found.count(), 1);
  await visitor.follow(() => found.click(), GITHUB);
  assert.match(await page.getByRole("heading", { level: 1 }).innerText(), /^acme\/github 4\.0\.0$/);
  assert.equal(await page.locator("#cmd").innerText(), "skill install acme/github");
  assert.ok(await page.getByRole("article", { name: "SKILL.md" }).isVisible());
});

journey("suggestions are chosen by key", async (visitor, page) => {
  await visitor.goTo("/skills");
  const field = page.getByRole("combobox", { name: "Search skills" });
  const list = page.getByRole("listbox", { name: "Skills" });
  await field.pressSequentially("gith");
  await list.waitFor();
  await visitor.isAccessible();
  await visitor.shoot("suggestions");
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Escape");
  assert.ok(await list.isHidden());
  await field.pressSequentially("u");
  await list.waitFor();
  await page.keyboard.press("ArrowDown");
  const chosen = list.getByRole("option", { selected: true });
  assert.equal(await chosen.innerText(), "acme/github");
  assert.equal(await field.getAttribute("aria-activedescendant"), await chosen.getAttribute("id"));
  await visitor.follow(() => page.keyboard.press("Enter"), GITHUB);
}, scripted);

journey("suggestions are chosen by hand, and Enter without a choice searches", async (visitor, page) => {
  await visitor.goTo("/skills");
  const field = page.getByRole("combobox", { name: "Search skills" });
  await field.pressSequentially("github");
  const option = page.getByRole("option", { name: "acme/github", exact: true });
  await visitor.follow(() => option.click(), GITHUB);
  await page.getByRole("combobox", { name: "Search skills" }).pressSequentially("github");
  await page.getByRole("listbox").waitFor();
  await visitor.follow(() => page.keyboard.press("Enter"), "/search?q=github");
}, light.filter(({ script }) => script));

journey("browse by filters, page by page", async (visitor, page) => {
  await visitor.goTo("/skills");
  await page.getByLabel("Sort").selectOption("name");
  await page.getByLabel("Verdict").selectOption("clean");
  await page.getByLabel("Publisher").fill("many");
  await page.getByLabel("Needs no secrets").check();
  await visitor.follow(() => page.getByRole("button", { name: "Apply" }).click(), "/skills?sort=name");
  const names = () => page.locator(".row-name a").allInnerTexts();
  const first = await names();
  assert.equal(first.length, 24);
  assert.ok(first.every((name) => name.startsWith("many/")));
  assert.deepEqual(first, first.toSorted());
  const paging = page.getByRole("navigation", { name: "Pages of skills" });
  assert.match(await paging.innerText(), /Page 1 of 2/);
  await visitor.follow(() => paging.getByRole("link", { name: "Next" }).click(), "/skills?");
  assert.match(await paging.innerText(), /Page 2 of 2/);
  const second = await names();
  assert.ok(second.length > 0 && second.every((name) => !first.includes(name)));
  await visitor.follow(() => paging.getByRole("link", { name: "Previous" }).click(), "/skills?");
  assert.deepEqual(await names(), first);
  const inForce = page.getByRole("list", { name: "Filters in force" });
  const before = await inForce.getByRole("link").count();
  await visitor.follow(() => inForce.getByRole("link", { name: /many/ }).click(), "/skills?");
  assert.equal(await inForce.getByRole("link").count(), before - 1);
  assert.equal(await page.getByLabel("Publisher").inputValue(), "");
}, light);

journey("from a skill to its publisher and back", async (visitor, page) => {
  await visitor.goTo(GITHUB);
  await visitor.follow(() => page.getByLabel("Facts to decide by").getByRole("link", { name: "acme" }).click(), "/acme");
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "acme");
  await page.getByText("Bare names it holds").click();
  assert.ok(await page.locator(".names").getByText("github", { exact: true }).isVisible());
  await visitor.isWell();
  await visitor.follow(() => page.getByRole("link", { name: "By name" }).click(), "/acme?sort=name");
  await visitor.follow(() => page.locator(".row-name a", { hasText: "acme/github" }).click(), GITHUB);
  await page.goBack();
  assert.equal(new URL(page.url()).pathname, "/acme");
}, light);

journey("a wrong name leads to the right one", async (visitor, page) => {
  await visitor.goTo("/acme/skills/githob", 404);
  assert.ok(await page.getByRole("heading", { name: "Names like it" }).isVisible());
  await visitor.follow(() => page.locator(".row-name a", { hasText: "acme/github" }).click(), GITHUB);
  await visitor.goTo("/search?q=githob");
  await visitor.follow(() => page.locator(".row-name a", { hasText: "acme/github" }).first().click(), GITHUB);
}, light);

journey("a skill that was closed says so, and offers no command", async (visitor, page) => {
  await visitor.goTo("/search?q=malicious");
  await visitor.follow(() => page.getByRole("link", { name: "mallory/malicious" }).first().click(), "/mallory/skills/malicious", 403);
  assert.ok(await page.locator(".badge", { hasText: "Quarantined" }).isVisible());
  assert.equal(await page.getByText("skill install").count(), 0);
  assert.ok(await page.getByText("skill remove malicious").isVisible());
}, light);
