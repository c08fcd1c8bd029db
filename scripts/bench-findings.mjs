// npm run bench:findings [-- --sets 1800]: data sets with planted effects and of pure noise (test/worker/planted), through
// the findings engine. Two families of seeds: one the engine was worked out with, one held out. `--sets`: sets of pure
// noise of the latter; the others go with it. Prints recall by kind and size, false findings and the time taken; 1 when
// a goal is missed.
import './guard.mjs'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { sets: { type: 'string', default: '1800' } } })
const sets = Number(values.sets)
if (!Number.isInteger(sets) || sets < 20) {
  console.error('Usage: npm run bench:findings [-- --sets N], N ≥ 20')
  process.exit(2)
}
const { module } = await runnerImport('/test/worker/planted/report.ts', { configFile: false, logLevel: 'error' })
const share = (part) => Math.round(sets * part)
const { lines, isMet } = module.report(
  {
    tuning: { planted: share(0.2), noise: share(0.2) },
    heldOut: { planted: share(0.6), noise: sets },
  },
  () => performance.now(),
)
console.log(lines.join('\n'))
process.exit(isMet ? 0 : 1)
