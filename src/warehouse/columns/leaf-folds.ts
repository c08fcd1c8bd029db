import { NeedsRows } from './column-table'
import type { ColumnVectors, RowSource } from './column-vectors'
import {
  averageFold,
  countFold,
  distinctFold,
  edgeOfNumbers,
  edgeOfTexts,
  firstOrLastFold,
  medianFold,
  sumFold,
  type Fold,
  type Shown,
} from './folds'
import { storedNumber, vectorNumber, type VectorNumber } from './number-expressions'
import type { Numbers } from './vectors'
import { realFrom, valueFrom } from '../query/aggregates/amount'
import { columnOf, sourceOf } from '../query/sources/source'
import { calculatedFieldsOf } from '../../shared/query/plan-fields'
import type { AggregateMeasure, Field, QueryPlan } from '../../shared/query/plan'

/** What a measure is of: numbers as they lie or as they are worked out, or texts. */
interface Operand {
  column: ColumnVectors | null
  number: VectorNumber | null
}

/** @throws NeedsRows where amounts are brought to another currency */
function assertUnconverted(source: RowSource, measure: AggregateMeasure): void {
  const { money } = source.world
  if (!money) return
  const own = measure.mode === undefined ? money : (money.by?.(measure.mode) ?? money)
  const rows = sourceOf(source.world, source.dataset.id)
  if (calculatedFieldsOf(measure).some((field) => own.factor(rows, columnOf(rows, field)) !== null))
    throw new NeedsRows()
}

function operandOf(source: RowSource, measure: AggregateMeasure): Operand {
  if (measure.kind === 'expression') {
    const number = vectorNumber(measure.row, {
      number: (field: Field) => numberOf(source.field(field)),
      days: (field: Field) => source.field(field).days(),
    })
    return { column: null, number }
  }
  if (!measure.field) throw new TypeError('Only rows are counted without a field.')
  const column = source.field(measure.field)
  const { type } = column.column
  return { column, number: type === 'integer' || type === 'number' ? storedNumber(column) : null }
}
function numberOf(column: ColumnVectors): VectorNumber {
  if (column.column.type !== 'integer' && column.column.type !== 'number') throw new NeedsRows()
  return storedNumber(column)
}

/** What orders rows in time: the period's column, else the first time of the rows. */
function timeOf(source: RowSource, plan: QueryPlan): Numbers | null {
  if (plan.period) return source.field(plan.period.field).numbers()
  const timed = source.dataset.columns.find(
    ({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'),
  )
  return timed ? source.along([], timed.key, false).numbers() : null
}

/** Makes the folds of a measure, a new one at each call. */
export function leafFold(source: RowSource, measure: AggregateMeasure, plan: QueryPlan): () => Fold {
  assertUnconverted(source, measure)
  const { agg } = measure
  if (measure.kind === 'column' && !measure.field) return () => countFold(null)
  const operand = operandOf(source, measure)
  const { number, column } = operand
  const isText = number === null && column?.column.type === 'text'
  const numbers = number?.numbers ?? (isText ? null : column?.numbers()) ?? null
  const counted = numbers ? { numbers } : { codes: codesOf(column) }
  const rows = source.dataset.rowCount
  switch (agg) {
    case 'count':
      return () => countFold(counted)
    case 'countDistinct':
      return () => distinctFold(counted)
    case 'sum':
      return () => sumFold(calculated(number), rows)
    case 'avg':
      return () => averageFold(calculated(number), rows)
    case 'median':
      return () => medianFold(calculated(number))
    case 'min':
    case 'max':
      return () =>
        numbers ? edgeOfNumbers(numbers, agg, shownOf(operand)) : edgeOfTexts(codesOf(column), wordsOf(column), agg)
    case 'first':
    case 'last': {
      const time = timeOf(source, plan)
      return () => firstOrLastFold(valuesOf(operand, numbers), time, agg)
    }
  }
}

function codesOf(column: ColumnVectors | null) {
  if (!column) throw new NeedsRows()
  return column.codes()
}
const wordsOf = (column: ColumnVectors | null): readonly string[] => column?.words() ?? []
function calculated(number: VectorNumber | null): VectorNumber {
  if (!number) throw new TypeError('Only numbers are added up: the check lets nothing else through.')
  return number
}

function valuesOf(operand: Operand, numbers: Numbers | null): Parameters<typeof firstOrLastFold>[0] {
  if (numbers) return { values: numbers, isThere: (value) => !Number.isNaN(value), shown: shownOf(operand) }
  const words = wordsOf(operand.column)
  return {
    values: codesOf(operand.column),
    isThere: (code) => code !== 0,
    shown: (code) => words[code - 1] ?? null,
  }
}

/** A value of the operand as the answer has it. */
function shownOf({ number, column }: Operand): Shown {
  if (number?.kind === 'exact') return (value) => ({ n: BigInt(value), scale: number.scale })
  if (number) return realFrom
  const shown = column?.column
  return (value) => (shown ? valueFrom(shown, value) : null)
}
