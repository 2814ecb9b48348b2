// Tests of the page in a real Chromium without a screen. Prints one line per test.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { browserPath, flexura, freshFolder, launch, openPage, out, program, result, root, serve, start } from "./browser.mjs";
import { difference, matches } from "./compare.mjs";
import { cantilever, chain, growing, plate, pulled, pushed, swarm } from "./models.mjs";

if (!existsSync(browserPath)) {
  console.error(`SKIPPED: no browser at ${browserPath} (Debian package chromium, or set FLEXURA_CHROMIUM)`);
  process.exit(process.env.CI === "true" ? 1 : 0);
}
assert.ok(existsSync(program), `${program} is missing: cargo build -p flexura-cli`);
freshFolder();
const model = (name) => path.join(root, "models", `${name}.toml`);
const browser = await launch();
let failures = 0;

async function test(name, body) {
  const start = performance.now();
  try {
    await body();
    console.log(`ok   ${name} (${Math.round(performance.now() - start)} ms)`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}

/** Serves a result, hands the open page to `body` and checks that nothing was complained about. */
async function shown(file, body, options) {
  const server = await serve(file);
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
async function picture(page) {
  const url = await page.evaluate(() => {
    flexura.viewer.stage.invalidate();
    flexura.viewer.stage.draw();
    return document.querySelector("#stage").toDataURL("image/png");
  });
  return Buffer.from(url.split(",")[1], "base64");
}
const seek = (page, time) => page.evaluate((t) => flexura.seek(t), time);
const arm = result(model("flexible_arm"));
const robot = result(model("robot_arm"));

await test("a result is loaded, played, paused and scrubbed", () =>
  shown(robot, async (page) => {
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
    const table = flexura("export", robot, "--channels", "elbow.angle", "tool.position.z").trim().split("\n");
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
  shown(robot, async (page) => {
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
  shown(robot, async (page) => {
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
  shown(arm, async (page) => {
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
  shown(arm, async (page) => {
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

await test("frames, forces and deflection colours", () =>
  shown(arm, async (page) => {
    await seek(page, 0.7);
    for (const id of ["#show-frames", "#show-forces"]) await page.check(id);
    await page.selectOption("#colours", "deflection");
    await page.waitForFunction(() => /longest arrow/.test(document.querySelector("#legend").textContent));
    assert.match(await page.textContent("#legend"), /deflection: violet 0 to yellow 0\.0\d+ m · longest arrow \d+ N/);
    matches("arm_forces", await picture(page));
  }));

await test("stresses of beams are those of the section forces", () =>
  shown(result(cantilever()), async (page) => {
    await page.selectOption("#colours", "stress");
    // σ = E (b/2) 3 δ/L² at the root of a cantilever bent by a force at its tip.
    const expected = (70e9 * 0.01 * 3 * 0.03) / 4;
    const most = await page.evaluate(() => flexura.viewer.largest("stress"));
    assert.ok(Math.abs(most / expected - 1) < 1e-5, `${most} against ${expected}`);
    assert.match(await page.textContent("#legend"), /von Mises stress: violet 0 to yellow 15\.8 MPa/);
    matches("stress", await picture(page));
    // ε = σ/E in every fibre of a bent beam.
    await page.selectOption("#colours", "strain");
    const strain = await page.evaluate(() => flexura.viewer.largest("strain"));
    assert.ok(Math.abs(strain / (expected / 70e9) - 1) < 1e-5, `${strain} against ${expected / 70e9}`);
    assert.match(await page.textContent("#legend"), /largest principal strain: violet 0 to yellow 225 µm\/m/);
    matches("stress", await picture(page));
    await page.selectOption("#colours", "");
    assert.ok(await page.locator("#legend").isHidden());
  }));

await test("a pulled plate of finite elements is strained by σ/E along and -νσ/E across", () =>
  shown(result(pulled()), async (page) => {
    const found = await page.evaluate(() => {
      const { viewer } = flexura;
      viewer.colour("strain");
      const strain = viewer.largest("strain");
      viewer.colour("stress");
      return { strain, stress: viewer.largest("stress") };
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
  shown(robot, async (page) => {
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

await test("a running simulation is seen while it grows", async () => {
  const run = start("run", growing(), "--output", "growing.fxr", "--quiet");
  const server = await serve(path.join(out, "growing.fxr"), "--follow");
  const { page, problems, close } = await openPage(browser, `${server.address}?keep=1`);
  try {
    const rows = () => page.evaluate(() => flexura.source.times.length);
    const first = await rows();
    assert.match(await page.textContent("#notes"), /running/);
    await page.keyboard.press("End");
    await page.waitForFunction((before) => flexura.source.times.length > before, first, { timeout: 60000 });
    // Who looks at the newest row goes on doing so.
    await page.waitForFunction(() => flexura.viewer.time === flexura.source.times.at(-1));
    await run.ended;
    await page.waitForFunction(() => !flexura.source.scene.growing, null, { timeout: 20000 });
    const table = flexura("export", "growing.fxr", "--channels", "rail.displacement").trim().split("\n");
    assert.equal(await rows(), table.length - 1);
    assert.ok(await page.locator("#notes").isHidden() || !/running/.test(await page.textContent("#notes")));
    assert.deepEqual(problems, []);
  } finally {
    await close();
    server.stop();
    run.stop();
  }
});

await test("more than 40 MB of rows are streamed", () =>
  shown(result(swarm(210, 7200)), async (page) => {
    const { size, streaming } = await page.evaluate(() => ({
      size: 4 * flexura.source.scene.rows * flexura.source.scene.width, streaming: flexura.source.streaming,
    }));
    assert.ok(size > 40 * 2 ** 20 && streaming, `${size} bytes`);
    assert.match(await page.textContent("#notes"), /rows are read from the file as they are needed/);
    // Body 100 moves at 0.1 m/s from 10 m: rows far apart are fetched when they are asked for.
    for (const time of [71, 3, 40]) {
      await seek(page, time);
      await page.waitForFunction((t) => Math.abs(flexura.viewer.motion.poses[100][9] - (100 * 0.1 + 0.1 * t)) < 1e-4, time);
    }
  }));

await test("channels are searched and plotted, a click on a plot moves the time", () =>
  shown(robot, async (page) => {
    await page.waitForSelector(".plot");
    await page.fill("#channel-search", "elbow.angle");
    await page.click("#channels button >> nth=0");
    await page.waitForFunction(() => [...document.querySelectorAll(".plot figcaption")].some((c) => c.textContent.startsWith("elbow.angle")));
    const plot = page.locator(".plot", { hasText: "elbow.angle" }).locator("canvas");
    const box = await plot.boundingBox();
    await plot.click({ position: { x: 52 + (box.width - 60) / 2, y: 60 } });
    assert.equal(await page.textContent("#clock"), "1.500 s");
    assert.match(await plot.getAttribute("aria-label"), /^elbow\.angle over time, from .* rad; now /);
    await page.getByLabel("Remove the plot of elbow.angle").click();
    assert.equal(await plot.count(), 0);
  }));

await test("dark and light", () =>
  shown(robot, async (page) => {
    const light = await picture(page);
    await page.click("#theme");
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    const dark = await picture(page);
    assert.ok(difference(light, dark) > 0.9);
    matches("robot_dark", dark);
  }));

await test("names for those who do not see the page", () =>
  shown(robot, async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, canvas")]
        .filter((e) => !(e.getAttribute("aria-label") || e.title || e.textContent.trim() || e.labels?.length))
        .map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    assert.equal(await page.getByRole("tree").count(), 1);
    assert.equal(await page.getByRole("slider", { name: "Time" }).count(), 1);
  }));

await test("touch on a small screen", () =>
  shown(robot, async (page) => {
    assert.ok(!(await page.locator("#bodies").isVisible()));
    await page.getByRole("button", { name: "Bodies", exact: true }).tap();
    assert.ok(await page.locator("#bodies").isVisible());
    await page.locator("#tree button", { hasText: "forearm" }).tap();
    assert.equal(await page.textContent("#info h2"), "forearm");
  }, { viewport: { width: 400, height: 760 }, hasTouch: true, isMobile: true }));

await test("a model without a run shows its initial state", () =>
  shown(model("satellite"), async (page) => {
    assert.equal(await page.evaluate(() => flexura.source.scene.rows), 1);
    matches("satellite_model", await picture(page));
  }));

await test("a saved page opens from disk, thinned to its budget and says so", async () => {
  const words = flexura("view", robot, "--save", "robot.html", "--budget", "0.68");
  assert.match(words, /instants were kept/);
  assert.ok(statSync(path.join(out, "robot.html")).size <= 680000);
  const { page, problems, close } = await openPage(browser, `file://${path.join(out, "robot.html")}?keep=1`);
  assert.match(await page.textContent("#notes"), /\d+ of \d+ channels were left out\. \d+ of 30\d instants were kept/);
  const times = await page.evaluate(() => [flexura.source.times[0], flexura.source.times.at(-1), flexura.source.times.length]);
  assert.deepEqual(times.slice(0, 2), [0, 3]);
  assert.ok(times[2] > 20 && times[2] < 301);
  await page.click("#play");
  await page.waitForFunction(() => flexura.viewer.time > 0.2);
  assert.deepEqual(problems, []);
  await close();
  flexura("view", robot, "--save", "whole.html");
  const whole = await openPage(browser, `file://${path.join(out, "whole.html")}`);
  assert.ok(await whole.page.locator("#notes").isHidden());
  assert.deepEqual(whole.problems, []);
  await whole.close();
});

await test("the server refuses other hosts, other tokens and paths outside", async () => {
  const server = await serve(robot);
  const { hostname, port, pathname } = new URL(server.address);
  const status = async (target, host, method = "GET") => {
    const http = await import("node:http");
    return new Promise((done, fail) => {
      const request = http.request({ hostname, port, path: target, method, headers: { host } }, (r) => (r.resume(), done(r.statusCode)));
      request.on("error", fail).end();
    });
  };
  const own = `127.0.0.1:${port}`;
  assert.equal(await status(pathname, own), 200);
  assert.equal(await status(pathname, `localhost:${port}`), 200);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1.evil.example:${port}`]) {
    assert.equal(await status(pathname, host), 421, host);
    assert.equal(await status(`${pathname}scene`, host), 421, host);
  }
  const wrong = pathname.replace(/[0-9a-f]/, (c) => (c === "0" ? "1" : "0"));
  for (const target of ["/", "/scene", "//scene", wrong, `${wrong}scene`, pathname.slice(0, 10)]) assert.equal(await status(target, own), 403, target);
  for (const target of ["../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "viewer.js/../../x", "....//x", "frames/../scene"]) {
    assert.equal(await status(pathname + target, own), 404, target);
  }
  assert.equal(await status(`${pathname}channel?index=999999`, own), 404);
  assert.equal(await status(`${pathname}frames?start=99999999999&count=99999999999999999`, own), 200);
  assert.equal(await status(`${pathname}scene`, own, "DELETE"), 405);
  server.stop();
});

await test("pictures of a film without a screen", async () => {
  flexura("view", robot, "--png", "film", "--size", "320x200", "--fps", "2");
  const files = readdirSync(path.join(out, "film")).sort();
  assert.deepEqual(files, [0, 1, 2, 3, 4, 5, 6].map((i) => `frame_0000${i}.png`));
  const bytes = files.map((file) => readFileSync(path.join(out, "film", file)));
  assert.ok(difference(bytes[0], bytes[2]) > 0.005);
  const words = flexura("view", arm, "--png", "one", "--size", "320x200", "--at", "0.7", "--colours", "stress", "--zoom", "1.5", "--track", "fore", "--camera", "front");
  assert.match(words, /von Mises stress: violet 0 to yellow \d+(\.\d+)? MPa/);
  // One scale for the whole film, known before its first picture is drawn: that instant looks the same in it as a largest one alone.
  flexura("view", arm, "--png", "strained", "--size", "320x200", "--fps", "2", "--colours", "strain");
  flexura("view", arm, "--png", "alone", "--size", "320x200", "--at", "0.5", "--colours", "strain");
  const [film, alone] = ["strained/frame_00001.png", "alone/frame_00000.png"].map((file) => readFileSync(path.join(out, file)));
  assert.ok(difference(film, alone) > 0, "the scale of the film is that of its largest strain");
  assert.deepEqual(readdirSync(path.join(out, "one")), ["frame_00000.png"]);
  // The film as Chromium reads it.
  assert.match(flexura("view", robot, "--film", "film.png", "--size", "320x200", "--fps", "2"), /7 pictures, \d\.\d MB in film\.png/);
  let frames = [];
  await shown(robot, async (page) => (frames = await page.evaluate(async (text) => {
    const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: "image/png" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { image } = await decoder.decode({ frameIndex: 6 });
    return [decoder.tracks.selectedTrack.frameCount, image.displayWidth, image.duration];
  }, readFileSync(path.join(out, "film.png")).toString("base64"))));
  // Half a second each, in microseconds.
  assert.deepEqual(frames, [7, 320, 500000]);
  assert.throws(() => flexura("view", result(pushed()), "--png", "none", "--at", "0", "--colours", "strain"), /knows its strain/);
});

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

await browser.close();
console.log(failures ? `${failures} browser tests failed` : "all browser tests passed");
process.exit(failures ? 1 : 0);
