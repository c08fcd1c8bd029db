import { insightFigurePlan, metricFigurePlan, type FigurePlan } from './figure-plans'
import { planOnPage, type PageView } from './page-plan'
import type { ReportPage } from './page'
import { withDefinitions } from '../../semantic/query-service'
import type { MetricSubject } from '../../semantic/monitored-metric-store'
import type { SubjectRef } from '../../shared/monitored-metric'
import type { ReportPeriod } from '../../shared/reports/reports'
import type { FigureTile } from '../../shared/reports/tiles'

interface NamedFigure extends FigurePlan, Pick<FigureTile, 'subject' | 'name' | 'direction' | 'percent'> {}

/**
 * One figure over the page's period, or another, held against what that is compared with.
 * @throws ProductError `not_found`, and what its question is refused for
 */
export async function figureOf(page: ReportPage, subject: SubjectRef, period?: ReportPeriod): Promise<FigureTile> {
  const named =
    subject.kind === 'metric' ? await ofMetric(page, page.subjects.metric(subject.id)) : ofInsight(page, subject)
  return answerFigure(page, named, period)
}

/** The same of a metric that is called by its name. */
export const metricFigure = async (page: ReportPage, name: string, period: ReportPeriod): Promise<FigureTile> =>
  answerFigure(page, await ofMetric(page, page.subjects.metricNamed(name)), period)

async function answerFigure(
  page: ReportPage,
  { plan: own, time, ...named }: NamedFigure,
  period?: ReportPeriod,
): Promise<FigureTile> {
  const view: PageView = period ? { ...page.view, period } : page.view
  const { plan, context } = planOnPage(own, withDefinitions(own, page.subjects.definitions), view, time)
  return { ...named, ...context, plan, result: await page.questions.answer(plan) }
}

function ofInsight(page: ReportPage, subject: Extract<SubjectRef, { kind: 'insight' }>): NamedFigure {
  const insight = page.subjects.insight(subject.id)
  const { viz, name, plan } = insight
  const figure = insightFigurePlan(insight, subject.measure, page.subjects.definitions)
  const label = plan.measures.length > 1 ? plan.measures[subject.measure]?.label : undefined
  return {
    ...{ ...figure, subject, direction: viz.direction, name: label ?? name },
    percent: viz.percent?.includes(subject.measure) ?? false,
  }
}

const ofMetric = async (page: ReportPage, metric: MetricSubject): Promise<NamedFigure> => ({
  ...metricFigurePlan(metric, await page.currencyOf(metric)),
  subject: { kind: 'metric', id: metric.id },
  name: metric.name,
  direction: metric.direction,
  percent: metric.format?.style === 'percent',
})
