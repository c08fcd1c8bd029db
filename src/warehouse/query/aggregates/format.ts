import { columnOf } from '../plan/field-columns'
import type { PlanContext } from '../query-context'
import { ProductError } from '../../../shared/errors'
import type { ColumnFormat } from '../../../shared/data-sources/files'
import { isCountMeasure } from '../../../shared/query/plan-fields'
import { valuesThrough } from '../../../shared/query/expression-types'
import type { AggregateMeasure } from '../../../shared/query/plan'
import type { Expr } from '../../../shared/query/expression'
import type { Field } from '../../../shared/query/field'

const PLAIN: ColumnFormat = { style: 'plain' }

/** Where the columns of a measure are looked for. */
interface MeasurePlace {
  planContext: PlanContext
  /** Whose rows it is over. */
  dataset: string
}

/**
 * How a measure is shown: as its column is; an expression in the one currency it speaks of.
 * @throws ProductError `mixed_currency` when amounts of two currencies are added
 */
export function formatOf(place: MeasurePlace, measure: AggregateMeasure): ColumnFormat {
  if (isCountMeasure(measure)) return PLAIN
  if (measure.kind === 'expression') return exprFormat(place, measure.row)
  return measure.field ? formatAt(place, measure.field) : PLAIN
}

function formatAt(place: MeasurePlace, field: Field): ColumnFormat {
  const column = columnOf(place.planContext, place.dataset, field)
  return place.planContext.money?.format(column) ?? column.format
}

function exprFormat(place: MeasurePlace, expr: Expr): ColumnFormat {
  switch (expr.kind) {
    case 'field':
      return formatAt(place, expr.field)
    case 'number':
    case 'text':
    case 'concat':
    case 'dateDiff':
    case 'compare':
      return PLAIN
    case 'function':
      return mergeFormats(valuesThrough(expr).map((item) => exprFormat(place, item)))
    case 'coalesce':
      return mergeFormats(expr.items.map((item) => exprFormat(place, item)))
    case 'binary':
      return calcFormat(expr.op, exprFormat(place, expr.left), exprFormat(place, expr.right))
  }
}

/**
 * What a calculation speaks of.
 * @throws ProductError `mixed_currency` when amounts of two currencies are added
 */
export function calcFormat(
  op: 'add' | 'subtract' | 'multiply' | 'divide',
  left: ColumnFormat,
  right: ColumnFormat,
): ColumnFormat {
  if (op === 'add' || op === 'subtract') return mergeFormats([left, right])
  if (op === 'divide') return right.style === 'currency' ? PLAIN : left
  return left.style === 'currency' ? left : right.style === 'currency' ? right : PLAIN
}

/** @throws ProductError `mixed_currency` for amounts of two currencies */
export function mergeFormats(formats: readonly ColumnFormat[]): ColumnFormat {
  const currencies = [...new Set(formats.flatMap((each) => (each.style === 'currency' ? [each.currency] : [])))]
  if (currencies.length > 1) throw new ProductError('mixed_currency', { currencies })
  return formats.find((each) => each.style === 'currency') ?? formats[0] ?? PLAIN
}
