import { conditionValueText, limitText } from '../../../../shared/query/condition-text'
import {
  COMPARISON_LABELS,
  DATE_PART_LABELS,
  describeUnitCount,
  GRAIN_LABELS,
  LIMIT_LABELS,
} from '../../../../shared/query/plan-labels'
import { datePartName } from '../../../../shared/query/dimension-text'
import { isExistsFilter } from '../../../../shared/query/plan'
import { humanizeLabel, lowerFirst } from '../../../../shared/text'
import type { Condition, Filter, Measure, QueryPlan } from '../../../../shared/query/plan'
import type { Field } from '../../../../shared/query/field'
import type { PlanChip } from '../../../../shared/bot/interpretation'
import type { Vocabulary, VocabularyColumn } from '../contract'

export interface WordsInput {
  vocabulary: Vocabulary
  /** The workspace's number locale. */
  locale: string
}

const columnOf = ({ vocabulary }: WordsInput, field: Field): VocabularyColumn | undefined =>
  vocabulary.datasets.find(({ id }) => id === field.dataset)?.columns.find(({ key }) => key === field.column)
const datasetName = ({ vocabulary }: WordsInput, id: string): string =>
  humanizeLabel(vocabulary.datasets.find((dataset) => dataset.id === id)?.name ?? 'other data')

/** "Region", or "Name of Customers" where it is of other rows than those asked about. */
export function fieldWords(input: WordsInput, field: Field, home: string | undefined): string {
  const label = humanizeLabel(columnOf(input, field)?.label ?? 'a column')
  return field.dataset === home ? label : `${label} of ${datasetName(input, field.dataset)}`
}

const AGGREGATES = {
  sum: 'Total',
  count: 'Number of',
  countDistinct: 'Number of different',
  min: 'Lowest',
  max: 'Highest',
  avg: 'Average',
  median: 'Median',
  first: 'First',
  last: 'Last',
} as const

export function measureWords(input: WordsInput, measure: Measure, home: string | undefined): string {
  if (measure.kind === 'metric') return input.vocabulary.metrics.find(({ id }) => id === measure.id)?.name ?? 'A metric'
  if (measure.label !== undefined) return measure.label
  if (measure.kind === 'column' && measure.field) {
    const what = fieldWords(input, measure.field, home)
    return `${AGGREGATES[measure.agg]} ${lowerFirst(what)}`
  }
  if (measure.kind === 'column') return `Number of ${lowerFirst(datasetName(input, measure.dataset ?? home ?? ''))}`
  if (measure.kind === 'ratio')
    return `${measureWords(input, measure.over, home)} per ${lowerFirst(measureWords(input, measure.under, home))}`
  return 'Custom formula'
}

function splitWords(input: WordsInput, plan: QueryPlan): string[] {
  return plan.dimensions.map(({ field, grain, part, grouping }) => {
    if (grain !== undefined) return GRAIN_LABELS[grain]
    if (part !== undefined) return DATE_PART_LABELS[part]
    const group = grouping && input.vocabulary.groupings.find(({ id }) => id === grouping.id)
    return group?.name ?? fieldWords(input, field, plan.dataset)
  })
}

/** "Last 3 months", "1 Jan – 31 Mar 2023". */
export function periodWords(period: NonNullable<QueryPlan['period']>): string {
  const { range } = period
  if (range.kind === 'absolute') return range.from === range.to ? range.from : `${range.from} – ${range.to}`
  if (range.span === 'all') return 'All time'
  const unit = GRAIN_LABELS[range.unit]
  if (range.span === 'this') return `This ${unit}`
  return `Last ${range.n === 1 ? unit : describeUnitCount(range.n, unit)}${range.includeCurrent ? ' and the current one' : ''}`
}

function conditionWords(input: WordsInput, condition: Condition, field: Field): string {
  const column = columnOf(input, field)
  const value = (of: Parameters<typeof conditionValueText>[0]): string =>
    conditionValueText(of, column, { locale: input.locale, day: (iso) => iso })
  switch (condition.op) {
    case 'in':
      return `is ${condition.values.map(value).join(' or ')}`
    case 'notIn':
      return `is not ${condition.values.map(value).join(' or ')}`
    case 'between':
      return `is from ${value(condition.from)} to ${value(condition.to)}`
    case 'empty':
      return 'is empty'
    case 'notEmpty':
      return 'is not empty'
    case 'contains':
      return `contains “${condition.value}”`
    case 'startsWith':
      return `starts with “${condition.value}”`
    case 'notContains':
      return `does not contain “${condition.value}”`
    case 'notStartsWith':
      return `does not start with “${condition.value}”`
    case 'column':
      return `${COMPARISON_LABELS[condition.compare]} ${fieldWords(input, condition.field, field.dataset)}`
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return `${COMPARISON_LABELS[condition.op]} ${value(condition.value)}`
  }
}

