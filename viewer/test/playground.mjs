// The playground: models edited and run in the page beside the same texts run by the program; errors, stopping, no network.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { playgroundPage } from "../playground.mjs";
import { flexura as program, openPage, out } from "./browser.mjs";
import { browser, test } from "./harness.mjs";

/** Largest difference from the program: of the largest value of a channel, or in its unit where that is below one. */
const AGREES = 1e-9;

/** The page as a file, without a network. */
async function playground(body, hash = "", options = {}) {
  const file = path.join(out, "playground.html");
  if (!existsSync(file)) program("playground", "--save", "playground.html");
  const opened = await openPage(browser, `file://${file}${hash}`, options);
  await opened.page.context().setOffline(true);
  try {
    await body(opened.page);
    assert.deepEqual(opened.problems, []);
  } finally {
    await opened.close();
  }
}

const text = (page) => page.inputValue("#text");
/** Puts another text into the editor, as typing does, and waits for its findings. */
async function write(page, words) {
  const before = await page.evaluate(() => flexura.checks);
  await page.fill("#text", words);
  await page.waitForFunction((before) => flexura.checks > before, before);
}
/** Runs what stands there; resolves with the words of its end. */
async function run(page) {
  await page.evaluate(() => document.querySelector("#outcome").replaceChildren());
  await page.click("#run");
  await page.waitForSelector("#outcome > *", { timeout: 60000 });
  return page.innerText("#outcome");
}
const viewer = async (page) => {
  await page.waitForSelector("iframe[data-ready]");
  return (await page.$("iframe")).contentFrame();
};

/** Columns of comma-separated numbers by their headings. */
function columns(csv) {
  const [head, ...lines] = csv.trim().split("\n"), rows = lines.map((line) => line.split(",").map(Number));
  return new Map(head.split(",").map((name, i) => [name, rows.map((row) => row[i])]));
}

/** Runs a text by the program and compares; returns the largest difference, and how many of all numbers are the same bits. */
function compared(name, words, table) {
  writeFileSync(path.join(out, `${name}.toml`), words);
  const summary = JSON.parse(program("run", `${name}.toml`, "--json", "--output", `${name}.fxr`));
  program("export", `${name}.fxr`, "--output", `${name}.csv`);
  const native = columns(readFileSync(path.join(out, `${name}.csv`), "utf8")), here = columns(table);
  // The page draws every run, also of files that record no picture.
  const drawn = [...here.keys()].filter((heading) => !native.has(heading));
  assert.ok(drawn.every((heading) => /\.(position|quaternion|eta)\./.test(heading)), drawn.join());
  let worst = 0, same = 0, all = 0;
  for (const [heading, values] of native) {
    const mine = here.get(heading) ?? [], size = Math.max(...values.map(Math.abs));
    assert.equal(mine.length, values.length, heading);
    values.forEach((value, i) => {
      all++;
      if (Object.is(value, mine[i])) same++;
      const apart = Math.abs(value - mine[i]);
      assert.ok(apart <= AGREES * size || apart <= AGREES, `${heading}, row ${i}: ${mine[i]} here, ${value} by the program`);
      if (size > 0) worst = Math.max(worst, Math.min(apart, apart / size));
    });
  }
  return { worst, same, all, seconds: summary.computing_seconds };
}

/** Models whose motion does not make much of a last digit, as a whip does: rigid, flexible, controlled, a closed loop. */
const EDITS = [
  ["pendulum", "mass = 1.0", "mass = 2.5"],
  ["flexible_arm", "length = 1.5", "length = 1.3"],
  ["controlled_arm", "density = 2700", "density = 4500"],
  ["four_bar", "density = 7800", "density = 7000"],
];

