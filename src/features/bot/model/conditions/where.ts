import {
  columnAt,
  columnOfRef,
  deduct,
  fieldOf,
  isReachable,
  meaningsOf,
  Unreadable,
  wordsAt,
  type Context,
} from '../plan/context'
import {
  affirmed,
  eitherExpr,
  emptyOf,
  filterOf,
  sameColumns,
  valueCondition,
  type ColumnCondition,
} from './conditions'
import { datasetAt } from '../plan/entities'
import { entityOf, isFigure, measureOfItem } from '../plan/items'
import { lookUp } from '../schema/look-up'
import { ADJECTIVES } from '../parse/adjectives'
import { measureOf } from '../figures/figures'
import {
  besideDays,
  endsOf,
  happeningOf,
  missingDataset,
  missingTimes,
  firstFilters,
  pointingAt,
  stillLasting,
  undoneDataset,
  undoneDays,
} from './deeds'
import { besideFigures } from '../figures/beside-figures'
import { lateConditions } from './late'
import { addsUpToLimit } from './limits-of-sums'
import { inForceConditions } from './in-force'
import { overdueConditions } from './overdue'
import { isRevenueWord } from '../figures/revenue'
import { isOfUnits } from '../parse/asked-units'
import { stockConditions } from './stock'
import { spanCondition } from '../figures/spans'
import { doneConditions, emptyKeys } from './happened'
import { withoutVoided } from './voided'
import { columnOfVerb, isDateRef, noTime, periodCondition, timeOf } from '../plan/time'
import { isVerb } from '../parse/encoded'
import { stemOf } from '../language/words'
import type { ExistsFilter, FieldFilter, Filter, Measure, QueryPlan } from '../../../../shared/query/plan'
import type { ComparisonOperator } from '../../../../shared/query/functions'
import type { Expr } from '../../../../shared/query/expression'
import type { NumberCondition } from '../parse/ask'
import type { SchemaColumn } from '../schema/schema'

/** The conditions of a question, by where they stand in its plan. */
export interface ReadConditions {
  filters: FieldFilter[]
  /** Conditions on rows that point at the question's rows. */
  pointing: ColumnCondition[]
  having: { measure: Measure; op: ComparisonOperator; value: number }[]
  /** Of these one is enough. */
  either: Expr | null
  period: QueryPlan['period'] | null
  /** Of figures that count only some rows, what these are, by figure. */
  only: Map<number, FieldFilter[]>
}

export function readConditions(context: Context): ReadConditions {
  const read: ReadConditions = { filters: [], pointing: [], having: [], either: null, period: null, only: new Map() }
  // "Without a phone number" is an empty column; it stands among the filters.
  context.ask.without = context.ask.without.filter(({ of, entity }) => !addEmptyColumn(context, of, entity))
  const unassigned = emptyKeys(context)
  readTimes(context, read)
  const conditions = [
    ...valueConditions(context),
    ...numberConditions(context, read),
    ...emptyConditions(context),
    ...unassigned,
    ...doneConditions(context),
    ...endsOf(context),
    ...stillLasting(context),
    ...besideDays(context),
    ...besideFigures(context),
    ...overdueConditions(context),
    ...inForceConditions(context),
    ...lateConditions(context),
    ...stockConditions(context),
    ...groupConditions(context),
  ]
  conditions.push(...withoutVoided(context, conditions))
  const subject = context.ask.both.size > 0 ? entityOf(context) : undefined
  if (subject && subject.id !== context.home.id) throw new Unreadable('no_relation', 'Both hold of what is asked for.')
  const either = conditions.filter((each) => each.either !== null)
  const isEither = new Set(either.map(({ column }) => `${column.dataset}.${column.key}`)).size > 1
  for (const condition of isEither ? conditions.filter((each) => each.either === null) : sameColumns(conditions))
    place(context, read, condition)
  if (isEither && read.either) deduct(context, 0.4, 'several conditions of a row')
  if (isEither) {
    read.either = either.every(({ column }) => isReachable(context, column.dataset)) ? eitherExpr(either) : null
    if (!read.either) deduct(context, 0.4, '“or” over several columns')
  }
  const span = spanCondition(context)
  if (span && read.either) deduct(context, 0.4, 'several conditions of a row')
  read.either ??= span
  return read
}

function place(context: Context, read: ReadConditions, condition: ColumnCondition): void {
  const field = fieldOf(condition.column)
  const isSame = read.filters.some((each) => each.field.dataset === field.dataset && each.field.column === field.column)
  if (condition.isOneOfBoth && isSame && isReachable(context, field.dataset))
    throw new Unreadable('no_relation', `${condition.column.source.label} of a row is one or the other.`)
  if (isReachable(context, condition.column.dataset)) read.filters.push(filterOf(condition))
  else if (pointingAt(context, condition.column.dataset) !== null) read.pointing.push(condition)
  else deduct(context, 0.3, `${condition.column.source.label} is not related`)
}

