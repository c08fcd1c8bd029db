import type { OpenLink } from '../../../features/reports/links/open-link'
import { redactedForLink, shownContent } from '../../../features/reports/links/shown'
import { visibleContent } from '../../../features/reports/visible-content'
import type { Deps } from '../../../deps'
import { canonicalJson } from '../../../lib/hash'
import { calendarOf, type CalendarContext } from '../../../semantic/calendar'
import { ProductError } from '../../../shared/errors'
import type { FieldFilter } from '../../../shared/query/plan'
import { filterOf } from '../../../shared/reports/filter-values'
import type { LinkFilter, LinkTerms, SharedView } from '../../../shared/reports/links'
import type { ReportContent, ReportFilter, ReportPeriod } from '../../../shared/reports/reports'

/** By whose rights, calendar and notation a link is answered. */
export interface SharedContext extends CalendarContext {
  membership: OpenLink['sharer']
}
export const sharedContext = (deps: Deps, { scope, sharer }: OpenLink): SharedContext => ({
  deps,
  scope,
  membership: sharer,
  calendar: calendarOf(sharer, deps.clock),
})

/** A filter of the report as a link has it. */
export interface AppliedFilter {
  filter: ReportFilter
  set: LinkFilter | null
  /** What it begins with. */
  begins: FieldFilter | null
}

/** What readers see of the report by the rights of the link; of what changed since it was shared, that it did. */
export async function sharedContent(context: SharedContext, link: OpenLink): Promise<ReportContent> {
  const { published } = link.report
  if (link.isFollowing) return visibleContent(context, published)
  return visibleContent(context, redactedForLink(published, link.shown, await shownContent(context, published)))
}

/** What a link goes on from while it follows the report; null where it is bound to what was shared. */
export const followedContent = async (context: SharedContext, { terms, isFollowing, report }: OpenLink) =>
  isFollowing && terms.edition === null ? shownContent(context, report.published) : null

/**
 * Filters of the report, and those of the link that the report has no more: what narrows a link narrows it for good.
 * @throws ProductError `not_found` when a filter of the link is by a column that is hidden by now
 */
export function appliedFilters(content: ReportContent, { filters }: Pick<LinkTerms, 'filters'>): AppliedFilter[] {
  const own = content.filters.map((filter): AppliedFilter => {
    const set = filters.find(({ id, filter: of }) => id === filter.id && isOf(of, filter)) ?? null
    return { filter, set, begins: set?.filter ?? filter.filter }
  })
  const gone = filters.flatMap((set): AppliedFilter[] => {
    if (set.filter === null || own.some((one) => one.set === set)) return []
    const filter = { id: set.id, label: set.id, field: set.filter.field, filter: set.filter }
    return [{ filter, set: { ...set, open: false }, begins: set.filter }]
  })
  return [...own, ...gone]
}
const isOf = (filter: FieldFilter | null, { field }: ReportFilter): boolean =>
  filter === null || canonicalJson(filter.field) === canonicalJson(field)

/** What a page is asked with. */
export interface SharedQuestion {
  period: ReportPeriod
  filters: FieldFilter[]
  /** What the report calls each of them. */
  labels: string[]
  /** Indexes of those that the sharer set: what they do not reach is not shown. */
  required: ReadonlySet<number>
}

/**
 * A viewer's question, as far as the link lets them ask.
 * @throws ProductError `not_found` for a period or a filter that is not theirs to change
 */
export function sharedQuestion(content: ReportContent, terms: LinkTerms, view: SharedView): SharedQuestion {
  if (view.period && !terms.periodOpen) throw new ProductError('not_found')
  const applied = appliedFilters(content, terms)
  const isOpen = (id: string): boolean => applied.some(({ filter, set }) => filter.id === id && set?.open === true)
  if (view.filters.some(({ id }) => !isOpen(id))) throw new ProductError('not_found')
  const filters: FieldFilter[] = []
  const labels: string[] = []
  const required = new Set<number>()
  for (const { filter, set, begins } of applied) {
    const chosen = set?.open ? view.filters.find(({ id }) => id === filter.id) : undefined
    const asked = chosen ? filterOf(filter, chosen.values) : begins
    if (!asked) continue
    if (set && !set.open && set.filter) required.add(filters.length)
    filters.push(asked)
    labels.push(filter.label)
  }
  return { period: view.period ?? terms.period ?? content.period, filters, labels, required }
}
