// Tests of the page in a real Chromium without a screen: all of them, or those whose names hold the words behind `npm test --`.
import { finish } from "./harness.mjs";

for (const suite of ["playing", "values", "scenery", "geometry", "gltf", "pages", "verdicts", "playground", "large"]) await import(`./${suite}.mjs`);
await finish();
