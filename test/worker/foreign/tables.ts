import { env } from 'cloudflare:test'
import { ProductError, type RpcResult } from '../../../src/shared/errors'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import type { QueryResult } from '../../../src/shared/query/result'
import type { StorageValue } from '../../../src/lib/storage-value'
import type { Dialect } from '../../../src/warehouse/pushdown/dialect'
import type { ForeignDatabase, ForeignRow } from '../../../src/warehouse/pushdown/foreign-database'
import type { ForeignTable } from '../../../src/warehouse/pushdown/foreign-table'
import { foreignSource } from '../../../src/warehouse/pushdown/foreign-source'
import type { Statement } from '../../../src/warehouse/pushdown/sql'
import { queryInSteps } from '../../../src/warehouse/query/run-query'
import type { QueryRequest } from '../../../src/warehouse/query/request'
import type { QuerySteps } from '../../../src/warehouse/scheduling/query-scheduler'
import type { NaiveTable } from '../naive/values'
import { columnsIn } from '../warehouse-rows'

/** A database of the tests, and how tables are made in it. */
export interface TestEngine {
  name: string
  dialect: Dialect
  types: Record<'text' | 'integer' | 'real' | 'boolean' | 'date' | 'wall' | 'instant', string>
  decimal: (scale: number) => string
  quote: (name: string) => string
  /** A literal of a value that a test makes. */
  literal: (value: string, column: Column) => string
  /** A value as it travels beside a statement, where it is not as it is. */
  sent?: (value: string) => string
  /** What stands behind a table's name, where it is not as everywhere. */
  definition?: (columns: readonly string[]) => string
}

/** Null where the machine has no such database. */
export async function askEngine(name: string, statements: readonly Statement[]): Promise<ForeignRow[][] | null> {
  const response = await env.SQL_DOOR.fetch(`http://sql/${name}`, { method: 'POST', body: JSON.stringify(statements) })
  if (response.status === 404) return null
  const body: ForeignRow[][] = await response.json()
  if (!response.ok)
    throw new Error(`${JSON.stringify(body)}\n${statements.map(({ text }) => text.slice(0, 6_000)).join('\n')}`)
  return body
}

const DAY_MS = 86_400_000
const isoMoment = (ms: number): string => {
  const text = new Date(ms).toISOString()
  return text.slice(0, -1).replace('T', ' ')
}
const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function textOf(value: StorageValue, { type, scale }: Column): string | null {
  if (value === null) return null
  if (type === 'date') return isoDay(Number(value))
  if (type === 'datetime') return isoMoment(Number(value))
  if (type === 'number' && scale !== undefined) {
    const digits = String(Math.abs(Number(value))).padStart(scale + 1, '0')
    return `${Number(value) < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  }
  if (type === 'boolean') return value === 0 ? 'FALSE' : 'TRUE'
  return String(value)
}

const storedColumns = ({ columns }: NaiveTable): { column: Column; at: number }[] =>
  columns.flatMap((column, at) => (column.computed ? [] : [{ column, at }]))

function typeOf(engine: TestEngine, { type, scale, zoned }: Column): string {
  if (type === 'number') return scale === undefined ? engine.types.real : engine.decimal(scale)
  if (type === 'datetime') return zoned === true ? engine.types.instant : engine.types.wall
  return engine.types[type]
}

/** Makes the tables of a random case there, and answers them as a database that plans are put to. */
export async function foreignTables(
  engine: TestEngine,
  tables: readonly NaiveTable[],
  unique: Readonly<Record<string, Column['key'][][]>> = {},
  asStored: Pick<ForeignTable, 'textsAsImported'> = {},
): Promise<ForeignDatabase> {
  const q = engine.quote
  const statements = tables.flatMap((table) => {
    const stored = storedColumns(table)
    const columns = stored.map(({ column }) => `${q(column.key)} ${typeOf(engine, column)} NULL`)
    const rows = table.rows.map((row, n) => {
      const cells = stored.map(({ column, at }) => {
        const text = textOf(row[at] ?? null, column)
        return text === null ? 'NULL' : engine.literal(text, column)
      })
      return `(${[n, ...cells].join(', ')})`
    })
    return [
      `DROP TABLE IF EXISTS ${q(table.id)}`,
      `CREATE TABLE ${q(table.id)} ${engine.definition?.(columns) ?? `(${['row_no bigint PRIMARY KEY', ...columns].join(', ')})`}`,
      ...(rows.length === 0 ? [] : [`INSERT INTO ${q(table.id)} VALUES ${rows.join(', ')}`]),
    ]
  })
  await askEngine(
    engine.name,
    statements.map((text) => ({ text, values: [] })),
  )
  const known = new Map<string, ForeignTable>(
    tables.map((table) => [
      table.id,
      {
        ...{ schema: null, table: table.id, rowKey: ['row_no'], unique: unique[table.id] ?? [], ...asStored },
        columns: Object.fromEntries(storedColumns(table).map(({ column: { key } }) => [key, key])),
      },
    ]),
  )
  return {
    dialect: engine.dialect,
    table: (id) => known.get(id) ?? null,
    async read(statement, rowsMax) {
      const values = statement.values.map((value) => engine.sent?.(value) ?? value)
      const [rows] = (await askEngine(engine.name, [{ ...statement, values }])) ?? []
      return (rows ?? []).slice(0, rowsMax)
    },
  }
}

/** Answers a plan over rows that lie in a foreign database. */
export async function askForeign(
  asked: Omit<QueryRequest, 'columns' | 'elsewhere'>,
  database: ForeignDatabase,
): Promise<RpcResult<QueryResult>> {
  const source = foreignSource(database)
  const ask: QueryRequest = { ...asked, columns: columnsIn(asked.sql), elsewhere: () => source }
  function* request(): QuerySteps<QueryRequest> {
    yield undefined
    return ask
  }
  try {
    const steps = queryInSteps({ ask: request, written: () => 0 })
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return { ok: true, value }
      await value
    }
  } catch (error) {
    if (error instanceof ProductError) return { ok: false, error: error.serialize() }
    throw error
  }
}
