import {
  columnOfRef,
  deduct,
  fieldOf,
  isReachable,
  meaningsOf,
  Unreadable,
  wordsAt,
  type Context,
} from '../plan/context'
import { countColumn, datasetAt, keyColumn, nameColumns, numberedColumn } from '../plan/entities'
import { isMoneyTable, moneyColumn } from '../schema/money'
import { dateColumn, periodCondition, timeOf } from '../plan/time'
import { emptyOf, filterOf, sameColumns, valueCondition } from '../conditions/conditions'
import { ageOf } from './ages'
import { aggregate, countOfColumn, countRows } from './counted-columns'
import { averageOfUnits, growthOf } from './over-time'
import { isRevenueWord, linesRevenue } from './revenue'
import { durationOf, elapsedOf, inItsUnit, lastingOf, spanOf } from './durations'
import { piecesOf } from './pieces'
import { askWhatAmounts, ledgerAmount } from './ledger'
import { moneyOfKind, worthOfRows } from './money-of-kind'
import { planFigure } from './plan-figure'
import { isDoneHere } from '../score/done-here'
import { leavesSomeOut, productOf, ratioOfTables } from './row-figures'
import { isOfLines, SAYS_LINES } from '../schema/lines'
import { humanizeLabel } from '../../../../shared/text'
import type { MeasureAsk } from '../parse/measure-ask'
import type { CalcOperand, Filter, Measure } from '../../../../shared/query/plan'
import type { Aggregate } from '../../../../shared/query/functions'
import type { SchemaColumn } from '../schema/schema'
import type { Field } from '../../../../shared/query/field'

/** A figure as a measure of the rows the question is about. `filter` holds for this figure only. */
export function measureOf(context: Context, ask: MeasureAsk, filter: Filter[] = []): Measure {
  const measure = bareMeasure(context, ask, [...filter, ...onlyFilters(context, ask)])
  const label = ask.label === undefined ? undefined : humanizeLabel(plainLabel(ask.label)).slice(0, 80)
  // A figure with a name of its own is called by it, however it was asked for.
  const isNamed =
    measure.kind === 'metric' || ((ask.kind === 'aggregate' || ask.kind === 'topShare') && measure.label !== undefined)
  return label === undefined || label === '' || isNamed ? measure : { ...measure, label: inItsUnit(label, measure) }
}

/** Without what only leads to or from it: "the average age of our". */
const plainLabel = (label: string): string =>
  label
    .replace(/^(?:the|our) /iu, '')
    .replace(/ (?:of|among|av|på|pa|bland)(?: (?:our|the|all|våra|vara|de|alla))?$/iu, '')

/** What holds for this figure only: "weekend payments" beside all payments. */
const onlyFilters = (context: Context, { only }: MeasureAsk): Filter[] => [
  ...(only?.dates ?? []).flatMap((at) => {
    const spec = context.encoded.dates[at]
    const time = spec && timeOf(context, spec, null)
    const day = time?.period && context.schema.column(time.period.field.dataset, time.period.field.column)
    const within = time?.period && day ? periodCondition(context, day, time.period.range) : null
    return [...(time?.conditions ?? []), ...(within ? [within] : [])].map(filterOf)
  }),
  ...(only?.flags ?? []).flatMap(({ of, isEmpty }) => {
    const column = columnOfRef(context, meaningsOf(context, of)[0]?.ref ?? { kind: 'metric', id: '' })
    if (!column || !isReachable(context, column.dataset))
      throw new Unreadable('no_relation', `${wordsAt(context, of)} is of other rows.`)
    return [{ field: fieldOf(column), any: emptyOf(column, isEmpty) }]
  }),
  ...sameColumns(
    (only?.values ?? []).map((value) => {
      const ask = { value, column: null, near: [], mode: 'is' as const, isNegated: false, or: false }
      const condition = valueCondition(context, ask, null)
      if (!condition || !isReachable(context, condition.column.dataset))
        throw new Unreadable('no_relation', 'What is counted only is of other rows.')
      return condition
    }),
  ).map(filterOf),
]

