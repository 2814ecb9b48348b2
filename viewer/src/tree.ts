// The list of bodies: indented by depth, searched, hidden, selected.

import { find } from "./page";
import type { SceneData } from "./types";

const DEEPEST_INDENT = 8;

export class Tree {
  readonly hidden: boolean[];
  private readonly items: HTMLLIElement[];
  private selected = -1;

  constructor(private readonly scene: SceneData, select: (body: number) => void, private readonly changed: () => void) {
    this.hidden = scene.bodies.map(() => false);
    const depth: number[] = [];
    this.items = scene.bodies.map((body, k) => {
      const parent = scene.joints[k].parent;
      depth[k] = parent < 0 ? 1 : depth[parent] + 1;
      const item = document.createElement("li");
      item.setAttribute("role", "treeitem");
      item.setAttribute("aria-level", String(depth[k]));
      item.setAttribute("aria-selected", "false");
      item.style.setProperty("--depth", String(Math.min(depth[k] - 1, DEEPEST_INDENT)));
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = true;
      box.setAttribute("aria-label", `Show ${body.name}`);
      box.onchange = () => {
        this.hidden[k] = !box.checked;
        changed();
      };
      const button = document.createElement("button");
      button.textContent = body.name;
      button.onclick = () => select(this.selected === k ? -1 : k);
      item.append(box, button);
      return item;
    });
    find("#tree").append(...this.items);
    const search = find<HTMLInputElement>("#search");
    search.oninput = () => this.search(search.value);
    find("#show-all").onclick = () => this.show(() => true);
    find("#hide-others").onclick = () => this.show((k) => k === this.selected);
  }

  private search(text: string): void {
    const wanted = text.trim().toLowerCase();
    let count = 0;
    this.items.forEach((item, k) => {
      item.hidden = !this.scene.bodies[k].name.toLowerCase().includes(wanted);
      count += item.hidden ? 0 : 1;
    });
    find("#status").textContent = wanted ? `${count} bodies found` : "";
  }

  private show(visible: (body: number) => boolean): void {
    this.items.forEach((item, k) => {
      this.hidden[k] = !visible(k);
      const box = item.querySelector("input");
      if (box) box.checked = visible(k);
    });
    this.changed();
  }

  /** Marks the bodies with doubts about them. */
  doubt(bodies: Set<number>): void {
    this.items.forEach((item, k) => {
      const button = item.querySelector("button"), doubtful = bodies.has(k);
      item.classList.toggle("doubt", doubtful);
      if (button) button.title = doubtful ? "there are doubts about this body: see below" : "";
    });
  }

  mark(body: number): void {
    this.items[this.selected]?.setAttribute("aria-selected", "false");
    this.selected = body;
    this.items[body]?.setAttribute("aria-selected", "true");
    this.items[body]?.scrollIntoView({ block: "nearest" });
    find<HTMLButtonElement>("#hide-others").disabled = body < 0;
  }
}
