// The registry that the journeys go through, and how a skill gets into it.

export const base = process.env.REGISTRY;

// Of the user `rita`.
export const password = process.env.PASSWORD;

const tokens = JSON.parse(process.env.TOKENS);

const BLOCK = 512;

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))]);

// One file of a tar (POSIX ustar); a long path is cut between two folders.
const entry = (path, content) => {
  const bytes = Buffer.from(content);
  const cut = Buffer.byteLength(path) > 100 ? path.lastIndexOf("/", 154) : -1;
  const header = Buffer.alloc(BLOCK);
  header.write(path.slice(cut + 1), 0);
  header.write("0000644\0", 100);
  header.write("0000000\0" + "0000000\0", 108);
  header.write(bytes.length.toString(8).padStart(11, "0") + "\0" + "0".repeat(11) + "\0", 124);
  header.write(" ".repeat(8) + "0", 148);
  header.write("ustar\0" + "00", 257);
  if (cut > 0) header.write(path.slice(0, cut), 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(sum.toString(8).padStart(6, "0") + "\0 ", 148);
  return Buffer.concat([header, padded(bytes)]);
};

const tar = (files) =>
  Buffer.concat([...Object.entries(files).map(([path, content]) => entry(path, content)), Buffer.alloc(2 * BLOCK)]);

// A `SKILL.md`. Its frontmatter is written as JSON, which is YAML, so that a value can hold anything.
export const skillMd = (fields, text) => {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n\n${text}\n`;
};

// Publishes files, a path to a text each, and gives the answer's status and body.
export const publish = async (owner, meta, files) => {
  const form = new FormData();
  form.append("meta", JSON.stringify(meta));
  form.append("archive", new Blob([tar(files)]));
  const headers = { authorization: `Bearer ${tokens[owner]}` };
  const answer = await fetch(`${base}/api/registry/v1/publish`, { method: "POST", headers, body: form });
  return { status: answer.status, body: await answer.json() };
};

const post = async (path, headers, body) => {
  const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
};

// Who a token belongs to, as the registry says.
export const whoami = async (token) => {
  const answer = await fetch(`${base}/api/registry/v1/whoami`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: await answer.json() };
};

// The path of a link that signs a browser in as a publisher.
export const signInLink = async (owner) => {
  const { body } = await post("/api/registry/v1/sign-in-links", { authorization: `Bearer ${tokens[owner]}` }, {});
  return new URL(body.url).pathname;
};

// What a program is given that asks for a token.
export const askForToken = async (label) => {
  const { body } = await post("/api/cli/device/code", { "content-type": "application/json" }, { scope: "read write", label });
  return body;
};

// The answer to such a program once it comes back.
export const pollForToken = (device_code) => {
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  return post("/api/cli/device/token", { "content-type": "application/json" }, { device_code, grant_type });
};
