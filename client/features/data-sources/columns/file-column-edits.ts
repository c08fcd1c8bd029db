import { hasSerialDates } from '../../../../src/shared/data-sources/files'
import type { ColumnFormat, ColumnRole, ColumnType, FileColumn } from '../../../../src/shared/data-sources/files'
import type { ColumnChoice } from '../../../../src/shared/data-sources/import-choices'
import { REJECTS_MAX_SHARE } from '../../../../src/shared/limits'

/** What a person changed about one column of a file. Absent = as it was found. */
export interface FileColumnEdit extends Omit<ColumnChoice, 'of' | 'currency'> {
  /** Position of the column that says which currency each row is in; null = none does. */
  currencyIndex?: number | null | undefined
}

/** Edits by file position, each with the header it was made for: another reading of the file may move columns. */
export type FileColumnEdits = ReadonlyMap<number, FileColumnEdit & { of: string }>

export type FileColumnAction =
  | { kind: 'change'; column: FileColumn; edit: FileColumnEdit }
  | { kind: 'includeAll'; columns: readonly FileColumn[] }
  | { kind: 'reset'; index: number }

export const NO_FILE_COLUMN_EDITS: FileColumnEdits = new Map()

const ROLES_BY_TYPE: Record<ColumnType, readonly ColumnRole[]> = {
  text: ['dimension', 'id', 'currency'],
  integer: ['measure', 'dimension', 'id'],
  number: ['measure', 'dimension'],
  boolean: ['dimension'],
  date: ['time', 'dimension'],
  datetime: ['time', 'dimension'],
}

/** The roles a column of this type can have, the usual one first. */
export const rolesForType = (type: ColumnType): readonly ColumnRole[] => ROLES_BY_TYPE[type]
const defaultRole = (type: ColumnType): ColumnRole => ROLES_BY_TYPE[type][0] ?? 'dimension'

/** A column after an edit: a new type brings a role and a format that fit it. */
export function applyColumnEdit(column: FileColumn, edit: FileColumnEdit): FileColumn {
  const {
    scale: _found,
    zoned: foundZoned,
    decimalMark: foundMark,
    dateOrder: foundOrder,
    currencyIndex: foundPair,
    serialDates: _days,
    ...rest
  } = column
  const decimalMark = 'decimalMark' in edit ? edit.decimalMark : foundMark
  const dateOrder = 'dateOrder' in edit ? edit.dateOrder : foundOrder
  const type = edit.type ?? column.type
  const followsType = column.role === defaultRole(column.type)
  const wanted = edit.role ?? (followsType ? defaultRole(type) : column.role)
  const role = rolesForType(type).includes(wanted) ? wanted : defaultRole(type)
  const numeric = type === 'number' || type === 'integer'
  const pair = numeric ? (edit.currencyIndex === undefined ? foundPair : (edit.currencyIndex ?? undefined)) : undefined
  const format: ColumnFormat = numeric && pair === undefined ? (edit.format ?? column.format) : { style: 'plain' }
  const scale = type !== 'number' ? undefined : column.type === 'number' ? column.scale : edit.scale
  const zoned = type !== 'datetime' ? undefined : column.type === 'datetime' ? foundZoned : edit.zoned
  return {
    ...rest,
    label: edit.label ?? column.label,
    type,
    role,
    format,
    include: edit.include ?? column.include,
    ...(edit.keepsMarker === undefined ? {} : { keepsMarker: edit.keepsMarker }),
    ...(pair === undefined ? {} : { currencyIndex: pair }),
    ...(scale === undefined ? {} : { scale }),
    ...(zoned === undefined ? {} : { zoned }),
    ...(decimalMark === undefined ? {} : { decimalMark }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(hasSerialDates(column, type) ? { serialDates: true } : {}),
  }
}

/** The columns as they will be loaded. Edits made for another header at that place are passed over. */
export function applyColumnEdits(columns: readonly FileColumn[], edits: FileColumnEdits): FileColumn[] {
  const edited = columns.map((column) => {
    const edit = edits.get(column.index)
    return edit?.of === column.label ? applyColumnEdit(column, edit) : column
  })
  const isCurrencyColumn = (index: number): boolean =>
    edited.some((column) => column.index === index && column.include && column.type === 'text')
  // A column that is left out, or holds no text any more, names no currency.
  return edited.map((column) => {
    const { currencyIndex, ...rest } = column
    return currencyIndex === undefined || isCurrencyColumn(currencyIndex) ? column : rest
  })
}

/** `column` of an action is the one inspection found, not the edited one. */
export function fileColumnsReducer(edits: FileColumnEdits, action: FileColumnAction): FileColumnEdits {
  const next = new Map(edits)
  switch (action.kind) {
    case 'change': {
      const { column, edit } = action
      const before = edits.get(column.index)
      next.set(column.index, { ...(before?.of === column.label ? before : {}), ...edit, of: column.label })
      return next
    }
    case 'includeAll':
      for (const column of action.columns) {
        const before = edits.get(column.index)
        next.set(column.index, { ...(before?.of === column.label ? before : {}), include: true, of: column.label })
      }
      return next
    case 'reset':
      next.delete(action.index)
      return next
  }
}

/**
 * Why these columns cannot be loaded, or null. `bad` counts the unreadable cells of each column among `shown` rows:
 * past the share at which a load is refused, that is said before it starts.
 */
export function validateColumns(
  columns: readonly FileColumn[],
  invalidCounts: readonly number[] = [],
  sampleSize = 0,
): string | null {
  const loaded = columns.filter(({ include }) => include)
  if (loaded.length === 0) return 'Import at least one column.'
  if (loaded.some(({ label }) => label.trim() === '')) return 'Enter a name for every imported column.'
  const invalidColumn = columns.find(
    ({ include }, at) => include && (invalidCounts[at] ?? 0) > sampleSize * REJECTS_MAX_SHARE,
  )
  return invalidColumn ? `Too many invalid values in “${invalidColumn.label}”. Change its type or exclude it.` : null
}
