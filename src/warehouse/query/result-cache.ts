import type { QueryResult } from '../../shared/query/result'

/** Answers already given, in the object that gave them. A swap of rows changes the key, so old answers are unreachable. */
const ANSWER_MAX_CHARS = 500_000
const CACHE_MAX_CHARS = 8_000_000
/** Looking for what gives way reads all that is kept: it is done once in so many characters that were written. */
const CHARS_BETWEEN_LOOKS = 500_000
/** Characters written since; an object that begins to live has not looked. */
const written = new WeakMap<SqlStorage, number>()

/** Idempotent: the query room makes its own table, which holds nothing that cannot be computed again. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS query_cache (
  hash TEXT PRIMARY KEY, body TEXT NOT NULL, size INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID`

export interface ResultCache {
  read(hash: string): QueryResult | null
  write(result: QueryResult): void
}

export function resultCache(sql: SqlStorage, now: number): ResultCache {
  sql.exec(CREATE_TABLE)
  return {
    read(hash) {
      const [row] = sql.exec<{ body: string }>('SELECT body FROM query_cache WHERE hash = ?', hash).toArray()
      return row ? { ...parseCached(row.body), cached: true } : null
    },
    write(result) {
      const body = JSON.stringify(result)
      if (body.length > ANSWER_MAX_CHARS) return
      sql.exec('INSERT OR REPLACE INTO query_cache VALUES (?, ?, ?, ?)', result.hash, body, body.length, now)
      const chars = (written.get(sql) ?? CHARS_BETWEEN_LOOKS) + body.length
      if (chars > CHARS_BETWEEN_LOOKS) evict(sql)
      written.set(sql, chars > CHARS_BETWEEN_LOOKS ? 0 : chars)
    },
  }
}

/** The oldest give way. */
function evict(sql: SqlStorage): void {
  sql.exec(
    `DELETE FROM query_cache WHERE hash IN (
       SELECT hash FROM (SELECT hash, sum(size) OVER (ORDER BY at DESC, hash) AS kept FROM query_cache) WHERE kept > ?)`,
    CACHE_MAX_CHARS,
  )
}

/** Drops every answer: with a dataset's rows, the figures computed from them go too. */
export function clearResultCache(sql: SqlStorage): void {
  sql.exec(CREATE_TABLE)
  sql.exec('DELETE FROM query_cache')
}

/** Our own writing, read back. */
function parseCached(body: string): QueryResult {
  const result: QueryResult = JSON.parse(body)
  return result
}
