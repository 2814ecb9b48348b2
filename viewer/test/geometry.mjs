// Geometry files of bodies, four views, shadows, films.
import assert from "node:assert/strict";
import { copyFileSync, ftruncateSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { PNG } from "pngjs";
import { flexura, out, program, result, root } from "./browser.mjs";
import { difference, matches } from "./compare.mjs";
import { browser, model, picture, robot, seek, shown, test } from "./harness.mjs";

const engine = () => result(model("engine"));

/** A model of one body drawn by a file, written beside it. */
function drawn(name, file, bytes) {
  writeFileSync(path.join(out, file), bytes);
  const text = `[[body]]\nname = "block"\nmass = 1.0\ninertia = [1, 1, 1]\n\n[[joint]]\nname = "hinge"\ntype = "revolute"\n` +
    `between = ["ground.origin", "block.origin"]\n\n[[picture]]\nbody = "block"\nfile = ${JSON.stringify(file)}\n\n[simulation]\nend = 0.1\n`;
  writeFileSync(path.join(out, `${name}.toml`), text);
  return path.join(out, `${name}.toml`);
}

/** What `flexura run` says about a model that it refuses. */
function refused(file) {
  const { status, stderr } = spawnSync(program, ["run", file, "--quiet", "--output", "refused.fxr"], { cwd: out, encoding: "utf8", timeout: 20000 });
  assert.equal(status, 3, stderr);
  return stderr;
}

await test("bodies are drawn by their geometry files, where and how large the model says", () =>
  shown(engine(), async (page) => {
    await seek(page, 0.0042);
    const found = await page.evaluate(() => {
      const { viewer, source } = flexura, { scene } = source, { solids } = viewer.bodies;
      return scene.bodies.map((body, k) => {
        const index = 3 + body.solids[0].mesh, mesh = solids.meshes[index], box = mesh.geometry.boundingBox ?? (mesh.geometry.computeBoundingBox(), mesh.geometry.boundingBox);
        const m = [...mesh.instanceMatrix.array.slice(0, 16)], colour = [...mesh.instanceColor.array.slice(0, 3)];
        return { name: body.name, file: scene.meshes[body.solids[0].mesh].name, low: box.min.toArray(), high: box.max.toArray(), m, colour, pose: [...viewer.motion.poses[k]] };
      });
    });
    const by = Object.fromEntries(found.map((body) => [body.name, body]));
    assert.deepEqual([by.crank.file, by.rod.file, by.piston.file], ["crank.stl", "rod.obj", "piston.glb"]);
    // Millimetres became metres: the shaft is 120 mm long along y.
    assert.ok(Math.abs(by.crank.high[1] - 0.06) < 1e-6 && Math.abs(by.crank.low[1] + 0.06) < 1e-6, `${by.crank.high}`);
    // The rod reaches from its big eye to its small one.
    assert.ok(Math.abs(by.rod.low[0] + 0.026) < 1e-6 && Math.abs(by.rod.high[0] - 0.157) < 1e-6);
    // The piston's y axis, up in glTF, is the z axis of its body: third row of what is drawn.
    assert.ok(Math.abs(by.piston.m[6] - 1) < 1e-6 && Math.abs(by.piston.m[14] - by.piston.pose[11]) < 1e-6, `${by.piston.m}`);
    // The pin of the crank is where the rod begins.
    const pin = [0, 1, 2].map((i) => by.crank.pose[3 * i] * 0.04 + by.crank.pose[9 + i]);
    pin.forEach((value, i) => assert.ok(Math.abs(value - by.rod.pose[9 + i]) < 1e-5, `${pin}`));
    // #d9a441, linear.
    const linear = (level) => ((level / 255 + 0.055) / 1.055) ** 2.4;
    [0xd9, 0xa4, 0x41].forEach((level, c) => assert.ok(Math.abs(by.rod.colour[c] - linear(level)) < 1e-3, `${by.rod.colour}`));
    matches("engine", await picture(page));
    // It is picked as any body.
    const [x, y] = await page.evaluate(() => flexura.viewer.project(flexura.source.scene.bodies.findIndex(({ name }) => name === "piston")));
    await page.locator("#stage").click({ position: { x, y } });
    assert.equal(await page.textContent("#info h2"), "piston");
    assert.match(await page.textContent("#info"), /drawn by piston\.glb/);
  }));

await test("a geometry file with markup in its name harms nobody", async () => {
  const name = "<img src=x onerror=window.harmed=1>.obj", block = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const file = result(drawn("markup_file", name, block));
  flexura("view", file, "--save", "markup_file.html");
  await shown(file, async (page) => {
    await page.locator("#tree button", { hasText: "block" }).click();
    assert.ok((await page.textContent("#info")).includes(`drawn by ${name}`));
    assert.equal(await page.evaluate(() => window.harmed), undefined);
    await page.goto(`file://${path.join(out, "markup_file.html")}`);
    await page.waitForFunction(() => window.flexura);
    await page.locator("#tree button", { hasText: "block" }).click();
    assert.ok((await page.textContent("#info")).includes(name));
    assert.equal(await page.evaluate(() => window.harmed), undefined);
  });
});

await test("broken, huge and outside geometry files are refused by name before anything is shown", () => {
  assert.match(refused(drawn("torn", "torn.stl", Buffer.concat([Buffer.alloc(80), Buffer.from([9, 0, 0, 0]), Buffer.alloc(70)]))), /torn\.stl.*9 triangles would take 534 bytes/s);
  const huge = drawn("huge", "huge.stl", ""), hole = openSync(path.join(out, "huge.stl"), "w");
  ftruncateSync(hole, 2 * 2 ** 30);
  closeSync(hole);
  const start = performance.now();
  assert.match(refused(huge), /huge\.stl.*2048 MiB; at most 128 MiB/s);
  assert.ok(performance.now() - start < 5000, "not read");
  mkdirSync(path.join(out, "inner"), { recursive: true });
  writeFileSync(path.join(out, "outside.obj"), "v 0 0 0\n");
  copyFileSync(drawn("reach", "reach.obj", ""), path.join(out, "inner/reach.toml"));
  writeFileSync(path.join(out, "inner/reach.toml"), readFileSync(path.join(out, "inner/reach.toml"), "utf8").replace("reach.obj", "../outside.obj"));
  assert.match(refused(path.join(out, "inner/reach.toml")), /outside\.obj.*outside the folder of the model/s);
});

await test("four views: each sees the model from its side, at one scale", () =>
  shown(robot(), async (page) => {
    await seek(page, 1);
    const single = await picture(page);
    await page.keyboard.press("5");
    assert.equal(await page.getAttribute("#quad", "aria-pressed"), "true");
    const four = await picture(page);
    assert.ok(difference(single, four) > 0.02);
    const views = await page.evaluate(() => {
      const { stage, motion } = flexura.viewer, p = motion.poses[5];
      return stage.panes.map(({ name, camera, x, y, width, height }) => {
        const at = stage.camera.position.clone(), place = (u, v, w) => (at.set(p[9] + u, p[10] + v, p[11] + w).project(camera), [x + ((at.x + 1) / 2) * width, y + ((1 - at.y) / 2) * height]);
        return { name, x, y, width, height, here: place(0, 0, 0), right: place(0.1, 0, 0), back: place(0, 0.1, 0), up: place(0, 0, 0.1) };
      });
    });
    const by = Object.fromEntries(views.map((view) => [view.name, view])), { top, front, side } = by;
    assert.deepEqual(views.map(({ name }) => name), ["iso", "top", "front", "side"]);
    const away = (view, key) => [view[key][0] - view.here[0], view.here[1] - view[key][1]];
    const near = (found, expected) => found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 0.01, `${found} against ${expected}`));
    const unit = away(front, "right")[0];
    assert.ok(unit > 5, `${unit} pixels for 0.1 m`);
    // As on a drawing: x to the right in front and top, y up in top and to the right from the side, z up in front and side.
    near(away(front, "right"), [unit, 0]);
    near(away(front, "up"), [0, unit]);
    near(away(front, "back"), [0, 0]);
    near(away(top, "right"), [unit, 0]);
    near(away(top, "back"), [0, unit]);
    near(away(side, "back"), [unit, 0]);
    near(away(side, "up"), [0, unit]);
    // Views stand above and beside each other.
    assert.ok(Math.abs(top.here[0] - front.here[0]) < 0.01 && Math.abs(side.here[1] - front.here[1]) < 0.01);
    // A body is picked in any of them.
    const [x, y] = await page.evaluate(() => {
      const { stage, motion } = flexura.viewer, p = motion.poses[0], pane = stage.panes[2], solid = flexura.source.scene.bodies[0].solids[0].position;
      const at = stage.camera.position.clone().set(...[0, 1, 2].map((i) => p[3 * i] * solid[0] + p[3 * i + 1] * solid[1] + p[3 * i + 2] * solid[2] + p[9 + i])).project(pane.camera);
      return [pane.x + ((at.x + 1) / 2) * pane.width, pane.y + ((1 - at.y) / 2) * pane.height];
    });
    await page.locator("#stage").click({ position: { x, y } });
    assert.equal(await page.textContent("#info h2"), "column");
    await page.keyboard.press("Escape");
    await page.keyboard.press("5");
    assert.ok(difference(single, await picture(page)) < 0.001, "and back again");
  }));

