import type { ErrorBody } from '../../../shared/errors'
import type { DocumentBlock, ReportDocument } from '../../../shared/reports/editions'
import type { TileContent } from '../../../shared/reports/tiles'
import type { QueryResult } from '../../../shared/query/result'

/** What a mail and the rules of a schedule ask of a document. */
export interface DocumentFacts {
  period: string | null
  filters: string[]
  /** ISO instant of the oldest data. */
  dataAsOf: string | null
  datasets: string[]
  isEmpty: boolean
}

export const factsOf = ({ pages, period, filters, dataAsOf, datasets }: Omit<ReportDocument, 'n'>): DocumentFacts => {
  const blocks = pages.flatMap((page) => page.blocks)
  const figures = blocks.flatMap(({ answer }) => (answer !== null && 'content' in answer ? [answer.content] : []))
  const told = figures.map(hasFigures).filter((has) => has !== null)
  return {
    ...{ period, filters, dataAsOf, datasets: datasets.map(({ id }) => id) },
    isEmpty: told.length > 0 && told.every((has) => !has),
  }
}

const hasValues = ({ rows, columns }: QueryResult): boolean => {
  const figures = columns.flatMap(({ kind }, at) => (kind === 'dimension' ? [] : [at]))
  return rows.some((row) => figures.some((at) => row[at] !== null && row[at] !== undefined))
}

/** Whether a tile shows any figure; null for those without figures of their own. */
function hasFigures(content: TileContent): boolean | null {
  switch (content.kind) {
    case 'chart':
      return hasValues(content.result)
    case 'kpis':
      return content.figures.some((figure) => 'result' in figure && hasValues(figure.result))
    case 'statement':
      return content.statement.rows.length > 0
    case 'forecast':
      return content.run.past.length > 0 || content.run.future.length > 0
    case 'text':
    case 'observation':
      return null
  }
}

export const WITHHELD = 'Not included: the filters of this report don’t apply here.'
const withheld: ErrorBody = { code: 'forbidden', message: WITHHELD, requestId: '' }
const isBeyond = (unfiltered: readonly number[], own: ReadonlySet<number>): boolean =>
  unfiltered.some((at) => own.has(at))

/**
 * A document without what a recipient's own filters do not reach: it would show them the figures of everybody.
 * @param own places of these filters among those that were asked
 */
export function withinFilters<T extends Omit<ReportDocument, 'n'>>(document: T, own: ReadonlySet<number>): T {
  if (own.size === 0) return document
  const pages = document.pages.map((page) => ({ ...page, blocks: page.blocks.map((block) => reached(block, own)) }))
  return { ...document, pages }
}

function reached({ block, answer }: DocumentBlock, own: ReadonlySet<number>): DocumentBlock {
  if (answer === null || !('content' in answer)) return { block, answer }
  const content = contentWithin(answer.content, own)
  return { block, answer: content ? { block: answer.block, content } : { block: answer.block, error: withheld } }
}

function contentWithin(content: TileContent, own: ReadonlySet<number>): TileContent | null {
  switch (content.kind) {
    case 'chart':
      return isBeyond(content.unfiltered, own) ? null : content
    case 'kpis':
      return {
        ...content,
        figures: content.figures.map((figure) =>
          'unfiltered' in figure && isBeyond(figure.unfiltered, own) ? { error: withheld } : figure,
        ),
      }
    case 'text':
      return { ...content, tokens: tokensWithin(content.tokens, own) }
    case 'observation': {
      // Its sentence was chosen by a figure; which filters that one follows is not told.
      return null
    }
    case 'forecast':
    case 'statement':
      return null
  }
}

type Tokens = Extract<TileContent, { kind: 'text' }>['tokens']
const tokensWithin = (tokens: Tokens, own: ReadonlySet<number>): Tokens =>
  Object.fromEntries(
    Object.entries(tokens).map(([token, answer]) => [
      token,
      'figure' in answer && isBeyond(answer.figure.unfiltered, own) ? { error: withheld } : answer,
    ]),
  )
