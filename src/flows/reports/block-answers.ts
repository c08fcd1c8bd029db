import { answerForecast } from './forecast-answer'
import { answerObservation } from './observation'
import { answerStatement } from './statement-answer'
import { figureOf } from './figures'
import { metricBlockPlan } from './figure-plans'
import { planOnPage } from './page-plan'
import type { ReportPage } from './page'
import { answerTokens } from './token-answers'
import { withDefinitions } from '../../semantic/query-service'
import { ProductError } from '../../shared/errors'
import { pivotPlans, type PivotResults } from '../../shared/charts/pivot-model'
import type { Viz } from '../../shared/insights'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { BlockOf, ReportBlock } from '../../shared/reports/blocks'
import type { FigureAnswer, TileContent } from '../../shared/reports/tiles'

/**
 * What a block shows to who reads the page.
 * @throws ProductError what it cannot be answered for
 */
export async function answerBlock(page: ReportPage, block: ReportBlock): Promise<TileContent> {
  switch (block.kind) {
    case 'kpis':
      return { kind: 'kpis', figures: await Promise.all(block.figures.map((figure) => kpiOf(page, figure))) }
    case 'insight':
      return answerInsight(page, block)
    case 'metric':
      return answerMetric(page, block)
    case 'text':
      return { kind: 'text', tokens: await answerTokens(page, block.text) }
    case 'observation':
      return answerObservation(page, block)
    case 'forecast':
      assertUnnarrowed(page)
      return answerForecast(page, block)
    case 'statement':
      assertUnnarrowed(page)
      return answerStatement(page, block)
    case 'image':
    case 'divider':
    case 'pageBreak':
      throw new ProductError('not_found')
  }
}

/** Forecasts and statements are of all rows, whatever a page is filtered by. */
function assertUnnarrowed({ view: { required } }: ReportPage): void {
  if (required.size > 0) throw new ProductError('not_found')
}

const kpiOf = (page: ReportPage, { subject, label }: BlockOf<'kpis'>['figures'][number]): Promise<FigureAnswer> =>
  figureOf(page, subject).then(
    (figure): FigureAnswer => ({ ...figure, name: label === '' ? figure.name : label }),
    (error: unknown): FigureAnswer => ({ error: page.refusal(error) }),
  )

async function answerInsight(page: ReportPage, block: BlockOf<'insight'>): Promise<TileContent> {
  const { plan: own, viz, name } = page.subjects.insight(block.insight)
  const { plan, context } = planOnPage(own, withDefinitions(own, page.subjects.definitions), page.view)
  const shown = block.chart === null ? viz : { ...viz, chart: block.chart }
  const title = block.title === '' ? name : block.title
  return { kind: 'chart', name: title, plan, viz: shown, ...context, ...(await answerChart(page, plan, shown)) }
}

/** An answer; of a pivot with its totals, which are questions of their own. */
async function answerChart(
  { questions, tableRows }: ReportPage,
  plan: QueryPlan,
  { chart }: Viz,
): Promise<{ result: QueryResult; pivot?: PivotResults }> {
  const plans = chart === 'pivot' && plan.dimensions.length > 1 ? pivotPlans(plan) : null
  const asked = chart === 'table' && tableRows !== undefined ? { ...plan, limit: tableRows, offset: 0 } : plan
  if (!plans) return { result: await questions.answer(asked) }
  const totalOf = async (total: QueryPlan | undefined): Promise<QueryResult | undefined> =>
    total && questions.answerPart(total).catch(ignoreTooComplex)
  const [result, rows, across, outer, outerTotal] = await Promise.all([
    questions.answer(plan),
    ...[plans.rows, plans.across, plans.outer, plans.outerTotal].map(totalOf),
  ])
  return { result, pivot: { rows, across, outer, outerTotal } }
}

/** Totals that no question can ask for are left out; without those that failed otherwise a pivot is not whole. */
function ignoreTooComplex(error: unknown): undefined {
  if (error instanceof ProductError && error.code === 'query_too_complex') return undefined
  throw error
}

async function answerMetric(page: ReportPage, block: BlockOf<'metric'>): Promise<TileContent> {
  const metric = page.subjects.metric(block.metric)
  const { plan: own, time, viz } = metricBlockPlan(metric, await page.currencyOf(metric), block)
  const { plan, context } = planOnPage(own, withDefinitions(own, page.subjects.definitions), page.view, time)
  const title = block.title === '' ? metric.name : block.title
  return { kind: 'chart', name: title, plan, viz, ...context, ...(await answerChart(page, plan, viz)) }
}
