import type { ForecastPath, ForecastResult } from '../../../src/shared/forecasts/result'
import type { Forecast, ForecastRunWithResult } from '../../../src/shared/forecasts/forecasts'
import { addMonths } from '../../../src/shared/figures/time-buckets'

/** Made-up forecasts, for tests. */
export const FORECAST_ID = 'fct_00000000000000000001'
export const RUN_ID = 'fcr_00000000000000000002'

const months = (from: string, count: number): string[] => Array.from({ length: count }, (_, at) => addMonths(from, at))
const seasonal = (at: number): number => (at % 12 === 11 ? 20_000 : 0)

export function pathOf(mean: number[]): ForecastPath {
  const band = (by: number) => ({ lower: mean.map((one) => one - by), upper: mean.map((one) => one + by) })
  return { mean, bands: { 50: band(5000), 80: band(10_000), 95: band(20_000) } }
}

/** January 2023 to October 2026, about 100 000 kr a month, and twelve months ahead. */
export function resultOf(over: Partial<ForecastResult> = {}): ForecastResult {
  const periods = months('2023-01-01', 46)
  const values = periods.map((_, at) => 100_000 + seasonal(at))
  const mean = Array.from({ length: 12 }, (_, at) => 105_000 + seasonal(46 + at))
  return {
    ...{ v: 1, grain: 'month', periods, future: months('2026-11-01', 12), asked: 12, values, raw: values },
    total: {
      ...{ member: null, label: null, state: 'ready', method: 'blend', path: pathOf(mean) },
      card: {
        ...{ route: 'blend', members: ['theta', 'dotm', 'ets'], dropped: [], combined: 'median', season: 12 },
        ...{ seasonKind: 'multiplicative', longSeason: null, used: 46, withoutEngines: false },
      },
      trials: [{ what: 'holidays', gain: 0.001, kept: false }],
      ...{ filled: [3], outliers: [{ at: 30, value: 400_000, expected: 100_000, dampened: false }] },
      ...{ from: 0, shape: 'varied' },
      backtest: {
        season: 12,
        folds: [{ origin: 34, actual: values.slice(34), path: pathOf(values.slice(34)) }],
        used: {
          ...{ mae: 4200, mape: 0.042, mase: 0.8, bias: 500, coverage: { 50: 0.5, 80: 29 / 36, 95: 0.97 } },
          ...{ checks: 36, steps: [] },
        },
        blend: { mase: 0.8, mae: 4200 },
        naive: { mase: 1.3, mae: 7000 },
        seasonalNaive: { mase: 1, mae: 5600 },
        ...{ method: 'blend', grade: 'B' },
      },
      components: {
        ...{ kind: 'multiplicative', first: 0, trend: values.map(() => 100_000) },
        ...{ season: values.map((_, at) => 1 + seasonal(at) / 100_000), rest: values.map(() => 1) },
      },
    },
    parts: [],
    incomplete: { period: '2026-11-01', value: 41_000 },
    ...{ balance: null, drivers: [], format: { style: 'currency', currency: 'SEK' }, direction: 'up' },
    ...{ conversion: null, inputHash: 'a1b2' },
    ...over,
  }
}

/** The whole, and two parts of it: six and four tenths. */
export function splitResult(): ForecastResult {
  const whole = resultOf()
  const share = (label: string, by: number): ForecastResult['parts'][number] => ({
    ...{ ...whole.total, member: label, label, path: pathOf(whole.total.path.mean.map((one) => one * by)) },
    values: whole.values.map((value) => (value === null ? null : value * by)),
  })
  return { ...whole, parts: [share('Tools', 0.6), share('Paint', 0.4)] }
}

export function runOf(result: ForecastResult | null, over: Partial<ForecastRunWithResult> = {}): ForecastRunWithResult {
  return {
    ...{ id: RUN_ID, number: 2, state: 'ready', startedAt: '2026-11-20T08:00:00.000Z' },
    ...{ finishedAt: '2026-11-20T08:00:03.000Z', trouble: null, dataAsOf: '2026-11-20T07:00:00.000Z' },
    ...{ grade: 'B', byName: 'Anna Lindqvist', result },
    ...over,
  }
}

export function forecastOf(over: Partial<Forecast> = {}): Forecast {
  const { result: _result, ...lastRun } = runOf(null)
  return {
    ...{ id: FORECAST_ID, name: 'Sales next year', subjectName: 'Sales by month' },
    subject: { kind: 'insight', id: 'ins_00000000000000000001', measure: 0 },
    ...{ filters: [], by: null, grain: 'month', horizon: 12, historyFrom: null, ignoreIncomplete: 'auto' },
    ...{ season: 'auto', holidays: 'auto', dampOutliers: false, level: 80, floor: null, ceiling: null },
    ...{ events: [], accumulate: null, scenarios: [], thresholds: [], state: 'ready', frozen: false },
    ...{ lastRun, ready: runOf(resultOf()), ownerId: 'usr_anna', ownerName: 'Anna Lindqvist', version: 3 },
    ...{ createdAt: '2026-11-01T08:00:00.000Z', updatedAt: '2026-11-20T08:00:00.000Z' },
    ...over,
  }
}
