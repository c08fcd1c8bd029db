import {
  followedEdges,
  keyPairsOf,
  forwardPaths,
  HOPS_MAX,
  isReversible,
  pathsAlong,
  shortestPaths,
  reversedRelation,
  widePaths,
  type FollowedPath,
  type FollowedRelation,
  type PathEnds,
  type PathSearch,
} from '../../../shared/query/relation-paths'
import { invalidPlan, queryTooComplex, unknownField } from './plan-errors'
import type { ExistsFilter } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import { relationKeyPairs, type Relation } from '../../../shared/relations'
import type { CatalogueDataset } from '../../contract'

export type RelationEdge = FollowedRelation
type RelationEdgeEnd = RelationEdge['from']
/** A relation that no plan may use: it waits for a person, or its keys are not unique any more. */
export interface UnusedRelation extends RelationEdge {
  state: 'proposed' | 'broken'
}
export type RelationPath = FollowedPath

/** What paths are looked for in, and how its things are called in refusals. */
export interface RelationGraph {
  edges: readonly RelationEdge[]
  /** What may only be named in refusals. */
  unused?: readonly UnusedRelation[] | undefined
  datasetName(id: string): string
  columnLabel(end: RelationEdgeEnd): string
}

/** The only shortest way. @throws ProductError `invalid_input` when there is none, or several that nobody chose from */
function uniquePath(graph: RelationGraph, ends: PathEnds, at: string, search = shortestPaths): RelationPath {
  const [path, second, ...more] = search(graph.edges, ends)
  if (!path) throw invalidPlan(at, describeMissingLink(graph, ends))
  if (!second) return path
  const [from, to] = [graph.datasetName(ends.from), graph.datasetName(ends.to)]
  const ways = [path, second, ...more].map((way) => describePath(graph, way))
  throw invalidPlan(at, `Several relationships from ${from} to ${to}. Choose one: ${ways.join('; ')}.`)
}

/** "Customer of Orders → Customers": the end that points, and what it points at. */
const describeEdge = (graph: RelationGraph, edge: RelationEdge): string =>
  `${keyLabel(graph, edge)} of ${graph.datasetName(edge.from.dataset)} → ${graph.datasetName(edge.to.dataset)}`

/** What the end that points is called: its column, or "Company + Account" of several. */
export const keyLabel = (graph: Pick<RelationGraph, 'columnLabel'>, edge: RelationEdge): string =>
  keyPairsOf(edge)
    .map(({ from: key }) => graph.columnLabel({ dataset: edge.from.dataset, key }))
    .join(' + ')

/** Longer than any way can be: every relation once. */
const anyWay = (edges: readonly RelationEdge[], ends: PathEnds) => pathsAlong(edges, ends, edges.length)[0]
const inBothDirections = (edges: readonly RelationEdge[]): RelationEdge[] => [...edges, ...edges.map(reversedRelation)]

/**
 * Why no relations lead from one dataset to another: the way is too long, a relation on it has several rows at the end
 * that is asked for, one waits for a person or is broken, or the two have no relation at all.
 */
function describeMissingLink(graph: RelationGraph, ends: PathEnds): string {
  const [from, to] = [graph.datasetName(ends.from), graph.datasetName(ends.to)]
  const followed = followedEdges(graph.edges)
  const long = anyWay(followed, ends)
  if (long) return `${to} is ${long.length} relationships from ${from}. At most ${HOPS_MAX} can be followed.`
  const none = `No confirmed relationship from ${from} to ${to}.`
  const blocked = firstOutside(anyWay(inBothDirections(graph.edges), ends), followed)
  if (blocked) {
    const [one, many] = [graph.datasetName(blocked.from.dataset), graph.datasetName(blocked.to.dataset)]
    const name = describeEdge(graph, reversedRelation(blocked))
    return `${none} ${name} isn’t one-to-one: a row of ${one} may have several rows of ${many}. Query them separately.`
  }
  const { unused = [] } = graph
  const missing = firstOutside(
    anyWay(inBothDirections([...graph.edges, ...unused]), ends),
    inBothDirections(graph.edges),
  )
  const known = unused.find(({ id }) => id === missing?.id)
  if (!known) return `${none} Confirm one, or query them separately.`
  if (known.state === 'proposed') return `${none} Confirm ${describeEdge(graph, known)}.`
  return `${none} ${describeEdge(graph, known)} is broken: keys of ${graph.datasetName(known.to.dataset)} are in several rows.`
}

