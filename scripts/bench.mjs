// npm run bench [-- --rows 1000000 --only load,queries,fairness-queries,fairness-open,findings,forecasts,requests,mixed,live,sign-in,browser --store]: builds, then measures (test/bench).
// More rows than a person may load need a build with higher caps; it is thrown away afterwards.
import './guard.mjs'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findBrowser } from './browser.mjs'
import { localSettings, QUIET } from './local.mjs'

const ROWS_AS_SHIPPED = 2_000_000
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } }, strict: false })
const raised = Number(values.rows) > ROWS_AS_SHIPPED
const env = { ...process.env, ...QUIET, RAISED_CAPS: raised ? '1' : '0', CHROME_PATH: findBrowser() ?? '' }
const run = (command, args) => spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1

localSettings()
let status = run('vite', ['build', '--logLevel', 'warn'])
if (status === 0) status = run('node', ['test/bench/bench.ts', ...process.argv.slice(2)])
if (raised) rmSync('dist', { recursive: true, force: true })
process.exit(status)
