// Pictures against references kept in the repository.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PNG } from "pngjs";
import { here, out } from "./browser.mjs";

/** Difference of one channel that counts, of 255: edges are smoothed differently by other versions. */
const LEVELS = 32;
/** Share of pixels that may differ. */
const SHARE = 0.01;

/** Share of pixels that differ clearly between two PNG files. */
export function difference(first, second) {
  const [a, b] = [first, second].map((bytes) => PNG.sync.read(bytes));
  assert.deepEqual([a.width, a.height], [b.width, b.height]);
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    if ([0, 1, 2].some((c) => Math.abs(a.data[i + c] - b.data[i + c]) > LEVELS)) count++;
  }
  return count / (a.width * a.height);
}

/** Compares with reference/NAME.png; FLEXURA_UPDATE=1 writes it instead. */
export function matches(name, bytes) {
  const reference = path.join(here, "reference", `${name}.png`);
  writeFileSync(path.join(out, `${name}.png`), bytes);
  if (process.env.FLEXURA_UPDATE === "1") writeFileSync(reference, bytes);
  assert.ok(existsSync(reference), `no reference ${reference}; look at ${out}/${name}.png, then run with FLEXURA_UPDATE=1`);
  const share = difference(readFileSync(reference), bytes);
  assert.ok(share <= SHARE, `${name}: ${(100 * share).toFixed(2)} % of the pixels differ from the reference`);
}
