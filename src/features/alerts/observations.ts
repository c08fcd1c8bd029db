import { alertStore } from './store'
import { startOfPeriod, comparisonToDate, comparisonStart, endOfPeriod, trailingPeriods } from '../../semantic/calendar'
import type { CalendarContext } from '../../semantic/calendar'
import { readNewestPeriods } from '../../semantic/newest-periods'
import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import type { AlertGrain, AlertRules, AlertProblem, ConditionOf } from '../../shared/alerts'
import type { FindingKind } from '../../shared/findings'
import { MONITORED_MEMBERS_MAX } from '../../shared/monitored-metric'
import type { SubjectRef, SeriesQuery, MonitoredMetric } from '../../shared/monitored-metric'
import type { PeriodReading } from './model/alert-state'
import { memberKey, readMetricSeries, type MemberSeries, type MetricSeries } from '../../semantic/metric-series'
import type { ColumnFormat } from '../../shared/data-sources/files'
import type { Cell } from '../../shared/query/result'
import {
  readForecastIntervals,
  findMonitoredForecast,
  readBacktestIntervals,
} from '../../semantic/forecast-interval-store'
import type { PredictionInterval } from '../../semantic/forecast-interval-store'
import { ProductError } from '../../shared/errors'
import type { Calendar } from '../../shared/dates'
import type { QueryContext } from '../../semantic/query-service'

/** Kinds of what was found about a figure, by the period that holds the beginning of the last unit the finding is about. */
async function findingKindsByPeriod(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  { subject, grain, calendar }: { subject: SubjectRef; grain: AlertGrain; calendar: Calendar },
): Promise<Map<string, FindingKind[]>> {
  const found = new Map<string, FindingKind[]>()
  for (const { kind, day } of await alertStore(db, scope).findingKinds(subject.id)) {
    const period = startOfPeriod(day.slice(0, 10), grain, calendar)
    found.set(period, [...(found.get(period) ?? []), kind])
  }
  return found
}

/** One group and what is known of it, the newest period last. */
export interface GroupObservation {
  member: Cell
  label: string | null
  readings: PeriodReading[]
  /** No row names it any more, here or where it is held against. */
  isGone: boolean
}
export interface AlertObservation {
  /** Empty: nothing has been loaded for a period that can be judged. */
  groups: GroupObservation[]
  format: ColumnFormat
  datasets: string[]
  /** The last day with data, where they ended before the newest period that is over: what is judged is theirs. */
  dataTo?: string | null
}
interface ObservationQuery {
  tracked: MonitoredMetric
  rules: AlertRules
  /** How many periods up to the newest are wanted. */
  periods: number
  /** Members that were there before and must be judged though no row names them any more. */
  known: { member: Cell; label: string | null }[]
}

/** What an alert needs to know. @throws ProductError what its questions are refused for */
const observe = (at: QueryContext, query: ObservationQuery): Promise<AlertObservation> =>
  query.rules.on === 'running' && query.periods === 1 ? observeRunning(at, query) : observeComplete(at, query)

const comparisonOf = ({ condition }: AlertRules): 'previous' | 'year' | null =>
  condition.kind === 'change' ? condition.against : null

async function observeComplete(at: QueryContext, query: ObservationQuery): Promise<AlertObservation> {
  const { calendar } = at
  const { tracked, rules, periods } = query
  const { grain, by } = rules
  const against = comparisonOf(rules)
  const { series, last, dataTo } = await readNewestPeriods(at, { tracked, grain, periods }, (ask) =>
    seriesWithKnownMembers(at, query, { ...ask, by }),
  )
  const { format, datasets } = series
  if (last === null) return { groups: [], format, datasets }
  const wanted = trailingPeriods(last, periods, { grain, calendar })
  const earlier = against === 'year' ? await observeYearBefore(at, withCurrentMembers(query, series), wanted) : series
  const readings = (values: MemberSeries['values'], before: MemberSeries['values'] | undefined): PeriodReading[] =>
    wanted.map((period) => ({
      period,
      value: valueOrZero(values, period, { total: series.total.values, tracked }),
      compared:
        against === null
          ? null
          : valueOrZero(before, comparisonStart(period, { grain, against, calendar }), {
              total: earlier.total.values,
              tracked,
            }),
    }))
  return { groups: observeGroups(query, { series, earlier }, readings), format, datasets, dataTo }
}

function observeYearBefore(
  at: QueryContext,
  query: ObservationQuery,
  wanted: readonly string[],
): Promise<MetricSeries> {
  const { grain, by } = query.rules
  const { calendar } = at
  const starts = wanted.map((period) => comparisonStart(period, { grain, against: 'year', calendar }))
  const [from = calendar.today, to = calendar.today] = [starts[0], starts.at(-1)]
  return seriesWithKnownMembers(at, query, { grain, from, to: endOfPeriod(to, grain, calendar), by })
}

