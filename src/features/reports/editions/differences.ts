import { columnLabel } from '../../../shared/query/column-label'
import type { Cell, QueryResult } from '../../../shared/query/result'
import { withPercent } from '../../../shared/charts/chart-model'
import { keyFigure } from '../../../shared/charts/headline'
import { MISSING_VALUE } from '../../../shared/figures/figures'
import {
  createCellFormatter,
  toNumber,
  type CellFormatter,
  type FormattedColumn,
} from '../../../shared/figures/cell-formatter'
import { createFormatter } from '../../../shared/figures/formatter'
import { blockName } from '../../../shared/reports/block-names'
import type { EditionDifference, ReportDocument } from '../../../shared/reports/editions'
import type { FigureTile, TileContent, TokenAnswer } from '../../../shared/reports/tiles'
import { isShareColumn, columnName, groupName, statementFigure } from '../../../shared/statements/words'

type Value = string | number | null
interface Figure {
  /** What it is of, for readers. */
  name: string
  value: Value
  text: string
  /** By how much it is more, in words; absent for what is no number. */
  more?: (by: number) => string
}
/** Figures by what they are of: two lines of a statement may be called alike. */
type Figures = Map<string, Figure>
/** How the document writes figures. */
interface Notation {
  format: CellFormatter
  locale: string
}

/**
 * Every figure that is another in one of two editions of a report, in the order of the pages. A figure that only one of
 * them has is nothing (null) in the other.
 */
export function editionDifferences(before: ReportDocument, after: ReportDocument): EditionDifference[] {
  const [earlier, later] = [figuresOf(before), figuresOf(after)]
  const places = new Map([...earlier, ...later].map(([id, { page, block }]) => [id, { page, block }]))
  return [...places].flatMap(([id, place]) => {
    const [was, is]: Figures[] = [earlier.get(id)?.figures ?? new Map(), later.get(id)?.figures ?? new Map()]
    const ids = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])]
    return ids.flatMap((figure): EditionDifference[] => {
      const [from, to] = [was?.get(figure), is?.get(figure)]
      if ((from?.value ?? null) === (to?.value ?? null)) return []
      const change = changeOf(from, to)
      const key = `${id}/${figure}`
      // What no decimal shows is no difference to a reader.
      const isHidden = from?.text === to?.text && change.text === (to?.more?.(0) ?? change.text)
      if (isHidden) return []
      const name = (to ?? from)?.name ?? ''
      return [{ key, ...place, figure: name, before: shown(from), after: shown(to), change }]
    })
  })
}
const shown = (of: Figure | undefined): EditionDifference['after'] =>
  of && of.value !== null ? { value: of.value, text: of.text } : { value: null, text: MISSING_VALUE }

/** By how much the later of two numbers is more. */
function changeOf(from: Figure | undefined, to: Figure | undefined): EditionDifference['change'] {
  const [old, now] = [toNumber(from?.value), toNumber(to?.value)]
  if (old === null || now === null || !to?.more) return { value: null, text: '' }
  return { value: now - old, text: to.more(now - old) }
}

interface BlockFigures {
  page: string
  block: string
  figures: Figures
}

function figuresOf({ pages, notation }: ReportDocument): Map<string, BlockFigures> {
  const writing = { format: createCellFormatter(createFormatter(notation)), locale: notation.numberLocale }
  return new Map(
    pages.flatMap(({ name: page, blocks }) =>
      blocks.flatMap(({ block, answer }): [string, BlockFigures][] => {
        if (answer === null || 'error' in answer) return []
        const { content } = answer
        const isTitled = 'title' in block && block.title !== ''
        const title = !isTitled && 'name' in content ? content.name : blockName(block)
        return [[block.id, { page, block: title, figures: contentFigures(content, writing) }]]
      }),
    ),
  )
}

function contentFigures(content: TileContent, writing: Notation): Figures {
  switch (content.kind) {
    case 'chart':
      return resultFigures(withPercent(content.result, content.viz.percent), writing)
    case 'statement':
      return statementFigures(content, writing)
    case 'forecast': {
      const column: FormattedColumn = { type: 'number', kind: 'measure', format: content.run.format }
      return new Map(
        content.run.future.map(({ period, mean }) => [
          period,
          figureOf(writing.format.bucket(period, content.grain), mean, { column, writing }),
        ]),
      )
    }
    case 'kpis':
      return new Map(
        content.figures.flatMap((answer, at): [string, Figure][] =>
          'error' in answer ? [] : [[String(at), tileFigure(answer, writing)]],
        ),
      )
    case 'text':
    case 'observation':
      return new Map(
        Object.entries(content.tokens).flatMap(([raw, answer]): [string, Figure][] =>
          tokenFigure(raw, answer, writing),
        ),
      )
  }
}

