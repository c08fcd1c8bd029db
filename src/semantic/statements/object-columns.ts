import type { StatementColumn, StatementQuery, StatementRow } from '../../shared/statements/statements'
import { Books, type ColumnFacts } from './books'
import type { FigureReader, Movement, YearFigures } from './figures'
import { foldLines, toRows } from './fold-lines'
import { LAYOUTS } from './layouts'
import { monthText } from './months'
import type { LoadedBooks, StatementContext } from './context'

/** Objects that have a column of their own; those with most entries of money come first. */
const OBJECTS_MAX = 30

interface ObjectTable {
  loaded: LoadedBooks
  reader: FigureReader
  query: StatementQuery
  objects: readonly { key: string; name: string | null }[]
}

/** Profit and loss of a period, a column for each object of a dimension, and all of them. */
export async function objectColumns(
  { ranges, decimals }: StatementContext,
  { loaded, reader, query, objects }: ObjectTable,
): Promise<{ columns: StatementColumn[]; rows: StatementRow[] }> {
  const { books, period, lineOf, names } = loaded
  const spans = period.spans.map(({ span }) => span)
  const span = { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) }
  const dimension = query.dimension
  const years = books.years.filter(({ year }) => year.from <= span.to && span.from <= year.to)
  const byYear = await Promise.all(
    years.map(async ({ year }) => ({ year, objects: dimension ? await reader.byObject(year, dimension) : new Map() })),
  )
  const booksOf = (object: string): Books =>
    new Books(
      byYear.map(({ year, objects: months }): YearFigures => ({
        ...{ year, opening: null, whole: null },
        months: months.get(object) ?? new Map<number, Map<string, Movement>>(),
      })),
    )
  const known = new Set(byYear.flatMap((year) => [...year.objects.keys()]))
  const shown = [
    ...objects.map(({ key }) => key).filter((key) => key !== '' && known.has(key)),
    ...(known.has('') ? [''] : []),
  ].slice(0, OBJECTS_MAX)
  const facts: (ColumnFacts | null)[] = [...shown.map((object) => booksOf(object).facts(span)), books.facts(span)]
  const text = { from: monthText(span.from), to: monthText(span.to) }
  const columns = [...shown, null].map((object, at): StatementColumn => ({
    ...{ key: `o${at}`, kind: 'actual', group: String(at), span: text, total: object === null },
    ...(object === null ? {} : { object }),
  }))
  const input = { facts, remainders: [], lineOf, names, ranges, decimals }
  return { columns, rows: toRows(foldLines(LAYOUTS.income, input), input) }
}
