import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { validateDetails, DETAIL_FIELDS, conflictingRows, isConflict } from './details-values'
import { useSaveBillingDetails } from './queries'
import { subscriptionQuery } from '../../lib/subscription-calls'
import { applyFieldErrors } from '../../ui/form-error'
import type { SubscriptionView } from '../../../src/shared/subscription'

/**
 * The form of the billing details. `theirs`: the subscription as somebody else left it, while both differ. What only
 * time changed (a payment came in, say) is no conflict: the same details are saved over it.
 */
export function useSaveDetailsForm(stored: SubscriptionView) {
  const client = useQueryClient()
  const [theirs, setTheirs] = useState<SubscriptionView | null>(null)
  const [known, setKnown] = useState(stored.details)
  const form = useForm({ initialValues: stored.details, validate: validateDetails })
  const saving = useSaveBillingDetails()

  const adopt = ({ details }: SubscriptionView) => {
    form.setInitialValues(details)
    form.setValues(details)
    setKnown(details)
    setTheirs(null)
  }
  const save = (version: number, retry = true) =>
    saving.mutate(
      { ...form.getValues(), version },
      {
        onSuccess: (view) => {
          adopt(view)
          notifications.show({ color: 'green', message: 'Billing details saved.' })
        },
        onError: (error) => {
          if (isConflict(error)) void resolveConflict(retry)
          else applyFieldErrors(form, error, DETAIL_FIELDS)
        },
      },
    )
  const resolveConflict = async (mayRetry: boolean) => {
    const current = await client.fetchQuery({ ...subscriptionQuery(), staleTime: 0 })
    const untouched = DETAIL_FIELDS.every((field) => current.details[field] === known[field])
    if (conflictingRows(form.getValues(), current).length === 0) adopt(current)
    else if (untouched && mayRetry) save(current.version, false)
    else setTheirs(current)
  }
  return { form, saving, save, adopt, theirs, close: () => setTheirs(null) }
}
