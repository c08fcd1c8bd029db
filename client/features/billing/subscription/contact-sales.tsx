import { DialogForm } from '../../../ui/forms/form-dialog'
import { Button, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useContactSales } from './queries'
import { useFormDraft } from '../../../lib/writes/kept-draft'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { formValidator } from '../../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../../ui/forms/form-error'
import { contactSalesSchema, type ContactSalesInput } from '../../../../src/shared/billing/subscription'
import { FormFooter } from '../../../ui/forms/form-footer'
import { Dialog } from '../../../ui/dialog'

const CONTACT_FIELDS = ['people', 'message']

/** A question about a plan made for the workspace. The answer comes by email. */
function ContactSalesDialog({ onClose }: { onClose: () => void }) {
  const initialValues: ContactSalesInput = { people: 100, message: '' }
  const form = useForm({ initialValues, validate: formValidator(contactSalesSchema) })
  const draft = useFormDraft(form, { name: 'contact-sales' })
  const contact = useContactSales()
  const send = (values: ContactSalesInput) =>
    contact.mutate(values, {
      onSuccess: draft.clear,
      onError: (error) => void applyFieldErrors(form, error, CONTACT_FIELDS),
    })
  return (
    <Dialog opened onClose={onClose} title="Ask about Enterprise">
      {contact.isSuccess ? (
        <Stack gap="md" role="status">
          <Text size="sm">Question sent. We’ll reply to your sign-in email.</Text>
          <FormFooter>
            <Button onClick={onClose}>Close</Button>
          </FormFooter>
        </Stack>
      ) : (
        <DialogForm submit="Send question" pending={contact.isPending} onSubmit={form.onSubmit(send)} onClose={onClose}>
          <DraftNotice draft={draft} />
          <NumberInput
            label="Number of users"
            min={1}
            max={100_000}
            allowDecimal={false}
            {...form.getInputProps('people')}
          />
          <Textarea
            label="What you need"
            placeholder="Sources, companies, requirements"
            rows={4}
            maxLength={2000}
            data-autofocus
            {...form.getInputProps('message')}
          />
          <FormError error={contact.error} />
        </DialogForm>
      )}
    </Dialog>
  )
}

/** Opens the form that reaches the people who make agreements. */
export function ContactSalesButton({ label = 'Contact us', full = false }: { label?: string; full?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button {...(full ? { fullWidth: true, variant: 'default' } : {})} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <ContactSalesDialog onClose={() => setOpen(false)} />}
    </>
  )
}
