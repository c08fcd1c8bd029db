import {
  additiveMeasureColumns,
  directionAmong,
  expectedDirection,
  isKeyColumn,
  isMoney,
  isEngagementDate,
  isSettledAmount,
  isTechnicalMeasure,
  marginColumns,
  measureRank,
  primaryDateColumn,
  rateColumns,
  settlementDateColumn,
  type JoinColumns,
} from '../../shared/data-sources/key-columns'
import { lineAmountOf, type LineAmount } from '../../shared/data-sources/line-amounts'
import type { RelatedTable } from '../../shared/data-sources/date-fields'
import type { Filter, Measure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { Column } from '../../shared/data-sources/data-sources'
import type { CatalogueDataset, GroupingVersion } from '../../warehouse/contract'
import {
  calculatedFieldsOf,
  groupingIdsOf,
  isPlainSplit,
  isWindowMeasure,
  leafMeasuresOf,
  measuredDataset,
} from '../../shared/query/plan-fields'
import type { AnalyzedMetric } from '../../shared/findings'
import {
  ledgerFigures,
  type AccountMeaning,
  type LedgerFigure,
  type LedgerFigureKind,
} from '../../shared/statements/ledger-figures'
import { TERMS } from '../../shared/terms'
import type { Viz } from '../../shared/insights'
import { sha256HexSync } from '../../lib/hash'
import { measureMeaning } from '../../semantic/measure-meaning'
import type { TargetVersion } from '../../semantic/target-store'

/** A figure worth looking at in a dataset for which nobody has said what matters. */
interface DefaultMeasure {
  label: string
  measure: Measure
  filters: Filter[]
  time: Field
  direction: 'up' | 'down' | 'none'
}

/** What candidates are judged by: the datasets, when the rows of each were, and by what they are joined. */
export interface CandidateSurroundings {
  find: (datasetId: string) => CatalogueDataset | null
  timeOf: (home: CatalogueDataset) => Field | null
  joinsOf: (datasetId: string) => JoinColumns
  /** Tables that the rows of a dataset point at, nearest first. */
  relatedOf: (datasetId: string) => RelatedTable[][]
  /** What the accounts of the workspace's ledgers mean. */
  accounts: AccountMeaning
}

/** Amounts of a dataset over its time; of a ledger's entries the result, the revenue and classes of costs. */
function defaultMeasures(
  home: CatalogueDataset,
  { timeOf, joinsOf, relatedOf, accounts }: Omit<CandidateSurroundings, 'find'>,
): DefaultMeasure[] {
  const { id, name, columns } = home
  const time = timeOf(home)
  if (!time) return []
  const field = ({ key }: Column): Field => ({ dataset: id, column: key })
  const ledger = ledgerFigures(home, accounts)
  if (ledger) return ledgerMeasures(ledger, time)
  if (columns.some(({ label }) => label === 'fiscal_year')) return []
  const joins = joinsOf(id)
  // Who works here began some day: adding up by that day says nothing of a business.
  if (isListOfPeople(home)) return []
  const sums = additiveMeasureColumns(columns, joins)
    .filter((column) => !isTechnicalMeasure(column))
    .toSorted((a, b) => measureRank(a) - measureRank(b))
  const shared = { filters: [], time }
  const sum = (column: Column): Measure => ({ kind: 'column', agg: 'sum', field: field(column), label: column.label })
  const line = lineAmountOf({ id, columns, joins, related: relatedOf(id) })
  const made = [
    ...(line ? [lineAmountFigure(line)] : []),
    ...sums.flatMap((column): FigureDraft[] => {
      const when = settledBy(column, { columns, sums })
      if (when === null) return []
      const direction = directionAmong(column, columns, joins) ?? 'none'
      return [{ label: column.label, measure: sum(column), direction, ...(when ? { time: field(when) } : {}) }]
    }),
    ...marginFigures(columns, { joins, sum }),
    ...averageFigure(columns, { sums, line, joins, field }),
    ...rateColumns(columns).map((column) => averageOf(column, field)),
  ]
  if (made.length > 0) return made.map((each) => ({ ...shared, ...each }))
  const measure: Measure = { kind: 'column', agg: 'count', dataset: id }
  return [{ label: `${TERMS.count} of ${name}`, measure, direction: 'none', ...shared }]
}

type FigureDraft = Pick<DefaultMeasure, 'label' | 'measure' | 'direction'> & Partial<Pick<DefaultMeasure, 'time'>>

/**
 * When an amount was paid, by whose date alone its periods can be compared.
 * @returns undefined for other amounts, and where nothing else was billed; null where no column says when
 */
function settledBy(
  column: Column,
  { columns, sums }: { columns: readonly Column[]; sums: readonly Column[] },
): Column | null | undefined {
  if (!isSettledAmount(column)) return undefined
  const isBilled = sums.some((other) => isMoney(other) && !isSettledAmount(other))
  return settlementDateColumn(columns) ?? (isBilled ? null : undefined)
}

/** Quantity times price of lines that name no amount. */
const lineAmountFigure = ({ label, row }: LineAmount): FigureDraft => ({
  ...{ label, measure: { kind: 'expression', agg: 'sum', row, label }, direction: 'up' },
})

/** What is left of what was sold: a result beside its amount, else an amount less its cost. */
function marginFigures(
  columns: readonly Column[],
  { joins, sum }: { joins: JoinColumns; sum: (column: Column) => Measure },
): FigureDraft[] {
  const found = marginColumns(columns, joins)
  if (!found) return []
  const { amount, result, cost } = found
  const percent = { format: { style: 'percent' as const } }
  if (result) {
    const label = `${result.label} / ${amount.label}`
    const measure: Measure = { kind: 'calc', op: 'divide', left: sum(result), right: sum(amount), label, ...percent }
    return [{ label, measure, direction: 'up' }]
  }
  const left: Measure = { kind: 'calc', op: 'subtract', left: sum(amount), right: sum(cost), label: TERMS.grossProfit }
  const measure: Measure = {
    kind: 'calc',
    op: 'divide',
    left,
    right: sum(amount),
    label: TERMS.grossMargin,
    ...percent,
  }
  return [
    { label: TERMS.grossProfit, measure: left, direction: 'up' },
    { label: TERMS.grossMargin, measure, direction: 'up' },
  ]
}
/** What one row comes to, where nothing says what is left of it: a trip, an order, a claim. */
function averageFigure(
  columns: readonly Column[],
  of: { sums: readonly Column[]; line: unknown; joins: JoinColumns; field: (column: Column) => Field },
): FigureDraft[] {
  const [first] = of.sums
  if (!first || of.line || !isMoney(first) || marginColumns(columns, of.joins)) return []
  return [{ ...averageOf(first, of.field), direction: directionAmong(first, columns, of.joins) ?? 'none' }]
}

function averageOf(column: Column, field: (column: Column) => Field): FigureDraft {
  const label = `Average ${column.label}`
  return {
    label,
    measure: { kind: 'column', agg: 'avg', field: field(column), label },
    direction: expectedDirection(column.label) ?? 'none',
  }
}

const isListOfPeople = ({ columns }: CatalogueDataset): boolean => {
  const date = primaryDateColumn(columns)
  return date !== undefined && isEngagementDate(date)
}

/** Whether a measure adds up, averages or compares what only names things, or answers a text or a date. Counting them is something else. */
const measuresNames = (measure: Measure, { find, joinsOf }: CandidateSurroundings): boolean =>
  leafMeasuresOf(measure).some((leaf) =>
    calculatedFieldsOf(leaf).some(({ dataset, column }) => {
      const found = find(dataset)?.columns.find(({ key }) => key === column)
      const isText = leaf.kind === 'column' && found?.type !== 'number' && found?.type !== 'integer'
      return found !== undefined && (isText || isKeyColumn(found, joinsOf(dataset)))
    }),
  )

/** What is looked at of a ledger, the result first. */
const LEDGER_KINDS: readonly LedgerFigureKind[] = ['resultBeforeTax', 'revenue', 'goods', 'external', 'personnel']
const ledgerMeasures = (figures: readonly LedgerFigure[], time: Field): DefaultMeasure[] =>
  LEDGER_KINDS.flatMap((kind) =>
    figures.flatMap(({ kind: own, name: label, measure, filters, direction }) =>
      own === kind ? [{ label, measure: { ...measure, label }, filters, time, direction }] : [],
    ),
  )

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

const KEY_CHARS = 24
const candidateKey = (of: Pick<CandidateMetric, 'measure' | 'filters' | 'time' | 'currency' | 'dataset'>): string => {
  const { measure, filters, time, currency, dataset } = of
  return sha256HexSync(measureMeaning({ measure, filters, time, currency, dataset })).slice(0, KEY_CHARS)
}
const withKey = (of: Omit<CandidateMetric, 'key' | 'targets' | 'groupings'>): CandidateMetric => ({
  ...{ ...of, key: candidateKey(of) },
  ...{ targets: [], groupings: [] },
})

/** With the groupings of the workspace that it names. */
export const withGroupingVersions =
  (versions: readonly GroupingVersion[]) =>
  (metric: CandidateMetric): CandidateMetric => {
    const named = groupingIdsOf({
      measures: [metric.measure],
      filters: metric.filters,
      dimensions: [],
    })
    return { ...metric, groupings: versions.filter(({ id }) => named.includes(id)) }
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

/** Raised when what is found, or how it is said, changes: what is stored is looked at again. */
const ANALYSIS_RELEASE = 15

/** What a look is at: another one once the targets of its figure, or the groups it is seen through, are others. */
export const analysisVersion = ({ key, targets, groupings }: CandidateMetric): string =>
  [`${key}/${ANALYSIS_RELEASE}`, ...[...targets, ...groupings].map(({ id, version }) => `${id}.${version}`)].join(' ')

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

/**
 * What earlier figures and running totals are made of: their findings are its own, so that it is what they name. A
 * highest month of a running total would be its last.
 */
function withoutWindows(measure: Measure): Measure {
  if (!isWindowMeasure(measure)) return measure
  const { of, format } = measure
  return withoutWindows(format && !of.format ? { ...of, format } : of)
}

/** What a figure is called: by itself, else what a window over it is over, as its column; undefined where neither says. */
function labelOf(measure: Measure, { columns }: CatalogueDataset): string | undefined {
  const of = withoutWindows(measure)
  if (of === measure || of.label !== undefined) return of.label
  const column = of.kind === 'column' && of.agg === 'sum' ? of.field?.column : undefined
  return columns.find(({ key }) => key === column)?.label ?? measure.label
}

/** A metric over time; null for one whose rows have no time. */
export function metricCandidate(
  { id, name, measure: whole, direction, ...metric }: CandidateMetricSource,
  around: CandidateSurroundings,
): CandidateMetric | null {
  const home = around.find(metric.dataset)
  const measure = withoutWindows(whole)
  const time = metric.time ?? (home && around.timeOf(home))
  if (!home || !time || leafMeasuresOf(measure).length === 0 || measuresNames(measure, around)) return null
  const label = measure === whole ? name : (labelOf(whole, home) ?? name)
  const of = { label, dataset: home.id, metric: id, insights: [], measure, time, direction }
  return withKey({ ...of, filters: [], currency: undefined, preferred: [] })
}

/** The first figure of an insight over time; null for one that has none, or whose rows have no time. */
export function insightCandidate(
  { id, name, plan, viz }: CandidateInsightSource,
  around: CandidateSurroundings,
): CandidateMetric | null {
  const whole = asPercent(plan.measures[0], viz)
  if (plan.kind !== 'aggregate' || !whole) return null
  const measure = withoutWindows(whole)
  const dataset = measuredDataset({ ...plan, measures: [measure] })
  const home = dataset === undefined ? null : around.find(dataset)
  if (!home || leafMeasuresOf(measure).length === 0 || measuresNames(measure, around)) return null
  const time =
    plan.period?.field ?? plan.dimensions.find(({ grain }) => grain !== undefined)?.field ?? around.timeOf(home)
  if (!time) return null
  return withKey({
    label: labelOf(whole, home) ?? name,
    dataset: home.id,
    metric: null,
    insights: [id],
    measure,
    filters: plan.filters,
    time,
    direction: viz.direction,
    currency: plan.currency,
    preferred: plan.dimensions.filter(isPlainSplit).map(({ field }) => field),
  })
}
/** A ratio that the insight shows as per cent is told so. */
const asPercent = (
  measure: Measure | undefined,
  { percent = [] }: CandidateInsightSource['viz'],
): Measure | undefined =>
  measure && !measure.format && percent.includes(0) ? { ...measure, format: { style: 'percent' } } : measure

/** What is looked at where nobody has said what matters. */
export const defaultCandidates = (home: CatalogueDataset, around: CandidateSurroundings): CandidateMetric[] =>
  defaultMeasures(home, around).map((starting) =>
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
