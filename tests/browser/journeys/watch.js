// The watch that the other journeys rely on: each thing that a page must not do is seen when one does it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";

import { alive, lists } from "../support/alive.js";
import { Visitor } from "../support/visitor.js";
import { launch, views } from "../support/view.js";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";

// What a page does, and what is noted of it. `free` pages have no policy of their own.
const DEEDS = [
  { name: "an inline script", html: "<script>document.title = 'ran'</script>", noted: /the console says: .*inline script/ },
  { name: "a handler", html: "<img src=/none onerror=alert(1)>", noted: /the console says: .*inline event handler/ },
  { name: "a handler that runs", free: true, html: "<img src=/none onerror=alert(1)>", noted: /a dialog opened: 1/ },
  { name: "a remote image", html: "<img src=https://elsewhere.example/x>", noted: /the console says: .*img-src/ },
  { name: "a remote image that loads", free: true, html: "<img src=https://elsewhere.example/x>", noted: /a request to https:\/\/elsewhere/ },
  { name: "an address that leads away", free: true, html: "<meta http-equiv=refresh content=0;url=https://elsewhere.example>", noted: /a request to https:\/\/elsewhere/ },
  { name: "a missing file", html: "<link rel=stylesheet href=/none.css>", noted: /404 from/ },
  { name: "an error", free: true, html: "<script>null.x</script>", noted: /a script failed/ },
  { name: "a frame", free: true, html: "<iframe srcdoc=x></iframe>", noted: /a frame is in the page/ },
  { name: "a window", free: true, html: "<script>open('/other')</script>", noted: /a window opened/ },
];

const DORMANT = [
  "<p onclick=x()>x</p>",
  "<a href=javascript:x()>x</a>",
  "<p style=color:red>x</p>",
  "<form action=data:x></form>",
  "<math><mi>x</mi></math>",
  "<div class=doc><input></div>",
  "<div class=doc><span class='badge is-ok'>Clean</span></div>",
];

let server, browser, origin, body;

before(async () => {
  server = createServer((request, answer) => {
    const free = request.url === "/free";
    if (!["/", "/free", "/other"].includes(request.url)) answer.statusCode = 404;
    answer.setHeader("content-type", "text/html");
    if (!free) answer.setHeader("content-security-policy", POLICY);
    answer.end(`<!doctype html><html lang=en><title>x</title><link rel=icon href=/>${body}`);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await launch();
});

after(async () => {
  await browser.close();
  server.close();
});

for (const { name, html, free, noted } of DEEDS) {
  test(`${name} is noted`, async () => {
    body = html;
    const visitor = await Visitor.enter(browser, views[0], {}, origin);
    await visitor.page.goto(`${origin}${free ? "/free" : "/"}`);
    const faults = [];
    for (let patience = 100; patience > 0 && !faults.some((fault) => noted.test(fault)); patience -= 1) {
      await visitor.page.waitForTimeout(20);
      faults.push(...visitor.faults());
    }
    assert.match(faults.join("\n"), noted);
    await visitor.leave();
  });
}

test("a page wider than its window is noted", async () => {
  body = `<pre>${"wide".repeat(500)}</pre>`;
  const visitor = await Visitor.enter(browser, views[0], {}, origin);
  await assert.rejects(visitor.goTo("/"), /scrolls sideways/);
  await visitor.leave();
});

for (const html of DORMANT) {
  test(`${html} is seen before it does anything`, async () => {
    body = html;
    const visitor = await Visitor.enter(browser, views[0], {}, origin);
    await visitor.page.goto(`${origin}/free`);
    assert.equal((await visitor.page.evaluate(alive, lists)).length, 1);
    await visitor.leave();
  });
}