await test("shadows fall on the ground, away from the sun, and leave bodies as they are", () =>
  shown(robot(), async (page) => {
    await seek(page, 1);
    const plain = PNG.sync.read(await picture(page));
    await page.check("#show-shadows");
    const shaded = PNG.sync.read(await picture(page));
    let darker = 0, lighter = 0;
    for (let i = 0; i < plain.data.length; i += 4) {
      const change = shaded.data[i] - plain.data[i];
      if (change < -8) darker++;
      if (change > 8) lighter++;
    }
    assert.ok(darker > 0.003 * plain.data.length / 4, `${darker} pixels are darker`);
    assert.ok(lighter < 0.0005 * plain.data.length / 4, `${lighter} pixels are lighter`);
    matches("robot_shadows", PNG.sync.write(shaded));
    await page.uncheck("#show-shadows");
    assert.ok(difference(PNG.sync.write(plain), await picture(page)) < 0.001);
  }));

await test("films in GIF have all pictures, their size and their time", () => {
  const said = flexura("view", engine(), "--gif", "engine.gif", "--size", "320x240", "--fps", "10", "--speed", "0.02", "--shadows");
  // 0.04 s at a fiftieth of real time: 2 s, both ends drawn.
  assert.match(said, /^21 pictures, /);
  const bytes = readFileSync(path.join(out, "engine.gif"));
  assert.equal(bytes.toString("latin1", 0, 6), "GIF89a");
  assert.deepEqual([bytes.readUInt16LE(6), bytes.readUInt16LE(8)], [320, 240]);
  let count = 0, time = 0;
  for (let at = bytes.indexOf("\x21\xf9\x04", 0, "latin1"); at >= 0; at = bytes.indexOf("\x21\xf9\x04", at + 8, "latin1")) {
    // A block of this kind ends with a zero, before a picture.
    if (bytes[at + 7] !== 0 || bytes[at + 8] !== 0x2c) continue;
    count++;
    time += bytes.readUInt16LE(at + 4);
  }
  assert.deepEqual([count, time], [21, 210]);
  const { status, stderr } = spawnSync(program, ["view", "engine.fxr", "--gif", "fast.gif", "--fps", "60"], { cwd: out, encoding: "utf8" });
  assert.ok(status === 2 && /at most 50 pictures per second/.test(stderr), stderr);
});

