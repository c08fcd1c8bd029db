import type { ReportPage } from './page'
import { periodDays } from './period-days'
import { getStatement } from '../../features/statements/service'
import { isoFromDay } from '../../shared/dates'
import type { BlockOf } from '../../shared/reports/blocks'
import type { TileContent } from '../../shared/reports/tiles'

/** A statement up to the month in which the page's period ends, as far as there are figures; else the newest. */
export async function answerStatement(page: ReportPage, block: BlockOf<'statement'>): Promise<TileContent> {
  const through = lastMonth(page)
  const { source: id, query, language, accounts } = block
  const statement = await getStatement(
    page.context,
    { id, query: { ...query, ...(through === null ? {} : { through }) } },
    (plan) => page.questions.answerPart(plan),
  )
  return { kind: 'statement', statement, language, accounts }
}

/** `2026-03`. */
function lastMonth({ view, context }: ReportPage): string | null {
  const days = periodDays(view.period.range, context.calendar)
  return days && isoFromDay(days.to).slice(0, 7)
}
