import { answerPage, type TilesContext } from '../answer-page'
import { isTransient, ProductError, type ErrorBody } from '../../../shared/errors'
import { createCellFormatter, toNumber, type CellFormatter } from '../../../shared/figures/cell-formatter'
import { createFormatter } from '../../../shared/figures/formatter'
import { describeCompared, describeResultPeriod } from '../../../shared/charts/headline'
import type { QueryResult } from '../../../shared/query/result'
import type { ReportBlock } from '../../../shared/reports/blocks'
import type { ReportContent, ReportPeriod } from '../../../shared/reports/reports'
import type { FigureTile, TileContent } from '../../../shared/reports/tiles'
import { figureOf, writeTokens } from '../../../shared/reports/token-text'

/** What a block says in a few lines, and what data that rests on. */
export interface FigureLines {
  lines: string[]
  dataKey: string
}

/**
 * The figure of a block with its change, for who reads it; of a chart the figure as a whole. Null: the block is not there,
 * or says nothing.
 * @throws ProductError for what passes by itself
 */
export async function figureLines(
  context: TilesContext,
  content: ReportContent,
  blockId: string,
): Promise<FigureLines | null> {
  const page = content.pages.find(({ blocks }) => blocks.some(({ id }) => id === blockId))
  const block = page?.blocks.find(({ id }) => id === blockId)
  if (!page || !block) return null
  const shown = asFigures(block)
  const asked = { ...content, pages: [{ ...page, blocks: [shown] }] }
  const filters = content.filters.flatMap(({ filter }) => filter ?? [])
  const period = comparedPeriod(content.period, block)
  const request = { of: 'published' as const, page: page.id, filters, sources: [], period }
  for await (const line of answerPage(context, asked, request)) {
    if ('end' in line) return null
    if ('error' in line) return throwIfPassing(line.error)
    return linesOf(context, shown, line.content)
  }
  return null
}

function throwIfPassing(error: ErrorBody): null {
  if (isTransient(error)) throw ProductError.from(error)
  return null
}

/** A chart is told by its figure as a whole. */
function asFigures(block: ReportBlock): ReportBlock {
  const { id, place } = block
  if (block.kind === 'insight')
    return {
      ...{ id, place, kind: 'kpis' },
      figures: [{ subject: { kind: 'insight', id: block.insight, measure: 0 }, label: block.title }],
    }
  if (block.kind === 'metric')
    return {
      ...{ id, place, kind: 'kpis' },
      figures: [{ subject: { kind: 'metric', id: block.metric }, label: block.title }],
    }
  return block
}

const LAST_MONTH = { kind: 'relative', span: 'last', n: 1, unit: 'month', includeCurrent: false } as const
/** The report's own, held against the one before; without one a chart is told by its last complete month. */
function comparedPeriod({ range, compare }: ReportPeriod, { kind }: ReportBlock): ReportPeriod {
  const isChart = kind === 'insight' || kind === 'metric'
  return { range: range ?? (isChart ? LAST_MONTH : null), compare: compare === 'none' ? 'previous' : compare }
}

function linesOf({ membership }: TilesContext, block: ReportBlock, content: TileContent): FigureLines | null {
  const base = createFormatter(membership.settings)
  const format = createCellFormatter(base)
  if (content.kind === 'kpis') {
    const failed = content.figures.flatMap((one) => ('error' in one ? [one.error] : []))
    failed.forEach(throwIfPassing)
    const figures = content.figures.flatMap((one) => ('error' in one ? [] : [one]))
    const lines = figures.map((one) => figureLine(one, format, base.day))
    return lines.length === 0 ? null : { lines, dataKey: keyOf(figures.map(({ result }) => result)) }
  }
  if (content.kind === 'forecast')
    return { lines: [content.run.summary], dataKey: `${content.run.id} ${content.run.dataAsOf}` }
  if (content.kind !== 'observation' || block.kind !== 'observation' || content.meets === null) return null
  const sentence = content.meets ? block.then : block.otherwise
  const tokens = Object.values(content.tokens).flatMap((one) => ('figure' in one ? [one.figure.result] : []))
  const line = writeTokens(sentence, content.tokens, format).replaceAll('**', '')
  return line === '' ? null : { lines: [line], dataKey: `${content.meets} ${keyOf(tokens)}` }
}

/** "Sales, Aug 2026: 300 kr, +50 % vs Jul 2026". */
function figureLine(tile: FigureTile, format: CellFormatter, day: (iso: string) => string): string {
  const figure = figureOf(tile)
  const period = describeResultPeriod(tile.result, day)
  const name = period === null ? tile.name : `${tile.name}, ${period}`
  if (!figure || toNumber(figure.value) === null) return `${name}: no data`
  const value = `${name}: ${format.sentence(figure.value, figure.column)}`
  const compare = tile.result.period?.compare
  const change = toNumber(figure.change)
  if (!compare || change === null) return value
  const words =
    figure.share === null ? format.signedSentence(figure.change, figure.column) : format.share(figure.share, true)
  return `${value}, ${change === 0 ? 'no change' : words} vs ${describeCompared(compare, day)}`
}

const keyOf = (results: readonly QueryResult[]): string =>
  [...new Set(results.flatMap(({ datasets }) => datasets.map(({ id, dataVersion }) => `${id}:${dataVersion}`)))]
    .toSorted()
    .join(' ')