function bareMeasure(context: Context, ask: MeasureAsk, filter: Filter[]): Measure {
  switch (ask.kind) {
    case 'count':
      return filtered(countOf(context, ask.of, ask.distinct), filter)
    case 'aggregate':
      return filtered(aggregateOf(context, ask), filter)
    case 'named':
      return filtered(namedFigure(context, ask.of), filter)
    case 'calc': {
      const product = productOf(context, ask)
      if (product) return filtered(product, filter)
      const tables = ratioOfTables(context, ask)
      if (tables && filter.length === 0) return tables
      const left = operandOf(context, ask.left, filter)
      const right = operandOf(context, ask.right, filter)
      if (ask.op === 'divide' && left.kind !== 'number' && right.kind !== 'number')
        return { kind: 'ratio', over: left, under: right, ...(ask.percent ? { format: { style: 'percent' } } : {}) }
      return { kind: 'calc', op: ask.op, left, right }
    }
    case 'perGroup': {
      const by = keyOfMention(context, ask.by)
      if (leavesSomeOut(context, ask)) deduct(context, 0.78, `some ${wordsAt(context, ask.by)} have none`)
      return { kind: 'grouped', agg: ask.agg, of: bareMeasure(context, ask.of, filter), by: [{ field: by }] }
    }
    case 'share': {
      const whole = bareMeasure(context, ask.of, [])
      const part = [
        ...filter,
        ...(context.part ?? []),
        ...onlyFilters(context, { ...ask, only: { values: ask.values, dates: [], flags: ask.flags ?? [] } }),
      ]
      const isOfAll = part.length === 0
      if (isOfAll && ask.values.length > 0) throw new Unreadable('no_relation', 'The part is of other rows.')
      if (isOfAll)
        return { kind: 'ratio', over: whole, under: { kind: 'whole', of: whole }, format: { style: 'percent' } }
      const ratio: Measure = {
        kind: 'ratio',
        over: filtered(whole, part),
        under: whole,
        format: { style: 'percent' },
      }
      return ratio
    }
    case 'perUnit':
      return averageOfUnits(context, bareMeasure(context, ask.of, filter), ask.unit)
    case 'growth':
      return growthOf(context, bareMeasure(context, ask.of, filter))
    case 'topShare':
      return topShareOf(context, ask, filter)
    case 'duration':
      return durationOf(context, ask)
    case 'plan':
      return planFigure(context, ask)
    case 'moment': {
      const date = dateColumn(context)
      if (!date) throw new Unreadable('no_metric', 'No date column.')
      return filtered(aggregate(ask.agg, fieldOf(date), context.home.id), filter)
    }
    case 'span':
      return filtered(spanOf(context, ask), filter)
    case 'elapsed':
      return filtered(elapsedOf(context, ask), filter)
    case 'lasting':
      return filtered(lastingOf(context, ask), filter)
    case 'age':
      return filtered(ageOf(context, ask.agg), filter)
    case 'pieces':
      return filtered(piecesOf(context, ask.verb), filter)
    case 'amount':
      return filtered(amountOf(context), filter)
    case 'number':
      throw new Unreadable('no_metric', 'A number alone is no figure.')
  }
}
function topShareOf(context: Context, ask: MeasureAsk & { kind: 'topShare' }, filter: Filter[]): Measure {
  const by = [{ field: keyOfMention(context, ask.by) }]
  const presentation = { format: { style: 'percent' as const }, label: `Share of the ${ask.n} largest` }
  return {
    kind: 'grouped',
    agg: 'share',
    of: bareMeasure(context, ask.of, filter),
    by,
    largest: ask.n,
    ...presentation,
  }
}
const operandOf = (context: Context, ask: MeasureAsk, filter: Filter[]): CalcOperand =>
  ask.kind === 'number'
    ? { kind: 'number', value: ask.value }
    : bareMeasure(context, ask, [...filter, ...onlyFilters(context, ask)])

