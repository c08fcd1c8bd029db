// npm run test:changed: the checks that a change can reach, in less than a minute. The last line is `N passed, N failed`.
// What changed against HEAD, or the files named as arguments: npm run test:changed -- src/mail/deliver.ts
import './guard.mjs'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize, relative } from 'node:path'
import { ONE_CHECKER, QUIET, TYPES } from './local.mjs'

/** Everything is wired together here: what is behind them is reached by every test of the whole app. */
const HUBS = new Set(['src/app.ts', 'src/worker.ts', 'src/deps.ts'])
const SCRIPT = /\.(?:[cm]?js|tsx?)$/
const TEST = /^(?:(?:src|client)\/.*|test\/[^/]*)\.test\.tsx?$/
/** They need the build, a browser or minutes: npm test. */
const SLOW = /^test\/(?:e2e|faults|suites)\/.*\.test\.ts$/
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"?]+)/g
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.js', '/index.ts', '/index.tsx']

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
const named = process.argv.slice(2).map((file) => relative('.', file))
const diff = ['diff', '--name-only', '--relative', 'HEAD']
const touched = named.length > 0 ? named : [...git(...diff), ...git('ls-files', '--others', '--exclude-standard')]
const changed = touched.filter((file) => existsSync(file))
const totals = { passed: 0, failed: 0 }
const folder = mkdtempSync(join(tmpdir(), 'insikt-changed-'))

/** The tests that reach one of the files over imports, and those beside them. */
function testsOf(files) {
  const all = [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')].filter((f) => SCRIPT.test(f))
  const known = new Set([...all, ...files])
  const importers = new Map()
  for (const file of all.filter((each) => existsSync(each))) {
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const base = normalize(join(dirname(file), path)).replaceAll('\\', '/')
      const target = ENDINGS.map((ending) => base + ending).find((each) => known.has(each))
      if (target) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  const reached = new Set(files)
  for (const file of reached) {
    if (HUBS.has(file) && !files.includes(file)) continue
    for (const importer of importers.get(file) ?? []) reached.add(importer)
  }
  const folders = new Set(files.map((file) => dirname(file)))
  return all.filter((file) => TEST.test(file) && existsSync(file) && (reached.has(file) || folders.has(dirname(file))))
}

/** Runs a program to its end: whether it succeeded. */
async function run(name, command, args, env = {}) {
  const since = Date.now()
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...QUIET, ...env },
  })
  const ok = await new Promise((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (status) => resolve(status === 0))
  })
  console.log(`── ${name}: ${ok ? 'passed' : 'failed'}, ${((Date.now() - since) / 1000).toFixed(1)} s`)
  return ok
}
const check = async (...step) => void (totals[(await run(...step)) ? 'passed' : 'failed'] += 1)

async function vitest(files) {
  const report = join(folder, 'report.json')
  const projects = ['worker', 'client', 'house'].flatMap((project) => ['--project', project])
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`]
  const ok = await run('tests', 'vitest', ['run', ...files, ...projects, '--maxWorkers=2', ...reporters])
  const { numPassedTests, numFailedTests } = existsSync(report)
    ? JSON.parse(readFileSync(report, 'utf8'))
    : { numPassedTests: 0, numFailedTests: 0 }
  totals.passed += numPassedTests
  totals.failed += numFailedTests
  if (!ok && numFailedTests === 0) totals.failed += 1
}

const since = Date.now()
console.log(`Changed: ${touched.join(' ') || 'nothing'}`)
const scripts = changed.filter((file) => SCRIPT.test(file))
const steps = []
if (touched.length > 0) steps.push(check('types', 'tsc', TYPES, ONE_CHECKER))
if (changed.length > 0) steps.push(check('format', 'oxfmt', ['--check', '--no-error-on-unmatched-pattern', ...changed]))
await Promise.all(steps)
if (scripts.length > 0) await check('lint', 'oxlint', ['--type-aware', '--quiet', ...scripts], ONE_CHECKER)
const tests = testsOf(touched)
console.log(`${tests.length} test files: ${tests.join(' ')}`)
if (tests.length > 0) await vitest(tests)
const slow = changed.filter((file) => SLOW.test(file))
if (slow.length > 0) console.log(`Not run here, but by npm test: ${slow.join(' ')}`)
rmSync(folder, { recursive: true, force: true })
console.log(`${((Date.now() - since) / 1000).toFixed(1)} s in all`)
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 ? 0 : 1)