await test("playground: models edited and run give what the program gives, without a network", () =>
  playground(async (page) => {
    const options = await page.$$eval("#example option", (list) => list.map(({ textContent }) => textContent));
    assert.ok(options.length >= 10, options.join());
    for (const [name, from, to] of EDITS) {
      const titled = options.filter((title) => title.replaceAll(/[ -]/g, "_").endsWith(name));
      assert.equal(titled.length, 1, `${name}: ${titled}`);
      await page.selectOption("#example", { label: titled[0] });
      const before = await text(page), words = before.replace(from, to);
      assert.notEqual(words, before, `${name} has no ${from}`);
      await write(page, words);
      const told = await run(page);
      assert.match(told, /Reached .* rows/);
      const table = await page.evaluate(() => flexura.table), seconds = await page.evaluate(() => flexura.run.seconds);
      const { worst, same, all, ...native } = compared(`played_${name}`, words, table);
      console.log(
        `     ${name}: ${all} numbers, ${same} of them the same bits, at most ${worst.toExponential(1)} apart; ` +
          `${seconds.toFixed(3)} s in the page, ${native.seconds.toFixed(3)} s by this program`,
      );
      // It is seen, with plots, and moves.
      const frame = await viewer(page);
      const seen = await frame.evaluate(() => ({ rows: flexura.source.scene.rows, plots: flexura.channels.plots.size, title: document.title }));
      assert.equal(seen.rows, table.trim().split("\n").length - 1);
      // The picture and the plots have the rows of the table, in single precision.
      const here = columns(table), shown = await frame.evaluate(async () => {
        const { source } = flexura, { scene } = source, last = scene.rows - 1;
        const values = await Promise.all(scene.channels.map((_, i) => source.channel(i)));
        return { name: scene.bodies[0].name, pose: [...source.row(last).slice(0, 7)], heads: scene.channels.map((name, i) => (scene.units[i] ? `${name} [${scene.units[i]}]` : name)), ends: values.map((list) => list[last]) };
      });
      const end = (heading) => Math.fround(here.get(heading).at(-1));
      assert.deepEqual(shown.ends, shown.heads.map(end));
      const pose = ["position.x [m]", "position.y [m]", "position.z [m]", "quaternion.w [1]", "quaternion.x [1]", "quaternion.y [1]", "quaternion.z [1]"];
      assert.deepEqual(shown.pose, pose.map((what) => end(`${shown.name}.${what}`)));
      // What is told beside the model is told on the page of the run, too.
      const doubts = await frame.evaluate(() => [...document.querySelectorAll("#verdicts li")].map((item) => item.textContent));
      if (name === "flexible_arm") assert.ok(doubts.length > 0, told);
      if (name === "pendulum") assert.deepEqual(doubts, []);
      for (const doubt of doubts) assert.ok(told.includes(doubt), `${doubt} in ${told}`);
      assert.ok(seen.plots >= 1 && seen.title.endsWith("Flexura"), JSON.stringify(seen));
    }
  }));

await test("playground: an edit changes the result, plots and camera stay", () =>
  playground(async (page) => {
    await run(page);
    const frame = await viewer(page);
    const first = await page.evaluate(() => flexura.table);
    await frame.fill("#channel-search", "tip.position.z");
    await frame.click("#channels button");
    await frame.evaluate(() => flexura.viewer.stage.look("top"));
    const eye = await frame.evaluate(() => flexura.viewer.stage.camera.position.toArray());
    await write(page, (await text(page)).replace("gravity = [0, 0, -9.81]", "gravity = [0, 0, -1.62]"));
    await run(page);
    const next = await viewer(page);
    await next.waitForFunction(() => [...flexura.channels.plots.keys()].some((i) => /tip/.test(flexura.source.scene.channels[i])));
    const kept = await next.evaluate(() => flexura.viewer.stage.camera.position.toArray());
    kept.forEach((x, i) => assert.ok(Math.abs(x - eye[i]) < 1e-6, `${kept} after ${eye}`));
    assert.notEqual(await page.evaluate(() => flexura.table), first);
  }, "#pendulum"));

