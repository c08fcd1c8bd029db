import { columnLabel } from '../../../shared/query/column-label'
import type { Cell, QueryResult } from '../../../shared/query/result'
import { keyFigure } from '../../../shared/charts/headline'
import type { EditionDifference, ReportDocument } from '../../../shared/reports/editions'
import type { FigureAnswer, TileContent, TokenAnswer } from '../../../shared/reports/tiles'
import type { Statement } from '../../../shared/statements/statements'

type Figure = string | number | null
/** Figures by what they are of, with its name for readers: two lines of a statement may be called alike. */
type Figures = Map<string, { name: string; value: Figure }>
const entry = (name: string, value: Figure, id = name): [string, { name: string; value: Figure }] => [
  id,
  { name, value },
]

/**
 * Every figure that is another in one of two editions of a report, in the order of the pages. A figure that only one of
 * them has is nothing (null) in the other.
 */
export function editionDifferences(before: ReportDocument, after: ReportDocument): EditionDifference[] {
  const [earlier, later] = [figuresOf(before), figuresOf(after)]
  const places = new Map([...earlier, ...later].map(([id, { page, block }]) => [id, { page, block }]))
  return [...places].flatMap(([id, { page, block }]) => {
    const [was, is]: Figures[] = [earlier.get(id)?.figures ?? new Map(), later.get(id)?.figures ?? new Map()]
    const ids = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    return ids.flatMap((figure): EditionDifference[] => {
      const [from, to] = [was?.get(figure), is?.get(figure)]
      const [old, now] = [from?.value ?? null, to?.value ?? null]
      return old === now ? [] : [{ page, block, figure: (to ?? from)?.name ?? '', before: old, after: now }]
    })
  })
}

interface BlockFigures {
  page: string
  block: string
  figures: Figures
}

function figuresOf({ pages }: ReportDocument): Map<string, BlockFigures> {
  return new Map(
    pages.flatMap(({ name: page, blocks }) =>
      blocks.flatMap(({ block, answer }): [string, BlockFigures][] => {
        if (answer === null || 'error' in answer) return []
        const { content } = answer
        const title = 'title' in block && block.title !== '' ? block.title : nameOf(content)
        return [[block.id, { page, block: title, figures: contentFigures(content) }]]
      }),
    ),
  )
}

function nameOf(content: TileContent): string {
  if (content.kind === 'statement') return content.statement.kind
  return 'name' in content ? content.name : content.kind
}

function contentFigures(content: TileContent): Figures {
  switch (content.kind) {
    case 'chart':
      return resultFigures(content.result)
    case 'statement':
      return statementFigures(content.statement)
    case 'forecast':
      return new Map(content.run.future.map(({ period, mean }) => entry(period, mean)))
    case 'kpis':
      return new Map(content.figures.flatMap((answer, at) => figureEntry(answer, at)))
    case 'text':
    case 'observation':
      return new Map(Object.entries(content.tokens).flatMap(([raw, answer]) => tokenEntry(raw, answer)))
  }
}

const plain = (cell: Cell): Figure => (typeof cell === 'boolean' ? String(cell) : cell)

function figureEntry(answer: FigureAnswer, at: number): ReturnType<typeof entry>[] {
  if ('error' in answer) return []
  return [entry(answer.name, plain(keyFigure(answer.result)?.value ?? null), String(at))]
}

function tokenEntry(raw: string, answer: TokenAnswer): ReturnType<typeof entry>[] {
  if ('date' in answer) return [entry(raw, answer.date)]
  return 'figure' in answer ? [entry(raw, plain(keyFigure(answer.figure.result)?.value ?? null))] : []
}

/** Figures of an answer by the values of its splits and the name of the column. */
function resultFigures(result: QueryResult): Figures {
  const splits = result.columns.flatMap(({ kind }, at) => (kind === 'dimension' ? [at] : []))
  const lines = result.totals ? [...result.rows, result.totals] : result.rows
  return new Map(
    lines.flatMap((row, line) => {
      const isTotal = line === result.rows.length
      const of = isTotal ? 'Total' : splits.map((at) => String(row[at] ?? '–')).join(', ')
      return result.columns.flatMap((column, at) => {
        const name = [of, columnLabel(column, result)].filter((part) => part !== '').join(': ')
        return column.kind === 'dimension' ? [] : [entry(name, plain(row[at] ?? null), `${of} ${column.key}`)]
      })
    }),
  )
}

/** Figures of a statement by line, or account, and column. */
function statementFigures({ rows, columns }: Statement): Figures {
  const lines = rows.flatMap((row) => [
    { id: row.key, name: row.label.en, values: row.values },
    ...(row.accounts ?? []).map(({ account, values }) => ({ id: `${row.key} ${account}`, name: account, values })),
  ])
  return new Map(
    lines.flatMap(({ id, name, values }) =>
      columns.map(({ key, kind, span, object }, at) => {
        const months = span.from === span.to ? span.to : `${span.from}–${span.to}`
        return entry([name, kind, months, object].filter(Boolean).join(' '), values[at] ?? null, `${id} ${key}`)
      }),
    ),
  )
}
