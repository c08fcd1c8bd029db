import { firstRow, type WarehouseContext } from './context'
import { RATE_DECIMALS, RATE_SOURCES, type RateSet, type RateSource } from '../shared/currencies'
import { BATCH_MAX_BYTES } from '../shared/limits'

/** Sets of rates kept for the next question; the oldest gives way. */
const SETS_MAX = 12
/** Days that one line of a set may be for: no row is dated further apart than calendars reach. */
const RATE_DAYS_MAX = 40_000

/** Where the rates of one key lie. */
export interface StoredRateSet {
  n: number
  /** Rates are whole numbers of 10^-scale. */
  scale: number
  /** None is larger. */
  bound: bigint
}

/** Takes rates in, a line for each day: rows are then joined by currency and day. Doing it again changes nothing. */
export function storeRateSet(context: WarehouseContext, set: RateSet): null {
  const scale = rateScale(set)
  const by = 10n ** BigInt(RATE_DECIMALS - scale)
  const bound = set.lines.reduce((most, { n }) => (BigInt(n) / by > most ? BigInt(n) / by : most), 1n)
  context.transaction(() => {
    const { sql } = context
    sql.exec('DELETE FROM fx_rates WHERE fx IN (SELECT n FROM fx_sets WHERE key = ?)', set.key)
    sql.exec('DELETE FROM fx_sets WHERE key = ?', set.key)
    sql.exec(
      'INSERT INTO fx_sets (key, scale, bound, at) VALUES (?, ?, ?, ?)',
      set.key,
      scale,
      bound.toString(),
      context.clock.now(),
    )
    const made = firstRow<{ n: number }>(sql, 'SELECT n FROM fx_sets WHERE key = ?', set.key)
    for (const rows of rateBatches(set, by)) {
      sql.exec(
        `INSERT INTO fx_rates SELECT ?1, value ->> 0, value ->> 1, CAST(value ->> 2 AS INTEGER), value ->> 3, value ->> 4, value ->> 5
         FROM json_each(?2) WHERE 1 ON CONFLICT DO NOTHING`,
        made?.n ?? 0,
        rows,
      )
    }
    const old = 'SELECT n FROM fx_sets ORDER BY at DESC, n DESC LIMIT -1 OFFSET ?'
    sql.exec(`DELETE FROM fx_rates WHERE fx IN (${old})`, SETS_MAX)
    sql.exec(`DELETE FROM fx_sets WHERE n IN (${old})`, SETS_MAX)
  })
  return null
}

/** Decimals that the rates of a set have at most: fewer let more sums stay exact. */
function rateScale({ lines }: RateSet): number {
  let scale = 0
  for (const { n } of lines) {
    while (scale < RATE_DECIMALS && BigInt(n) % 10n ** BigInt(RATE_DECIMALS - scale) !== 0n) scale += 1
  }
  return scale
}

/** Lines as JSON arrays, a day each, that one parameter can carry. */
function* rateBatches({ lines }: RateSet, by: bigint): Generator<string> {
  let rows: string[] = []
  let size = 0
  for (const line of lines) {
    const { currency, from, n, rateFrom, rateTo, source } = line
    const to = Math.min(line.to, from + RATE_DAYS_MAX)
    for (let day = from; day <= to; day += 1) {
      const row = JSON.stringify([currency, day, (BigInt(n) / by).toString(), rateFrom, rateTo, source])
      rows.push(row)
      size += row.length + 1
      if (size > BATCH_MAX_BYTES / 2) {
        yield `[${rows.join()}]`
        rows = []
        size = 0
      }
    }
  }
  if (rows.length > 0) yield `[${rows.join()}]`
}

/** Null when they have not come yet. */
export function findRateSet(sql: SqlStorage, key: string): StoredRateSet | null {
  type Row = { n: number; scale: number; bound: string }
  const row = firstRow<Row>(sql, 'SELECT n, scale, bound FROM fx_sets WHERE key = ?', key)
  return row && { n: row.n, scale: row.scale, bound: BigInt(row.bound) }
}

/** The rate of a currency on a day, and what it was made of. */
export interface RateOfDay {
  day: number
  /** What one of the currency is worth, in whole numbers of the set's scale. */
  n: number
  /** The days that it was published for; null for one that is set by hand. */
  from: number | null
  to: number | null
  source: RateSource | null
}
/** The rates of each currency by their days. */
export type RatesByDay = ReadonlyMap<string, ReadonlyMap<number, RateOfDay>>

/** The rates of a set, which never change. */
export function ratesOfSet(sql: SqlStorage, set: number): RatesByDay {
  type Row = { currency: string; day: number; n: number; rate_from: number | null; rate_to: number | null }
  const query = 'SELECT currency, day, n, rate_from, rate_to, source FROM fx_rates WHERE fx = ?'
  const found = new Map<string, Map<number, RateOfDay>>()
  for (const { currency, day, n, rate_from: from, rate_to: to, source } of sql.exec<Row & { source: string }>(
    query,
    set,
  )) {
    const days = found.get(currency) ?? new Map<number, RateOfDay>()
    found.set(currency, days)
    days.set(day, { day, n, from, to, source: RATE_SOURCES.find((each) => each === source) ?? null })
  }
  return found
}