function valueConditions(context: Context): ColumnCondition[] {
  const { values } = context.ask
  let group = 0
  if (
    /(?:number of|how many|hur manga|antal|antalet) (?:the )?<v\d+> (?:and|och) <v\d+> <m\d+>/.test(
      context.encoded.source,
    )
  )
    deduct(context, 0.75, 'one figure of both, or one of each')
  const isAveraged = context.encoded.figures.some((figure) => figure.kind === 'aggregate' && figure.agg !== 'sum')
  if (
    isAveraged &&
    context.ask.splits.length === 0 &&
    /<v\d+>(?: <m\d+>)? (?:and|och) (?:the |for |of |in |i |av )*<v\d+>/.test(context.encoded.source)
  )
    deduct(context, 0.75, 'one average of both, or one of each')
  return values.flatMap((value, i) => {
    const isJoined = value.or || values[i + 1]?.or === true
    if (!value.or) group += 1
    const condition = valueCondition(context, value, isJoined ? group : null)
    if (!condition) return []
    return context.ask.both.has(value.value) ? { ...condition, isOneOfBoth: true } : condition
  })
}

/** Groups of a grouping that are named: "customers in the north". */
function groupConditions(context: Context): ColumnCondition[] {
  const said = new Set(context.ask.outputs.flatMap((item) => (item.kind === 'name' ? [item.at] : [])))
  return context.encoded.mentions.flatMap((mention, at) => {
    const ref = meaningsOf(context, at)[0]?.ref
    if (ref?.kind !== 'group') return []
    const grouping = context.schema.vocabulary.groupings.find(({ id }) => id === ref.grouping)
    const field = grouping?.fields.find(({ dataset }) => isReachable(context, dataset))
    const column = field && context.schema.column(field.dataset, field.column)
    if (!column || !grouping) return []
    if (said.has(at)) context.ask.outputs = context.ask.outputs.filter((item) => item.kind !== 'name' || item.at !== at)
    const level = grouping.levels.length > 1 ? { level: ref.level } : {}
    return [
      {
        column,
        conditions: [{ op: 'in' as const, values: [ref.group] }],
        grouping: { id: ref.grouping, ...level },
        either: null,
        isNegated: false,
      },
    ]
  })
}

function numberConditions(context: Context, read: ReadConditions): ColumnCondition[] {
  return context.ask.conditions.flatMap((condition) => {
    const { of } = condition
    if (of === null && condition.adjective !== undefined) return adjectiveCondition(context, condition)
    if (of === null) return [...rankedCondition(context, read, condition)]
    if (of.kind === 'name') {
      const dataset = datasetAt(context, of.at)
      if (dataset && isRevenueWord(wordsAt(context, of.at)) && isOfUnits(context.encoded.source)) {
        addHaving(read, measureOfItem(context, of), condition)
        return []
      }
      if (dataset) {
        addHaving(
          read,
          measureOf(context, {
            kind: 'count',
            of: of.at,
            distinct: false,
            label: `number of ${wordsAt(context, of.at)}`,
          }),
          condition,
        )
        return []
      }
      const column = numberColumn(context, of.at)
      if (column && addsUpToLimit(context, of.at, column)) {
        addHaving(read, { kind: 'column', agg: 'sum', field: fieldOf(column) }, condition)
        return []
      }
      if (column) return [{ column, conditions: [comparison(condition)], either: null, isNegated: false }]
      if (!isFigure(context, of)) {
        deduct(context, 0.4, `${wordsAt(context, of.at)} isn’t numeric`)
        return []
      }
    }
    addHaving(read, measureOfItem(context, of), condition)
    return []
  })
}
/** "Higher than 1500 meters": of the column that the adjective fits. */
function adjectiveCondition(context: Context, condition: NumberCondition): ColumnCondition[] {
  const words = ADJECTIVES[condition.adjective ?? '']?.words ?? []
  const home = entityOf(context)?.id ?? context.home.id
  const { unit } = condition
  const isIn = (column: SchemaColumn): boolean =>
    unit === undefined || column.words.some((word) => word.startsWith(unit.slice(0, 3)))
  const column = [
    ...lookUp(context.lexicon, words),
    ...(unit === undefined ? [] : lookUp(context.lexicon, [unit])),
  ].find((each) => each.isNumeric && !each.isKey && each.dataset === home && isIn(each))
  if (!column) deduct(context, 0.4, `nothing says what is ${condition.adjective ?? ''}`)
  return column ? [{ column, conditions: [comparison(condition)], either: null, isNegated: false }] : []
}
/** "More than 100": of the figure that was asked for. */
function rankedCondition(context: Context, read: ReadConditions, condition: NumberCondition): ColumnCondition[] {
  const figure = context.ask.outputs.find((item) => item.kind === 'figure')
  const [name] = context.ask.outputs.flatMap((item) =>
    item.kind === 'name' ? (numberColumn(context, item.at) ?? []) : [],
  )
  const isOfWhole =
    context.ask.outputs.filter(({ kind }) => kind === 'figure').length === 1 &&
    !name &&
    /\b(?:in total|altogether|overall|totalt|sammanlagt)\b/.test(context.words)
  if (!isOfWhole) deduct(context, 0.8, 'a limit without a figure beside it')
  if (name) return [{ column: name, conditions: [comparison(condition)], either: null, isNegated: false }]
  if (figure) addHaving(read, measureOfItem(context, figure), condition)
  else deduct(context, 0.4, 'a number that is not understood')
  return []
}
function addHaving(read: ReadConditions, measure: Measure, { op, value, to }: NumberCondition): void {
  if (op === 'between') {
    read.having.push({ measure, op: 'ge', value }, { measure, op: 'le', value: to ?? value })
    return
  }
  read.having.push({ measure, op, value })
}
function numberColumn(context: Context, at: number): SchemaColumn | undefined {
  const [best] = meaningsOf(context, at, (ref) => {
    const column = columnOfRef(context, ref)
    return column ? (column.isNumeric ? 1.05 : 0.5) : 1
  })
  const column = best && columnOfRef(context, best.ref)
  return column?.isNumeric === true ? column : undefined
}
const comparison = ({ op, value, to }: NumberCondition): ColumnCondition['conditions'][number] =>
  op === 'between' ? { op, from: value, to: to ?? value } : { op, value }

