// What is wrong with the text, and what a run has to say.

import { find } from "../page";
import type { Ended, Run } from "./engine";

/** A place in the text, from one; the last column is the first one behind it. */
export interface Place {
  line: number;
  column: number;
  lastLine: number;
  lastColumn: number;
}

/** A finding of the engine. */
export interface Finding {
  error: boolean;
  code: string;
  message: string;
  help: string;
  place: Place | null;
  /** As the command line shows it: with the line and what is meant in it. */
  text: string;
}

/** What stands in place of findings where the check itself broke off. */
export const brokenOff = (why: string): Finding => {
  const message = `the check of this text broke off: ${why}`;
  return { error: true, code: "check", message, help: "", place: null, text: `error: ${message}` };
};

const paragraph = (kind: string, text: string) => Object.assign(document.createElement("p"), { className: kind, textContent: text });

/** A finding as the command line shows it; where it has a place, a click leads there. */
function item(finding: Finding, go: (place: Place) => void): HTMLElement {
  const { place } = finding, box = document.createElement(place ? "button" : "div");
  box.className = finding.error ? "finding error" : "finding warning";
  box.textContent = finding.text.replaceAll("model.toml:", "line ").trimEnd();
  if (place && box instanceof HTMLButtonElement) {
    box.title = `Go to line ${place.line}`;
    box.onclick = () => go(place);
  }
  return box;
}

/** Shows findings of the text in place of earlier ones. */
export function showFindings(findings: Finding[], go: (place: Place) => void): void {
  find("#findings").replaceChildren(...findings.map((finding) => item(finding, go)));
}

const number = (value: number, digits = 4) => String(Number(value.toPrecision(digits)));

/** What a run that reached its end says. */
function words(run: Run, ended: Ended): HTMLElement[] {
  const seconds = run.seconds ?? 0;
  const events = ended.events.map((event) => `${event.name} at ${number(event.time, 6)} s`);
  const lines = [
    `Reached ${number(ended.time, 6)} s in ${number(seconds, 3)} s of computing: ${ended.steps} steps (${ended.rejected} more rejected), ${ended.evaluations} evaluations, ${ended.rows} rows.`,
    `Energy: ${number(ended.energyUnaccounted, 3)} J unaccounted for, ${number(ended.energyShare, 2)} of the largest.`,
    ...(ended.stoppedBy === null ? [] : [`Event ${ended.stoppedBy} ended the run.`]),
    ...(events.length ? [`Events: ${events.slice(0, 8).join(", ")}${events.length > 8 ? `, and ${events.length - 8} more` : ""}.`] : []),
  ];
  return [...lines.map((line) => paragraph("told", line)), ...ended.warnings.map((line) => paragraph("finding warning", `warning: ${line}`))];
}

/** Says how a run ended. */
export function showEnd(run: Run, rows: number): void {
  const list = run.ended ? words(run, run.ended) : [];
  const kept = rows ? ` ${rows} rows up to then are shown.` : "";
  if (run.failed !== null) list.push(paragraph("finding error", `The run failed: ${run.failed}.${kept}`));
  else if (run.stopped) list.push(paragraph("told", `Stopped.${kept}`));
  else if (!run.scene) list.push(paragraph("finding error", "No model was built: see the lines marked above."));
  find("#outcome").replaceChildren(...list);
}
