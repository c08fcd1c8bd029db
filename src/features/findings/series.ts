import { canonicalJson } from '../../lib/hash'
import {
  calculatedFieldsOf,
  isAdditive,
  isCountMeasure,
  isLeafMeasure,
  isMeasure,
  isWindowMeasure,
  leafMeasuresOf,
  rowsFieldOf,
} from '../../shared/query/plan-fields'
import type { AggregateMeasure, Measure, Dimension, QueryPlan } from '../../shared/query/plan'
import { PLAN_MEASURES_MAX } from '../../shared/limits'
import type { CandidateMetric } from './candidate-metrics'
import type { SubjectSeries, AnalysisSubject, SubjectDimension } from './model/subject'
import type { ChosenBreakdown } from './breakdowns'
import type { AnalysisWindow } from './analysis-window'
import type { QueryService } from '../../semantic/query-service'
import type { Cell, QueryResult, ResultColumn } from '../../shared/query/result'

/** A figure as it is looked at: what is added up, and for a ratio what it is divided by. */
export interface MeasureComponents {
  total: Measure
  under?: Measure
  /** Whether the parts of it add up to the whole; of a ratio, both of its sides. */
  additive: boolean
  /** Whole numbers of things. */
  counts: boolean
}

/** An average is the sum over how many were added up. */
function averageComponents(leaf: AggregateMeasure): MeasureComponents {
  const { label: _name, format: _shown, ...plain } = leaf
  const total: Measure = { ...plain, agg: 'sum' }
  const under: Measure = { ...plain, agg: 'count' }
  return { total, under, additive: true, counts: false }
}

/** What earlier figures or running totals are made of is looked at itself: its changes are what they show later. */
export function componentsOf(measure: Measure): MeasureComponents {
  if (isWindowMeasure(measure)) return componentsOf(measure.of)
  if (isLeafMeasure(measure)) {
    if (measure.agg === 'avg') return averageComponents(measure)
    return { total: measure, additive: isAdditive(measure), counts: isCountMeasure(measure) }
  }
  if (measure.kind === 'ratio' && isAdditive(measure.over) && isAdditive(measure.under))
    return { total: measure.over, under: measure.under, additive: true, counts: false }
  if (measure.kind === 'calc' && measure.op === 'divide' && isMeasure(measure.left) && isMeasure(measure.right))
    if (isAdditive(measure.left) && isAdditive(measure.right))
      return { total: measure.left, under: measure.right, additive: true, counts: false }
  return { total: measure, additive: isAdditive(measure), counts: false }
}

/** The amount that a business looks at first: what was asked for before what is proposed, sums before ratios. */
export function mainFigure(asked: readonly CandidateMetric[]): string | undefined {
  const sum = asked.find(({ measure }) => {
    const { additive, under, counts } = componentsOf(measure)
    return additive && under === undefined && !counts
  })
  return (sum ?? asked[0])?.key
}

/** Members that are told one by one; the rest are one line. */
export const MEMBERS_MAX = 200
/** Rows that an answer has room for. */
const ROWS_MAX = 9_900

/** How many rows stand behind a figure: under the same filters as what is added up first. */
function rowCountMeasure({ total }: MeasureComponents, { dataset }: CandidateMetric): Measure {
  const [leaf] = leafMeasuresOf(total)
  return { kind: 'column', agg: 'count', dataset, ...(leaf?.filter ? { filter: leaf.filter } : {}) }
}

/** What one figure is asked for with. */
function measuresOf(metric: CandidateMetric): Measure[] {
  const figure = componentsOf(metric.measure)
  return [figure.total, ...(figure.under ? [figure.under] : []), rowCountMeasure(figure, metric)]
}

/** Each once. */
const distinctMeasures = (metrics: readonly CandidateMetric[]): Map<string, Measure> =>
  new Map(metrics.flatMap((metric) => measuresOf(metric).map((each) => [canonicalJson(each), each])))

