// What stands on the stage: cameras, arrows, springs, tyres, roads, paths, a second result.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PNG } from "pngjs";
import { flexura, out, result } from "./browser.mjs";
import { difference, matches } from "./compare.mjs";
import { arm, model, picture, robot, seek, shown, test } from "./harness.mjs";
import { cantilever, pushed, rolling, rubber, sprung, strut } from "./models.mjs";

await test("applied forces are arrows", () =>
  shown(result(pushed()), async (page) => {
    await page.check("#show-forces");
    await page.waitForFunction(() => /longest arrow 12\.0 N/.test(document.querySelector("#legend").textContent));
    await seek(page, 0.02);
    const values = await page.evaluate(() => flexura.viewer.arrows.list.find((arrow) => arrow.fixed).values.map((v) => [v[0], v.at(-1)]));
    // Twice the given force in the first half, nothing in the second.
    assert.deepEqual(values, [[0, 0], [0, 0], [12, 0]]);
  }));

await test("the camera follows a body", () =>
  shown(robot(), async (page) => {
    await seek(page, 0);
    await page.locator("#tree button", { hasText: "tool" }).click();
    const before = await page.evaluate(() => flexura.viewer.project(5));
    await page.click("#follow");
    await seek(page, 1.5);
    const after = await page.evaluate(() => flexura.viewer.project(5));
    // The body turns about its frame, which alone stays in place.
    assert.ok(Math.hypot(after[0] - before[0], after[1] - before[1]) < 40, `${before} to ${after}`);
    assert.equal(await page.getAttribute("#follow", "aria-pressed"), "true");
    await page.click("#follow");
    const at = await page.evaluate(() => flexura.viewer.stage.camera.position.toArray());
    await seek(page, 0);
    assert.deepEqual(await page.evaluate(() => flexura.viewer.stage.camera.position.toArray()), at);
  }));

/** What is written over the scene, after drawing it. */
const written = (page) => page.evaluate(() => (flexura.viewer.stage.invalidate(), flexura.draw(), flexura.overlay.last));

await test("the scale of the arrows is true", () =>
  shown(result(pushed()), async (page) => {
    await page.click("[data-view=front]");
    await page.check("#show-forces");
    await page.waitForFunction(() => flexura.viewer.arrows.visible);
    await seek(page, 0.02);
    const { arrow } = await written(page);
    const [, size, unit] = arrow.words.match(/^(\d+) (N)$/) ?? assert.fail(arrow.words);
    // The arrow of 12 N, from its root to its head on the screen; it stands across the line of sight.
    const drawn = await page.evaluate(() => {
      const { viewer } = flexura, { arrows, stage } = viewer, at = stage.camera.position.clone(), p = viewer.motion.poses[0];
      const [a, b] = [0, arrows.longest].map((z) => stage.onCanvas(at.set(p[9], p[10], p[11] + z)));
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    });
    assert.ok(Math.abs(arrow.length / Number(size) / (drawn / 12) - 1) < 0.05, `${arrow.length} px for ${size} ${unit}, ${drawn} px for 12 N`);
  }));

await test("grid and axes: a square is as long as written, axes point where they do", () =>
  shown(robot(), async (page) => {
    await page.click("[data-view=top]");
    const { grid, axes } = await written(page);
    const [, length] = grid.match(/^1 square = ([\d.]+) m$/) ?? assert.fail(grid);
    const squares = await page.evaluate(() => {
      const at = flexura.viewer.stage.grid.geometry.attributes.position, xs = new Set();
      for (let i = 0; i < at.count; i++) xs.add(Math.round(1e4 * at.getX(i)) / 1e4);
      const list = [...xs].sort((a, b) => a - b);
      return list[1] - list[0];
    });
    assert.ok(Math.abs(squares - Number(length)) < 1e-3, `${squares} against ${grid}`);
    // From above: x to the right, y up, z at the reader.
    const wanted = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    axes.forEach((axis, i) => axis.forEach((value, c) => assert.ok(Math.abs(value - wanted[i][c]) < 0.01, `${axes}`)));
    await page.uncheck("#show-ground");
    assert.equal((await written(page)).grid, "");
  }));

