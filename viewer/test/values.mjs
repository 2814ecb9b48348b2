// Reading values: colours, ranges, probes, worst nodes, modes.
import assert from "node:assert/strict";
import { flexura, result } from "./browser.mjs";
import { matches } from "./compare.mjs";
import { arm, model, picture, seek, shown, test } from "./harness.mjs";
import { cantilever, pulled, pushed } from "./models.mjs";

/** Waits until all rows were looked at. */
const scanned = (page, measure) => page.waitForFunction((what) => flexura.viewer.range.share(what) === 1, measure);
/** What is written over the scene, after drawing it. */
const written = (page) => page.evaluate(() => (flexura.viewer.stage.invalidate(), flexura.draw(), flexura.overlay.last));

await test("frames, forces and deflection colours", () =>
  shown(arm(), async (page) => {
    await seek(page, 0.7);
    for (const id of ["#show-frames", "#show-forces"]) await page.check(id);
    await page.selectOption("#colours", "deflection");
    await page.waitForFunction(() => /longest arrow/.test(document.querySelector("#legend").textContent));
    assert.match(await page.textContent("#legend"), /deflection: 0 to \d+(\.\d+)? mm · largest of the run .* · longest arrow \d+ N/);
    matches("arm_forces", await picture(page));
  }));

await test("stresses of beams are those of the section forces", () =>
  shown(result(cantilever()), async (page) => {
    await page.selectOption("#colours", "stress");
    // σ = E (b/2) 3 δ/L² at the root of a cantilever bent by a force at its tip.
    const expected = (70e9 * 0.01 * 3 * 0.03) / 4;
    await scanned(page, "stress");
    const most = await page.evaluate(() => flexura.viewer.scale.to);
    assert.ok(Math.abs(most / expected - 1) < 1e-5, `${most} against ${expected}`);
    assert.match(await page.textContent("#legend"), /von Mises stress: 0 to 15\.8 MPa · largest of the run 15\.8 MPa at node 1 of beam, 0\.0000 s/);
    matches("stress", await picture(page));
    // ε = σ/E in every fibre of a bent beam.
    await page.selectOption("#colours", "strain");
    await scanned(page, "strain");
    const strain = await page.evaluate(() => flexura.viewer.scale.to);
    assert.ok(Math.abs(strain / (expected / 70e9) - 1) < 1e-5, `${strain} against ${expected / 70e9}`);
    assert.match(await page.textContent("#legend"), /largest principal strain: 0 to 225 µm\/m/);
    matches("stress", await picture(page));
    await page.selectOption("#colours", "");
    assert.ok(await page.locator("#legend").isHidden());
  }));

await test("a pulled plate of finite elements is strained by σ/E along and -νσ/E across", () =>
  shown(result(pulled()), async (page) => {
    const found = await page.evaluate(async () => {
      const { viewer } = flexura;
      await viewer.colour("strain");
      const strain = viewer.scale.to;
      await viewer.colour("stress");
      return { strain, stress: viewer.scale.to };
    });
    // Uniaxial stress away from the held edge: von Mises' stress is σ, the largest principal strain σ/E.
    const share = found.stress / found.strain / 2e11;
    assert.ok(found.strain > 1e-5 && share > 0.9 && share < 1.1, JSON.stringify(found));
  }));

await test("a rigid model offers no colours of deformation", () =>
  shown(result(pushed()), async (page) => {
    const options = await page.evaluate(() => [...document.querySelector("#colours").options].map((o) => o.disabled));
    assert.deepEqual(options, [false, true, true, true]);
  }));

await test("the range of the colours is that of the run, whatever was shown before", () =>
  shown(arm(), async (page) => {
    await page.selectOption("#colours", "stress");
    await scanned(page, "stress");
    const first = (await written(page)).bar;
    // The largest value drawn at any row: another route through the same rows.
    const found = await page.evaluate(() => {
      const { viewer, source } = flexura;
      let most = 0, row = -1;
      for (let i = 0; i < source.times.length; i++) {
        viewer.seek(source.times[i]);
        const now = viewer.worst?.value ?? 0;
        if (now > most) [most, row] = [now, i];
      }
      return { most, row, scale: viewer.scale.to, worst: viewer.range.worst("stress") };
    });
    assert.ok(Math.abs(found.most / found.scale - 1) < 1e-6, JSON.stringify(found));
    assert.equal(found.worst.row, found.row);
    assert.ok(found.row > 10, "the arm starts at rest");
    assert.deepEqual((await written(page)).bar, first, "the bar is the same at the end as at the start");
    assert.match(first.title, /^von Mises stress \(MPa\)$/);
    assert.equal(first.ticks.at(0)[1], "0");
    assert.equal(first.ticks.at(-1)[1], (found.most / 1e6).toPrecision(3));
    assert.equal(new Set(first.ticks.map(([, words]) => words)).size, first.ticks.length);
    // To the instant of the largest value.
    await page.click("#go-worst");
    assert.equal(await page.evaluate(() => flexura.viewer.row), found.row);
    const marks = (await written(page)).labels.filter(({ worst }) => worst);
    assert.match(marks[0].words, new RegExp(`^max ${(found.most / 1e6).toPrecision(3)} MPa · upper, node \\d+$`));
    await page.uncheck("#show-worst");
    assert.deepEqual((await written(page)).labels, []);
  }));

