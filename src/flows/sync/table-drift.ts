import { hasSerialDates, type ColumnKey, type ColumnType, type FileColumn } from '../../shared/data-sources/files'
import type { Column } from '../../shared/data-sources/data-sources'
import { nameKey } from '../../shared/field-schemas'

/** What a table's columns are now beside what they were. */
export interface TableDrift {
  /** The columns as they are to be loaded: known ones keep the type they have. */
  columns: FileColumn[]
  /** Position in the file → column that is there. */
  mapping: { index: number; key: ColumnKey }[]
  added: string[]
  /** Labels of columns that the source has no more. */
  gone: Column[]
  /** Of columns whose values are of another kind now. */
  retyped: Column[]
}

/**
 * The type that a known column keeps: what was found in a few values does not change it as long as the values fit.
 * Null: they do not.
 */
function keptType(
  known: Pick<Column, 'type' | 'scale' | 'zoned'>,
  found: FileColumn,
  { widens, keepsTypes }: { widens: boolean; keepsTypes: boolean },
): FileColumn | null {
  if (keepsTypes) {
    const { serialDates: _found, ...rest } = withoutScale(found)
    return { ...rest, ...typeOf(known), ...(hasSerialDates(found, known.type) ? { serialDates: true } : {}) }
  }
  if (known.type === 'text') return { ...withoutScale(found), type: 'text' }
  if (known.type === found.type) {
    if (known.type === 'datetime' && (known.zoned ?? false) !== (found.zoned ?? false)) return null
    return { ...withoutScale(found), ...scaleOf(known, found, widens) }
  }
  if (known.type === 'number' && found.type === 'integer')
    return { ...withoutScale(found), type: 'number', ...(known.scale === undefined ? {} : { scale: known.scale }) }
  return widens && known.type === 'integer' && found.type === 'number' ? found : null
}

const typeOf = ({ type, scale, zoned }: Pick<Column, 'type' | 'scale' | 'zoned'>): Partial<FileColumn> => ({
  type,
  ...(scale === undefined ? {} : { scale }),
  ...(zoned === undefined ? {} : { zoned }),
})
const withoutScale = ({ scale: _scale, ...rest }: FileColumn): FileColumn => rest

function scaleOf(known: Pick<Column, 'scale'>, found: FileColumn, widens: boolean): { scale?: number } {
  if (known.scale === undefined) return {}
  if (!widens) return { scale: known.scale }
  return found.scale === undefined ? {} : { scale: Math.max(known.scale, found.scale) }
}

/**
 * The columns that are known, by names at the source; capitals make no other column, as long as none is called just so. A
 * table whose names differ by capitals alone keeps them apart.
 */
function columnByName(known: Readonly<Record<string, ColumnKey>>, names: readonly string[]) {
  const exact = new Map(Object.entries(known))
  const taken = new Set(names.flatMap((name) => exact.get(name) ?? []))
  const alike = new Map([...exact].flatMap(([name, key]) => (taken.has(key) ? [] : [[nameKey(name), key] as const])))
  return (name: string): ColumnKey | undefined => exact.get(name) ?? alike.get(nameKey(name))
}

/**
 * Compares by the names at the source. `widens`: all rows are replaced. `keepsTypes`: there are no values that could say
 * anything about types.
 */
export function compareColumns(of: {
  existing: readonly Column[]
  known: Readonly<Record<string, ColumnKey>>
  columns: readonly FileColumn[]
  names: readonly string[]
  widens: boolean
  keepsTypes: boolean
}): TableDrift {
  const byKey = new Map(of.existing.map((column) => [column.key, column]))
  const keyByName = columnByName(of.known, of.names)
  const drift: TableDrift = { columns: [], mapping: [], added: [], gone: [], retyped: [] }
  const met = new Set<ColumnKey>()
  of.columns.forEach((found, at) => {
    const name = of.names[at] ?? found.label
    const key = keyByName(name)
    const column = key === undefined ? undefined : byKey.get(key)
    if (!column || met.has(column.key)) {
      drift.added.push(name)
      drift.columns.push(found)
      return
    }
    met.add(column.key)
    drift.mapping.push({ index: found.index, key: column.key })
    const kept = keptType(column, found, of)
    if (!kept) drift.retyped.push(column)
    drift.columns.push(kept ?? found)
  })
  const wasThere = new Set(Object.values(of.known))
  drift.gone = of.existing.filter(({ key }) => wasThere.has(key) && !met.has(key))
  return drift
}

const TYPE_WORDS: Record<ColumnType, string> = {
  text: 'text',
  integer: 'whole numbers',
  number: 'numbers',
  boolean: 'yes/no values',
  date: 'dates',
  datetime: 'times',
}
const quoted = (labels: readonly string[]): string => labels.map((label) => `“${label}”`).join(', ')

/** What of a drift stops a sync, in words; null where nothing does. */
export function driftSentence(drift: TableDrift, table: string): string | null {
  const [first] = drift.retyped
  if (first) {
    const now = drift.columns.find(({ index }) =>
      drift.mapping.some((each) => each.key === first.key && each.index === index),
    )
    return `${quoted([first.label])} in ${table} held ${TYPE_WORDS[first.type]} and now holds ${TYPE_WORDS[now?.type ?? 'text']}.`
  }
  if (drift.gone.length === 0) return null
  const renamed =
    drift.gone.length === 1 && drift.added.length === 1 ? ` It may now be called ${quoted(drift.added)}.` : ''
  return `${quoted(drift.gone.map(({ label }) => label))} no longer in ${table}.${renamed}`
}
