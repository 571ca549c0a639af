// Chromium, and the ways to look at a page: narrow and wide, light and dark, with and without a script.
import { chromium } from "playwright-core";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No name but the registry's address is ever looked up.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

// A browser of its own, with an empty profile.
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: ARGUMENTS });

const WIDTHS = { 360: 740, 1280: 900 };

const every = [];
for (const width of [360, 1280]) {
  for (const scheme of ["light", "dark"]) {
    for (const script of [true, false]) {
      every.push({ name: `${width}-${scheme}${script ? "" : "-noscript"}`, width, scheme, script });
    }
  }
}

// All eight.
export const views = every;
// Those of the light scheme: for what has nothing to do with colours.
export const light = every.filter((view) => view.scheme === "light");
// Those where a script runs: axe-core is one.
export const scripted = every.filter((view) => view.script);

// What Playwright calls a context.
export const contextOf = ({ width, scheme, script }) => ({
  viewport: { width, height: WIDTHS[width] },
  colorScheme: scheme,
  javaScriptEnabled: script,
  reducedMotion: "reduce",
});
