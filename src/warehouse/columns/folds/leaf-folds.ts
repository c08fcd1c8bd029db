import type { ColumnVectors, RowSource, TextVectors } from '../column-vectors'
import { firstOrLastByFold, type OrderedValue, type OrderNumbers } from './by-folds'
import { distinctFold, type DistinctValues } from './distinct'
import type { Fold } from './fold'
import { leafTraits } from './leaf-traits'
import {
  countFold,
  edgeOfNumbers,
  edgeOfTexts,
  edgeOfValues,
  firstOrLastFold,
  type ToAmount,
  type ValuesAt,
} from './folds'
import { keptInMap, keptNumbers, type KeptValues } from './kept-values'
import type { MemoryBounds } from '../memory'
import { percentileFold } from './percentile-fold'
import { averageFold, sumFold } from './sums'
import { asReal, product, sizeOfExpression, storedNumber, vectorNumber } from '../number-expressions'
import { expressionSource, expressionTexts } from '../row-functions'
import { textRanks } from '../texts/text-ranks'
import type { VectorNumber } from '../vector-number'
import { textHashNumbers } from '../texts/text-hash'
import { textsAt } from '../texts/text-vectors'
import { wideHalves, wideNumber, wideValues } from './wide-integers'
import { codesOf, type Codes, type Numbers } from '../vectors'
import { realFrom, valueFrom, type Amount } from '../../query/aggregates/amount'
import type { MeasureTraits } from '../../query/aggregates/calculations'
import { columnOf } from '../../query/plan/field-columns'
import type { AppliedRates } from '../../query/query-context'
import { compareTexts } from '../../query/aggregates/group-order'
import { typeOfExpression } from '../../../shared/query/expression-types'
import { isCountMeasure } from '../../../shared/query/plan-fields'
import type { AggregateMeasure, QueryPlan } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'

/** What a measure is of: numbers as they lie or as they are worked out, or texts. */
interface Operand {
  column: ColumnVectors | null
  number: VectorNumber | null
  texts: TextVectors | null
  /** How a date or a condition that is worked out is shown. */
  shown?: ToAmount
}

/** What is counted is what lies there: an amount without a rate is one, too. */
function operandOf(source: RowSource, measure: AggregateMeasure, plan: QueryPlan): Operand {
  const amount = (field: Field): VectorNumber => amountOf(source, { measure, field }, plan)
  if (measure.kind === 'expression') {
    source.hold(sizeOfExpression(measure.row))
    const columns = { table: source.table, number: amount, column: (field: Field) => source.field(field) }
    const type = typeOfExpression(measure.row, (field) => source.field(field).column.type)
    if (type === 'text') return { column: null, number: null, texts: expressionTexts(columns, measure.row) }
    const number = vectorNumber(measure.row, expressionSource(columns))
    const shown: ToAmount = (value) => valueFrom({ type: type === 'date' ? 'date' : 'boolean' }, value)
    return { column: null, number, texts: null, ...(type === 'number' ? {} : { shown }) }
  }
  if (!measure.field) throw new TypeError('Only rows are counted without a field.')
  const column = source.field(measure.field)
  const { type } = column.column
  const number = type === 'integer' || type === 'number' ? amount(measure.field) : null
  return { column, number, texts: type === 'text' ? column.texts() : null }
}
/** A field's numbers, amounts in the question's currency. */
function amountOf(
  source: RowSource,
  { measure, field }: { measure: AggregateMeasure; field: Field },
  plan: QueryPlan,
): VectorNumber {
  const stored = numberOf(source.field(field))
  const applied = isCountMeasure(measure) ? null : appliedRates(source, measure, field)
  if (!applied) return stored
  source.hold(3)
  return product(stored, source.rate(field, applied, plan))
}
/** By which rates a field's amounts are brought to the question's currency; null when they are not. */
function appliedRates(source: RowSource, { mode }: AggregateMeasure, field: Field): AppliedRates | null {
  const { money } = source.planContext
  const own = mode === undefined ? money : (money?.by?.(mode) ?? money)
  return own?.rates(columnOf(source.planContext, source.dataset.id, field)) ?? null
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
  /** Makes its folds, a new one at each call, within bounds. */
  make: (memory: MemoryBounds) => Fold
  traits: MeasureTraits
  /** It adds up a number of every row, and tells of which groups there are any. */
  isFull: boolean
}

