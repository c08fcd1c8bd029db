import { answerTable } from '../../semantic/answer-table'
import { exportContext } from '../../semantic/export-context'
import { queryService } from '../../semantic/query-service'
import type { RequestContext } from '../../http/request-context'
import type { CalendarContext } from '../../semantic/calendar'
import { tableDownload, exportRowsMax, type Download } from '../../http/files/table-download'
import type { ExportQuery, Insight } from '../../shared/insights'
import { measuredDataset } from '../../shared/query/plan-fields'
import type { QueryPlan } from '../../shared/query/plan'

interface ExportContext extends CalendarContext, Pick<RequestContext, 'membership'> {
  insight: Insight
  /** Who takes the figures with them: stands in the file. */
  by: string
}

/**
 * The whole answer of an insight, or the records behind it, written while it is read.
 * @throws ProductError `too_large` with the count, before anything is sent
 */
export async function exportInsight(context: ExportContext, { format, rows }: ExportQuery): Promise<Download> {
  const { deps, scope, calendar, insight, by, membership } = context
  const given = await queryService(deps, { scope, calendar }).resolve(insight.plan)
  const plan = rows === '1' ? recordsPlan(given) : given
  const { numberLocale } = membership.settings
  const table = await answerTable({
    context,
    plan,
    numberLocale,
    percent: insight.viz.percent,
    rowsMax: exportRowsMax(format),
  })
  const name = `${insight.name}${rows === '1' ? ' records' : ''}`
  return tableDownload({
    ...{ format, table, timeZone: calendar.timeZone, numberLocale },
    name: `${name} ${calendar.today}`,
    context: exportContext({ context, table, by, name: ['Insight', insight.name] }),
  })
}

/** The records that the figures of a plan are computed from. */
function recordsPlan(plan: QueryPlan): QueryPlan {
  const dataset = measuredDataset(plan)
  const { filters, period, columns } = plan
  return {
    v: 1,
    kind: 'rows',
    measures: [],
    dimensions: [],
    filters,
    ...(dataset === undefined ? {} : { dataset }),
    ...(period ? { period: { ...period, compare: 'none' } } : {}),
    ...(columns ? { columns } : {}),
  }
}
