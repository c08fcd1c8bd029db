import { ruledRows, filtersSql } from './conditions'
import { rendered, STATEMENT_CHARS_MAX } from './dialect'
import { periodSql } from './periods'
import { readRows, type ForeignDatabase, type ForeignRow } from './foreign-database'
import { aliases, ForeignRows, tableName, type Compilation } from './foreign-rows'
import { leafColumns, type FoldedValue, type LeafColumns } from './leaf-columns'
import { MARKED_MAX, spellingsAmong, SPELLINGS_MAX, WantsSpellings, type Spellings } from './imported-texts'
import { notLive } from './refusals'
import { allOf, listed, sql, written, type Sql, type Statement } from './sql'
import { topNKey, splitKey, type TopNKey } from './splits'
import { WantsCells } from './wall-clocks'
import type { FoldedFact, FoldedLeaf } from '../columns/folds/fact-folds'
import type { FoldedValues } from '../columns/folds/fold'
import type { ComparisonSide, KeyValue } from '../columns/splits'
import { numberOf } from '../query/aggregates/amount'
import type { AggregateQuery } from '../query/aggregates/aggregate-query'
import type { PlanSplit } from '../query/aggregates/plan-splits'
import { queryTooComplex } from '../query/plan/plan-errors'
import type { PlanContext } from '../query/query-context'
import { CELL_MS } from '../query/time/zone-offsets'
import type { QuerySteps } from '../scheduling/query-scheduler'
import type { AggregateMeasure } from '../../shared/query/plan'

/** Groups that are read at a time. */
export const FOREIGN_GROUPS_MAX = 100_000
/** Years in which a column may have moments. */
const CELLS_MAX = 12_000

/** What is asked of the rows of one fact. */
export interface FoldRequest {
  planContext: PlanContext
  database: ForeignDatabase
  question: Pick<AggregateQuery, 'plan' | 'period'>
  fact: string
  splits: readonly PlanSplit[]
  /** What each top-N keeps; null where there is none. */
  tops: readonly (ReadonlySet<KeyValue> | null)[]
  leaves: readonly AggregateMeasure[]
}

/** Adds up the rows of a fact where they lie: one statement for the period, one for what it is compared with. */
export function* foldForeign(request: FoldRequest): QuerySteps<FoldedFact> {
  const { period } = request.question
  const sides: ComparisonSide[] = period?.compare ? [0, 1] : [0]
  const folded = new FoldedGroups(request)
  for (const side of sides) {
    const made = yield* compiled(request, (compilation) => groupStatement(request, compilation, side))
    const rows = yield* readRows(request.database, made.statement, FOREIGN_GROUPS_MAX + 1)
    if (rows.length > FOREIGN_GROUPS_MAX) throw queryTooComplex('groups', FOREIGN_GROUPS_MAX)
    folded.add(side, made, rows)
    yield
  }
  return folded.result(sides.length)
}

/** Puts statements together; what they have to know of the rows beforehand is looked up. */
export function* compiled<T>(
  { database, planContext }: Pick<FoldRequest, 'database' | 'planContext'>,
  make: (compilation: Compilation) => T,
): QuerySteps<T> {
  const cells = new Map<string, number[]>()
  const spellings = new Map<string, Spellings>()
  const idOf = ({ dataset, key }: Pick<WantsCells, 'dataset' | 'key'>): string => `${dataset} ${key}`
  for (;;)
    try {
      const compilation: Compilation = {
        database,
        alias: aliases(),
        cells: (dataset, key) => cells.get(idOf({ dataset, key })) ?? null,
        spellings: (dataset, key) => spellings.get(idOf({ dataset, key })) ?? null,
        ruled: (own, datasetId) => ruledRows(own, compilation, datasetId),
      }
      return make(compilation)
    } catch (error) {
      if (error instanceof WantsCells && !cells.has(idOf(error)))
        cells.set(idOf(error), yield* cellsOf(database, error))
      else if (error instanceof WantsSpellings && !spellings.has(idOf(error)))
        spellings.set(idOf(error), yield* spellingsOf(database, planContext, error))
      else throw error
    }
}

