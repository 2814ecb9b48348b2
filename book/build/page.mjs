// The frame around a page: contents at the side, search, way back and forth.

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const words = (name) => escape(name.replace(/`/g, ""));

export function frame({ title, page, chapters, before, after }) {
    const root = "../".repeat(page.html.split("/").length - 1);
    const name = page.name === title ? title : `${page.name.replace(/`/g, "")} - ${title}`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(name)}</title>
<link rel="stylesheet" href="${root}katex.min.css">
<link rel="stylesheet" href="${root}book.css">
<script src="${root}book.js"></script>
</head>
<body data-root="${root}">
<input type="checkbox" id="menu" hidden>
<header>
<label for="menu" class="menu" title="Contents">☰</label>
<a class="title" href="${root}index.html">${escape(title)}</a>
<button id="light" title="Light or dark">◐</button>
</header>
<nav>
<input type="search" id="search" placeholder="Search" aria-label="Search" autocomplete="off">
<div id="found"></div>
<ol id="contents">
${contents(chapters, page, root)}
</ol>
</nav>
<main>
${page.body}
<footer>${arrow(before, root, "before", "‹ ")}${arrow(after, root, "after", "", " ›")}</footer>
</main>
</body>
</html>
`;
}

function contents(chapters, page, root) {
    return chapters
        .map((chapter) => {
            if (chapter.part) return `<li class="part">${words(chapter.part)}</li>`;
            const here = chapter.file === page.file ? ' aria-current="page"' : "";
            const target = root + chapter.file.replace(/\.md$/, ".html");
            return `<li class="depth${chapter.depth}"><a href="${target}"${here}>${words(chapter.name)}</a></li>`;
        })
        .join("\n");
}

function arrow(page, root, kind, left = "", right = "") {
    return page ? `<a class="${kind}" href="${root}${page.html}">${left}${words(page.name)}${right}</a>` : "<span></span>";
}