/** A measure of the rows that meet further conditions. */
export function filtered(measure: Measure, filter: Filter[]): Measure {
  if (filter.length === 0) return measure
  switch (measure.kind) {
    case 'column':
    case 'expression':
      return { ...measure, filter: [...(measure.filter ?? []), ...filter] }
    case 'ratio':
      return { ...measure, over: filtered(measure.over, filter), under: filtered(measure.under, filter) }
    case 'calc': {
      const side = (operand: CalcOperand): CalcOperand =>
        operand.kind === 'number' ? operand : filtered(operand, filter)
      return { ...measure, left: side(measure.left), right: side(measure.right) }
    }
    case 'grouped':
      return { ...measure, of: filtered(measure.of, filter) }
    case 'metric':
    case 'function':
    case 'prev':
    case 'cumulative':
    case 'moving':
    case 'whole':
      throw new Unreadable('out_of_scope', 'This figure cannot have conditions of its own.')
  }
}

function countOf(context: Context, of: number | null, distinct: boolean): Measure {
  const { home } = context
  if (of === null) return countRows(home.id)
  const [best] = meaningsOf(context, of, (ref) => {
    const column = columnOfRef(context, ref)
    // Things are counted, and kinds of things; a part of a heading hardly names either.
    return ref.kind === 'dataset' ? 1.25 : column?.isDate === true ? 0.7 : column?.isMoney === true ? 0.8 : 1
  })
  if (!best) throw new Unreadable('no_metric', `What ${wordsAt(context, of)} are is not known.`)
  const column = columnOfRef(context, best.ref)
  if (column) return countOfColumn(context, column, distinct)
  // "Order lines" are rows, whatever number they share.
  if (best.ref.kind === 'dataset' && best.ref.dataset === context.home.id && SAYS_LINES.test(wordsAt(context, of)))
    return countRows(context.home.id)
  if (best.ref.kind === 'dataset') return countOfDataset(context, best.ref.dataset, distinct)
  if (best.ref.kind === 'term' && isRevenueWord(wordsAt(context, of)))
    throw new Unreadable('no_metric', `${humanizeLabel(wordsAt(context, of))} add up, and aren’t counted.`)
  return namedFigure(context, of)
}

function countOfDataset(context: Context, dataset: string, distinct: boolean): Measure {
  const { home, schema } = context
  if (dataset === home.id) {
    const lines = numberedColumn(home)
    if (lines) return aggregate('countDistinct', fieldOf(lines), home.id)
    // Beside an amount of money a column of this kind says how many pieces a row sold, and counts no rows.
    const counting = distinct || moneyColumn(home) ? undefined : countColumn(home)
    const [name] = distinct ? nameColumns(home) : []
    // Things are told apart by their key, else by what they are called.
    const key = keyColumn(home, schema)
    if (name && key?.isUnique !== true && !name.isUnique) return aggregate('countDistinct', fieldOf(name), home.id)
    return counting ? aggregate('sum', fieldOf(counting), home.id) : countRows(home.id)
  }
  const path = schema.path(home.id, dataset)
  const last = path?.at(-1)
  // "The number of cars sold": each sale of one.
  if (path?.length === 1 && !distinct && isDoneHere(context, dataset)) return countRows(home.id)
  if (!path || !last) {
    // Rows that point at these: counted on their own, beside the question's rows.
    if (schema.path(dataset, home.id)) {
      deduct(context, 0.9, 'counts rows of another table')
      return countRows(dataset)
    }
    throw new Unreadable(
      'no_relation',
      `${home.source.name} and ${schema.dataset(dataset)?.source.name ?? ''} are not related.`,
    )
  }
  return aggregate('countDistinct', { dataset: last.from.dataset, column: last.from.key }, home.id)
}

const NUMERIC_ONLY: ReadonlySet<Aggregate> = new Set(['sum', 'avg', 'median'])

