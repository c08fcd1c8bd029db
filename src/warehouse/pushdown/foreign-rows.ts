import type { Dialect } from './dialect'
import type { ForeignDatabase } from './foreign-database'
import type { ForeignTable } from './foreign-table'
import { WantsSpellings, type Spellings } from './imported-texts'
import { notLive } from './refusals'
import { allOf, FALSE, joined, listed, NULL, sql, written, type Sql } from './sql'
import { wallClock } from './wall-clocks'
import type { LiveDataset } from '../physical-layout'
import { unitColumn } from '../query/money/minor-units'
import { unknownField } from '../query/plan/plan-errors'
import { pathToField, type RelationEdge, type RelationPath } from '../query/plan/relation-graph'
import type { PlanContext } from '../query/query-context'
import type { Column } from '../../shared/data-sources/data-sources'
import type { Field } from '../../shared/query/field'
import { keyPairsOf } from '../../shared/query/relation-paths'
import type { ColumnKey } from '../../shared/data-sources/files'

const NO_SPELLINGS: Spellings = new Map()

/** What all statements of one question are made with. */
export interface Compilation {
  database: ForeignDatabase
  /** A name that nothing else in the statement has. */
  alias(): Sql
  /** Years in which a zoned column has moments; those that its known bounds say, where none were looked up. */
  cells(dataset: string, key: ColumnKey): number[] | null
  /** Texts of a column that are not composed; null: nobody has looked yet. */
  spellings(dataset: string, key: ColumnKey): Spellings | null
  /** A dataset's rows without those that rules of access leave out, in brackets; null: they leave out none. */
  ruled(planContext: PlanContext, datasetId: string): Sql | null
}

/** A row that is at hand: the one that is read, or one that relations lead to from it. */
export interface RowPlace {
  alias: Sql
  dataset: LiveDataset
  table: ForeignTable
  path: RelationPath
  /** A condition that the row is there; null: it always is. */
  present: Sql | null
}

/** A column of a row that is at hand. */
export interface PlacedColumn {
  place: RowPlace
  column: Column
  /** As it is stored there; null: it is worked out. */
  cell: Sql | null
}

/** The rows of one dataset in a statement, with those that they point at joined as they are asked for. */
export class ForeignRows {
  readonly planContext: PlanContext
  readonly compilation: Compilation
  readonly own: RowPlace
  readonly #joins: Sql[] = []
  readonly #places = new Map<string, RowPlace>()

  constructor(planContext: PlanContext, compilation: Compilation, datasetId: string) {
    this.planContext = planContext
    this.compilation = compilation
    const dataset = datasetIn(planContext, datasetId)
    const table = tableIn(compilation, dataset)
    this.own = { alias: compilation.alias(), dataset, table, path: [], present: null }
  }

  get dialect(): Dialect {
    return this.compilation.database.dialect
  }

  /** The rows with all joins that were asked for so far; read it last. */
  from(): Sql {
    return sql`${this.#visible(this.own)} AS ${this.own.alias}${joined(this.#joins, '')}`
  }

  /** Every column that may be asked of these rows, under its own name. */
  ownColumns(): Sql {
    const { alias, table } = this.own
    const names = new Set([...Object.values(table.columns).filter((name) => name !== undefined), ...table.rowKey])
    const quoted = [...names].map((name) => this.dialect.quote(name))
    return listed(quoted.map((name) => sql`${alias}.${name} AS ${name}`))
  }

  field(field: Field): PlacedColumn {
    const place = this.along(pathToField(this.planContext.graph, this.own.dataset.id, { field, at: 'dataset' }))
    return this.at(place, field.column)
  }

  at(place: RowPlace, key: ColumnKey): PlacedColumn {
    const { dataset, table, alias } = place
    const column = dataset.columns.find((each) => each.key === key)
    if (!column) throw unknownField({ dataset: dataset.id, column: key })
    if (column.mask) throw notLive('Masked columns')
    if (column.computed) return { place, column, cell: null }
    if (unitColumn(dataset, column) !== null) throw notLive('Amounts in smallest units of several currencies')
    const name = table.columns[key]
    if (name === undefined) throw unknownField({ dataset: dataset.id, column: key })
    const cell = sql`${alias}.${this.dialect.quote(name)}`
    return { place, column, cell: this.#held(place, column, cell) }
  }

  /** A cell as it is imported: texts composed, and no value for blank ones and for what is no number or has no end. */
  #held({ table, dataset }: RowPlace, { key, type, scale }: Column, cell: Sql): Sql {
    const { dialect } = this
    if (type === 'text') {
      if (table.bytes?.includes(key)) return dialect.bytesCell(cell)
      return table.textsAsImported === true ? dialect.importedText(cell, this.#spellings(dataset.id, key)) : cell
    }
    if (type === 'integer') return table.numerics?.includes(key) ? dialect.exactCell(cell) : cell
    if (type === 'number') return scale === undefined ? dialect.realCell(cell) : dialect.exactCell(cell)
    return cell
  }

  #spellings(dataset: string, key: ColumnKey): Spellings {
    if (this.dialect.uncomposed === null) return NO_SPELLINGS
    const found = this.compilation.spellings(dataset, key)
    if (!found) throw new WantsSpellings(dataset, key)
    return found
  }

