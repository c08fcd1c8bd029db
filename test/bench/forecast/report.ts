// OWA, sMAPE, MASE, coverage and MSIS by the rules of the M4 competition (Makridakis, Spiliotis and Assimakopoulos 2020).
import { type Frequency } from '../../../src/forecasting/contract.ts'
import { maseScale } from '../../../src/forecasting/backtest.ts'
import { mean } from '../../../src/forecasting/numerics.ts'
import {
  holtWintersAdditive,
  naive2,
  seasonalNaive,
  thetaMethod,
  trendLine,
  type BaselinePath,
  type BaselineTask,
} from './baselines.ts'
import { falseSeasonLines, splitTotalLines } from './claims.ts'
import { forecast, run } from './module.ts'

export interface Series {
  id: string
  freq: Frequency
  period: number
  horizon: number
  train: number[]
  test: number[]
}

/** Series of each frequency in the competition: what a mean over all weighs by. */
const M4_SERIES_COUNTS: Record<Frequency, number> = {
  yearly: 23_000,
  quarterly: 24_000,
  monthly: 48_000,
  weekly: 359,
  daily: 4_227,
  hourly: 414,
}
const SHORT_HISTORY_LENGTHS: Record<Frequency, number> = {
  yearly: 10,
  quarterly: 20,
  monthly: 36,
  weekly: 110,
  daily: 120,
  hourly: 0,
}
const ALPHA = 0.05
const AS_USED = 'run()'

type Method = (task: BaselineTask & { frequency: Frequency }) => BaselinePath
const METHODS: Record<string, Method> = {
  'this model': forecast,
  [AS_USED]: run,
  theta: thetaMethod,
  naive2,
  'seasonal naive': seasonalNaive,
  'holt-winters': holtWintersAdditive,
  'trend line': trendLine,
}

interface SeriesScores {
  smape: number
  mase: number
  coverage: number
  msis: number
  ms: number
}

function scoreSeries({ test }: Series, scale: number, path: BaselinePath, ms: number): SeriesScores {
  const off = test.map((y, i) => Math.abs(y - (path.mean[i] ?? NaN)))
  const smape = mean(test.map((y, i) => (200 * (off[i] ?? 0)) / (Math.abs(y) + Math.abs(path.mean[i] ?? 0) || 1)))
  const bounds = test.map((y, i) => ({ y, l: path.lower?.[i] ?? NaN, u: path.upper?.[i] ?? NaN }))
  const score = bounds.map(
    ({ y, l, u }) => u - l + (y < l ? (2 / ALPHA) * (l - y) : 0) + (y > u ? (2 / ALPHA) * (y - u) : 0),
  )
  return {
    smape,
    mase: mean(off) / scale,
    coverage: path.lower ? mean(bounds.map(({ y, l, u }) => (y >= l && y <= u ? 1 : 0))) : NaN,
    msis: mean(score) / scale,
    ms,
  }
}

/** Which half of the sample a series is in: constants are chosen on one and checked on the other. */
function halfOf(id: string): number {
  let hash = 2_166_136_261
  for (const letter of id) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  return ((hash ^ (hash >>> 15)) >>> 0) % 2
}

interface MeasuredSeries {
  series: Series
  rows: Record<string, SeriesScores>
}

function measureSeries(series: Series, methods: [string, Method][], clock: () => number): MeasuredSeries | null {
  const scale = maseScale(series.train, series.period)
  if (!(scale > 0)) return null
  const rows: Record<string, SeriesScores> = {}
  for (const [name, method] of methods) {
    const before = clock()
    const path = method({
      values: [...series.train],
      period: series.period,
      horizon: series.horizon,
      frequency: series.freq,
    })
    rows[name] = scoreSeries(series, scale, path, clock() - before)
  }
  return { series, rows }
}

const quantile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? NaN

type ScoreTotals = SeriesScores & { p50: number; p95: number }

