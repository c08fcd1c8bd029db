import { columnEnds, type ChunkEnds } from '../segments/segment-store'
import { columnBounds } from '../segments/stored-columns'
import { hasBounds, type ColumnBounds } from '../contract'
import type { WarehouseContext } from '../context'
import type { TableSet } from '../tables'
import { SCALE_MAX } from '../columns/column-encoder'
import type { ColumnTable } from '../columns/column-table'
import type { Column } from '../../shared/data-sources/data-sources'

type Scale = number | undefined

/**
 * The columns that staged rows and those they are added to have together: those that are there, then new ones. Numbers of
 * both get the most decimals of any, or none where they would not be exact.
 */
export function targetColumns(context: WarehouseContext, sets: { staging: TableSet; live: TableSet | null }): Column[] {
  const { staging, live } = sets
  const staged = new Map(staging.columns.map((column) => [column.key, column]))
  const known = new Set(live?.columns.map(({ key }) => key))
  const scaled = (column: Column): Column => {
    const own = staged.get(column.key)
    if (column.type !== 'number' || !own) return column
    const of = known.has(column.key) && live ? [staging, live] : [staging]
    const isWhole = of.every((set) => set.columns.find(({ key }) => key === column.key)?.scale !== undefined)
    const { scale: _scale, ...rest } = column
    const scale = isWhole ? commonScale(context, of, column) : undefined
    return scale === undefined ? rest : { ...rest, scale }
  }
  return [...(live?.columns ?? []), ...staging.columns.filter(({ key }) => !known.has(key))].map(scaled)
}

function commonScale(context: WarehouseContext, sets: readonly TableSet[], column: Column): Scale {
  const ends = sets.flatMap(({ n, manifest }) => {
    const named = new Set(manifest?.map((chunk) => chunk.n))
    return [...columnEnds(context, { tableSet: n, key: column.key })].flatMap(([chunk, each]) =>
      named.has(chunk) ? [each] : [],
    )
  })
  const scales = sets.flatMap(({ columns }) => columns.find(({ key }) => key === column.key)?.scale ?? [])
  let most = Math.max(...scales)
  for (const { scale } of ends) {
    if (scale === null) return undefined
    most = Math.max(most, scale)
  }
  return most <= SCALE_MAX && ends.every((each) => fits(each, most)) ? most : undefined
}
const fits = ({ least, most, scale }: ChunkEnds, to: number): boolean =>
  Math.max(Math.abs(least ?? 0), Math.abs(most ?? 0)) * 10 ** (to - (scale ?? to)) <= Number.MAX_SAFE_INTEGER

/** Between which values the columns of a table lie. */
export const boundsOf = (table: ColumnTable, columns: readonly Column[]): TableSet['bounds'] =>
  Object.fromEntries(
    columns.filter(hasBounds).map(({ key }): [string, ColumnBounds] => [key, columnBounds(table, key)]),
  )
