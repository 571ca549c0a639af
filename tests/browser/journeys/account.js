// Signing in by a link and by a password, approving a program, and signing out, here and everywhere.
import assert from "node:assert/strict";

import { askForToken, password, pollForToken, signInLink } from "../support/registry.js";
import { journey } from "../support/tour.js";
import { views } from "../support/view.js";

const OWNER = "acme";

// The head of a page, where the menu of whoever is signed in opens under their name.
const accountMenu = (page) => page.getByRole("banner").getByText(OWNER, { exact: true });

const looksGood = async (visitor, name) => {
  await visitor.isTouchable();
  if (visitor.view.script) await visitor.isAccessible();
  await visitor.shoot(name);
};

const signIn = async (visitor, page) => {
  await visitor.goTo(await signInLink(OWNER));
  await looksGood(visitor, "sign-in-link");
  await visitor.follow(() => page.getByRole("button", { name: `Sign in as ${OWNER}` }).click(), "/", 303);
  assert.ok(await accountMenu(page).isVisible());
};

journey("a link signs in once, and the page signs out", async (visitor, page) => {
  await visitor.goTo("/settings/sessions", 401);
  await looksGood(visitor, "signed-out");
  await visitor.follow(() => page.getByRole("main").getByRole("link", { name: "Sign in" }).click(), "/sign-in");
  await looksGood(visitor, "sign-in");
  const link = await signInLink(OWNER);
  await visitor.goTo(link);
  await visitor.follow(() => page.getByRole("button", { name: `Sign in as ${OWNER}` }).click(), "/", 303);
  await visitor.goTo(link, 410);
  await visitor.goTo("/skills");
  await looksGood(visitor, "signed-in");
  await accountMenu(page).click();
  await looksGood(visitor, "signed-in-menu");
  await visitor.follow(() => page.getByRole("button", { name: "Sign out" }).click(), "/sign-in", 303);
  assert.ok(await page.getByRole("banner").getByRole("link", { name: "Sign in" }).isVisible());
  await visitor.goTo("/settings/sessions", 401);
}, views);

journey("a password signs in, is shown again and changed", async (visitor, page) => {
  const typed = (label, text) => page.getByLabel(label, { exact: true }).fill(text);
  const press = (name) => page.getByRole("main").getByRole("button", { name, exact: true }).click();
  await visitor.goTo("/settings/password", 401);
  await visitor.follow(() => page.getByRole("main").getByRole("link", { name: "Sign in" }).click(), "/sign-in?back=");
  await typed("Name", "rita");
  await typed("Password", "not this one, surely");
  await visitor.follow(() => press("Sign in"), "/sign-in", 422);
  assert.ok(await page.getByText("Name or password does not match").isVisible());
  await looksGood(visitor, "sign-in-wrong");
  assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "rita");
  await typed("Password", password);
  await visitor.follow(() => press("Sign in"), "/settings/password", 303);
  await looksGood(visitor, "password");
  await typed("Present password", password);
  await typed("New password", password);
  await typed("New password, again", password);
  await visitor.follow(() => press("Change it"), "/settings/password");
  assert.ok(await page.getByText("is the new one from now on").isVisible());
  await looksGood(visitor, "password-changed");
  await visitor.goTo("/sign-in/again?back=%2Fcli%2Fdevice");
  await looksGood(visitor, "sign-in-again");
  await typed("Password", password);
  await visitor.follow(() => press("Go on"), "/cli/device", 303);
}, views);

journey("a program is approved, and another one denied", async (visitor, page) => {
  await signIn(visitor, page);
  for (const [button, heading, answer] of [["Approve", "Approved", 200], ["Deny", "Denied", 400]]) {
    const codes = await askForToken("journey");
    await visitor.goTo("/cli/device");
    await looksGood(visitor, "device");
    await page.getByLabel("Code").fill(codes.user_code.toLowerCase());
    await visitor.follow(() => page.getByRole("button", { name: "Look who asks" }).click(), "/cli/device");
    assert.match(await page.getByRole("main").innerText(), /journey[\s\S]*Publish, yank/);
    await looksGood(visitor, "device-asks");
    await visitor.follow(() => page.getByRole("button", { name: button }).click(), "/cli/device/decide");
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), heading);
    await looksGood(visitor, `device-${heading.toLowerCase()}`);
    const polled = await pollForToken(codes.device_code);
    assert.equal(polled.status, answer, JSON.stringify(polled.body));
  }
}, views);

journey("signing out everywhere", async (visitor, page) => {
  await signIn(visitor, page);
  await visitor.goTo("/settings/sessions");
  await looksGood(visitor, "sessions");
  assert.ok((await page.getByText("this one").count()) >= 1);
  await visitor.follow(() => page.getByRole("button", { name: "Sign out everywhere" }).click(), "/sign-in", 303);
  await visitor.goTo("/settings/sessions", 401);
}, views.slice(0, 1));
