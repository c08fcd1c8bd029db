import { invalid, tooComplex, unknownField } from './refuse'
import type { ExistsFilter, Field } from '../../shared/query'
import type { ColumnKey } from '../../shared/sources'

/** A usable relation: every row of `from` points at one row of `to` at most. */
export interface Edge {
  id: string
  from: EdgeEnd
  to: EdgeEnd
}
export interface EdgeEnd {
  dataset: string
  key: ColumnKey
}
/** Relations in a row, each from the many to the one. */
export type Path = readonly Edge[]

/** What paths are looked for in, and how its things are called in refusals. */
export interface Graph {
  edges: readonly Edge[]
  datasetName(id: string): string
  columnLabel(end: EdgeEnd): string
}

export const HOPS_MAX = 4
/** So many of several equally short ways are named. */
const NAMED_MAX = 4

/**
 * The shortest ways of at least `least` relations from one dataset to another; empty when there is none of at most
 * {@link HOPS_MAX}. At most {@link NAMED_MAX} are listed: more than one is a question to the person anyway.
 */
export function shortestPaths(graph: Pick<Graph, 'edges'>, ends: { from: string; to: string; least: 0 | 1 }): Path[] {
  const { from, to, least } = ends
  if (least === 0 && from === to) return [[]]
  const ways = new Map<string, Path[]>([[from, [[]]]])
  let level = [from]
  for (let hops = 1; hops <= HOPS_MAX && level.length > 0; hops += 1) {
    const found: Path[] = []
    const next = new Map<string, Path[]>()
    for (const edge of graph.edges) {
      if (!level.includes(edge.from.dataset)) continue
      const longer = (ways.get(edge.from.dataset) ?? []).map((path) => [...path, edge])
      if (edge.to.dataset === to) found.push(...longer)
      if (ways.has(edge.to.dataset)) continue
      next.set(edge.to.dataset, [...(next.get(edge.to.dataset) ?? []), ...longer].slice(0, NAMED_MAX))
    }
    if (found.length > 0) return found.slice(0, NAMED_MAX)
    for (const [dataset, paths] of next) ways.set(dataset, paths)
    level = [...next.keys()]
  }
  return []
}

/** The only shortest way. @throws ProductError `invalid_input` when there is none, or several that nobody chose from */
function onlyPath(graph: Graph, ends: { from: string; to: string; least: 0 | 1 }, at: string): Path {
  const [path, second, ...more] = shortestPaths(graph, ends)
  const [from, to] = [graph.datasetName(ends.from), graph.datasetName(ends.to)]
  if (!path) throw invalid(at, `No confirmed relation leads from ${from} to ${to}. Confirm one, or ask them apart.`)
  if (!second) return path
  const ways = [path, second, ...more].map((way) => pathWords(graph, way))
  throw invalid(at, `Several relations lead from ${from} to ${to}. Choose one: ${ways.join('; ')}.`)
}

/** "Support rep of Customers → Employees". */
const pathWords = (graph: Graph, path: Path): string =>
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
export function pathTo(graph: Graph, from: string, ask: { field: Field; at: string }): Path {
  const { field, at } = ask
  const chosen = (field.via ?? []).map((id) => graph.edges.find((edge) => edge.id === id))
  const [first] = chosen
  if (!first) {
    if (chosen.length > 0) throw unknownField(field)
    return onlyPath(graph, { from, to: field.dataset, least: 0 }, at)
  }
  const start = onlyPath(graph, { from, to: first.from.dataset, least: 0 }, at)
  const path: Edge[] = [...start]
  let here = first.from.dataset
  for (const edge of chosen) {
    if (!edge || edge.from.dataset !== here) throw unknownField(field)
    path.push(edge)
    here = edge.to.dataset
  }
  if (here !== field.dataset) throw unknownField(field)
  if (path.length > HOPS_MAX) throw tooComplex('relations in a row', HOPS_MAX)
  return path
}

/**
 * How rows of the dataset asked for are matched with the rows that are asked about: `inner` leads from those rows to
 * the dataset where both meet, `outer` from the rows asked about. Usually `outer` is empty: orders of this customer.
 */
export interface Meeting {
  inner: Path
  outer: Path
}

/** @throws ProductError `unknown_field` for a relation that does not start there, `invalid_input` when nothing leads here */
export function meetingOf(graph: Graph, here: string, ask: { filter: ExistsFilter; at: string }): Meeting {
  const { filter, at } = ask
  if (filter.relation !== undefined) {
    const edge = graph.edges.find(({ id }) => id === filter.relation)
    if (!edge || edge.from.dataset !== filter.dataset)
      throw unknownField({ dataset: filter.dataset, column: edge?.from.key ?? 'c0' })
    const [up] = shortestPaths(graph, { from: edge.to.dataset, to: here, least: 0 })
    if (up) return { inner: [edge, ...onlyPath(graph, { from: edge.to.dataset, to: here, least: 0 }, at)], outer: [] }
    return { inner: [edge], outer: onlyPath(graph, { from: here, to: edge.to.dataset, least: 0 }, at) }
  }
  const direct = { from: filter.dataset, to: here, least: 1 } as const
  if (shortestPaths(graph, direct).length > 0) return { inner: onlyPath(graph, direct, at), outer: [] }
  const shared = nearestShared(graph, here, filter.dataset)
  if (shared === null) return { inner: onlyPath(graph, direct, at), outer: [] }
  return {
    inner: onlyPath(graph, { from: filter.dataset, to: shared, least: 1 }, at),
    outer: onlyPath(graph, { from: here, to: shared, least: 0 }, at),
  }
}

/** The nearest dataset that both point at: orders and tickets meet at their customer. */
function nearestShared(graph: Graph, here: string, other: string): string | null {
  const datasets = [...new Set(graph.edges.map((edge) => edge.to.dataset))]
  const far = datasets.flatMap((dataset) => {
    const [own] = shortestPaths(graph, { from: here, to: dataset, least: 1 })
    const [theirs] = shortestPaths(graph, { from: other, to: dataset, least: 1 })
    return own && theirs ? [{ dataset, hops: own.length + theirs.length }] : []
  })
  const [nearest] = far.toSorted((a, b) => a.hops - b.hops)
  return nearest?.dataset ?? null
}