/** Where figures are looked at: their buckets, and what they are taken apart by. */
interface CandidateView {
  window: AnalysisWindow
  split?: ChosenBreakdown | undefined
}

const membersMax = ({ buckets }: AnalysisWindow): number =>
  Math.min(MEMBERS_MAX, Math.floor(ROWS_MAX / buckets.length) - 1)

/** The figure of each bucket, as a plan; with a split, of its largest members. */
function candidatePlan(metric: CandidateMetric, { window, split }: CandidateView): QueryPlan {
  const topN = membersMax(window)
  const dimensions: Dimension[] = [
    { field: metric.time, grain: window.grain },
    ...(split ? [{ field: split.field, topN }] : []),
  ]
  return {
    v: 2,
    kind: 'aggregate',
    dataset: metric.dataset,
    measures: measuresOf(metric),
    dimensions,
    filters: metric.filters,
    period: {
      field: metric.time,
      range: { kind: 'absolute', from: window.from, to: window.to },
      compare: 'none',
      completeOnly: false,
    },
    ...(metric.currency ? { currency: metric.currency } : {}),
  }
}

/**
 * Figures in groups of those that one question answers: over the same rows, conditions, buckets and splits, as many as a
 * plan has room for. A product or quotient of figures, or a figure over other rows, is asked about by itself.
 */
export function askedTogether<T extends { asked: CandidateMetric; window: AnalysisWindow; splits: ChosenBreakdown[] }>(
  all: readonly T[],
): T[][] {
  const groups = new Map<string, T[]>()
  for (const each of all) {
    const { asked, window, splits } = each
    const { time, filters, currency = null } = asked
    const own = isOwnMeasure(asked) ? null : asked.key
    const shared = canonicalJson([own, time, filters, currency, window, splits.map(({ key }) => key)])
    groups.set(shared, [...(groups.get(shared) ?? []), each])
  }
  return [...groups.values()].flatMap(inPlans)
}

/** In their order; one that a plan has no room for begins the next. */
function inPlans<T extends { asked: CandidateMetric }>(all: readonly T[]): T[][] {
  const plans: T[][] = []
  for (const each of all) {
    const last = plans.at(-1)
    const isFull = !last || distinctMeasures([...last, each].map(({ asked }) => asked)).size > PLAN_MEASURES_MAX
    if (isFull) plans.push([each])
    else last.push(each)
  }
  return plans
}

/** Whether a figure is added up from the rows of its dataset and nothing else, or is such figures added or subtracted. */
function isOwnMeasure({ dataset, measure }: CandidateMetric): boolean {
  const { total, under } = componentsOf(measure)
  return [total, ...(under ? [under] : [])].every((each) => {
    if (each.kind !== 'calc') return isOwnLeaf(each, dataset)
    return isAdditive(each) && [each.left, each.right].every((side) => isMeasure(side) && isOwnLeaf(side, dataset))
  })
}

function isOwnLeaf(measure: Measure, dataset: string): boolean {
  if (!isLeafMeasure(measure)) return false
  const over = measure.kind === 'column' ? (measure.dataset ?? dataset) : dataset
  const fields = measure.kind === 'column' ? [rowsFieldOf(measure)] : calculatedFieldsOf(measure)
  return over === dataset && fields.every((field) => field === undefined || field.dataset === dataset)
}

/** What each figure's own plan would be answered, by one question; several figures are of one group of {@link askedTogether}. */
async function answersOf(
  service: QueryService,
  metrics: readonly CandidateMetric[],
  at: CandidateView,
): Promise<Pick<QueryResult, 'rows' | 'columns' | 'otherCells'>[]> {
  const plans = metrics.map((metric) => candidatePlan(metric, at))
  const [first] = plans
  if (!first) return []
  const all = distinctMeasures(metrics)
  const { rows, columns, otherCells = [] } = await service.answer({ ...first, measures: [...all.values()] })
  const splits = first.dimensions.map((_, at) => at)
  const names = [...all.keys()]
  return plans.map(({ measures }) => {
    const cells = [...splits, ...measures.map((each) => splits.length + names.indexOf(canonicalJson(each)))]
    return {
      rows: rows.map((row) => cells.map((at) => row[at] ?? null)),
      columns: cells.flatMap((at) => columns[at] ?? []),
      otherCells,
    }
  })
}

