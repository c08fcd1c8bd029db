import { filterText } from './filter-text'
import { answerPage, figureBlocks, openPages, type PagesReading } from './answer-page'
import type { CalendarContext } from '../../semantic/calendar'
import type { Actor, Membership } from '../../scope'
import { watchRights, type RightsWatch } from '../../identity/access/rights-watch'
import { toIso } from '../../lib/iso'
import { ProductError, type ErrorBody } from '../../shared/errors'
import type { FieldFilter } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { DocumentBlock, ReportDocument } from '../../shared/reports/editions'
import type { PublishProblem, ReportContent, ReportPeriod, ReportSummary } from '../../shared/reports/reports'
import type { FigureTile, TileAnswer, TileContent, TilesRequest } from '../../shared/reports/tiles'
import { formatDate } from '../../shared/figures/formatter'
import type { CatalogueDataset } from '../../warehouse/contract'
import { spanName } from '../../shared/statements/words'

/** By whose rights, calendar and notation a document is read, and until when. */
export interface DocumentContext extends CalendarContext {
  membership: Pick<Membership, 'role' | 'settings' | 'entitlements' | 'workspaceName'>
  /** Whose name stands on it. */
  actor: Pick<Actor, 'name'>
  refusal: (thrown: unknown) => ErrorBody
  /** Aborted once nobody waits for the document any more. */
  signal: AbortSignal
  /** Indexes of filters that every block follows, or is not shown. */
  required?: ReadonlySet<number>
  /** Throws once the reader may see other things than when reading began; absent: the rights of the scope are watched. */
  stillAllowed?: RightsWatch
}
export interface DocumentRequest {
  report: Pick<ReportSummary, 'id' | 'kind' | 'name' | 'description'>
  content: ReportContent
  period?: ReportPeriod | undefined
  filters: FieldFilter[]
  /** Marks that filter every block but their own. */
  sources?: TilesRequest['sources']
  note: string
  /** So many rows of each table are enough: the rest is written into the file while it is read, or not shown. */
  tableRows?: number
  /** One block instead of all. */
  block?: string
}

/** Loads that end while a report is read make it be read again, so often. */
const READINGS_MAX = 3
/** Different questions of all of its pages. */
const DOCUMENT_QUESTIONS = { max: 500, message: 'This report has too many figures for one file.' }
/** Cells of all answers of a report that is put together as a whole: it is held in memory. */
const DOCUMENT_CELLS_MAX = 500_000

/**
 * A report with every figure on it as who asks sees it, all of the same rows and by the same rights. It is held in memory:
 * what would be too much is refused before it is.
 * @throws ProductError `busy` when new rows came in again and again meanwhile; `too_large`; `forbidden` when the reader's
 * rights became others meanwhile
 */
export async function readDocument(
  context: DocumentContext,
  request: DocumentRequest,
): Promise<Omit<ReportDocument, 'n'>> {
  const stillAllowed = context.stillAllowed ?? (await watchRights(context.deps, context.scope))
  for (let reading = 0; reading < READINGS_MAX; reading += 1) {
    const before = await context.deps.warehouse(context.scope).datasets()
    const pages = await readPages(context, request, stillAllowed)
    const datasets = await context.deps.warehouse(context.scope).datasets()
    if (versionsOf(before) === versionsOf(datasets)) return documentOf(context, request, { pages, datasets })
  }
  throw new ProductError('busy', { retryAfter: 10 })
}

/** What of a document cannot be shown to anybody: a hole in it. */
export const documentProblems = ({ pages }: Pick<ReportDocument, 'pages'>): PublishProblem[] =>
  pages.flatMap(({ blocks }) =>
    blocks.flatMap(({ block, answer }) => {
      if (answer === null) return []
      const [error] = 'error' in answer ? [answer.error] : errorsIn(answer.content)
      return error ? [{ block: block.id, message: error.message }] : []
    }),
  )

function errorsIn(content: TileContent): ErrorBody[] {
  const answers = content.kind === 'kpis' ? content.figures : 'tokens' in content ? Object.values(content.tokens) : []
  return answers.flatMap((answer) => ('error' in answer ? [answer.error] : []))
}

const versionsOf = (datasets: readonly CatalogueDataset[]): string =>
  JSON.stringify(datasets.map(({ id, dataVersion }) => [id, dataVersion]))

