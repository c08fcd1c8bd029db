import { definedOnly } from '../../../lib/defined'
import { currencyFields, withCurrencyColumns } from './currency-columns'
import type { LoadRequest } from '../../../sync/load-request'
import { ProductError } from '../../../shared/errors'
import { COLUMN_TYPES, type ColumnType, type FileColumn, type ColumnKey } from '../../../shared/data-sources/files'
import { DATASET_MAX_COLUMNS } from '../../../shared/limits'
import { expressionFieldsOf } from '../../../shared/query/plan-fields'
import type { Column, LoadMode } from '../../../shared/data-sources/data-sources'

type FileMappings = LoadRequest['files']
/** How a file's columns become a dataset's: what the load request holds of it. */
export interface LoadColumns {
  columns: Column[]
  files: FileMappings
  keyColumns: ColumnKey[]
  fileWidth: number
}

const columnKey = (n: number): ColumnKey => `c${n}`
export const columnNumber = (key: ColumnKey): number => Number(key.slice(1))

const toFileMapping = (file: FileColumn): NonNullable<FileMappings[number]> => {
  const { index, decimalMark, dateOrder, type, keepsMarker } = file
  const emptyMarker = type !== 'text' || keepsMarker ? undefined : file.emptyMarker
  // Said of every column of dates: where nothing is said, an earlier release stored it, which read day numbers in all.
  const serialDates = type === 'date' ? file.serialDates === true : undefined
  const months = type === 'date' ? file.months : undefined
  return { index, ...definedOnly({ decimalMark, dateOrder, serialDates, months, emptyMarker }) }
}
/** What rows are told apart by has a value always, however it is written. */
function withoutMarker(file: FileMappings[number]): FileMappings[number] {
  if (!file) return file
  const { emptyMarker: _marker, ...rest } = file
  return rest
}

const toColumn = (file: FileColumn, key: ColumnKey): Column => ({
  key,
  label: file.label.trim() || key,
  type: file.type,
  role: file.role,
  ...(file.type === 'number' && file.scale !== undefined ? { scale: file.scale } : {}),
  ...(file.type === 'datetime' ? { zoned: file.zoned ?? false } : {}),
  format: file.format,
  hidden: false,
  fileIndex: file.index,
})

const fileWidthOf = (columns: FileColumn[]): number => Math.max(...columns.map(({ index }) => index)) + 1

const invalidInput = (fields: Record<string, string>): ProductError => new ProductError('invalid_input', { fields })

function includedColumns(columns: FileColumn[]): FileColumn[] {
  const fields: Record<string, string> = {}
  const seen = new Set<number>()
  columns.forEach(({ index }, at) => {
    if (seen.has(index)) fields[`columns.${at}.index`] = 'Given twice.'
    seen.add(index)
  })
  const kept = columns.filter(({ include }) => include)
  if (kept.length === 0) fields['columns'] = 'Include at least one column.'
  if (Object.keys(fields).length > 0) throw invalidInput(fields)
  return kept.toSorted((a, b) => a.index - b.index)
}

/** The columns of a new dataset: a column's key is its first position in the file, for good. */
export function columnsForCreate(input: { columns: FileColumn[]; keyColumns: number[] }): LoadColumns {
  const files = includedColumns(input.columns)
  const known = new Set(files.map(({ index }) => index))
  const unknown = input.keyColumns.findIndex((index) => !known.has(index))
  if (unknown >= 0) throw invalidInput({ [`keyColumns.${unknown}`]: 'Choose an imported column.' })
  return {
    columns: withCurrencyColumns(
      files.map((file) => ({ column: toColumn(file, columnKey(file.index)), file })),
      input.columns,
    ),
    files: files.map((file) => {
      const mapping = toFileMapping(file)
      return input.keyColumns.includes(file.index) ? withoutMarker(mapping) : mapping
    }),
    keyColumns: input.keyColumns.map(columnKey),
    fileWidth: fileWidthOf(input.columns),
  }
}

export interface LoadColumnsInput {
  mode: Exclude<LoadMode, 'create'>
  existing: Column[]
  columns: FileColumn[]
  mapping: { index: number; key: ColumnKey }[]
  keyColumns: ColumnKey[]
  /** Number of the first key that no column of this dataset ever had. */
  nextKey: number
}

/**
 * How another file goes into a dataset: known columns keep their key, new ones get keys never used before.
 * `lost` are columns that go away or change their type by this load (only when it replaces).
 */
