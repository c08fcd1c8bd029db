import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { DETAIL_LABELS, conflictingRows, isConflict } from './details-values'
import { PortalButton } from './standing-button'
import { useSaveDetailsForm } from './use-details-saving'
import { FormError, fieldErrors } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import type { SubscriptionView } from '../../../src/shared/subscription'

export interface BillingDetailsCardProps {
  view: SubscriptionView
  readOnly: boolean
  /** Whether there is anything behind the payment portal. */
  portal: boolean
}

/** What stands on invoices, where they go, and the door to cards and receipts. */
export function BillingDetailsCard({ view, readOnly, portal }: BillingDetailsCardProps) {
  const { form, saving, save, adopt, theirs, close } = useSaveDetailsForm(view)
  const visibleError = isConflict(saving.error) || fieldErrors(saving.error) !== null ? null : saving.error
  return (
    <SectionCard title="Billing details" description="They stand on every invoice from now on.">
      <form noValidate onSubmit={form.onSubmit(() => save(view.version))}>
        <Stack gap="md">
          <FormError error={visibleError} />
          <BillingDetailsFields form={form} readOnly={readOnly} />
          {!readOnly && (
            <Group justify="flex-end">
              <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
                Undo changes
              </Button>
              <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
                Save details
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {portal && !readOnly && (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            Cards, address and receipts are kept by the payment provider.
          </Text>
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
        description="As it is registered."
        autoComplete="organization"
        readOnly={readOnly}
        {...form.getInputProps('companyName')}
      />
      <TextInput
        label={DETAIL_LABELS.billingEmail}
        description="Left empty, they go to the owner of the workspace."
        type="email"
        autoComplete="email"
        readOnly={readOnly}
        {...form.getInputProps('billingEmail')}
      />
      <TextInput
        label={DETAIL_LABELS.taxId}
        description="With its country, like SE556677889901."
        readOnly={readOnly}
        {...form.getInputProps('taxId')}
      />
      <TextInput
        label={DETAIL_LABELS.poReference}
        description="A purchase order or a name, for those who pay."
        readOnly={readOnly}
        {...form.getInputProps('poReference')}
      />
    </SimpleGrid>
  )
}
