// The text of the model: line numbers, colours, marks at lines that are wrong. A plain text field lies over the coloured text,
// so that typing, undoing, searching and reading aloud are the browser's own.

import { find } from "../page";
import type { Finding, Place } from "./findings";

/** One line in pieces: comment, text, table header, key, word, number. */
const PIECES =
  /(?<comment>#.*$)|(?<text>"""|'''|"(?:[^"\\]|\\.)*"|'[^']*')|(?<table>^\s*\[\[?[^\]#]*\]\]?)|(?<key>[A-Za-z_][\w.-]*(?=\s*=))|(?<word>\b(?:true|false|inf|nan)\b)|(?<number>[+-]?\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/g;

function coloured(line: string): Node[] {
  const nodes: Node[] = [];
  let done = 0;
  for (const piece of line.matchAll(PIECES)) {
    const kind = Object.entries(piece.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? "";
    nodes.push(document.createTextNode(line.slice(done, piece.index)));
    nodes.push(Object.assign(document.createElement("span"), { className: `t-${kind}`, textContent: piece[0] }));
    done = piece.index + piece[0].length;
  }
  nodes.push(document.createTextNode(line.slice(done) + "\n"));
  return nodes;
}

export class Editor {
  private readonly field = find<HTMLTextAreaElement>("#text");
  private readonly colours = find("#coloured");
  private readonly numbers = find("#numbers");
  private readonly marks = find("#marks");
  private lines: string[] = [];

  /** `changed` is called when the text was edited, and when it was replaced. */
  constructor(private readonly changed: () => void) {
    this.field.oninput = () => {
      this.draw();
      this.changed();
    };
  }

  get text(): string {
    return this.field.value;
  }

  set text(text: string) {
    this.field.value = text.replaceAll("\r\n", "\n");
    this.draw();
    this.field.setSelectionRange(0, 0);
    find("#code").scrollTo(0, 0);
    this.changed();
  }

  /** Draws lines that changed since the last time. */
  private draw(): void {
    const lines = this.field.value.split("\n"), { children } = this.colours;
    while (children.length > lines.length) this.colours.lastChild?.remove();
    lines.forEach((line, i) => {
      if (i < children.length && this.lines[i] === line) return;
      const row = document.createElement("span");
      row.append(...coloured(line));
      if (i < children.length) children[i].replaceWith(row);
      else this.colours.append(row);
    });
    this.lines = lines;
    while (this.numbers.children.length > lines.length) this.numbers.lastChild?.remove();
    while (this.numbers.children.length < lines.length) {
      this.numbers.append(Object.assign(document.createElement("span"), { textContent: String(this.numbers.children.length + 1) }));
    }
  }

  /** Marks the lines of findings, the words meant in them underlined. */
  mark(findings: Finding[]): void {
    for (const number of this.numbers.children) {
      number.className = "";
      number.removeAttribute("title");
    }
    const marks: HTMLElement[] = [];
    // Errors last: they lie above warnings.
    for (const { error, message, help, place } of [...findings].sort((a, b) => Number(a.error) - Number(b.error))) {
      if (!place) continue;
      const kind = error ? "error" : "warning", number = this.numbers.children[place.line - 1];
      if (number instanceof HTMLElement) {
        number.className = kind;
        number.title = `${message}\n${help}`;
      }
      const line = this.lines[place.line - 1] ?? "", stop = place.lastLine === place.line ? place.lastColumn - 1 : line.length;
      const mark = Object.assign(document.createElement("i"), { className: kind });
      mark.style.top = `calc(${place.line - 1} * var(--row))`;
      mark.style.left = `${place.column - 1}ch`;
      mark.style.width = `${Math.max(1, stop - place.column + 1)}ch`;
      marks.push(mark);
    }
    this.marks.replaceChildren(...marks);
    this.field.setAttribute("aria-invalid", String(findings.some(({ error }) => error)));
  }

  /** Shows a place and selects what is meant there. */
  go(place: Place): void {
    const before = this.lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const line = this.lines[place.line - 1] ?? "", stop = place.lastLine === place.line ? place.lastColumn - 1 : line.length;
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(before + place.column - 1, before + Math.max(stop, place.column - 1));
    const code = find("#code"), row = this.numbers.children[place.line - 1];
    if (row instanceof HTMLElement) code.scrollTo({ top: row.offsetTop - code.clientHeight / 3, left: 0 });
  }
}
