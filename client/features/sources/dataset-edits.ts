import { z } from 'zod'
import { ROLE_WORDS } from './format-words'
import { ApiError } from '../../lib/api'
import type { ConflictRow } from '../../ui/version-conflict-dialog'
import { COLUMN_ROLES, columnFormatSchema } from '../../../src/shared/files'
import type { ColumnFormat } from '../../../src/shared/files'
import { columnKeySchema } from '../../../src/shared/sources'
import type { Column, ColumnKey, Dataset } from '../../../src/shared/sources'

export type ColumnDescription = Pick<Column, 'key' | 'label' | 'role' | 'format' | 'hidden'> & {
  /** Null: no column of the row says what the amounts are in. Absent: as it is. */
  currencyColumn?: ColumnKey | null | undefined
  minorUnits?: boolean | undefined
}
export type DescriptionEdit = Partial<Omit<ColumnDescription, 'key'>>
export type DescriptionEdits = ReadonlyMap<ColumnKey, DescriptionEdit>
export type DescriptionAction = { kind: 'change'; key: ColumnKey; edit: DescriptionEdit } | { kind: 'clear' }

export const NO_DESCRIPTIONS: DescriptionEdits = new Map()

export function descriptionReducer(edits: DescriptionEdits, action: DescriptionAction): DescriptionEdits {
  if (action.kind === 'clear') return NO_DESCRIPTIONS
  return new Map(edits).set(action.key, { ...edits.get(action.key), ...action.edit })
}

export const described = (columns: readonly Column[], edits: DescriptionEdits): Column[] =>
  columns.map((column) => {
    const { currencyColumn, minorUnits, ...look } = edits.get(column.key) ?? {}
    const { currencyColumn: pairedWith, minorUnits: inMinor, ...rest } = column
    const pair = currencyColumn === undefined ? pairedWith : (currencyColumn ?? undefined)
    const after = { ...rest, ...look, ...(pair === undefined ? {} : { currencyColumn: pair }) }
    const isMoney = pair !== undefined || after.format.style === 'currency'
    return isMoney && (minorUnits ?? inMinor) === true ? { ...after, minorUnits: true } : after
  })

const sameFormat = (a: ColumnFormat, b: ColumnFormat): boolean => JSON.stringify(a) === JSON.stringify(b)
const sameMoney = (a: ColumnDescription, b: ColumnDescription): boolean =>
  (a.currencyColumn ?? null) === (b.currencyColumn ?? null) && (a.minorUnits ?? false) === (b.minorUnits ?? false)
const differs = (a: ColumnDescription, b: ColumnDescription): boolean =>
  a.label !== b.label ||
  a.role !== b.role ||
  a.hidden !== b.hidden ||
  !sameFormat(a.format, b.format) ||
  !sameMoney(a, b)

/** Whether saving would change anything. */
export const isChanged = (columns: readonly Column[], edits: DescriptionEdits): boolean =>
  columns.some((column, at) => {
    const after = described(columns, edits)[at]
    return after !== undefined && differs(column, after)
  })

/** The body of a save: only what was edited, so that another person's columns are not written over. */
export const changedColumns = (columns: readonly Column[], edits: DescriptionEdits): ColumnDescription[] =>
  described(columns, edits)
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

const currentSchema = z.object({
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
export function savedMeanwhile(error: unknown): { version: number; columns: ColumnDescription[] } | null {
  if (!(error instanceof ApiError) || error.body.code !== 'version_conflict') return null
  const parsed = currentSchema.safeParse(error.body['current'])
  return parsed.success ? parsed.data : null
}

const formatWords = (format: ColumnFormat): string =>
  format.style === 'currency' ? `money in ${format.currency}` : format.style === 'percent' ? 'per cent' : 'number'
const moneyWords = ({ format, currencyColumn, minorUnits }: ColumnDescription): string =>
  `${currencyColumn ? 'money in the currency of its row' : formatWords(format)}${minorUnits ? ' in smallest units' : ''}`
const words = (column: ColumnDescription): string =>
  `${column.label}, ${ROLE_WORDS[column.role].label.toLowerCase()}, ${moneyWords(column)}${column.hidden ? ', hidden' : ''}`

/** Where my edits and their saved version differ, in words. */
export function conflictRows(dataset: Dataset, edits: DescriptionEdits, theirs: ColumnDescription[]): ConflictRow[] {
  const other = new Map(theirs.map((column) => [column.key, column]))
  return described(dataset.columns, edits).flatMap((mine) => {
    const their = other.get(mine.key)
    if (!edits.has(mine.key) || !their || !differs(mine, their)) return []
    return [{ label: their.label, mine: words(mine), theirs: words(their) }]
  })
}
