import { startingFigures, timeColumn } from './starting'
import { groupingsOf, leavesOf, measuredDataset } from '../../../shared/plan-fields'
import type { TargetVersion } from '../../../access/target-tables'
import type { FindingAbout } from '../../../shared/finding-feed'
import type { Viz } from '../../../shared/insights'
import type { Field, Measure, QueryPlan } from '../../../shared/query'
import type { CatalogueDataset, GroupingVersion } from '../../../warehouse/contract'
import { canonical, sha256 } from '../../../warehouse/query/hash'

/** A figure that is to be looked at, before anything was asked. */
export interface Asked extends Pick<
  FindingAbout,
  'key' | 'label' | 'dataset' | 'metric' | 'insights' | 'measure' | 'filters' | 'time' | 'direction'
> {
  currency: QueryPlan['currency']
  /** Figures with targets that this is, those of the metric first. */
  targets: TargetVersion[]
  /** Groupings that its conditions see columns through. */
  groupings: GroupingVersion[]
  /** Splits that a person has chosen for it. */
  preferred: Field[]
}

export interface AskedInsight {
  id: string
  name: string
  plan: QueryPlan
  viz: Pick<Viz, 'direction' | 'percent'>
}
type Find = (datasetId: string) => CatalogueDataset | null

/** What a measure is called does not change what it measures. */
const unnamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unnamed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]): [string, unknown][] =>
      key === 'label' || key === 'format' ? [] : [[key, unnamed(each)]],
    ),
  )
}
const KEY_CHARS = 24
const keyOf = (of: Pick<Asked, 'measure' | 'filters' | 'time' | 'currency' | 'dataset'>): string => {
  const { measure, filters, time, currency, dataset } = of
  return sha256(canonical(unnamed({ measure, filters, time, currency, dataset }))).slice(0, KEY_CHARS)
}
const keyed = (of: Omit<Asked, 'key' | 'targets' | 'groupings'>): Asked => ({
  ...{ ...of, key: keyOf(of) },
  ...{ targets: [], groupings: [] },
})

/** With the groupings of the workspace that it names. */
export const withGroupings =
  (versions: readonly GroupingVersion[]) =>
  (asked: Asked): Asked => {
    const named = groupingsOf({ measures: [asked.measure], filters: asked.filters, dimensions: [] })
    return { ...asked, groupings: versions.filter(({ id }) => named.includes(id)) }
  }

/** With the targets that are set for its metric and its insights. */
export const withTargets =
  (versions: readonly TargetVersion[]) =>
  (asked: Asked): Asked => ({
    ...asked,
    targets: versions
      .filter(({ kind, id }) => (kind === 'metric' ? id === asked.metric : asked.insights.includes(id)))
      .toSorted((a, b) => Number(b.kind === 'metric') - Number(a.kind === 'metric')),
  })

/** What a look is at: another one once the targets of its figure, or the groups it is seen through, are others. */
export const lookedAt = ({ key, targets, groupings }: Asked): string =>
  [key, ...[...targets, ...groupings].map(({ id, version }) => `${id}.${version}`)].join(' ')

export interface AskedMetric {
  id: string
  name: string
  /** The dataset whose rows are measured. */
  dataset: string
  /** What it stands for, metrics that it names and its filters included. */
  measure: Measure
  time: Field | null
  direction: FindingAbout['direction']
}

/** A metric over time; null for one whose rows have no time. */
export function askedByMetric({ id, name, measure, direction, ...metric }: AskedMetric, find: Find): Asked | null {
  const home = find(metric.dataset)
  const own = home && timeColumn(home.columns)
  const time = metric.time ?? (own ? { dataset: home.id, column: own.key } : null)
  if (!home || !time || leavesOf(measure).length === 0) return null
  const of = { label: name, dataset: home.id, metric: id, insights: [], measure, time, direction }
  return keyed({ ...of, filters: [], currency: undefined, preferred: [] })
}

/** The first figure of an insight over time; null for one that has none, or whose rows have no time. */
export function askedByInsight({ id, name, plan, viz }: AskedInsight, find: Find): Asked | null {
  const measure = shownAs(plan.measures[0], viz)
  if (plan.kind !== 'aggregate' || !measure) return null
  const dataset = measuredDataset({ ...plan, measures: [measure] })
  const home = dataset === undefined ? null : find(dataset)
  if (!home || leavesOf(measure).length === 0) return null
  const own = timeColumn(home.columns)
  const time =
    plan.period?.field ??
    plan.dimensions.find(({ grain }) => grain !== undefined)?.field ??
    (own && { dataset: home.id, column: own.key })
  if (!time) return null
  return keyed({
    label: labelOf(measure) ?? name,
    dataset: home.id,
    metric: null,
    insights: [id],
    measure,
    filters: plan.filters,
    time,
    direction: viz.direction,
    currency: plan.currency,
    preferred: plan.dimensions.filter(({ grain, grouping }) => !grain && !grouping).map(({ field }) => field),
  })
}
/** A ratio that the insight shows as per cent is told so. */
const shownAs = (measure: Measure | undefined, { percent = [] }: AskedInsight['viz']): Measure | undefined =>
  measure && !measure.format && percent.includes(0) ? { ...measure, format: { style: 'percent' } } : measure
const labelOf = ({ label }: Measure): string | undefined => label

/** What is looked at where nobody has said what matters. */
export const askedByStart = (home: CatalogueDataset): Asked[] =>
  startingFigures(home).map((starting) =>
    keyed({
      ...starting,
      dataset: home.id,
      metric: null,
      insights: [],
      currency: undefined,
      preferred: [],
    }),
  )

/** One figure for all who ask for the same: named by the first, taken apart by what any of them chose. */
export function together(asked: readonly Asked[]): Asked[] {
  const found = new Map<string, Asked>()
  for (const each of asked) {
    const known = found.get(each.key)
    if (!known) found.set(each.key, each)
    else
      found.set(each.key, {
        ...known,
        metric: known.metric ?? each.metric,
        insights: [...known.insights, ...each.insights],
        direction: known.direction === 'none' ? each.direction : known.direction,
        preferred: [...known.preferred, ...each.preferred],
      })
  }
  return [...found.values()]
}
