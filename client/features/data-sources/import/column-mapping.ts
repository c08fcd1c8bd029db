import { applyColumnEdit } from '../columns/file-column-edits'
import { nameKey } from '../../../../src/shared/field-schemas'
import type { FileColumn, ColumnKey } from '../../../../src/shared/data-sources/files'
import type { Column, CreateLoadInput, Dataset } from '../../../../src/shared/data-sources/data-sources'

/** Where a column of the file goes: into a column of the dataset, in as a new one, or nowhere. */
export type ColumnTarget = { kind: 'column'; key: ColumnKey } | { kind: 'new' } | { kind: 'skip' }
export type ImportMode = CreateLoadInput['mode']
export type ColumnTargets = ReadonlyMap<number, ColumnTarget>

/**
 * Proposes by equal names first, then by equal position and type for what is left; not where other steps than before made
 * the columns. Every column of the dataset is used at most once; what finds no partner becomes a new column.
 */
export function suggestTargets(
  file: readonly FileColumn[],
  existing: readonly Column[],
  { byPosition = true }: { byPosition?: boolean } = {},
): ColumnTargets {
  const free = new Map(existing.map((column) => [column.key, column]))
  const targets = new Map<number, ColumnTarget>()
  const take = (index: number, column: Column) => {
    targets.set(index, { kind: 'column', key: column.key })
    free.delete(column.key)
  }
  const included = file.filter(({ include }) => include)
  for (const column of included) {
    const same = [...free.values()].find(({ label }) => nameKey(label) === nameKey(column.label))
    if (same) take(column.index, same)
  }
  for (const column of included) {
    if (targets.has(column.index)) continue
    const there = [...free.values()].find(
      ({ fileIndex, type }) => byPosition && fileIndex === column.index && type === column.type,
    )
    if (there && !included.some(({ label }) => nameKey(label) === nameKey(there.label))) take(column.index, there)
    else targets.set(column.index, { kind: 'new' })
  }
  for (const column of file) if (!column.include) targets.set(column.index, { kind: 'skip' })
  return targets
}

/** Another target for one column; whoever held that dataset column before becomes a new one. */
export function assignTarget(targets: ColumnTargets, index: number, target: ColumnTarget): ColumnTargets {
  const next = new Map(targets)
  if (target.kind === 'column')
    for (const [other, held] of targets)
      if (held.kind === 'column' && held.key === target.key && other !== index) next.set(other, { kind: 'new' })
  next.set(index, target)
  return next
}

/** The columns that files fill: not those worked out from others. */
export const importedColumns = ({ columns }: Pick<Dataset, 'columns'>): Column[] =>
  columns.filter(({ computed }) => computed === undefined)

/** Columns of the dataset that the file does not bring. */
export function missingColumns(targets: ColumnTargets, existing: readonly Column[]): Column[] {
  const used = new Set([...targets.values()].flatMap((target) => (target.kind === 'column' ? [target.key] : [])))
  return existing.filter(({ key }) => !used.has(key))
}

/**
 * The parts of a load request that say where columns go. Unless the rows are replaced, a matched column is read as the
 * type that is there: a cell that does not fit is rejected with its line.
 */
export function toMappingInput(input: {
  mode: ImportMode
  targets: ColumnTargets
  file: readonly FileColumn[]
  existing: readonly Column[]
}) {
  const { mode, targets, file, existing } = input
  const held = new Map(existing.map((column) => [column.key, column]))
  const typed = (column: FileColumn, target: ColumnTarget | undefined): FileColumn => {
    const into = target?.kind === 'column' ? held.get(target.key) : undefined
    if (mode === 'replace' || !into || into.type === column.type) return column
    const { role, format, type, scale } = into
    return applyColumnEdit(column, { type, role, format, ...(scale === undefined ? {} : { scale }) })
  }
  return {
    columns: file.map((column) => {
      const target = targets.get(column.index)
      return { ...typed(column, target), include: target !== undefined && target.kind !== 'skip' }
    }),
    mapping: [...targets].flatMap(([index, target]) => (target.kind === 'column' ? [{ index, key: target.key }] : [])),
  }
}

/** Whether key columns say which rows of the dataset a row of the file stands for. */
export const requiresKeyColumns = (mode: ImportMode): boolean => mode === 'upsert' || mode === 'replacePart'

/** Why this cannot be loaded yet, or null. */
export function validateMapping(input: {
  mode: ImportMode
  targets: ColumnTargets
  keyColumns: readonly ColumnKey[]
}): string | null {
  const { mode, targets, keyColumns } = input
  const used = new Set([...targets.values()].flatMap((target) => (target.kind === 'column' ? [target.key] : [])))
  if ([...targets.values()].every(({ kind }) => kind === 'skip')) return 'Import at least one column.'
  if (mode !== 'replace' && used.size === 0) return 'Match at least one column.'
  if (!requiresKeyColumns(mode)) return null
  if (keyColumns.length === 0) return mode === 'upsert' ? 'Choose key columns.' : 'Choose part columns.'
  if (keyColumns.some((key) => !used.has(key))) return 'The file must have all of these columns.'
  return null
}
