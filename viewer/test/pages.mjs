// Pages: served, growing, streamed, saved, small; the server and pictures without a screen.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { flexura, openPage, out, result, serve, start } from "./browser.mjs";
import { difference, matches } from "./compare.mjs";
import { arm, browser, model, picture, robot, seek, shown, test } from "./harness.mjs";
import { cantilever, growing, pushed, swarm } from "./models.mjs";

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
    // What is known at the end only has come with it.
    assert.deepEqual(await page.evaluate(() => flexura.source.scene.verdicts?.found), []);
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
  shown(robot(), async (page) => {
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
  shown(robot(), async (page) => {
    const light = await picture(page);
    await page.click("#theme");
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    const dark = await picture(page);
    assert.ok(difference(light, dark) > 0.9);
    matches("robot_dark", dark);
  }));

await test("names for those who do not see the page", () =>
  shown(robot(), async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, canvas:not([aria-hidden=true])")]
        .filter((e) => !(e.getAttribute("aria-label") || e.title || e.textContent.trim() || e.labels?.length))
        .map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    assert.equal(await page.getByRole("tree").count(), 1);
    assert.equal(await page.getByRole("slider", { name: "Time" }).count(), 1);
  }));

await test("names with markup are words", () => {
  const name = "<img/src=x/onerror=harmed=1><b>&amp;";
  return shown(result(cantilever(0.03, "markup", name)), async (page) => {
    await page.selectOption("#colours", "stress");
    await page.waitForFunction(() => flexura.viewer.range.share("stress") === 1);
    const box = await page.locator("#stage").boundingBox();
    const [x, y] = await page.evaluate(() => flexura.viewer.stage.onCanvas(flexura.viewer.nodeInSpace(flexura.viewer.stage.camera.position.clone(), 0, 8)));
    await page.mouse.move(box.x + x, box.y + y);
    await page.waitForFunction(() => !document.querySelector("#probe").hidden);
    await page.mouse.click(box.x + x, box.y + y);
    for (const place of ["h1", "#tree button", "#info h2", "#probe", "#legend"]) assert.ok((await page.textContent(place)).includes(name), place);
    assert.equal(await page.locator("img, b").count(), 0);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
  });
});

await test("touch on a small screen", () =>
  shown(robot(), async (page) => {
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
  const words = flexura("view", robot(), "--save", "robot.html", "--budget", "0.74");
  assert.match(words, /instants were kept/);
  assert.ok(statSync(path.join(out, "robot.html")).size <= 740000);
  const { page, problems, close } = await openPage(browser, `file://${path.join(out, "robot.html")}?keep=1`);
  assert.match(await page.textContent("#notes"), /\d+ of \d+ channels were left out\. \d+ of 30\d instants were kept/);
  const times = await page.evaluate(() => [flexura.source.times[0], flexura.source.times.at(-1), flexura.source.times.length]);
  assert.deepEqual(times.slice(0, 2), [0, 3]);
  assert.ok(times[2] > 20 && times[2] < 301);
  await page.click("#play");
  await page.waitForFunction(() => flexura.viewer.time > 0.2);
  assert.deepEqual(problems, []);
  await close();
  flexura("view", robot(), "--save", "whole.html");
  const whole = await openPage(browser, `file://${path.join(out, "whole.html")}`);
  assert.ok(await whole.page.locator("#notes").isHidden());
  assert.deepEqual(whole.problems, []);
  await whole.close();
});

await test("the server refuses other hosts, other tokens and paths outside", async () => {
  const server = await serve(robot());
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
  flexura("view", robot(), "--png", "film", "--size", "320x200", "--fps", "2");
  const files = readdirSync(path.join(out, "film")).sort();
  assert.deepEqual(files, [0, 1, 2, 3, 4, 5, 6].map((i) => `frame_0000${i}.png`));
  const bytes = files.map((file) => readFileSync(path.join(out, "film", file)));
  assert.ok(difference(bytes[0], bytes[2]) > 0.005);
  const words = flexura("view", arm(), "--png", "one", "--size", "320x200", "--at", "0.7", "--colours", "stress", "--zoom", "1.5", "--track", "fore", "--camera", "front");
  assert.match(words, /von Mises stress: 0 to \d+(\.\d+)? MPa\nlargest of the run/);
  // One scale for the whole run: an instant looks the same alone as in the film.
  flexura("view", arm(), "--png", "strained", "--size", "320x200", "--fps", "2", "--colours", "strain");
  flexura("view", arm(), "--png", "alone", "--size", "320x200", "--at", "0.5", "--colours", "strain");
  const [film, alone] = ["strained/frame_00001.png", "alone/frame_00000.png"].map((file) => readFileSync(path.join(out, file)));
  assert.equal(difference(film, alone), 0, "the scale is that of the run");
  // Legend, time and axes unless they are not wanted; a range that is given is used.
  flexura("view", arm(), "--png", "bare", "--size", "320x200", "--at", "0.5", "--colours", "strain", "--bare");
  const bare = readFileSync(path.join(out, "bare/frame_00000.png"));
  assert.ok(difference(bare, alone) > 0.01, "the legend is in the picture");
  const given = flexura("view", arm(), "--png", "given", "--size", "320x200", "--at", "0.5", "--colours", "strain", "--bare", "--range", "0:200", "--palette", "cividis");
  assert.match(given, /strain: 0 to 200 µm\/m/);
  assert.ok(difference(bare, readFileSync(path.join(out, "given/frame_00000.png"))) > 0, "range and palette");
  assert.throws(() => flexura("view", arm(), "--png", "none", "--at", "0", "--colours", "strain", "--range", "3:1"), /FROM below TO/);
  assert.deepEqual(readdirSync(path.join(out, "one")), ["frame_00000.png"]);
  // The film as Chromium reads it.
  assert.match(flexura("view", robot(), "--film", "film.png", "--size", "320x200", "--fps", "2"), /7 pictures, \d\.\d MB in film\.png/);
  let frames = [];
  await shown(robot(), async (page) => (frames = await page.evaluate(async (text) => {
    const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: "image/png" });
    await decoder.tracks.ready;
    await decoder.completed;
    const { image } = await decoder.decode({ frameIndex: 6 });
    return [decoder.tracks.selectedTrack.frameCount, image.displayWidth, image.duration];
  }, readFileSync(path.join(out, "film.png")).toString("base64"))));
  // Half a second each, in microseconds.
  assert.deepEqual(frames, [7, 320, 500000]);
  // A tenth of a second is drawn slower than it is, unless told otherwise.
  const slow = flexura("view", result(pushed()), "--png", "slow", "--size", "64x48", "--fps", "1");
  const [, speed] = slow.match(/^([\d.e-]+) times as fast as real time/m) ?? assert.fail(slow);
  assert.equal(readdirSync(path.join(out, "slow")).length, Math.floor((0.1 / Number(speed)) * (1 + 1e-12)) + 1);
  assert.ok(0.1 / Number(speed) >= 2 && 0.1 / Number(speed) <= 20, slow);
  flexura("view", result(pushed()), "--png", "told", "--size", "64x48", "--fps", "2", "--speed", "0.1");
  assert.equal(readdirSync(path.join(out, "told")).length, 3);
  assert.throws(() => flexura("view", result(pushed()), "--png", "none", "--at", "0", "--colours", "strain"), /knows its strain/);
});