/** The same, and its members of now are known. */
const withCurrentMembers = (query: ObservationQuery, { members }: MetricSeries): ObservationQuery => ({
  ...query,
  known: [...query.known, ...members],
})

const distinctMembers = (members: readonly Cell[]): Cell[] => [
  ...new Map(members.map((one) => [memberKey(one), one])).values(),
]

/** The figure of the largest members, and of those that are known: beside many others they may not be among the largest. */
async function seriesWithKnownMembers(
  at: QueryContext,
  { tracked, rules, known }: ObservationQuery,
  ask: SeriesQuery,
): Promise<MetricSeries> {
  const series = await readMetricSeries(at, tracked, ask)
  const { by } = rules
  if (by === null || !series.isCut) return series
  const here = new Set(series.members.map(({ member }) => memberKey(member)))
  const beside = distinctMembers(known.map(({ member }) => member)).filter((member) => !here.has(memberKey(member)))
  const more: MemberSeries[] = []
  for (let from = 0; from < beside.length; from += MONITORED_MEMBERS_MAX) {
    const { members } = await readMetricSeries(at, tracked, {
      ...ask,
      only: beside.slice(from, from + MONITORED_MEMBERS_MAX),
    })
    more.push(...members)
  }
  return { ...series, members: [...series.members, ...more] }
}

/** The running period so far, as far as rows have come. */
async function observeRunning(at: QueryContext, query: ObservationQuery): Promise<AlertObservation> {
  const { calendar } = at
  const { tracked, rules } = query
  const { grain, by } = rules
  const against = comparisonOf(rules)
  const range = { from: startOfPeriod(calendar.today, grain, calendar), to: calendar.today }
  const series = await seriesWithKnownMembers(at, query, { ...range, by })
  const { format, datasets } = series
  if (series.dataAsOf === null || !series.total.values.has('')) return { groups: [], format, datasets }
  const earlier =
    against === null
      ? null
      : await seriesWithKnownMembers(at, withCurrentMembers(query, series), {
          ...comparisonToDate(range, { grain, against, calendar }),
          by,
        })
  const readings = (values: MemberSeries['values'], before: MemberSeries['values'] | undefined): PeriodReading[] => [
    {
      period: range.from,
      value: valueOrZero(values, '', { total: series.total.values, tracked }),
      compared: earlier ? valueOrZero(before, '', { total: earlier.total.values, tracked }) : null,
    },
  ]
  return { groups: observeGroups(query, { series, earlier: earlier ?? series }, readings), format, datasets }
}

type PeriodValues = MemberSeries['values']

/** A sum without rows is nothing sold, once there are rows of anything else around that time; else it is unknown. */
function valueOrZero(
  values: PeriodValues | undefined,
  period: string,
  of: { total: PeriodValues; tracked: MonitoredMetric },
): number | null {
  const value = values?.get(period)
  if (value !== undefined) return value
  return of.tracked.additive && isCovered(of.total, period) ? 0 : null
}
const isCovered = (total: PeriodValues, period: string): boolean =>
  total.has(period) || ([...total.keys()].some((one) => one < period) && [...total.keys()].some((one) => one > period))

function observeGroups(
  { rules, known }: ObservationQuery,
  { series, earlier }: { series: MetricSeries; earlier: MetricSeries },
  readings: (values: PeriodValues, before: PeriodValues | undefined) => PeriodReading[],
): GroupObservation[] {
  if (rules.by === null)
    return [{ member: null, label: null, isGone: false, readings: readings(series.total.values, earlier.total.values) }]
  const before = new Map(earlier.members.map((one) => [memberKey(one.member), one]))
  const now = new Map(series.members.map((one) => [memberKey(one.member), one]))
  // Of many members one that is not among the largest is not gone; those that are known were asked for.
  const gone = [...(series.isCut ? [] : before.values()), ...known].filter(({ member }) => !now.has(memberKey(member)))
  const lost = new Map(gone.map(({ member, label }) => [memberKey(member), { member, label, values: new Map() }]))
  return [...now.values(), ...lost.values()].map(({ member, label, values }) => ({
    member,
    label,
    isGone: !now.has(memberKey(member)) && !before.has(memberKey(member)),
    readings: readings(values, before.get(memberKey(member))?.values),
  }))
}

