// The hostile payloads of the server's own tests, one a line: `\n`, `\t`, `\\` and `\u{…}` are escapes, and
// `{repeat:TEXT:COUNT}` stands for so many of a text.
import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../../../registry-server/tests/it/web/hostile_payloads/", import.meta.url);

const unescaped = (line) =>
  line.replace(/\\(n|t|\\|u\{([0-9a-fA-F]+)\})/g, (escape, kind, hex) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    return { n: "\n", t: "\t", "\\": "\\" }[kind];
  });

const repeated = (text) => text.replace(/\{repeat:([^]*?):(\d+)\}/g, (_, what, count) => what.repeat(Number(count)));

const read = (file) => {
  const lines = readFileSync(new URL(file, folder), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => repeated(unescaped(line)));
};

// What may go on past a blank line would hide the text behind it.
const goesOn = /<[!?]|<\/?(script|pre|style|textarea)|```|~~~|^ {4}|\]: /i;
const TOGETHER = 8;

// Payloads that stand in one text: those that cannot hide each other in groups, the others alone.
const documents = (name, payloads) => {
  const alone = (payload) => name === "broken" || payload.length > 2000 || goesOn.test(payload);
  const groups = payloads.filter(alone).map((payload) => [payload]);
  const rest = payloads.filter((payload) => !alone(payload));
  for (let from = 0; from < rest.length; from += TOGETHER) groups.push(rest.slice(from, from + TOGETHER));
  return groups;
};

// Each family of payloads: its skill, and what each of its releases holds.
export const families = readdirSync(folder)
  .sort()
  .map((file) => {
    const name = file.replace(".txt", "");
    const releases = documents(name, read(file)).map((payloads, number) => ({ version: `1.0.${number}`, payloads }));
    return { slug: `hostile-${name}`, releases };
  });
