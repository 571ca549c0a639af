// What a user has and sets: the dashboard, tokens, publishers, and what is done with a skill.
import assert from "node:assert/strict";

import { publish, signInLink, skillMd, whoami } from "../support/registry.js";
import { journey } from "../support/tour.js";

const OWNER = "acme";

const looksGood = async (visitor, name) => {
  await visitor.isTouchable();
  if (visitor.view.script) await visitor.isAccessible();
  await visitor.shoot(name);
};

const signIn = async (visitor, page, owner = OWNER) => {
  await visitor.goTo(await signInLink(owner));
  await visitor.follow(() => page.getByRole("button", { name: `Sign in as ${owner}` }).click(), "/", 303);
};

journey("a token is made, used and revoked", async (visitor, page) => {
  const label = `journey at ${visitor.view.name}`;
  await signIn(visitor, page);
  await page.getByRole("banner").getByText(OWNER, { exact: true }).click();
  await visitor.follow(() => page.getByRole("link", { name: "Settings" }).click(), "/settings/tokens", 303);
  await page.getByLabel("What it is for").fill(label);
  await page.getByLabel("Only for the skill").fill("no skill");
  const make = () => page.getByRole("button", { name: "Make the token" }).click();
  await visitor.follow(make, "/settings/tokens", 422);
  await looksGood(visitor, "token-refused");
  assert.equal(await page.getByLabel("What it is for").inputValue(), label);
  await page.getByLabel("Only for the skill").fill("");
  await page.getByLabel("For the publisher").selectOption(OWNER);
  await page.getByLabel("Good for").selectOption("7 days");
  await visitor.follow(make, "/settings/tokens", 201);
  await looksGood(visitor, "token-made");
  const token = (await page.locator("#token").innerText()).trim();
  assert.equal((await whoami(token)).body.user, OWNER);

  await visitor.follow(() => page.getByRole("link", { name: "All tokens" }).click(), "/settings/tokens");
  await looksGood(visitor, "tokens");
  assert.ok(!(await page.content()).includes(token));
  const row = page.getByRole("listitem").filter({ hasText: label });
  await visitor.follow(() => row.getByRole("button", { name: "Revoke" }).click(), "/settings/tokens", 303);
  assert.equal(await row.count(), 0);
  assert.equal((await whoami(token)).status, 401);
});

journey("the dashboard says how the own skills stand", async (visitor, page) => {
  await signIn(visitor, page);
  await page.getByRole("banner").getByText(OWNER, { exact: true }).click();
  await visitor.follow(() => page.getByRole("link", { name: "Dashboard" }).click(), "/dashboard");
  await looksGood(visitor, "dashboard");
  const row = page.getByRole("listitem").filter({ hasText: "acme/bar-chart" });
  assert.match(await row.innerText(), /Clean[\s\S]*1 release · \d+ downloads? · \d+ stars?/);
  await visitor.follow(() => row.getByRole("link").first().click(), "/acme/skills/bar-chart");
});

journey("a version is withdrawn and restored, and its skill deleted", async (visitor, page) => {
  const slug = `journey-${visitor.view.name}`;
  const files = { "SKILL.md": skillMd({ name: slug, description: "Comes and goes." }, "Nothing.") };
  assert.equal((await publish(OWNER, { slug, version: "1.0.0" }, files)).status, 201);
  await signIn(visitor, page);
  await visitor.goTo(`/${OWNER}/skills/${slug}`);
  await page.getByRole("banner").getByText(OWNER, { exact: true }).click();
  const settings = `/${OWNER}/skills/${slug}/settings`;
  await visitor.follow(() => page.getByRole("link", { name: "Settings of this skill" }).click(), settings);
  await looksGood(visitor, "skill-settings");
  const deed = async (name, reason) => {
    await visitor.follow(() => page.getByRole("link", { name }).click(), `${settings}/`);
    await looksGood(visitor, `deed-${name.split(" ")[0].toLowerCase()}`);
    await page.getByLabel("Why").fill(reason);
    await visitor.follow(() => page.getByRole("button", { name: name.split(" ")[0] }).click(), settings, 303);
  };
  await deed("Withdraw 1.0.0", "published by mistake");
  assert.match(await page.getByRole("main").innerText(), /Withdrawn[\s\S]*published by mistake/);
  await visitor.goTo(`/${OWNER}/skills/${slug}`, 410);
  await visitor.goTo(settings);
  await deed("Restore 1.0.0", "no mistake");
  await visitor.goTo(`/${OWNER}/skills/${slug}`);
  await visitor.goTo(settings);
  await deed(`Delete ${slug}`, "over");
  await looksGood(visitor, "skill-settings-deleted");
  assert.match(await page.getByRole("main").innerText(), /Its bare name is kept for it until \d+ \w+ \d{4}/);
});

journey("a publisher is made, and a member invited who accepts and leaves", async (visitor, page) => {
  const handle = `team-${visitor.view.name}`;
  const team = `/settings/publishers/${handle}`;
  await signIn(visitor, page);
  await visitor.goTo("/settings/publishers");
  await looksGood(visitor, "publishers");
  await page.getByLabel("Handle").fill(handle);
  await visitor.follow(() => page.getByRole("button", { name: "Make the publisher" }).click(), team, 303);
  await page.getByLabel("User").fill("many");
  await page.locator('form[action$="/invitations"] select[name=role]').selectOption("admin");
  await visitor.follow(() => page.getByRole("button", { name: "Invite" }).click(), team, 303);
  await looksGood(visitor, "members");
  await visitor.follow(() => page.getByRole("link", { name: "Webhooks" }).click(), `${team}/webhooks`);
  await looksGood(visitor, "webhooks");

  await signIn(visitor, page, "many");
  await visitor.goTo("/dashboard");
  await looksGood(visitor, "dashboard-invited");
  const accept = page.getByRole("button", { name: `Accept ${handle}` });
  await visitor.follow(() => accept.click(), `/dashboard?publisher=${handle}`, 303);
  await looksGood(visitor, "dashboard-empty");
  await visitor.goTo(team);
  await visitor.follow(() => page.getByRole("link", { name: "Leave" }).click(), `${team}/members/remove`);
  await looksGood(visitor, "leave");
  const leave = page.getByRole("button", { name: `Leave ${handle}` });
  await visitor.follow(() => leave.click(), "/settings/publishers", 303);
  await visitor.goTo(team, 403);
});