/** The same with what was found about each period. */
const withFindings = (
  { groups, ...rest }: AlertObservation,
  found: ReadonlyMap<string, FindingKind[]>,
): AlertObservation => ({
  ...rest,
  groups: groups.map((group) => ({
    ...group,
    readings: group.readings.map((reading) => ({ ...reading, findings: found.get(reading.period) ?? [] })),
  })),
})

export type EvaluationProblem = Omit<AlertProblem, 'since'>
type ObservationResult = { ok: true; observation: AlertObservation } | { ok: false; trouble: EvaluationProblem }

/**
 * What is known of what an alert watches, as its condition wants to know it: with what was found about each period, or with
 * what a forecast had said of it. `isTrial`: where no run spoke of a period, forecasts of the past stand in for it.
 * @throws ProductError what its questions are refused for
 */
export async function observeForCondition(
  at: CalendarContext,
  watch: ObservationQuery & { isTrial?: boolean },
): Promise<ObservationResult> {
  const { rules } = watch
  const { condition } = rules
  if (condition.kind === 'band') return observeBand(at, { ...watch, condition })
  const observed = await observe(at, watch)
  if (condition.kind !== 'finding') return { ok: true, observation: observed }
  const found = await findingKindsByPeriod(at.deps, at.scope, { ...rules, calendar: at.calendar })
  return { ok: true, observation: withFindings(observed, found) }
}

const FORECAST_GONE: EvaluationProblem = {
  code: 'forecast_gone',
  message: 'Forecast deleted. Choose another one.',
}
const FORECAST_CHANGED: EvaluationProblem = {
  code: 'forecast_other',
  message: 'The forecast now covers another measure or period. Save the alert to follow it.',
}
const FORECAST_OTHER_RIGHTS: EvaluationProblem = {
  code: 'refused',
  message: 'The forecast uses different data access from the alert owner’s.',
}

type BandQuery = ObservationQuery & { isTrial?: boolean; condition: ConditionOf<'band'> }

async function observeBand(at: CalendarContext, watch: BandQuery): Promise<ObservationResult> {
  const { condition, rules, tracked } = watch
  const { forecastId, level } = condition
  const forecast = await findMonitoredForecast(at.deps.db, at.scope, forecastId)
  if (!forecast) return { ok: false, trouble: FORECAST_GONE }
  if (!matchesForecast(rules, forecast)) return { ok: false, trouble: FORECAST_CHANGED }
  if (forecast.isOfOtherAccess) return { ok: false, trouble: FORECAST_OTHER_RIGHTS }
  const filters = [...tracked.filters, ...forecast.filters]
  const { groups, ...rest } = await observe(at, { ...watch, tracked: { ...tracked, filters } })
  const periods = groups.flatMap(({ readings }) => readings.map(({ period }) => period))
  const said = await readForecastIntervals(at.deps.db, at.scope, { forecastId, level, periods })
  const tried = watch.isTrial
    ? await readBacktestIntervals(at.deps.db, at.scope, { forecastId, level })
    : new Map<string, PredictionInterval>()
  const bands = new Map([...tried, ...said])
  const told = groups.map((group) => ({ ...group, readings: group.readings.map((one) => withBand(one, bands)) }))
  return { ok: true, observation: { ...rest, groups: told } }
}

/** Nothing that was said: nothing is known that could set it off. */
function withBand(reading: PeriodReading, bands: ReadonlyMap<string, PredictionInterval>): PeriodReading {
  const band = bands.get(reading.period)
  return band ? { ...reading, compared: band.mean, band } : reading
}

type ForecastScope = Pick<AlertRules, 'subject' | 'grain'>
const matchesForecast = (rules: ForecastScope, forecast: Pick<AlertRules, 'subject'> & { grain: string }): boolean =>
  rules.grain === forecast.grain && sameSubject(rules.subject, forecast.subject)
const sameSubject = (a: AlertRules['subject'], b: AlertRules['subject']): boolean =>
  a.kind === b.kind && a.id === b.id && (a.kind === 'metric' || b.kind === 'metric' || a.measure === b.measure)

/**
 * That an alert on a band is about what its forecast is of.
 * @throws ProductError `invalid_input`
 */
export async function validateBand(
  { deps, scope }: { deps: Pick<Deps, 'db'>; scope: Scope },
  rules: ForecastScope & Pick<AlertRules, 'condition'>,
): Promise<void> {
  if (rules.condition.kind !== 'band') return
  const forecast = await findMonitoredForecast(deps.db, scope, rules.condition.forecastId)
  const said = !forecast
    ? 'Forecast not found. Choose another.'
    : matchesForecast(rules, forecast)
      ? null
      : 'Use the forecast’s measure and period.'
  if (said !== null) throw new ProductError('invalid_input', { fields: { condition: said } })
}