export function columnsForLoad(given: LoadColumnsInput): LoadColumns & { lost: ColumnKey[] } {
  // No file fills a computed column, and no load takes one away.
  const input = { ...given, existing: given.existing.filter(({ computed }) => computed === undefined) }
  const files = includedColumns(input.columns)
  const mapped = validateMapping(input, files)
  validateKeyColumns(input, mapped)
  if (input.mode !== 'replace') validateTypes(input, mapped)
  const taken = new Set([...mapped.values()].map(({ index }) => index))
  let next = input.nextKey
  const added = files
    .filter(({ index }) => !taken.has(index))
    .map((file) => ({ column: toColumn(file, columnKey(next++)), file: toFileMapping(file) }))
  const kept = input.existing.flatMap((column) => updateExistingColumn(input.mode, column, mapped.get(column.key)))
  const all = [...kept, ...added]
  if (all.length > DATASET_MAX_COLUMNS)
    throw new ProductError('too_large', { what: 'columns', max: DATASET_MAX_COLUMNS, size: all.length })
  const after = new Map(kept.map(({ column }) => [column.key, column.type]))
  return {
    columns: withCurrencyColumns(all, input.columns),
    files: all.map(({ column, file }) => (input.keyColumns.includes(column.key) ? withoutMarker(file) : file)),
    keyColumns: input.keyColumns,
    fileWidth: fileWidthOf(input.columns),
    lost: withDependentColumns(
      given.existing,
      input.existing.filter(({ key, type }) => after.get(key) !== type).map(({ key }) => key),
    ),
  }
}

/** Columns, and the computed ones that are made of them. */
export function withDependentColumns(columns: readonly Column[], keys: readonly ColumnKey[]): ColumnKey[] {
  const gone = new Set(keys)
  for (let size = -1; size < gone.size;) {
    size = gone.size
    for (const { key, computed } of columns)
      if (computed && expressionFieldsOf(computed).some((field) => gone.has(field.column))) gone.add(key)
  }
  return [...gone]
}

type PlannedColumn = { column: Column; file: FileMappings[number] }

/** What a person called a column and how it is shown stays; its type follows the file only when the file replaces. */
function updateExistingColumn(mode: LoadMode, column: Column, file: FileColumn | undefined): PlannedColumn[] {
  if (!file) return mode === 'replace' ? [] : [{ column, file: null }]
  if (mode !== 'replace') return [{ column: { ...column, fileIndex: file.index }, file: toFileMapping(file) }]
  const fresh = toColumn(file, column.key)
  const shown = file.type === column.type ? { role: column.role, format: column.format, ...currencyFields(column) } : {}
  return [{ column: { ...fresh, ...shown, label: column.label, hidden: column.hidden }, file: toFileMapping(file) }]
}

function validateMapping({ mapping, existing }: LoadColumnsInput, files: FileColumn[]): Map<ColumnKey, FileColumn> {
  const fields: Record<string, string> = {}
  const byIndex = new Map(files.map((file) => [file.index, file]))
  const keys = new Set(existing.map(({ key }) => key))
  const mapped = new Map<ColumnKey, FileColumn>()
  const used = new Set<number>()
  mapping.forEach(({ index, key }, at) => {
    const file = byIndex.get(index)
    if (!file) fields[`mapping.${at}.index`] = 'Choose an imported column.'
    else if (!keys.has(key)) fields[`mapping.${at}.key`] = 'This dataset has no such column.'
    else if (mapped.has(key) || used.has(index)) fields[`mapping.${at}`] = 'Mapped twice.'
    else mapped.set(key, file)
    used.add(index)
  })
  if (Object.keys(fields).length > 0) throw invalidInput(fields)
  return mapped
}

function validateKeyColumns({ mode, keyColumns }: LoadColumnsInput, mapped: Map<ColumnKey, FileColumn>): void {
  if (mode === 'replace') return
  const what = mode === 'upsert' ? 'identify a row' : 'name the part that is replaced'
  if (keyColumns.length === 0 && mode !== 'append')
    throw invalidInput({ keyColumns: `Choose the columns that ${what}.` })
  const missing = keyColumns.findIndex((key) => !mapped.has(key))
  if (missing >= 0) throw invalidInput({ [`keyColumns.${missing}`]: 'The file must have this column.' })
}

/** Types a column can take without losing anything. */
const ASSIGNABLE_TYPES: Record<ColumnType, readonly ColumnType[]> = {
  text: COLUMN_TYPES,
  number: ['number', 'integer'],
  integer: ['integer'],
  boolean: ['boolean'],
  date: ['date'],
  datetime: ['datetime'],
}

function validateTypes({ existing, columns }: LoadColumnsInput, mapped: Map<ColumnKey, FileColumn>): void {
  const fields: Record<string, string> = {}
  for (const column of existing) {
    const file = mapped.get(column.key)
    if (!file || ASSIGNABLE_TYPES[column.type].includes(file.type)) continue
    fields[`columns.${columns.indexOf(file)}.type`] =
      `“${column.label}” holds ${column.type}, the file has ${file.type}.`
  }
  if (Object.keys(fields).length > 0) throw invalidInput(fields)
}
