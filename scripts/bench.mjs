// npm run bench [-- --rows 1000000 --only load,queries,reports,exports,variants,access,billed,fairness-queries,fairness-open,open-large,findings,bot,forecasts,requests,mixed,live-board,live,push,sign-in,browser --store]: builds, then measures (test/bench).
import './guard.mjs'
import { spawnSync } from 'node:child_process'
import { findBrowser } from './browser.mjs'
import { localSettings, QUIET } from './local.mjs'

const env = { ...process.env, ...QUIET, CHROME_PATH: findBrowser() ?? '' }
const run = (command, args) => spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1

localSettings()
let status = run('vite', ['build', '--logLevel', 'warn'])
if (status === 0) status = run('node', ['test/bench/bench.ts', ...process.argv.slice(2)])
process.exit(status)
