// Packs each folder `my` below the work directory's folders with node-tar, as npm does.
const fs = require("fs");
const path = require("path");
const { execSync } = require("child_process");

const npm = path.join(execSync("npm root -g").toString().trim(), "npm", "node_modules", "tar");
if (!fs.existsSync(npm)) {
  console.error(`not run: node-tar is not at ${npm}`);
  process.exit(0);
}
const tar = require(npm);
const out = process.argv[2];
for (const tree of fs.readdirSync(".")) {
  tar.create({ cwd: tree, sync: true, gzip: true, portable: true, file: path.join(out, `node-${tree}.tar.gz`) }, ["my"]);
  tar.create({ cwd: tree, sync: true, file: path.join(out, `node-${tree}.tar`) }, ["my"]);
}