/** One page after the other: a report of thirty pages would hold everybody else up. */
async function readPages(
  context: DocumentContext,
  request: DocumentRequest,
  stillAllowed: RightsWatch,
): Promise<ReportDocument['pages']> {
  const wanted = request.content.pages
    .map((page) => ({ ...page, blocks: page.blocks.filter(({ id }) => !request.block || id === request.block) }))
    .filter(({ blocks }) => !request.block || blocks.length > 0)
  const { filters } = request
  const shown = figureBlocks(wanted.flatMap(({ blocks }) => blocks))
  const reading = await openPages(context, shown, { filters, questions: DOCUMENT_QUESTIONS })
  const pages: ReportDocument['pages'] = []
  const left = { cells: DOCUMENT_CELLS_MAX }
  for (const { id, name, blocks } of wanted) {
    const answers = await readPage(context, { request, reading, left, page: id })
    // Nobody waits for it, or it would hold rows of other rights than the pages before it.
    if (context.signal.aborted) throw new ProductError('busy', { retryAfter: 1 })
    await stillAllowed()
    pages.push({
      id,
      name,
      blocks: blocks.map((block): DocumentBlock => ({ block, answer: answers.get(block.id) ?? null })),
    })
  }
  return pages
}

interface PageReading {
  request: DocumentRequest
  reading: PagesReading
  left: { cells: number }
  page: string
}
async function readPage(
  context: DocumentContext,
  { request, reading, left, page }: PageReading,
): Promise<Map<string, TileAnswer>> {
  const { content, period, filters, sources = [], tableRows, block } = request
  const asked: TilesRequest = {
    ...{ of: 'published', page, filters, sources },
    ...(period ? { period } : {}),
    ...(block === undefined ? {} : { blocks: [block] }),
  }
  const answers = new Map<string, TileAnswer>()
  for await (const line of answerPage(context, content, asked, { ...reading, tableRows }))
    if ('block' in line) {
      left.cells -= 'content' in line ? cellsOf(line.content) : 0
      if (left.cells < 0) throw tooLarge()
      answers.set(line.block, line)
    }
  return answers
}

const cellsOf = (content: TileContent): number =>
  resultsOf(content).reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0)
const tooLarge = (): ProductError =>
  new ProductError(
    'too_large',
    { what: 'cells', max: DOCUMENT_CELLS_MAX },
    'This report has too many rows for one file. Limit the rows of its tables, or export these by themselves.',
  )

function documentOf(
  { deps, membership, actor }: DocumentContext,
  { report, filters, note }: DocumentRequest,
  { pages, datasets }: { pages: ReportDocument['pages']; datasets: CatalogueDataset[] },
): Omit<ReportDocument, 'n'> {
  const { numberLocale, currency, timeZone } = membership.settings
  const contents = pages.flatMap(({ blocks }) => blocks.flatMap(contentsOf))
  const results = contents.flatMap(resultsOf)
  const statements = contents.flatMap((content) => (content.kind === 'statement' ? [content.statement] : []))
  const sources = new Set(statements.map(({ source }) => source.id))
  const read = new Set(results.flatMap(({ datasets }) => datasets.map(({ id }) => id)))
  return {
    v: 1,
    report: { id: report.id, kind: report.kind, name: report.name, description: report.description },
    workspace: membership.workspaceName,
    period: periodName(contents, results),
    filters: filters.map((filter) => filterText(filter, datasets, { locale: numberLocale, day: formatDate })),
    dataAsOf: [...results, ...statements].flatMap(({ dataAsOf }) => dataAsOf ?? []).toSorted()[0] ?? null,
    note,
    madeBy: actor.name,
    madeAt: toIso(deps.clock.now()),
    notation: { numberLocale, currency, timeZone },
    datasets: datasets
      .filter(({ id, sourceId }) => read.has(id) || sources.has(sourceId))
      .map(({ id, name, dataVersion }) => ({ id, name, dataVersion })),
    pages,
  }
}

const contentsOf = ({ answer }: DocumentBlock): TileContent[] =>
  answer !== null && 'content' in answer ? [answer.content] : []

const figuresOf = (answers: readonly (FigureTile | { error: ErrorBody })[]): QueryResult[] =>
  answers.flatMap((answer) => ('error' in answer ? [] : [answer.result]))

function resultsOf(content: TileContent): QueryResult[] {
  switch (content.kind) {
    case 'chart':
      return [content.result, ...Object.values(content.pivot ?? {}).flatMap((total) => total ?? [])]
    case 'kpis':
      return figuresOf(content.figures)
    case 'text':
    case 'observation':
      return Object.values(content.tokens).flatMap((answer) => ('figure' in answer ? [answer.figure.result] : []))
    case 'forecast':
    case 'statement':
      return []
  }
}

/** The period of a report in words: that of its statements, else the one that all of its figures have. */
function periodName(contents: readonly TileContent[], results: readonly QueryResult[]): string | null {
  const statement = contents.flatMap((content) => (content.kind === 'statement' ? [content.statement] : []))[0]
  if (statement) return spanName({ from: statement.through, to: statement.through }, 'en')
  const labels = new Set(results.map(({ period }) => period?.label ?? null))
  const [label = null] = labels
  return labels.size === 1 ? label : null
}
