// npm test: every check of the project, one after the other; the last line is `N passed, N failed`.
// --long runs the suites at their full counts. Names as arguments run only those steps: npm test -- lint types
import './guard.mjs'
import { spawnSync } from 'node:child_process'
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

function run(command, commandArgs, { capture = false, env = {} } = {}) {
  const done = spawnSync(command, commandArgs, {
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...QUIET, ...(long ? { LONG: '1' } : {}), ...env },
  })
  return { ok: done.status === 0, output: done.stdout ?? '' }
}

function check(name, ok) {
  totals[ok ? 'passed' : 'failed'] += 1
  if (!ok) failures.push(name)
}

/** Runs vitest projects, two files at a time where asked, and adds their own counts; a run that dies without a report is one failure. */
function vitest(name, projects, { env = {}, parallel = false } = {}) {
  const file = join(folder, `${name}.json`)
  const { ok } = run(
    'vitest',
    [
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...(parallel ? ['--maxWorkers=2'] : []),
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

function bundleSize() {
  const { ok, output } = run('wrangler', ['deploy', '--dry-run', '--outdir', join(folder, 'bundle')], { capture: true })
  const size = /gzip: ([\d.]+) KiB/.exec(output)
  console.log(size ? `Worker upload: ${size[1]} KiB gzipped (at most ${UPLOAD_MAX_KIB}).` : output)
  check('deploy --dry-run', ok && size !== null && Number(size[1]) <= UPLOAD_MAX_KIB)
}

function journeys() {
  const browser = findBrowser()
  if (browser) return vitest('journeys', ['e2e'], { env: { CHROME_PATH: browser }, parallel: true })
  console.log('Browser journeys skipped: no Chromium or Chrome found (set CHROME_PATH).')
  if (process.env.REQUIRE_BROWSER === '1') check('journeys (REQUIRE_BROWSER=1, no browser)', false)
  else totals.skipped += 1
}

const steps = {
  format: () => check('format', run('prettier', ['--check', '--log-level', 'warn', '.']).ok),
  lint: () => check('lint', run('oxlint', ['--type-aware', '--quiet']).ok),
  types: () => check('types', run('tsc', ['-b']).ok),
  unit: () => vitest('unit', ['worker', 'client', 'house', 'suites'], { parallel: true }),
  build: () => check('build', run('vite', ['build', '--logLevel', 'warn']).ok),
  size: bundleSize,
  // At a twentieth of its size, to keep it working; its figures are nobody's limit.
  bench: () =>
    check(
      'bench',
      run('node', ['test/bench/bench.ts', '--rows', '50000', '--only', 'load,queries'], { capture: true }).ok,
    ),
  faults: () => vitest('faults', ['faults'], { parallel: true }),
  journeys,
}

localSettings()
const started = Date.now()
for (const [name, step] of Object.entries(steps)) {
  if (only.length > 0 && !only.includes(name)) continue
  console.log(`\n── ${name}`)
  step()
}
rmSync(folder, { recursive: true, force: true })
console.log(
  `\n${Math.round((Date.now() - started) / 1000)} s${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
)
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 ? 0 : 1)
