import { defaultMeasures, timeColumn } from './starting'
import { groupingIdsOf, leafMeasuresOf, measuredDataset } from '../../../shared/plan-fields'
import type { TargetVersion } from '../../../access/target-tables'
import type { AnalyzedMetric } from '../../../shared/finding-feed'
import type { Viz } from '../../../shared/insights'
import type { Field, Measure, QueryPlan } from '../../../shared/query'
import type { CatalogueDataset, GroupingVersion } from '../../../warehouse/contract'
import { canonicalJson, sha256HexSync } from '../../../warehouse/query/hash'

/** A figure that is to be looked at, before anything was asked. */
export interface CandidateMetric extends Pick<
  AnalyzedMetric,
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

export interface CandidateInsightSource {
  id: string
  name: string
  plan: QueryPlan
  viz: Pick<Viz, 'direction' | 'percent'>
}
type FindDataset = (datasetId: string) => CatalogueDataset | null

/** What a measure is called does not change what it measures. */
const withoutLabels = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutLabels)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]): [string, unknown][] =>
      key === 'label' || key === 'format' ? [] : [[key, withoutLabels(each)]],
    ),
  )
}
const KEY_CHARS = 24
const candidateKey = (of: Pick<CandidateMetric, 'measure' | 'filters' | 'time' | 'currency' | 'dataset'>): string => {
  const { measure, filters, time, currency, dataset } = of
  return sha256HexSync(canonicalJson(withoutLabels({ measure, filters, time, currency, dataset }))).slice(0, KEY_CHARS)
}
const withKey = (of: Omit<CandidateMetric, 'key' | 'targets' | 'groupings'>): CandidateMetric => ({
  ...{ ...of, key: candidateKey(of) },
  ...{ targets: [], groupings: [] },
})

/** With the groupings of the workspace that it names. */
export const withGroupingVersions =
  (versions: readonly GroupingVersion[]) =>
  (candidateMetric: CandidateMetric): CandidateMetric => {
    const named = groupingIdsOf({
      measures: [candidateMetric.measure],
      filters: candidateMetric.filters,
      dimensions: [],
    })
    return { ...candidateMetric, groupings: versions.filter(({ id }) => named.includes(id)) }
  }

/** With the targets that are set for its metric and its insights. */
export const withTargetVersions =
  (versions: readonly TargetVersion[]) =>
  (candidateMetric: CandidateMetric): CandidateMetric => ({
    ...candidateMetric,
    targets: versions
      .filter(({ kind, id }) =>
        kind === 'metric' ? id === candidateMetric.metric : candidateMetric.insights.includes(id),
      )
      .toSorted((a, b) => Number(b.kind === 'metric') - Number(a.kind === 'metric')),
  })

/** What a look is at: another one once the targets of its figure, or the groups it is seen through, are others. */
export const analysisVersion = ({ key, targets, groupings }: CandidateMetric): string =>
  [key, ...[...targets, ...groupings].map(({ id, version }) => `${id}.${version}`)].join(' ')

export interface CandidateMetricSource {
  id: string
  name: string
  /** The dataset whose rows are measured. */
  dataset: string
  /** What it stands for, metrics that it names and its filters included. */
  measure: Measure
  time: Field | null
  direction: AnalyzedMetric['direction']
}

/** A metric over time; null for one whose rows have no time. */
export function metricCandidate(
  { id, name, measure, direction, ...metric }: CandidateMetricSource,
  findDataset: FindDataset,
): CandidateMetric | null {
  const home = findDataset(metric.dataset)
  const own = home && timeColumn(home.columns)
  const time = metric.time ?? (own ? { dataset: home.id, column: own.key } : null)
  if (!home || !time || leafMeasuresOf(measure).length === 0) return null
  const of = { label: name, dataset: home.id, metric: id, insights: [], measure, time, direction }
  return withKey({ ...of, filters: [], currency: undefined, preferred: [] })
}

/** The first figure of an insight over time; null for one that has none, or whose rows have no time. */
export function insightCandidate(
  { id, name, plan, viz }: CandidateInsightSource,
  findDataset: FindDataset,
): CandidateMetric | null {
  const measure = asPercent(plan.measures[0], viz)
  if (plan.kind !== 'aggregate' || !measure) return null
  const dataset = measuredDataset({ ...plan, measures: [measure] })
  const home = dataset === undefined ? null : findDataset(dataset)
  if (!home || leafMeasuresOf(measure).length === 0) return null
  const own = timeColumn(home.columns)
  const time =
    plan.period?.field ??
    plan.dimensions.find(({ grain }) => grain !== undefined)?.field ??
    (own && { dataset: home.id, column: own.key })
  if (!time) return null
  return withKey({
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
const asPercent = (
  measure: Measure | undefined,
  { percent = [] }: CandidateInsightSource['viz'],
): Measure | undefined =>
  measure && !measure.format && percent.includes(0) ? { ...measure, format: { style: 'percent' } } : measure
const labelOf = ({ label }: Measure): string | undefined => label

/** What is looked at where nobody has said what matters. */
export const defaultCandidates = (home: CatalogueDataset): CandidateMetric[] =>
  defaultMeasures(home).map((starting) =>
    withKey({
      ...starting,
      dataset: home.id,
      metric: null,
      insights: [],
      currency: undefined,
      preferred: [],
    }),
  )

/** One figure for all who ask for the same: named by the first, taken apart by what any of them chose. */
export function mergeCandidates(asked: readonly CandidateMetric[]): CandidateMetric[] {
  const found = new Map<string, CandidateMetric>()
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
