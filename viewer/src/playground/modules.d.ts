/** The bundled text of a worker. */
declare module "worker:*" {
  const text: string;
  export default text;
}

/** Models of the repository that the page offers (build.mjs). */
declare module "examples:" {
  const examples: { name: string; title: string; text: string }[];
  export default examples;
}