function aggregateOf(
  context: Context,
  { agg, of, money = false }: { agg: Aggregate; of: number; money?: boolean },
): Measure {
  const wantsNumber = NUMERIC_ONLY.has(agg)
  const [best] = meaningsOf(context, of, (ref) => {
    const column = columnOfRef(context, ref)
    if (!column) return 1
    if (column.isKey) return 0.6
    return column.isNumeric || (!wantsNumber && column.isDate) ? 1.05 : 0.7
  })
  if (!best) throw new Unreadable('no_metric', `What ${wordsAt(context, of)} is is not known.`)
  const column = columnOfRef(context, best.ref)
  if (column) return aggregateColumn(context, agg, column)
  if (best.ref.kind === 'dataset') return aggregateDataset(context, agg, { id: best.ref.dataset, money })
  // The average of a metric that adds up is not the metric: only its own figure is known.
  const figure = namedFigure(context, of)
  // A ratio of sums is its own average.
  const isShare = figure.kind === 'ratio' && (figure.format?.style === 'percent' || best.ref.kind === 'term')
  if (agg === 'sum' || (agg === 'avg' && isShare)) return figure
  // The average of sales may be that of a row, an order or a month.
  if (best.ref.kind === 'term' && isRevenueWord(wordsAt(context, of)))
    deduct(context, 0.75, 'an average of what is not said')
  if (best.ref.kind === 'term' && (agg === 'max' || agg === 'min'))
    deduct(context, 0.75, 'the largest of what is not said')
  if (figure.kind === 'column' && (figure.agg === 'sum' || figure.agg === agg)) return { ...figure, agg }
  deduct(context, 0.75, 'the aggregate of a defined figure')
  return figure
}

function aggregateColumn(context: Context, agg: Aggregate, column: SchemaColumn): Measure {
  const { home, schema } = context
  const isOfMany =
    agg === 'sum' && !isReachable(context, column.dataset) && schema.path(column.dataset, home.id) !== null
  // Rows that point at these: added up on their own, beside the question's rows.
  if (isOfMany && column.isAdditive && context.ask.splits.length > 0) {
    deduct(context, 0.9, 'adds up rows of another table')
    return { kind: 'column', agg, field: fieldOf(column), dataset: column.dataset }
  }
  if (!isReachable(context, column.dataset))
    throw new Unreadable('no_relation', `${column.source.label} is not related.`)
  if (!column.isNumeric && !(column.isDate && (agg === 'min' || agg === 'max'))) {
    if (agg === 'sum') return countOfColumn(context, column, !column.isUnique)
    throw new Unreadable('no_metric', `${column.source.label} isn’t numeric.`)
  }
  if (column.isKey && agg !== 'min' && agg !== 'max')
    throw new Unreadable('no_metric', `${column.source.label} isn’t a figure.`)
  const hops = schema.path(home.id, column.dataset)?.length ?? 0
  // Added up once for each row that points at it, an amount counts several times.
  if (agg === 'sum' && !column.isAdditive && column.words.some((word) => /^(?:unit|list|styck|a)$/.test(word)))
    deduct(context, 0.7, 'adds up prices of one piece')
  if (agg === 'sum' && column.source.label.includes('%')) deduct(context, 0.6, 'adds up percentages')
  if (hops > 0 && agg === 'sum')
    deduct(
      context,
      isOfLines(home) || (column.words.some((word) => OF_A_WHOLE.test(word)) && context.ask.splits.length === 0)
        ? 0.75
        : 0.93,
      'adds up a column of what rows point at',
    )
  return aggregate(agg, fieldOf(column), home.id)
}

