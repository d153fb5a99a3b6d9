"use strict";

// Which command starts the language server. It knows no editor, so that tests need none.

const { existsSync } = require("node:fs");
const path = require("node:path");

/**
 * The command of the server.
 *
 * @param {string[]} stated - `designlint.command` of the settings; empty where nobody states one.
 * @param {string} folders - the PATH.
 * @param {(file: string) => boolean} exists - whether a file is there.
 * @returns {{command: string, args: string[]} | undefined} undefined where nothing can be started.
 */
function command(stated, folders, exists = existsSync) {
  if (stated.length > 0) {
    return { command: stated[0], args: stated.slice(1) };
  }
  if (found("designlint", folders, exists)) {
    return { command: "designlint", args: ["lsp"] };
  }
  if (found("uvx", folders, exists)) {
    return { command: "uvx", args: ["--from", "designlint[lsp]", "designlint", "lsp"] };
  }
  return undefined;
}

/** Whether a program lies in a folder of the PATH. */
function found(program, folders, exists) {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  return folders
    .split(path.delimiter)
    .filter(Boolean)
    .some((folder) => endings.some((ending) => exists(path.join(folder, program + ending))));
}

/** What the language client is told: the server judges YAML files, and files that designs extend as they change. */
function clientOptions(watcher) {
  return {
    documentSelector: [
      { scheme: "file", language: "yaml" },
      { scheme: "untitled", language: "yaml" },
    ],
    synchronize: { fileEvents: watcher },
  };
}

module.exports = { command, clientOptions };