function emptyConditions(context: Context): ColumnCondition[] {
  return context.ask.empties.flatMap(({ of, isEmpty }) => {
    const [best] = meaningsOf(context, of)
    const column = best && (columnOfRef(context, best.ref) ?? keyTo(context, datasetAt(context, of)?.id))
    return column ? [{ column, conditions: emptyOf(column, isEmpty), either: null, isNegated: false }] : []
  })
}

/** The key of these rows that points at a table: "used a coupon". */
function keyTo({ schema, home }: Context, dataset: string | undefined): SchemaColumn | undefined {
  const [hop, further] = (dataset !== undefined && schema.path(home.id, dataset)) || []
  return hop && !further ? schema.column(hop.from.dataset, hop.from.key) : undefined
}

/** Periods, parts of weeks and open ends; one period stands in the plan, further ones are conditions. */
function readTimes(context: Context, read: ReadConditions): void {
  const missing = missingDataset(context) ?? happeningOf(context)
  for (const at of [...new Set(context.ask.dates)]) {
    const spec = context.encoded.dates[at]
    if (!spec || spec.kind === 'grain' || spec.kind === 'datePart') continue
    if (spec.kind === 'compare') {
      if (read.period) read.period = { ...read.period, compare: spec.with }
      else if (context.encoded.dates.length > 1) deduct(context, 0.6, 'nothing to compare with')
      continue
    }
    const column = context.ask.dated.get(at)
    const own = column === undefined ? columnOfVerb(context, at) : isDateRef(context, column)
    const undone = missing && own === null ? missingTimes(context, missing, spec) : null
    if (undone) {
      read.pointing.push(...undone)
      continue
    }
    const part = timeOf(context, spec, own)
    if (!part) {
      noTime(context)
      continue
    }
    for (const condition of part.conditions) place(context, read, condition)
    if (part.row) read.either = part.row
    if (!part.period) continue
    const columnOfPeriod = context.schema.column(part.period.field.dataset, part.period.field.column)
    if (!columnOfPeriod) continue
    const isMain = read.period === null && isReachable(context, columnOfPeriod.dataset)
    const isCompared = context.encoded.dates.some(({ kind }) => kind === 'compare')
    if (isMain && (own === null || column === undefined || isCompared)) read.period = part.period
    else {
      const condition = periodCondition(context, columnOfPeriod, part.period.range)
      if (condition) place(context, read, condition)
    }
  }
}

