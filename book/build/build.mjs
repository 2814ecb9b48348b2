// Turns the pages of the book into HTML that opens without a network: node build.mjs [folder].
//
// Reads the layout of mdBook (book.toml, src/SUMMARY.md, {{#include}}). Formulas are set by KaTeX while building, so
// that pages need its style and fonts but no script. Stops with a list of findings at: pages that are missing or not
// listed, includes, links, anchors or pictures that lead nowhere, formulas that KaTeX refuses, tags used twice.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Formulas } from "./formulas.mjs";
import { reader } from "./markdown.mjs";
import { playgroundPage } from "../../viewer/playground.mjs";
import { frame } from "./page.mjs";
import { readSummary } from "./summary.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const book = path.dirname(here);
const source = path.join(book, "src");
const out = path.resolve(process.argv[2] ?? path.join(book, "../target/book"));
const findings = [];
/** What no page of the source makes: the playground, whose parts lie in viewer/dist. */
const PLAYGROUND = "playground/index.html";

/** Text of a page with its includes put in, and where each included page stands. */
function expanded(file) {
    const text = readFileSync(file, "utf8");
    return text.replace(/\{\{#include\s+([^}]+?)\s*\}\}/g, (_, target) => {
        const included = path.resolve(path.dirname(file), target);
        if (!existsSync(included)) {
            findings.push(`${path.relative(source, file)}: no ${target} to include`);
            return "";
        }
        return readFileSync(included, "utf8").trimEnd();
    });
}

function filesBelow(folder, keep) {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const full = path.join(folder, entry.name);
        return entry.isDirectory() ? filesBelow(full, keep) : keep(entry.name) ? [full] : [];
    });
}

const { title, chapters } = readSummary(readFileSync(path.join(source, "SUMMARY.md"), "utf8"), book);
const listed = new Set(chapters.filter((c) => c.file).map((c) => c.file));
for (const file of filesBelow(source, (name) => name.endsWith(".md"))) {
    const name = path.relative(source, file);
    if (name !== "SUMMARY.md" && !listed.has(name)) findings.push(`${name} is not in SUMMARY.md`);
}

const pages = [];
for (const chapter of chapters.filter((c) => c.file)) {
    const file = path.join(source, chapter.file);
    if (!existsSync(file)) {
        findings.push(`SUMMARY.md: no ${chapter.file}`);
        continue;
    }
    pages.push({ ...chapter, html: chapter.file.replace(/\.md$/, ".html"), text: expanded(file) });
}

// Tags first: a reference may point to a page further on.
const formulas = new Formulas(findings);
for (const page of pages) formulas.collect(page);
for (const page of pages) Object.assign(page, reader(page, formulas, findings));

checkLinks();
if (findings.length > 0) {
    console.error(findings.join("\n"));
    console.error(`${findings.length} findings: the book was not written`);
    process.exit(1);
}
write();
console.log(`${pages.length} pages, ${formulas.count} formulas, ${formulas.places.size} of them numbered: ${out}/index.html`);

function checkLinks() {
    const anchors = new Map(pages.map((page) => [page.html, new Set(page.anchors)]));
    for (const page of pages) {
        for (const { target, from } of page.links) {
            const [name, anchor] = target.split("#");
            const to = name === "" ? page.html : path.posix.join(path.posix.dirname(page.html), name);
            if (anchors.has(to)) {
                if (anchor && !anchors.get(to).has(anchor)) findings.push(`${page.file}: no #${anchor} in ${from}`);
            } else if (to === PLAYGROUND) {
                continue;
            } else if (to.startsWith("..") || !existsSync(path.join(source, to))) {
                findings.push(`${page.file}: ${from} leads nowhere`);
            }
        }
    }
}

/** Every page as plain text, includes put in, and a list of them: what `flexura book --text` and `--list` print. */
function writeTexts() {
    for (const page of pages) {
        const target = path.join(out, "text", page.file);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, page.text);
    }
    const lines = pages.map((page) => `${page.file.replace(/\.md$/, "")}\t${page.name.replace(/`/g, "")}\n`);
    writeFileSync(path.join(out, "text/pages.txt"), lines.join(""));
}

function write() {
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    for (const [i, page] of pages.entries()) {
        const target = path.join(out, page.html);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, frame({ title, page, chapters, before: pages[i - 1], after: pages[i + 1] }));
    }
    cpSync(path.join(out, pages[0].html), path.join(out, "index.html"));
    for (const file of filesBelow(source, (name) => !name.endsWith(".md"))) {
        const target = path.join(out, path.relative(source, file));
        mkdirSync(path.dirname(target), { recursive: true });
        cpSync(file, target, { dereference: true });
    }
    mkdirSync(path.join(out, path.dirname(PLAYGROUND)), { recursive: true });
    writeFileSync(path.join(out, PLAYGROUND), playgroundPage());
    const katex = path.dirname(createRequire(import.meta.url).resolve("katex/package.json"));
    mkdirSync(path.join(out, "fonts"), { recursive: true });
    for (const font of readdirSync(path.join(katex, "dist/fonts")).filter((name) => name.endsWith(".woff2"))) {
        cpSync(path.join(katex, "dist/fonts", font), path.join(out, "fonts", font));
    }
    cpSync(path.join(katex, "dist/katex.min.css"), path.join(out, "katex.min.css"));
    for (const name of ["book.css", "book.js"]) cpSync(path.join(here, name), path.join(out, name));
    writeTexts();
    const index = pages.map((page) => [page.html, page.name, page.plain]);
    writeFileSync(path.join(out, "search.js"), `window.bookPages=${JSON.stringify(index)};\n`);
    const size = filesBelow(out, () => true).reduce((sum, file) => sum + statSync(file).size, 0);
    console.log(`${(size / 1e6).toFixed(1)} MB`);
}
