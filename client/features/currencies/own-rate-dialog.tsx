import {
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { useCreateRate, useUpdateRate } from './queries'
import { rangeToMonth, monthToRange } from './rate-words'
import { currencyNameOptions } from '../../lib/region-choices'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, fieldErrors, FormError } from '../../ui/form-error'
import { createOwnRateSchema } from '../../../src/shared/currencies'
import type { CreateOwnRateInput, OwnRate, OwnRateKind, RatesOverview } from '../../../src/shared/currencies'

const RATE_FIELDS = ['base', 'quote', 'from', 'to', 'rate', 'reason']
const CHOICES_SHOWN = 40
const validateRate = formValidator(createOwnRateSchema)

interface OwnRateDialogProps {
  kind: OwnRateKind
  rate: OwnRate | null
  overview: RatesOverview
  onClose: () => void
}

type RateFormValues = Omit<CreateOwnRateInput, 'rate'> & { rate: string }
function initialRateValues({ kind, rate, overview }: OwnRateDialogProps): RateFormValues {
  if (rate) {
    const { base, quote, from, to, reason } = rate
    return { kind, base, quote, from, to, rate: rate.rate, reason }
  }
  const quote = overview.settings.code
  return { kind, base: quote === 'EUR' ? 'USD' : 'EUR', quote, from: '', to: '', rate: '', reason: '' }
}

/** A rate that the workspace sets itself: for a month or from day to day, with the reason. */
export function OwnRateDialog(props: OwnRateDialogProps) {
  const { kind, rate, overview, onClose } = props
  const form = useForm<RateFormValues>({ initialValues: initialRateValues(props), validate: validateRate })
  const create = useCreateRate()
  const update = useUpdateRate()
  const { error, isPending } = rate ? update : create
  const after = {
    onSuccess: () => {
      notifications.show({ color: 'green', message: 'Rate saved.' })
      onClose()
    },
    onError: (problem: unknown) => void applyFieldErrors(form, problem, RATE_FIELDS),
  }
  const save = form.onSubmit((values) =>
    rate ? update.mutate({ ...values, id: rate.id, version: rate.version }, after) : create.mutate(values, after),
  )
  // Those with published rates first; the others are found by typing.
  const choices = useMemo(() => {
    const known = new Set([...overview.currencies, form.values.base, form.values.quote])
    const all = currencyNameOptions(form.values.base)
    return [...all.filter(({ value }) => known.has(value)), ...all.filter(({ value }) => !known.has(value))]
  }, [overview.currencies, form.values.base, form.values.quote])
  const title = kind === 'budget' ? 'Budget rate' : 'Rate set by hand'
  const currency = { data: choices, searchable: true, allowDeselect: false, limit: CHOICES_SHOWN } as const
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <FormError error={fieldErrors(error) === null ? error : null} />
          <SimpleGrid cols={2} spacing="sm">
            <Select label="One" {...currency} {...form.getInputProps('base')} />
            <Select label="In" {...currency} {...form.getInputProps('quote')} />
          </SimpleGrid>
          <TextInput
            data-autofocus
            label="Rate"
            inputMode="decimal"
            placeholder="11.25"
            description={`How many ${form.values.quote} one ${form.values.base} is`}
            {...form.getInputProps('rate')}
          />
          <RatePeriodFields form={form} kind={kind} />
          <Textarea label="Why" rows={2} maxLength={240} {...form.getInputProps('reason')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Save rate
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

type RateForm = UseFormReturnType<RateFormValues>

function RatePeriodFields({ form, kind }: { form: RateForm; kind: OwnRateKind }) {
  const month = rangeToMonth(form.values)
  const empty = form.values.from === ''
  const [by, setBy] = useState<'month' | 'days'>(month !== null || (empty && kind === 'override') ? 'month' : 'days')
  const errors = [form.errors['from'], form.errors['to']].find((each) => each !== undefined)
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        For
      </Text>
      <SegmentedControl
        aria-label="For a month or days"
        value={by}
        data={[
          { value: 'month', label: 'A month' },
          { value: 'days', label: 'Days' },
        ]}
        onChange={(next) => setBy(next === 'month' ? 'month' : 'days')}
      />
      {by === 'month' ? (
        <TextInput
          type="month"
          aria-label="Month"
          value={month ?? ''}
          error={errors}
          onChange={(event) => {
            const text = event.currentTarget.value
            form.setValues(/^\d{4}-\d{2}$/.test(text) ? monthToRange(text) : { from: '', to: '' })
          }}
        />
      ) : (
        <SimpleGrid cols={2} spacing="sm">
          <TextInput type="date" label="First day" {...form.getInputProps('from')} />
          <TextInput type="date" label="Last day" {...form.getInputProps('to')} />
        </SimpleGrid>
      )}
    </Stack>
  )
}