/** What stands in a column, each value once. */
function* distinctOf(
  database: ForeignDatabase,
  { dataset, key }: Pick<WantsCells, 'dataset' | 'key'>,
  of: { shown: (cell: Sql) => Sql; where: (cell: Sql) => Sql; max: number },
): QuerySteps<string[]> {
  const table = database.table(dataset)
  const name = table?.columns[key]
  if (!table || name === undefined) return []
  const { dialect } = database
  const cell = sql`t.${dialect.quote(name)}`
  const found = sql`SELECT DISTINCT ${of.shown(cell)} FROM ${tableName(dialect, table)} AS t WHERE ${of.where(cell)} LIMIT ${of.max}`
  const rows = yield* readRows(database, rendered(dialect, found), of.max)
  return rows.flatMap(([value]) => value ?? [])
}
function* cellsOf(database: ForeignDatabase, wanted: WantsCells): QuerySteps<number[]> {
  const { dialect } = database
  const found = yield* distinctOf(database, wanted, {
    shown: (cell) => dialect.output(dialect.floorBy(dialect.momentCell(cell), CELL_MS), 'number'),
    where: (cell) => sql`${cell} IS NOT NULL`,
    max: CELLS_MAX,
  })
  return found.map(Number)
}
/** @throws ProductError `query_too_complex` where too many texts are not composed */
function* spellingsOf(
  database: ForeignDatabase,
  planContext: PlanContext,
  wanted: WantsSpellings,
): QuerySteps<Spellings> {
  const { dialect } = database
  const { uncomposed } = dialect
  if (!uncomposed) return new Map()
  const found = yield* distinctOf(database, wanted, {
    shown: (cell) => dialect.output(dialect.textCell(cell), 'text'),
    where: uncomposed,
    max: MARKED_MAX + 1,
  })
  const spellings = spellingsAmong(found)
  if (found.length <= MARKED_MAX && spellings.size <= SPELLINGS_MAX) return spellings
  const column = planContext.find(wanted.dataset)?.columns.find(({ key }) => key === wanted.key)
  throw notLive(`“${column?.label ?? ''}” holds letters with separate accents, which`)
}

/** @throws ProductError `query_too_complex` */
export function statementOf(database: ForeignDatabase, parts: Sql): Statement {
  const statement = rendered(database.dialect, parts)
  if (statement.text.length > STATEMENT_CHARS_MAX) throw queryTooComplex('terms', STATEMENT_CHARS_MAX)
  return statement
}

interface GroupStatement {
  statement: Statement
  keys: TopNKey[]
  leaves: { columns: LeafColumns; figures: number }[]
}

function groupStatement(request: FoldRequest, compilation: Compilation, side: ComparisonSide): GroupStatement {
  const { planContext, database, question, fact, splits, tops } = request
  const { dialect } = database
  const { plan, period } = question
  const rows = new ForeignRows(planContext, compilation, fact)
  const keys = splits.map((split, i) => topNKey(dialect, splitKey(rows, split, { side, period }), tops[i] ?? null))
  const leaves = request.leaves.map((measure) => leafColumns(rows, measure, plan))
  const range = side === 0 ? period?.range : period?.compare
  const conditions = [
    filtersSql(rows, plan.filters, 'filters'),
    ...(range && plan.period ? [periodSql(rows, plan.period.field, range)] : []),
    ...keys.flatMap(({ placed }) => (placed ? [placed] : [])),
  ]
  const names = new ColumnNames(keys, leaves)
  const inner = sql`SELECT ${listed([
    ...keys.map(({ key }, i) => sql`${key} AS ${names.key(i)}`),
    ...keys.flatMap(({ other }, i) => (other ? [sql`${other} AS ${names.other(i)}`] : [])),
    ...leaves.flatMap(({ rows: values }, i) => values.map((value, n) => sql`${value} AS ${names.value(i, n)}`)),
    sql`1 AS one`,
  ])} FROM ${rows.from()} WHERE ${allOf(conditions)}`
  const statement = statementOf(database, outerStatement(database, names, names.withPlaces(inner)))
  return {
    ...{ statement, keys },
    leaves: leaves.map((columns, i) => ({ columns, figures: names.figures(i).length })),
  }
}

/** What columns are called on the way from rows to groups. */
class ColumnNames {
  readonly keys: readonly TopNKey[]
  readonly leaves: readonly LeafColumns[]
  constructor(keys: readonly TopNKey[], leaves: readonly LeafColumns[]) {
    this.keys = keys
    this.leaves = leaves
  }
  key = (i: number): Sql => written(`k${i}`)
  other = (i: number): Sql => written(`o${i}`)
  value = (leaf: number, n: number): Sql => written(`v${leaf}_${n}`)
  place = (leaf: number, n: number): Sql => written(`n${leaf}_${n}`)