await test("films in MP4 are played by Chromium, picture by picture what is drawn alone", async () => {
  // 0.04 s at a fiftieth of real time: 2 s; 7 pictures a second do not fit into the ticks of the file.
  const options = ["--size", "320x240", "--fps", "7", "--speed", "0.02"];
  assert.match(flexura("view", engine(), "--mp4", "engine.mp4", ...options), /^15 pictures, /);
  flexura("view", "engine.fxr", "--png", "engine_frames", ...options);
  const context = await browser.newContext(), page = await context.newPage();
  await page.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url());
    return pathname === "/" ? route.fulfill({ contentType: "text/html", body: "<video muted></video>" }) : route.fulfill({ path: path.join(out, pathname) });
  });
  await page.goto("http://127.0.0.1:9/");
  const film = await page.evaluate(async () => {
    const video = document.querySelector("video"), once = (what) => new Promise((done) => video.addEventListener(what, done, { once: true }));
    const metadata = once("loadedmetadata");
    // As a whole: who serves a file here knows no parts of it, without which nobody can seek.
    video.src = URL.createObjectURL(await (await fetch("engine.mp4")).blob());
    await metadata;
    const canvas = Object.assign(document.createElement("canvas"), { width: video.videoWidth, height: video.videoHeight }), context = canvas.getContext("2d");
    const pixels = (image) => (context.drawImage(image, 0, 0), context.getImageData(0, 0, canvas.width, canvas.height).data);
    const stills = [], found = [];
    for (let i = 0; i < 15; i++) {
      const still = Object.assign(new Image(), { src: `engine_frames/frame_${String(i).padStart(5, "0")}.png` });
      await still.decode();
      stills.push(pixels(still));
    }
    for (const number of [14, 3, 9, 0, 8, 13, 1]) {
      const sought = once("seeked");
      video.currentTime = (number + 0.5) / 7;
      await sought;
      const own = pixels(video);
      // Levels of 255 on average between it and every picture drawn alone.
      const apart = stills.map((still) => still.reduce((sum, level, i) => sum + Math.abs(level - own[i]), 0) / own.length);
      found.push([number, apart.indexOf(Math.min(...apart)), Math.min(...apart)]);
    }
    return { size: [canvas.width, canvas.height], duration: video.duration, found };
  });
  await context.close();
  assert.deepEqual(film.size, [320, 240]);
  assert.ok(Math.abs(film.duration - 15 / 7) < 1e-3, `${film.duration}`);
  // Colours of a film have half the resolution: less than two levels.
  for (const [number, nearest, apart] of film.found) assert.ok(number === nearest && apart < 2, JSON.stringify(film.found));
  const { status, stderr } = spawnSync(program, ["view", "engine.fxr", "--mp4", "odd.mp4", "--size", "321x240"], { cwd: out, encoding: "utf8" });
  assert.ok(status === 2 && /even sides .* not 321/.test(stderr), stderr);
});
