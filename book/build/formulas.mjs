// Formulas: $ in a line $ and $$ displayed $$, set by KaTeX; tags and references to them.

import katex from "katex";

const TAG = /\\tag\{([A-Z]{2}\.\d+[a-z]?)\}/g;
/** A reference in running text, as "(IN.3)". */
const REFERENCE = /\(([A-Z]{2}\.\d+[a-z]?)\)/g;
/** The first of the errata named in "errata A1" or "errata A1 to A3". */
const ERRATA = /\berrata ([A-F]\d+)\b/g;

export class Formulas {
    /** Page and anchor of every tag. */
    places = new Map();
    count = 0;

    constructor(findings) {
        this.findings = findings;
    }

    /** Notes the tags of a page. */
    collect(page) {
        for (const [, tag] of page.text.matchAll(TAG)) {
            const other = this.places.get(tag);
            if (other) this.findings.push(`${page.file}: tag ${tag} is used in ${other.file} too`);
            this.places.set(tag, { file: page.file, html: page.html });
        }
    }

    render(source, display, page) {
        this.count += 1;
        try {
            return katex.renderToString(source, { displayMode: display, throwOnError: true, strict: "error" });
        } catch (error) {
            this.findings.push(`${page.file}: ${error.message} in ${source.trim().slice(0, 80)}`);
            return "";
        }
    }

    display(source, page) {
        const tags = [...source.matchAll(TAG)].map((match) => match[1]);
        const anchors = tags.map((tag) => `<a id="${anchorOf(tag)}"></a>`).join("");
        page.anchors.push(...tags.map(anchorOf));
        // The number stands beside the formula, so that a wide one scrolls under its own edge, not under its number.
        const formula = this.render(source.replace(TAG, ""), true, page);
        const number = tags.map((tag) => `<span class="number">(${tag})</span>`).join("");
        return `<div class="formula">${anchors}<div class="body">${formula}</div>${number}</div>\n`;
    }

    /** Teaches a markdown-it both kinds of formula and the references. */
    teach(markdown, page) {
        markdown.block.ruler.before("fence", "formula", displayed, { alt: ["paragraph", "list", "blockquote"] });
        markdown.inline.ruler.before("escape", "formula", inLine);
        markdown.renderer.rules.formula_block = (tokens, i) => this.display(tokens[i].content, page);
        markdown.renderer.rules.formula_inline = (tokens, i) => this.render(tokens[i].content, false, page);
        const plain = markdown.renderer.rules.text;
        markdown.renderer.rules.text = (tokens, i, ...rest) =>
            plain(tokens, i, ...rest)
                .replace(REFERENCE, (whole, tag) => this.reference(whole, tag, page))
                .replace(ERRATA, (whole, item) => errata(whole, item, page));
    }

    reference(whole, tag, page) {
        const place = this.places.get(tag);
        // Tags of this book only: papers have numbers of the same look, but not two letters.
        if (!place) return whole;
        const up = "../".repeat(page.html.split("/").length - 1);
        return `(<a href="${place.html === page.html ? "" : up + place.html}#${anchorOf(tag)}">${tag}</a>)`;
    }
}

/** A link to an item of the errata, noted for the check of anchors. */
function errata(whole, item, page) {
    if (!page.file.startsWith("theory/") || page.file === "theory/errata.md") return whole;
    const target = `errata.html#${item}`;
    page.links.push({ target, from: whole });
    return `errata <a href="${target}">${item}</a>`;
}

function anchorOf(tag) {
    return `eq-${tag}`;
}

/** $$ at the start of a line up to the next $$ at the end of one. */
function displayed(state, start, end, silent) {
    const line = (n) => state.getLines(n, n + 1, state.blkIndent, false).trim();
    const first = line(start);
    if (!first.startsWith("$$")) return false;
    let last = start;
    let text = first.slice(2);
    while (!text.trimEnd().endsWith("$$")) {
        last += 1;
        if (last >= end) return false;
        text += `\n${line(last)}`;
    }
    if (silent) return true;
    const token = state.push("formula_block", "div", 0);
    token.block = true;
    token.content = text.trimEnd().slice(0, -2);
    token.map = [start, last + 1];
    state.line = last + 1;
    return true;
}

/** $x$, no space inside the marks and no digit behind them. */
function inLine(state, silent) {
    const { src, pos } = state;
    if (src[pos] !== "$" || src[pos + 1] === "$" || /\s/.test(src[pos + 1] ?? " ")) return false;
    const close = src.indexOf("$", pos + 1);
    if (close < 0 || /\s/.test(src[close - 1]) || /\d/.test(src[close + 1] ?? "")) return false;
    if (!silent) state.push("formula_inline", "span", 0).content = src.slice(pos + 1, close);
    state.pos = close + 1;
    return true;
}