export function leafFold(source: RowSource, measure: AggregateMeasure, plan: QueryPlan): LeafFold {
  const isOfRows = measure.kind === 'column' && !measure.field
  const operand = isOfRows ? { column: null, number: null, texts: null } : operandOf(source, measure, plan)
  const isAsStored = measure.kind === 'column' && measure.field && !appliedRates(source, measure, measure.field)
  const column = isAsStored ? (operand.column?.column ?? null) : null
  const traits = leafTraits(source.planContext, measure, { dataset: source.dataset.id, number: operand.number, column })
  const make = isOfRows ? () => countFold(null) : folding(source, { measure, plan, operand })
  const isSum = measure.agg === 'sum' || measure.agg === 'avg'
  return { make, traits, isFull: isSum && isAsStored === true && hasNoEmptyCell(source, operand) }
}

/** Whether a number lies in every row, as far as is known without reading them. */
function hasNoEmptyCell({ table }: RowSource, { column }: Operand): boolean {
  if (!column?.isOwn || column.column.computed || column.column.mask || column.column.minorUnits) return false
  return table.chunks.every((_, chunk) => table.ends(column.column.key, chunk).nulls === 0)
}

function folding(
  source: RowSource,
  { measure, plan, operand }: { measure: AggregateMeasure; plan: QueryPlan; operand: Operand },
): LeafFold['make'] {
  const { agg } = measure
  const { number, column, texts } = operand
  if (measure.by && (agg === 'first' || agg === 'last')) {
    const by = orderOfField(source, { measure, field: measure.by }, plan)
    const value = orderedValue(operand)
    return () => firstOrLastByFold(value, by, agg)
  }
  const isWide = number?.parts !== undefined && number.parts !== null
  const numbers = isWide ? asReal(number) : (number?.numbers ?? (texts ? null : column?.numbers()) ?? null)
  const rows = source.dataset.rowCount
  switch (agg) {
    case 'count':
      return () => countFold(numbers ? { numbers } : { codes: presentTexts(calculated(texts)) })
    case 'countDistinct': {
      const values = distinctValues(operand, numbers)
      return (memory) => distinctFold(values, memory)
    }
    case 'sum':
      return () => sumFold(calculated(number), rows)
    case 'avg':
      return () => averageFold(calculated(number), rows)
    case 'median':
      return ({ values }) => percentileFold(calculated(number), measure.percent ?? 50, values)
    case 'min':
    case 'max': {
      if (numbers && !isWide) return () => edgeOfNumbers(numbers, agg, shownOf(operand))
      const edge: ByKind = { of: (values, kept) => edgeOfValues(values, agg, kept) }
      if (number?.parts) return wideFold(number, edge)
      const own = calculated(texts)
      return own.cells() ? textFold(own, edge) : () => edgeOfTexts(own, agg)
    }
    case 'first':
    case 'last': {
      const time = timeOf(source, plan)
      const edge: ByKind = { of: (values, kept) => firstOrLastFold({ ...values, time }, agg, kept) }
      if (number?.parts) return wideFold(number, edge)
      if (numbers)
        return () =>
          edge.of({ valuesAt: numbersAt(numbers), compare: byNumber, shown: shownOf(operand) }, keptNumbers())
      return textFold(calculated(texts), edge)
    }
  }
}

