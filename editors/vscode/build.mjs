// Bundles the extension into dist/; the version is that of the Python package.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";

const version = readFileSync("../../src/designlint/version.py", "utf8").match(/__version__ = "([^"]+)"/)[1];
if (process.argv.includes("--version")) {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  writeFileSync("package.json", `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
}
await build({
  entryPoints: ["src/extension.js"],
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
  outfile: "dist/extension.js",
  define: { VERSION: JSON.stringify(version) },
});
