// Pages by keyboard alone: every stop is seen, none is missed or covered, their order is that of the text, and nothing
// moves for those who do not want it.
import assert from "node:assert/strict";

import { journey } from "../support/tour.js";
import { light, scripted } from "../support/view.js";

const GITHUB = "/acme/skills/github";

const PATHS = [
  "/",
  "/skills?owner=many",
  "/search?q=github",
  "/acme",
  GITHUB,
  `${GITHUB}/versions`,
  `${GITHUB}/files`,
  `${GITHUB}/files?path=SKILL.md`,
  `${GITHUB}/diff?from=3.4.1&to=3.4.2`,
  `${GITHUB}/security`,
  "/mallory/skills/suspicious/security",
  "/acme/skills/githob",
];

// In the page: marks what a key can reach, in the order of the text, and gives how many they are.
const number = () => {
  const able = document.querySelectorAll("a[href], button, input, select, summary, [tabindex]");
  const stops = [...able].filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
  stops.forEach((one, index) => (one.dataset.stop = index));
  return stops.length;
};

// In the page: where the focus is, and what is wrong with how it shows.
const look = () => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const box = one.getClientRects()[0];
  const middle = (from, to, end) => (Math.max(0, from) + Math.min(to, end)) / 2;
  const [x, y] = [middle(box.left, box.right, innerWidth), middle(box.top, box.bottom, innerHeight)];
  const above = document.elementFromPoint(x, y);
  const wrong = [];
  if (!one.matches(":focus-visible")) wrong.push("is not focus-visible");
  if (style.outlineStyle !== "solid" || parseFloat(style.outlineWidth) < 3) wrong.push(`has an outline ${style.outline}`);
  if (box.bottom < 0 || box.top > innerHeight || box.right < 0 || box.left > innerWidth) wrong.push("is outside of the window");
  else if (!one.contains(above) && !above?.contains(one)) wrong.push(`is covered by ${above?.outerHTML.slice(0, 80)}`);
  return { stop: Number(one.dataset.stop ?? -1), wrong: wrong.map((text) => `${one.outerHTML.slice(0, 120)} ${text}`) };
};

journey("every stop of every page", async (visitor, page) => {
  for (const path of PATHS) {
    await visitor.goTo(path, null);
    const stops = await page.evaluate(number);
    for (let stop = 0; stop < stops; stop += 1) {
      await page.keyboard.press("Tab");
      assert.deepEqual(await page.evaluate(look), { stop, wrong: [] }, path);
    }
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement), await page.evaluate(() => document.body), `${path} keeps the focus`);
  }
}, light.filter(({ script }) => script));

journey("the first stop leads past the head of the page", async (visitor, page) => {
  await visitor.goTo(GITHUB);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.querySelector("main").contains(document.activeElement)));
}, scripted.slice(0, 1));

const moving = () => document.getAnimations().map((one) => one.animationName);

journey("nothing moves for those who want it so", async (visitor, page) => {
  await visitor.goTo(`${GITHUB}/security#trust`);
  assert.deepEqual(await page.evaluate(moving), []);
}, scripted.slice(0, 1));

journey("for others a line that was linked to is lit once", async (visitor, page) => {
  await visitor.goTo(`${GITHUB}/security#trust`);
  assert.deepEqual(await page.evaluate(moving), ["lit"]);
}, scripted.slice(0, 1), { reducedMotion: "no-preference" });

// In the page: badges that lost their word, their shape or their edge.
const bare = () =>
  [...document.querySelectorAll(".badge")]
    .filter((badge) => !badge.innerText.trim() || !badge.querySelector("svg use") || getComputedStyle(badge).borderTopWidth === "0px")
    .map((badge) => badge.outerHTML);

journey("badges stay badges where the reader picks the colours", async (visitor, page) => {
  for (const path of [GITHUB, "/mallory/skills/suspicious/security", `${GITHUB}/versions`]) {
    await visitor.goTo(path);
    assert.ok((await page.locator(".badge").count()) > 0);
    assert.deepEqual(await page.evaluate(bare), []);
  }
}, scripted.slice(0, 1), { forcedColors: "active" });