await test("a double click looks at a body from nearby, another one beside everything at all", () =>
  shown(robot(), async (page) => {
    const state = () => page.evaluate(() => {
      const { stage } = flexura.viewer, { width, height } = stage.size, [x, y] = flexura.viewer.project(1);
      const long = Math.max(...flexura.source.scene.bodies[1].solids[0].box) * stage.pixelsPerMetre;
      return { away: stage.camera.position.distanceTo(stage.controls.target), x: x / width, y: y / height, fills: long / height };
    });
    await seek(page, 1);
    const before = await state();
    const [x, y] = await page.evaluate(() => flexura.viewer.project(1));
    await page.locator("#stage").dblclick({ position: { x, y } });
    await picture(page);
    const near = await state();
    assert.equal(await page.textContent("#info h2"), "upper_arm");
    assert.ok(near.away < 0.8 * before.away, `${near.away} from ${before.away}`);
    assert.ok(near.fills > 0.35 && near.fills < 1, `its length fills ${near.fills} of the height`);
    assert.ok(Math.abs(near.x - 0.5) < 0.15 && Math.abs(near.y - 0.5) < 0.15, JSON.stringify(near));
    await page.locator("#stage").dblclick({ position: { x: 8, y: 8 } });
    assert.ok(Math.abs((await state()).away / before.away - 1) < 0.01);
    await page.locator("#tree button", { hasText: "upper_arm" }).click();
    await page.click("#zoom");
    assert.ok(Math.abs((await state()).away / near.away - 1) < 0.01);
  }));

await test("one body is looked through", () =>
  shown(robot(), async (page) => {
    await seek(page, 1);
    await page.locator("#tree button", { hasText: "column" }).click();
    const solid = await picture(page);
    await page.click("#veil");
    assert.equal(await page.getAttribute("#veil", "aria-pressed"), "true");
    const through = await picture(page);
    assert.ok(difference(solid, through) > 0.01);
    // It is still there to be picked, and hidden with others.
    const [x, y] = await page.evaluate(() => flexura.viewer.project(0));
    await page.keyboard.press("Escape");
    await page.locator("#stage").click({ position: { x, y } });
    assert.equal(await page.textContent("#info h2"), "column");
    await page.keyboard.press("t");
    assert.ok(difference(solid, await picture(page)) < 0.001, "and back again");
  }));

await test("the path of a pinned point is where it was recorded", () =>
  shown(robot(), async (page) => {
    await page.evaluate(() => flexura.viewer.traces.pins.push({ body: 5, node: -1, local: [0, 0, 0] }));
    const bare = await picture(page);
    await page.check("#show-traces");
    await page.waitForFunction(() => flexura.viewer.traces.points > 0);
    const apart = await page.evaluate(async () => {
      const { source, viewer } = flexura, at = viewer.traces.lines.geometry.attributes.position;
      const recorded = await Promise.all(["x", "y", "z"].map((axis) => source.channel(source.scene.channels.indexOf(`tool.position.${axis}`))));
      let most = 0;
      for (let i = 0; i < at.count; i++) for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(at.getComponent(i, c) - recorded[c][(i + 1) >> 1]));
      return [at.count, source.times.length, most];
    });
    assert.equal(apart[0], 2 * (apart[1] - 1));
    assert.ok(apart[2] < 1e-6, `${apart}`);
    assert.ok(difference(bare, await picture(page)) > 0.0002, "a line as thin as a pixel");
    await page.uncheck("#show-traces");
    await page.waitForFunction(() => flexura.viewer.traces.points === 0);
  }));

