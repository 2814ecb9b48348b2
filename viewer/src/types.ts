// The scene as the program `flexura` hands it over (book/src/result_file.md).

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number];

/** Points and their motion by the modes: point after point, mode after mode. */
export interface Shapes {
  count: number;
  positions: Float32Array;
  translations: Float32Array;
  slopes: Float32Array | null;
  quadratic: Float32Array | null;
}

export interface Mount {
  attachment: number;
  position: Vector;
  quaternion: Quaternion;
}

export interface Solid {
  position: Vector;
  quaternion: Quaternion;
  equivalent: boolean;
  box?: Vector;
  sphere?: number;
  cylinder?: [number, number];
  mass?: number;
  /** Place of the surface of a geometry file. */
  mesh?: number;
  /** `#rrggbb`, where the model gives one. */
  colour?: string;
}

/** The surface of a geometry file. */
export interface SurfaceData {
  /** Name of the file. */
  name: string;
  positions: Float32Array;
  triangles: Uint32Array;
}

export interface Body {
  name: string;
  modes: number;
  nodes: Shapes;
  attachments: Shapes;
  lines: Uint32Array;
  triangles: Uint32Array;
  /** Stress rows, node after node, mode after mode: four numbers of a beam, six of a surface; empty if unknown. */
  stress: Float32Array;
  /** Strain rows of a surface, six numbers each; empty if unknown. */
  strain: Float32Array;
  /** Young's and the shear modulus of a beam (Pa): its strains follow from its stresses. */
  moduli?: [number, number];
  rectangle?: [number, number];
  circle?: number;
  solids: Solid[];
  /** Where its modal coordinates start in a row. */
  eta: number;
}

export interface Joint {
  name: string;
  kind: string;
  axis: Vector | null;
  parent: number;
  swapped: boolean;
  outer: Mount;
  inner: Mount;
  /** Whether springs act along what slides, and on what turns; left out where there are none. */
  springs?: [boolean, boolean];
}

export interface Frame extends Mount {
  name: string;
  body: number;
}

export interface Element {
  name: string;
  kind: string;
  frames: [number, number];
  /** Whether it holds a spring and a damper; unknown in older files. */
  spring?: boolean;
  damper?: boolean;
  /** Axis in the first frame, of springs that turn and of stops that have one. */
  axis?: Vector;
  /** Radius of a tyre or of the sphere of a contact (m). */
  radius?: number;
  /** Road of a tyre: places along x and heights there (m), level beyond the ends. */
  road?: { x: number[]; z: number[] };
}

/** One mode of a result of mode shapes. */
export interface ModeData {
  number: number;
  /** Damped frequency (Hz). */
  frequency_hz: number;
  damping_ratio?: number;
}

/** How far one thing about a run can be trusted. */
export interface Verdict {
  kind: string;
  body: string | null;
  /** `null` where it was not judged. */
  sufficient: boolean | null;
  /** Share of the deflection that modes cannot carry. */
  missing?: number | null;
  /** Why modes were not judged. */
  reason?: string;
  text: string;
}

/** All verdicts on a run, doubts first. */
export interface Verdicts {
  found: Verdict[];
  /** Verdicts that the file does not keep. */
  left_out: number;
}

/** A force at a frame, times a channel. */
export interface Force {
  name: string;
  frame: number;
  force: Vector;
  moment: Vector;
  inertial: boolean;
}

/** A point mass welded to a body, at a frame of it. */
export interface Mass {
  name: string;
  frame: number;
  mass: number;
}

/** A joint that closes a loop, between two frames. */
export interface Loop {
  name: string;
  kind: string;
  axis: Vector | null;
  frames: [number, number];
  springs?: [boolean, boolean];
}

export interface SceneData {
  title: string;
  createdBy: string;
  complete: boolean;
  rows: number;
  width: number;
  notes: string[];
  channels: string[];
  units: string[];
  bodies: Body[];
  joints: Joint[];
  frames: Frame[];
  elements: Element[];
  loops: Loop[];
  forces: Force[];
  masses: Mass[];
  meshes: SurfaceData[];
  /** Whether the result may still grow. */
  growing: boolean;
  up: Vector;
  /** Mode shapes, one second each; none of a run. */
  modes: ModeData[];
  /** How far the run can be trusted; null where nobody has judged it. */
  verdicts: Verdicts | null;
  /** Channels to plot at first, where somebody has chosen some. */
  plots?: string[];
  /** Name of a second result that the server has. */
  other?: string;
}

/** Values that place one body in a row: position and quaternion. */
export const POSE = 7;

export function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

function floats(base64: string | undefined): Float32Array {
  return new Float32Array(bytesOf(base64 ?? ""));
}

function shapes(raw: any): Shapes {
  return {
    count: raw.count,
    positions: floats(raw.positions),
    translations: floats(raw.translations),
    slopes: raw.slopes ? floats(raw.slopes) : null,
    quadratic: raw.quadratic ? floats(raw.quadratic) : null,
  };
}

/** Verdicts of a file; those of another version are not shown. */
export function readVerdicts(raw: any): Verdicts | null {
  return raw?.version === 1 && Array.isArray(raw.found) ? { found: raw.found, left_out: raw.left_out ?? 0 } : null;
}

/** Decodes the JSON of a scene. */
export function readScene(raw: any): SceneData {
  const { picture, ...rest } = raw;
  if (picture.version !== 1) throw new Error(`picture version ${picture.version} is not known to this page`);
  let eta = POSE * picture.bodies.length;
  const bodies: Body[] = picture.bodies.map((body: any) => {
    const start = eta;
    eta += body.modes;
    return {
      ...body,
      nodes: shapes(body.nodes),
      attachments: shapes(body.attachments),
      lines: new Uint32Array(bytesOf(body.lines)),
      triangles: new Uint32Array(bytesOf(body.triangles)),
      stress: floats(body.stress),
      strain: floats(body.strain),
      eta: start,
    };
  });
  const meshes: SurfaceData[] = (picture.meshes ?? []).map((mesh: any) => ({
    name: String(mesh.name), positions: floats(mesh.positions), triangles: new Uint32Array(bytesOf(mesh.triangles)),
  }));
  return {
    ...rest, bodies, meshes, joints: picture.joints, frames: picture.frames, elements: picture.elements, loops: picture.loops ?? [],
    forces: picture.forces ?? [], masses: picture.masses ?? [], up: picture.up ?? [0, 0, 1], modes: raw.modes ?? [],
    verdicts: readVerdicts(raw.verdicts),
  };
}