export function filterWords(input: WordsInput, filter: Filter, home: string | undefined): string {
  if (isExistsFilter(filter)) {
    const inner = filter.filters.map((each) => filterWords(input, each, filter.dataset)).join(', ')
    const with_ = filter.kind === 'exists' ? 'With' : 'Without'
    return `${with_} ${lowerFirst(datasetName(input, filter.dataset))}${inner === '' ? '' : ` where ${inner}`}`
  }
  const { field, part, any, grouping } = filter
  const what = fieldWords(input, field, home)
  if (grouping) {
    const known = input.vocabulary.groupings.find(({ id }) => id === grouping.id)
    const names = any
      .flatMap((each) => ('values' in each ? each.values : []))
      .map((id) => known?.groups.find((group) => group.id === id)?.name ?? 'no group')
    return `${known?.name ?? what} is ${names.join(' or ')}`
  }
  if (part !== undefined) {
    const numbers = any.flatMap((each) => ('values' in each ? each.values : []))
    return `${what} is ${numbers.map((number) => datePartName(Number(number), part, 'en-GB')).join(' or ')}`
  }
  return `${what} ${any.map((each) => conditionWords(input, each, field)).join(' or ')}`
}

/** The parts of a plan, each as a chip that can be changed. */
export function planChips(plan: QueryPlan, input: WordsInput): PlanChip[] {
  const home = plan.dataset
  const chips: PlanChip[] = []
  const add = (kind: PlanChip['kind'], index: number, label: string): void => void chips.push({ kind, index, label })
  plan.measures.forEach((measure, i) => add('measure', i, measureWords(input, measure, home)))
  splitWords(input, plan).forEach((words, i) => add('split', i, `By ${lowerFirst(words)}`))
  if (plan.kind === 'rows')
    add('columns', 0, (plan.columns ?? []).map((field) => fieldWords(input, field, home)).join(', '))
  if (plan.period) add('period', 0, periodWords(plan.period))
  if (plan.period && plan.period.compare !== 'none')
    add(
      'compare',
      0,
      plan.period.compare === 'year' ? 'Compared with the previous year' : 'Compared with the previous period',
    )
  plan.filters.forEach((filter, i) => add('filter', i, filterWords(input, filter, home)))
  ;(plan.having ?? []).forEach(({ measure, op, value }, i) => {
    const of = plan.measures[measure]
    if (of)
      add(
        'having',
        i,
        `${measureWords(input, of, home)} ${LIMIT_LABELS[op]} ${limitText(value, undefined, input.locale)}`,
      )
  })
  ;(plan.sort ?? []).forEach((sort, i) => add('sort', i, sortWords(input, plan, sort)))
  if (plan.limit !== undefined) add('limit', 0, limitWords(plan.limit, plan.offset ?? 0))
  return chips
}
/** "Top 5", or the place in a ranking where others are passed over. */
const limitWords = (limit: number, offset: number): string =>
  offset === 0 ? `Top ${limit}` : limit === 1 ? `Number ${offset + 1}` : `Numbers ${offset + 1}–${offset + limit}`
function sortWords(input: WordsInput, plan: QueryPlan, { by, dir }: NonNullable<QueryPlan['sort']>[number]): string {
  const home = plan.dataset
  const order = dir === 'desc' ? 'highest first' : 'lowest first'
  if ('measure' in by) {
    const measure = plan.measures[by.measure]
    return `${measure ? measureWords(input, measure, home) : 'Measure'}, ${order}`
  }
  if ('dimension' in by)
    return `${splitWords(input, plan)[by.dimension] ?? 'Breakdown'}, ${dir === 'desc' ? 'descending' : 'ascending'}`
  const field = plan.columns?.[by.column]
  return `${field ? fieldWords(input, field, home) : 'Column'}, ${dir === 'desc' ? 'descending' : 'ascending'}`
}

/** A plan in one line: "Total revenue, by region, last 3 months". */
export function planWords(plan: QueryPlan, input: WordsInput): string {
  const chips = planChips(plan, input)
  // How it is sorted is said where it cuts something off.
  const said = chips.filter(({ kind, index }) => kind !== 'sort' || (plan.limit !== undefined && index === 0))
  const text = said.map(({ label }, i) => (i === 0 ? label : lowerFirst(label))).join(', ')
  const first = chips[0]
  const isList =
    first !== undefined && (first.kind === 'columns' || (first.kind === 'split' && plan.measures.length === 0))
  return isList && plan.dataset !== undefined ? `${datasetName(input, plan.dataset)}: ${lowerFirst(text)}` : text
}
