// Bundles the page into dist/, or with --compare checks that dist/ is what the sources give.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";

const compare = process.argv.includes("--compare");
const result = await build({
  entryPoints: { viewer: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  outdir: "dist",
  write: !compare,
  logLevel: "warning",
});
if (compare) {
  for (const file of result.outputFiles) {
    const kept = await readFile(file.path, "utf8").catch(() => "");
    if (kept !== file.text) {
      console.error(`${file.path} is not what the sources give: run \`npm run build\` and commit it`);
      process.exit(1);
    }
  }
  console.log("the committed bundle is what the sources give");
}
