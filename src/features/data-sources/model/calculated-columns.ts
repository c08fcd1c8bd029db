import { ProductError } from '../../../shared/errors'
import { CALCULATED_COLUMNS_MAX, type CalculatedColumnInput } from '../../../shared/data-sources/calculated-columns'
import { DATASET_MAX_COLUMNS } from '../../../shared/limits'
import { expressionFieldsOf } from '../../../shared/query/plan-fields'
import type { Expr } from '../../../shared/query/expression'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { ValueType } from '../../../shared/query/expression-types'
import { checkExpr } from '../../../warehouse/query/plan/check-plan'
import { scaleOfExpression } from '../../../warehouse/columns/computed/number-shape'
import { columnNumber } from './columns'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** Computed columns take their keys from the end, so that files' columns never meet them. */
const LAST_KEY_NUMBER = DATASET_MAX_COLUMNS * 4
/** A computed column may be made of computed ones, so many deep. */
const NESTED_MAX = 4
/** Terms of a column with everything it is made of written out. */
const TERMS_MAX = 200

const fieldError = (field: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [field]: message } }, message)

/** A key that no column of the dataset has. @throws ProductError `too_large` */
export function nextCalculatedKey(columns: readonly Column[]): ColumnKey {
  const taken = columns.filter(({ computed }) => computed).map(({ key }) => columnNumber(key))
  if (taken.length >= CALCULATED_COLUMNS_MAX)
    throw new ProductError('too_large', {
      what: 'computed columns',
      max: CALCULATED_COLUMNS_MAX,
      size: taken.length + 1,
    })
  return `c${Math.min(LAST_KEY_NUMBER + 1, ...taken) - 1}`
}

/**
 * The columns of a dataset with one computed column made or changed.
 * @throws ProductError `invalid_input` for a formula that cannot be worked out, or goes round in a circle
 */
export function withCalculatedColumn(
  dataset: { id: string; columns: Column[] },
  key: ColumnKey,
  input: Omit<CalculatedColumnInput, 'version'>,
): Column[] {
  const { label, expr, format, role } = input
  const before = dataset.columns.find((column) => column.key === key)
  const foreign = expressionFieldsOf(expr).find((field) => field.dataset !== dataset.id || (field.via?.length ?? 0) > 0)
  if (foreign) throw fieldError('expr', 'Use columns of the same table.')
  const kind = checkExpr(expr, 'expr', (field) => {
    const found = dataset.columns.find((column) => column.key === field.column)
    if (!found) throw new ProductError('unknown_field', { field: `${field.dataset}.${field.column}` })
    return found
  })
  const scale =
    kind === 'number' ? scaleOfExpression(expr, (field) => columnScale(dataset.columns, field.column)) : undefined
  const made: Column = {
    key,
    label,
    type: typeOf(kind, scale),
    ...(scale === undefined || scale === 0 ? {} : { scale }),
    role: role ?? (kind === 'number' ? 'measure' : kind === 'date' ? 'time' : 'dimension'),
    format,
    hidden: before?.hidden ?? false,
    fileIndex: -1,
    computed: expr,
  }
  const columns = before
    ? dataset.columns.map((column) => (column.key === key ? made : column))
    : [...dataset.columns, made]
  if (before && before.type !== made.type) validateDependentFormulas(columns, dataset.id)
  countExpandedTerms(columns, key, [])
  return columns
}

function typeOf(kind: ValueType, scale: number | undefined): Column['type'] {
  if (kind === 'number') return scale === 0 ? 'integer' : 'number'
  return kind === 'moment' ? 'datetime' : kind
}

const columnScale = (columns: readonly Column[], key: string): number | undefined => {
  const column = columns.find((each) => each.key === key)
  return column?.type === 'integer' ? 0 : column?.scale
}

/** Another type in place of the one it was must still fit the columns that are made of it. */
function validateDependentFormulas(columns: readonly Column[], id: string): void {
  for (const { computed } of columns)
    if (computed)
      checkExpr(computed, 'expr', (field) => {
        const found = columns.find((column) => column.key === field.column)
        if (!found || field.dataset !== id) throw new ProductError('unknown_field', { field: field.column })
        return found
      })
}

/** Terms of a column written out. @throws ProductError for a circle, for too much, and for too deep */
function countExpandedTerms(columns: readonly Column[], key: ColumnKey, above: readonly ColumnKey[]): number {
  if (above.includes(key)) throw fieldError('expr', 'This formula refers to itself.')
  const column = columns.find((each) => each.key === key)
  if (!column?.computed) return 1
  if (above.length >= NESTED_MAX) throw fieldError('expr', `Formulas may build on each other ${NESTED_MAX} deep.`)
  const inner = expressionFieldsOf(column.computed).map((field) =>
    countExpandedTerms(columns, field.column, [...above, key]),
  )
  const terms = inner.reduce((total, each) => total + each, countTerms(column.computed))
  if (terms > TERMS_MAX) throw fieldError('expr', 'This formula is too long.')
  return terms
}
function countTerms(expr: Expr): number {
  if (expr.kind === 'binary' || expr.kind === 'compare') return 1 + countTerms(expr.left) + countTerms(expr.right)
  if (!('items' in expr)) return 1
  return expr.items.reduce((total, item) => total + countTerms(item), 1)
}
