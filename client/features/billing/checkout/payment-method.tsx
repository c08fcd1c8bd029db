import { MutedText } from '../../../ui/muted-text'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useSession } from '../../../lib/session'
import { formValidator } from '../../../lib/validate-form'
import { billingDetailsSchema, PAYMENT_METHODS } from '../../../../src/shared/billing/subscription'
import type {
  BillingDetails,
  BillingDetailsInput,
  SubscriptionView,
  PaymentMethod,
} from '../../../../src/shared/billing/subscription'
import { DETAIL_FIELDS, DETAIL_LABELS } from '../plan-prices'
import type { PlanSelection } from './plan-selection'
import classes from './checkout.module.css'
import type { KeptDraft } from '../../../lib/writes/kept-draft'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { SectionCard } from '../../../ui/section-card'
import { GRACE_DAYS, INVOICE_DUE_DAYS } from '../../../../src/shared/billing/plans'

export type BillingDetailsForm = UseFormReturnType<BillingDetails>

const check = formValidator(billingDetailsSchema)
const REQUIRED_MESSAGES: Partial<BillingDetails> = {
  companyName: 'Enter the company name.',
  billingEmail: 'Enter an invoice email.',
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

const PAYMENT_METHOD_TEXT: Record<PaymentMethod, { name: string; sentence: string }> = {
  card: { name: 'Card', sentence: 'Charged at the start of each period' },
  invoice: {
    name: 'Invoice by bank transfer',
    sentence: `Due in ${INVOICE_DUE_DAYS} days`,
  },
}

export interface PaymentMethodPickerProps {
  choice: PlanSelection
  form: BillingDetailsForm
  /** What was entered before a reload or on another visit. */
  draft: KeptDraft
  onChoose: (selection: PlanSelection) => void
}

/** How a first purchase is paid; an invoice needs to know where it goes. */
export function PaymentMethodPicker({ choice, form, draft, onChoose }: PaymentMethodPickerProps) {
  const pick = (text: string) => {
    const method = PAYMENT_METHODS.find((one) => one === text)
    if (method) onChoose({ ...choice, method })
  }
  return (
    <SectionCard title="Payment">
      <Radio.Group label="Payment" labelProps={{ className: 'only-reader' }} value={choice.method} onChange={pick}>
        <Stack gap={8}>
          {PAYMENT_METHODS.map((method) => (
            <Radio.Card
              key={method}
              value={method}
              className={classes.card}
              aria-label={PAYMENT_METHOD_TEXT[method].name}
            >
              <div className={classes.option}>
                <Radio.Indicator mt={2} />
                <div>
                  <Text fw={600}>{PAYMENT_METHOD_TEXT[method].name}</Text>
                  <MutedText>{PAYMENT_METHOD_TEXT[method].sentence}</MutedText>
                </div>
              </div>
            </Radio.Card>
          ))}
        </Stack>
      </Radio.Group>
      {choice.method === 'invoice' && (
        <>
          <DraftNotice draft={draft} />
          <InvoiceFields form={form} />
        </>
      )}
    </SectionCard>
  )
}

function InvoiceFields({ form }: { form: BillingDetailsForm }) {
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          label={DETAIL_LABELS.companyName}
          required
          autoComplete="organization"
          {...form.getInputProps('companyName')}
        />
        <TextInput
          label={DETAIL_LABELS.billingEmail}
          required
          type="email"
          autoComplete="email"
          {...form.getInputProps('billingEmail')}
        />
        <TextInput
          label={DETAIL_LABELS.taxId}
          placeholder="SE556677889901"
          autoComplete="off"
          {...form.getInputProps('taxId')}
        />
        <TextInput label={DETAIL_LABELS.poReference} autoComplete="off" {...form.getInputProps('poReference')} />
      </div>
      <MutedText>{GRACE_DAYS} days after the due date, an unpaid workspace becomes read-only.</MutedText>
    </>
  )
}
