// npm test: every check of the project, as many steps side by side as ROOM says. The last line is `N passed, N failed`.
// --long runs the suites at their full counts. Names as arguments run only those steps: npm test -- lint types
import './guard.mjs'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findBrowser } from './browser.mjs'
import { localSettings, ONE_CHECKER, QUIET, TYPES } from './local.mjs'

const args = process.argv.slice(2)
const long = args.includes('--long')
const only = args.filter((arg) => !arg.startsWith('--'))
const folder = mkdtempSync(join(tmpdir(), 'insikt-test-'))
const UPLOAD_MAX_KIB = 10 * 1024
const totals = { passed: 0, failed: 0, skipped: 0 }
const failures = []
/** Journeys that failed among the others, and files whose process died, that passed by themselves: a debt to mend, not a failure. */
const unsteady = []
const seconds = (since) => ((Date.now() - since) / 1000).toFixed(1)

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

/** Runs vitest projects, so many files at a time; answers its report, or null when it died without one. */
async function vitestReport(name, projects, { env = {}, workers = 2, files = [] } = {}) {
  const file = join(folder, `${name}.json`)
  rmSync(file, { force: true })
  const { ok } = await run(
    'vitest',
    [
      'run',
      ...files,
      ...projects.flatMap((project) => ['--project', project]),
      `--maxWorkers=${workers}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    { env },
  )
  try {
    return { ok, ...JSON.parse(readFileSync(file, 'utf8')) }
  } catch {
    return null
  }
}

function count(name, report) {
  if (!report) return check(name, false)
  totals.passed += report.numPassedTests
  totals.failed += report.numFailedTests
  totals.skipped += report.numPendingTests + report.numTodoTests
  if (report.numFailedTests > 0) failures.push(`${name}: ${report.numFailedTests} tests`)
  else if (!report.ok) check(name, false)
}

const vitest = async (name, projects, options) => count(name, await vitestReport(name, projects, options))

async function bundleSize() {
  const { ok, output } = await run('wrangler', ['deploy', '--dry-run', '--outdir', join(folder, 'bundle')], {
    capture: true,
  })
  const size = /gzip: ([\d.]+) KiB/.exec(output)
  console.log(size ? `Worker upload: ${size[1]} KiB gzipped (at most ${UPLOAD_MAX_KIB}).` : output)
  check('deploy --dry-run', ok && size !== null && Number(size[1]) <= UPLOAD_MAX_KIB)
}

async function journeys() {
  const browser = findBrowser()
  if (!browser) {
    console.log('Browser journeys skipped: no Chromium or Chrome found (set CHROME_PATH).')
    if (process.env.REQUIRE_BROWSER === '1') check('journeys (REQUIRE_BROWSER=1, no browser)', false)
    else totals.skipped += 1
    return
  }
  const report = await vitestReport('journeys', ['e2e'], { env: { CHROME_PATH: browser }, workers: BUSY.journeys })
  const fell = (report?.testResults ?? []).filter(({ status }) => status === 'failed')
  if (!report || fell.length === 0) return count('journeys', report)
  await journeysAgain(browser, report, fell)
}

/** Files of journeys that failed are run once more by themselves, with trace and pictures kept. Nothing else is tried twice. */
async function journeysAgain(browser, report, fell) {
  const files = fell.map(({ name }) => relative('.', name))
  console.log(`\n── again by themselves: ${files.join(', ')}`)
  const again = await vitestReport('journeys-again', ['e2e'], {
    env: { CHROME_PATH: browser, TRACE: '1' },
    workers: 1,
    files,
  })
  const inFell = fell.flatMap(({ assertionResults }) => assertionResults)
  const rest = (status) => inFell.filter((test) => test.status === status).length
  const others = { ...report, ok: true, numFailedTests: 0, numPassedTests: report.numPassedTests - rest('passed') }
  count('journeys', again ? others : report)
  if (!again) return
  count('journeys', again)
  const passed = (again.testResults ?? []).filter(({ status }) => status === 'passed')
  unsteady.push(...passed.map(({ name }) => relative('.', name)))
}

const passes = async (name, command, commandArgs, options) => check(name, (await run(command, commandArgs, options)).ok)

/** Foreign files lie beside the project, or nowhere: a runtime for tests of none is not started. */
async function unit() {
  const { suiteFolders } = await import('../test/suite-door.ts')
  const projects = ['worker', 'client', 'house']
  if (Object.keys(suiteFolders()).length > 0) projects.push('suites')
  else totals.skipped += 1
  // One more than compute: a file waits a third of its time.
  const report = await vitestReport('unit', projects, { workers: BUSY.unit + 1 })
  if (report && !report.ok && report.numFailedTests === 0) return unheard(projects, report)
  count('unit', report)
}

/** Files whose process died or never started have no result, good or bad: they are run by themselves. A test that failed is never tried twice. */
async function unheard(projects, report) {
  const whole = report.testResults.filter(({ status }) => status === 'passed')
  const heard = new Set(whole.map(({ name }) => name))
  const files = (await filesOf(projects)).filter((file) => !heard.has(file)).map((file) => relative('.', file))
  if (files.length === 0) return count('unit', report)
  console.log(`\n── no result of ${files.length} files, once more: ${files.slice(0, 5).join(', ')} …`)
  const again = await vitestReport('unit-again', projects, { workers: BUSY.unit, files })
  const tests = whole.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  count('unit', {
    ...report,
    ok: true,
    numPassedTests: passed,
    numPendingTests: tests.length - passed,
    numTodoTests: 0,
  })
  count('unit', again)
  unsteady.push(...files)
}

/** Every test file of these projects, by its whole path. */
async function filesOf(projects) {
  const chosen = projects.flatMap((project) => ['--project', project])
  const { output } = await run('vitest', ['list', '--filesOnly', '--json', ...chosen], { capture: true })
  return JSON.parse(output.slice(output.indexOf('['))).map(({ file }) => file)
}

const steps = {
  format: () => passes('format', 'oxfmt', ['--check']),
  lint: () => passes('lint', 'oxlint', ['--type-aware', '--quiet'], { env: ONE_CHECKER }),
  types: () => passes('types', 'tsc', TYPES, { env: ONE_CHECKER }),
  unit,
  build: () => passes('build', 'vite', ['build', '--logLevel', 'warn']),
  size: bundleSize,
  // At a fraction of its size, to keep it working; its figures are nobody's limit.
  bench: () =>
    passes('bench', 'node', ['test/bench/bench.ts', '--rows', '5000', '--only', 'load,queries'], { capture: true }),
  faults: () => vitest('faults', ['faults'], { workers: 2 }),
  journeys,
}
/** How many processes of a step compute at once. Faults wait more than they compute: for servers to come back, and for what was cut off to be let go. */
const BUSY = { build: 1, types: 1, unit: 2, lint: 1, faults: 1, bench: 1, size: 1, format: 1, journeys: 3 }
/** So many may compute at once, on two processors: one waits now and then. */
const ROOM = 3
/** They serve or weigh what was built. */
const BUILT = new Set(['faults', 'bench', 'size', 'journeys'])

async function step(name) {
  const since = Date.now()
  await steps[name]()
  console.log(`── ${name}: ${seconds(since)} s`)
  return [name, seconds(since)]
}

/** Starts each step, in their order, as soon as there is room for it; answers what each took. */
async function inOrder(names) {
  const running = new Map()
  const took = []
  const mustWait = (name) =>
    [...running.keys(), name].reduce((sum, each) => sum + BUSY[each], 0) > ROOM ||
    (BUILT.has(name) && running.has('build'))
  for (const name of names) {
    while (running.size > 0 && mustWait(name)) await Promise.race(running.values())
    console.log(`\n── ${name} begins`)
    const end = (line) => {
      running.delete(name)
      took.push(line)
    }
    running.set(name, step(name).then(end))
  }
  await Promise.all(running.values())
  return took
}

localSettings()
const started = Date.now()
const took = await inOrder(Object.keys(BUSY).filter((name) => only.length === 0 || only.includes(name)))
rmSync(folder, { recursive: true, force: true })
console.log(`\n${took.map(([name, time]) => `${name} ${time} s`).join(' · ')}`)
console.log(`${seconds(started)} s in all${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`)
for (const failure of failures) console.log(`failed: ${failure}`)
for (const file of unsteady) console.log(`unsteady: ${file} (failed among the others, passed by itself: mend it)`)
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 ? 0 : 1)
