// Somebody with a browser, who notes whatever a page does that it should not.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import axe from "axe-core";

import { base } from "./registry.js";
import { contextOf } from "./view.js";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// How long something may fail to appear before the journey gives up, in milliseconds.
const PATIENCE = 10_000;

export class Visitor {
  #faults = [];
  // Whether the page may be answered by an error.
  #mayFail = false;

  constructor(context, page, view, origin) {
    Object.assign(this, { context, page, view, origin });
    this.#watch();
  }

  // A visitor with a context, cache and clipboard rights of their own. `options` are Playwright's.
  static async enter(browser, view, options = {}, origin = base) {
    const context = await browser.newContext({ ...contextOf(view), ...options });
    context.setDefaultTimeout(PATIENCE);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    return new Visitor(context, await context.newPage(), view, origin);
  }

  #watch() {
    const fault = (text) => this.#faults.push(text.slice(0, 300));
    const { page } = this;
    this.context.on("request", (request) => {
      if (new URL(request.url()).origin !== this.origin) fault(`a request to ${request.url()}`);
    });
    page.on("console", (message) => {
      // Chromium writes a line about a page that is answered by an error, too.
      const own = this.#mayFail && message.location().url === page.url();
      if (!own) fault(`the console says: ${message.text()}`);
    });
    page.on("pageerror", (error) => fault(`a script failed: ${error}`));
    page.on("requestfailed", (request) => {
      const { errorText } = request.failure();
      // What the visitor's own leaving cuts off did not fail.
      if (errorText !== "net::ERR_ABORTED" || request.isNavigationRequest()) fault(`${request.url()} failed: ${errorText}`);
    });
    page.on("response", (answer) => {
      if (answer.status() >= 400 && !answer.request().isNavigationRequest()) fault(`${answer.status()} from ${answer.url()}`);
    });
    page.on("dialog", (dialog) => {
      fault(`a dialog opened: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on("popup", (popup) => fault(`a window opened: ${popup.url()}`));
    page.on("worker", (worker) => fault(`a worker started: ${worker.url()}`));
    page.on("websocket", (socket) => fault(`a socket was opened: ${socket.url()}`));
    page.on("frameattached", () => fault("a frame is in the page"));
    page.on("download", (download) => fault(`a download began: ${download.url()}`));
  }

  // Goes to a page, which has to answer with `status`; with any, if that is null.
  async goTo(path, status = 200) {
    this.#mayFail = status !== 200;
    const answer = await this.page.goto(this.origin + path);
    if (status !== null) assert.equal(answer.status(), status, path);
    await this.isWell();
    return answer;
  }

  // Does what leads to another page, whose path and query begin with `path`.
  async follow(act, path, status = 200) {
    this.#mayFail = status !== 200;
    const [answer] = await Promise.all([this.page.waitForEvent("response", (one) => one.request().isNavigationRequest()), act()]);
    await this.page.waitForURL((url) => (url.pathname + url.search).startsWith(path));
    await this.page.waitForLoadState();
    assert.equal(answer.status(), status, path);
    await this.isWell();
  }

  // Does what saves a file, and gives Playwright's download.
  async save(act) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), act()]);
    const url = download.url();
    // Chromium calls a page that becomes a file a failed one.
    this.#faults = this.#faults.filter((fault) => !fault.includes(url));
    return download;
  }

  // What was noted since the last time.
  faults() {
    return this.#faults.splice(0);
  }

  // Nothing was noted, and the page does not scroll sideways.
  async isWell() {
    assert.deepEqual(this.faults(), [], this.page.url());
    assert.deepEqual(await this.page.evaluate(sideways), [], `${this.page.url()} scrolls sideways`);
  }

  // axe-core finds nothing.
  async isAccessible() {
    await this.page.evaluate(axe.source);
    const options = { runOnly: { type: "tag", values: RULES }, resultTypes: ["violations"], iframes: false, preload: false };
    const { violations } = await this.page.evaluate((options) => axe.run(options), options);
    const found = violations.flatMap(({ id, impact, nodes }) => nodes.map((node) => `${impact} ${id}: ${node.html.slice(0, 200)}`));
    assert.deepEqual(found, [], this.page.url());
  }

  // What stands by itself is as high as a finger needs it.
  async isTouchable() {
    assert.deepEqual(await this.page.evaluate(low), [], `${this.page.url()} has targets that are too low`);
  }

  // Keeps a picture of the whole page, for people: it checks nothing. On a busy machine the browser now and then says that it
  // cannot take one, and can the next time.
  async shoot(name) {
    mkdirSync(process.env.SCREENSHOTS, { recursive: true });
    const path = join(process.env.SCREENSHOTS, `${name}-${this.view.name}.png`);
    const take = () => this.page.screenshot({ path, fullPage: true });
    await take().catch(take);
  }

  leave() {
    return this.context.close();
  }
}

// In the page: what is to be touched and is lower than 24 px (WCAG 2.2, 2.5.8), apart from links in a sentence.
const low = () => {
  const alone = "nav a, footer li > a, aside li > a, .plain > li > a, .files a, .row-name > a, button, summary, select, input:not([type=checkbox]), label:has([type=checkbox])";
  const shown = (one) => one.checkVisibility() && !one.matches(".hidden-text");
  const height = (one) => one.getBoundingClientRect().height;
  const found = [...document.querySelectorAll(alone)].filter((one) => shown(one) && height(one) < 24);
  return found.slice(0, 5).map((one) => `${height(one)} px: ${one.outerHTML.slice(0, 120)}`);
};

// In the page: what reaches beyond its right edge, if anything makes it scroll there.
const sideways = () => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return [];
  const scrolls = (one) => one && one !== root && (getComputedStyle(one).overflowX !== "visible" || scrolls(one.parentElement));
  const beyond = (one) => one.getBoundingClientRect().right > root.clientWidth + 1 && !scrolls(one.parentElement);
  const wide = [...document.querySelectorAll("body *")].filter(beyond);
  return [`${root.scrollWidth} of ${root.clientWidth} px`, ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 120))];
};
