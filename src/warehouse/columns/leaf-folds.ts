import { NeedsRows } from './column-table'
import type { ColumnVectors, RowSource } from './column-vectors'
import { distinctFold } from './distinct'
import type { Fold } from './fold'
import { countFold, edgeOfNumbers, edgeOfTexts, firstOrLastFold, percentileFold, type Shown } from './folds'
import { averageFold, sumFold } from './sums'
import { product, sizeOfExpression, storedNumber, vectorNumber } from './number-expressions'
import type { VectorNumber } from './vector-number'
import type { Numbers } from './vectors'
import { realFrom, valueFrom } from '../query/aggregates/amount'
import { columnOf, sourceOf, type AppliedRates } from '../query/sources/source'
import { isCountMeasure } from '../../shared/query/plan-fields'
import type { AggregateMeasure, Field, QueryPlan } from '../../shared/query/plan'

/** What a measure is of: numbers as they lie or as they are worked out, or texts. */
interface Operand {
  column: ColumnVectors | null
  number: VectorNumber | null
}

/** What is counted is what lies there: an amount without a rate is one, too. */
function operandOf(source: RowSource, measure: AggregateMeasure, plan: QueryPlan): Operand {
  const amount = (field: Field): VectorNumber => {
    const stored = numberOf(source.field(field))
    const applied = isCountMeasure(measure) ? null : appliedRates(source, measure, field)
    if (!applied) return stored
    source.hold(3)
    return product(stored, source.rate(field, applied, plan))
  }
  if (measure.kind === 'expression') {
    source.hold(sizeOfExpression(measure.row))
    const number = vectorNumber(measure.row, {
      number: amount,
      days: (field: Field) => source.field(field).days(),
    })
    return { column: null, number }
  }
  if (!measure.field) throw new TypeError('Only rows are counted without a field.')
  const column = source.field(measure.field)
  const { type } = column.column
  return { column, number: type === 'integer' || type === 'number' ? amount(measure.field) : null }
}
/** By which rates a field's amounts are brought to the question's currency; null when they are not. */
function appliedRates(source: RowSource, { mode }: AggregateMeasure, field: Field): AppliedRates | null {
  const { money } = source.world
  const own = mode === undefined ? money : (money?.by?.(mode) ?? money)
  if (!own?.rates) return null
  const rows = sourceOf(source.world, source.dataset.id)
  return own.rates(columnOf(rows, field))
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
  const { agg } = measure
  if (measure.kind === 'column' && !measure.field) return () => countFold(null)
  const operand = operandOf(source, measure, plan)
  const { number, column } = operand
  const isText = number === null && column?.column.type === 'text'
  const numbers = number?.numbers ?? (isText ? null : column?.numbers()) ?? null
  const counted = numbers ? { numbers } : { codes: codesOf(column), words: wordsOf(column).length + 1 }
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
      return () => percentileFold(calculated(number), measure.percent ?? 50)
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
