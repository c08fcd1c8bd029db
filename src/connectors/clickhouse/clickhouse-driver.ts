import { openClickhouse } from './clickhouse-client'
import type { DatabaseClient } from '../databases/client'
import type { DatabaseDriver } from '../databases/database-driver'
import { EXACT_DECIMALS_MAX, type DatabaseTable, type TableColumn } from '../databases/table-streams'

const text = (cell: string): string => `toString(${cell})`
const SYSTEM = `('system', 'INFORMATION_SCHEMA', 'information_schema')`
const TABLES = `
SELECT c.database, c.table, ${text('t.total_rows')}, t.sorting_key, c.name, c.type
FROM system.columns AS c
JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
WHERE c.database NOT IN ${SYSTEM} AND NOT t.is_temporary
ORDER BY c.database, c.table, c.position`
const ROWS_MAX = 200_000
const SAFE_DIGITS = 15

/** A type without what only says how its values are kept, and whether they may be absent. */
function bareType(declared: string): string {
  const [, inner] = /^(?:LowCardinality|Nullable)\((.*)\)$/.exec(declared) ?? []
  return inner === undefined ? declared : bareType(inner)
}

/** @param declared the column's type as the database writes it, such as `LowCardinality(Nullable(String))` */
function columnOf(name: string, declared: string): TableColumn {
  const type = bareType(declared)
  const at = { name, comparedAs: null }
  if (type === 'Bool') return { ...at, type: 'boolean' }
  if (/^U?Int(8|16|32|64)$/.test(type)) return { ...at, type: 'integer' }
  const [, digits, scale] = /^Decimal\((\d+), (\d+)\)$/.exec(type) ?? []
  if (digits !== undefined && scale !== undefined) {
    const isSafe = Number(digits) <= SAFE_DIGITS
    if (scale === '0' && isSafe) return { ...at, type: 'integer' }
    return { ...at, type: 'number', ...(isSafe && Number(scale) <= EXACT_DECIMALS_MAX ? { scale: Number(scale) } : {}) }
  }
  if (/^(B?Float\d+|U?Int(128|256))$/.test(type)) return { ...at, type: 'number' }
  if (/^Date(32)?$/.test(type)) return { ...at, type: 'date' }
  // It keeps moments, whichever zone shows them.
  if (/^DateTime(64)?\b/.test(type)) return { ...at, type: 'datetime', zoned: true }
  return { ...at, type: 'text' }
}

/** Columns that rows are sorted by where they lie; none where they are sorted by what is worked out. */
const sortedBy = (sortingKey: string): string[] => {
  const names = sortingKey === '' ? [] : sortingKey.split(', ')
  return names.every((name) => /^[A-Za-z_]\w*$/.test(name)) ? names : []
}

async function tables(client: DatabaseClient): Promise<DatabaseTable[]> {
  const found = new Map<string, DatabaseTable>()
  const { rows } = await client.query(TABLES, [], ROWS_MAX)
  for (const [schema, name, estimate, sortingKey, column, declared] of rows) {
    if (!schema || !name || !column || !declared) continue
    const id = JSON.stringify([schema, name])
    const estimatedRows = estimate === null || estimate === undefined ? null : Number(estimate)
    // No key of it tells one row from another.
    const fresh = { schema, name, columns: [], key: [], unique: [], order: sortedBy(sortingKey ?? ''), estimatedRows }
    const table = found.get(id) ?? fresh
    table.columns.push(columnOf(column, declared))
    found.set(id, table)
  }
  return [...found.values()]
}

export const CLICKHOUSE_DRIVER: DatabaseDriver = {
  title: 'ClickHouse',
  dialect: 'clickhouse',
  port: 8443,
  homeSchema: (database) => database,
  open: openClickhouse,
  quote: (name) => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  tables,
  async selected(client, select) {
    const { rows } = await client.query(`DESCRIBE TABLE (${select}\n)`, [], ROWS_MAX)
    return rows.flatMap(([name, declared]) => (name && declared ? [columnOf(name, declared)] : []))
  },
  canonical(cell, { type }) {
    switch (type) {
      case 'boolean':
        return `if(isNull(${cell}), NULL, if(${cell}, 'true', 'false'))`
      case 'date':
      case 'integer':
        return text(cell)
      case 'datetime':
        return `concat(replaceOne(${text(`toDateTime64(${cell}, 3, 'UTC')`)}, ' ', 'T'), 'Z')`
      case 'number':
        // What is no number, or has no end, has no canonical text.
        return `if(isFinite(toFloat64(${cell})), ${text(cell)}, NULL)`
      case 'text':
        return text(cell)
    }
  },
  kept: text,
  value: (place) => `{p${place}:String}`,
  earlier: (value) => value,
  writeTest: 'CREATE TABLE insikt_write_test (id Int8) ENGINE = Memory',
  // What a user may is seldom theirs to ask. Each statement is sent as one that only reads.
  mayWrite: () => Promise.resolve(false),
}
