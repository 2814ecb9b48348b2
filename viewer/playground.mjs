// Puts the playground together as one file, from the files of dist/: node playground.mjs OUTPUT. `flexura playground --save`
// does the same (crates/flexura-output/src/playground.rs); this is for the book, which is built without the program.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const read = (name) => readFileSync(new URL(`dist/${name}`, import.meta.url));
/** A text as JSON that may stand inside a script element. */
const quoted = (name) => JSON.stringify(read(name).toString("utf8")).replaceAll("<", "\\u003c");

export function playgroundPage() {
  const parts = {
    "playground.css": () => read("playground.css").toString("utf8"),
    "playground.js": () => read("playground.js").toString("utf8"),
    "engine.wasm.gz": () => read("engine.wasm.gz").toString("base64"),
    model: () => "null",
    "viewer.css": () => quoted("viewer.css"),
    "viewer.js": () => quoted("viewer.js"),
  };
  return read("playground.html").toString("utf8").replace(/\{\{([\w.]+)\}\}/g, (_, name) => parts[name]());
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(process.argv[2], playgroundPage());
