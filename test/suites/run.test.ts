import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { businessSuite } from './business'
import { csvSuite } from './csv'
import { findingsSuite } from './findings'
import { jsonSuite } from './json'
import { nlqGoldenSuite, nlqHeldOutSuite } from './nlq-golden'
import { nlqBusinessSuite, nlqSuite } from './nlq'
import { parquetSuite } from './parquet'
import { sieSuite } from './sie'
import { measure, report, suiteFiles, type Suite, type SuiteCase } from './suite'
import { xlsxSuite } from './xlsx'

/** Every kind of suite there is. */
const SUITES: Record<string, Suite> = {
  csv: csvSuite,
  xlsx: xlsxSuite,
  json: jsonSuite,
  parquet: parquetSuite,
  sie: sieSuite,
  business: businessSuite,
  findings: findingsSuite,
  nlq: nlqSuite,
  'nlq-business': nlqBusinessSuite,
  'nlq-golden': nlqGoldenSuite,
  'nlq-held-out': nlqHeldOutSuite,
}

const MAX_MS = 5000
const MAX_BYTES = 300 * 1024 * 1024
const MIB = 1024 * 1024

interface Outcome {
  passed: number
  failed: number
  lines: string[]
}

async function judge(suiteCase: SuiteCase): Promise<{ faults: string[]; cost: string; isRight: boolean }> {
  const crash = (error: unknown): string[] => [`crash: ${String(error)}`]
  const missing = await suiteCase.prepare().then(() => [], crash)
  const before = await measure(true)
  const faults = missing.length > 0 ? missing : await suiteCase.check().catch(crash)
  const after = await measure(false)
  const ms = Math.round(after.ms - before.ms)
  const bytes = Math.max(0, (after.memory?.peak ?? 0) - (before.memory?.now ?? 0))
  if (ms > MAX_MS) faults.push(`took ${ms} ms, at most ${MAX_MS}`)
  if (bytes > MAX_BYTES) faults.push(`took ${Math.round(bytes / MIB)} MB of memory, at most ${MAX_BYTES / MIB}`)
  const isSlow = ms > MAX_MS || bytes > MAX_BYTES
  const isRight = suiteCase.isRight ? suiteCase.isRight() && !isSlow : faults.length === 0
  return { faults, isRight, cost: `${ms} ms${after.memory ? `, ${Math.round(bytes / MIB)} MB` : ''}` }
}

async function runSuite(kind: string, suite: Suite): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failed: 0, lines: [] }
  const totals: (() => string[])[] = []
  for (const suiteCase of await suite.cases(suiteFiles(kind), (lines) => totals.push(lines))) {
    const { faults, cost, isRight } = await judge(suiteCase)
    outcome[isRight ? 'passed' : 'failed'] += 1
    const verdict = suiteCase.verdict?.() ?? (isRight ? 'pass' : 'FAIL')
    outcome.lines.push(`${verdict}  ${suiteCase.name} (${cost})`, ...faults.map((fault) => `    ${fault}`))
  }
  outcome.lines.push(...totals.flatMap((lines) => lines()))
  outcome.lines.push(`${outcome.passed} passed, ${outcome.failed} failed`)
  return outcome
}

const chosen = env.SUITE_KIND === '' ? null : env.SUITE_KIND
/** Questions in words load whole databases: the short run has the project's own, in a test of their own. */
const isOfLongRun = (kind: string): boolean => env['LONG'] !== '1' && kind.startsWith('nlq')

describe('foreign files, read in the Worker (skipped where the folder is not at hand)', () => {
  for (const [kind, suite] of Object.entries(SUITES)) {
    const atHand = env.SUITE_FOLDERS.includes(kind)
    const isAsked = chosen === null ? !isOfLongRun(kind) : chosen === kind
    it.skipIf(!atHand || !isAsked)(`${kind}: at least ${suite.floor} as they are meant`, async () => {
      const { lines, passed } = await runSuite(kind, suite)
      await report(lines.join('\n'))
      // A run by hand shows figures of any folder; only the project's own run is held to its floor.
      if (chosen === null) expect(passed, lines.join('\n')).toBeGreaterThanOrEqual(suite.floor)
    })
  }
})
