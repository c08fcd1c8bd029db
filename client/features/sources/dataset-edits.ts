import { z } from 'zod'
import { ROLE_WORDS } from './format-words'
import { ApiError } from '../../lib/api'
import type { ConflictRow } from '../../ui/version-conflict-dialog'
import { COLUMN_ROLES, columnFormatSchema } from '../../../src/shared/files'
import type { ColumnFormat } from '../../../src/shared/files'
import { columnKeySchema } from '../../../src/shared/sources'
import type { Column, ColumnKey, Dataset } from '../../../src/shared/sources'

export type ColumnDescription = Pick<Column, 'key' | 'label' | 'role' | 'format' | 'hidden'>
export type DescriptionEdit = Partial<Omit<ColumnDescription, 'key'>>
export type DescriptionEdits = ReadonlyMap<ColumnKey, DescriptionEdit>
export type DescriptionAction = { kind: 'change'; key: ColumnKey; edit: DescriptionEdit } | { kind: 'clear' }

export const NO_DESCRIPTIONS: DescriptionEdits = new Map()

export function descriptionReducer(edits: DescriptionEdits, action: DescriptionAction): DescriptionEdits {
  if (action.kind === 'clear') return NO_DESCRIPTIONS
  return new Map(edits).set(action.key, { ...edits.get(action.key), ...action.edit })
}

export const described = (columns: readonly Column[], edits: DescriptionEdits): Column[] =>
  columns.map((column) => ({ ...column, ...edits.get(column.key) }))

const sameFormat = (a: ColumnFormat, b: ColumnFormat): boolean => JSON.stringify(a) === JSON.stringify(b)
const differs = (a: ColumnDescription, b: ColumnDescription): boolean =>
  a.label !== b.label || a.role !== b.role || a.hidden !== b.hidden || !sameFormat(a.format, b.format)

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
    .map(({ key, label, role, format, hidden }) => ({ key, label: label.trim(), role, format, hidden }))

const currentSchema = z.object({
  version: z.number(),
  columns: z.array(
    z.object({
      key: columnKeySchema,
      label: z.string(),
      role: z.enum(COLUMN_ROLES),
      format: columnFormatSchema,
      hidden: z.boolean(),
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
const words = ({ label, role, format, hidden }: ColumnDescription): string =>
  `${label}, ${ROLE_WORDS[role].label.toLowerCase()}, ${formatWords(format)}${hidden ? ', hidden' : ''}`

/** Where my edits and their saved version differ, in words. */
export function conflictRows(dataset: Dataset, edits: DescriptionEdits, theirs: ColumnDescription[]): ConflictRow[] {
  const other = new Map(theirs.map((column) => [column.key, column]))
  return described(dataset.columns, edits).flatMap((mine) => {
    const their = other.get(mine.key)
    if (!edits.has(mine.key) || !their || !differs(mine, their)) return []
    return [{ label: their.label, mine: words(mine), theirs: words(their) }]
  })
}
