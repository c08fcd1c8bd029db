import { answerTable } from '../../semantic/answer-table'
import { exportContext } from '../../semantic/export-context'
import type { RequestContext } from '../../http/request-context'
import type { CalendarContext } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { exportRowsMax, tableDownload, type Download } from '../../http/files/table-download'
import type { ExportAnswer } from '../../shared/query/export-answer'

/**
 * The answer to a plan as its table shows it, every row, written while it is read.
 * @throws ProductError `too_large` with the count, before anything is sent
 */
export async function exportAnswer(
  context: CalendarContext & Pick<RequestContext, 'membership' | 'actor'>,
  input: ExportAnswer,
): Promise<Download> {
  const { deps, scope, calendar, membership, actor } = context
  const { format, view, percent, name } = input
  const plan = await queryService(deps, { scope, calendar }).resolve(input.plan)
  const { numberLocale } = membership.settings
  const table = await answerTable({ context, plan, view, percent, numberLocale, rowsMax: exportRowsMax(format) })
  return tableDownload({
    ...{ format, table, timeZone: calendar.timeZone, numberLocale },
    name: `${name} ${calendar.today}`,
    context: exportContext({ context, table, by: actor.name, name: ['Table', name] }),
  })
}
