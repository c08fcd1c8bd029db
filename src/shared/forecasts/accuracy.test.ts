import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildAccuracyLog, actualsKnownBy, type PastRun } from './accuracy'

const MONTHS = Array.from({ length: 30 }, (_, at) => new Date(Date.UTC(2025, at, 1)).toISOString().slice(0, 10))
/** A run that knew the first `known` values, and says `said` for what comes, give or take 1, 2 and 3. */
function run(
  number: number,
  { past, said, season = 1 }: { past: (number | null)[]; said: number[]; season?: number },
): PastRun {
  const band = (by: number) => ({ lower: said.map((one) => one - by), upper: said.map((one) => one + by) })
  return {
    ...{ id: `frn_${number}`, number, startedAt: '2026-01-01T00:00:00.000Z' },
    snapshot: {
      grain: 'month',
      periods: MONTHS.slice(0, past.length),
      future: MONTHS.slice(past.length, past.length + said.length),
      raw: past,
      path: { mean: said, bands: { 50: band(1), 80: band(2), 95: band(3) } },
      season,
    },
  }
}
const known = (values: (number | null)[]) => ({
  grain: 'month' as const,
  periods: MONTHS.slice(0, values.length),
  values,
})

describe('the log of past forecasts', () => {
  it('holds what each run said against what came, with counts of each band and naive beside it', () => {
    const log = buildAccuracyLog([run(1, { past: [10, 12, 14], said: [16, 18, 20] })], known([10, 12, 14, 15, 20]))
    expect(log.runs).toMatchObject([
      {
        ...{ runId: 'frn_1', origin: '2025-03-01', checks: 2, restatedPast: 0, counts: true },
        steps: [
          { step: 1, said: 16, came: 15, error: 1, naive: 14, inside: { 50: true, 80: true, 95: true } },
          { step: 2, said: 18, came: 20, error: -2, naive: 14, inside: { 50: false, 80: true, 95: true } },
        ],
        ...{ mae: 1.5, bias: -0.5, mase: 0.75, held: { 50: 1, 80: 2, 95: 2 }, naive: { mae: 3.5, mase: 1.75 } },
      },
    ])
    expect(log).toMatchObject({ waiting: 0, unrestated: null, overall: { checks: 2, mae: 1.5 } })
    expect(log.steps.map(({ step, checks, mae }) => [step, checks, mae])).toEqual([
      [1, 1, 1],
      [2, 1, 2],
    ])
  })

  it('repeats the last season as it was known at the time, over holes', () => {
    const past = [1, 2, null, 4, 5, null, 3, 8]
    const log = buildAccuracyLog([run(1, { past, said: [0, 0, 0, 0], season: 4 })], known([...past, 9, 9, 9, 9]))
    expect(log.runs[0]?.steps.map(({ naive }) => naive)).toEqual([5, 2, 3, 8])
  })

  it('counts runs that knew equally much once, and waits for those of which nothing has come', () => {
    const runs = [
      run(1, { past: [10, 12], said: [30] }),
      run(2, { past: [10, 12], said: [14] }),
      run(3, { past: [10, 12, 14], said: [16] }),
    ]
    const log = buildAccuracyLog(runs, known([10, 12, 14]))
    expect(log.runs.map(({ number, counts }) => [number, counts])).toEqual([
      [2, true],
      [1, false],
    ])
    expect([log.overall.checks, log.overall.mae, log.waiting]).toEqual([1, 0, 1])
    // Those of a time that is not looked at any more wait for nothing.
    const later = { grain: 'month' as const, periods: MONTHS.slice(3, 5), values: [15, 16] }
    expect(buildAccuracyLog(runs, later)).toMatchObject({ runs: [{ number: 3 }], waiting: 0 })
  })

  it('tells apart what rests on figures that were changed afterwards', () => {
    const runs = [
      run(1, { past: [10, 12], said: [14, 16] }),
      run(2, { past: [10, 12, 14], said: [16] }),
      run(3, { past: [11, 12, 14, 16], said: [18] }),
    ]
    const log = buildAccuracyLog(runs, known([11, 12, 15, 16, 18]))
    expect(log.runs.map(({ number, restatedPast }) => [number, restatedPast])).toEqual([
      [3, 1],
      [2, 2],
      [1, 1],
    ])
    expect(log.runs[2]?.steps.map(({ came, cameFirst }) => [came, cameFirst])).toEqual([
      [15, 14],
      [16, null],
    ])
    expect([log.overall.checks, log.unrestated?.checks]).toEqual([4, 0])
    expect(log.unrestated?.mae).toBe(null)
  })

  it('leaves out the running period, also where it counted as it stood', () => {
    const { snapshot: result } = run(1, { past: [1, 2, 3], said: [4] })
    expect(actualsKnownBy(result, '2025-03-31').periods).toHaveLength(2)
    expect(actualsKnownBy(result, '2025-04-01').periods).toHaveLength(3)
  })

  it('never counts a period that a run knew, nor one twice, whatever was run', () => {
    const value = fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { nil: null, freq: 6 })
    const history = fc.array(value, { minLength: 4, maxLength: 24 })
    const origins = fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 6 })
    fc.assert(
      fc.property(history, origins, fc.integer({ min: 1, max: 6 }), (values, made, season) => {
        const runs = made.map((origin, at) =>
          run(at + 1, { past: values.slice(0, origin), said: [1, 2, 3, 4, 5], season }),
        )
        const log = buildAccuracyLog(runs, known(values))
        const counted = log.runs.filter(({ counts }) => counts)
        expect(new Set(counted.map(({ origin }) => origin)).size).toBe(counted.length)
        for (const { origin, steps } of log.runs)
          for (const { period, came } of steps) {
            expect(period > origin).toBe(true)
            expect(came).toBe(values[MONTHS.indexOf(period)])
          }
        expect(log.overall.checks).toBe(counted.reduce((sum, { checks }) => sum + checks, 0))
        expect(log.overall.held[50]).toBeLessThanOrEqual(log.overall.held[80])
        expect(log.overall.held[80]).toBeLessThanOrEqual(log.overall.held[95])
        expect(log.runs.length + log.waiting).toBe(runs.length)
        expect(log.unrestated).toBe(null)
      }),
    )
  })
})
