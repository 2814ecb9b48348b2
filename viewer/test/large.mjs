// Large models: as many draw calls as kinds of things.
import assert from "node:assert/strict";
import { result } from "./browser.mjs";
import { matches } from "./compare.mjs";
import { picture, seek, shown, test } from "./harness.mjs";
import { chain, plate } from "./models.mjs";

/** Draw calls of a picture at time 0. */
async function calls(page) {
  await seek(page, 0);
  await picture(page);
  return page.evaluate(() => flexura.viewer.calls);
}

await test("1,000 bodies", () =>
  shown(result(chain(1000)), async (page) => {
    await seek(page, 0.05);
    matches("chain", await picture(page));
    // Solids, arms, joints and the ground: as many calls as kinds of things, not as things.
    const all = await calls(page);
    assert.ok(all <= 5, `${all} draw calls`);
    await shown(result(chain(10)), async (few) => assert.equal(await calls(few), all, "draw calls of 10 bodies and of 1,000"));
    await page.fill("#search", "link77");
    assert.equal(await page.locator("#tree li:visible").count(), 11);
    await rate(page, "1,000 bodies");
  }));

await test("a mesh of 60,025 nodes", () =>
  shown(result(plate(245)), async (page) => {
    matches("plate", await picture(page));
    const all = await calls(page);
    assert.ok(all <= 3, `${all} draw calls`);
    await rate(page, "60,025 nodes");
  }));

/** Prints how fast pictures follow each other and what of it is ours; nothing is decided by it. */
async function rate(page, what) {
  await page.selectOption("#speed", "0.01");
  await page.click("#play");
  await page.waitForFunction(() => flexura.elapsed > 2 && flexura.drawn > 2, null, { timeout: 60000 });
  const found = await page.evaluate(() => {
    const { viewer } = flexura, shown = flexura.drawn / flexura.elapsed;
    flexura.play(false);
    const gl = viewer.stage.renderer.getContext(), pixel = new Uint8Array(4);
    const middle = (work) => {
      const times = Array.from({ length: 9 }, () => {
        const start = performance.now();
        work();
        return performance.now() - start;
      });
      return times.sort((a, b) => a - b)[4];
    };
    const own = middle(() => viewer.seek(viewer.time + 1e-6)), page = middle(() => flexura.seek(viewer.time + 1e-6)) - own;
    // What three.js does before it hands over to the graphics card, and what software does in its place.
    const submit = middle(() => (viewer.stage.invalidate(), viewer.stage.draw()));
    const drawing = middle(() => (viewer.stage.invalidate(), viewer.stage.draw(), gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)));
    return { shown, own, page, submit, drawing, calls: viewer.calls, triangles: viewer.stage.renderer.info.render.triangles };
  });
  const ms = (value) => `${value.toFixed(1)} ms`;
  console.log(`     ${what}: ${found.shown.toFixed(1)} pictures/s with software rendering; placing ${ms(found.own)}, plots and words ${ms(found.page)}, ` +
    `submitting ${ms(found.submit)}, drawing in software ${ms(found.drawing)}; ${found.calls} draw calls, ${found.triangles} triangles`);
}
