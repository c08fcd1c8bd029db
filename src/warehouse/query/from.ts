import { filtersSql } from './filter'
import { unknownField } from './refuse'
import { wallName } from './source'
import type { Source } from './source'
import { all, int, join, name, sql } from './sql'
import type { Sql } from './sql'
import { offsetSql } from './zone'
import type { ScopeWire } from '../../access/scope'

/**
 * The only way to rows: the scope's row filters stand innermost, before anything the plan says. What a filter of the
 * scope names and the dataset does not have lets no row through.
 */
export function from(source: Source, scope: ScopeWire): Sql {
  const { dataset, physical } = source
  const guards = scope.rowFilters
    .filter((entry) => entry.dataset === dataset.id)
    .map((entry) => failClosed(() => filtersSql(source, entry.filters, 'filters')))
  const selected = [...source.used].map((key) => {
    const at = physical.columns.get(key)
    if (!at) throw unknownField({ dataset: dataset.id, column: key })
    const stored = sql`${name(at.table)}.${name(at.column)}`
    const plain = sql`${stored} AS ${name(key)}`
    if (!source.walls.has(key)) return plain
    const offset = offsetSql(stored, source.segments.get(key) ?? [])
    return sql`${plain}, (${stored} + ${offset}) AS ${wallName(key)}`
  })
  const [first, ...others] = physical.tables
  const needed = others.filter((table) => [...source.used].some((key) => physical.columns.get(key)?.table === table))
  const joins = needed.map((table) => sql`JOIN ${name(table)} ON ${name(table)}.rowid = ${name(first)}.rowid`)
  const tables = join([name(first), ...joins], ' ')
  const columns = join([sql`${name(first)}.rowid AS rid`, ...selected], ', ')
  return sql`(SELECT * FROM (SELECT ${columns} FROM ${tables}) WHERE ${all(guards)})`
}

function failClosed(compile: () => Sql): Sql {
  try {
    return compile()
  } catch {
    return int(0)
  }
}
