import { openMysql } from './mysql-client'
import type { DatabaseClient } from '../databases/client'
import type { DatabaseDriver } from '../databases/database-driver'
import { EXACT_DECIMALS_MAX, type DatabaseTable, type TableColumn } from '../databases/table-streams'

const text = (name: string): string => `CAST(${name} AS CHAR)`
const SYSTEM = `('information_schema', 'mysql', 'performance_schema', 'sys')`
const TABLES = `
SELECT ${[text('c.TABLE_SCHEMA'), text('c.TABLE_NAME'), text('t.TABLE_ROWS'), text('c.COLUMN_NAME'), text('c.COLUMN_TYPE'), text('c.NUMERIC_PRECISION'), text('c.NUMERIC_SCALE')].join(', ')}
FROM information_schema.COLUMNS AS c
JOIN information_schema.TABLES AS t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
WHERE c.TABLE_SCHEMA NOT IN ${SYSTEM}
ORDER BY c.TABLE_SCHEMA, c.TABLE_NAME, c.ORDINAL_POSITION`
const KEYS = `
SELECT ${[text('s.TABLE_SCHEMA'), text('s.TABLE_NAME'), text('s.INDEX_NAME'), text('s.COLUMN_NAME'), text('s.NULLABLE'), text('s.SUB_PART')].join(', ')}
FROM information_schema.STATISTICS AS s
WHERE s.NON_UNIQUE = 0 AND s.TABLE_SCHEMA NOT IN ${SYSTEM}
ORDER BY s.TABLE_SCHEMA, s.TABLE_NAME, s.INDEX_NAME <> 'PRIMARY', s.INDEX_NAME, s.SEQ_IN_INDEX`
const ROWS_MAX = 200_000
const SAFE_DIGITS = 15

/** @param declared the column's type as the database writes it, such as `int(10) unsigned` */
function columnOf(name: string, declared: string, { digits, scale }: { digits: number; scale: number }): TableColumn {
  const [base = ''] = /^[a-z]+/.exec(declared) ?? []
  if (declared === 'tinyint(1)' || declared === 'bit(1)') return { name, type: 'boolean', comparedAs: null }
  if (/^(tiny|small|medium|big)?int$/.test(base))
    return { name, type: 'integer', comparedAs: declared.includes('unsigned') ? 'UNSIGNED' : 'SIGNED' }
  if (base === 'year') return { name, type: 'integer', comparedAs: 'UNSIGNED' }
  if (base === 'decimal' || base === 'numeric') {
    if (scale === 0 && digits <= SAFE_DIGITS) return { name, type: 'integer', comparedAs: 'DECIMAL(65, 0)' }
    const exact = scale <= EXACT_DECIMALS_MAX && digits <= SAFE_DIGITS ? { scale } : {}
    return { name, type: 'number', comparedAs: 'DECIMAL(65, 30)', ...exact }
  }
  if (base === 'double' || base === 'float' || base === 'real') return { name, type: 'number', comparedAs: null }
  if (base === 'date') return { name, type: 'date', comparedAs: 'DATE' }
  if (base === 'datetime') return { name, type: 'datetime', comparedAs: 'DATETIME(6)', zoned: false }
  if (base === 'timestamp') return { name, type: 'datetime', comparedAs: 'DATETIME(6)', zoned: true }
  if (/binary$|blob$|^bit$|^geometry$/.test(base)) return { name, type: 'text', comparedAs: null, label: name }
  return { name, type: 'text', comparedAs: /char$/.test(base) ? 'CHAR' : null }
}
/** Bytes are written out as digits. */
const isOfBytes = ({ type, comparedAs, label }: TableColumn): boolean =>
  type === 'text' && comparedAs === null && label !== undefined

/** Types of an answer by their numbers, as they would be declared. */
const DECLARED: Partial<Record<number, string>> = {
  ...{ 1: 'tinyint', 2: 'smallint', 3: 'int', 8: 'bigint', 9: 'mediumint', 13: 'year', 4: 'float', 5: 'double' },
  ...{ 0: 'decimal', 246: 'decimal', 10: 'date', 14: 'date', 12: 'datetime', 7: 'timestamp', 16: 'bit' },
}

