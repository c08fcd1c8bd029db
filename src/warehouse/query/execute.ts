import { queryTooComplex } from './refuse'
import type { Sql } from './sql'

const STATEMENT_MAX_CHARS = 90_000
const PARAMETERS_MAX = 100
/**
 * What one answer may hold. RPC carries 32 MiB and a character is up to two bytes there; the object that builds the
 * answer has 128 MB for everything.
 */
export const ANSWER_MAX_CHARS = 8 * 1024 * 1024
/** What a value costs besides its text; dates become texts of about this length. */
export const VALUE_CHARS = 16

/** All rows of a statement. @throws ProductError `query_too_complex` when they are too much for an answer */
export type ExecuteSql = (query: Sql) => SqlStorageValue[][]

const charsOf = (row: readonly SqlStorageValue[]): number =>
  row.reduce((total: number, cell) => total + VALUE_CHARS + (typeof cell === 'string' ? cell.length : 0), 0)

export const sqlExecutor =
  (storage: SqlStorage): ExecuteSql =>
  (query) => {
    const { text, values } = query.render()
    if (text.length > STATEMENT_MAX_CHARS) throw queryTooComplex('statement', STATEMENT_MAX_CHARS)
    if (values.length > PARAMETERS_MAX) throw queryTooComplex('values', PARAMETERS_MAX)
    const rows: SqlStorageValue[][] = []
    let chars = 0
    for (const row of startStatement(storage, { text, values })) {
      chars += charsOf(row)
      // Read to the end all the same: a cursor left halfway locks its table, and a load could not replace it.
      if (chars <= ANSWER_MAX_CHARS) rows.push(row)
      else rows.length = 0
    }
    if (chars > ANSWER_MAX_CHARS) throw queryTooComplex('characters', ANSWER_MAX_CHARS)
    return rows
  }

/** What SQLite says of a statement that is too much for its own limits, in words of ours. */
const LIMITS = /too many terms|too large|at most \d+ tables|too many columns|parser stack overflow|too complex/i

function startStatement(storage: SqlStorage, { text, values }: ReturnType<Sql['render']>): Iterable<SqlStorageValue[]> {
  try {
    return storage.exec(text, ...values).raw()
  } catch (error) {
    if (error instanceof Error && LIMITS.test(error.message)) throw queryTooComplex('parts', PARAMETERS_MAX)
    throw error
  }
}
