import type { LoadRecord } from './load'
import { oneRow, type WarehouseContext } from '../context'
import { groupTable, quotedName, type TableSet } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { ColumnBounds } from '../contract'

const SCALE_MAX = 4
type Scale = number | undefined

/** The scale every `number` column must get so that staged and existing values lie alike; undefined = REAL. */
export function targetScales(
  context: WarehouseContext,
  loadRecord: LoadRecord,
  sets: { staging: TableSet; live: TableSet | null },
): Map<ColumnKey, Scale> {
  const before = new Map(sets.live?.columns.map((column) => [column.key, column]))
  const targets = new Map<ColumnKey, Scale>()
  for (const column of sets.staging.columns) {
    if (column.type !== 'number') continue
    const old = before.get(column.key)
    const wanted = wantedScale(column.scale, { seen: loadRecord.widened[column.key], old })
    const oldFits =
      old === undefined || wanted === undefined || fits(sets.live?.bounds[column.key], wanted - (old.scale ?? 0))
    const asStaged = wanted === column.scale && loadRecord.widened[column.key] === undefined
    const exact =
      wanted !== undefined && oldFits && (asStaged || stagedFits(context, sets.staging, { column, scale: wanted }))
    targets.set(column.key, exact ? wanted : undefined)
  }
  return targets
}

function wantedScale(scale: Scale, from: { seen: number | null | undefined; old: Column | undefined }): Scale {
  if (scale === undefined || from.seen === null || (from.old && from.old.scale === undefined)) return undefined
  const wanted = Math.max(scale, from.seen ?? 0, from.old?.scale ?? 0)
  return wanted > SCALE_MAX ? undefined : wanted
}

const fits = (bounds: ColumnBounds | undefined, more: number): boolean =>
  Math.max(Math.abs(bounds?.min ?? 0), Math.abs(bounds?.max ?? 0)) * 10 ** more <= Number.MAX_SAFE_INTEGER

function stagedFits(context: WarehouseContext, set: TableSet, at: { column: Column; scale: number }): boolean {
  const { table, name } = place(set, at.column.key)
  const from = at.column.scale ?? 0
  const query = `SELECT max(abs(CASE typeof(${name}) WHEN 'real' THEN ${name} * ? ELSE ${name} * ? END)) AS most FROM ${table}`
  const { most } = oneRow<{ most: number | null }>(context.sql, query, 10 ** at.scale, 10 ** (at.scale - from))
  return (most ?? 0) <= Number.MAX_SAFE_INTEGER
}

/**
 * Brings one column of a set to a scale, integers and unscaled REALs alike. Answers the set as it is then.
 * Repeating it changes nothing. Call inside a transaction and save the set there.
 */
export function rescale(context: WarehouseContext, set: TableSet, to: { key: ColumnKey; scale: Scale }): TableSet {
  const column = set.columns.find((candidate) => candidate.key === to.key)
  if (!column) return set
  const { table, name } = place(set, to.key)
  const from = column.scale
  if (to.scale === undefined && from !== undefined) {
    const divide = `UPDATE ${table} SET ${name} = CAST(${name} AS REAL) / ? WHERE typeof(${name}) = 'integer'`
    context.sql.exec(divide, 10 ** from)
  }
  if (to.scale !== undefined) {
    const grow = 10 ** (to.scale - (from ?? to.scale))
    // Numbers are bound as REAL: only the cast keeps integers integers.
    const more = `UPDATE ${table} SET ${name} = ${name} * CAST(? AS INTEGER) WHERE typeof(${name}) = 'integer'`
    if (grow > 1) context.sql.exec(more, grow)
    const exact = `UPDATE ${table} SET ${name} = CAST(round(${name} * ?) AS INTEGER) WHERE typeof(${name}) = 'real'`
    context.sql.exec(exact, 10 ** to.scale)
  }
  const { scale: _scale, ...rest } = column
  const changed: Column = to.scale === undefined ? rest : { ...rest, scale: to.scale }
  const columns = set.columns.map((candidate) => (candidate.key === to.key ? changed : candidate))
  return { ...set, columns, bounds: { ...set.bounds, ...scaledBounds(set, { ...to, from }) } }
}

function scaledBounds(set: TableSet, by: { key: ColumnKey; from: Scale; scale: Scale }): TableSet['bounds'] {
  const bounds = set.bounds[by.key]
  if (!bounds) return {}
  // Divided just as the values are, so that the greatest value and its bound stay equal.
  const { from = 0, scale } = by
  const like = (value: number): number => (scale === undefined ? value / 10 ** from : value * 10 ** (scale - from))
  const scaled = (value: number | null): number | null => (value === null ? null : like(value))
  return { [by.key]: { min: scaled(bounds.min), max: scaled(bounds.max) } }
}

function place(set: TableSet, key: ColumnKey): { table: string; name: string } {
  const group = set.layout.findIndex((keys) => keys.includes(key))
  if (group < 0) throw new Error('A column has no place.')
  return { table: groupTable(set, group), name: quotedName(key) }
}
