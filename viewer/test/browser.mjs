// A real Chromium without a screen, and the program under test.
import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, "../..");
export const out = path.join(here, "out");
export const program = process.env.FLEXURA ?? path.join(root, "target/debug/flexura");
export const browserPath = process.env.FLEXURA_CHROMIUM ?? "/usr/bin/chromium";

export const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--force-color-profile=srgb", "--font-render-hinting=none",
];

export const launch = () => chromium.launch({ executablePath: browserPath, args: FLAGS });

/** An empty folder for the files of this run. */
export function freshFolder() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
}

export const flexura = (...args) => execFileSync(program, args, { cwd: out, encoding: "utf8", maxBuffer: 1 << 28 });

/** Runs a model of the repository, or one written to the folder, once. */
export function result(model) {
  const file = `${path.basename(model, ".toml")}.fxr`;
  if (!existsSync(path.join(out, file))) flexura("run", model, "--quiet", "--output", file);
  return file;
}

/** Starts `flexura view`; resolves with its address and a function that ends it. */
export async function serve(file, ...options) {
  const child = spawn(program, ["view", file, "--no-open", ...options], { cwd: out, stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((done, fail) => {
    child.stdout.once("data", (text) => done(String(text).trim()));
    child.once("exit", (code) => fail(new Error(`flexura view ended with ${code}`)));
  });
  return { address, stop: () => child.kill() };
}

/** Starts a command; `ended` resolves with its exit code. */
export function start(...args) {
  const child = spawn(program, args, { cwd: out, stdio: "ignore" });
  return { ended: new Promise((done) => child.once("exit", done)), stop: () => child.kill() };
}

/** A page that notes console errors and refuses requests to anywhere else. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, colorScheme: "light", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  // The bundle of this folder in place of the one inside the program, which need not be built again then.
  if (process.env.FLEXURA_DIST === "1") {
    for (const file of ["viewer.js", "viewer.css"]) await page.route(`**/${file}`, (route) => route.fulfill({ path: path.join(here, "../dist", file) }));
  }
  const problems = [];
  page.on("console", (message) => {
    // Software rendering says that it is slow; that is known.
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader|WebGL.*performance/i.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    const inside = ["data:", "blob:", "file:"].includes(url.protocol) || url.hostname === "127.0.0.1";
    if (!inside) problems.push(`request to ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForFunction(() => window.flexura || document.querySelector("[role=alert]"), null, { timeout: 60000 });
  return { page, problems, close: () => context.close() };
}
