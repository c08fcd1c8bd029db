import { invalidPlan, queryTooComplex, unknownField } from './plan-errors'
import type { ExistsFilter, Field } from '../../../shared/query/plan'
import type { Relation } from '../../../shared/relations'
import type { CatalogueDataset } from '../../contract'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** A usable relation: every row of `from` points at one row of `to` at most. */
export interface RelationEdge {
  id: string
  from: RelationEdgeEnd
  to: RelationEdgeEnd
}
interface RelationEdgeEnd {
  dataset: string
  key: ColumnKey
}
/** Relations in a row, each from the many to the one. */
export type RelationPath = readonly RelationEdge[]

/** What paths are looked for in, and how its things are called in refusals. */
export interface RelationGraph {
  edges: readonly RelationEdge[]
  datasetName(id: string): string
  columnLabel(end: RelationEdgeEnd): string
}

const HOPS_MAX = 4
/** So many of several equally short ways are named. */
const PATHS_LISTED_MAX = 4

/**
 * The shortest ways of at least `least` relations from one dataset to another; empty when there is none of at most
 * {@link HOPS_MAX}. At most {@link PATHS_LISTED_MAX} are listed: more than one is a question to the person anyway.
 */
export function shortestPaths(
  graph: Pick<RelationGraph, 'edges'>,
  ends: { from: string; to: string; least: 0 | 1 },
): RelationPath[] {
  const { from, to, least } = ends
  if (least === 0 && from === to) return [[]]
  const ways = new Map<string, RelationPath[]>([[from, [[]]]])
  let level = [from]
  for (let hops = 1; hops <= HOPS_MAX && level.length > 0; hops += 1) {
    const found: RelationPath[] = []
    const next = new Map<string, RelationPath[]>()
    for (const edge of graph.edges) {
      if (!level.includes(edge.from.dataset)) continue
      const longer = (ways.get(edge.from.dataset) ?? []).map((path) => [...path, edge])
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

/** The only shortest way. @throws ProductError `invalid_input` when there is none, or several that nobody chose from */
function uniquePath(graph: RelationGraph, ends: { from: string; to: string; least: 0 | 1 }, at: string): RelationPath {
  const [path, second, ...more] = shortestPaths(graph, ends)
  const [from, to] = [graph.datasetName(ends.from), graph.datasetName(ends.to)]
  if (!path)
    throw invalidPlan(at, `No confirmed relationship from ${from} to ${to}. Confirm one, or query them separately.`)
  if (!second) return path
  const ways = [path, second, ...more].map((way) => describePath(graph, way))
  throw invalidPlan(at, `Several relationships from ${from} to ${to}. Choose one: ${ways.join('; ')}.`)
}

/** "Support rep of Customers → Employees". */
const describePath = (graph: RelationGraph, path: RelationPath): string =>
  path
    .map(
      ({ id, from, to }) =>
        `${graph.columnLabel(from)} of ${graph.datasetName(from.dataset)} → ${graph.datasetName(to.dataset)} (${id})`,
    )
    .join(', ')

/**
 * The relations to follow from the rows of a dataset to a field: those the field names, else the only shortest way.
 * @throws ProductError `unknown_field` when it names relations that do not lead there, `invalid_input` as above
 */
export function pathToField(graph: RelationGraph, from: string, ask: { field: Field; at: string }): RelationPath {
  const { field, at } = ask
  const chosen = (field.via ?? []).map((id) => graph.edges.find((edge) => edge.id === id))
  const [first] = chosen
  if (!first) {
    if (chosen.length > 0) throw unknownField(field)
    return uniquePath(graph, { from, to: field.dataset, least: 0 }, at)
  }
  const start = uniquePath(graph, { from, to: first.from.dataset, least: 0 }, at)
  const path: RelationEdge[] = [...start]
  let here = first.from.dataset
  for (const edge of chosen) {
    if (!edge || edge.from.dataset !== here) throw unknownField(field)
    path.push(edge)
    here = edge.to.dataset
  }
  if (here !== field.dataset) throw unknownField(field)
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
  if (filter.relation !== undefined) {
    const edge = graph.edges.find(({ id }) => id === filter.relation)
    if (!edge || edge.from.dataset !== filter.dataset)
      throw unknownField({ dataset: filter.dataset, column: edge?.from.key ?? 'c0' })
    const [up] = shortestPaths(graph, { from: edge.to.dataset, to: here, least: 0 })
    if (up)
      return {
        inner: [edge, ...uniquePath(graph, { from: edge.to.dataset, to: here, least: 0 }, at)],
        outer: [],
      }
    return { inner: [edge], outer: uniquePath(graph, { from: here, to: edge.to.dataset, least: 0 }, at) }
  }
  const direct = { from: filter.dataset, to: here, least: 1 } as const
  if (shortestPaths(graph, direct).length > 0) return { inner: uniquePath(graph, direct, at), outer: [] }
  const shared = nearestSharedDataset(graph, here, filter.dataset)
  if (shared === null) return { inner: uniquePath(graph, direct, at), outer: [] }
  return {
    inner: uniquePath(graph, { from: filter.dataset, to: shared, least: 1 }, at),
    outer: uniquePath(graph, { from: here, to: shared, least: 0 }, at),
  }
}

/** The nearest dataset that both point at: orders and tickets meet at their customer. */
function nearestSharedDataset(graph: RelationGraph, here: string, other: string): string | null {
  const datasets = [...new Set(graph.edges.map((edge) => edge.to.dataset))]
  const far = datasets.flatMap((dataset) => {
    const [own] = shortestPaths(graph, { from: here, to: dataset, least: 1 })
    const [theirs] = shortestPaths(graph, { from: other, to: dataset, least: 1 })
    return own && theirs ? [{ dataset, hops: own.length + theirs.length }] : []
  })
  const [nearest] = far.toSorted((a, b) => a.hops - b.hops)
  return nearest?.dataset ?? null
}

/** The relations that plans may use. */
export const confirmedEdges = (relations: readonly Relation[]): RelationEdge[] =>
  relations
    .filter(({ state }) => state === 'confirmed')
    .map(({ id, from, to }) => ({
      id,
      from: { dataset: from.datasetId, key: from.key },
      to: { dataset: to.datasetId, key: to.key },
    }))

/** Relations between datasets, with names for sentences. */
export const relationGraph = (catalogue: {
  edges: RelationGraph['edges']
  find(datasetId: string): Pick<CatalogueDataset, 'name' | 'columns'> | null
}): RelationGraph => ({
  get edges() {
    return catalogue.edges
  },
  datasetName: (id) => catalogue.find(id)?.name ?? 'other data',
  columnLabel: ({ dataset, key }) =>
    catalogue.find(dataset)?.columns.find((column) => column.key === key)?.label ?? 'a column',
})
