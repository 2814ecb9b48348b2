// Bundles the pages into dist/, or with --compare checks that dist/ is what the sources give. The engine of the playground,
// dist/engine.wasm.gz, comes from scripts/playground.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const compare = process.argv.includes("--compare");
const settings = { bundle: true, minify: true, format: "iife", target: "es2022", charset: "utf8", legalComments: "inline", logLevel: "warning", write: false };

/** Models that the playground offers: files of models/ that need no other file. */
const EXAMPLES = [
  "pendulum", "flexible_arm", "four_bar", "gallery/slider_crank", "spinning_top", "controlled_arm", "robot_arm", "gallery/chain", "gallery/crane",
  "gallery/deploying_panels", "gallery/whip", "gallery/vehicle",
];

const worker = {
  name: "worker",
  setup(pack) {
    pack.onResolve({ filter: /^worker:/ }, ({ path: name, resolveDir }) => ({ path: path.join(resolveDir, `${name.slice(7)}.ts`), namespace: "worker" }));
    pack.onLoad({ filter: /.*/, namespace: "worker" }, async ({ path: file }) => {
      const made = await build({ ...settings, entryPoints: [file] });
      return { contents: made.outputFiles[0].text, loader: "text" };
    });
  },
};
const examples = {
  name: "examples",
  setup(pack) {
    pack.onResolve({ filter: /^examples:/ }, () => ({ path: "examples", namespace: "examples" }));
    pack.onLoad({ filter: /.*/, namespace: "examples" }, async () => {
      const list = EXAMPLES.map(async (file) => {
        const text = await readFile(new URL(`../models/${file}.toml`, import.meta.url), "utf8");
        return { name: path.basename(file), title: /^name\s*=\s*"([^"]+)"/m.exec(text)[1], text };
      });
      return { contents: JSON.stringify(await Promise.all(list)), loader: "json" };
    });
  },
};

const result = await build({
  ...settings,
  entryPoints: { viewer: "src/main.ts", playground: "src/playground/main.ts" },
  outdir: "dist",
  plugins: [worker, examples],
});
const files = result.outputFiles.map(({ path: file, text }) => ({ path: file, text }));
files.push({ path: path.resolve("dist/playground.html"), text: await readFile("src/playground/page.html", "utf8") });
for (const file of files) {
  if (!compare) await writeFile(file.path, file.text);
  else if ((await readFile(file.path, "utf8").catch(() => "")) !== file.text) {
    console.error(`${file.path} is not what the sources give: run \`npm run build\` and commit it`);
    process.exit(1);
  }
}
if (compare) console.log("the committed bundle is what the sources give");
