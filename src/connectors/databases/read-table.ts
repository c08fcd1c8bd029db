import type { DatabaseClient } from './client'
import type { DatabaseDriver } from './database-driver'
import type { TableColumn } from './table-streams'
import { SourceError, type Cell, type Cursor, type ReadBudget, type ReadPage } from '../contract'
import type { Clock } from '../../shared/ids'
import type { StreamMode } from '../../shared/data-sources/connectors'

/** Rows of one statement. */
const ROWS_AT_ONCE = 10_000
const KEPT_MAX_CHARS = 1_500

/** What is read: a table or a SELECT, by its key where it has one. */
export interface ReadableRows {
  /** `"schema"."table"` or `(SELECT …)`. */
  from: string
  columns: readonly TableColumn[]
  key: readonly TableColumn[]
  /** By which new rows are found. */
  changed: TableColumn | null
}

/**
 * Where a read is. `all`: every row by its key, with the newest moment there was when it began; `new`: what changed since
 * `at`, by moment and key; `offset`: every row of what has no key, by number.
 */
type Position =
  | { phase: 'all'; mark: string | null; after: string[] | null }
  | { phase: 'new'; at: string; after: string[] | null }
  | { phase: 'offset'; offset: number }

function positionOf(cursor: Cursor | null, { key, changed }: ReadableRows, mode: StreamMode): Position | null {
  if (cursor === null) return key.length > 0 ? null : { phase: 'offset', offset: 0 }
  const { phase, at, mark, offset } = cursor
  const after = key.map((_, i) => cursor[`k${i}`])
  const isWhole = after.every((value) => typeof value === 'string')
  const keys = isWhole && key.length > 0 ? after.map(String) : null
  if (phase === 'offset') return { phase, offset: Number(offset ?? 0) }
  if (phase === 'new' && typeof at === 'string' && changed !== null && mode !== 'replace')
    return { phase, at, after: keys }
  return phase === 'all' && keys ? { phase, mark: typeof mark === 'string' ? mark : null, after: keys } : null
}
function cursorOf(position: Position): Cursor {
  if (position.phase === 'offset') return { ...position }
  const { after, ...rest } = position
  const kept = Object.fromEntries((after ?? []).map((value, i) => [`k${i}`, value]))
  const cursor = { ...rest, ...kept }
  if (JSON.stringify(cursor).length > KEPT_MAX_CHARS)
    throw new SourceError('too_large', {
      message: 'The keys of this table are too long to read it by.',
      mend: 'Use a table with a shorter primary key.',
    })
  return cursor
}

/** One page: as many rows as the budget lets in, in several statements. */
export async function readRowsOf(
  driver: DatabaseDriver,
  client: DatabaseClient,
  ask: { rows: ReadableRows; cursor: Cursor | null; mode: StreamMode; budget: ReadBudget; clock: Clock },
): Promise<ReadPage> {
  const { rows: of, budget, clock, mode } = ask
  let position = positionOf(ask.cursor, of, mode) ?? {
    phase: 'all',
    mark: await markOf(driver, client, of),
    after: null,
  }
  const rows: Cell[][] = []
  let bytes = 0
  for (;;) {
    const limit = Math.min(ROWS_AT_ONCE, budget.maxRows - rows.length)
    const { text, values } = pageStatement(driver, of, position, limit)
    const { rows: found } = await client.query(text, values, limit)
    for (const row of found) {
      const size = row.reduce((sum, cell) => sum + (cell?.length ?? 0) + 1, 0)
      // A page holds one row at least, or nothing would ever go on.
      if (rows.length > 0 && bytes + size > budget.maxBytes)
        return { kind: 'rows', rows, cursor: cursorOf(position), done: false }
      bytes += size
      rows.push(row.slice(0, of.columns.length))
      position = positionAfter(position, of, row)
    }
    if (found.length < limit) return { kind: 'rows', rows, cursor: endOf(position, mode), done: true }
    const isFull = rows.length >= budget.maxRows || clock.now() >= budget.deadlineAt
    if (isFull) return { kind: 'rows', rows, cursor: cursorOf(position), done: false }
  }
}

/** The newest moment of a table as it is now, so that what changes while it is read is read again. */
async function markOf(
  driver: DatabaseDriver,
  client: DatabaseClient,
  { from, changed }: ReadableRows,
): Promise<string | null> {
  if (!changed) return null
  const newest = driver.kept(`MAX(${driver.quote(changed.name)})`)
  const { rows } = await client.query(`SELECT ${newest} FROM ${from} AS t`, [], 1)
  return rows[0]?.[0] ?? null
}

function positionAfter(position: Position, { columns, key }: ReadableRows, row: readonly (string | null)[]): Position {
  if (position.phase === 'offset') return { phase: 'offset', offset: position.offset + 1 }
  const after = key.map((_, i) => row[columns.length + i] ?? '')
  if (position.phase === 'all') return { ...position, after }
  return { phase: 'new', at: row[columns.length + key.length] ?? position.at, after }
}

/** What the next sync begins with. */
function endOf(position: Position, mode: StreamMode): Cursor | null {
  if (mode === 'replace' || position.phase === 'offset') return null
  const at = position.phase === 'new' ? position.at : position.mark
  return at === null ? null : cursorOf({ phase: 'new', at, after: null })
}

function pageStatement(
  driver: DatabaseDriver,
  { from, columns, key, changed }: ReadableRows,
  position: Position,
  limit: number,
): { text: string; values: string[] } {
  const cell = ({ name }: { name: string }): string => `t.${driver.quote(name)}`
  const isNew = position.phase === 'new' && changed !== null
  const order = isNew ? [changed, ...key] : key
  const shown = [
    ...columns.map((column) => driver.canonical(cell(column), column)),
    ...key.map((column) => driver.kept(cell(column))),
    ...(isNew ? [driver.kept(cell(changed))] : []),
  ]
  const values: string[] = []
  const given = (column: TableColumn, value: string): string => driver.value(values.push(value), column)
  const select = `SELECT ${shown.join(', ')} FROM ${from} AS t`
  if (position.phase === 'offset') {
    const by = columns.map((_, i) => String(i + 1)).join(', ')
    return { text: `${select} ORDER BY ${by} LIMIT ${limit} OFFSET ${position.offset}`, values }
  }
  const by = order.map(cell).join(', ')
  const after = position.after && isNew ? [position.at, ...position.after] : position.after
  const begins = isNew
    ? `${cell(changed)} >= ${driver.earlier(given(changed, position.phase === 'new' ? position.at : ''))}`
    : ''
  if (after) values.length = 0
  const where = after ? laterThan(order, { cell, after, given }) : begins
  return { text: `${select}${where === '' ? '' : ` WHERE ${where}`} ORDER BY ${by} LIMIT ${limit}`, values }
}

/** (a, b) > (x, y), written so that every database can use its index. */
function laterThan(
  order: readonly TableColumn[],
  {
    cell,
    after,
    given,
  }: {
    cell: (column: TableColumn) => string
    after: readonly string[]
    given: (column: TableColumn, value: string) => string
  },
): string {
  const [first, ...rest] = order
  const [value = '', ...values] = after
  if (!first) return 'FALSE'
  if (rest.length === 0) return `${cell(first)} > ${given(first, value)}`
  const outer = `${cell(first)} >= ${given(first, value)}`
  const inner = `${cell(first)} > ${given(first, value)}`
  return `${outer} AND (${inner} OR (${laterThan(rest, { cell, after: values, given })}))`
}
