import { pathToField, type RelationEdge, type RelationGraph, type RelationPath } from '../plan/relation-graph'
import { int, name, sql, type Sql, type RowNumber } from './sql'
import type { OffsetSegment } from '../time/zone-offsets'
import { FIRST_DAY, LAST_DAY, DAY_MS, type Calendar } from '../../../shared/dates'
import { unknownField } from '../plan/plan-errors'
import type { ScopeWire } from '../../../identity/scope'
import type { ColumnFormat, ColumnKey } from '../../../shared/data-sources/files'
import type { CurrencyMode, Field } from '../../../shared/query/plan'
import type { Column } from '../../../shared/data-sources/data-sources'
import { physicalTables, type LiveDataset, type PhysicalDataset } from '../../physical-layout'
import type { AmountCurrency } from '../../../shared/currencies'
import type { StoredRateSet } from '../../rate-store'
import type { GroupingFallback, GroupNode } from '../../../shared/groupings/groupings'

/** A grouping as the compiler sees columns through it: maps stand ready for all that the plan names. */
export interface GroupingView {
  id: string
  version: number
  name: string
  fallback: GroupingFallback
  /** Every group of every period; its place is its number in maps. */
  groups: readonly GroupNode[]
  numbers: ReadonlyMap<string, number>
  /** First day of each period; null: from the beginning. */
  eras: readonly { from: number | null; groups: readonly GroupNode[] }[]
  /** The period of today. */
  current: number
  map(at: { dataset: string; column: ColumnKey; era: number }): { n: number; kind: 'values' | 'ranges' } | null
}

/** What compiling one plan works with, whatever dataset it starts from. */
export interface CompileContext {
  scope: ScopeWire
  calendar: Calendar
  graph: RelationGraph
  /** As the asker sees it, computed columns with the type they come out as. Null when it does not exist for the asker. */
  find(datasetId: string): LiveDataset | null
  /** The rows of a source, ready to be filtered: rows lie behind this alone. */
  from(querySource: QuerySource): Sql
  /** What amounts are in, and what brings them to one currency. Absent within rows: there they are as they lie. */
  money?: MoneyConversion | undefined
  /** What columns are seen through; absent where a plan is none of a person's. */
  groupings?: ((id: string) => GroupingView | null) | undefined
  /** The column of the plan's period. */
  periodField?: Field | undefined
  /** Offsets of the calendar's zone over the instants of a zoned column that matter to the plan. */
  segments(
    data: { dataset: LiveDataset; physical: PhysicalDataset },
    at: ZonedColumn,
    /** Where to look its instants up; absent: in the rows. */
    found?: () => number[],
  ): OffsetSegment[]
}
/** How a question sees money; null: the column holds none, or is as it lies. */
export interface MoneyConversion {
  format(column: SourceColumn): ColumnFormat | null
  /** What each row's amount is multiplied by. */
  factor(querySource: QuerySource, column: SourceColumn): RowNumber | null
  /** By which rates a column's amounts are converted; null where they are not. Absent where nothing is. */
  rates?(column: SourceColumn): AppliedRates | null
  /** The same for measures that are converted in a way of their own. Absent where nothing is converted. */
  by?(mode: CurrencyMode): MoneyConversion
}
/** How amounts are brought to one currency. */
export interface AppliedRates {
  /** What each amount is in. */
  money: AmountCurrency
  /** What it becomes. */
  code: string
  rates: StoredRateSet
}
interface ZonedColumn {
  key: ColumnKey
  /** Whether its rows are those of the plan's period only. */
  ofPeriod: boolean
}

/** Rows of one dataset within a question: those asked about, or those that relations lead to from there. */
export interface JoinNode {
  /** 0 for the rows asked about; its columns are named `c7`, those of joined nodes `j1_7`. */
  alias: number
  dataset: LiveDataset
  physical: PhysicalDataset
  /** Columns that were named: only these are selected. */
  used: Set<ColumnKey>
  /** Zoned columns whose wall clock was asked for: worked out once, under a name of its own. */
  walls: Set<ColumnKey>
  /** How it is joined; null for the rows asked about. */
  link: { edge: RelationEdge; parent: JoinNode } | null
  /** The column of the plan's period, when it is one of these. */
  periodKey: ColumnKey | null
}

/** A column and the rows it is of. */
export interface SourceColumn extends Column {
  node: JoinNode
  /** What is looked at in place of the stored value: a part of it. */
  piece?: Sql
}

/** Keys of unlike types are compared as text. */
export const keySql = (column: SourceColumn, other: Pick<Column, 'type'>): Sql =>
  column.type === other.type || column.type === 'text' ? refOf(column) : sql`CAST(${refOf(column)} AS TEXT)`

/** The rows asked about, and what was joined to them so far. */
export interface QuerySource {
  world: CompileContext
  calendar: Calendar
  root: JoinNode
  /** Joined nodes by the ids of the relations that lead there, parents first. */
  nodes: Map<string, JoinNode>
  /** Inside a computed column: others are worked out in place, as none has a name yet. */
  inline: boolean
}

