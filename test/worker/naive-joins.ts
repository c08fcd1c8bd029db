import type { NaiveData, NaiveRow } from './naive-values'
import type { ExistsFilter, Field } from '../../src/shared/query'
import type { StorageValue } from '../../src/warehouse/contract'
import type { RelationEdge } from '../../src/warehouse/query/graph'

const HOPS_MAX = 4

/** Relations, said a second time: every way is tried, every row is compared. */
export function joinsOf({ tables, edges }: NaiveData) {
  const rows = new Map(
    tables.map(({ id, columns, rows: cells }) => [
      id,
      cells.map((row, rid): NaiveRow => ({
        dataset: id,
        rid,
        cells: Object.fromEntries(columns.map(({ key }, n) => [key, row[n] ?? null])),
      })),
    ]),
  )
  const rowsOf = (id: string): NaiveRow[] => rows.get(id) ?? []
  const known = new Map<string, RelationEdge[][]>()
  const waysTo = (from: string, to: string, least: number): RelationEdge[][] => {
    const asked = `${from} ${to} ${least}`
    const ways = known.get(asked) ?? allWays(from, to, least)
    known.set(asked, ways)
    return ways
  }
  const allWays = (from: string, to: string, least: number): RelationEdge[][] => {
    const found: RelationEdge[][] = []
    const walk = (at: string, way: RelationEdge[]): void => {
      if (at === to && way.length >= least) found.push(way)
      if (way.length < HOPS_MAX)
        for (const edge of edges)
          if (edge.from.dataset === at && !way.includes(edge)) walk(edge.to.dataset, [...way, edge])
    }
    walk(from, [])
    return found.toSorted((a, b) => a.length - b.length)
  }
  const shortest = (from: string, to: string, least: number): RelationEdge[] => {
    const [way, second] = waysTo(from, to, least)
    if (!way) throw new Error(`nothing leads from ${from} to ${to}`)
    if (second?.length === way.length) throw new Error(`two ways lead from ${from} to ${to}`)
    return way
  }
  const equal = (a: StorageValue, b: StorageValue): boolean => a !== null && String(a) === String(b)
  const along = (naiveRow: NaiveRow, way: RelationEdge[]): NaiveRow | null => {
    let at: NaiveRow | null = naiveRow
    for (const edge of way) {
      const key: StorageValue = at?.cells[edge.from.key] ?? null
      at = rowsOf(edge.to.dataset).find((each) => equal(key, each.cells[edge.to.key] ?? null)) ?? null
    }
    return at
  }
  /** The row that a field is of; null when some row on the way points at none. */
  const follow = (naiveRow: NaiveRow, { dataset, via = [] }: Field): NaiveRow | null => {
    if (via.length === 0)
      return dataset === naiveRow.dataset ? naiveRow : along(naiveRow, shortest(naiveRow.dataset, dataset, 0))
    const chosen = via.flatMap((id) => edges.filter((edge) => edge.id === id))
    const start = chosen[0]?.from.dataset ?? naiveRow.dataset
    return along(naiveRow, [...(start === naiveRow.dataset ? [] : shortest(naiveRow.dataset, start, 0)), ...chosen])
  }
  /** Rows of the dataset asked for that point at this row, or at the row that both point at. */
  const matching = (naiveRow: NaiveRow, filter: ExistsFilter): NaiveRow[] => {
    const direct = waysTo(filter.dataset, naiveRow.dataset, 1)[0]
    const meeting = direct
      ? { shared: naiveRow.dataset, least: 1 }
      : { shared: nearest(naiveRow.dataset, filter.dataset), least: 1 }
    const theirs = shortest(filter.dataset, meeting.shared, 1)
    const target = direct ? naiveRow : along(naiveRow, shortest(naiveRow.dataset, meeting.shared, 1))
    return target === null ? [] : rowsOf(filter.dataset).filter((each) => along(each, theirs)?.rid === target.rid)
  }
  const nearest = (a: string, b: string): string => {
    const shared = tables.flatMap(({ id }) => {
      const [own, theirs] = [waysTo(a, id, 1)[0], waysTo(b, id, 1)[0]]
      return own && theirs ? [{ id, hops: own.length + theirs.length }] : []
    })
    return shared.toSorted((x, y) => x.hops - y.hops)[0]?.id ?? ''
  }
  const reaches = (from: string, to: string): boolean => from === to || waysTo(from, to, 1).length > 0
  return { rowsOf, follow, matching, reaches }
}
