"use strict";

const assert = require("node:assert");
const path = require("node:path");
const { test } = require("node:test");
const { command, clientOptions } = require("../src/server");

const PATH = ["/usr/bin", "/home/me/.local/bin"].join(path.delimiter);
const having = (...files) => (file) => files.includes(file);

test("a stated command counts", () => {
  assert.deepStrictEqual(command(["/opt/designlint", "lsp", "--stdio"], PATH, having()), {
    command: "/opt/designlint",
    args: ["lsp", "--stdio"],
  });
});

test("an installed designlint is started", () => {
  const exists = having("/home/me/.local/bin/designlint", "/usr/bin/uvx");
  assert.deepStrictEqual(command([], PATH, exists), { command: "designlint", args: ["lsp"] });
});

test("uv brings it where it is not installed", () => {
  assert.deepStrictEqual(command([], PATH, having("/usr/bin/uvx")).args.slice(-2), ["designlint", "lsp"]);
});

test("nothing is started where nothing is there", () => {
  assert.strictEqual(command([], PATH, having()), undefined);
  assert.strictEqual(command([], "", having("designlint")), undefined);
});

test("the server is asked about YAML only", () => {
  const languages = clientOptions(null).documentSelector.map((one) => one.language);
  assert.deepStrictEqual([...new Set(languages)], ["yaml"]);
});
