// npm run attack [-- --count 100000 --seed 7]: requests as nobody's page sends them, at a Worker in the test runtime.
// npm run chaos [-- --count 20 --seed 7]: a server killed at random moments of its work, and looked at after each.
// Both print their seed; the same seed sends the same again.
import './guard.mjs'
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { localSettings, QUIET, run } from './local.mjs'

const KINDS = {
  attack: { project: 'worker', file: 'src/http/fuzz.test.ts', count: '100000' },
  chaos: { project: 'faults', file: 'test/faults/chaos.test.ts', count: '20' },
}
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string', default: '' } },
})
const [name] = positionals
const kind = KINDS[name]
if (!kind) {
  console.error(`Say which: ${Object.keys(KINDS).join(' or ')}.`)
  process.exit(2)
}
localSettings()
if (kind.project === 'faults') run('vite', 'build', '--logLevel', 'warn')
const { status } = spawnSync('vitest', ['run', '--project', kind.project, kind.file], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...QUIET,
    LONG: '1',
    HARDENING_COUNT: values.count ?? kind.count,
    HARDENING_SEED: values.seed,
  },
})
process.exit(status ?? 1)
