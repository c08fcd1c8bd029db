import type { ColumnVectors, RowSource, TextVectors } from './column-vectors'
import { distinctFold } from './distinct'
import type { Fold } from './fold'
import { leafTraits } from './leaf-traits'
import { countFold, edgeOfNumbers, edgeOfTexts, firstOrLastFold, percentileFold, type Shown } from './folds'
import { averageFold, sumFold } from './sums'
import { asReal, product, sizeOfExpression, storedNumber, vectorNumber } from './number-expressions'
import { expressionSource, expressionTexts } from './row-functions'
import type { VectorNumber } from './vector-number'
import { wideCodes, wideEdge, widePercentile } from './wide-folds'
import { codesOf, type Codes, type Numbers } from './vectors'
import { realFrom, valueFrom } from '../query/aggregates/amount'
import type { MeasureTraits } from '../query/aggregates/calculations'
import { columnOf } from '../query/plan/field-columns'
import type { AppliedRates } from '../query/query-context'
import { typeOfExpression } from '../../shared/query/expression-types'
import { isCountMeasure } from '../../shared/query/plan-fields'
import type { AggregateMeasure, Field, QueryPlan } from '../../shared/query/plan'

/** What a measure is of: numbers as they lie or as they are worked out, or texts. */
interface Operand {
  column: ColumnVectors | null
  number: VectorNumber | null
  texts: TextVectors | null
  /** How a date or a condition that is worked out is shown. */
  shown?: Shown
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
    const columns = { table: source.table, number: amount, column: (field: Field) => source.field(field) }
    const type = typeOfExpression(measure.row, (field) => source.field(field).column.type)
    if (type === 'text') return { column: null, number: null, texts: expressionTexts(columns, measure.row) }
    const number = vectorNumber(measure.row, expressionSource(columns))
    const shown: Shown = (value) => valueFrom({ type: type === 'date' ? 'date' : 'boolean' }, value)
    return { column: null, number, texts: null, ...(type === 'number' ? {} : { shown }) }
  }
  if (!measure.field) throw new TypeError('Only rows are counted without a field.')
  const column = source.field(measure.field)
  const { type } = column.column
  const number = type === 'integer' || type === 'number' ? amount(measure.field) : null
  return { column, number, texts: type === 'text' ? column.texts() : null }
}
/** By which rates a field's amounts are brought to the question's currency; null when they are not. */
function appliedRates(source: RowSource, { mode }: AggregateMeasure, field: Field): AppliedRates | null {
  const { money } = source.world
  const own = mode === undefined ? money : (money?.by?.(mode) ?? money)
  return own?.rates(columnOf(source.world, source.dataset.id, field)) ?? null
}
function numberOf(column: ColumnVectors): VectorNumber {
  if (column.column.type !== 'integer' && column.column.type !== 'number')
    throw new TypeError('Only numbers are calculated with: the check lets nothing else through.')
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

/** A measure over its rows. */
export interface LeafFold {
  /** Makes its folds, a new one at each call. */
  make: () => Fold
  traits: MeasureTraits
}

export function leafFold(source: RowSource, measure: AggregateMeasure, plan: QueryPlan): LeafFold {
  const isOfRows = measure.kind === 'column' && !measure.field
  const operand = isOfRows ? { column: null, number: null, texts: null } : operandOf(source, measure, plan)
  const isAsStored = measure.kind === 'column' && measure.field && !appliedRates(source, measure, measure.field)
  const column = isAsStored ? (operand.column?.column ?? null) : null
  const traits = leafTraits(source.world, measure, { dataset: source.dataset.id, number: operand.number, column })
  return { make: isOfRows ? () => countFold(null) : folding(source, { measure, plan, operand }), traits }
}

function folding(
  source: RowSource,
  { measure, plan, operand }: { measure: AggregateMeasure; plan: QueryPlan; operand: Operand },
): () => Fold {
  const { agg } = measure
  const { number, column, texts } = operand
  if (number?.parts) return wideFold(source, { measure, number, parts: number.parts }, plan)
  const numbers = number?.numbers ?? (texts ? null : column?.numbers()) ?? null
  const rows = source.dataset.rowCount
  switch (agg) {
    case 'count':
      return () => countFold(numbers ? { numbers } : { codes: presentTexts(calculated(texts)) })
    case 'countDistinct':
      return () => distinctFold(numbers ? { numbers } : numberedTexts(calculated(texts)))
    case 'sum':
      return () => sumFold(calculated(number), rows)
    case 'avg':
      return () => averageFold(calculated(number), rows)
    case 'median':
      return () => percentileFold(calculated(number), measure.percent ?? 50)
    case 'min':
    case 'max':
      return () => (numbers ? edgeOfNumbers(numbers, agg, shownOf(operand)) : edgeOfTexts(calculated(texts), agg))
    case 'first':
    case 'last': {
      const time = timeOf(source, plan)
      return () => firstOrLastFold(valuesOf(operand, numbers), time, agg)
    }
  }
}

/** The same of whole numbers that 53 bits do not hold. */
function wideFold(
  source: RowSource,
  {
    measure: { agg, percent = 50 },
    number,
    parts,
  }: { measure: AggregateMeasure; number: VectorNumber; parts: readonly Numbers[] },
  plan: QueryPlan,
): () => Fold {
  const { scale } = number
  switch (agg) {
    case 'count':
      return () => countFold({ numbers: asReal(number) })
    case 'countDistinct':
      return () => distinctFold({ codes: wideCodes(parts).codes, words: Infinity })
    case 'sum':
      return () => sumFold(number, source.dataset.rowCount)
    case 'avg':
      return () => averageFold(number, source.dataset.rowCount)
    case 'median':
      return () => widePercentile(parts, percent, scale)
    case 'min':
    case 'max':
      return () => wideEdge(parts, agg, scale)
    case 'first':
    case 'last': {
      const time = timeOf(source, plan)
      const { codes, valueAt } = wideCodes(parts)
      const shown: Shown = (code) => ({ n: valueAt(code), scale })
      return () => firstOrLastFold({ values: codes, isThere: (code) => code !== 0, shown }, time, agg)
    }
  }
}

/** Whether there is a text, without telling texts apart. */
function presentTexts(texts: TextVectors): Codes {
  if (!texts.cells()) return texts.codes()
  const mask = texts.passing((text) => text !== null)
  return codesOf((place, to) => to.set(mask(place).subarray(0, place.rows)))
}
const numberedTexts = (texts: TextVectors): { codes: Codes; words: number } => ({
  codes: texts.codes(),
  words: texts.count() + 1,
})
function calculated<T>(operand: T | null): T {
  if (operand === null) throw new TypeError('The check lets nothing through that cannot be worked out.')
  return operand
}

function valuesOf(operand: Operand, numbers: Numbers | null): Parameters<typeof firstOrLastFold>[0] {
  if (numbers) return { values: numbers, isThere: (value) => !Number.isNaN(value), shown: shownOf(operand) }
  const texts = calculated(operand.texts)
  return { values: texts.codes(), isThere: (code) => code !== 0, shown: (code) => texts.wordAt(code) }
}

/** A value of the operand as the answer has it. */
function shownOf({ number, column, shown: own }: Operand): Shown {
  if (own) return own
  if (number?.kind === 'exact') return (value) => ({ n: BigInt(value), scale: number.scale })
  if (number) return realFrom
  const shown = column?.column
  return (value) => (shown ? valueFrom(shown, value) : null)
}
