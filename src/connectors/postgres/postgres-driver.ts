import { openPostgres } from './postgres-client'
import type { DatabaseClient } from '../databases/client'
import type { DatabaseDriver } from '../databases/database-driver'
import { EXACT_DECIMALS_MAX, type DatabaseTable, type TableColumn } from '../databases/table-streams'
import type { ColumnType } from '../../shared/data-sources/files'

/** Kinds of relations: tables, partitioned ones, views, materialised views, foreign tables. */
const TABLES = `
SELECT n.nspname, c.relname, c.reltuples::bigint::text, a.attname, a.atttypid::bigint::text, a.atttypmod::text, a.attnum::text
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
ORDER BY n.nspname, c.relname, a.attnum`
/** Keys over whole columns, of all rows: primary ones first, then those without empty values. */
const KEYS = `
SELECT n.nspname, c.relname, i.indisprimary::text, i.indexrelid::bigint::text, a.attname, a.attnotnull::text
FROM pg_catalog.pg_index AS i
JOIN pg_catalog.pg_class AS c ON c.oid = i.indrelid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, place) ON k.place <= i.indnkeyatts
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.attnum
WHERE i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY n.nspname, c.relname, i.indisprimary DESC, i.indexrelid, k.place`
const ROWS_MAX = 200_000

/** Types by their numbers, which are the same in every PostgreSQL. */
const TYPES: Partial<Record<number, { type: ColumnType; comparedAs: string | null }>> = {
  16: { type: 'boolean', comparedAs: null },
  ...Object.fromEntries([20, 21, 23].map((oid) => [oid, { type: 'integer', comparedAs: 'bigint' }])),
  ...Object.fromEntries([700, 701].map((oid) => [oid, { type: 'number', comparedAs: null }])),
  1700: { type: 'number', comparedAs: 'numeric' },
  1082: { type: 'date', comparedAs: 'date' },
  1114: { type: 'datetime', comparedAs: 'timestamp' },
  1184: { type: 'datetime', comparedAs: 'timestamptz' },
  2950: { type: 'text', comparedAs: 'uuid' },
  ...Object.fromEntries([25, 1043].map((oid) => [oid, { type: 'text', comparedAs: 'text' }])),
}
const [NUMERIC, WALL, INSTANT] = [1700, 1114, 1184]
/** Whole numbers of so many digits fit 53 bits. */
const SAFE_DIGITS = 15

function columnOf(name: string, oid: number, modifier: number): TableColumn {
  const { type, comparedAs } = TYPES[oid] ?? { type: 'text', comparedAs: null }
  if (oid === WALL || oid === INSTANT) return { name, type, comparedAs, zoned: oid === INSTANT }
  if (oid !== NUMERIC || modifier < 4) return { name, type, comparedAs }
  const [digits, scale] = [((modifier - 4) >> 16) & 0xffff, (modifier - 4) & 0x7ff]
  if (scale === 0 && digits <= SAFE_DIGITS) return { name, type: 'integer', comparedAs }
  return { name, type, comparedAs, ...(scale <= EXACT_DECIMALS_MAX && digits <= SAFE_DIGITS ? { scale } : {}) }
}

async function tables(client: DatabaseClient): Promise<DatabaseTable[]> {
  const found = new Map<string, DatabaseTable>()
  const { rows } = await client.query(TABLES, [], ROWS_MAX)
  for (const [schema, name, estimate, column, oid, modifier] of rows) {
    if (!schema || !name || !column) continue
    const id = JSON.stringify([schema, name])
    const rowsThere = Number(estimate)
    const estimatedRows = rowsThere >= 0 ? rowsThere : null
    const table = found.get(id) ?? { schema, name, columns: [], key: [], unique: [], estimatedRows }
    table.columns.push(columnOf(column, Number(oid), Number(modifier)))
    found.set(id, table)
  }
  await addKeys(client, found)
  return [...found.values()]
}

async function addKeys(client: DatabaseClient, found: ReadonlyMap<string, DatabaseTable>): Promise<void> {
  const keys = new Map<string, { table: DatabaseTable; columns: string[]; isKey: boolean }>()
  const { rows } = await client.query(KEYS, [], ROWS_MAX)
  for (const [schema, name, isPrimary, index, column, isFilled] of rows) {
    const table = found.get(JSON.stringify([schema, name]))
    if (!table || !index || !column) continue
    const key = keys.get(index) ?? { table, columns: [], isKey: true }
    key.columns.push(column)
    key.isKey &&= isPrimary === 'true' || isFilled === 'true'
    keys.set(index, key)
  }
  for (const { table, columns, isKey } of keys.values()) {
    table.unique.push(columns)
    if (isKey && table.key.length === 0) table.key = columns
  }
}

const isDay = (cell: string): string => `${cell} >= '0001-01-01' AND ${cell} < '10000-01-01'`

export const POSTGRES_DRIVER: DatabaseDriver = {
  title: 'PostgreSQL',
  dialect: 'postgres',
  port: 5432,
  homeSchema: () => 'public',
  open: openPostgres,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  tables,
  async selected(client, text) {
    const { columns } = await client.query(`SELECT * FROM (${text}\n) AS t LIMIT 0`, [], 1)
    return columns.map(({ name, type, modifier }) => columnOf(name, type, modifier))
  },
  canonical(cell, { type, scale, zoned, comparedAs }) {
    switch (type) {
      case 'boolean':
        return `CASE WHEN ${cell} THEN 'true' WHEN NOT ${cell} THEN 'false' END`
      case 'number':
        // Neither what is no number nor what has no end is one.
        return scale === undefined
          ? `CASE WHEN ${cell} NOT IN ('NaN', 'Infinity', '-Infinity') THEN (${cell})::double precision::text END`
          : `CASE WHEN ${cell} <> 'NaN' THEN (${cell})::text END`
      case 'date':
        return `CASE WHEN ${isDay(cell)} THEN TO_CHAR(${cell}, 'YYYY-MM-DD') END`
      case 'datetime': {
        const wall = zoned === true ? `${cell} AT TIME ZONE 'UTC'` : cell
        const form = `YYYY-MM-DD"T"HH24:MI:SS.MS${zoned === true ? '"Z"' : ''}`
        return `CASE WHEN ${isDay(cell)} THEN TO_CHAR(${wall}, '${form}') END`
      }
      case 'integer':
        return comparedAs === 'numeric' ? `CASE WHEN ${cell} <> 'NaN' THEN (${cell})::text END` : `(${cell})::text`
      case 'text':
        return `(${cell})::text`
    }
  },
  kept: (cell) => `(${cell})::text`,
  value: (place, { comparedAs }) => `$${place}::text::${comparedAs ?? 'text'}`,
  earlier: (value) => `(${value} - INTERVAL '2 minutes')`,
  writeTest: 'CREATE TABLE insikt_write_test ()',
  async mayWrite(client) {
    const { rows } = await client.query(
      `SELECT (r.rolsuper OR EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c
         JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
           AND pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')))::text
       FROM pg_catalog.pg_roles AS r WHERE r.rolname = CURRENT_USER`,
      [],
      1,
    )
    return rows[0]?.[0] === 'true'
  },
}
