import { filtersSql } from './conditions'
import type { ForeignRows } from './foreign-rows'
import { notLive } from './refusals'
import { allOf, joined, listed, sql, written, type Sql } from './sql'
import { RowValues } from './values'
import { leafTraits } from '../columns/folds/leaf-traits'
import type { NumberShape } from '../columns/vector-number'
import { divide, realFrom, valueFrom, type Amount } from '../query/aggregates/amount'
import type { MeasureTraits } from '../query/aggregates/calculations'
import { exactBetween, rankOf, realBetween } from '../query/aggregates/percentile'
import { exactOf, rescale, type ExactDecimal } from '../query/expressions/decimal'
import { columnOf } from '../query/plan/field-columns'
import type { Column } from '../../shared/data-sources/data-sources'
import { isCountMeasure } from '../../shared/query/plan-fields'
import type { AggregateMeasure, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'

/** What a measure comes to for one group. */
export interface FoldedValue {
  amount: Amount
  /** What it is sorted by, where that is another thing. */
  order?: number | null
}
/** One measure in a statement: columns of the rows, places within their groups, and figures of the groups. */
export interface LeafColumns {
  traits: MeasureTraits
  isCount: boolean
  /** What is shown as a text is sorted by the number that it stands for. */
  hasOrder: boolean
  /** Worked out for each row. */
  rows: Sql[]
  /** Beside these, by window: `column(i)` names the i-th of {@link LeafColumns.rows}. */
  places: (column: (i: number) => Sql, keys: readonly Sql[]) => Sql[]
  /** Of each group. */
  figures: (column: (i: number) => Sql, place: (i: number) => Sql) => Sql[]
  read: (cells: readonly (string | null)[]) => FoldedValue
}

/** What a measure is of. */
interface Operand {
  value: Sql
  kind: 'text' | 'number'
  number: NumberShape | null
  column: Column | null
  /** A cell of it as the answer has it. */
  read: (cell: string | null) => FoldedValue
}

const NOTHING_PLACED = (): Sql[] => []
const whole = (cell: string | null | undefined): Amount => ({ n: BigInt(cell ?? 0), scale: 0 })

export function leafColumns(rows: ForeignRows, measure: AggregateMeasure, plan: QueryPlan): LeafColumns {
  const { planContext, dialect } = rows
  const passing = measure.filter?.length ? filtersSql(rows, measure.filter, 'measures') : null
  const passed = (value: Sql): Sql => (passing === null ? value : sql`CASE WHEN ${passing} THEN ${value} END`)
  const isOfRows = measure.kind === 'column' && !measure.field
  const operand = isOfRows ? null : operandOf(rows, measure)
  const shown = { dataset: rows.own.dataset.id, number: operand?.number ?? null, column: operand?.column ?? null }
  const traits = leafTraits(planContext, measure, shown)
  const hasOrder = !traits.numeric && operand?.kind === 'number'
  const common = { traits, isCount: isCountMeasure(measure), hasOrder }
  const counted = (figure: (value: Sql) => Sql, value: Sql): LeafColumns => ({
    ...common,
    rows: [passed(value)],
    places: NOTHING_PLACED,
    figures: (column) => [dialect.output(figure(column(0)), 'number')],
    read: ([count]) => ({ amount: whole(count) }),
  })
  if (!operand) return counted((value) => sql`COUNT(${value})`, sql`1`)
  const { agg } = measure
  if (agg === 'count') return counted((value) => sql`COUNT(${value})`, operand.value)
  if (agg === 'countDistinct') return counted((value) => sql`COUNT(DISTINCT ${value})`, operand.value)
  const asked = { rows, operand, passed, common }
  if (agg === 'sum' || agg === 'avg') return summed(asked, agg)
  if (agg === 'min' || agg === 'max') return edge(asked, agg)
  if (agg === 'median') return percentile(asked, measure.percent ?? 50)
  return firstOrLast(asked, orderOf(rows, measure, plan), agg)
}

interface AskedLeaf {
  rows: ForeignRows
  operand: Operand
  passed: (value: Sql) => Sql
  common: Pick<LeafColumns, 'traits' | 'isCount' | 'hasOrder'>
}

function operandOf(rows: ForeignRows, measure: AggregateMeasure): Operand {
  assertAsStored(rows, measure)
  const values = new RowValues(rows)
  if (measure.kind === 'column' && measure.field) {
    const placed = rows.field(measure.field)
    const { column } = placed
    const expression = values.expression()
    const isNumber = column.type === 'integer' || column.type === 'number'
    const number = isNumber ? expression.shape({ kind: 'field', field: measure.field }) : null
    return { ...operandFrom(values.column(placed), column, number), column }
  }
  if (measure.kind !== 'expression') throw new TypeError('Only rows are counted without a field.')
  const expression = values.expression()
  const type = expression.type(measure.row)
  const value = expression.value(measure.row)
  if (type === 'text') return { ...operandFrom(value, { type: 'text' }, null), column: null }
  const shape = expression.shape(measure.row)
  if (type === 'number') return { ...operandFrom(value, { type: 'number' }, shape), column: null }
  return { ...operandFrom(value, { type: type === 'date' ? 'date' : 'boolean' }, null), number: shape, column: null }
}

function operandFrom(
  value: Sql,
  column: Pick<Column, 'type' | 'scale' | 'zoned'>,
  number: NumberShape | null,
): Omit<Operand, 'column'> {
  if (column.type === 'text') return { value, kind: 'text', number, read: (cell) => ({ amount: cell }) }
  if (number) return { value, kind: 'number', number, read: (cell) => ({ amount: numberFrom(cell, number) }) }
  return {
    ...{ value, kind: 'number' as const, number },
    read(cell) {
      const stored = cell === null ? null : Number(cell)
      return { amount: valueFrom(column, stored), order: stored }
    },
  }
}

function numberFrom(cell: string | null | undefined, { kind, scale }: NumberShape): Amount {
  if (cell === null || cell === undefined) return null
  const exact = kind === 'exact' ? exactOf(cell) : null
  if (!exact) return realFrom(Number(cell))
  const n = rescale(exact, scale)
  return n === null ? exact : { n, scale }
}

/** Amounts are added as they lie. */
function assertAsStored(rows: ForeignRows, measure: AggregateMeasure): void {
  const { money } = rows.planContext
  if (!money || isCountMeasure(measure)) return
  const own = measure.mode === undefined ? money : (money.by?.(measure.mode) ?? money)
  const fields = measure.kind === 'column' && measure.field ? [measure.field] : []
  for (const field of fields)
    if (own.rates(columnOf(rows.planContext, rows.own.dataset.id, field))) throw notLive('Currency conversion')
}

function summed({ rows, operand, passed, common }: AskedLeaf, agg: 'sum' | 'avg'): LeafColumns {
  const { dialect } = rows
  const shape = operand.number ?? { kind: 'real', scale: 0, bound: 0n }
  const value = shape.kind === 'exact' ? dialect.summable(operand.value, shape.scale) : operand.value
  return {
    ...common,
    rows: [passed(value)],
    places: NOTHING_PLACED,
    figures: (column) => [
      dialect.output(sql`SUM(${column(0)})`, 'number'),
      ...(agg === 'avg' ? [dialect.output(sql`COUNT(${column(0)})`, 'number')] : []),
    ],
    read([sum, count]) {
      const amount = numberFrom(sum, shape)
      return { amount: agg === 'sum' ? amount : divide(amount, whole(count)) }
    },
  }
}

function edge({ rows, operand, passed, common }: AskedLeaf, agg: 'min' | 'max'): LeafColumns {
  const { dialect } = rows
  const value = operand.kind === 'text' ? dialect.ordered(operand.value) : operand.value
  return {
    ...common,
    rows: [passed(value)],
    places: NOTHING_PLACED,
    figures: (column) => [dialect.output(sql`${written(agg === 'min' ? 'MIN' : 'MAX')}(${column(0)})`, operand.kind)],
    read: ([cell = null]) => operand.read(cell),
  }
}

/** Rows by their place among those of their group that have a value. */
function placedBy(keys: readonly Sql[], isOut: Sql, order: Sql): Sql {
  return sql`ROW_NUMBER() OVER (PARTITION BY ${listed([...keys, sql`CASE WHEN ${isOut} THEN 1 ELSE 0 END`])} ORDER BY ${order})`
}

/** The values about the rank, and how many there are. */
function percentile({ rows, operand, passed, common }: AskedLeaf, percent: number): LeafColumns {
  const { dialect } = rows
  const shape = operand.number ?? { kind: 'real', scale: 0, bound: 0n }
  const hundredths = Math.round(percent * 100)
  return {
    ...common,
    rows: [passed(operand.value)],
    places: (column, keys) => [
      placedBy(keys, sql`${column(0)} IS NULL`, column(0)),
      sql`COUNT(${column(0)}) OVER (${keys.length > 0 ? sql`PARTITION BY ${listed(keys)}` : written('')})`,
    ],
    figures(column, place) {
      const below = dialect.floorBy(sql`((${place(1)} - 1) * ${hundredths})`, 10_000)
      const at = (n: number): Sql =>
        dialect.output(sql`MAX(CASE WHEN ${place(0)} = ${below} + ${n} THEN ${column(0)} END)`, 'number')
      return [at(1), at(2), dialect.output(sql`MAX(${place(1)})`, 'number')]
    },
    read([low = null, high = null, count]) {
      const found = Number(count ?? 0)
      if (found === 0) return { amount: null }
      const { share } = rankOf(found, percent)
      const [a, b] = [numberFrom(low, shape), numberFrom(share === 0 ? low : high, shape)]
      if (isExactPair(a) && isExactPair(b)) return { amount: exactBetween(a, b, share) }
      return { amount: typeof a === 'number' && typeof b === 'number' ? realFrom(realBetween(a, b, share)) : null }
    },
  }
}
const isExactPair = (amount: Amount): amount is ExactDecimal => typeof amount === 'object' && amount !== null

/** What rows are ordered by, in turn; what is empty of the first leaves a row out. */
interface RowOrder {
  by: Sql | null
  /** Of rows that are equal by it: least first, whichever way it is read. */
  thenValue: boolean
}

function orderOf(rows: ForeignRows, measure: AggregateMeasure, plan: QueryPlan): RowOrder {
  const values = new RowValues(rows)
  if (measure.by) {
    assertAsStored(rows, { ...measure, kind: 'column', field: measure.by })
    const placed = rows.field(measure.by)
    const value = values.column(placed)
    return { by: placed.column.type === 'text' ? rows.dialect.ordered(value) : value, thenValue: true }
  }
  const field = plan.period?.field ?? timeOf(rows)
  return { by: field ? values.field(field) : null, thenValue: false }
}
function timeOf({ own: { dataset } }: ForeignRows): Field | null {
  const timed = dataset.columns.find(({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'))
  return timed ? { dataset: dataset.id, column: timed.key } : null
}

function firstOrLast(
  { rows, operand, passed, common }: AskedLeaf,
  { by, thenValue }: RowOrder,
  agg: 'first' | 'last',
): LeafColumns {
  const { dialect } = rows
  const { alias, table } = rows.own
  if (!thenValue && table.rowKey.length === 0) throw notLive('First and last values of a table without a primary key')
  const value = operand.kind === 'text' ? dialect.ordered(operand.value) : operand.value
  const keys = thenValue ? [] : table.rowKey.map((name) => sql`${alias}.${dialect.quote(name)}`)
  const direction = written(agg === 'last' ? ' DESC' : '')
  return {
    ...common,
    rows: [passed(value), ...(by === null ? [] : [by]), ...keys],
    places(column, groups) {
      const isOut = by === null ? [] : [sql`${column(1)} IS NULL`]
      const first = by === null ? 1 : 2
      const ordered = [
        ...(by === null ? [] : [sql`${column(1)}${direction}`]),
        ...keys.map((_, i) => sql`${column(first + i)}${direction}`),
        ...(thenValue ? [column(0)] : []),
      ]
      const out = sql`(${joined([sql`${column(0)} IS NULL`, ...isOut], ' OR ')})`
      return [placedBy(groups, out, listed(ordered))]
    },
    figures(column, place) {
      const isThere = allOf([sql`${place(0)} = 1`, ...(by === null ? [] : [sql`${column(1)} IS NOT NULL`])])
      return [dialect.output(sql`MAX(CASE WHEN ${isThere} THEN ${column(0)} END)`, operand.kind)]
    },
    read: ([cell = null]) => operand.read(cell),
  }
}
