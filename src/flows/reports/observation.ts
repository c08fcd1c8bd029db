import { figureOf } from './figures'
import type { ReportPage } from './page'
import { answerTokens } from './token-answers'
import type { ComparisonOperator } from '../../shared/query/functions'
import type { BlockOf } from '../../shared/reports/blocks'
import type { QueryResult } from '../../shared/query/result'
import type { TileContent } from '../../shared/reports/tiles'

/** Which of its sentences an observation says, with the figures in it. */
export async function answerObservation(page: ReportPage, block: BlockOf<'observation'>): Promise<TileContent> {
  const { range } = page.view.period
  const compare = block.of === 'value' ? 'none' : block.against
  const { result } = await figureOf(page, block.subject, { range, compare })
  const figure = figureIn(result, block.of)
  const meets = figure === null ? null : MEETS[block.op](figure, block.value)
  const sentence = meets === null ? '' : meets ? block.then : block.otherwise
  return { kind: 'observation', meets, sentence, tokens: await answerTokens(page, sentence) }
}

const KIND_OF: Record<BlockOf<'observation'>['of'], QueryResult['columns'][number]['kind']> = {
  value: 'measure',
  change: 'change',
  changePercent: 'changePercent',
}
function figureIn({ columns, rows }: QueryResult, of: BlockOf<'observation'>['of']): number | null {
  const cell = rows[0]?.[columns.findIndex(({ kind }) => kind === KIND_OF[of])]
  if (cell === undefined || cell === null || cell === '' || typeof cell === 'boolean') return null
  const figure = Number(cell)
  return Number.isFinite(figure) ? figure : null
}

const MEETS: Record<ComparisonOperator, (figure: number, value: number) => boolean> = {
  eq: (figure, value) => figure === value,
  ne: (figure, value) => figure !== value,
  lt: (figure, value) => figure < value,
  le: (figure, value) => figure <= value,
  gt: (figure, value) => figure > value,
  ge: (figure, value) => figure >= value,
}
