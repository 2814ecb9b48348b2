// Controls of what colours mean: measure, range, palette, worst node.

import type { Measure } from "./measure";
import type { Overlay } from "./overlay";
import { find, say } from "./page";
import { PALETTE_NAMES, usePalette, type Palette } from "./palette";
import type { RangeKind } from "./scale";
import { brief, forceUnit } from "./units";
import type { Viewer } from "./viewer";

export class ColourControls {
  private readonly measure = find<HTMLSelectElement>("#colours");
  private readonly kind = find<HTMLSelectElement>("#range");
  private readonly from = find<HTMLInputElement>("#range-from");
  private readonly to = find<HTMLInputElement>("#range-to");

  constructor(private readonly viewer: Viewer, overlay: Overlay, seek: (time: number) => void) {
    for (const option of this.measure.options) option.disabled = option.value !== "" && !viewer.offers(option.value as Measure);
    this.measure.onchange = () => void this.choose();
    this.kind.onchange = () => this.chooseRange();
    this.from.onchange = this.to.onchange = () => this.give();
    const palette = find<HTMLSelectElement>("#palette");
    palette.replaceChildren(...PALETTE_NAMES.map((name) => new Option(name)));
    palette.onchange = () => {
      usePalette(palette.value as Palette);
      viewer.place();
    };
    const worst = find<HTMLInputElement>("#show-worst");
    worst.onchange = () => {
      overlay.worst = worst.checked;
      viewer.stage.invalidate();
    };
    find("#go-worst").onclick = () => this.goToWorst(seek);
  }

  private async choose(): Promise<void> {
    const measure = (this.measure.value || null) as Measure | null;
    find("#scale").hidden = measure === null;
    // A range given for another measure means nothing for this one.
    this.kind.value = this.viewer.scale.kind = "run";
    find("#given").hidden = true;
    await this.viewer.colour(measure, () => this.legend());
    this.legend();
  }

  private chooseRange(): void {
    const { scale } = this.viewer, { factor, unit } = scale.unit;
    scale.kind = this.kind.value as RangeKind;
    find("#given").hidden = scale.kind !== "given";
    find("#range-unit").textContent = unit;
    this.from.value = String(Number((scale.from * factor).toPrecision(4)));
    this.to.value = String(Number((scale.to * factor).toPrecision(4)));
    if (scale.kind === "given") this.give();
    this.viewer.place();
    this.legend();
  }

  /** Takes the two numbers, if they are a range. */
  private give(): void {
    const { scale } = this.viewer, { factor } = scale.unit;
    const from = this.from.valueAsNumber / factor, to = this.to.valueAsNumber / factor, right = to > from;
    this.to.setCustomValidity(right ? "" : "give two numbers, the second larger than the first");
    if (!right) return void this.to.reportValidity();
    scale.from = from;
    scale.to = to;
    this.viewer.place();
    this.legend();
  }

  goToWorst(seek: (time: number) => void): void {
    const { scale, range, source, modes, time } = this.viewer;
    const found = scale.measure && range.worst(scale.measure, ...(modes ? modes.rows(time) : []));
    if (!found) return;
    seek(source.times[found.row]);
    say(`the largest value of the run is at ${this.viewer.timeWords(source.times[found.row])}`);
  }

  /** The colour bar and the arrows in words, for those who do not see them. */
  legend(): void {
    const words = legendWords(this.viewer), legend = find("#legend");
    legend.textContent = words;
    legend.hidden = words === "";
  }
}

/** What colours and arrows mean, in words. */
export function legendWords(viewer: Viewer): string {
  const { scale, arrows, range, source, modes } = viewer, parts = [];
  if (scale.measure) {
    const { factor, unit } = scale.unit, worst = range.worst(scale.measure);
    const ends = `${brief(scale.from * factor)} to ${brief(scale.to * factor)}${unit && ` ${unit}`}`;
    parts.push(`${scale.title}: ${ends}`);
    if (worst && !modes) {
      parts.push(`largest of the run ${brief(worst.value * factor)} ${unit} at node ${worst.node + 1} of ${source.scene.bodies[worst.body].name}, ${viewer.timeWords(source.times[worst.row])}`);
    }
  }
  if (arrows.visible) {
    const { factor, unit } = forceUnit(arrows.largest);
    parts.push(`longest arrow ${brief(arrows.largest * factor)} ${unit}`);
  }
  return parts.join(" · ");
}
