import { fileURLToPath } from 'node:url'

const engine = (name: string): { find: RegExp; replacement: string } => ({
  find: new RegExp(String.raw`^#augurs/${name}\.wasm`),
  replacement: fileURLToPath(new URL(`./node_modules/@bsull/augurs/${name}_bg.wasm`, import.meta.url)),
})

/**
 * WebAssembly of augurs by a name of our own, `#augurs/ets.wasm`, with or without a query such as `?url`: its `exports` hide the files.
 * Used by the build and by tests. One rule a file: the build reads `$1_` in a replacement otherwise than tests do.
 */
export const wasmAlias = [engine('ets'), engine('mstl')]
