// Light or dark, contents where the reader left them, search. Pages can be read without any of it.
(() => {
    const root = document.documentElement;
    const kept = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
    const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* not kept then */ } };
    const wanted = kept("flexura-book-light") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.classList.toggle("dark", wanted === "dark");

    addEventListener("DOMContentLoaded", () => {
        document.getElementById("light").onclick = () => {
            keep("flexura-book-light", root.classList.toggle("dark") ? "dark" : "light");
        };
        document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "center" });
        document.getElementById("search").oninput = (event) => look(event.target.value);
    });

    /** The list of pages is loaded at the first search. */
    function look(text) {
        if (window.bookPages) return show(text);
        const script = document.createElement("script");
        script.src = `${document.body.dataset.root}search.js`;
        script.onload = () => show(document.getElementById("search").value);
        document.head.append(script);
    }

    function show(text) {
        const words = text.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
        const found = document.getElementById("found");
        document.getElementById("contents").hidden = words.length > 0;
        found.replaceChildren();
        if (words.length === 0) return;
        const hits = window.bookPages
            .map(([target, name, body]) => ({ target, name, body, score: score(name, body, words) }))
            .filter((hit) => hit.score > 0)
            .sort((a, b) => b.score - a.score);
        for (const hit of hits.slice(0, 20)) found.append(entry(hit, words));
        if (hits.length === 0) found.append("Nothing found.");
    }

    /** Pages must have every word; names count most, then the words together, then how thick the page is with them. */
    function score(name, body, words) {
        const [head, text] = [name.toLowerCase(), body.toLowerCase()];
        let sum = text.includes(words.join(" ")) ? 2 : 0;
        for (const word of words) {
            const times = text.split(word).length - 1;
            const inName = head.includes(word);
            if (times === 0 && !inName) return 0;
            sum += Math.log(1 + (2000 * times) / (2000 + text.length)) + (inName ? 5 : 0);
        }
        return sum;
    }

    function entry({ target, name, body }, words) {
        const box = document.createElement("div");
        const link = document.createElement("a");
        link.href = document.body.dataset.root + target;
        link.textContent = name.replaceAll("`", "");
        const together = body.toLowerCase().indexOf(words.join(" "));
        const at = Math.max(0, together >= 0 ? together : body.toLowerCase().indexOf(words[0]));
        const lines = document.createElement("p");
        const start = Math.max(0, at - 50);
        const mark = document.createElement("mark");
        mark.textContent = body.slice(at, at + words[0].length);
        lines.append(body.slice(start, at), mark, body.slice(at + words[0].length, at + 110));
        box.append(link, lines);
        return box;
    }
})();