/** Rows that must or must not be there, with what is asked of them. */
export function existsFilters(context: Context, { pointing }: Pick<ReadConditions, 'pointing'>): ExistsFilter[] {
  const filters: ExistsFilter[] = []
  // Of a share what must be there says which part is meant.
  if (context.part !== undefined) return []
  const left = pointing.filter(({ isOneOfBoth }) => isOneOfBoth !== true)
  const both = pointing.filter(({ isOneOfBoth }) => isOneOfBoth === true)
  filters.push(...bothFilters(context, both, left), ...firstFilters(context))
  if (both.length > 0) left.length = 0
  const add = (kind: ExistsFilter['kind'], dataset: string): void => {
    if (filters.some((each) => each.dataset === dataset)) return
    const inner = left.filter(
      ({ column }) => column.dataset === dataset || context.schema.path(dataset, column.dataset) !== null,
    )
    for (const used of inner) left.splice(left.indexOf(used), 1)
    filters.push({ kind, dataset, filters: inner.map((each): Filter => filterOf(each)) })
  }
  // "Have never been sick": none of their rows say so.
  const addPointing = (condition: ColumnCondition): void => {
    const rows = pointingAt(context, condition.column.dataset) ?? condition.column.dataset
    const denied = condition.isNegated ? affirmed(condition) : null
    if (!denied) return add('exists', rows)
    left.splice(left.indexOf(condition), 1)
    filters.push({ kind: 'notExists', dataset: rows, filters: [filterOf(denied)] })
  }
  for (const { of, entity } of context.ask.without) {
    const dataset = datasetAt(context, of)
    if (dataset?.id === context.home.id) throw new Unreadable('no_relation', 'What is missing has no rows to list.')
    const missing = dataset?.id ?? columnAt(context, of)?.dataset
    const subject = entity === null ? undefined : (datasetAt(context, entity)?.id ?? columnAt(context, entity)?.dataset)
    if (subject !== undefined && subject !== context.home.id) deduct(context, 0.5, 'it is missing of other rows')
    if (missing === context.home.id) throw new Unreadable('no_relation', 'What is missing has no rows to list.')
    const rows = missing === undefined ? null : pointingAt(context, missing)
    const used = dataset ? undefined : columnAt(context, of)
    // "Never used a coupon": rows that hold one are missing.
    const isTableSaid = context.schema
      .dataset(used?.dataset ?? '')
      ?.words.some((word) => stemOf(word) === stemOf(wordsAt(context, of)))
    if (rows !== null && used?.dataset === rows && !joinsRows(context, used) && isTableSaid !== true)
      left.push({ column: used, conditions: [{ op: 'notEmpty' }], either: null, isNegated: false })
    if (rows !== null) add('notExists', rows)
    else deduct(context, 0.4, `what is without ${wordsAt(context, of)} is not known`)
  }
  left.push(...undoneDays(context))
  const undone = undoneDataset(context)
  if (undone !== null) add('notExists', undone)
  for (const at of mustExist(context)) add('exists', at)
  for (const condition of [...left]) if (left.includes(condition)) addPointing(condition)
  return filters
}
/** A key that tells rows apart, or by which they point at others; a code of anything else is a value. */
const joinsRows = ({ schema }: Context, { dataset, key, isKey, isUnique }: SchemaColumn): boolean =>
  isKey && (isUnique || schema.vocabulary.relations.some(({ from }) => from.dataset === dataset && from.key === key))
/** Rows of each of two kinds, with what is asked of both. */
const bothFilters = (context: Context, both: readonly ColumnCondition[], shared: readonly ColumnCondition[]) =>
  both.map((each): ExistsFilter => ({
    kind: 'exists',
    dataset: pointingAt(context, each.column.dataset) ?? each.column.dataset,
    filters: [...shared, each].map(filterOf),
  }))
function addEmptyColumn(context: Context, at: number, entity: number | null): boolean {
  const [best] = meaningsOf(context, at)
  const column = best && columnOfRef(context, best.ref)
  if (!column || !isReachable(context, column.dataset)) return false
  // "Accounts that never traded": what was not done has rows of its own, and these are missing.
  const subject = entity === null ? undefined : datasetAt(context, entity)
  if (isVerb(context.encoded, at) && subject && subject.id !== column.dataset) return false
  if (subject && subject.id !== column.dataset && !joinsRows(context, column)) return false
  // "Claims that have no payments": rows that point at them are missing, not the number of one.
  const isTheirs = context.encoded.mentions[at]?.matches.some(
    ({ ref }) => ref.kind === 'dataset' && ref.dataset === column.dataset,
  )
  if (column.isKey && (isTheirs === true || column.isUnique) && subject && subject.id !== column.dataset) return false
  context.ask.empties.push({ of: at, isEmpty: true })
  return true
}
/** Datasets that are named and whose rows point at the question's rows: "customers that have made a purchase". */
function mustExist(context: Context): string[] {
  const without = new Set(context.ask.without.map(({ of }) => of))
  const counted = new Set(
    context.encoded.figures.flatMap((figure) => ('of' in figure && typeof figure.of === 'number' ? [figure.of] : [])),
  )
  return context.encoded.mentions.flatMap((_, at) => {
    if (without.has(at) || counted.has(at)) return []
    const dataset = datasetAt(context, at)
    if (!dataset || dataset.id === context.home.id || isReachable(context, dataset.id)) return []
    if (context.schema.path(dataset.id, context.home.id)) return [dataset.id]
    const link = pointingAt(context, dataset.id)
    return link !== null && !context.named.has(link) ? [link] : []
  })
}
