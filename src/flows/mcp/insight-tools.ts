import { z } from 'zod'
import { MCP_ROWS_DEFAULT, MCP_ROWS_MAX, toAnswer } from './answers'
import type { McpContext } from './context'
import { defineTool } from './tool'
import { listFindings } from '../../features/findings/service'
import { getForecast, getRun, listForecasts, listRuns } from '../../features/forecasts/service'
import { getInsight, listInsights } from '../../features/insights/service'
import { formatFindingSentence } from '../../mail/format-figures'
import { queryService } from '../../semantic/query-service'
import type { Forecast, ForecastRunWithResult } from '../../shared/forecasts/forecasts'
import type { ForecastResult } from '../../shared/forecasts/result'
import { idSchema } from '../../shared/ids'

const LIST_SIZE = 50
const rowsSchema = z.int().min(1).max(MCP_ROWS_MAX).default(MCP_ROWS_DEFAULT).describe('Rows to answer')
const searchSchema = z.string().trim().max(100).optional()

/** An insight with its figures. @throws ProductError `not_found` and what its question is refused for */
export async function readInsight(context: McpContext, id: string, rows: number): Promise<Record<string, unknown>> {
  const { deps, scope, calendar } = context
  const insight = await getInsight(context, id)
  const result = await queryService(deps, { scope, calendar }).answer(insight.plan)
  return {
    ...{ id, name: insight.name, description: insight.description, chart: insight.viz.chart, plan: insight.plan },
    verified: insight.verified !== null,
    answer: toAnswer(result, rows),
  }
}

export const getInsightTool = defineTool(
  {
    name: 'get_insight',
    title: 'Get an insight',
    description:
      'A saved insight with its question and current figures; without an id the list of insights, to find one by name.',
    scope: 'read',
    permission: 'view:insight',
    gate: 'aiAssistant',
  },
  z.strictObject({
    id: idSchema('insight').optional(),
    search: searchSchema.describe('Part of a name, when no id is given'),
    rows: rowsSchema,
  }),
  async (context, { id, search, rows }) => {
    if (id !== undefined) return readInsight(context, id, rows)
    const query = { limit: LIST_SIZE, deleted: '0', ...(search === undefined ? {} : { q: search }) } as const
    const { items, nextCursor } = await listInsights(context, query)
    return {
      insights: items.map(({ id: each, name, description, verified }) => ({
        ...{ id: each, name, description, verified: verified !== null },
      })),
      truncated: nextCursor !== null,
    }
  },
)

export const listFindingsTool = defineTool(
  {
    name: 'list_findings',
    title: 'List findings',
    description:
      'Changes, outliers, shifts and streaks found in the workspace’s figures, most telling first. A finding says what accounts for a change, never what caused it.',
    scope: 'read',
    permission: 'view:insight',
    gate: 'aiAssistant',
  },
  z.strictObject({
    insight: idSchema('insight').optional(),
    metric: idSchema('metric').optional(),
    dataset: idSchema('dataset').optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  async (context, filter) => {
    const { items, lookedAt, behind, nextCursor } = await listFindings(context, { ...filter, hidden: '0' })
    return {
      findings: items.map((finding) => ({
        ...{
          id: finding.id,
          kind: finding.kind,
          sentence: formatFindingSentence(finding, context.membership.settings),
        },
        ...{ about: finding.about.label, metric: finding.about.metric, insights: finding.about.insights },
        ...{ period: finding.period, effect: finding.effect, tone: finding.tone, confidence: finding.confidence },
      })),
      ...{ lookedAt, behind, truncated: nextCursor !== null },
    }
  },
)

/** The newest run that its reader may see: the owner's, or the newest made by rights like theirs. */
async function newestRun(context: McpContext, forecast: Forecast): Promise<ForecastRunWithResult | null> {
  if (forecast.ready) return forecast.ready
  const { items } = await listRuns(context, { id: forecast.id, limit: 20 })
  const run = items.find(({ state }) => state === 'ready')
  return run ? getRun(context, { forecastId: forecast.id, runId: run.id }) : null
}

/** Past periods that a program is told of a forecast. */
const PAST_MAX = 60

function pathOf({ periods, raw, future, total, grain, format }: ForecastResult) {
  const { mean, bands } = total.path
  const from = Math.max(0, periods.length - PAST_MAX)
  return {
    ...{ grain, format },
    past: periods.slice(from).map((period, at) => ({ period, value: raw[from + at] ?? null })),
    future: future.map((period, at) => ({
      ...{ period, expected: mean[at] ?? null },
      interval80: [bands[80].lower[at] ?? null, bands[80].upper[at] ?? null],
      interval95: [bands[95].lower[at] ?? null, bands[95].upper[at] ?? null],
    })),
  }
}

/** A forecast with what its newest run found. @throws ProductError `not_found` */
async function readForecast(context: McpContext, id: string): Promise<Record<string, unknown>> {
  const forecast = await getForecast(context, id)
  const run = await newestRun(context, forecast)
  return {
    ...{ id, name: forecast.name, of: forecast.subjectName, subject: forecast.subject, state: forecast.state },
    run: run?.result
      ? { grade: run.grade, dataAsOf: run.dataAsOf, finishedAt: run.finishedAt, ...pathOf(run.result) }
      : null,
  }
}

export const forecastTool = defineTool(
  {
    name: 'forecast',
    title: 'Read a forecast',
    description:
      'A forecast of the workspace: expected values with 80 % and 95 % intervals, accuracy grade A–D, and the past it was made from. Without an id the list of forecasts, of one metric or insight if given.',
    scope: 'read',
    permission: 'view:insight',
    gate: 'forecasting',
  },
  z.strictObject({
    id: idSchema('forecast').optional(),
    metric: idSchema('metric').optional(),
    insight: idSchema('insight').optional(),
  }),
  async (context, { id, ...of }) => {
    if (id !== undefined) return readForecast(context, id)
    const { items, nextCursor } = await listForecasts(context, { limit: LIST_SIZE, ...of })
    return {
      forecasts: items.map((item) => ({ id: item.id, name: item.name, of: item.subjectName, state: item.state })),
      truncated: nextCursor !== null,
    }
  },
)
