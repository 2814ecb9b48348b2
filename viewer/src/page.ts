// The elements of the page and what they are called.

const TEMPLATE = `
<header>
  <h1></h1>
  <button class="drawer" aria-controls="bodies" aria-expanded="false" data-drawer="bodies">Bodies</button>
  <button class="drawer" aria-controls="plots" aria-expanded="false" data-drawer="plots">Plots</button>
  <div role="group" aria-label="Camera" class="group">
    <button data-view="iso" title="Oblique view (1)">Iso</button>
    <button data-view="front" title="Along y (2)">Front</button>
    <button data-view="side" title="Along x (3)">Side</button>
    <button data-view="top" title="From above (4)">Top</button>
    <button id="quad" aria-pressed="false" title="Four views beside each other (5)">Four</button>
  </div>
  <div role="group" aria-label="Show" class="group">
    <label><input type="checkbox" id="show-joints" checked> Joints</label>
    <label><input type="checkbox" id="show-frames"> Frames</label>
    <label><input type="checkbox" id="show-forces"> Forces</label>
    <label><input type="checkbox" id="show-ground" checked> Grid</label>
    <label><input type="checkbox" id="show-shadows"> Shadows</label>
    <label title="Paths of pinned points: Shift and a click pin one"><input type="checkbox" id="show-traces"> Paths</label>
  </div>
  <div role="group" aria-label="Results" class="group">
    <button id="save-picture" title="This picture as a PNG file (P)">Picture</button>
    <label class="button" title="Lay the result of a page over this one that \`flexura view RESULT --save page.html\` wrote">Compare <input id="compare" type="file" accept=".html" class="hidden"></label>
    <button id="compare-end" hidden>End comparison</button>
  </div>
  <button id="theme" aria-pressed="false" title="Dark or light (D)">Dark</button>
</header>
<aside id="bodies" aria-label="Bodies">
  <input id="search" type="search" placeholder="Search bodies (/)" aria-label="Search bodies">
  <div class="group"><button id="show-all">Show all</button><button id="hide-others" disabled>Hide others</button><button id="follow" disabled aria-pressed="false" title="The camera goes along with the selected body (F)">Follow</button>
    <button id="zoom" disabled title="The camera looks at the selected body from nearby (Z, or a double click)">Zoom</button>
    <button id="veil" disabled aria-pressed="false" title="Look through the selected body (T)">See through</button></div>
  <ul id="tree" role="tree" aria-label="Bodies of the model"></ul>
  <details id="verdicts" hidden><summary></summary><ul aria-label="How far the run can be trusted"></ul></details>
  <section id="meaning" aria-label="Colours">
    <label>Colours <select id="colours">
      <option value="">bodies</option><option value="deflection">deflection</option><option value="stress">stress</option><option value="strain">strain</option>
    </select></label>
    <div id="scale" hidden>
      <label>Range <select id="range"><option value="run">of the run</option><option value="now">of this instant</option><option value="given">given</option></select></label>
      <div id="given" hidden>
        <input id="range-from" type="number" step="any" aria-label="From"> – <input id="range-to" type="number" step="any" aria-label="To">
        <span id="range-unit"></span>
      </div>
      <label>Palette <select id="palette"></select></label>
      <div class="group"><label><input type="checkbox" id="show-worst" checked> Worst</label>
      <button id="go-worst" title="The instant of the largest value of the run (W)">Go there</button></div>
    </div>
  </section>
  <section id="info" aria-label="Selected body" aria-live="polite"></section>
</aside>
<main>
  <canvas id="stage" tabindex="0" role="img" aria-label="Three-dimensional view of the model"></canvas>
  <canvas id="words" aria-hidden="true"></canvas>
  <p id="legend" class="hidden" hidden></p>
  <p id="probe" hidden></p>
  <p id="notes" role="note" hidden></p>
</main>
<aside id="plots" aria-label="Plots">
  <input id="channel-search" type="search" placeholder="Search channels" aria-label="Search channels">
  <ul id="channels" aria-label="Channels found"></ul>
  <div id="plot-list"></div>
</aside>
<footer>
  <button id="play" title="Play or pause (space)" aria-label="Play">▶</button>
  <input id="time" type="range" min="0" max="1" step="any" value="0" aria-label="Time">
  <output id="clock" for="time"></output>
  <label id="mode-label" hidden>Mode <select id="mode"></select></label>
  <label>Speed <select id="speed"></select></label>
  <label>Deformation <input id="deformation" type="range" min="0" max="100" step="1" value="50"></label>
  <output id="deformation-value" for="deformation">×1</output>
</footer>
<p id="status" role="status" class="hidden"></p>`;

/** Speeds on offer: simulated seconds per second. */
const SPEEDS: [number, string][] = [
  [1e-4, "1/10 000"], [1e-3, "1/1000"], [0.01, "1/100"], [0.02, "1/50"], [0.05, "1/20"], [0.1, "1/10"], [0.25, "1/4"], [1, "1"], [2, "2"], [10, "10"], [100, "100"],
];
/** Time that a run takes on the screen at its own speed, from and to (s); others are slowed down or sped up towards the aim. */
const COMFORTABLE = [2, 40], AIM = 6;

/** Real time where that is comfortable to look at; otherwise the speed that shows the run in about six seconds. */
export function speedFor(span: number): number {
  if (!(span > 0) || (span >= COMFORTABLE[0] && span <= COMFORTABLE[1])) return 1;
  const apart = ([speed]: [number, string]) => Math.abs(Math.log(span / speed / AIM));
  return SPEEDS.reduce((best, entry) => (apart(entry) < apart(best) ? entry : best))[0];
}

/** Fills in the speeds, chosen for a run of `span` seconds. */
export function offerSpeeds(span: number): void {
  const chosen = speedFor(span);
  find("#speed").replaceChildren(...SPEEDS.map(([value, words]) => new Option(words, String(value), false, value === chosen)));
}

/** Builds the page; `find` gives its elements by selector. */
export function buildPage(title: string): void {
  const app = document.getElementById("app");
  if (!app) throw new Error("the page has no place for the viewer");
  app.innerHTML = TEMPLATE;
  Object.assign(find("h1"), { textContent: title || "model", title });
  document.title = `${title || "model"} – Flexura`;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-drawer]")) {
    button.onclick = () => {
      const open = find(`#${button.dataset.drawer}`).classList.toggle("open");
      button.setAttribute("aria-expanded", String(open));
    };
  }
}

export function find<T extends HTMLElement = HTMLElement>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

/** Tells people who do not see the picture what happened. */
export function say(words: string): void {
  find("#status").textContent = words;
}

/** Slider place to factor: 0 to 1 in the first half, then up to 100. */
export function deformationFactor(place: number): number {
  return place <= 50 ? place / 50 : 10 ** ((place - 50) / 25);
}

/** Factor to slider place. */
export function deformationPlace(factor: number): number {
  return factor <= 1 ? 50 * Math.max(0, factor) : Math.min(100, 50 + 25 * Math.log10(factor));
}