async function tables(client: DatabaseClient): Promise<DatabaseTable[]> {
  const found = new Map<string, DatabaseTable>()
  const { rows } = await client.query(TABLES, [], ROWS_MAX)
  for (const [schema, name, estimate, column, declared, digits, scale] of rows) {
    if (!schema || !name || !column || !declared) continue
    const id = JSON.stringify([schema, name])
    const estimatedRows = estimate === null || estimate === undefined ? null : Number(estimate)
    const table = found.get(id) ?? { schema, name, columns: [], key: [], unique: [], estimatedRows }
    table.columns.push(
      columnOf(column, declared.toLowerCase(), { digits: Number(digits ?? 0), scale: Number(scale ?? 0) }),
    )
    found.set(id, table)
  }
  await addKeys(client, found)
  return [...found.values()]
}

async function addKeys(client: DatabaseClient, found: ReadonlyMap<string, DatabaseTable>): Promise<void> {
  const keys = new Map<string, { table: DatabaseTable; columns: string[]; isFilled: boolean; isWhole: boolean }>()
  const { rows } = await client.query(KEYS, [], ROWS_MAX)
  for (const [schema, name, index, column, nullable, part] of rows) {
    const table = found.get(JSON.stringify([schema, name]))
    if (!table || !index || !column) continue
    const id = JSON.stringify([schema, name, index])
    const key = keys.get(id) ?? { table, columns: [], isFilled: true, isWhole: true }
    key.columns.push(column)
    key.isFilled &&= nullable !== 'YES'
    key.isWhole &&= part === null
    keys.set(id, key)
  }
  for (const { table, columns, isFilled, isWhole } of keys.values()) {
    if (!isWhole) continue
    table.unique.push(columns)
    if (isFilled && table.key.length === 0) table.key = columns
  }
}

export const MYSQL_DRIVER: DatabaseDriver = {
  title: 'MySQL or MariaDB',
  dialect: 'mysql',
  port: 3306,
  homeSchema: (database) => database,
  open: openMysql,
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  tables,
  async selected(client, select) {
    const { columns } = await client.query(`SELECT * FROM (${select}\n) AS t LIMIT 0`, [], 1)
    return columns.map(({ name, type, modifier }) =>
      columnOf(name, DECLARED[type] ?? 'varchar', { digits: SAFE_DIGITS, scale: type === 246 ? modifier : 0 }),
    )
  },
  canonical(cell, column) {
    switch (column.type) {
      case 'boolean':
        return `CASE WHEN ${cell} IS NULL THEN NULL WHEN ${cell} <> 0 THEN 'true' ELSE 'false' END`
      case 'date':
        // The day 0 of some databases is none.
        return `CASE WHEN ${cell} >= '0001-01-01' THEN DATE_FORMAT(${cell}, '%Y-%m-%d') END`
      case 'datetime': {
        const wall = `LEFT(DATE_FORMAT(${cell}, '%Y-%m-%dT%H:%i:%s.%f'), 23)`
        return `CASE WHEN ${cell} >= '0001-01-01' THEN ${column.zoned === true ? `CONCAT(${wall}, 'Z')` : wall} END`
      }
      case 'text':
        return isOfBytes(column) ? `HEX(${cell})` : `CONVERT(${cell} USING utf8mb4)`
      case 'integer':
      case 'number':
        return text(cell)
    }
  },
  isOfBytes,
  kept: text,
  value: (_place, { comparedAs }) => `CAST(? AS ${comparedAs ?? 'CHAR'})`,
  earlier: (value) => `DATE_SUB(${value}, INTERVAL 2 MINUTE)`,
  writeTest: 'CREATE TABLE insikt_write_test (id INT)',
  async mayWrite(client) {
    const { rows } = await client.query(
      `SELECT ${text('COUNT(*)')} FROM (
         SELECT PRIVILEGE_TYPE FROM information_schema.USER_PRIVILEGES
         UNION ALL SELECT PRIVILEGE_TYPE FROM information_schema.SCHEMA_PRIVILEGES
         UNION ALL SELECT PRIVILEGE_TYPE FROM information_schema.TABLE_PRIVILEGES) AS p
       WHERE PRIVILEGE_TYPE IN ('INSERT', 'UPDATE', 'DELETE', 'DROP', 'ALTER', 'CREATE')`,
      [],
      1,
    )
    return Number(rows[0]?.[0] ?? 0) > 0
  },
}
