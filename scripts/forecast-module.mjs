// Builds the forecast model as a module for Node, with augurs' WebAssembly beside it, and answers where it lies.
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { build } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')

export async function builtForecast() {
  const folder = join(ROOT, 'dist/forecast')
  mkdirSync(folder, { recursive: true })
  const augurs = dirname(createRequire(import.meta.url).resolve('@bsull/augurs/ets'))
  for (const name of ['ets_bg.wasm', 'mstl_bg.wasm']) copyFileSync(join(augurs, name), join(folder, name))
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: 'test/bench/forecast/module.ts',
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'forecast.mjs' } },
    },
  })
  return join(folder, 'forecast.mjs')
}