interface SeriesLayout {
  buckets: readonly string[]
  figure: MeasureComponents
}
type SeriesPair = { series: SubjectSeries; under?: SubjectSeries }
interface BucketRow {
  bucket: Cell
  cells: Cell[]
}

/** Rows laid along the buckets. Where there are none, sums are nothing at all and everything else is unknown. */
function fillBuckets(rows: readonly BucketRow[], { buckets, figure }: SeriesLayout): SeriesPair {
  const at = new Map(rows.map(({ bucket, cells }) => [String(bucket), cells]))
  const lacking = figure.additive ? 0 : null
  const pick = (index: number): (number | string | null)[] =>
    buckets.map((bucket) => {
      const cell = at.get(bucket)?.[index]
      return cell === undefined || cell === null || typeof cell === 'boolean' ? lacking : cell
    })
  const count = buckets.map((bucket) => Number(at.get(bucket)?.at(-1) ?? 0))
  return {
    series: { value: pick(0), count },
    ...(figure.under ? { under: { value: pick(1), count } } : {}),
  }
}

/** How figures of a subject are shown. */
export interface DisplayFormat {
  format: ResultColumn['format']
  scale: number | null
}

interface SubjectTotal {
  filled: SeriesPair
  /** What a ratio is divided by, unless that counts rows. */
  underLabel: string | undefined
  figure: MeasureComponents
  shown: DisplayFormat
}

/** The whole of each figure, bucket by bucket; null where there is nothing to look at. */
export async function queryTotals(
  service: QueryService,
  metrics: readonly CandidateMetric[],
  window: AnalysisWindow,
): Promise<(SubjectTotal | null)[]> {
  const answers = await answersOf(service, metrics, { window })
  return metrics.map((metric, n) => subjectTotal(metric, { window, answer: answers[n] }))
}

/** What is divided by a count is shown as what is divided: pounds an order are pounds. */
const averageFormat = (under: Measure, total: ResultColumn | undefined): ResultColumn['format'] =>
  isLeafMeasure(under) && isCountMeasure(under) && total ? total.format : { style: 'plain' }

function subjectTotal(
  metric: CandidateMetric,
  of: { window: AnalysisWindow; answer: Pick<QueryResult, 'rows' | 'columns'> | undefined },
): SubjectTotal | null {
  const { rows = [], columns = [] } = of.answer ?? {}
  const figure = componentsOf(metric.measure)
  const lines = rows.map(([bucket = null, ...cells]) => ({ bucket, cells }))
  if (lines.length === 0) return null
  const measure = columns[1]
  const displayFormat: DisplayFormat = figure.under
    ? { format: metric.measure.format ?? averageFormat(figure.under, measure), scale: null }
    : { format: measure?.format ?? { style: 'plain' }, scale: measure?.scale ?? null }
  return {
    filled: fillBuckets(lines, { buckets: of.window.buckets, figure }),
    underLabel:
      figure.under && !(isLeafMeasure(figure.under) && isCountMeasure(figure.under)) ? columns[2]?.label : undefined,
    figure,
    shown: displayFormat,
  }
}

/** The members of one split, bucket by bucket; null where it does not split anything. */
export async function queryDimensions(
  service: QueryService,
  metrics: readonly CandidateMetric[],
  at: { window: AnalysisWindow; split: ChosenBreakdown },
): Promise<(SubjectDimension | null)[]> {
  // Each figure has largest members of its own, unless all are told; an empty one is a member too.
  const isOne = at.split.values + 1 <= membersMax(at.window)
  const dimensions: (SubjectDimension | null)[] = []
  for (const some of isOne ? [metrics] : metrics.map((metric) => [metric])) {
    const answers = await answersOf(service, some, at)
    for (const [n, metric] of some.entries()) {
      const answer = answers[n]
      dimensions.push(answer ? await subjectDimension(service, metric, { ...at, answer }) : null)
    }
  }
  return dimensions
}

