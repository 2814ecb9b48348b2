// SUMMARY.md as a list of parts and chapters in order.

import { readFileSync } from "node:fs";
import path from "node:path";

/** { title, chapters: [{ part } | { name, file, depth }] }. */
export function readSummary(text, book) {
    const title = /^title\s*=\s*"(.*)"/m.exec(readFileSync(path.join(book, "book.toml"), "utf8"))?.[1] ?? "Book";
    const chapters = [];
    for (const line of text.split("\n")) {
        const part = /^#\s+(.*)$/.exec(line);
        const chapter = /^(\s*)(?:[-*]\s+)?\[(.+?)\]\((.+?)\)\s*$/.exec(line);
        if (part && part[1] !== "Summary") chapters.push({ part: part[1] });
        if (chapter) chapters.push({ name: chapter[2], file: chapter[3], depth: chapter[1].length / 2 });
    }
    return { title, chapters };
}
