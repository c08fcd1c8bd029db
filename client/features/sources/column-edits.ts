import type {
  ColumnFormat,
  ColumnRole,
  ColumnType,
  DateOrder,
  DecimalMark,
  FileColumn,
} from '../../../src/shared/files'
import { REJECTS_MAX_SHARE } from '../../../src/shared/limits'

/** What a person changed about one column of a file. Absent = as it was found. */
export interface ColumnEdit {
  label?: string
  type?: ColumnType
  role?: ColumnRole
  format?: ColumnFormat
  include?: boolean
  /** Position of the column that says which currency each row is in; null = none does. */
  currencyIndex?: number | null
  /** `undefined` = as in the rest of the file. */
  decimalMark?: DecimalMark | undefined
  dateOrder?: DateOrder | undefined
  /** Decimals kept, counted from the shown rows when the type was changed to `number`. */
  scale?: number
}

/** Edits by file position, each with the header it was made for: another reading of the file may move columns. */
export type ColumnEdits = ReadonlyMap<number, ColumnEdit & { of: string }>

export type EditAction =
  | { kind: 'change'; column: FileColumn; edit: ColumnEdit }
  | { kind: 'includeAll'; columns: readonly FileColumn[] }
  | { kind: 'reset'; index: number }

export const NO_EDITS: ColumnEdits = new Map()

const ROLES_OF: Record<ColumnType, readonly ColumnRole[]> = {
  text: ['dimension', 'id', 'currency'],
  integer: ['measure', 'dimension', 'id'],
  number: ['measure', 'dimension'],
  boolean: ['dimension'],
  date: ['time', 'dimension'],
  datetime: ['time', 'dimension'],
}

/** The roles a column of this type can have, the usual one first. */
export const rolesOf = (type: ColumnType): readonly ColumnRole[] => ROLES_OF[type]
export const usualRole = (type: ColumnType): ColumnRole => ROLES_OF[type][0] ?? 'dimension'

/** A column after an edit: a new type brings a role and a format that fit it. */
export function editColumn(column: FileColumn, edit: ColumnEdit): FileColumn {
  const { scale: _found, decimalMark: foundMark, dateOrder: foundOrder, currencyIndex: foundPair, ...rest } = column
  const decimalMark = 'decimalMark' in edit ? edit.decimalMark : foundMark
  const dateOrder = 'dateOrder' in edit ? edit.dateOrder : foundOrder
  const type = edit.type ?? column.type
  const followsType = column.role === usualRole(column.type)
  const wanted = edit.role ?? (followsType ? usualRole(type) : column.role)
  const role = rolesOf(type).includes(wanted) ? wanted : usualRole(type)
  const numeric = type === 'number' || type === 'integer'
  const pair = numeric ? (edit.currencyIndex === undefined ? foundPair : (edit.currencyIndex ?? undefined)) : undefined
  const format: ColumnFormat = numeric && pair === undefined ? (edit.format ?? column.format) : { style: 'plain' }
  const scale = type !== 'number' ? undefined : column.type === 'number' ? column.scale : edit.scale
  return {
    ...rest,
    label: edit.label ?? column.label,
    type,
    role,
    format,
    include: edit.include ?? column.include,
    ...(pair === undefined ? {} : { currencyIndex: pair }),
    ...(scale === undefined ? {} : { scale }),
    ...(decimalMark === undefined ? {} : { decimalMark }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
  }
}

/** The columns as they will be loaded. Edits made for another header at that place are passed over. */
export function applyEdits(columns: readonly FileColumn[], edits: ColumnEdits): FileColumn[] {
  const edited = columns.map((column) => {
    const edit = edits.get(column.index)
    return edit?.of === column.label ? editColumn(column, edit) : column
  })
  const names = (index: number): boolean =>
    edited.some((column) => column.index === index && column.include && column.type === 'text')
  // A column that is left out, or holds no text any more, names no currency.
  return edited.map((column) => {
    const { currencyIndex, ...rest } = column
    return currencyIndex === undefined || names(currencyIndex) ? column : rest
  })
}

/** `column` of an action is the one inspection found, not the edited one. */
export function editReducer(edits: ColumnEdits, action: EditAction): ColumnEdits {
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
export function columnsFault(columns: readonly FileColumn[], bad: readonly number[] = [], shown = 0): string | null {
  const loaded = columns.filter(({ include }) => include)
  if (loaded.length === 0) return 'Load at least one column.'
  if (loaded.some(({ label }) => label.trim() === '')) return 'Every loaded column needs a name.'
  const wrong = columns.find(({ include }, at) => include && (bad[at] ?? 0) > shown * REJECTS_MAX_SHARE)
  return wrong ? `Too much of “${wrong.label}” cannot be read that way. Change its type, or leave it out.` : null
}
