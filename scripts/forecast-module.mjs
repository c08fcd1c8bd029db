// Builds the forecast model as modules for Node, with augurs' WebAssembly beside them, and answers where they lie.
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
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: {
        input: { forecast: 'test/bench/forecast/module.ts', report: 'test/bench/forecast/report.ts' },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  })
  return { module: join(folder, 'forecast.mjs'), report: join(folder, 'report.mjs') }
}
