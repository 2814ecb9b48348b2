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
  </div>
  <div role="group" aria-label="Show" class="group">
    <label><input type="checkbox" id="show-joints" checked> Joints</label>
    <label><input type="checkbox" id="show-frames"> Frames</label>
    <label><input type="checkbox" id="show-forces"> Forces</label>
    <label>Colours <select id="colours">
      <option value="">bodies</option><option value="deflection">deflection</option><option value="stress">stress</option><option value="strain">strain</option>
    </select></label>
  </div>
  <button id="theme" aria-pressed="false" title="Dark or light (D)">Dark</button>
</header>
<aside id="bodies" aria-label="Bodies">
  <input id="search" type="search" placeholder="Search bodies (/)" aria-label="Search bodies">
  <div class="group"><button id="show-all">Show all</button><button id="hide-others" disabled>Hide others</button><button id="follow" disabled aria-pressed="false" title="The camera goes along with the selected body (F)">Follow</button></div>
  <ul id="tree" role="tree" aria-label="Bodies of the model"></ul>
  <section id="info" aria-label="Selected body" aria-live="polite"></section>
</aside>
<main>
  <canvas id="stage" tabindex="0" role="img" aria-label="Three-dimensional view of the model"></canvas>
  <p id="legend" hidden></p>
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
  <label>Speed <select id="speed">
    <option value="0.01">1/100</option><option value="0.1">1/10</option><option value="0.25">1/4</option>
    <option value="1" selected>1</option><option value="2">2</option><option value="10">10</option>
  </select></label>
  <label>Deformation <input id="deformation" type="range" min="0" max="100" step="1" value="50"></label>
  <output id="deformation-value" for="deformation">×1</output>
</footer>
<p id="status" role="status" class="hidden"></p>`;

/** Builds the page; `find` gives its elements by selector. */
export function buildPage(title: string): void {
  const app = document.getElementById("app");
  if (!app) throw new Error("the page has no place for the viewer");
  app.innerHTML = TEMPLATE;
  find("h1").textContent = title || "model";
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
