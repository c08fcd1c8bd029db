import { getStatement } from './service'
import { formatLocalTime } from '../../semantic/export-context'
import { statementSheet } from '../../semantic/statements/statement-sheet'
import type { CalendarContext } from '../../semantic/calendar'
import { XLSX_TYPE, type Download } from '../../http/files/table-download'
import type { RequestContext } from '../../http/request-context'
import { createXlsxStream } from '../../formats/workbook/xlsx-writer'
import { STATEMENT_NAMES, type StatementFileQuery } from '../../shared/statements/statements'

/** A statement as a workbook. */
export async function exportStatement(
  context: CalendarContext & Pick<RequestContext, 'membership' | 'actor'>,
  { id, query: { language, ...query } }: { id: string; query: StatementFileQuery },
): Promise<Download> {
  const statement = await getStatement(context, { id, query })
  const { numberLocale } = context.membership.settings
  const made = `${formatLocalTime(context.deps.clock.now(), context.calendar.timeZone)} (${context.calendar.timeZone}), ${context.actor.name}`
  const body = createXlsxStream([statementSheet(statement, { language, locale: numberLocale, made })])
  const { company, source, kind, year } = statement
  const fileName = `${[company.name ?? source.name, STATEMENT_NAMES[kind][language], year.name].join(' ').replaceAll('/', '–')}.xlsx`
  return { fileName, contentType: XLSX_TYPE, body }
}
