/**
 * The names of preact that the types of @auth/core ask for (fields and pages we do not have). Its published types bring
 * those of a browser along, and these would change what every file of the Worker is checked against: see `paths` in
 * `src/tsconfig.json`.
 */
export namespace JSX {
  type Element = unknown
  interface IntrinsicElements {
    input: Record<string, unknown>
  }
}