export const nodeOf = (dataset: LiveDataset, at: Pick<JoinNode, 'alias' | 'link'>): JoinNode => ({
  ...at,
  dataset,
  physical: physicalTables(dataset),
  used: new Set(),
  walls: new Set(),
  periodKey: null,
})

/** @throws ProductError `unknown_field` for a dataset that does not exist for the asker: the check names it before */
export function sourceOf(context: CompileContext, datasetId: string): QuerySource {
  const dataset = context.find(datasetId)
  if (!dataset) throw unknownField({ dataset: datasetId, column: 'c0' })
  return {
    world: context,
    calendar: context.calendar,
    root: nodeOf(dataset, { alias: 0, link: null }),
    nodes: new Map(),
    inline: false,
  }
}

/** The same rows seen from within: no relation leads out, and columns have their plain names. */
export function localSource({ world, calendar }: QuerySource, joinNode: JoinNode, inline: boolean): QuerySource {
  const { graph } = world
  const names: Omit<RelationGraph, 'edges'> = {
    datasetName: (id) => graph.datasetName(id),
    columnLabel: (end) => graph.columnLabel(end),
  }
  const alone: CompileContext = { ...world, graph: { ...names, edges: [] }, money: undefined }
  return { world: alone, calendar, root: { ...joinNode, alias: 0 }, nodes: new Map(), inline }
}

/** The rows that a path leads to, joined if they were not yet. */
export function nodeAt(querySource: QuerySource, path: RelationPath): JoinNode {
  let node = querySource.root
  let key = ''
  for (const edge of path) {
    key = `${key} ${edge.id}`
    const known = querySource.nodes.get(key)
    const parent = node
    node = known ?? joined(querySource, { edge, parent })
    querySource.nodes.set(key, node)
  }
  return node
}
function joined(querySource: QuerySource, link: { edge: RelationEdge; parent: JoinNode }): JoinNode {
  const { dataset: id, key } = link.edge.to
  const dataset = querySource.world.find(id)
  if (!dataset) throw unknownField({ dataset: id, column: key })
  link.parent.used.add(link.edge.from.key)
  const node = nodeOf(dataset, { alias: querySource.nodes.size + 1, link })
  node.used.add(key)
  return node
}

/** @throws ProductError `unknown_field` for a column that does not exist or is hidden for the asker */
export function columnOf(querySource: QuerySource, field: Field): SourceColumn {
  const path = pathToField(querySource.world.graph, querySource.root.dataset.id, { field, at: 'dataset' })
  return columnAt(nodeAt(querySource, path), field.column)
}
export function columnAt(joinNode: JoinNode, key: ColumnKey): SourceColumn {
  const column = joinNode.dataset.columns.find((each) => each.key === key)
  const lies = joinNode.physical.columns.has(key) || column?.computed !== undefined
  if (!column || !lies) throw unknownField({ dataset: joinNode.dataset.id, column: key })
  return { ...column, node: joinNode }
}

/** Every node whose rows a source reads, the rows asked about first. */
const nodesOf = (querySource: QuerySource): JoinNode[] => [querySource.root, ...querySource.nodes.values()]
export const usedColumns = (querySource: QuerySource): number =>
  nodesOf(querySource).reduce((total, { used, walls }) => total + used.size + walls.size, querySource.nodes.size)

/** The name of a column outside its node. */
export const refName = ({ alias }: Pick<JoinNode, 'alias'>, key: ColumnKey): Sql =>
  name(alias === 0 ? key : `j${alias}_${key.slice(1)}`)
export const wallName = ({ alias }: Pick<JoinNode, 'alias'>, key: ColumnKey): Sql =>
  name(alias === 0 ? `l${key.slice(1)}` : `jl${alias}_${key.slice(1)}`)

/** The stored value of a column. */
export function refOf({ node, key, piece }: Pick<SourceColumn, 'node' | 'key' | 'piece'>): Sql {
  if (piece) return piece
  node.used.add(key)
  return refName(node, key)
}

/** A datetime as wall-clock milliseconds of the calendar's zone (of its own wall when it is not zoned). */
export function wallOf(column: SourceColumn): Sql {
  const ref = refOf(column)
  if (column.zoned !== true) return ref
  column.node.walls.add(column.key)
  return wallName(column.node, column.key)
}

// SQLite divides towards zero: a shift to positive numbers makes it floor.
const SHIFT_DAYS = 800_000
export const floorDiv = (value: Sql, by: number): Sql =>
  sql`((${value} + ${int(SHIFT_DAYS * DAY_MS)}) / ${int(by)} - ${int((SHIFT_DAYS * DAY_MS) / by)})`

/** The local day number of a date or datetime; a wall clock past the year 9999 or before 1 counts to the end day. */
export function dayNumberOf(column: SourceColumn): Sql {
  if (column.type === 'date') return refOf(column)
  const number = floorDiv(wallOf(column), DAY_MS)
  const { min, max } = column.node.dataset.bounds[column.key] ?? { min: null, max: null }
  const inside = (min ?? -Infinity) > (FIRST_DAY + 2) * DAY_MS && (max ?? Infinity) < (LAST_DAY - 2) * DAY_MS
  if (column.zoned !== true || inside) return number
  return sql`max(${int(FIRST_DAY)}, min(${int(LAST_DAY)}, ${number}))`
}
