import type { ForecastGrain, ForecastResult } from '../../../../src/shared/forecasts/result'
import type { Scenario, ScenarioStep, Threshold } from '../../../../src/shared/forecasts/forecasts'
import { TERMS } from '../../../../src/shared/terms'
import { bucketEnd } from '../../../../src/shared/figures/time-buckets'

type TemplateSource = Pick<ForecastResult, 'future' | 'grain' | 'direction' | 'format' | 'total'>
type DateSpan = Pick<ScenarioStep, 'from' | 'to'>

/** From the first day of one period ahead to the last day of another. */
export function spanOf(
  { future, grain }: Pick<TemplateSource, 'future' | 'grain'>,
  first: number,
  last: number,
): DateSpan {
  const from = future[first] ?? future[0] ?? ''
  const end = future[last] ?? future.at(-1) ?? from
  return { from, to: bucketEnd(end, grain) }
}

/** Places of the first and the last period ahead that begin within a span; null where none does. */
export function spanIndexes(future: readonly string[], { from, to }: DateSpan): { first: number; last: number } | null {
  const first = future.findIndex((start) => start >= from)
  const last = future.findLastIndex((start) => start <= to)
  return first < 0 || last < first ? null : { first, last }
}

/** Months in a period, on average. */
const MONTHS_PER_PERIOD: Record<ForecastGrain, number> = { day: 12 / 365, week: 12 / 52, month: 1, quarter: 3 }
/** What somebody costs in a month with fees: a place to begin with, to be changed. */
const MONTHLY_STAFF_COST: Record<string, number> = { SEK: 55_000, NOK: 60_000, DKK: 45_000 }
const MONTHLY_STAFF_COST_DEFAULT = 5000

/** Two figures that count: 1 234 is 1 200. */
const roundToTwoDigits = (value: number): number => (value === 0 ? 0 : Number(value.toPrecision(2)))

/** Something to begin with. `metric`: the one that is followed. */
export interface ScenarioTemplate {
  key: 'empty' | 'more' | 'order' | 'hire' | 'follow'
  name: string
  says: string
  steps: ScenarioStep[]
}

/** What people ask first, made for this forecast; every figure of it can be changed. */
export function scenarioTemplates(
  source: TemplateSource,
  metric: { id: string; name: string } | null,
): ScenarioTemplate[] {
  const { direction, format, grain, total, future } = source
  const whole = spanOf(source, 0, future.length - 1)
  const usual = total.path.mean.reduce((sum, value) => sum + Math.abs(value), 0) / Math.max(1, total.path.mean.length)
  const each = 'period' as const
  const month = MONTHLY_STAFF_COST[format.style === 'currency' ? format.currency : ''] ?? MONTHLY_STAFF_COST_DEFAULT
  const hired = roundToTwoDigits(2 * month * MONTHS_PER_PERIOD[grain]) * (direction === 'down' ? 1 : -1)
  return [
    {
      ...{ key: 'more', name: '10\u00a0% higher', says: 'Every period' },
      steps: [{ kind: 'percent', by: 0.1, ...whole }],
    },
    {
      ...{ key: 'order', name: 'One large order', says: 'Amount in one period' },
      steps: [{ kind: 'amount', value: roundToTwoDigits(usual / 2), each: 'once', ...spanOf(source, 1, 1) }],
    },
    ...(format.style === 'currency'
      ? [
          {
            ...{ key: 'hire' as const, name: 'Hire two people', says: 'Cost every period' },
            steps: [{ kind: 'amount' as const, value: hired, each, ...whole }],
          },
        ]
      : []),
    ...(metric
      ? [
          {
            ...{ key: 'follow' as const, name: 'Follow a metric', says: 'Metric forecast × factor' },
            steps: [{ kind: 'driver' as const, metric: metric.id, factor: 1, ...whole }],
          },
        ]
      : []),
    { key: 'empty', name: 'New scenario', says: 'No steps', steps: [] },
  ]
}

/** An id of a scenario, of the page's making. */
const ID_LENGTH = 10
export const newScenarioId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, ID_LENGTH)
export const scenarioFromTemplate = ({ name, steps }: ScenarioTemplate): Scenario => ({
  id: newScenarioId(),
  name,
  steps,
})

/** A level to begin with: nothing for a balance of cash, else near what is expected. */
export function defaultThreshold(result: Pick<ForecastResult, 'balance' | 'direction' | 'total'>): Threshold {
  if (result.balance) return { name: TERMS.minimumCash, side: 'below', value: 0 }
  const { mean } = result.total.path
  const usual = mean.reduce((sum, value) => sum + value, 0) / Math.max(1, mean.length)
  const isCost = result.direction === 'down'
  return { name: isCost ? 'Maximum' : 'Minimum', side: isCost ? 'above' : 'below', value: roundToTwoDigits(usual) }
}

/** Another kind of change over the same periods, of the same part. */
export type StepKind = 'percent' | 'each' | 'once' | 'driver'
export const stepKindOf = (step: ScenarioStep): StepKind =>
  step.kind === 'amount' ? (step.each === 'once' ? 'once' : 'each') : step.kind
export function convertStep(before: ScenarioStep, kind: StepKind, metric: string | null): ScenarioStep {
  const { from, to } = before
  const part = before.kind === 'driver' || before.part === undefined ? {} : { part: before.part }
  const value = before.kind === 'amount' ? before.value : 0
  if (kind === 'percent') return { kind, by: 0.1, ...part, from, to }
  if (kind === 'driver') return metric === null ? before : { kind, metric, factor: 1, from, to }
  return { kind: 'amount', value, each: kind === 'once' ? 'once' : 'period', ...part, from, to }
}
