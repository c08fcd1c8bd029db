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
  return {
    ...{ kind: 'chart', name: block.title === '' ? name : block.title, plan, ...context },
    viz: block.chart === null ? viz : { ...viz, chart: block.chart },
    result: await page.questions.answer(plan),
  }
}

async function answerMetric(page: ReportPage, block: BlockOf<'metric'>): Promise<TileContent> {
  const metric = page.subjects.metric(block.metric)
  const { plan: own, time, viz } = metricBlockPlan(metric, await page.currencyOf(metric), block)
  const { plan, context } = planOnPage(own, withDefinitions(own, page.subjects.definitions), page.view, time)
  const result = await page.questions.answer(plan)
  return { kind: 'chart', name: block.title === '' ? metric.name : block.title, plan, viz, ...context, result }
}
