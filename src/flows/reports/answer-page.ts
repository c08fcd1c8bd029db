import { answerBlock } from './block-answers'
import type { PageFilter } from './page-plan'
import { PAGE_QUESTIONS, pageQuestions, type QuestionsLimit } from './page-questions'
import { periodGuide, periodLabels } from './told-period'
import { readPageSubjects } from './page-subjects'
import type { PageContext, ReportPage } from './page'
import { reportingCurrency } from '../../semantic/currency/reporting-currency'
import type { CalendarContext } from '../../semantic/calendar'
import { ProductError } from '../../shared/errors'
import type { FieldFilter, QueryPlan } from '../../shared/query/plan'
import { FIGURE_BLOCKS, type ReportBlock } from '../../shared/reports/blocks'
import type { ReportContent, ReportPage as PageContent } from '../../shared/reports/reports'
import type { TileAnswer, TilesEnd, TilesRequest } from '../../shared/reports/tiles'
import { graphOfRelations } from '../../warehouse/query/plan/relation-graph'
import type { PlanSchema } from '../../warehouse/query/plan/check-plan'

export interface TilesContext extends PageContext {
  refusal: ReportPage['refusal']
  signal: AbortSignal
  /** Indexes of filters that every block follows, or is not shown. */
  required?: ReadonlySet<number>
}

/** What several pages of one report are answered with: what they show is read once, equal questions are asked once. */
export type PagesReading = Pick<ReportPage, 'subjects' | 'questions' | 'currencyOf'> & { schema: PlanSchema | null }

/** Reads what blocks show, so that they can be answered. */
export async function openPages(
  context: TilesContext,
  blocks: readonly ReportBlock[],
  asked: { filters: readonly FieldFilter[]; questions: QuestionsLimit },
): Promise<PagesReading> {
  const [subjects, schema] = await Promise.all([
    readPageSubjects(context, blocks),
    asked.filters.length === 0 ? null : readSchema(context),
  ])
  const { definitions } = subjects
  const questions = pageQuestions(context, { definitions, signal: context.signal, limit: asked.questions })
  return { subjects, schema, questions, currencyOf: currencies(context) }
}

/** Blocks that show figures. */
export const figureBlocks = (blocks: readonly ReportBlock[]): ReportBlock[] => {
  const kinds: readonly string[] = FIGURE_BLOCKS
  return blocks.filter(({ kind }) => kinds.includes(kind))
}

/**
 * Answers the blocks of a page, each as soon as it is ready and whatever becomes of the others; then the end.
 * @throws ProductError `not_found` for a page or block that the content does not have, before anything is told
 */
export async function* answerPage(
  context: TilesContext,
  content: ReportContent,
  request: TilesRequest,
  given?: PagesReading & { tableRows?: number | undefined },
): AsyncGenerator<TileAnswer | TilesEnd> {
  const blocks = wantedBlocks(content, request)
  const filters = request.filters.map((filter, index): PageFilter => ({ filter, index }))
  const asked = { filters: request.filters, questions: PAGE_QUESTIONS }
  const guide = periodGuide(pageOf(content, request.page)?.blocks ?? [])
  const { schema, ...reading } = given ?? (await openPages(context, guide ? [...blocks, guide] : blocks, asked))
  const page: ReportPage = {
    ...{ context, ...reading, refusal: context.refusal },
    view: { period: request.period ?? content.period, filters, schema, required: context.required ?? NONE },
    // Its questions are those of the block itself, and asked once.
    periodLabels: async () => (guide ? answerBlock(page, guide).then(periodLabels, () => []) : []),
  }
  yield* asReady(blocks.map((block) => answerOf(viewedBy(page, block, request), block)))
  yield { end: true, dataAsOf: reading.questions.dataAsOf() }
}

const NONE: ReadonlySet<number> = new Set()

const pageOf = ({ pages }: ReportContent, id: string): PageContent | undefined => pages.find((each) => each.id === id)

function wantedBlocks(content: ReportContent, { page: id, blocks: wanted }: TilesRequest): ReportBlock[] {
  const page = pageOf(content, id)
  if (!page || wanted?.some((block) => page.blocks.every((each) => each.id !== block)))
    throw new ProductError('not_found')
  return figureBlocks(page.blocks).filter(({ id: own }) => !wanted || wanted.includes(own))
}

/** A mark that was clicked filters every block but its own. */
function viewedBy(page: ReportPage, { id }: ReportBlock, { sources }: TilesRequest): ReportPage {
  const own = new Set(sources.flatMap(({ block, filter }) => (block === id ? [filter] : [])))
  if (own.size === 0) return page
  return { ...page, view: { ...page.view, filters: page.view.filters.filter(({ index }) => !own.has(index)) } }
}

async function answerOf(page: ReportPage, block: ReportBlock): Promise<TileAnswer> {
  try {
    return { block: block.id, content: await answerBlock(page, block) }
  } catch (error) {
    return { block: block.id, error: page.refusal(error) }
  }
}

async function* asReady<T>(works: readonly Promise<T>[]): AsyncGenerator<T> {
  const open = new Map(works.map((work, at) => [at, work.then((value) => ({ at, value }))]))
  while (open.size > 0) {
    const { at, value } = await Promise.race(open.values())
    open.delete(at)
    yield value
  }
}

export async function readSchema({ deps, scope }: CalendarContext): Promise<PlanSchema> {
  const warehouse = deps.warehouse(scope)
  const [relations, datasets] = await Promise.all([warehouse.relations({}), warehouse.datasets()])
  const byId = new Map(datasets.map((dataset) => [dataset.id, dataset]))
  const find = (id: string) => byId.get(id) ?? null
  return { find, graph: graphOfRelations(relations, find) }
}

function currencies(context: CalendarContext): ReportPage['currencyOf'] {
  const known = new Map<string, Promise<QueryPlan['currency']>>()
  return ({ id, dataset }) => {
    const asked = known.get(id) ?? reportingCurrency(context, { measure: { kind: 'metric', id }, filters: [], dataset })
    known.set(id, asked)
    return asked
  }
}