await test("joints by kind, springs, dampers, tyres and the profile of their road", () =>
  shown(result(rolling()), async (page) => {
    await seek(page, 0.5);
    const found = await page.evaluate(() => {
      const { viewer, source } = flexura, { connectors, joints } = viewer;
      const road = viewer.stage.group.children.find((mesh) => mesh.isMesh && !mesh.isInstancedMesh && mesh.geometry.attributes.position.count > 300);
      const at = road.geometry.attributes.position, heights = {};
      for (let i = 0; i < at.count; i++) (heights[at.getX(i).toFixed(3)] ??= []).push(at.getZ(i));
      const matrix = [...connectors.wheels.instanceMatrix.array];
      return {
        kinds: joints.kinds, counts: connectors.kinds.map(({ list }) => list.length), barrel: connectors.kinds[1].fixed[0], coil: Math.hypot(...connectors.kinds[0].mesh.instanceMatrix.array.slice(8, 11)), elements: source.scene.elements, heights,
        wheel: matrix.slice(12, 15), size: Math.hypot(...matrix.slice(0, 3)), pose: [...viewer.motion.poses[1].slice(9)],
        length: Math.hypot(...[9, 10, 11].map((i) => viewer.motion.poses[2][i] - viewer.motion.poses[0][i])), floor: viewer.stage.floor,
      };
    });
    assert.deepEqual(found.kinds, ["planar", "prismatic", "revolute"]);
    // One coil, one barrel, one rod.
    assert.deepEqual(found.counts, [1, 1, 1]);
    // The barrel keeps a share of the 0.8 m at the start; the coil is as long as the spring is now.
    assert.ok(Math.abs(found.barrel - 0.55 * 0.8) < 1e-6, `${found.barrel}`);
    assert.ok(Math.abs(found.coil - found.length) < 1e-5 && Math.abs(found.coil - 0.8) > 1e-3, `${found.coil} of ${found.length}`);
    assert.deepEqual(found.elements.map(({ kind, spring, damper, radius }) => [kind, spring, damper, radius]), [["tyre", undefined, undefined, 0.3], ["spring-damper", true, true, undefined]]);
    found.wheel.forEach((value, i) => assert.ok(Math.abs(value - found.pose[i]) < 1e-6));
    assert.ok(Math.abs(found.size - 0.3) < 1e-6);
    // Top of the bump z = ½ h (1 − cos 2π (x − 2)/1.5), and both sides of the step at 4 m.
    assert.ok(Math.abs(found.heights["2.750"][0] - 0.08) < 1e-6, JSON.stringify(found.heights["2.750"]));
    for (const [x, [z]] of Object.entries(found.heights)) {
      const expected = x > 4 ? -0.05 : x > 2 && x < 3.5 ? 0.04 * (1 - Math.cos((2 * Math.PI * (x - 2)) / 1.5)) : 0;
      assert.ok(x === "4.000" || Math.abs(z - expected) < 4e-4, `${z} against ${expected} at ${x}`);
    }
    assert.deepEqual([...new Set(found.heights["4.000"].map((z) => z.toFixed(3)))], ["0.000", "-0.050"]);
    assert.equal(found.floor, -0.05);
    matches("rolling", await picture(page));
  }));

await test("planes under contacts, rubber of bushings and stops, spirals of springs that turn", () =>
  shown(result(rubber()), async (page) => {
    const found = await page.evaluate(() => {
      const { viewer } = flexura, { connectors } = viewer;
      viewer.place();
      const plane = viewer.stage.group.children.find((mesh) => mesh.isMesh && !mesh.isInstancedMesh && mesh.geometry.attributes.position.count > 300);
      plane?.geometry.computeBoundingBox();
      const along = (matrix) => [8, 9, 10].map((i) => matrix[i] / Math.hypot(...matrix.slice(8, 11)));
      return {
        kinds: connectors.kinds.map(({ list, mesh }) => [list.map(({ name }) => name).join(), along([...mesh.instanceMatrix.array.slice(0, 16)])]),
        others: connectors.others.length, plane: plane && [plane.geometry.boundingBox.min.toArray(), plane.geometry.boundingBox.max.toArray()],
      };
    });
    // A rod and the rubber of the stop along its axis; the ball of the bushing in its turned frame; the spiral about its axis.
    const expected = { stop: [[0, 1, 0], [0, 1, 0]], mount: [[0, -1, 0]], winding: [[1, 0, 0]] };
    for (const [name, axes] of Object.entries(expected)) {
      const drawn = found.kinds.filter(([names]) => names === name).map(([, axis]) => axis);
      assert.equal(drawn.length, axes.length, JSON.stringify(found.kinds));
      drawn.forEach((axis, i) => axis.forEach((value, c) => assert.ok(Math.abs(value - axes[i][c]) < 1e-6, `${name}: ${axis}`)));
    }
    assert.equal(found.others, 0, "nothing is left a line");
    // The ball of 0.1 m falls upon the plane at (0.5, 0, 0): six radii along x and 1.2 across.
    const [low, high] = found.plane;
    [-0.1, -0.12, 0].forEach((value, c) => assert.ok(Math.abs(low[c] - value) < 1e-5, `${low}`));
    [1.1, 0.12, 0].forEach((value, c) => assert.ok(Math.abs(high[c] - value) < 1e-5, `${high}`));
  }));

