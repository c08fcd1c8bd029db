import type { Cell, QueryResult, ResultColumn } from '../../src/shared/query/result'

export type GoldenCell = string | number | boolean | null
type GoldenRow = GoldenCell[]

/** Tolerances of the golden answers: 0.005, or a millionth. */
const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(0.005, 1e-6 * Math.max(Math.abs(a), Math.abs(b)))

/** The ways a bucket of time may be written: the day it begins, or the name of its unit. */
function writings(cell: Cell, { grain }: ResultColumn): GoldenCell[] {
  if (grain === undefined || typeof cell !== 'string') return [cell]
  const [year = '', month = ''] = cell.split('-')
  const quarter = Math.ceil(Number(month) / 3)
  const units: Partial<Record<string, GoldenCell[]>> = {
    year: [Number(year), year],
    month: [`${year}-${month}`, Number(month)],
    quarter: [`${year}-Q${quarter}`, `${year}Q${quarter}`, quarter],
  }
  return [cell, ...(units[grain] ?? [])]
}

function sameCell(got: Cell, wanted: GoldenCell, column: ResultColumn): boolean {
  return writings(got, column).some((written) => {
    if (written === null || wanted === null) return written === wanted
    if (typeof wanted === 'number')
      return typeof written !== 'boolean' && written !== '' && near(Number(written), wanted)
    if (typeof wanted === 'boolean') return written === wanted
    const moment = (text: string): string => text.replace(/[T ]00:00(:00(\.0+)?)?$/, '').replace('T', ' ')
    return moment(String(written)) === moment(wanted)
  })
}

/** How an answer differs from the golden one: row by row when its order counts, else as sets. */
export function differences(result: QueryResult, golden: { rows: GoldenRow[]; ordered: boolean }): string[] {
  const { rows, columns } = result
  const same = (got: Cell[], wanted: GoldenRow): boolean =>
    got.length === wanted.length && columns.every((column, i) => sameCell(got[i] ?? null, wanted[i] ?? null, column))
  if (rows.length !== golden.rows.length) return [`${golden.rows.length} rows are wanted, ${rows.length} came`]
  if (golden.ordered)
    return golden.rows
      .flatMap((wanted, i) => (same(rows[i] ?? [], wanted) ? [] : [told(wanted, rows[i], i)]))
      .slice(0, 5)
  const left = [...rows]
  const missing = golden.rows.filter((wanted) => {
    const at = left.findIndex((got) => same(got, wanted))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return missing.map((wanted, i) => told(wanted, left[i])).slice(0, 5)
}

const told = (wanted: GoldenRow, got: Cell[] | undefined, at?: number): string =>
  `row${at === undefined ? '' : ` ${at + 1}`}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got ?? null)}`
