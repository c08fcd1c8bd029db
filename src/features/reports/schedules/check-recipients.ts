import { scheduleStore } from './store'
import type { StoredReport } from '../store'
import { visibleContent } from '../visible-content'
import type { ReadContext } from '../../../deps'
import type { RequestContext } from '../../../http/request-context'
import { ProductError } from '../../../shared/errors'
import { requiredPlan } from '../../../shared/billing/plans'
import { filterFieldsOf } from '../../../shared/query/plan-fields'
import type { Field } from '../../../shared/query/field'
import type { FieldFilter } from '../../../shared/query/plan'
import type { ReportContent } from '../../../shared/reports/reports'
import {
  recipientKey,
  type RecipientFilters,
  type ScheduleContent,
  type ScheduleRecipient,
} from '../../../shared/reports/schedules'

const invalid = (message: string, field: 'recipients' | 'addresses' = 'recipients'): ProductError =>
  new ProductError('invalid_input', { fields: { [field]: message } })
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)
const isField = (one: Field, other: Field): boolean =>
  one.dataset === other.dataset && one.column === other.column && JSON.stringify(one.via) === JSON.stringify(other.via)

/** Whether a recipient's own value is one of a filter that the report has, asked of that filter's column alone. */
export function fitsReport({ filters }: Pick<ReportContent, 'filters'>, id: string, own: FieldFilter | null): boolean {
  const found = filters.find((one) => one.id === id)
  if (!found) return false
  return own === null || filterFieldsOf([own]).every((field) => isField(field, found.field))
}

const gone = (content: Pick<ReportContent, 'filters'>, own: RecipientFilters): boolean =>
  Object.entries(own).some(([id, filter]) => !fitsReport(content, id, filter))

/**
 * Refuses recipients who may not get the report.
 * @throws ProductError `invalid_input` for people, groups, domains or filters that are not of this workspace and report;
 * `plan_required` for outside addresses
 */
export async function checkRecipients(
  { deps, scope, membership }: Pick<RequestContext, 'deps' | 'scope' | 'membership'>,
  { report, content }: { report: StoredReport; content: ScheduleContent },
): Promise<void> {
  const { recipients } = content
  const hasFilters = recipients.some(({ filters }) => Object.keys(filters).length > 0)
  if (hasFilters && report.kind === 'legacy')
    throw invalid('Editions are the same for everyone. Remove the recipients’ filters.')
  const shows = report.published ?? report.draft
  if (recipients.some(({ filters }) => gone(shows, filters))) throw invalid('Choose filters that the report has.')
  const store = scheduleStore(deps.db, scope)
  const inside = recipients.filter(({ kind }) => kind !== 'address').map(recipientKey)
  const names = await store.names(inside)
  if (inside.some((id) => !names.has(id))) throw invalid('Choose members and groups of this workspace.')
  await checkAddresses(recipients, { store, isIncluded: membership.entitlements.features.reportSharing })
}

async function checkAddresses(
  recipients: readonly ScheduleRecipient[],
  { store, isIncluded }: { store: ReturnType<typeof scheduleStore>; isIncluded: boolean },
): Promise<void> {
  const addresses = recipients.flatMap((one) => (one.kind === 'address' ? [one.email] : []))
  if (addresses.length === 0) return
  if (!isIncluded)
    throw new ProductError('plan_required', { feature: 'reportSharing', requiredPlan: requiredPlan('reportSharing') })
  const domains = await store.domains()
  const refused = addresses.find((email) => !domains.includes(domainOf(email)))
  if (refused !== undefined)
    throw invalid(
      `${domainOf(refused)} isn’t an allowed domain. An admin can add it in workspace settings.`,
      'addresses',
    )
}

/** Whether recipients’ filters tell values of data that do not exist for who asks. */
export async function hidesFilters(context: ReadContext, { recipients }: ScheduleContent): Promise<boolean> {
  const filters = recipients
    .flatMap((one) => Object.values(one.filters).flatMap((filter) => filter ?? []))
    .map((filter, at) => ({ id: `filter${at}`, label: 'Filter', field: filter.field, filter }))
  const period = { range: null, compare: 'none' as const }
  const seen = await visibleContent(context, { v: 1, period, filters, pages: [] })
  return seen.filters.length < filters.length || seen.filters.some(({ filter }) => filter === null)
}