  /** What groups are told apart by. */
  groups(): Sql[] {
    return this.keys.flatMap(({ other }, i) => (other ? [this.key(i), this.other(i)] : [this.key(i)]))
  }
  figures(leaf: number): Sql[] {
    const columns = this.leaves[leaf]
    return (
      columns?.figures(
        (n) => this.value(leaf, n),
        (n) => this.place(leaf, n),
      ) ?? []
    )
  }
  withPlaces(inner: Sql): Sql {
    const places = this.leaves.flatMap((leaf, i) =>
      leaf.places((n) => this.value(i, n), this.groups()).map((place, n) => sql`${place} AS ${this.place(i, n)}`),
    )
    return places.length === 0 ? inner : sql`SELECT i.*, ${listed(places)} FROM (${inner}) AS i`
  }
}

function outerStatement({ dialect }: ForeignDatabase, names: ColumnNames, rows: Sql): Sql {
  const groups = names.groups()
  const shown = [
    ...names.keys.map(({ kind }, i) => dialect.output(names.key(i), kind)),
    ...names.keys.map(({ other }, i) => (other ? dialect.output(names.other(i), 'number') : sql`NULL`)),
    dialect.output(sql`COUNT(one)`, 'number'),
    ...names.leaves.flatMap((_, i) => names.figures(i)),
  ]
  const by = groups.length === 0 ? written('') : sql` GROUP BY ${listed(groups)}`
  return sql`SELECT ${listed(shown)} FROM (${rows}) AS q${by} LIMIT ${FOREIGN_GROUPS_MAX + 1}`
}

interface FoldedGroup {
  keys: KeyValue[]
  other: boolean[]
  /** By side, then by leaf. */
  values: (FoldedValue | null)[][]
  rows: number
}

/** Groups as they come back, those of both sides by their keys. */
class FoldedGroups {
  readonly #request: FoldRequest
  readonly #groups: FoldedGroup[] = []
  readonly #places = new Map<string, FoldedGroup>()
  #leaves: LeafColumns[] = []

  constructor(request: FoldRequest) {
    this.#request = request
    // Without splits there is one group, whatever comes back.
    if (request.splits.length === 0) this.#groupOf([], [])
  }

  #groupOf(keys: KeyValue[], other: boolean[]): FoldedGroup {
    const name = JSON.stringify([keys, other])
    const known = this.#places.get(name)
    if (known) return known
    const made: FoldedGroup = { keys, other, values: [], rows: 0 }
    this.#places.set(name, made)
    this.#groups.push(made)
    return made
  }

  add(side: ComparisonSide, { keys, leaves }: GroupStatement, rows: readonly ForeignRow[]): void {
    if (this.#leaves.length === 0) this.#leaves = leaves.map(({ columns }) => columns)
    const width = keys.length
    for (const row of rows) {
      const other = keys.map((key, i) => key.other !== null && row[width + i] === '1')
      const values = keys.map((key, i) => (other[i] === true ? null : key.valueOf(row[i] ?? null)))
      const group = this.#groupOf(values, other)
      group.rows += Number(row[2 * width] ?? 0)
      let at = 2 * width + 1
      group.values[side] = leaves.map(({ columns, figures }) => {
        const cells = row.slice(at, at + figures)
        at += figures
        return columns.read(cells)
      })
    }
  }

  /** Groups are numbered from 1 on. */
  result(sides: number): FoldedFact {
    const groups = this.#groups
    const at = (group: number): FoldedGroup | undefined => groups[group - 1]
    const { splits, leaves } = this.#request
    const folds = (leaf: number, side: number, { isCount, hasOrder }: LeafColumns): FoldedValues => ({
      ...(isCount ? { isCount: true as const } : {}),
      ...(hasOrder ? { order: (group: number) => at(group)?.values[side]?.[leaf]?.order ?? null } : {}),
      value: (group) => at(group)?.values[side]?.[leaf]?.amount ?? (isCount ? { n: 0n, scale: 0 } : null),
      has: (group) => (numberOf(at(group)?.values[side]?.[leaf]?.amount ?? null) ?? 0) !== 0,
    })
    const folded = leaves.map((measure, leaf): [AggregateMeasure, FoldedLeaf] => {
      const columns = this.#leaves[leaf]
      if (!columns) throw new TypeError('Every measure is in the statement.')
      const all = Array.from({ length: sides }, (_, side) => ({ groups: folds(leaf, side, columns), total: null }))
      return [measure, { traits: columns.traits, sides: all }]
    })
    return {
      splits: splits.map((_, i) => ({
        valueOf: (group) => at(group)?.keys[i] ?? null,
        isOther: (group) => at(group)?.other[i] === true,
      })),
      keys: { size: () => groups.length + 1, ordinalsOf: (group) => splits.map(() => group) },
      present: { has: (group) => (at(group)?.rows ?? 0) > 0 },
      leaves: new Map(folded),
    }
  }
}