await test("springs inside joints: a coil along what slides, a spiral about what turns", () =>
  shown(result(sprung()), async (page) => {
    const coil = async (time) => {
      await seek(page, time);
      return page.evaluate(() => {
        const { jointSprings, motion, sizes } = flexura.viewer, [coils, spirals] = jointSprings.meshes;
        const at = (mesh) => [...mesh.instanceMatrix.array.slice(0, 16)];
        return { counts: [coils.count, spirals.count], coil: at(coils), spiral: at(spirals), slide: motion.poses[0][10], marker: sizes.marker };
      });
    };
    const begin = await coil(0), later = await coil(0.25);
    // The second hinge has none.
    assert.deepEqual(begin.counts, [1, 1]);
    assert.ok(Math.abs(begin.slide - 0.4) < 1e-6 && Math.abs(later.slide - begin.slide) > 0.2, `${begin.slide}, ${later.slide}`);
    for (const { coil, spiral, slide, marker } of [begin, later]) {
      const [start, length] = [coil.slice(12, 15), coil[9]], end = Math.max(0.15 * 5 * marker, 5 * marker + slide);
      // From behind the rail to the slider, along y.
      [0, -5 * marker, 0].forEach((value, i) => assert.ok(Math.abs(start[i] - value) < 1e-5, `${start}`));
      assert.ok(Math.abs(length - end) < 1e-5, `${length} instead of ${end}`);
      // At the slider, about z.
      [0, slide, 0].forEach((value, i) => assert.ok(Math.abs(spiral[12 + i] - value) < 1e-5, `${spiral}`));
      assert.ok(spiral[10] > 0 && Math.hypot(spiral[8], spiral[9]) < 1e-9, `${spiral}`);
    }
    const drawn = await picture(page);
    await page.uncheck("#show-joints");
    assert.ok(difference(drawn, await picture(page)) > 0.0005, "hidden with the joints");
  }));

await test("a coil lies on the side of the body that carries it", () =>
  shown(result(strut()), async (page) => {
    await seek(page, 0);
    const { coil, marker } = await page.evaluate(() => {
      const { jointSprings, sizes } = flexura.viewer;
      return { coil: [...jointSprings.meshes[0].instanceMatrix.array.slice(0, 16)], marker: sizes.marker };
    });
    // From above the joint down to the hub, which hangs 0.1 m below it.
    [0, 0, 5 * marker].forEach((value, i) => assert.ok(Math.abs(coil[12 + i] - value) < 1e-5, `${coil.slice(12, 15)}`));
    assert.ok(Math.abs(coil[10] + 5 * marker + 0.1) < 1e-5, `${coil[10]} with markers of ${marker}`);
  }));

await test("a second result is laid over the first", async () => {
  const [first, second] = [result(cantilever()), result(cantilever(0.015, "half"))];
  flexura("view", second, "--save", "half.html");
  writeFileSync(path.join(out, "wrong.html"), "<script>window.harmed = 1</script><p>no result</p>");
  await shown(first, async (page) => {
    await page.waitForSelector(".plot");
    await page.locator("#deformation").fill("75");
    const alone = await picture(page);
    await page.setInputFiles("#compare", path.join(out, "half.html"));
    await page.waitForFunction(() => flexura.viewer.ghost);
    assert.ok(difference(alone, await picture(page)) > 0.002);
    // Between rows, too.
    for (const time of [0, 0.00437]) {
      await seek(page, time);
      // Half the deflection at all times: the beam is linear.
      const [own, other] = await page.evaluate(() => [flexura.viewer.motion, flexura.viewer.ghost.motion].map(({ row }) => row[7]));
      assert.ok(Math.abs(other / own - 0.5) < 2e-5, `${other} of ${own}`);
    }
    assert.ok((await written(page)).head.includes("grey: half.html"));
    assert.ok(await page.evaluate(() => [...flexura.channels.plots.values()].every((plot) => plot.other)), "its curves too");
    await page.setInputFiles("#compare", path.join(out, "wrong.html"));
    await page.waitForFunction(() => /holds no result/.test(document.querySelector("#notes").textContent));
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    await page.click("#compare-end");
    await seek(page, 0);
    assert.ok(difference(alone, await picture(page)) < 0.001);
  });
});

