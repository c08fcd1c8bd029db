import { ApiError } from '../../lib/api'
import { formValidator } from '../../lib/validate-form'
import type { ConflictRow } from '../../ui/version-conflict-dialog'
import { billingDetailsSchema } from '../../../src/shared/subscription'
import type { BillingDetails, SubscriptionView } from '../../../src/shared/subscription'

export const DETAIL_FIELDS = ['companyName', 'billingEmail', 'taxId', 'poReference'] as const
export const DETAIL_LABELS: Record<(typeof DETAIL_FIELDS)[number], string> = {
  companyName: 'Company name',
  billingEmail: 'E-mail for invoices',
  taxId: 'EU VAT number',
  poReference: 'Your reference',
}

const check = formValidator(billingDetailsSchema)
export const validateDetails = (values: BillingDetails): Record<string, string> => check({ ...values, version: 1 })

/** Whether the refusal is that somebody saved meanwhile. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.body.code === 'version_conflict'

/** What differs between what was typed and what somebody else saved. */
export const conflictingRows = (mine: BillingDetails, { details: theirs }: SubscriptionView): ConflictRow[] =>
  DETAIL_FIELDS.filter((field) => mine[field].trim() !== theirs[field]).map((field) => ({
    label: DETAIL_LABELS[field],
    mine: mine[field] || 'Empty',
    theirs: theirs[field] || 'Empty',
  }))
