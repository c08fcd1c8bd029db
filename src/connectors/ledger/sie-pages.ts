import { isByYear, keyColumnsOf } from './ledger-columns'
import { readSieTable } from './sie-rows'
import type { Cell, Cursor, ReadPage, ReadRequest } from '../contract'
import { ledgerColumns } from '../../formats/sie/ledger-tables'
import { toFiscalYear } from '../../formats/sie/values'
import type { LedgerTable } from '../../shared/data-sources/files'

/** A fiscal year as a vendor lists it: its id there, and its first and last day. */
export interface VendorFiscalYear {
  id: string
  from: string
  to: string
}

export interface SiePagesInput {
  table: LedgerTable
  request: Pick<ReadRequest, 'cursor' | 'budget'>
  /** All of them, the oldest first. */
  years: readonly VendorFiscalYear[]
  /** The SIE file of a year. */
  fileOf: (year: VendorFiscalYear) => Promise<Uint8Array>
  now: () => number
}

/** Where a table stands between two pages: the year, how many of its rows were read, and what the last of them is called. */
interface LedgerPosition {
  year: string
  rows: number
  last: string
}

function positionOf(cursor: Cursor | null): LedgerPosition | null {
  if (cursor === null) return null
  const { year, rows, last } = cursor
  return typeof year === 'string' && typeof rows === 'number' && typeof last === 'string' ? { year, rows, last } : null
}

/**
 * One page of a ledger's table, out of the SIE files of all its years. A file also tells the year before: that is left to its own
 * file, where there is one. Rows are followed by what they are called, not by their place: a voucher that is posted between
 * two pages moves others, and none of them comes twice.
 */
export async function readSiePage(input: SiePagesInput): Promise<ReadPage> {
  const { table, request, years } = input
  const newest = years.at(-1)
  const wanted = isByYear(table) ? years : newest ? [newest] : []
  const from = positionOf(request.cursor)
  const rows: Cell[][] = []
  let position = from
  // A year that is gone meanwhile is one that was read.
  const first =
    from === null
      ? 0
      : Math.max(
          0,
          wanted.findIndex(({ id }) => id === from.year),
        )
  for (const [at, year] of wanted.entries()) {
    if (at < first) continue
    const bytes = await input.fileOf(year)
    const own = at > 0 ? toFiscalYear(year.from, year.to).name : null
    const start = position?.year === year.id ? position : null
    const read = await rowsAfter(bytes, { table, own, start, max: request.budget.maxRows - rows.length })
    rows.push(...read.rows)
    position = { year: year.id, rows: (start?.rows ?? 0) + read.rows.length, last: read.last ?? start?.last ?? '' }
    if (!read.isWhole) return { kind: 'rows', rows, cursor: { ...position }, done: false }
    const next = wanted[at + 1]
    if (!next) break
    position = { year: next.id, rows: 0, last: '' }
    if (rows.length >= request.budget.maxRows || input.now() >= request.budget.deadlineAt)
      return { kind: 'rows', rows, cursor: { ...position }, done: false }
  }
  return { kind: 'rows', rows, cursor: null, done: true }
}

interface Stretch {
  table: LedgerTable
  /** Name of the file's own year, of which alone rows are taken; null = of all its years. */
  own: string | null
  start: LedgerPosition | null
  max: number
}

/** Rows of a file behind a position, and whether none is left. */
async function rowsAfter(
  bytes: Uint8Array,
  { table, own, start, max }: Stretch,
): Promise<{ rows: Cell[][]; last: string | null; isWhole: boolean }> {
  const columns = ledgerColumns(table).map(({ label }) => label)
  const yearAt = columns.indexOf('fiscal_year')
  const keyAt = keyColumnsOf(table).map((name) => columns.indexOf(name))
  const nameOf = (row: Cell[]): string => JSON.stringify(keyAt.map((at) => row[at] ?? ''))
  const take = async (isPast: (row: Cell[], seen: number) => boolean) => {
    const rows: Cell[][] = []
    let [seen, more, hasBegun] = [0, false, start === null || start.last === '']
    await readSieTable(bytes, table, (row) => {
      if (own !== null && yearAt >= 0 && row[yearAt] !== own) return
      seen += 1
      if (!hasBegun) hasBegun = isPast(row, seen)
      else if (rows.length < max) rows.push(row)
      else more = true
    })
    return { rows, more, hasBegun }
  }
  let found = await take((row) => nameOf(row) === start?.last)
  // What was read last is gone: then its place is the best that is known.
  if (!found.hasBegun) found = await take((_row, seen) => seen >= (start?.rows ?? 0))
  const last = found.rows.at(-1)
  return { rows: found.rows, last: last ? nameOf(last) : null, isWhole: !found.more }
}