await test("a second result named on the command line is laid over the first, in pictures too", async () => {
  const [first, second] = [result(cantilever()), result(cantilever(0.015, "half"))];
  await shown([first, "--with", second], async (page) => {
    await page.locator("#deformation").fill("75");
    await seek(page, 0.004);
    const [own, other] = await page.evaluate(() => [flexura.viewer.motion, flexura.viewer.ghost.motion].map(({ row }) => row[7]));
    assert.ok(Math.abs(other / own - 0.5) < 1e-3, `${other} of ${own}`);
    assert.ok((await written(page)).head.includes("grey: half.fxr"));
    await page.waitForFunction(() => flexura.channels.plots.size > 0 && [...flexura.channels.plots.values()].every((plot) => plot.other));
    const both = await picture(page);
    await page.click("#compare-end");
    assert.ok(difference(both, await picture(page)) > 0.002);
  });
  const draw = (folder, ...options) => {
    flexura("view", first, "--png", folder, "--at", "0.004", "--size", "320x200", "--bare", "--deformation", "10", ...options);
    return readFileSync(path.join(out, folder, "frame_00000.png"));
  };
  assert.ok(difference(draw("alone_one"), draw("with_other", "--with", second)) > 0.001);
});

await test("slow motion is chosen from the length of the run", async () => {
  const speed = (file) => shown(file, async (page) => (found = Number(await page.inputValue("#speed"))));
  let found = 0;
  await speed(robot());
  assert.equal(found, 1);
  await speed(result(cantilever()));
  assert.ok(0.02 / found >= 2 && 0.02 / found <= 25, `0.02 s at ${found}`);
});

await test("a picture is saved with its legend", () =>
  shown(arm(), async (page) => {
    await page.selectOption("#colours", "stress");
    await page.waitForFunction(() => flexura.viewer.range.share("stress") === 1);
    await seek(page, 0.7);
    const scene = PNG.sync.read(await picture(page));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-picture")]);
    assert.equal(download.suggestedFilename(), "flexible_arm.png");
    const saved = PNG.sync.read(readFileSync(await download.path()));
    assert.deepEqual([saved.width, saved.height], [scene.width, scene.height]);
    // Words at the upper right and axes at the lower left; the middle is the scene.
    const changed = (x0, y0, x1, y1) => {
      let count = 0;
      for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if (Math.abs(saved.data[4 * (y * saved.width + x)] - scene.data[4 * (y * saved.width + x)]) > 60) count++;
      return count;
    };
    const { width: w, height: h } = saved;
    assert.ok(changed(w - 160, 0, w, h >> 1) > 500 && changed(0, h - 90, 90, h) > 60);
    assert.ok(changed(w >> 2, 0, w >> 1, h >> 2) === 0);
  }));

await test("a model that goes far is looked at on its way, until told otherwise", () =>
  shown(result(model("gallery/vehicle")), async (page) => {
    const look = () => page.evaluate(() => ({
      followed: flexura.viewer.followed, from: flexura.viewer.stage.camera.position.distanceTo(flexura.viewer.placeOf(0)), pressed: document.querySelector("#follow").getAttribute("aria-pressed"),
      place: flexura.viewer.motion.poses[0][9], seen: flexura.viewer.stage.onCanvas(flexura.viewer.placeOf(0).clone()),
    }));
    const first = await look();
    assert.deepEqual([first.followed, first.pressed], [0, "true"]);
    // A car of 3.6 m fills the picture; its way is twenty times as long.
    assert.ok(first.from < 25, `${first.from} m away`);
    await seek(page, 4);
    const later = await look();
    assert.ok(later.place - first.place > 50 && Math.abs(later.from - first.from) < 1e-3, `${JSON.stringify([first, later])}`);
    later.seen.forEach((value, i) => assert.ok(Math.abs(value - first.seen[i]) < 0.5, `${later.seen}`));
    await page.click("#follow");
    await seek(page, 1);
    assert.equal((await look()).followed, -1);
  }));
