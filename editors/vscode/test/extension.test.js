"use strict";

// The extension with an editor that only notes what is asked of it, and with the real server.

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const Module = require("node:module");
const path = require("node:path");
const { test } = require("node:test");

const noted = { clients: [], commands: {}, warnings: [] };

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, name, server, options, running: false });
    noted.clients.push(this);
  }
  async start() {
    this.running = true;
  }
  async stop() {
    this.running = false;
  }
}

let stated = [];
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (name, usual) => (stated.length ? stated : usual) }),
    createFileSystemWatcher: (pattern) => ({ pattern }),
    onDidChangeConfiguration: (listener) => {
      noted.changed = listener;
      return { dispose() {} };
    },
  },
  commands: {
    registerCommand: (name, run) => {
      noted.commands[name] = run;
      return { dispose() {} };
    },
  },
  window: { showWarningMessage: (text) => noted.warnings.push(text) },
};

const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === "vscode") return vscode;
  if (name === "vscode-languageclient/node") return { LanguageClient };
  return load(name, ...rest);
};
const extension = require("../src/extension");

test("it starts, restarts and stops one server", async () => {
  stated = ["designlint", "lsp"];
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.strictEqual(noted.clients.length, 1);
  assert.ok(noted.clients[0].running);
  assert.strictEqual(context.subscriptions.length, 2);
  await noted.commands["designlint.restart"]();
  assert.deepStrictEqual(noted.clients.map((one) => one.running), [false, true]);
  await noted.changed({ affectsConfiguration: () => true });
  assert.deepStrictEqual(noted.clients.map((one) => one.running), [false, false, true]);
  await extension.deactivate();
  assert.ok(noted.clients.every((one) => !one.running));
});

test("it says what to install where nothing can be started", async () => {
  stated = [];
  const kept = process.env.PATH;
  process.env.PATH = "";
  await extension.activate({ subscriptions: [] });
  process.env.PATH = kept;
  assert.match(noted.warnings.at(-1), /pip install/);
});

test("the command speaks the protocol", { skip: !process.env.DESIGNLINT && "DESIGNLINT names no command" }, async () => {
  const server = spawn(process.env.DESIGNLINT, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { processId: null, rootUri: `file://${path.resolve(".")}`, capabilities: {} },
  });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const answer = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(data.toString())));
  server.kill();
  assert.match(answer, /Content-Length/);
  assert.match(answer, /capabilities/);
});
