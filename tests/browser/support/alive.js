// In the page: everything that could run, load or lead away, beside the page's own three files.

const NEVER =
  "script:not([src^='/static/page-']), style, base, " +
  "link:not([rel=icon], [rel=stylesheet], [rel=canonical], [rel=alternate][href^='/'][href$='/feed.atom']), " +
  "meta[http-equiv], iframe, frame, frameset, object, embed, applet, portal, fencedframe, img, picture, video, " +
  "audio, source, track, math, foreignObject, image, template, slot, dialog, canvas, marquee, [popover]";
const IN_TEXT = "form, input, button, select, textarea, svg, link, meta, title, main, header, footer, [id^=i-], [hidden], [class~=badge], [autofocus]";
const ATTRIBUTES = ["style", "srcdoc", "srcset", "formaction", "ping", "background", "xlink:href", "is", "nonce", "target"];
const PROTOCOLS = ["http:", "https:", "mailto:"];

export const alive = ([never, inText, attributes, protocols]) => {
  const found = [...document.querySelectorAll(never)];
  for (const text of document.querySelectorAll(".doc, .source, .change td, .lede, .lines")) {
    // What the registry writes into these boxes itself has its own classes.
    found.push(...[...text.querySelectorAll(inText)].filter((one) => !one.closest(".doc-name, .found")));
  }
  for (const one of document.querySelectorAll("*")) {
    const bad = (name) => name.startsWith("on") || attributes.includes(name);
    if (one.getAttributeNames().some((name) => bad(name.toLowerCase()))) found.push(one);
    if (one.matches("a[href], area[href], form") && !protocols.includes(new URL(one.href ?? one.action, location).protocol)) found.push(one);
  }
  return found.map((one) => one.outerHTML.slice(0, 200));
};

// What `alive` takes: a page knows nothing but its argument.
export const lists = [NEVER, IN_TEXT, ATTRIBUTES, PROTOCOLS];
