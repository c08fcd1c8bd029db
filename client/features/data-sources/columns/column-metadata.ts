import { isVersionConflict } from '../../../lib/error-details'
import { z } from 'zod'
import { COLUMN_ROLE_LABELS } from '../import/import-settings'
import type { ConflictRow } from '../../../ui/forms/version-conflict-dialog'
import { COLUMN_ROLES, columnFormatSchema, columnKeySchema } from '../../../../src/shared/data-sources/files'
import type { ColumnFormat, ColumnKey } from '../../../../src/shared/data-sources/files'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'

export type ColumnMetadata = Pick<Column, 'key' | 'label' | 'role' | 'format' | 'hidden'> & {
  /** Null: no column of the row says what the amounts are in. Absent: as it is. */
  currencyColumn?: ColumnKey | null | undefined
  minorUnits?: boolean | undefined
}
export type ColumnMetadataEdit = Partial<Omit<ColumnMetadata, 'key'>>
export type ColumnMetadataEdits = ReadonlyMap<ColumnKey, ColumnMetadataEdit>
export type ColumnMetadataAction = { kind: 'change'; key: ColumnKey; edit: ColumnMetadataEdit } | { kind: 'clear' }

export const NO_METADATA_EDITS: ColumnMetadataEdits = new Map()

export function columnMetadataReducer(edits: ColumnMetadataEdits, action: ColumnMetadataAction): ColumnMetadataEdits {
  if (action.kind === 'clear') return NO_METADATA_EDITS
  return new Map(edits).set(action.key, { ...edits.get(action.key), ...action.edit })
}

export const withMetadataEdits = (columns: readonly Column[], edits: ColumnMetadataEdits): Column[] =>
  columns.map((column) => {
    const { currencyColumn, minorUnits, ...metadata } = edits.get(column.key) ?? {}
    const { currencyColumn: pairedWith, minorUnits: inMinor, ...rest } = column
    const pair = currencyColumn === undefined ? pairedWith : (currencyColumn ?? undefined)
    const after = { ...rest, ...metadata, ...(pair === undefined ? {} : { currencyColumn: pair }) }
    const isMoney = pair !== undefined || after.format.style === 'currency'
    return isMoney && (minorUnits ?? inMinor) === true ? { ...after, minorUnits: true } : after
  })

const sameFormat = (a: ColumnFormat, b: ColumnFormat): boolean => JSON.stringify(a) === JSON.stringify(b)
const sameMoney = (a: ColumnMetadata, b: ColumnMetadata): boolean =>
  (a.currencyColumn ?? null) === (b.currencyColumn ?? null) && (a.minorUnits ?? false) === (b.minorUnits ?? false)
const differs = (a: ColumnMetadata, b: ColumnMetadata): boolean =>
  a.label !== b.label ||
  a.role !== b.role ||
  a.hidden !== b.hidden ||
  !sameFormat(a.format, b.format) ||
  !sameMoney(a, b)

/** Whether saving would change anything. */
export const hasMetadataChanges = (columns: readonly Column[], edits: ColumnMetadataEdits): boolean =>
  columns.some((column, at) => {
    const after = withMetadataEdits(columns, edits)[at]
    return after !== undefined && differs(column, after)
  })

/** The body of a save: only what was edited, so that another person's columns are not written over. */
export const changedColumns = (columns: readonly Column[], edits: ColumnMetadataEdits): ColumnMetadata[] =>
  withMetadataEdits(columns, edits)
    .filter(({ key }) => edits.has(key))
    .map(({ key, label, role, format, hidden, currencyColumn, minorUnits }) => {
      const edit = edits.get(key)
      return {
        ...{ key, label: label.trim(), role, format, hidden },
        ...(edit?.currencyColumn === undefined ? {} : { currencyColumn: currencyColumn ?? null }),
        ...(edit?.currencyColumn === undefined && edit?.minorUnits === undefined && edit?.format === undefined
          ? {}
          : { minorUnits: minorUnits ?? false }),
      }
    })

const conflictSchema = z.object({
  version: z.number(),
  columns: z.array(
    z.object({
      key: columnKeySchema,
      label: z.string(),
      role: z.enum(COLUMN_ROLES),
      format: columnFormatSchema,
      hidden: z.boolean(),
      currencyColumn: columnKeySchema.optional(),
      minorUnits: z.boolean().optional(),
    }),
  ),
})

/** What somebody else saved meanwhile, when that is why the server refused. */
export function conflictingColumns(error: unknown): { version: number; columns: ColumnMetadata[] } | null {
  return isVersionConflict(error) ? (conflictSchema.safeParse(error.body['current']).data ?? null) : null
}

const describeFormat = (format: ColumnFormat): string =>
  format.style === 'currency' ? `currency (${format.currency})` : format.style === 'percent' ? 'percent' : 'number'
const describeMoneyFormat = ({ format, currencyColumn, minorUnits }: ColumnMetadata): string =>
  `${currencyColumn ? 'currency of its row' : describeFormat(format)}${minorUnits ? ' in minor units' : ''}`
const describeColumn = (column: ColumnMetadata): string =>
  `${column.label}, ${COLUMN_ROLE_LABELS[column.role].label.toLowerCase()}, ${describeMoneyFormat(column)}${column.hidden ? ', hidden' : ''}`

/** Where my edits and their saved version differ, in words. */
export function columnConflictRows(
  dataset: Dataset,
  edits: ColumnMetadataEdits,
  theirs: ColumnMetadata[],
): ConflictRow[] {
  const other = new Map(theirs.map((column) => [column.key, column]))
  return withMetadataEdits(dataset.columns, edits).flatMap((mine) => {
    const their = other.get(mine.key)
    if (!edits.has(mine.key) || !their || !differs(mine, their)) return []
    return [{ label: their.label, mine: describeColumn(mine), theirs: describeColumn(their) }]
  })
}