/** The first relation of a way that is not among those that may be followed. */
const firstOutside = (
  path: readonly RelationEdge[] | undefined,
  followed: readonly RelationEdge[],
): RelationEdge | undefined =>
  path?.find(({ id, from }) => !followed.some((edge) => edge.id === id && edge.from.dataset === from.dataset))

/** "Support rep of Customers → Employees". */
const describePath = (graph: RelationGraph, path: RelationPath): string =>
  path.map((edge) => `${describeEdge(graph, edge)} (${edge.id})`).join(', ')

/**
 * The relations that a field names, each in the direction that leads on to the field; null when they do not lead there.
 * A relation that leads there from the many to the one is not turned round.
 */
export function chosenEdges(graph: Pick<RelationGraph, 'edges'>, { dataset, via = [] }: Field): RelationEdge[] | null {
  const path: RelationEdge[] = []
  let here = dataset
  for (const id of via.toReversed()) {
    const edge = graph.edges.find((each) => each.id === id)
    const along = edge && directed(edge, (each) => each.to.dataset === here)
    if (!along) return null
    path.unshift(along)
    here = along.from.dataset
  }
  return path
}
function directed(edge: RelationEdge, fits: (edge: RelationEdge) => boolean): RelationEdge | null {
  if (fits(edge)) return edge
  const back = reversedRelation(edge)
  return isReversible(edge) && fits(back) ? back : null
}

/**
 * The relations to follow from the rows of a dataset to a field: those the field names, else the only shortest way.
 * @throws ProductError `unknown_field` when it names relations that do not lead there, `invalid_input` as above
 */
export function pathToField(graph: RelationGraph, from: string, ask: { field: Field; at: string }): RelationPath {
  const { field, at } = ask
  const chosen = chosenEdges(graph, field)
  if (!chosen) throw unknownField(field)
  const [first] = chosen
  if (!first) return uniquePath(graph, { from, to: field.dataset, least: 0 }, at)
  const path = [...uniquePath(graph, { from, to: first.from.dataset, least: 0 }, at), ...chosen]
  if (path.length > HOPS_MAX) throw queryTooComplex('relationships in a row', HOPS_MAX)
  return path
}

/**
 * How rows of the dataset asked for are matched with the rows that are asked about: `inner` leads from those rows to
 * the dataset where both meet, `outer` from the rows asked about. Usually `outer` is empty: orders of this customer.
 */
export interface ExistsJoin {
  inner: RelationPath
  outer: RelationPath
}

/** @throws ProductError `unknown_field` for a relation that does not start there, `invalid_input` when nothing leads here */
export function existsJoinOf(
  graph: RelationGraph,
  here: string,
  ask: { filter: ExistsFilter; at: string },
): ExistsJoin {
  const { filter, at } = ask
  const first = filter.relation === undefined ? [] : [relationOf(graph, filter, filter.relation)]
  const start = first[0]?.to.dataset ?? filter.dataset
  const least = first.length === 0 ? 1 : 0
  for (const search of [forwardPaths, widePaths]) {
    const shared = meetingOf(graph, { here, start, least }, search)
    if (shared === null) continue
    const inner = uniquePath(graph, { from: start, to: shared, least }, at, search)
    const outer = shared === here ? [] : uniquePath(graph, { from: here, to: shared, least: 0 }, at, search)
    return { inner: [...first, ...inner], outer }
  }
  throw invalidPlan(at, describeMissingLink(graph, { from: start, to: here, least }))
}

