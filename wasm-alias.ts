import { fileURLToPath } from 'node:url'

/**
 * WebAssembly of augurs by a name of our own, `#augurs/ets.wasm`, with or without a query such as `?url`: its `exports` hide the files.
 * Used by the build and by tests.
 */
export const wasmAlias = [
  {
    find: /^#augurs\/(ets|mstl)\.wasm/,
    replacement: `${fileURLToPath(new URL('./node_modules/@bsull/augurs', import.meta.url))}/$1_bg.wasm`,
  },
]
