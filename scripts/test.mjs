// npm test: every check of the project; those of one line of ROUNDS side by side. The last line is `N passed, N failed`.
// --long runs the suites at their full counts. Names as arguments run only those steps: npm test -- lint types
import './guard.mjs'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.mjs'
import { localSettings, QUIET } from './local.mjs'

const args = process.argv.slice(2)
const long = args.includes('--long')
const only = args.filter((arg) => !arg.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'insikt-test-'))
const UPLOAD_MAX_KIB = 10 * 1024
const totals = { passed: 0, failed: 0, skipped: 0 }
const failures = []

/** Runs a program to its end: what it prints is shown as it comes, or kept where it is asked for. */
function run(command, commandArgs, { capture = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArgs, {
      stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
      env: { ...process.env, ...QUIET, ...(long ? { LONG: '1' } : {}), ...env },
    })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.on('error', () => resolve({ ok: false, output }))
    child.on('close', (status) => resolve({ ok: status === 0, output }))
  })
}

function check(name, ok) {
  totals[ok ? 'passed' : 'failed'] += 1
  if (!ok) failures.push(name)
}

/** Runs vitest projects, so many files at a time, and adds their own counts; a run that dies without a report is one failure. */
async function vitest(name, projects, { env = {}, workers = 2 } = {}) {
  const file = join(folder, `${name}.json`)
  const { ok } = await run(
    'vitest',
    [
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      `--maxWorkers=${workers}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { env },
  )
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    totals.passed += report.numPassedTests
    totals.failed += report.numFailedTests
    totals.skipped += report.numPendingTests + report.numTodoTests
    if (report.numFailedTests > 0) failures.push(`${name}: ${report.numFailedTests} tests`)
    else if (!ok) check(name, false)
  } catch {
    check(name, false)
  }
}

async function bundleSize() {
  const { ok, output } = await run('wrangler', ['deploy', '--dry-run', '--outdir', join(folder, 'bundle')], {
    capture: true,
  })
  const size = /gzip: ([\d.]+) KiB/.exec(output)
  console.log(size ? `Worker upload: ${size[1]} KiB gzipped (at most ${UPLOAD_MAX_KIB}).` : output)
  check('deploy --dry-run', ok && size !== null && Number(size[1]) <= UPLOAD_MAX_KIB)
}

function journeys() {
  const browser = findBrowser()
  if (browser) return vitest('journeys', ['e2e'], { env: { CHROME_PATH: browser } })
  console.log('Browser journeys skipped: no Chromium or Chrome found (set CHROME_PATH).')
  if (process.env.REQUIRE_BROWSER === '1') check('journeys (REQUIRE_BROWSER=1, no browser)', false)
  else totals.skipped += 1
}

const passes = async (name, command, commandArgs, options) => check(name, (await run(command, commandArgs, options)).ok)

const steps = {
  format: () => passes('format', 'prettier', ['--check', '--log-level', 'warn', '.']),
  lint: () => passes('lint', 'oxlint', ['--type-aware', '--quiet']),
  types: () => passes('types', 'tsc', ['-b']),
  unit: () => vitest('unit', ['worker', 'client', 'house', 'suites'], { workers: 3 }),
  build: () => passes('build', 'vite', ['build', '--logLevel', 'warn']),
  size: bundleSize,
  // At a twentieth of its size, to keep it working; its figures are nobody's limit.
  bench: () =>
    passes('bench', 'node', ['test/bench/bench.ts', '--rows', '50000', '--only', 'load,queries'], { capture: true }),
  faults: () => vitest('faults', ['faults']),
  journeys,
}
/** What stands in one line uses one core or waits a good deal, and runs side by side. */
const ROUNDS = [['format', 'types', 'build'], ['lint', 'size'], ['unit'], ['faults', 'bench'], ['journeys']]

localSettings()
const started = Date.now()
for (const round of ROUNDS) {
  const asked = round.filter((name) => only.length === 0 || only.includes(name))
  if (asked.length === 0) continue
  console.log(`\n── ${asked.join(', ')}`)
  await Promise.all(asked.map((name) => steps[name]()))
}
rmSync(folder, { recursive: true, force: true })
console.log(
  `\n${Math.round((Date.now() - started) / 1000)} s${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
)
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 ? 0 : 1)