function relationOf(graph: RelationGraph, { dataset }: ExistsFilter, id: string): RelationEdge {
  const edge = graph.edges.find((each) => each.id === id)
  const found = edge && directed(edge, ({ from }) => from.dataset === dataset)
  if (!found) throw unknownField({ dataset, column: edge?.from.key ?? 'c0' })
  return found
}

/** Where both meet: here, or the nearest dataset that both point at, as orders and tickets do at their customer. */
function meetingOf(
  graph: RelationGraph,
  { here, start, least }: { here: string; start: string; least: 0 | 1 },
  search: PathSearch,
): string | null {
  if (search(graph.edges, { from: start, to: here, least }).length > 0) return here
  // The relation that is named leads to where both meet.
  if (least === 0) return search(graph.edges, { from: here, to: start, least: 0 }).length > 0 ? start : null
  const datasets = [...new Set(followedEdges(graph.edges).map((edge) => edge.to.dataset))]
  const far = datasets.flatMap((dataset) => {
    const [own] = search(graph.edges, { from: here, to: dataset, least: 1 })
    const [theirs] = search(graph.edges, { from: start, to: dataset, least: 1 })
    return own && theirs ? [{ dataset, hops: own.length + theirs.length }] : []
  })
  const [nearest] = far.toSorted((a, b) => a.hops - b.hops)
  return nearest?.dataset ?? null
}

/** The relations that plans may use. */
export const confirmedEdges = (relations: readonly Relation[]): RelationEdge[] =>
  relations
    .filter(({ state }) => state === 'confirmed')
    .map((relation) => ({ ...edgeOf(relation), ...(relation.proof.oneToOne === true ? { oneToOne: true } : {}) }))
/** Those that wait for a person, and those whose keys are no longer unique. */
export const unusedRelations = (relations: readonly Relation[]): UnusedRelation[] =>
  relations.flatMap((relation) => {
    const { state } = relation
    return state === 'proposed' || state === 'broken' ? [{ ...edgeOf(relation), state }] : []
  })
/** A relation as paths are looked for along it; whether it is one-to-one is said beside. */
export const edgeOf = ({ id, from, to, further }: Pick<Relation, 'id' | 'from' | 'to' | 'further'>): RelationEdge => ({
  id,
  from: { dataset: from.datasetId, key: from.key },
  to: { dataset: to.datasetId, key: to.key },
  ...(further ? { further: further.map((pair) => ({ from: pair.from.key, to: pair.to.key })) } : {}),
})

/** Relations between datasets, with names for sentences. */
export const relationGraph = (catalogue: {
  edges: RelationGraph['edges']
  unused?: RelationGraph['unused'] | undefined
  find(datasetId: string): Pick<CatalogueDataset, 'name' | 'columns'> | null
}): RelationGraph => ({
  get edges() {
    return catalogue.edges
  },
  get unused() {
    return catalogue.unused
  },
  datasetName: (id) => catalogue.find(id)?.name ?? 'other data',
  columnLabel: ({ dataset, key }) =>
    catalogue.find(dataset)?.columns.find((column) => column.key === key)?.label ?? 'a column',
})

/** The same of relations as they are told to features. */
export const graphOfRelations = (
  relations: readonly Relation[],
  find: (datasetId: string) => Pick<CatalogueDataset, 'name' | 'columns'> | null,
): RelationGraph => {
  const ends = relations.flatMap((relation) =>
    (['from', 'to'] as const).flatMap((side) =>
      relationKeyPairs(relation).map((pair) => ({ ...relation[side], ...pair[side] })),
    ),
  )
  const own = relationGraph({ edges: confirmedEdges(relations), unused: unusedRelations(relations), find })
  return {
    ...own,
    datasetName: (id) => find(id)?.name ?? ends.find((end) => end.datasetId === id)?.datasetName ?? own.datasetName(id),
    columnLabel: (at) =>
      find(at.dataset) === null
        ? (ends.find((end) => end.datasetId === at.dataset && end.key === at.key)?.label ?? own.columnLabel(at))
        : own.columnLabel(at),
  }
}