const figureOf = (name: string, cell: Cell, of: { column: FormattedColumn; writing: Notation }): Figure => {
  const { column, writing } = of
  const { format } = writing
  const value = typeof cell === 'boolean' ? String(cell) : cell
  const text =
    column.kind === 'changePercent' && value !== null
      ? format.share(toNumber(value) ?? 0, true)
      : format.full(cell, column)
  const signed = { ...column, kind: 'measure' } as const
  return { name, value, text, more: (by) => format.signed(by, signed) }
}

/** A figure of one period, named by it. */
function tileFigure({ name, result, percent }: FigureTile, writing: Notation): Figure {
  const figure = keyFigure(withPercent(result, percent ? [0] : []))
  const named = [name, result.period?.label].filter(Boolean).join(', ')
  if (!figure) return { name: named, value: null, text: MISSING_VALUE }
  return figureOf(named, figure.value, { column: figure.column, writing })
}

function tokenFigure(raw: string, answer: TokenAnswer, writing: Notation): [string, Figure][] {
  if ('error' in answer) return []
  if ('figure' in answer) return [[raw, tileFigure(answer.figure, writing)]]
  return [[raw, { name: 'Date', value: answer.date, text: writing.format.day(answer.date) }]]
}

/** Figures of an answer by the values of its splits and the name of the column. */
function resultFigures(result: QueryResult, writing: Notation): Figures {
  const splits = result.columns.flatMap((column, at) => (column.kind === 'dimension' ? [{ column, at }] : []))
  const lines = result.totals ? [...result.rows, result.totals] : result.rows
  return new Map(
    lines.flatMap((row, line) => {
      const isTotal = line === result.rows.length
      const key = isTotal ? 'Total' : JSON.stringify(splits.map(({ at }) => row[at] ?? null))
      const of = isTotal
        ? 'Total'
        : splits.map(({ column, at }) => writing.format.label(row[at] ?? null, column)).join(', ')
      return result.columns.flatMap((column, at): [string, Figure][] => {
        const name = [of, columnLabel(column, result)].filter((part) => part !== '').join(': ')
        if (column.kind === 'dimension') return []
        return [[`${key} ${column.key}`, figureOf(name, row[at] ?? null, { column, writing })]]
      })
    }),
  )
}

const SHARE: FormattedColumn = { type: 'number', kind: 'measure', format: { style: 'percent' } }

/** Figures of a statement by line, or account, and column. */
function statementFigures(
  { statement, language }: Extract<TileContent, { kind: 'statement' }>,
  { format, locale }: Notation,
): Figures {
  const { rows, columns, decimals } = statement
  const lines = rows.flatMap((row) => [
    { id: row.key, name: row.label[language], values: row.values, format: row.format },
    ...(row.accounts ?? []).map(({ account, name, values }) => ({
      ...{ id: `${row.key} ${account}`, name: name === null ? account : `${account} ${name}` },
      ...{ values, format: row.format },
    })),
  ])
  const isPlain = columns.every(({ kind }) => kind === 'actual')
  return new Map(
    lines.flatMap((line) =>
      columns.map((column, at): [string, Figure] => {
        const { key, kind } = column
        const group = groupName(column, language, statement)
        const heading = isPlain ? group : `${group}, ${columnName(kind, language)}`
        const value = line.values[at] ?? null
        const write = (one: string): string => statementFigure(one, { format: line.format, kind, locale, decimals })
        const isShare = isShareColumn(kind) || line.format === 'percent'
        const more = (by: number): string =>
          isShare ? format.signed(by, SHARE) : `${by > 0 ? '+' : ''}${write(by.toFixed(decimals))}`
        const text = value === null ? MISSING_VALUE : write(value)
        return [`${line.id} ${key}`, { name: `${line.name}: ${heading}`, value, text, more }]
      }),
    ),
  )
}