await test("a range given by the user, or that of the instant", () =>
  shown(arm(), async (page) => {
    await seek(page, 0.7);
    await page.selectOption("#colours", "stress");
    await scanned(page, "stress");
    const run = await page.evaluate(() => flexura.viewer.scale.to);
    await page.selectOption("#range", "given");
    await page.fill("#range-from", "10");
    await page.fill("#range-to", "50");
    await page.locator("#range-to").blur();
    const ends = () => page.evaluate(() => [flexura.viewer.scale.from, flexura.viewer.scale.to]);
    assert.deepEqual((await ends()).map((end) => Math.round(end)), [10e6, 50e6]);
    assert.equal(await page.textContent("#range-unit"), "MPa");
    const { bar } = await written(page);
    assert.deepEqual([bar.ticks.at(0)[1], bar.ticks.at(-1)[1]], ["10.0", "≥ 50.0"]);
    assert.ok(bar.notes.includes("range as given"));
    // What is no range is refused and changes nothing.
    await page.fill("#range-to", "5");
    await page.locator("#range-to").blur();
    assert.ok(await page.evaluate(() => !document.querySelector("#range-to").validity.valid));
    assert.deepEqual((await ends()).map((end) => Math.round(end)), [10e6, 50e6]);
    await page.selectOption("#range", "now");
    const [from, now] = await ends();
    assert.ok(from === 0 && now > 0 && now < run, `${now} of ${run}`);
    // Another measure starts with the range of its run.
    await page.selectOption("#colours", "strain");
    assert.equal(await page.inputValue("#range"), "run");
  }));

await test("a value is read under the pointer and pinned by Shift and a click", () =>
  shown(result(cantilever()), async (page) => {
    await page.selectOption("#colours", "stress");
    await scanned(page, "stress");
    const box = await page.locator("#stage").boundingBox();
    const [x, y] = await page.evaluate(() => flexura.viewer.stage.onCanvas(flexura.viewer.nodeInSpace(flexura.viewer.stage.camera.position.clone(), 0, 8)));
    await page.mouse.move(box.x + x, box.y + y);
    await page.waitForFunction(() => !document.querySelector("#probe").hidden);
    const words = await page.textContent("#probe");
    const [, node, value] = words.match(/^beam, node (\d+) · ([\d.]+) MPa\nat .* m\nt = 0\.0000 s$/) ?? assert.fail(words);
    // σ = E (b/2) 3 δ (1 − x/L)/L² of a cantilever bent at its tip, 25 nodes along 2 m.
    const expected = ((70e9 * 0.01 * 3 * 0.03) / 4) * (1 - (Number(node) - 1) / 24);
    assert.ok(Math.abs((1e6 * Number(value)) / expected - 1) < 0.005, `${words} against ${expected}`);
    assert.equal(Number(node), 9, words);
    await page.keyboard.down("Shift");
    await page.mouse.click(box.x + x, box.y + y);
    await page.keyboard.up("Shift");
    const pinned = async () => (await written(page)).labels.filter(({ worst }) => !worst).map((label) => label.words);
    assert.deepEqual(await pinned(), [`beam, node ${node} · ${value} MPa`]);
    // A pin stays at its node while the value changes.
    await seek(page, 0.004);
    assert.match((await pinned())[0], new RegExp(`^beam, node ${node} · (?!${value} )[\\d.]+ MPa$`));
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.waitForFunction(() => document.querySelector("#probe").hidden);
    await page.keyboard.press("Escape");
    assert.deepEqual(await pinned(), []);
  }));

