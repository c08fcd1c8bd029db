import { sha256HexSync } from '../../../lib/hash'
import { ERRORS, type ErrorBody, type ErrorCode } from '../../../shared/errors'
import type { PivotResults } from '../../../shared/charts/pivot-model'
import type { QueryPlan } from '../../../shared/query/plan'
import type { QueryResult } from '../../../shared/query/result'
import type { ReportBlock } from '../../../shared/reports/blocks'
import { WITHHELD } from '../../../features/reports/schedules/document-facts'
import type { Statement } from '../../../shared/statements/statements'
import type { DocumentBlock, ReportDocument } from '../../../shared/reports/editions'
import type { FigureAnswer, FigureTile, TileAnswer, TileContent, TokenAnswer } from '../../../shared/reports/tiles'

/**
 * What is told outside of a figure: itself, and how it is drawn. Not what it was asked by, which datasets it is of, nor what
 * rules left out.
 */
export function outsideAnswer(answer: TileAnswer): TileAnswer {
  if ('error' in answer) return { block: answer.block, error: outsideError(answer.error) }
  return { block: answer.block, content: outsideContent(answer.content) }
}

function outsideContent(content: TileContent): TileContent {
  switch (content.kind) {
    case 'kpis':
      return { kind: 'kpis', figures: content.figures.map(outsideFigure) }
    case 'chart': {
      const { viz, pivot } = content
      // Of what was frozen before totals came with their pivot they would be further questions.
      const drawn = viz.chart === 'pivot' && !pivot ? { ...viz, chart: 'table' as const } : viz
      const totals = pivot ? { pivot: outsideTotals(pivot) } : {}
      return { ...content, plan: drawnPlan(content.plan), viz: drawn, result: outsideResult(content.result), ...totals }
    }
    case 'text':
    case 'observation':
      return { ...content, tokens: outsideTokens(content.tokens) }
    case 'statement':
      return { ...content, statement: outsideStatement(content) }
    case 'forecast':
      return content
  }
}

/**
 * The lines of a statement, and its accounts only where the block lists them. Not where its entries are, what else its
 * books hold, and what in them does not add up.
 */
function outsideStatement({ statement, accounts }: Extract<TileContent, { kind: 'statement' }>): Statement {
  const shown = new Set(statement.columns.flatMap(({ object }) => object ?? []))
  const withAccounts = accounts || statement.kind === 'trial'
  return {
    ...statement,
    source: { id: '', name: '' },
    ...{ companies: [], years: [], dimensions: [], notices: [], entries: null, accountNames: null },
    objects: statement.objects.filter(({ key }) => shown.has(key)),
    rows: statement.rows.map(({ accounts: own, ...row }) => ({
      ...row,
      how: { kind: 'heading' as const },
      ...(withAccounts && own ? { accounts: own } : {}),
    })),
  }
}

const outsideFigure = (answer: FigureAnswer): FigureAnswer =>
  'error' in answer ? { error: outsideError(answer.error) } : outsideTile(answer)
const outsideTile = (tile: FigureTile): FigureTile => ({
  ...tile,
  plan: drawnPlan(tile.plan),
  result: outsideResult(tile.result),
})
const outsideTokens = (tokens: Record<string, TokenAnswer>): Record<string, TokenAnswer> =>
  Object.fromEntries(
    Object.entries(tokens).map(([raw, token]): [string, TokenAnswer] => {
      if ('error' in token) return [raw, { error: outsideError(token.error) }]
      return [raw, 'figure' in token ? { figure: outsideTile(token.figure) } : token]
    }),
  )

/** The form of a question: its splits and how many figures it has. */
const drawnPlan = ({ v, kind, dimensions, measures }: QueryPlan): QueryPlan => ({
  ...{ v, kind, filters: [] },
  dimensions: dimensions.map(({ field, grain }) => ({ field, ...(grain ? { grain } : {}) })),
  measures: measures.map(() => ({ kind: 'column', agg: 'count' })),
})

const outsideResult = ({
  conversion: _rates,
  unconverted: _plan,
  restricted: _rules,
  ...result
}: QueryResult): QueryResult => ({ ...result, words: '', datasets: [], hash: '' })

const outsideTotals = (totals: PivotResults): PivotResults =>
  Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, total && outsideResult(total)]))

/** What goes by and what is wrong for good; everything else is not there. */
const TOLD: readonly ErrorCode[] = ['busy', 'rate_limited', 'internal']
const outsideError = ({ code, message, requestId, ...details }: ErrorBody): ErrorBody => {
  if (message === WITHHELD) return { code, message, requestId: '' }
  const told: ErrorCode = TOLD.find((one) => one === code) ?? 'not_found'
  const wait = typeof details['retryAfter'] === 'number' ? { retryAfter: details['retryAfter'] } : {}
  return { ...wait, code: told, message: told === 'not_found' ? 'Not available.' : ERRORS[told].message, requestId }
}

/** Blocks without what is not shown: the sentence that an observation does not say comes with no answer. */
export const outsideBlock = (block: ReportBlock): ReportBlock =>
  block.kind === 'observation' ? { ...block, value: 0, then: '', otherwise: '' } : block

/** A block of an edition, with the sentence that its observation says; those from before it was frozen have none. */
export function outsideDocumentBlock({ block, answer }: DocumentBlock): DocumentBlock {
  const told = answer && outsideAnswer(answer)
  if (block.kind !== 'observation' || !told || !('content' in told) || told.content.kind !== 'observation')
    return { block: outsideBlock(block), answer: told }
  const { meets } = told.content
  const { sentence = meets === null ? '' : meets ? block.then : block.otherwise } = told.content
  return { block: outsideBlock(block), answer: { block: told.block, content: { ...told.content, sentence } } }
}

/** A document as it is put on paper for somebody outside. */
export const outsideDocument = (document: ReportDocument): ReportDocument => ({
  ...document,
  datasets: [],
  pages: document.pages.map((page) => ({
    ...page,
    blocks: page.blocks.map(({ block, answer }) => ({ block, answer: answer && outsideAnswer(answer) })),
  })),
})

const IDS = /\b([a-z]{2,3})_([0-9a-hjkmnp-tv-z]{20})\b/g
/** JSON in which no id of the workspace is an id: each is another one, the same wherever it stands in one link's answers. */
export function outsideJson(link: string, value: unknown): string {
  const names = new Map<string, string>()
  const nameOf = (id: string, prefix: string): string => {
    const known = names.get(id) ?? `${prefix}_${sha256HexSync(`${link} ${id}`).slice(0, 20)}`
    names.set(id, known)
    return known
  }
  return JSON.stringify(value).replaceAll(IDS, (id, prefix: string) => nameOf(id, prefix))
}
