"use strict";

// A thin client of `designlint lsp`: all that it shows comes from the server.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { command, clientOptions } = require("./server");

const MISSING = "designlint is not installed. Run `pip install 'designlint[lsp]'`, or set `designlint.command`.";
let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("designlint");
  const server = command(settings.get("command", []), process.env.PATH ?? "");
  if (server === undefined) {
    vscode.window.showWarningMessage(MISSING);
    return;
  }
  const watcher = vscode.workspace.createFileSystemWatcher("**/{*.yaml,*.yml,designlint.toml,pyproject.toml}");
  client = new LanguageClient("designlint", "designlint", server, clientOptions(watcher));
  await client.start();
}

async function stop() {
  await client?.stop();
  client = undefined;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("designlint.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("designlint.command")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
