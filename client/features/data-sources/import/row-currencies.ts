import { currencyPairingsOf } from '../columns/currency-suggestion'
import { isMoney, isTechnicalMeasure } from '../../../../src/shared/data-sources/key-columns'
import type { FileColumn } from '../../../../src/shared/data-sources/files'
import type { UploadInspection } from '../../../../src/shared/data-sources/inspection'

const inspections = new WeakMap<UploadInspection, UploadInspection>()

/** What inspection found, with amounts in the currencies that their rows name. The same answer for the same inspection. */
export function withRowCurrencies(inspection: UploadInspection): UploadInspection {
  const before = inspections.get(inspection)
  if (before) return before
  const after = { ...inspection, columns: pairAmounts(inspection.columns) }
  inspections.set(inspection, after)
  return after
}

/**
 * Columns of money beside one that names currencies are in these: added up without them, they would be a wrong total. Where no
 * heading says money, nothing is taken for granted, and the person is asked.
 */
export function pairAmounts(columns: readonly FileColumn[]): FileColumn[] {
  const currencies = columns.filter(({ include, type, role }) => include && type === 'text' && role === 'currency')
  const pairs = new Map(
    currencyPairingsOf(columns, currencies).flatMap(({ by, offered }) => {
      const amounts = offered.filter((at) => isNamedAmount(columns[at]))
      const others = offered.filter((at) => isDecimalAmount(columns[at]))
      return amounts.length === 0 ? [] : [...amounts, ...others].map((at): [number, number] => [at, by.index])
    }),
  )
  return columns.map((column, at) => {
    const currencyIndex = pairs.get(at)
    return currencyIndex === undefined ? column : { ...column, currencyIndex }
  })
}

const isNamedAmount = (column: FileColumn | undefined): boolean =>
  column !== undefined && isMoney({ ...column, scale: column.scale ?? 0 })
/** Beside an amount, what has hundredths is one too, unless a machine measured it. */
const isDecimalAmount = (column: FileColumn | undefined): boolean =>
  column !== undefined && column.type === 'number' && column.scale === 2 && !isTechnicalMeasure(column)
