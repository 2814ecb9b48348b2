// Exported glTF files as others read them: three.js' own loader and mixer, against the poses that the viewer shows.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { flexura, here, out } from "./browser.mjs";
import { arm, browser, robot, seek, shown, test } from "./harness.mjs";

/** A page with nothing but three.js and its loader. */
async function loaderPage() {
  const contents = `export * from "three"; export { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";`;
  const bundle = await build({
    stdin: { contents, resolveDir: path.join(here, "..") }, bundle: true, format: "iife", globalName: "THREE", target: "es2022", write: false, logLevel: "warning",
  });
  const page = await browser.newPage();
  await page.addScriptTag({ content: bundle.outputFiles[0].text });
  return page;
}

/** Reads a file, plays it to `time` and tells where things are: matrices of nodes, points of meshes that have moved, in axes of the model. */
const played = (page, bytes, time) => page.evaluate(async ([text, time]) => {
  const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  const gltf = await new THREE.GLTFLoader().parseAsync(data, "");
  const mixer = new THREE.AnimationMixer(gltf.scene), action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  mixer.setTime(time);
  gltf.scene.updateMatrixWorld(true);
  const up = gltf.scene.children[0], back = up.matrixWorld.clone().invert(), nodes = {};
  for (const node of up.children) {
    const matrix = back.clone().multiply(node.matrixWorld).elements, points = [], point = new THREE.Vector3();
    node.traverse((mesh) => {
      const count = mesh.geometry?.attributes.position.count ?? 0;
      for (let i = 0; i < count; i++) points.push(...mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).applyMatrix4(back).toArray());
    });
    nodes[node.name] = { matrix: [...matrix], points };
  }
  return { nodes, clips: gltf.animations.length, duration: gltf.animations[0].duration };
}, [bytes.toString("base64"), time]);

/** Poses of the viewer at `time`, nine numbers of the rotation by rows, three of the place. */
const posed = (file, time) => {
  let found;
  return shown(file, async (page) => {
    await seek(page, time);
    found = await page.evaluate(() => flexura.source.scene.bodies.map(({ name }, k) => ({ name, pose: [...flexura.viewer.motion.poses[k]] })));
  }).then(() => found);
};

await test("three.js' loader plays an exported glTF file as the viewer shows the run", async () => {
  const page = await loaderPage(), file = robot();
  flexura("export", file, "-o", "robot.glb");
  const bytes = readFileSync(path.join(out, "robot.glb"));
  for (const time of [0, 0.7, 1.3]) {
    const [{ nodes, clips }, bodies] = [await played(page, bytes, time), await posed(file, time)];
    assert.equal(clips, 1);
    for (const { name, pose } of bodies) {
      const { matrix } = nodes[name];
      // Single precision of both, metres.
      for (let i = 0; i < 3; i++) {
        assert.ok(Math.abs(matrix[12 + i] - pose[9 + i]) < 2e-6, `${name} at ${time} s: ${matrix.slice(12, 15)} against ${pose.slice(9)}`);
        for (let j = 0; j < 3; j++) assert.ok(Math.abs(matrix[4 * j + i] - pose[3 * i + j]) < 2e-6, `${name} is turned otherwise at ${time} s`);
      }
    }
  }
  const [start, later] = [await played(page, bytes, 0), await played(page, bytes, 1.3)];
  assert.ok(Object.keys(start.nodes).some((name) => Math.hypot(...[12, 13, 14].map((i) => start.nodes[name].matrix[i] - later.nodes[name].matrix[i])) > 0.05), "it moves");
  await page.close();
});

await test("three.js' loader bends an exported flexible body by its morph targets to where the run has its tip", async () => {
  const page = await loaderPage(), file = arm();
  flexura("export", file, "-o", "arm.glb");
  flexura("export", file, "-o", "straight.glb", "--scale", "0");
  const [bent, straight] = ["arm.glb", "straight.glb"].map((name) => readFileSync(path.join(out, name)));
  flexura("export", file, "-o", "tip.csv", "-c", "fore.hand.position.?");
  const [head, ...rows] = readFileSync(path.join(out, "tip.csv"), "utf8").trim().split("\n");
  assert.match(head, /hand\.position\.x/);
  let deepest = 0;
  for (const row of [0.1, 0.4, 0.9].map((share) => Math.round(share * rows.length))) {
    const [time, ...tip] = rows[row].split(",").map(Number);
    const [{ nodes }, rest] = [await played(page, bent, time), await played(page, straight, time)];
    const points = nodes.fore.points, gaps = [];
    for (let i = 0; i < points.length; i += 3) gaps.push(Math.hypot(points[i] - tip[0], points[i + 1] - tip[1], points[i + 2] - tip[2]));
    // The section at the tip is drawn around its middle: the mean of its points is the tip of the run.
    const least = Math.min(...gaps), near = gaps.flatMap((gap, k) => (gap < 1.2 * least + 1e-6 ? [k] : []));
    const middle = [0, 1, 2].map((i) => near.reduce((sum, k) => sum + points[3 * k + i], 0) / near.length);
    assert.ok(Math.hypot(...middle.map((x, i) => x - tip[i])) < 2e-5, `${middle} against ${tip} at ${time} s`);
    deepest = Math.max(deepest, ...rest.nodes.fore.points.map((x, i) => Math.abs(x - points[i])));
  }
  assert.ok(deepest > 1e-3, `bent by ${deepest} m at most`);
  await page.close();
});
