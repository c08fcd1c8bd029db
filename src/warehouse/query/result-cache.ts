import type { QueryResult } from '../../shared/query/result'

/** Answers already given, in the object that gave them. A swap of rows changes the key, so old answers are unreachable. */
const ANSWER_MAX_CHARS = 500_000
const CACHE_MAX_CHARS = 8_000_000
/** Looking for what gives way reads all that is kept: it is done once in so many characters that were written. */
const CHARS_BETWEEN_LOOKS = 500_000
/** Characters of answers that no statement has written yet. */
const UNWRITTEN_MAX_CHARS = 250_000

/** Idempotent: the query room makes its own table, which holds nothing that cannot be computed again. */
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS query_cache (
  hash TEXT PRIMARY KEY, body TEXT NOT NULL, size INTEGER NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID`

export interface ResultCache {
  read(hash: string): QueryResult | null
  /** Kept in memory at once, and in the object's SQLite with the next {@link writeAnswers}. */
  write(result: QueryResult): void
}

/** What an object that lives knows of its answers. As text they are one thing to collect, and not thousands. */
interface LatestAnswers {
  unwritten: Map<string, { body: string; at: number }>
  unwrittenChars: number
  /** Characters written since what gives way was looked for; an object that begins to live has not looked. */
  chars: number
}
const latest = new WeakMap<SqlStorage, LatestAnswers>()

function latestOf(sql: SqlStorage): LatestAnswers {
  const known = latest.get(sql)
  if (known) return known
  sql.exec(CREATE_TABLE)
  const made = { unwritten: new Map(), unwrittenChars: 0, chars: CHARS_BETWEEN_LOOKS }
  latest.set(sql, made)
  return made
}

export function resultCache(sql: SqlStorage, now: number): ResultCache {
  const answers = latestOf(sql)
  return {
    read(hash) {
      const body = answers.unwritten.get(hash)?.body ?? writtenBody(sql, hash)
      return body === null ? null : { ...parseCached(body), cached: true }
    },
    write(result) {
      const body = JSON.stringify(result)
      if (body.length > ANSWER_MAX_CHARS) return
      answers.unwritten.set(result.hash, { body, at: now })
      answers.unwrittenChars += body.length
      if (answers.unwrittenChars > UNWRITTEN_MAX_CHARS) writeAnswers(sql)
    },
  }
}

function writtenBody(sql: SqlStorage, hash: string): string | null {
  const [row] = sql.exec<{ body: string }>('SELECT body FROM query_cache WHERE hash = ?', hash).toArray()
  return row?.body ?? null
}

/**
 * Writes the answers given lately, those of a page together: whoever waits for one would wait for the disk each time, and
 * a question that is under way would look up anew what it reads.
 */
export function writeAnswers(sql: SqlStorage): void {
  const answers = latest.get(sql)
  if (!answers || answers.unwritten.size === 0) return
  for (const [hash, { body, at }] of answers.unwritten) {
    sql.exec('INSERT OR REPLACE INTO query_cache VALUES (?, ?, ?, ?)', hash, body, body.length, at)
    answers.chars += body.length
  }
  answers.unwritten.clear()
  answers.unwrittenChars = 0
  if (answers.chars <= CHARS_BETWEEN_LOOKS) return
  evict(sql)
  answers.chars = 0
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
  latest.delete(sql)
  sql.exec(CREATE_TABLE)
  sql.exec('DELETE FROM query_cache')
}

/** Our own writing, read back. */
function parseCached(body: string): QueryResult {
  const result: QueryResult = JSON.parse(body)
  return result
}
