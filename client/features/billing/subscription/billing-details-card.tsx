import { MutedText } from '../../../ui/muted-text'
import { isVersionConflict } from '../../../lib/error-details'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { formValidator } from '../../../lib/validate-form'
import { VersionConflictDialog, type ConflictRow } from '../../../ui/forms/version-conflict-dialog'
import { billingDetailsSchema } from '../../../../src/shared/billing/subscription'
import type { BillingDetails, SubscriptionView } from '../../../../src/shared/billing/subscription'
import { DETAIL_FIELDS, DETAIL_LABELS } from '../plan-prices'
import { useSaveBillingDetails } from './queries'
import { subscriptionQuery } from '../../../lib/queries/subscription-queries'
import { adoptSaved, changedValues } from '../../../lib/writes/changed-values'
import { useFormDraft } from '../../../lib/writes/kept-draft'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { applyFieldErrors, FormError, fieldErrors } from '../../../ui/forms/form-error'
import { PortalButton } from './status-card'
import { SectionCard } from '../../../ui/section-card'
import { FormFooter } from '../../../ui/forms/form-footer'

const check = formValidator(billingDetailsSchema)
const validateDetails = (values: BillingDetails): Record<string, string> => check({ ...values, version: 1 })

/** What differs between what was typed and what somebody else saved. */
const conflictingRows = (mine: BillingDetails, { details: theirs }: SubscriptionView): ConflictRow[] =>
  DETAIL_FIELDS.filter((field) => mine[field].trim() !== theirs[field]).map((field) => ({
    label: DETAIL_LABELS[field],
    mine: mine[field] || 'Empty',
    theirs: theirs[field] || 'Empty',
  }))

/**
 * The form of the billing details. `theirs`: the subscription as somebody else left it, while both differ. What only
 * time changed (a payment came in, say) is no conflict: the same details are saved over it.
 */
function useSaveDetailsForm(stored: SubscriptionView) {
  const client = useQueryClient()
  const [theirs, setTheirs] = useState<SubscriptionView | null>(null)
  const [known, setKnown] = useState(stored.details)
  const form = useForm({ initialValues: stored.details, validate: validateDetails })
  const saving = useSaveBillingDetails()

  /** Takes what is stored, with these changes of it that are not. */
  const adopt = ({ details }: SubscriptionView, changes: Partial<BillingDetails> = {}) => {
    adoptSaved(form, details, { ...details, ...changes })
    setKnown(details)
    setTheirs(null)
  }
  const save = (version: number, retry = true) => {
    const sent = form.getValues()
    saving.mutate(
      { ...sent, version },
      {
        onSuccess: (view) => {
          // What was entered while it was on its way is not saved yet.
          adopt(view, changedValues(form.getValues(), sent))
          notifications.show({ color: 'green', message: 'Billing details saved' })
        },
        onError: (error) => {
          if (isVersionConflict(error)) void resolveConflict(retry)
          else applyFieldErrors(form, error, DETAIL_FIELDS)
        },
      },
    )
  }
  const resolveConflict = async (mayRetry: boolean) => {
    const current = await client.fetchQuery({ ...subscriptionQuery(), staleTime: 0 })
    const untouched = DETAIL_FIELDS.every((field) => current.details[field] === known[field])
    if (conflictingRows(form.getValues(), current).length === 0) adopt(current)
    else if (untouched && mayRetry) save(current.version, false)
    else setTheirs(current)
  }
  return { form, saving, save, adopt, theirs, close: () => setTheirs(null) }
}

export interface BillingDetailsCardProps {
  view: SubscriptionView
  readOnly: boolean
  /** Whether there is anything behind the payment portal. */
  portal: boolean
}

/** What stands on invoices, where they go, and the door to cards and receipts. */
export function BillingDetailsCard({ view, readOnly, portal }: BillingDetailsCardProps) {
  const { form, saving, save, adopt, theirs, close } = useSaveDetailsForm(view)
  const draft = useFormDraft(form, { name: readOnly ? null : 'billing', base: JSON.stringify(view.details) })
  const visibleError = isVersionConflict(saving.error) || fieldErrors(saving.error) !== null ? null : saving.error
  return (
    <SectionCard title="Billing details" description="Shown on future invoices.">
      <DraftNotice draft={draft} />
      <form noValidate onSubmit={form.onSubmit(() => save(view.version))}>
        <Stack gap="md">
          <FormError error={visibleError} />
          <BillingDetailsFields form={form} readOnly={readOnly} />
          {!readOnly && (
            <FormFooter>
              <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
                Discard changes
              </Button>
              <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
                Save details
              </Button>
            </FormFooter>
          )}
        </Stack>
      </form>
      {portal && !readOnly && (
        <Stack gap="xs">
          <MutedText>Manage cards, address and receipts.</MutedText>
          <PortalButton label="Open payment portal" quiet />
        </Stack>
      )}
      {theirs && (
        <VersionConflictDialog
          opened
          rows={conflictingRows(form.getValues(), theirs)}
          onTakeMine={() => {
            close()
            save(theirs.version, false)
          }}
          onTakeTheirs={() => adopt(theirs)}
          onClose={close}
        />
      )}
    </SectionCard>
  )
}

type BillingDetailsForm = ReturnType<typeof useSaveDetailsForm>['form']

function BillingDetailsFields({ form, readOnly }: { form: BillingDetailsForm; readOnly: boolean }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <TextInput
        label={DETAIL_LABELS.companyName}
        autoComplete="organization"
        readOnly={readOnly}
        {...form.getInputProps('companyName')}
      />
      <TextInput
        label={DETAIL_LABELS.billingEmail}
        placeholder="Workspace owner"
        type="email"
        autoComplete="email"
        readOnly={readOnly}
        {...form.getInputProps('billingEmail')}
      />
      <TextInput
        label={DETAIL_LABELS.taxId}
        placeholder="SE556677889901"
        readOnly={readOnly}
        {...form.getInputProps('taxId')}
      />
      <TextInput label={DETAIL_LABELS.poReference} readOnly={readOnly} {...form.getInputProps('poReference')} />
    </SimpleGrid>
  )
}
