// One page: markdown to HTML, with what is needed to check it and to find it.

import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import MarkdownIt from "markdown-it";

for (const [name, language] of Object.entries({ bash, ini, json, python, rust })) hljs.registerLanguage(name, language);
const ALIAS = { toml: "ini", sh: "bash", console: "bash", py: "python" };

/** { body, anchors, links, plain } of a page. */
export function reader(page, formulas, findings) {
    page.anchors = [];
    const links = (page.links = []);
    const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false, highlight });
    formulas.teach(markdown, page);
    numberHeadings(markdown, page);
    follow(markdown, links);
    const body = markdown.render(page.text);
    if (body.includes("{{#")) findings.push(`${page.file}: an include is left in the page`);
    for (const [, target] of body.matchAll(/<(?:img|script|iframe|video|source|link)[^>]*\s(?:src|href)="([^"]+)"/g)) {
        // The book opens without a network.
        if (isElsewhere(target)) findings.push(`${page.file}: ${target} would be fetched from elsewhere`);
        else links.push({ target, from: target });
    }
    for (const [, id] of body.matchAll(/\s(?:id|name)="([^"]+)"/g)) page.anchors.push(id);
    const wide = body.replaceAll("<table>", '<div class="wide"><table>').replaceAll("</table>", "</table></div>");
    return { body: wide, anchors: page.anchors, links, plain: plainText(page.text) };
}

function highlight(code, language) {
    const name = ALIAS[language] ?? language;
    return hljs.getLanguage(name) ? hljs.highlight(code, { language: name }).value : "";
}

function isElsewhere(target) {
    return /^[a-z]+:/i.test(target);
}

/** Headings get the anchors that mdBook gives them. */
function numberHeadings(markdown, page) {
    const seen = new Map();
    markdown.renderer.rules.heading_open = (tokens, i) => {
        const text = tokens[i + 1].children.map((child) => child.content).join("");
        const base = text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
        const times = seen.get(base) ?? 0;
        seen.set(base, times + 1);
        const id = times === 0 ? base : `${base}-${times}`;
        page.anchors.push(id);
        return `<${tokens[i].tag} id="${id}"><a class="mark" href="#${id}" aria-hidden="true"></a>`;
    };
}

/** Links to pages lead to their HTML. */
function follow(markdown, links) {
    markdown.renderer.rules.link_open = (tokens, i, options, _, self) => {
        const from = tokens[i].attrGet("href");
        if (!isElsewhere(from)) {
            const target = decodeURI(from).replace(/\.md(#|$)/, ".html$1");
            tokens[i].attrSet("href", target);
            links.push({ target, from });
        }
        return self.renderToken(tokens, i, options);
    };
}

/** What the search looks through. */
function plainText(text) {
    return text
        .replace(/<!--[\s\S]*?-->/g, " ")
        .replace(/\$\$[\s\S]*?\$\$/g, " ")
        .replace(/[#*`|$\\{}]/g, " ")
        .replace(/\s+/g, " ");
}
