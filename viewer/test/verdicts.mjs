// How far a run can be trusted: verdicts on modes beside their bodies.
import assert from "node:assert/strict";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { flexura, openPage, out, result } from "./browser.mjs";
import { browser, model, shown, test } from "./harness.mjs";

/** What `flexura run` reports about the modes of a model. */
const reported = (name, file) => JSON.parse(flexura("run", model(name), "--json", "--output", file)).validity.modes;
/** What stands on a page about them. */
const onPage = (page) => page.evaluate(() => ({
  title: document.querySelector("#verdicts summary").textContent, hidden: document.querySelector("#verdicts").hidden, open: document.querySelector("#verdicts").open,
  lines: [...document.querySelectorAll("#verdicts li")].map((item) => item.textContent),
  marked: [...document.querySelectorAll("#tree li.doubt")].map((item) => item.textContent),
}));

await test("modes that do not suffice: the words of the report, at their bodies, served and saved", async () => {
  const found = reported("flexible_arm", "lacking.fxr"), doubts = found.filter(({ sufficient }) => sufficient === false);
  assert.ok(doubts.length >= 2, "a model whose modes do not suffice");
  const bodies = [...new Set(doubts.map(({ body }) => body))];
  const expected = { title: `${doubts.length} doubts about this result`, hidden: false, open: true, lines: doubts.map(({ text }) => text), marked: bodies };
  await shown("lacking.fxr", async (page) => {
    assert.deepEqual(await onPage(page), expected);
    await page.click("#verdicts button >> nth=0");
    assert.equal(await page.textContent("#info h2"), doubts[0].body);
    // The families of this body, without its name before each of them.
    const own = found.filter(({ body }) => body === doubts[0].body), words = await page.textContent("#info");
    for (const { text } of own) assert.ok(words.includes(text.replace(/^body `.*?`: /, "")), `${text} in ${words}`);
    assert.equal(words.split("▲").length - 1, own.filter(({ sufficient }) => sufficient === false).length);
    // The list of bodies keeps its place.
    assert.ok((await page.locator("#tree").boundingBox()).height >= 70);
    // A name is words, whoever wrote the file.
    await page.evaluate(() => {
      flexura.source.scene.verdicts.found.unshift({ kind: "modes", body: null, sufficient: false, text: "<img src=x onerror='window.harmed = 1'>" });
      flexura.notes();
    });
    assert.match(await page.textContent("#verdicts li >> nth=0"), /^<img src=x/);
    assert.equal(await page.evaluate(() => window.harmed), undefined);
  });
  flexura("view", "lacking.fxr", "--save", "lacking.html");
  const { page, problems, close } = await openPage(browser, pathToFileURL(path.join(out, "lacking.html")).href);
  assert.deepEqual(await onPage(page), expected);
  assert.deepEqual(problems, []);
  await close();
});

await test("modes that suffice take one line; a rigid model and one mode after another take none", async () => {
  const most = Math.max(...reported("four_bar", "sufficient.fxr").map(({ missing_share }) => missing_share));
  await shown("sufficient.fxr", async (page) => {
    const { title, open, marked, lines } = await onPage(page);
    assert.equal(title, `Modes carry the loads: at most ${(100 * most).toFixed(1)} % is missing`);
    assert.deepEqual([open, marked], [false, []]);
    assert.ok(lines.length > 0 && lines.every((line) => /carr(y|ies) the loads/.test(line)), `${lines}`);
  });
  await shown(result(model("pendulum")), async (page) => assert.ok((await onPage(page)).hidden));
  // A model without a run: what `check` says of its start.
  const start = JSON.parse(flexura("check", model("flexible_arm"), "--json")).modes;
  await shown(model("flexible_arm"), async (page) => {
    const found = await page.evaluate(() => flexura.source.scene.verdicts.found.map(({ text }) => text));
    assert.deepEqual([...found].sort(), start.map(({ text }) => text).sort());
  });
});
