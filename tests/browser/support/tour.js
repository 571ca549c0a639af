// The same journey for each visitor: with every view, in one browser.
import { after, before, test } from "node:test";

import { Visitor } from "./visitor.js";
import { launch, views } from "./view.js";

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

// Runs `travel` with a fresh visitor for each of the views.
export const journey = (name, travel, among = views, options = {}) => {
  for (const view of among) {
    test(`${name}, at ${view.name}`, async () => {
      const visitor = await Visitor.enter(browser, view, options);
      await travel(visitor, visitor.page);
      await visitor.isWell();
      await visitor.leave();
    });
  }
};
