import type { StatementColumn, StatementNotice, StatementQuery, StatementRow } from '../../shared/statements/statements'
import { Books, type ColumnFacts } from './books'
import type { FigureReader, YearFigures } from './figures'
import { foldLines, toRows } from './fold-lines'
import { LAYOUTS } from './layouts'
import { monthText, type Movement } from './months'
import type { LoadedBooks, StatementContext } from './context'

/** Objects that have a column of their own. */
const OBJECTS_MAX = 30

interface ObjectTable {
  loaded: LoadedBooks
  reader: FigureReader
  query: StatementQuery
  objects: readonly { key: string; name: string | null }[]
}

/**
 * Profit and loss of a period, a column for each object of a dimension, and all of them. Past {@link OBJECTS_MAX} objects
 * those that moved most have columns, and a notice says so.
 */
export async function objectColumns(
  { ranges, decimals }: StatementContext,
  { loaded, reader, query, objects }: ObjectTable,
): Promise<{ columns: StatementColumn[]; rows: StatementRow[]; notices: StatementNotice[] }> {
  const { books, period, lineOf, names } = loaded
  // The whole of months or quarters, and of fiscal years the chosen one.
  const span = period.spans.at(-1)?.span ?? period.year
  const dimension = query.dimension
  const years = books.years.filter(
    ({ year }) => year.detail === 'entries' && year.from <= span.to && span.from <= year.to,
  )
  const byYear = await Promise.all(
    years.map(async ({ year }) => ({ year, objects: dimension ? await reader.byObject(year, dimension) : new Map() })),
  )
  const booksOf = (object: string): Books =>
    new Books(
      byYear.map(({ year, objects: months }): YearFigures => ({
        ...{ year, opening: null, whole: null, completed: [] },
        months: months.get(object) ?? new Map<number, Map<string, Movement>>(),
      })),
    )
  const known = new Set(byYear.flatMap((year) => [...year.objects.keys()]))
  const all = [...objects.map(({ key }) => key).filter((key) => key !== ''), '']
    .filter((key) => known.has(key))
    .map((object) => ({ object, facts: booksOf(object).facts(span) }))
  const largest = new Set(all.toSorted((a, b) => compare(moved(b.facts), moved(a.facts))).slice(0, OBJECTS_MAX))
  const shown = all.filter((one) => largest.has(one))
  const facts: (ColumnFacts | null)[] = [...shown.map((one) => one.facts), books.facts(span)]
  const text = { from: monthText(span.from), to: monthText(span.to) }
  const columns = [...shown.map(({ object }) => object), null].map((object, at): StatementColumn => ({
    ...{ key: `o${at}`, kind: 'actual', group: String(at), span: text, total: object === null },
    ...(object === null ? {} : { object }),
  }))
  const input = { facts, remainders: [], lineOf, names, ranges, decimals }
  return {
    ...{ columns, rows: toRows(foldLines(LAYOUTS.income, input), input) },
    notices: shown.length < all.length ? [{ kind: 'objects', shown: shown.length, of: all.length }] : [],
  }
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
/** What accounts moved, whichever way. */
const moved = (facts: ColumnFacts | null): bigint =>
  [...(facts?.values() ?? [])].reduce((sum, { change }) => sum + (change < 0n ? -change : change), 0n)
