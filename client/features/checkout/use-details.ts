import { useForm } from '@mantine/form'
import type { UseFormReturnType } from '@mantine/form'
import { useSession } from '../../lib/session'
import { formValidator } from '../../lib/validate-form'
import { billingDetailsSchema } from '../../../src/shared/subscription'
import type { BillingDetails, BillingDetailsInput, SubscriptionView } from '../../../src/shared/subscription'

export type BillingDetailsForm = UseFormReturnType<BillingDetails>
export const DETAIL_FIELDS = ['companyName', 'billingEmail', 'taxId', 'poReference'] as const

const check = formValidator(billingDetailsSchema)
const REQUIRED_MESSAGES: Partial<BillingDetails> = {
  companyName: 'Enter the name that stands on the invoice.',
  billingEmail: 'Enter the address that invoices are sent to.',
}

/** What an invoice needs to say; what is not stored yet begins with the workspace and the person. */
export function useBillingDetailsForm({ details }: SubscriptionView): BillingDetailsForm {
  const { workspace, user } = useSession()
  return useForm<BillingDetails>({
    initialValues: {
      ...details,
      companyName: details.companyName || (workspace?.name ?? ''),
      billingEmail: details.billingEmail || (user?.email ?? ''),
    },
    validate: (values) => ({
      ...check({ ...values, version: 1 }),
      ...(values.companyName.trim() === '' ? { companyName: REQUIRED_MESSAGES.companyName } : {}),
      ...(values.billingEmail.trim() === '' ? { billingEmail: REQUIRED_MESSAGES.billingEmail } : {}),
    }),
  })
}

/** The details as they are saved; null when they are stored already. */
export function detailsToSave(values: BillingDetails, view: SubscriptionView): BillingDetailsInput | null {
  const parsed = billingDetailsSchema.safeParse({ ...values, version: view.version })
  const isStored = parsed.success && DETAIL_FIELDS.every((field) => parsed.data[field] === view.details[field])
  return isStored ? null : { ...values, version: view.version }
}
