import { ProductError } from '../../../shared/errors'
import type { FileColumn } from '../../../shared/data-sources/files'
import type { Column, UpdateDatasetInput } from '../../../shared/data-sources/data-sources'

type ColumnChange = UpdateDatasetInput['columns'][number]
const NUMERIC_TYPES: readonly Column['type'][] = ['integer', 'number']

/**
 * A column as a person describes it now. What says nothing of its money leaves that as it is.
 * @throws ProductError `invalid_input` for money of a column that holds none
 */
export function applyColumnChange(
  column: Column,
  change: ColumnChange,
  at: { columns: readonly Column[]; index: number },
): Column {
  const { currencyColumn, minorUnits, ...look } = change
  const { currencyColumn: knownColumn, minorUnits: knownMinor, ...rest } = column
  const pair = currencyColumn === undefined ? knownColumn : (currencyColumn ?? undefined)
  const minor = minorUnits ?? knownMinor ?? false
  const fixed = look.format.style === 'currency'
  if (pair !== undefined && pair !== knownColumn) validateCurrencyColumn(column, pair, at)
  if (minor && !knownMinor && !(NUMERIC_TYPES.includes(column.type) && (fixed || pair !== undefined)))
    throw columnFieldError(at.index, 'minorUnits', 'Choose a currency first.')
  const money = fixed || pair !== undefined
  return {
    ...rest,
    ...look,
    ...(pair === undefined ? {} : { currencyColumn: pair }),
    ...(minor && money ? { minorUnits: true as const } : {}),
  }
}

function validateCurrencyColumn(column: Column, pair: string, at: { columns: readonly Column[]; index: number }): void {
  const target = at.columns.find(({ key }) => key === pair)
  if (!NUMERIC_TYPES.includes(column.type))
    throw columnFieldError(at.index, 'currencyColumn', 'Choose a number column.')
  if (!target || target.type !== 'text' || target.computed)
    throw columnFieldError(at.index, 'currencyColumn', 'Choose a text column such as SEK or EUR.')
}

const columnFieldError = (index: number, field: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [`columns.${index}.${field}`]: message } })

/** Whether a description makes amounts follow a currency column that they did not follow before. */
export const addsCurrencyColumn = (columns: readonly Column[], given: UpdateDatasetInput['columns']): boolean =>
  given.some(
    ({ key, currencyColumn }) =>
      currencyColumn !== undefined &&
      currencyColumn !== null &&
      columns.find((column) => column.key === key)?.currencyColumn !== currencyColumn,
  )

/** What a column says of its money, when a load takes another file's column in its place. */
export const currencyFields = ({
  currencyColumn,
  minorUnits,
}: Column): Pick<Column, 'currencyColumn' | 'minorUnits'> => ({
  ...(currencyColumn === undefined ? {} : { currencyColumn }),
  ...(minorUnits === undefined ? {} : { minorUnits }),
})

interface ColumnWithFile {
  column: Column
  /** Null: the file does not fill it. */
  file: { index: number } | null
}

/**
 * The columns of a dataset, their amounts in the currencies that columns of the same file name. What was said before of the
 * money of a column stays.
 * @throws ProductError `invalid_input` for money of a column that holds none, or one that names no currency
 */
export function withCurrencyColumns(planned: readonly ColumnWithFile[], files: readonly FileColumn[]): Column[] {
  const byIndex = new Map(planned.flatMap(({ column, file }) => (file ? [[file.index, column] as const] : [])))
  return planned.map(({ column, file }) => {
    const at = files.findIndex(({ index }) => index === file?.index)
    const wanted = files[at]?.currencyIndex
    if (wanted === undefined || column.currencyColumn !== undefined || column.format.style === 'currency') return column
    const target = byIndex.get(wanted)
    if (!NUMERIC_TYPES.includes(column.type)) throw columnFieldError(at, 'currencyIndex', 'Choose a number column.')
    if (target?.type !== 'text')
      throw columnFieldError(at, 'currencyIndex', 'Choose an imported text column such as SEK or EUR.')
    return { ...column, currencyColumn: target.key }
  })
}
