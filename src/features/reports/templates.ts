import type { CalendarContext } from '../../semantic/calendar'
import type { ReportContent, ReportTemplate } from '../../shared/reports/reports'

/** What a report begins with. */
export const templateContent = async (
  _context: CalendarContext,
  _template: ReportTemplate,
): Promise<ReportContent> => ({
  v: 1,
  period: { range: null, compare: 'none' },
  filters: [],
  pages: [{ id: 'page01', name: 'Page 1', blocks: [] }],
})
