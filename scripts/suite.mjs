// npm run suite -- KIND [--dir DIR]: the product's own readers, in workerd, over a folder of foreign files with what is
// right for each. Prints every difference and `N passed, M failed`. Differences are a figure, so the exit code is 0 when
// the suite ran; 1 when it could not run, 2 when asked wrongly.
import './guard.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { localSettings, QUIET } from './local.mjs'

const KINDS = [
  'csv',
  'xlsx',
  'json',
  'parquet',
  'sie',
  'business',
  'findings',
  'nlq',
  'nlq-business',
  'nlq-golden',
  'nlq-held-out',
]
const USAGE = `Usage: npm run suite -- ${KINDS.join('|')} [--dir DIR] | forecast`

function stop(message, code) {
  console.error(message)
  process.exit(code)
}

const args = process.argv.slice(2)
// No folder of files, but a module for the tools that evaluate forecasts.
if (args.join(' ') === 'forecast') {
  await import('./suite-forecast.mjs')
  process.exit(0)
}
const at = args.indexOf('--dir')
const given = at < 0 ? undefined : args.splice(at, 2)[1]
const [kind, ...others] = args
if (!KINDS.includes(kind) || others.length > 0 || (at >= 0 && !given)) stop(USAGE, 2)
const from = process.env.INIT_CWD ?? process.cwd()
// The business questions in words are asked of the same tables; golden questions are the project's own.
const HOMES = {
  'nlq-business': '../../shared/data/business',
  'nlq-golden': '../test/fixtures/nlq',
  'nlq-held-out': '../test/fixtures/nlq',
}
const home = HOMES[kind] ?? `../../shared/data/${kind}`
const folder = given ? resolve(from, given) : resolve(import.meta.dirname, home)
if (!existsSync(folder))
  stop(
    `There is no folder ${folder}. Put the files and their expected results there, or name another folder with --dir.`,
    2,
  )

localSettings()
const work = mkdtempSync(join(tmpdir(), 'insikt-suite-'))
const reportFile = join(work, 'report.txt')
const done = spawnSync('vitest', ['run', '--project', 'suites', 'test/suites/run.test.ts'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  timeout: 15 * 60 * 1000,
  env: { ...process.env, ...QUIET, SUITE_KIND: kind, SUITE_DIR: folder, SUITE_REPORT: reportFile },
})
const report = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : null
rmSync(work, { recursive: true, force: true })
console.log(report ?? `${done.stdout}${done.stderr}`)
if (report === null) stop('The suite could not run.', 1)
