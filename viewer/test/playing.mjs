// Time, views, selection, deformation.
import assert from "node:assert/strict";
import path from "node:path";
import { flexura, out, result } from "./browser.mjs";
import { difference, matches } from "./compare.mjs";
import { arm, picture, robot, seek, shown, test } from "./harness.mjs";

await test("a result is loaded, played, paused and scrubbed", () =>
  shown(robot(), async (page) => {
    assert.equal(await page.textContent("h1"), "robot arm");
    assert.equal(await page.locator("#tree [role=treeitem]").count(), 6);
    const before = await picture(page);
    await page.click("#play");
    await page.waitForFunction(() => flexura.viewer.time > 0.3);
    await page.keyboard.press("Escape");
    await page.click("#play");
    const paused = await page.evaluate(() => flexura.viewer.time);
    await page.waitForTimeout(150);
    assert.equal(await page.evaluate(() => flexura.viewer.time), paused, "paused means paused");
    assert.ok(difference(before, await picture(page)) > 0.005, "the arm has moved");
    await page.locator("#time").fill("1.5");
    assert.equal(await page.textContent("#clock"), "1.500 s");
    // The recorded value at this time, by another route.
    const table = flexura("export", robot(), "--channels", "elbow.angle", "tool.position.z").trim().split("\n");
    const row = table.map((line) => line.split(",")).find((cells) => Math.abs(Number(cells[0]) - 1.5) < 1e-9);
    const z = await page.evaluate(() => flexura.viewer.motion.poses[5][11]);
    assert.ok(Math.abs(z - Number(row[table[0].split(",").findIndex((head) => head.startsWith("tool.position.z"))])) < 1e-6);
  }));

await test("the whole model is in the picture, from every side and at any time", () => {
  flexura("new", "starter", "--template", "arm");
  return shown(result(path.join(out, "starter.toml")), async (page) => {
    for (const view of ["iso", "front", "side", "top"]) {
      await page.click(`[data-view=${view}]`);
      for (const time of [0, 0.7, 3]) {
        await seek(page, time);
        const places = await page.evaluate(() => {
          // Projections are those of the last drawing.
          flexura.viewer.stage.invalidate();
          flexura.viewer.stage.draw();
          const { clientWidth, clientHeight } = flexura.viewer.stage.canvas;
          const last = flexura.viewer.source.scene.bodies[0].nodes.count - 1;
          return [0, last].map((node) => flexura.viewer.project(0, node)).map(([x, y]) => [x / clientWidth, y / clientHeight]);
        });
        for (const share of places.flat()) assert.ok(share > 0.01 && share < 0.99, `${view} at ${time} s: ${places}`);
      }
    }
  });
});

await test("keys: play, step, first, last, views, search", () =>
  shown(robot(), async (page) => {
    await page.locator("#stage").focus();
    await page.keyboard.press("End");
    assert.equal(await page.textContent("#clock"), "3.000 s");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.textContent("#clock"), "2.990 s");
    await page.keyboard.press("Home");
    assert.equal(await page.textContent("#clock"), "0.000 s");
    await page.keyboard.press(" ");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
    await page.keyboard.press(" ");
    const iso = await picture(page);
    await page.keyboard.press("3");
    assert.ok(difference(iso, await picture(page)) > 0.01);
    await page.keyboard.press("/");
    await page.keyboard.type("WRIST");
    assert.equal(await page.locator("#tree li:visible").count(), 2);
    assert.equal(await page.textContent("#status"), "2 bodies found");
  }));

await test("a click picks a body, the tree hides bodies", () =>
  shown(robot(), async (page) => {
    await seek(page, 1);
    const [x, y] = await page.evaluate(() => flexura.viewer.project(1));
    await page.locator("#stage").click({ position: { x, y } });
    assert.equal(await page.textContent("#info h2"), "upper_arm");
    assert.match(await page.textContent("#info"), /shoulder \(revolute\)/);
    const all = await picture(page);
    await page.click("#hide-others");
    const one = await picture(page);
    assert.ok(difference(all, one) > 0.01);
    await page.locator("#stage").click({ position: { x: 20, y: 20 } });
    assert.equal(await page.textContent("#info"), "");
    await page.click("#show-all");
    await page.getByLabel("Show column").uncheck();
    assert.ok(difference(one, await picture(page)) > 0.01);
  }));

await test("deformation is scaled and joints stay closed", () =>
  shown(arm(), async (page) => {
    await seek(page, 0.7);
    const gap = () =>
      page.evaluate(() => {
        // The tip of the upper arm, drawn, against the root of the forearm, carried along.
        const { motion } = flexura.viewer, { scene } = motion, joint = scene.joints[1];
        const a = motion.mountInSpace(new Float64Array(12), 0, joint.outer);
        const b = motion.mountInSpace(new Float64Array(12), 1, joint.inner);
        const body = scene.bodies[0], end = new Float64Array(12);
        motion.node(end, body, body.nodes, body.nodes.count - 1, motion.scale);
        const p = motion.poses[0];
        const tip = [0, 1, 2].map((i) => p[3 * i] * end[9] + p[3 * i + 1] * end[10] + p[3 * i + 2] * end[11] + p[9 + i]);
        return [0, 1, 2].map((i) => [a[9 + i] - b[9 + i], a[9 + i] - tip[i]]).flat().map(Math.abs);
      });
    // f32 of lengths of about one metre.
    assert.ok(Math.max(...(await gap())) < 1e-6, "recorded poses and drawn nodes agree");
    matches("arm", await picture(page));
    await page.locator("#deformation").fill("82");
    assert.match(await page.textContent("#deformation-value"), /^×1[89]/);
    assert.ok(Math.max(...(await gap())) < 1e-5, "exaggerated bodies stay joined");
    matches("arm_exaggerated", await picture(page));
    await page.locator("#deformation").fill("0");
    assert.ok(Math.max(...(await gap())) < 1e-6, "stiff bodies stay joined");
  }));

await test("frames are where the engine recorded them", () =>
  shown(arm(), async (page) => {
    const worst = await page.evaluate(async () => {
      const { source, viewer } = flexura, { scene, times } = source;
      let count = 0, most = 0;
      for (const frame of scene.frames) {
        const wanted = ["x", "y", "z"].map((axis) => scene.channels.indexOf(`${frame.name}.position.${axis}`));
        if (wanted.includes(-1)) continue;
        const values = await Promise.all(wanted.map((index) => source.channel(index)));
        for (let row = 0; row < times.length; row += 10, count++) {
          viewer.seek(times[row]);
          const pose = viewer.motion.mountInSpace(new Float64Array(12), frame.body, frame);
          for (let i = 0; i < 3; i++) most = Math.max(most, Math.abs(pose[9 + i] - values[i][row]));
        }
      }
      return { count, most };
    });
    assert.ok(worst.count > 40, `${worst.count} positions compared`);
    assert.ok(worst.most < 1e-6, `${worst.most} m apart`);
  }));