await test("colours of the scene are those of the bar, in every palette", () =>
  shown(result(pulled()), async (page) => {
    await page.selectOption("#colours", "deflection");
    await scanned(page, "deflection");
    await page.uncheck("#show-joints");
    const seen = {};
    for (const palette of ["viridis", "cividis", "grey"]) {
      await page.selectOption("#palette", palette);
      seen[palette] = await page.evaluate(() => {
        const { viewer } = flexura, { stage, scale } = viewer;
        flexura.viewer.stage.invalidate();
        flexura.draw();
        const gl = stage.renderer.getContext(), pixel = new Uint8Array(4), ratio = stage.canvas.width / stage.size.width;
        const point = stage.camera.position.clone(), found = [], { positions, count } = viewer.source.scene.bodies[0].nodes;
        // Along the middle of the strip, away from its ends.
        const all = Array.from({ length: count }, (_, n) => n), ys = all.map((n) => positions[3 * n + 1]);
        const middle = all.filter((n) => Math.abs(ys[n] - (Math.min(...ys) + Math.max(...ys)) / 2) < 1e-6);
        for (const node of middle.filter((n) => positions[3 * n] > 0.1 && positions[3 * n] < 0.95)) {
          const [x, y] = stage.onCanvas(viewer.nodeInSpace(point, 0, node));
          gl.readPixels(Math.round(x * ratio), Math.round(stage.canvas.height - y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          found.push({ seen: [...pixel.slice(0, 3)], share: viewer.valueAt(0, node) / scale.to });
        }
        return found;
      });
    }
    // The published palettes at every quarter, as sRGB.
    const stops = { viridis: "440154 3b528b 21918c 5ec962 fde725", cividis: "00224e 434e6c 7d7c78 bbad6d fee838", grey: "262626 5b5b5b 909090 c5c5c5 fafafa" };
    const levels = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
    for (const [palette, list] of Object.entries(seen)) {
      for (const { seen: colour, share } of list) {
        const quarter = Math.min(3, Math.floor(4 * share)), part = 4 * share - quarter;
        const [from, to] = stops[palette].split(" ").slice(quarter, quarter + 2).map(levels);
        const wanted = from.map((level, c) => level + part * (to[c] - level));
        const apart = Math.max(...wanted.map((level, c) => Math.abs(level - colour[c])));
        assert.ok(apart < 30, `${palette} at ${share}: ${colour} against ${wanted}`);
      }
    }
    assert.ok(seen.viridis.length > 10 && seen.viridis.some(({ share }) => share < 0.3) && seen.viridis.some(({ share }) => share > 0.8));
    assert.notDeepEqual(seen.viridis, seen.cividis);
  }));

await test("ticks differ from each other", () =>
  shown(result(pushed()), async (page) => {
    await page.waitForSelector(".plot");
    const words = await page.evaluate(() => {
      const [plot] = flexura.channels.plots.values(), { times } = flexura.source;
      return [[1000, 1e-3], [2.5e7, 40], [-1e-6, 1e-9], [0, 1], [12345.6, 0.05]].map(([low, range]) => {
        plot.renew(times, Float32Array.from(times, (_, i) => low + (range * i) / times.length));
        plot.draw(0, 0, 0);
        return plot.words;
      });
    });
    for (const list of words) {
      assert.ok(list.length >= 2, JSON.stringify(words));
      assert.equal(new Set(list).size, list.length, JSON.stringify(list));
    }
  }));

await test("mode shapes show number, frequency and damping", async () => {
  const file = model("satellite");
  flexura("modes", file, "--shapes", "modes.fxr");
  const all = JSON.parse(flexura("modes", file, "--json", "--count", "40")).modes;
  const vibrating = all.filter(({ imaginary }) => imaginary > 1e-6);
  await shown("modes.fxr", async (page) => {
    const { list, options } = await page.evaluate(() => ({ list: flexura.viewer.modes.list, options: [...document.querySelector("#mode").options].map((o) => o.text) }));
    assert.equal(list.length, vibrating.length);
    const numbers = vibrating.map((mode) => all.indexOf(mode) + 1);
    assert.ok(numbers[0] > 1, "the first modes do not vibrate and keep their numbers");
    for (const [i, { imaginary, damping_ratio: damping }] of vibrating.entries()) {
      await seek(page, i + 0.25);
      const [number, frequency, damped] = (await written(page)).head;
      assert.equal(number, `mode ${numbers[i]} (${i + 1} of ${list.length})`);
      assert.equal(frequency, `${Number((imaginary / (2 * Math.PI)).toPrecision(4))} Hz`);
      assert.equal(damped, `damping ${(100 * damping).toPrecision(3)} %`);
      assert.equal(options[i + 1], `mode ${numbers[i]}: ${frequency}`);
      assert.ok((await page.textContent("#clock")).startsWith(`mode ${numbers[i]} `));
    }
    // A period ends where it began, not in the next mode.
    const rows = await page.evaluate(() => [1, 1.999999].map((time) => (flexura.viewer.seek(time), [...flexura.viewer.motion.row])));
    const largest = Math.max(...rows[0].map(Math.abs));
    assert.ok(Math.max(...rows[0].map((value, i) => Math.abs(value - rows[1][i]))) < 1e-3 * largest);
    // One mode is played over and over.
    await page.selectOption("#mode", "2");
    await page.selectOption("#speed", "2");
    await page.click("#play");
    const times = [];
    for (let i = 0; i < 12; i++) {
      await page.waitForTimeout(100);
      times.push(await page.evaluate(() => flexura.viewer.time));
    }
    assert.ok(times.every((time) => time >= 2 && time < 3), `${times}`);
    assert.ok(times.some((time, i) => time < times[i - 1]), "it has begun again");
    // Amplitudes of modes are free: no unit, and the largest of each mode is one.
    await page.click("#play");
    await page.selectOption("#colours", "deflection");
    await scanned(page, "deflection");
    const { bar } = await written(page);
    assert.equal(bar.title, "deflection, relative");
    assert.equal(bar.ticks.at(-1)[1], "1.00");
  });
});
