import { z } from 'zod'
import { MCP_ROWS_DEFAULT, toAnswer } from './answers'
import type { McpContext } from './context'
import { defineTool } from './tool'
import { answerPage } from '../reports/answer-page'
import { contentOf, getReport, listReports } from '../../features/reports/service'
import { refusalOf } from '../../http/errors'
import { ProductError, type ErrorBody } from '../../shared/errors'
import { idSchema } from '../../shared/ids'
import { localIdSchema, type ReportBlock } from '../../shared/reports/blocks'
import type { FigureAnswer, TileAnswer, TileContent, TokenAnswer } from '../../shared/reports/tiles'
import type { Statement } from '../../shared/statements/statements'

const LIST_SIZE = 50
const errorOf = ({ code, message }: ErrorBody) => ({ error: { code, message } })

const figureOf = (answer: FigureAnswer) =>
  'error' in answer ? errorOf(answer.error) : { name: answer.name, answer: toAnswer(answer.result, 1) }

const tokenOf = (token: TokenAnswer) =>
  'error' in token ? errorOf(token.error) : 'date' in token ? { date: token.date } : figureOf(token.figure)
const tokensOf = (tokens: Record<string, TokenAnswer>) =>
  Object.fromEntries(Object.entries(tokens).map(([raw, token]) => [raw, tokenOf(token)]))

const statementOf = ({ kind, company, year, through, columns, rows }: Statement) => ({
  ...{ kind, company: company.name, currency: company.currency, year, through, columns },
  rows: rows.map(({ key, label, level, values }) => ({ key, label, level, values })),
})

function contentOfTile(content: TileContent): Record<string, unknown> {
  switch (content.kind) {
    case 'kpis':
      return { figures: content.figures.map(figureOf) }
    case 'chart':
      return { name: content.name, answer: toAnswer(content.result, MCP_ROWS_DEFAULT) }
    case 'forecast':
      return { name: content.name, grain: content.grain, forecast: content.run }
    case 'statement':
      return { statement: statementOf(content.statement) }
    case 'text':
      return { figures: tokensOf(content.tokens) }
    case 'observation':
      return { meets: content.meets, sentence: content.sentence ?? null, figures: tokensOf(content.tokens) }
  }
}

const tileOf = (tile: TileAnswer) => ('error' in tile ? errorOf(tile.error) : contentOfTile(tile.content))
const textOf = (block: ReportBlock) => (block.kind === 'text' ? { text: block.text } : {})

/** One page of a published report with its figures. @throws ProductError `not_found` */
export async function readReportPage(
  context: McpContext,
  { id, page: wanted }: { id: string; page?: string | undefined },
): Promise<Record<string, unknown>> {
  const [report, content] = await Promise.all([getReport(context, id), contentOf(context, { id, of: 'published' })])
  const page = wanted === undefined ? content.pages[0] : content.pages.find((each) => each.id === wanted)
  if (!page) throw new ProductError('not_found')
  const { requestId, signal, deps } = context
  const refusal = (thrown: unknown) => refusalOf(thrown, { requestId, path: '/mcp', reporter: deps.reporter })
  const filters = content.filters.flatMap(({ filter }) => filter ?? [])
  const tiles = new Map<string, TileAnswer>()
  const request = { of: 'published' as const, page: page.id, filters, sources: [] }
  for await (const line of answerPage({ ...context, refusal, signal }, content, request))
    if (!('end' in line)) tiles.set(line.block, line)
  return {
    ...{ id, name: report.name, description: report.description, kind: report.kind, publishedAt: report.publishedAt },
    pages: content.pages.map((each) => ({ id: each.id, name: each.name })),
    page: { id: page.id, name: page.name },
    blocks: page.blocks.map((block) => {
      const tile = tiles.get(block.id)
      return { id: block.id, kind: block.kind, ...textOf(block), ...(tile ? tileOf(tile) : {}) }
    }),
  }
}

export const getReportTool = defineTool(
  {
    name: 'get_report',
    title: 'Get a report',
    description:
      'One page of a published report with its current figures (the first unless named); without an id the list of reports.',
    scope: 'read',
    permission: 'view:report',
    gate: 'reporting',
  },
  z.strictObject({
    id: idSchema('report').optional(),
    page: localIdSchema.optional().describe('Id of the page'),
    search: z.string().trim().max(100).optional().describe('Part of a name, when no id is given'),
  }),
  async (context, { id, page, search }) => {
    if (id !== undefined) return readReportPage(context, { id, page })
    const query = { limit: LIST_SIZE, archived: '0', ...(search === undefined ? {} : { q: search }) } as const
    const { items, nextCursor } = await listReports(context, query)
    const published = items.filter(({ status }) => status === 'published')
    return {
      reports: published.map((item) => ({ id: item.id, name: item.name, description: item.description })),
      truncated: nextCursor !== null,
    }
  },
)