await test("playground: errors stand at their lines, and go when they are mended", () =>
  playground(async (page) => {
    const good = await text(page), lines = good.split("\n"), at = lines.findIndex((line) => line.startsWith("between"));
    await write(page, good.replace("rod.pivot", "rod.pivto"));
    assert.equal(await page.innerText("#numbers .error"), String(at + 1));
    assert.match(await page.innerText("#findings"), /line \d+:\d+[^]*rod\.pivto[^]*\^\^\^[^]*help/);
    // The mark lies under the words that are meant.
    const [mark, glyphs] = await page.evaluate((row) => {
      const line = document.querySelectorAll("#coloured > span")[row], range = document.createRange();
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (walker.currentNode.data.includes("rod.pivto")) range.selectNodeContents(walker.currentNode);
      const box = ({ left, top, right, bottom }) => [left, top, right, bottom];
      return [box(document.querySelector("#marks .error").getBoundingClientRect()), box(range.getBoundingClientRect())];
    }, at);
    assert.ok(Math.abs(mark[0] - glyphs[0]) < 2 && Math.abs(mark[2] - glyphs[2]) < 2 && mark[1] <= glyphs[1] + 3 && mark[3] >= glyphs[3] - 3, `${mark} under ${glyphs}`);
    // A click leads there; running says why not, and leaves the picture of nothing.
    await page.click("#findings .error");
    assert.equal(await page.evaluate(() => { const t = document.querySelector("#text"); return t.value.slice(t.selectionStart, t.selectionEnd); }), '"rod.pivto"');
    assert.match(await run(page), /No model was built/);
    assert.equal(await page.$("iframe"), null);
    await write(page, good);
    assert.equal(await page.$("#numbers .error, #marks .error, #findings .error"), null);
    await write(page, good.replace(/mass = 1.0\ninertia.*/, 'fe = "part.toml" # <img src=x onerror=alert(1)>'));
    assert.match(await page.innerText("#findings"), /no finite element parts[^]*flexura run MODEL/);
    await write(page, `${good}\n[[picture]]\nbody = "rod"\nfile = "rod.stl"\n`);
    assert.match(await page.innerText("#findings"), /reads no other files[^]*flexura run MODEL/);
    await write(page, "[model\nname = 1");
    assert.equal(await page.innerText("#numbers .error"), "1");
  }, "#pendulum"));

await test("playground: a long run shows how far it is, and stops at once with its rows", () =>
  playground(async (page) => {
    await write(page, (await text(page)).replace("end = 5.0", "end = 1e5"));
    await page.click("#run");
    await page.waitForFunction(() => /[1-9]\d* steps/.test(document.querySelector("#reached").textContent) && document.querySelector("#bar").value > 0);
    await page.click("#stop");
    await page.waitForSelector("#outcome p");
    assert.match(await page.innerText("#outcome"), /Stopped\. \d+ rows/);
    assert.equal(await page.isVisible("#progress"), false);
    const frame = await viewer(page);
    assert.match(await frame.innerText("#notes"), /did not reach its end/);
    // The next run begins from nothing.
    await write(page, (await text(page)).replace("end = 1e5", "end = 1.0"));
    assert.match(await run(page), /Reached 1 s/);
  }, "#pendulum"));

await test("playground: a run that fails says why and shows what there was", () =>
  playground(async (page) => {
    const words = (await text(page)).replace("[simulation]", "[simulation]\nmethod = \"rk4\"\nstep = 0.3");
    await write(page, words.replace(/young = .*/g, "young = 70e9"));
    assert.match(await run(page), /The run failed: [^]*rows up to then are shown/);
    await viewer(page);
  }, "#flexible_arm"));

await test("playground: tables and pages to keep; both ways to put it together give the same page", () =>
  playground(async (page) => {
    assert.equal(readFileSync(path.join(out, "playground.html"), "utf8"), playgroundPage());
    await run(page);
    await viewer(page);
    const saved = async (button) => {
      const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
      const place = path.join(out, file.suggestedFilename());
      await file.saveAs(place);
      return place;
    };
    assert.equal(readFileSync(await saved("#keep-table"), "utf8"), await page.evaluate(() => flexura.table));
    assert.equal(readFileSync(await saved("#keep-model"), "utf8"), await text(page));
    const alone = await openPage(browser, `file://${await saved("#keep-page")}`);
    assert.equal(await alone.page.evaluate(() => flexura.source.scene.rows), 501);
    assert.deepEqual(alone.problems, []);
    await alone.close();
  }, "#pendulum", { acceptDownloads: true }));

await test("playground: a model of one's own, dark, on a small screen", async () => {
  writeFileSync(path.join(out, "own.toml"), '[model]\nname = "</script>{{model}}"\n');
  program("playground", "own.toml", "--save", "own.html");
  const opened = await openPage(browser, `file://${path.join(out, "own.html")}`, { colorScheme: "dark", viewport: { width: 420, height: 800 } });
  assert.equal(await text(opened.page), '[model]\nname = "</script>{{model}}"\n');
  assert.equal(await opened.page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.ok(await opened.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(opened.problems, []);
  await opened.close();
});