  /** Milliseconds of the calendar's wall clock (of its own, when it is not zoned). */
  wall({ place, column, cell }: PlacedColumn): Sql {
    if (cell === null) throw new TypeError('No moment is worked out.')
    const moment = this.dialect.momentCell(cell)
    if (column.zoned !== true) return moment
    const cells = this.compilation.cells(place.dataset.id, column.key)
    return wallClock(this.planContext, moment, { dataset: place.dataset, key: column.key, cells })
  }

  /** The row that relations lead to from the row that is read. */
  along(path: RelationPath): RowPlace {
    let at = this.own
    for (const [i, edge] of path.entries()) at = this.#next(at, edge, path.slice(0, i + 1))
    return at
  }

  #next(from: RowPlace, edge: RelationEdge, path: RelationPath): RowPlace {
    const id = path.map((each) => `${each.id}${each.from.dataset}`).join(' ')
    const known = this.#places.get(id)
    if (known) return known
    const dataset = datasetIn(this.planContext, edge.to.dataset)
    const table = tableIn(this.compilation, dataset)
    assertUnique(dataset, table, edge)
    const place: RowPlace = { dataset, table, path, alias: this.compilation.alias(), present: NULL }
    const pairs = keyPairsOf(edge)
    const matches = pairs.map((pair) => this.#sameKey(this.at(from, pair.from), this.at(place, pair.to)))
    const joinedKey = this.at(place, edge.to.key).cell
    place.present = joinedKey ? sql`${joinedKey} IS NOT NULL` : FALSE
    this.#joins.push(sql` LEFT JOIN ${this.#visible(place)} AS ${place.alias} ON ${allOf(matches)}`)
    this.#places.set(id, place)
    return place
  }

  /** Keys are the same where their texts are, whatever types they have. */
  #sameKey(left: PlacedColumn, right: PlacedColumn): Sql {
    const [a, b] = this.keyPair(left, right)
    return sql`${a} = ${b}`
  }
  keyPair(left: PlacedColumn, right: PlacedColumn): [Sql, Sql] {
    if (left.cell === null || right.cell === null) throw notLive('Relationships by calculated columns')
    const isPlain = left.column.type === right.column.type && left.column.type !== 'text'
    if (isPlain) return [left.cell, right.cell]
    return [this.dialect.keyText(left.cell), this.dialect.keyText(right.cell)]
  }

  /** Without the rows that the asker may not see: relations do not lead to them either. */
  #visible({ dataset, table }: RowPlace): Sql {
    return this.compilation.ruled(this.planContext, dataset.id) ?? tableName(this.dialect, table)
  }
}

export const tableName = (dialect: Dialect, { schema, table }: ForeignTable): Sql =>
  schema === null ? dialect.quote(table) : sql`${dialect.quote(schema)}.${dialect.quote(table)}`

function datasetIn(planContext: PlanContext, datasetId: string): LiveDataset {
  const dataset = planContext.find(datasetId)
  if (!dataset) throw unknownField({ dataset: datasetId, column: 'c0' })
  return dataset
}
function tableIn({ database }: Compilation, dataset: LiveDataset): ForeignTable {
  const table = database.table(dataset.id)
  if (!table) throw notLive('Other sources together with this one')
  return table
}

/** A row that points at several would count several times. */
function assertUnique(dataset: LiveDataset, { unique }: ForeignTable, edge: RelationEdge): void {
  const keys = new Set<string>(keyPairsOf(edge).map(({ to }) => to))
  if (unique.some((columns) => columns.length > 0 && columns.every((key) => keys.has(key)))) return
  const names = dataset.columns.filter(({ key }) => keys.has(key)).map(({ label }) => label)
  throw notLive(`Relationships to ${dataset.name} by ${names.join(' + ')}, which its database does not keep unique,`)
}

/** Names of rows within statements. */
export function aliases(): () => Sql {
  let count = 0
  return () => written(`r${(count += 1)}`)
}
