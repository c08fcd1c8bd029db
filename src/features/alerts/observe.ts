import type { Reading } from './model/triggers'
import { comparedSoFar, comparedStart, endOf, lastPeriods, newestLoaded, startOf } from '../../access/periods'
import { memberKey, seriesOf } from '../../access/series'
import type { MemberSeries, Series, SeriesDeps } from '../../access/series'
import type { AlertRules } from '../../shared/alerts'
import type { ColumnFormat } from '../../shared/files'
import type { FindingKind } from '../../shared/findings'
import type { Cell } from '../../shared/query-result'
import { MEMBERS_MAX } from '../../shared/tracked'
import type { SeriesAsk, Tracked } from '../../shared/tracked'

/** One group and what is known of it, the newest period last. */
export interface Observed {
  member: Cell
  label: string | null
  readings: Reading[]
  /** No row names it any more, here or where it is held against. */
  isGone: boolean
}
export interface Observation {
  /** Empty: nothing has been loaded for a period that can be judged. */
  groups: Observed[]
  format: ColumnFormat
  datasets: string[]
}
export interface Watch {
  tracked: Tracked
  rules: AlertRules
  /** How many periods up to the newest are wanted. */
  periods: number
  /** Members that were there before and must be judged though no row names them any more. */
  known: { member: Cell; label: string | null }[]
}

/** What an alert needs to know. @throws ProductError what its questions are refused for */
export const observe = (at: SeriesDeps, watch: Watch): Promise<Observation> =>
  watch.rules.on === 'running' && watch.periods === 1 ? observeRunning(at, watch) : observeComplete(at, watch)

const againstOf = ({ condition }: AlertRules): 'previous' | 'year' | null =>
  condition.kind === 'change' ? condition.against : null

async function observeComplete(at: SeriesDeps, watch: Watch): Promise<Observation> {
  const { calendar } = at
  const { tracked, rules, periods } = watch
  const { grain, by } = rules
  const against = againstOf(rules)
  const newest = startOf(calendar.today, grain, calendar, -1)
  // One more than asked for: the oldest may be held against it. Some more: the newest may not have come yet.
  const spare = 3
  const oldest = startOf(newest, grain, calendar, -(periods + spare))
  const series = await withKnown(at, watch, { grain, from: oldest, to: endOf(newest, grain, calendar), by })
  const { format, datasets } = series
  const last = newestLoaded(series, { grain, calendar })
  if (last === null) return { groups: [], format, datasets }
  const wanted = lastPeriods(last, periods, { grain, calendar })
  const earlier = against === 'year' ? await yearBefore(at, alongside(watch, series), wanted) : series
  const readings = (values: MemberSeries['values'], before: MemberSeries['values'] | undefined): Reading[] =>
    wanted.map((period) => ({
      period,
      value: valueIn(values, period, { total: series.total.values, tracked }),
      compared:
        against === null
          ? null
          : valueIn(before, comparedStart(period, { grain, against, calendar }), {
              total: earlier.total.values,
              tracked,
            }),
    }))
  return { groups: groupsOf(watch, { series, earlier }, readings), format, datasets }
}

function yearBefore(at: SeriesDeps, watch: Watch, wanted: readonly string[]): Promise<Series> {
  const { grain, by } = watch.rules
  const { calendar } = at
  const starts = wanted.map((period) => comparedStart(period, { grain, against: 'year', calendar }))
  const [from = calendar.today, to = calendar.today] = [starts[0], starts.at(-1)]
  return withKnown(at, watch, { grain, from, to: endOf(to, grain, calendar), by })
}

/** The same, and its members of now are known. */
const alongside = (watch: Watch, { members }: Series): Watch => ({ ...watch, known: [...watch.known, ...members] })

const distinct = (members: readonly Cell[]): Cell[] => [
  ...new Map(members.map((one) => [memberKey(one), one])).values(),
]

/** The figure of the largest members, and of those that are known: beside many others they may not be among the largest. */
async function withKnown(at: SeriesDeps, { tracked, rules, known }: Watch, ask: SeriesAsk): Promise<Series> {
  const series = await seriesOf(at, tracked, ask)
  const { by } = rules
  if (by === null || !series.isCut) return series
  const here = new Set(series.members.map(({ member }) => memberKey(member)))
  const beside = distinct(known.map(({ member }) => member)).filter((member) => !here.has(memberKey(member)))
  const more: MemberSeries[] = []
  for (let from = 0; from < beside.length; from += MEMBERS_MAX) {
    const { members } = await seriesOf(at, tracked, { ...ask, only: beside.slice(from, from + MEMBERS_MAX) })
    more.push(...members)
  }
  return { ...series, members: [...series.members, ...more] }
}

/** The running period so far, as far as rows have come. */
async function observeRunning(at: SeriesDeps, watch: Watch): Promise<Observation> {
  const { calendar } = at
  const { tracked, rules } = watch
  const { grain, by } = rules
  const against = againstOf(rules)
  const range = { from: startOf(calendar.today, grain, calendar), to: calendar.today }
  const series = await withKnown(at, watch, { ...range, by })
  const { format, datasets } = series
  if (series.dataAsOf === null || !series.total.values.has('')) return { groups: [], format, datasets }
  const earlier =
    against === null
      ? null
      : await withKnown(at, alongside(watch, series), { ...comparedSoFar(range, { grain, against, calendar }), by })
  const readings = (values: MemberSeries['values'], before: MemberSeries['values'] | undefined): Reading[] => [
    {
      period: range.from,
      value: valueIn(values, '', { total: series.total.values, tracked }),
      compared: earlier ? valueIn(before, '', { total: earlier.total.values, tracked }) : null,
    },
  ]
  return { groups: groupsOf(watch, { series, earlier: earlier ?? series }, readings), format, datasets }
}

type Values = MemberSeries['values']

/** A sum without rows is nothing sold, once there are rows of anything else around that time; else it is unknown. */
function valueIn(values: Values | undefined, period: string, of: { total: Values; tracked: Tracked }): number | null {
  const value = values?.get(period)
  if (value !== undefined) return value
  return of.tracked.additive && isCovered(of.total, period) ? 0 : null
}
const isCovered = (total: Values, period: string): boolean =>
  total.has(period) || ([...total.keys()].some((one) => one < period) && [...total.keys()].some((one) => one > period))

function groupsOf(
  { rules, known }: Watch,
  { series, earlier }: { series: Series; earlier: Series },
  readings: (values: Values, before: Values | undefined) => Reading[],
): Observed[] {
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
export const withFindings = (
  { groups, ...rest }: Observation,
  found: ReadonlyMap<string, FindingKind[]>,
): Observation => ({
  ...rest,
  groups: groups.map((group) => ({
    ...group,
    readings: group.readings.map((reading) => ({ ...reading, findings: found.get(reading.period) ?? [] })),
  })),
})