/** A fold that keeps one value of each group, whatever the values are. */
interface ByKind {
  of: <T>(
    values: { valuesAt: ValuesAt<T>; compare: (a: T, b: T) => number; shown: (value: T) => Amount },
    kept: KeptValues<T>,
  ) => Fold
}
const byNumber = (a: number, b: number): number => a - b
const numbersAt =
  (numbers: Numbers): ValuesAt<number> =>
  (place) => {
    const own = numbers(place)
    return (row) => {
      const value = own[row] ?? Number.NaN
      return Number.isNaN(value) ? null : value
    }
  }

/** Of whole numbers that 53 bits do not hold. */
function wideFold({ parts, scale }: VectorNumber, { of }: ByKind): LeafFold['make'] {
  const valuesAt = wideValues(parts ?? [])
  const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))
  const shown = (n: bigint): Amount => ({ n, scale })
  return () => of({ valuesAt, compare, shown }, keptInMap({ sizeOf: () => 0, max: Infinity }))
}

/** Of texts: those of a dictionary are kept as their codes. */
function textFold(texts: TextVectors, { of }: ByKind): LeafFold['make'] {
  if (!texts.cells()) {
    const codes = texts.codes()
    const valuesAt: ValuesAt<number> = (place) => {
      const own = codes(place)
      return (row) => own[row] || null
    }
    return () => of({ valuesAt, compare: byNumber, shown: (code) => texts.wordAt(code) }, keptNumbers())
  }
  const values = { valuesAt: textsAt(texts), compare: compareTexts, shown: (text: string) => text }
  return ({ textBytes }) => of(values, keptInMap({ sizeOf: (text) => text.length * 2, max: textBytes }))
}

/** Texts without a dictionary are told apart by two hashes. */
function distinctValues({ number, texts }: Operand, numbers: Numbers | null): DistinctValues {
  if (number?.parts) return { numbers: wideHalves(number.parts) }
  if (numbers) return { numbers: [numbers] }
  const own = calculated(texts)
  return own.cells() ? { numbers: textHashNumbers(textsAt(own)) } : { codes: own.codes(), words: own.count() + 1 }
}

/** What rows are ordered by: amounts in the question's currency, texts letter by letter. */
function orderOfField(
  source: RowSource,
  of: { measure: AggregateMeasure; field: Field },
  plan: QueryPlan,
): OrderNumbers {
  const column = source.field(of.field)
  const { type } = column.column
  source.hold(2)
  if (type === 'text') return [textRanks(column.codes(), column.words()).numbers]
  if (type !== 'integer' && type !== 'number') return [column.numbers()]
  const { numbers, parts } = amountOf(source, of, plan)
  return parts ? wideHalves(parts) : [numbers]
}

function orderedValue(operand: Operand): OrderedValue {
  const { number, column, texts } = operand
  if (number?.parts) {
    const { scale } = number
    return { numbers: wideHalves(number.parts), shown: ([high = 0, low = 0]) => ({ n: wideNumber(high, low), scale }) }
  }
  if (texts) {
    const { numbers, wordAt } = textRanks(texts.codes(), texts.words())
    return { numbers: [numbers], shown: ([rank = -1]) => wordAt(rank) }
  }
  const shown = shownOf(operand)
  return { numbers: [calculated(number?.numbers ?? column?.numbers() ?? null)], shown: ([value = 0]) => shown(value) }
}

/** Whether there is a text, without telling texts apart. */
function presentTexts(texts: TextVectors): Codes {
  if (!texts.cells()) return texts.codes()
  const mask = texts.passing((text) => text !== null)
  return codesOf((place, to) => to.set(mask(place).subarray(0, place.rows)))
}
function calculated<T>(operand: T | null): T {
  if (operand === null) throw new TypeError('The check lets nothing through that cannot be worked out.')
  return operand
}

/** A value of the operand as the answer has it. */
function shownOf({ number, column, shown: own }: Operand): ToAmount {
  if (own) return own
  if (number?.kind === 'exact') return (value) => ({ n: BigInt(value), scale: number.scale })
  if (number) return realFrom
  const shown = column?.column
  return (value) => (shown ? valueFrom(shown, value) : null)
}
