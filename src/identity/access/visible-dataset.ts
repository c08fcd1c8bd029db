import type { DataRights } from '../../scope'
import { ProductError } from '../../shared/errors'
import type { ColumnMask } from '../../shared/data-access/rules'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { Filter } from '../../shared/query/plan'
import { expressionFieldsOf } from '../../shared/query/plan-fields'

/** Whether a dataset exists for somebody. `sourceId`: absent where the dataset is not known. */
export const canRead = (rights: DataRights, dataset: { id: string; sourceId?: string }): boolean =>
  (rights.datasets === 'all' || rights.datasets.includes(dataset.id)) &&
  !rights.hiddenDatasets.includes(dataset.id) &&
  !(dataset.sourceId !== undefined && rights.hiddenSources.includes(dataset.sourceId))

export const hiddenColumns = (rights: DataRights, datasetId: string): ReadonlySet<string> =>
  new Set(rights.hidden.flatMap(({ dataset, column }) => (dataset === datasetId ? [column] : [])))

export const masksOf = (rights: DataRights, datasetId: string): ReadonlyMap<string, ColumnMask> =>
  new Map(rights.masked.flatMap(({ field, mask }) => (field.dataset === datasetId ? [[field.column, mask]] : [])))

/** Columns whose values somebody does not see: no relation leads over them, and nothing is worked out from them. */
export const coveredColumns = (rights: DataRights, datasetId: string): ReadonlySet<string> =>
  new Set([...hiddenColumns(rights, datasetId), ...masksOf(rights, datasetId).keys()])

/** Whether rules leave out some rows, some columns, or parts of values. */
export const isPartial = (rights: DataRights, { id }: { id: string }): boolean =>
  coveredColumns(rights, id).size > 0 || hasRowRule(rights, id)
export const hasRowRule = (rights: DataRights, datasetId: string): boolean =>
  rights.rowFilters.some(({ dataset }) => dataset === datasetId)

/** Conditions of all rules about rows. */
export const filtersOfRules = ({ rowFilters }: Pick<DataRights, 'rowFilters'>): Filter[] =>
  rowFilters.flatMap(({ anyOf, noneOf }) => [...(anyOf === 'all' ? [] : anyOf), ...noneOf].flat())

/** Refuses what would tell of rows or values that rules leave out. */
export const seenInPart = (): ProductError =>
  new ProductError('forbidden', { reason: 'dataAccess' }, 'You see only part of this data. Ask an admin.')

/** Columns that exist for somebody, masked ones as the texts they are left as. */
export function columnsWithin(rights: DataRights, { id, columns }: { id: string; columns: Column[] }): Column[] {
  const covered = coveredColumns(rights, id)
  if (covered.size === 0) return withoutBrokenCalculated(columns)
  const [hidden, masks] = [hiddenColumns(rights, id), masksOf(rights, id)]
  const open = withoutBrokenCalculated(columns.filter(({ key }) => !covered.has(key)))
  const whole = new Set<string>(open.map(({ key }) => key))
  return columns.flatMap((column) => {
    const mask = masks.get(column.key)
    if (hidden.has(column.key)) return []
    return mask ? [maskedColumn(column, mask)] : whole.has(column.key) ? [withoutLostCurrency(column, whole)] : []
  })
}

/** What is left of it is a text, and says nothing of what it was made from. */
function maskedColumn({ key, label, hidden, fileIndex }: Column, mask: ColumnMask): Column {
  return { key, label, type: 'text', role: 'dimension', format: { style: 'plain' }, hidden, fileIndex, mask }
}

/** Amounts whose currency may not be seen are numbers without one. */
function withoutLostCurrency(column: Column, whole: ReadonlySet<string>): Column {
  const { currencyColumn, ...rest } = column
  return currencyColumn === undefined || whole.has(currencyColumn) ? column : rest
}

/** Amounts whose currencies rules cover, with the columns that name them. */
export function coveredCurrencies(
  rights: DataRights,
  { id, columns }: { id: string; columns: readonly Column[] },
): Partial<Record<ColumnKey, ColumnKey>> {
  const covered = coveredColumns(rights, id)
  return Object.fromEntries(
    columns.flatMap(({ key, currencyColumn }) =>
      currencyColumn !== undefined && covered.has(currencyColumn) ? [[key, currencyColumn]] : [],
    ),
  )
}

/** Computed columns go with what they are made of, and so do those made of them. */
function withoutBrokenCalculated(columns: Column[]): Column[] {
  const keys = new Set<string>(columns.map(({ key }) => key))
  const whole = columns.filter(
    ({ computed }) => !computed || expressionFieldsOf(computed).every(({ column }) => keys.has(column)),
  )
  return whole.length === columns.length ? columns : withoutBrokenCalculated(whole)
}
