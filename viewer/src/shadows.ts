// Shadows on the ground and on roads: they show how high things are. Bodies receive none, so that colours stay true.

import { type DirectionalLight, DoubleSide, Mesh, type Object3D, PlaneGeometry, type Quaternion, type Scene, ShadowMaterial, type Vector3 } from "three";

/** Side of the map of shadows (pixels). */
const MAP = 2048;

export class Shadows {
  private readonly floor = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.2, side: DoubleSide, depthWrite: false }));
  private on = false;

  constructor(scene: Scene, private readonly sun: DirectionalLight, upright: Quaternion) {
    const { floor } = this;
    floor.quaternion.copy(upright);
    floor.receiveShadow = true;
    floor.visible = false;
    // Before the squares of the ground, which are seen through shadows.
    floor.renderOrder = -1;
    sun.shadow.mapSize.set(MAP, MAP);
    scene.add(floor, sun.target);
  }

  get visible(): boolean {
    return this.on;
  }

  /** Lets `casters` throw shadows, or not any more. */
  show(on: boolean, casters: Object3D[]): void {
    this.on = this.sun.castShadow = this.floor.visible = on;
    for (const mesh of casters) mesh.castShadow = on;
  }

  /** Where the ground is, and how dark shadows are on it. */
  ground(at: Vector3, size: number, dark: boolean): void {
    this.floor.position.copy(at);
    this.floor.scale.set(size, size, 1);
    this.floor.material.opacity = dark ? 0.45 : 0.2;
  }

  /** What is lit: a ball around the model, with `direction` towards the sun. */
  light(centre: Vector3, radius: number, direction: Vector3): void {
    const { sun } = this, { camera } = sun.shadow;
    sun.target.position.copy(centre);
    sun.position.copy(centre).addScaledVector(direction, 3 * radius);
    sun.target.updateMatrixWorld();
    [camera.left, camera.right, camera.bottom, camera.top] = [-radius, radius, -radius, radius];
    [camera.near, camera.far] = [radius, 8 * radius];
    camera.updateProjectionMatrix();
  }
}