function aggregateDataset(
  context: Context,
  agg: Aggregate,
  { id, money: isMoney = false }: { id: string; money?: boolean },
): Measure {
  const dataset = context.schema.dataset(id)
  if (!dataset || !isReachable(context, id)) throw new Unreadable('no_relation', 'Not related.')
  const money = moneyColumn(dataset) ?? (isMoney || agg !== 'sum' ? moneyOfKind(context, dataset) : undefined)
  if (money && (agg !== 'sum' || isMoney || (isMoneyTable(dataset) && !isCounted(context, id)))) {
    const worth = id === context.home.id ? worthOfRows(dataset, agg) : null
    if (worth) return worth
    context.assumptions.push(`“${dataset.source.name}” is read as ${humanizeLabel(money.source.label)}.`)
    return aggregate(agg, fieldOf(money), context.home.id)
  }
  if (agg === 'sum') return countOfDataset(context, id, false)
  throw new Unreadable('no_metric', `${dataset.source.name} has no amount.`)
}
/** "How many payments …, total payments": the number of them was asked for before. */
const isCounted = (context: Context, dataset: string): boolean =>
  context.encoded.figures.some(
    (figure) => figure.kind === 'count' && figure.of !== null && datasetAt(context, figure.of)?.id === dataset,
  )
/** A metric, a term, or a column whose way of adding up follows from what it is. */
export function namedFigure(context: Context, at: number): Measure {
  const [best] = meaningsOf(context, at, (ref) => {
    const column = columnOfRef(context, ref)
    return column ? (column.isNumeric && !column.isKey ? 1.05 : 0.7) : 1
  })
  if (!best) throw new Unreadable('no_metric', `What ${wordsAt(context, at)} is is not known.`)
  const { ref } = best
  if (ref.kind === 'metric') return { kind: 'metric', id: ref.id }
  if (ref.kind === 'term') return termFigure(context, ref.entry.term)
  if (ref.kind === 'dataset') return aggregateDataset(context, 'sum', { id: ref.dataset })
  const column = columnOfRef(context, ref)
  if (!column) throw new Unreadable('no_metric', `${wordsAt(context, at)} is no figure.`)
  if (!column.isNumeric || column.isKey) return countOfColumn(context, column, !column.isKey)
  const lines = isRevenueWord(wordsAt(context, at)) ? linesRevenue(context, column) : null
  // A formula has a name that people know.
  if (lines) return lines.kind === 'expression' ? { ...lines, label: lines.label ?? 'Sales' } : lines
  const isSum = column.isAdditive || isRevenueWord(wordsAt(context, at))
  return aggregateColumn(context, isSum ? 'sum' : 'avg', column)
}
/** What is said once of a whole: added up for each of its parts it counts many times. */
const OF_A_WHOLE = /^(?:total|amount|sum|balance|saldo|belopp|summa|population|count)$/
/** What a term was defined as; definitions are read before anything else, as figures of the question. */
function termFigure(context: Context, term: string): Measure {
  const defined = context.encoded.defined.get(term)
  if (!defined) throw new Unreadable('no_metric', `${term} is defined in words that are not understood.`)
  return bareMeasure(context, defined, onlyFilters(context, defined))
}

/** The key of what a mention names, seen from the question's rows. */
export function keyOfMention(context: Context, at: number): Field {
  const dataset = datasetAt(context, at)
  if (!dataset) {
    const [best] = meaningsOf(context, at)
    const column = best && columnOfRef(context, best.ref)
    if (!column) throw new Unreadable('no_metric', `What ${wordsAt(context, at)} is is not known.`)
    return fieldOf(column)
  }
  const last = context.schema.path(context.home.id, dataset.id)?.at(-1)
  if (last) return { dataset: last.from.dataset, column: last.from.key }
  const key = keyColumn(dataset, context.schema)
  if (!key) throw new Unreadable('no_relation', `${dataset.source.name} has no key.`)
  return fieldOf(key)
}

/** "Total amount": of what was added up before, else of the money of the question's rows. */
function amountOf(context: Context): Measure {
  const before = context.encoded.figures.find((figure) => figure.kind === 'aggregate' && figure.agg === 'sum')
  if (before?.kind === 'aggregate') return aggregateOf(context, before)
  const booked = ledgerAmount(context)
  if (booked) return booked
  askWhatAmounts(context)
  const money = moneyColumn(context.home)
  if (!money) throw new Unreadable('no_metric', 'No amount column.')
  const worth = worthOfRows(context.home, 'sum')
  if (worth) return worth
  return aggregateColumn(context, 'sum', money)
}
