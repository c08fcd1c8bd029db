import type { PreparedForecast } from '../../src/features/forecasts/prepare'
import type { ForecastPath, ForecastResult, ForecastInput } from '../../src/shared/forecasts/result'

const monthStarts = (from: number, many: number): string[] =>
  Array.from({ length: many }, (_, n) => new Date(Date.UTC(2025, from + n, 1)).toISOString().slice(0, 10))

const constantPath = (middle: number, steps: number): ForecastPath => {
  const flat = (value: number): number[] => new Array<number>(steps).fill(value)
  const band = (by: number) => ({ lower: flat(middle - by), upper: flat(middle + by) })
  return { mean: flat(middle), bands: { 50: band(1), 80: band(2), 95: band(3) } }
}

/** What stands for the figures of a forecast where a test is not about them. */
export function prepared(inputHash: string, datasets: string[] = []): PreparedForecast {
  const total = { member: null, label: null, values: new Array<number>(12).fill(10) }
  const value: ForecastInput = {
    ...{ grain: 'month', periods: monthStarts(0, 12), future: monthStarts(12, 3), total, parts: [], raw: total.values },
    ...{ ahead: [0, 0, 0], incomplete: null, opening: null, drivers: [], country: null, format: { style: 'plain' } },
    ...{ direction: 'up', dataAsOf: '2026-01-01T00:00:00.000Z', conversion: null, inputHash },
  }
  return { prepared: value, name: 'Sales', datasets }
}

/** And for what comes of them: the same figure for ever. */
export function resultOf(
  { grain, periods, future, total, raw, format, direction, inputHash }: ForecastInput,
  middle = 10,
): ForecastResult {
  const path = constantPath(middle, future.length)
  return {
    ...{ v: 1, grain, periods, future, asked: future.length, values: total.values, raw, format, direction, inputHash },
    total: {
      ...{ member: null, label: null, state: 'ready', path, method: 'constant', card: null, trials: [], filled: [] },
      ...{ outliers: [], from: 0, shape: 'constant', backtest: null, components: null },
    },
    ...{ parts: [], incomplete: null, balance: null, drivers: [], conversion: null },
  }
}
