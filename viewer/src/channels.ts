// Searching channels and keeping plots of them.

import type { Ghost } from "./ghost";
import { find } from "./page";
import { Plot } from "./plot";
import type { Source } from "./source";

/** Most channels listed at once. */
const MOST_LISTED = 200;

export class Channels {
  readonly plots = new Map<number, Plot>();
  private ghost: Ghost | null = null;

  constructor(private readonly source: Source, private readonly seek: (time: number) => void, private readonly redraw: () => void) {
    const search = find<HTMLInputElement>("#channel-search");
    search.oninput = () => this.list(search.value);
    // What was chosen for an earlier run, or what every model has.
    const first = source.scene.plots?.length ? source.scene.plots : ["energy.total", source.scene.channels.find((name) => /\.(angle|displacement)$/.test(name)) ?? ""];
    const indices = first.map((name) => source.scene.channels.indexOf(name)).filter((index) => index >= 0);
    void (async () => {
      if (source.scene.rows > 1) for (const index of indices) await this.add(index);
      this.list("");
    })();
  }

  private list(text: string): void {
    const { channels, units } = this.source.scene;
    const wanted = text.trim().toLowerCase();
    const found = channels.map((_, i) => i).filter((i) => channels[i].toLowerCase().includes(wanted));
    const items = found.slice(0, MOST_LISTED).map((i) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.textContent = `${channels[i]} [${units[i]}]`;
      button.setAttribute("aria-pressed", String(this.plots.has(i)));
      button.onclick = () => void this.toggle(i).then(() => button.setAttribute("aria-pressed", String(this.plots.has(i))));
      item.append(button);
      return item;
    });
    if (found.length > MOST_LISTED) {
      const item = document.createElement("li");
      item.textContent = `… and ${found.length - MOST_LISTED} more: search to narrow down`;
      items.push(item);
    }
    find("#channels").replaceChildren(...items);
  }

  private async toggle(index: number): Promise<void> {
    const plot = this.plots.get(index);
    if (!plot) return this.add(index);
    plot.element.remove();
    this.plots.delete(index);
  }

  private async add(index: number): Promise<void> {
    const { scene, times } = this.source;
    const values = await this.source.channel(index);
    if (this.plots.has(index)) return;
    const close = () => void this.toggle(index).then(() => this.list(find<HTMLInputElement>("#channel-search").value));
    const plot = new Plot({ name: scene.channels[index], unit: scene.units[index], times, values }, this.seek, close);
    this.plots.set(index, plot);
    find("#plot-list").append(plot.element);
    await this.overlay(index, plot);
    this.redraw();
  }

  /** Lays the channels of a second result over those of this one. */
  compare(ghost: Ghost | null): void {
    this.ghost = ghost;
    for (const [index, plot] of this.plots) void this.overlay(index, plot).then(() => this.redraw());
  }

  private async overlay(index: number, plot: Plot): Promise<void> {
    const source = this.ghost?.source;
    const same = source ? source.scene.channels.indexOf(this.source.scene.channels[index]) : -1;
    plot.compare(source && same >= 0 ? { times: source.times, values: await source.channel(same) } : null);
  }

  /** Reads the plotted channels of a growing result again. */
  grow(): void {
    for (const [index, plot] of this.plots) {
      void this.source.channel(index).then((values) => {
        plot.renew(this.source.times, values);
        this.redraw();
      });
    }
  }

  draw(time: number, row: number, share: number): void {
    for (const plot of this.plots.values()) plot.draw(time, row, share);
  }
}
