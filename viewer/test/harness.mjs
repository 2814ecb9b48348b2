// What all browser tests share: one Chromium, results of models, pages that must not complain. Prints one line per test.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { browserPath, freshFolder, launch, openPage, program, result, root, serve } from "./browser.mjs";

if (!existsSync(browserPath)) {
  console.error(`SKIPPED: no browser at ${browserPath} (Debian package chromium, or set FLEXURA_CHROMIUM)`);
  process.exit(process.env.CI === "true" ? 1 : 0);
}
assert.ok(existsSync(program), `${program} is missing: cargo build -p flexura-cli`);
freshFolder();
export const model = (name) => path.join(root, "models", `${name}.toml`);
export const browser = await launch();
let failures = 0, run = 0;

/** Runs a test; with words behind `npm test --` only those tests whose names hold all of them. */
export async function test(name, body) {
  if (!process.argv.slice(2).every((word) => name.includes(word))) return;
  const start = performance.now();
  run++;
  try {
    await body();
    console.log(`ok   ${name} (${Math.round(performance.now() - start)} ms)`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}

/** Serves a result, or one with options behind it, hands the open page to `body` and checks that nothing was complained about. */
export async function shown(file, body, options) {
  const server = await serve(...[file].flat());
  const opened = await openPage(browser, `${server.address}?keep=1`, options);
  try {
    await body(opened.page, server.address);
    assert.deepEqual(opened.problems, []);
  } finally {
    await opened.close();
    server.stop();
  }
}

/** The stage alone: letters look different on every machine. */
export async function picture(page) {
  const url = await page.evaluate(() => {
    flexura.viewer.stage.invalidate();
    flexura.viewer.stage.draw();
    return document.querySelector("#stage").toDataURL("image/png");
  });
  return Buffer.from(url.split(",")[1], "base64");
}
export const seek = (page, time) => page.evaluate((t) => flexura.seek(t), time);

/** Results of models of the repository, computed when first asked for. */
export const arm = () => result(model("flexible_arm"));
export const robot = () => result(model("robot_arm"));

/** Ends the browser and the program, with failure if a test failed or none was run. */
export async function finish() {
  await browser.close();
  console.log(failures ? `${failures} browser tests failed` : run ? `all ${run} browser tests passed` : "no test has such a name");
  process.exit(failures || !run ? 1 : 0);
}