async function subjectDimension(
  service: QueryService,
  metric: CandidateMetric,
  at: { window: AnalysisWindow; split: ChosenBreakdown; answer: Pick<QueryResult, 'rows' | 'otherCells'> },
): Promise<SubjectDimension | null> {
  const { window, split } = at
  const figure = componentsOf(metric.measure)
  const { members, others } = groupByMember(at.answer)
  if (members.size < 2) return null
  const filling = { buckets: window.buckets, figure }
  const other = others.length === 0 ? null : fillBuckets(others, filling)
  return {
    key: split.key,
    label: split.label,
    isChosen: split.isPreferred,
    members: [...members.values()].map(({ member, rows }) => ({ member, ...fillBuckets(rows, filling) })),
    ...(other
      ? {
          other: {
            ...other,
            members: await countOtherMembers(service, metric, { ...at, told: members.size }),
          },
        }
      : {}),
  }
}

function groupByMember({ rows, otherCells = [] }: Pick<QueryResult, 'rows' | 'otherCells'>): {
  members: Map<string, { member: Cell; rows: BucketRow[] }>
  others: BucketRow[]
} {
  const pooled = new Set(otherCells.filter(({ dimension }) => dimension === 1).map(({ row }) => row))
  const members = new Map<string, { member: Cell; rows: BucketRow[] }>()
  const others: BucketRow[] = []
  for (const [at, [bucket = null, member = null, ...cells]] of rows.entries()) {
    if (pooled.has(at)) {
      others.push({ bucket, cells })
      continue
    }
    const key = JSON.stringify(member)
    const known = members.get(key) ?? { member, rows: [] }
    known.rows.push({ bucket, cells })
    members.set(key, known)
  }
  return { members, others }
}

/** How many members the line of the others stands for. */
async function countOtherMembers(
  service: QueryService,
  metric: CandidateMetric,
  at: { window: AnalysisWindow; split: ChosenBreakdown; told: number },
): Promise<number> {
  const plan = candidatePlan(metric, at)
  const measures: Measure[] = [{ kind: 'column', agg: 'countDistinct', field: at.split.field, dataset: metric.dataset }]
  const { rows } = await service.answer({ ...plan, measures, dimensions: [] })
  return Math.max(1, Number(rows[0]?.[0] ?? 0) - at.told)
}

/** What the engine is given. */
export function toAnalysisSubject(
  metric: CandidateMetric,
  of: {
    window: AnalysisWindow
    total: SubjectTotal
    dimensions: SubjectDimension[]
  },
): AnalysisSubject {
  const { window, total, dimensions } = of
  const { figure, shown, filled: whole } = total
  return {
    key: metric.key,
    label: metric.label,
    grain: window.grain,
    buckets: window.buckets,
    additive: figure.additive,
    counts: figure.counts,
    percent: shown.format.style === 'percent',
    ...(shown.scale === null ? {} : { scale: shown.scale }),
    total: whole.series,
    ...(whole.under ? { under: whole.under, underLabel: total.underLabel } : {}),
    dimensions: distinctDimensions(dimensions),
    direction: metric.direction,
  }
}

/** A name and its number split alike: told once, by what reads best. */
function distinctDimensions(dimensions: readonly SubjectDimension[]): SubjectDimension[] {
  const found = new Map<string, SubjectDimension>()
  for (const each of dimensions) {
    const parts = each.members.map(({ series, under }) => JSON.stringify([series, under])).toSorted()
    const name = parts.join()
    const known = found.get(name)
    if (!known || namedMemberCount(each) > namedMemberCount(known)) found.set(name, each)
  }
  return [...found.values()]
}
const namedMemberCount = ({ members }: SubjectDimension): number =>
  members.filter(({ member }) => typeof member === 'string' && /\p{L}{2}/u.test(member)).length
