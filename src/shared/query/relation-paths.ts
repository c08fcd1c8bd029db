import type { ColumnKey } from '../data-sources/files'

/** A relation that plans may follow: every row of `from` points at one row of `to` at most. */
export interface FollowedRelation {
  id: string
  from: { dataset: string; key: ColumnKey }
  to: { dataset: string; key: ColumnKey }
  /** Further columns of a key of several; rows match where all pairs do. */
  further?: readonly ColumnKeyPair[]
  /** No two rows of `from` point at one row of `to` either: it is followed back, too. */
  oneToOne?: true
}
export interface ColumnKeyPair {
  from: ColumnKey
  to: ColumnKey
}
/** The columns of a relation's key, pair by pair. */
export const keyPairsOf = ({
  from,
  to,
  further = [],
}: {
  from: { key: ColumnKey }
  to: { key: ColumnKey }
  further?: readonly ColumnKeyPair[]
}): ColumnKeyPair[] => [{ from: from.key, to: to.key }, ...further]

/** The columns of a relation's key at both ends. */
export const keyEndsOf = (relation: Pick<FollowedRelation, 'from' | 'to' | 'further'>): FollowedRelation['from'][] =>
  keyPairsOf(relation).flatMap((pair) => [
    { dataset: relation.from.dataset, key: pair.from },
    { dataset: relation.to.dataset, key: pair.to },
  ])

/** Relations in a row, each from the many to the one; those that are one-to-one may be turned round. */
export type FollowedPath = readonly FollowedRelation[]

/** So many relations are followed from the many to the one before any other way is looked for. */
const FORWARD_HOPS_MAX = 4
/** So many are followed at all. */
export const HOPS_MAX = 6
/** So many of several equally short ways are named. */
const PATHS_LISTED_MAX = 4

export interface PathEnds {
  from: string
  to: string
  least: 0 | 1
}
export type PathSearch = (edges: readonly FollowedRelation[], ends: PathEnds) => FollowedPath[]

export const reversedRelation = (edge: FollowedRelation): FollowedRelation => ({
  ...edge,
  from: edge.to,
  to: edge.from,
  ...(edge.further ? { further: edge.further.map(({ from, to }) => ({ from: to, to: from })) } : {}),
})
/** Within one dataset a relation has one direction only: its name alone does not say which is meant. */
export const isReversible = ({ oneToOne, from, to }: FollowedRelation): boolean =>
  oneToOne === true && from.dataset !== to.dataset
/** Every relation in each direction it can be followed in. */
export const followedEdges = (edges: readonly FollowedRelation[]): FollowedRelation[] => [
  ...edges,
  ...edges.filter(isReversible).map(reversedRelation),
]

/**
 * The shortest ways of at least `least` relations from one dataset to another: of those from the many to the one, as long
 * as four relations lead there; else of up to {@link HOPS_MAX} in both directions. Empty when there is none.
 * At most {@link PATHS_LISTED_MAX} are listed: more than one is a question to the person anyway.
 */
export const shortestPaths: PathSearch = (edges, ends) => {
  const forward = forwardPaths(edges, ends)
  return forward.length > 0 ? forward : widePaths(edges, ends)
}
/** The same, from the many to the one only. */
export const forwardPaths: PathSearch = (edges, ends) => pathsAlong(edges, ends, FORWARD_HOPS_MAX)
export const widePaths: PathSearch = (edges, ends) => pathsAlong(followedEdges(edges), ends, HOPS_MAX)

export function pathsAlong(
  edges: readonly FollowedRelation[],
  { from, to, least }: PathEnds,
  hopsMax: number,
): FollowedPath[] {
  if (least === 0 && from === to) return [[]]
  const ways = new Map<string, FollowedPath[]>([[from, [[]]]])
  let level = [from]
  for (let hops = 1; hops <= hopsMax && level.length > 0; hops += 1) {
    const found: FollowedPath[] = []
    const next = new Map<string, FollowedPath[]>()
    for (const edge of edges) {
      if (!level.includes(edge.from.dataset)) continue
      const known = (ways.get(edge.from.dataset) ?? []).filter((path) => path.every(({ id }) => id !== edge.id))
      const longer = known.map((path) => [...path, edge])
      if (edge.to.dataset === to) found.push(...longer)
      if (ways.has(edge.to.dataset)) continue
      next.set(edge.to.dataset, [...(next.get(edge.to.dataset) ?? []), ...longer].slice(0, PATHS_LISTED_MAX))
    }
    if (found.length > 0) return found.slice(0, PATHS_LISTED_MAX)
    for (const [dataset, paths] of next) ways.set(dataset, paths)
    level = [...next.keys()]
  }
  return []
}