function totalsOf(all: readonly MeasuredSeries[], name: string): ScoreTotals {
  const rows = all.flatMap(({ rows: own }) => own[name] ?? [])
  const of = (key: keyof SeriesScores): number => mean(rows.map((row) => row[key]))
  const ms = rows.map((row) => row.ms)
  return {
    smape: of('smape'),
    mase: of('mase'),
    coverage: of('coverage'),
    msis: of('msis'),
    ms: of('ms'),
    p50: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
  }
}

function weightedTotals(all: readonly MeasuredSeries[], name: string): ScoreTotals {
  const present = Object.entries(M4_SERIES_COUNTS).flatMap(([frequency, count]) => {
    const own = all.filter(({ series }) => series.freq === frequency)
    return own.length > 0 ? [{ count, totals: totalsOf(own, name) }] : []
  })
  const weight = present.reduce((sum, { count }) => sum + count, 0)
  const of = (key: keyof SeriesScores): number =>
    present.reduce((sum, { count, totals }) => sum + count * totals[key], 0) / weight
  const { p50, p95 } = totalsOf(all, name)
  return { smape: of('smape'), mase: of('mase'), coverage: of('coverage'), msis: of('msis'), ms: of('ms'), p50, p95 }
}

const formatScore = (value: number, digits: number, width: number): string =>
  (Number.isFinite(value) ? value.toFixed(digits) : '–').padStart(width)

function tableLines(
  title: string,
  all: readonly MeasuredSeries[],
  totals: (all: readonly MeasuredSeries[], name: string) => ScoreTotals,
) {
  const reference = totals(all, 'naive2')
  const owaOf = ({ smape, mase }: ScoreTotals): number => (smape / reference.smape + mase / reference.mase) / 2
  const theta = owaOf(totals(all, 'theta'))
  const msisOfNaive = totals(all, 'seasonal naive').msis
  const head = `${title} (${all.length} series)`.padEnd(30)
  return [
    `${head}    OWA × Theta   sMAPE    MASE  cover    MSIS × sn   ms p50  ms p95`,
    ...Object.keys(all[0]?.rows ?? {}).map((name) => {
      const t = totals(all, name)
      const owa = owaOf(t)
      return `  ${name.padEnd(28)}${formatScore(owa, 3, 7)} ${formatScore(owa / theta, 3, 7)} ${formatScore(t.smape, 3, 7)} ${formatScore(t.mase, 3, 7)}  ${formatScore(t.coverage, 3, 5)} ${formatScore(t.msis, 2, 7)} ${formatScore(t.msis / msisOfNaive, 2, 4)}  ${formatScore(t.p50, 2, 7)} ${formatScore(t.p95, 2, 7)}`
    }),
  ]
}

/** The table: each frequency, all together as they lie, by the competition's weights, and of the two halves. */
export function report(
  given: readonly Series[],
  { short, plain, clock }: { short: boolean; plain: boolean; clock: () => number },
): string[] {
  const methods = Object.entries(METHODS).filter(([name]) => !plain || name !== AS_USED)
  const series = short
    ? given
        .filter(({ freq }) => SHORT_HISTORY_LENGTHS[freq] > 0)
        .map((s) => ({ ...s, train: s.train.slice(-SHORT_HISTORY_LENGTHS[s.freq]) }))
    : given
  const all = series.flatMap((s) => measureSeries(s, methods, clock) ?? [])
  const frequencies = [...new Set(all.map(({ series: own }) => own.freq))]
  const half = (which: number): MeasuredSeries[] => all.filter(({ series: own }) => halfOf(own.id) === which)
  return [
    ...frequencies.flatMap((freq) =>
      tableLines(
        freq,
        all.filter(({ series: own }) => own.freq === freq),
        totalsOf,
      ),
    ),
    ...tableLines('sample', all, totalsOf),
    ...tableLines('weighted as M4', all, weightedTotals),
    ...[0, 1].flatMap((which) => tableLines(`half ${which + 1}, weighted`, half(which), weightedTotals)),
    ...(plain ? [] : ['beside accuracy', ...falseSeasonLines(), ...splitTotalLines(given)]),
  ]
}
