import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** WebAssembly of augurs by a name of our own: its `exports` hide the files. Used by the build and by tests. */
export const wasmAlias = {
  '#augurs/ets.wasm': at('./node_modules/@bsull/augurs/ets_bg.wasm'),
  '#augurs/mstl.wasm': at('./node_modules/@bsull/augurs/mstl_bg.wasm'),
}
