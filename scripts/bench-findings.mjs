// npm run bench:findings [-- --sets 500]: data sets with planted effects and of pure noise (test/worker/planted), through
// the findings engine. Prints recall by kind and size, false findings and the time taken; 1 when a goal is missed.
import './guard.mjs'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { sets: { type: 'string', default: '500' } } })
const sets = Number(values.sets)
if (!Number.isInteger(sets) || sets < 20) {
  console.error('Usage: npm run bench:findings [-- --sets N], N ≥ 20')
  process.exit(2)
}
const { module } = await runnerImport('/test/worker/planted/report.ts', { configFile: false, logLevel: 'error' })
const { lines, isMet } = module.report(sets, () => performance.now())
console.log(lines.join('\n'))
process.exit(isMet ? 0 : 1)
