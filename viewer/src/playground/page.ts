// The elements of the playground and what they are called.

import { find } from "../page";

const TEMPLATE = `
<header>
  <h1>Flexura <span>playground</span></h1>
  <div class="group" role="group" aria-label="Model">
    <label>Model <select id="example"></select></label>
    <label class="button" title="Read a model file of your own; it stays in this page">Open <input id="open" type="file" accept=".toml,text/plain" class="hidden"></label>
  </div>
  <div class="group" role="group" aria-label="Run">
    <button id="run" disabled title="Run the model (Ctrl+Enter)">▶ Run</button>
    <button id="stop" disabled title="End the run; what it gave so far is shown (Escape)">■ Stop</button>
  </div>
  <div id="progress" hidden><progress id="bar" max="1" value="0" aria-label="Progress of the run"></progress> <output id="reached"></output></div>
  <div class="group right" role="group" aria-label="Keep">
    <button id="keep-model" title="The text as a model file for \`flexura run\`">Model</button>
    <button id="keep-table" disabled title="All rows of the run as comma-separated text">CSV</button>
    <button id="keep-page" disabled title="The run as one page with everything inside, as \`flexura view --save\` writes it">Page</button>
    <button id="theme" aria-pressed="false" title="Dark or light">Dark</button>
  </div>
</header>
<section id="left" aria-label="Model">
  <p id="about"></p>
  <div id="code">
    <div id="numbers" aria-hidden="true"></div>
    <div id="sheet">
      <div id="marks" aria-hidden="true"></div>
      <pre id="coloured" aria-hidden="true"></pre>
      <textarea id="text" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" aria-label="Text of the model (TOML)"></textarea>
    </div>
  </div>
  <div id="messages" aria-label="Messages" role="region">
    <div id="outcome" aria-live="polite"></div>
    <div id="findings"></div>
  </div>
</section>
<main id="view"><p id="empty"><span>Press <b>Run</b> to see the model move.<br>Change any number and run again.</span></p></main>
<p id="status" role="status" class="hidden"></p>`;

/** Builds the page; `titles` are those of the models on offer. */
export function buildPlayground(titles: string[]): void {
  const app = document.getElementById("app");
  if (!app) throw new Error("the page has no place for the playground");
  app.innerHTML = TEMPLATE;
  find("#example").replaceChildren(...titles.map((title, i) => new Option(title, String(i))));
}
