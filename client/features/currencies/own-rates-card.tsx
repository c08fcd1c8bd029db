import { DateField } from '../../ui/forms/date-field'
import { MutedText } from '../../ui/muted-text'
import { IconButton } from '../../ui/buttons/icon-button'
import { FormDialog } from '../../ui/forms/form-dialog'
import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useCreateRate, useUpdateRate, useRemoveRate } from './queries'
import { rangeToMonth, monthToRange, describeDayRange } from './describe-rates'
import { currencyNameOptions } from '../../lib/regions'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, fieldErrors, FormError } from '../../ui/forms/form-error'
import { createOwnRateSchema } from '../../../src/shared/currencies'
import type { CreateOwnRateInput, OwnRate, OwnRateKind, RatesOverview } from '../../../src/shared/currencies'
import { useFormat } from '../../lib/format'
import { useMayWrite } from '../../lib/gate'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import type { ItemColumn } from '../../ui/data-table/item-column'
import { ItemTable } from '../../ui/data-table/item-table'
import { SectionCard } from '../../ui/section-card'

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
function OwnRateDialog(props: OwnRateDialogProps) {
  const { kind, rate, overview, onClose } = props
  const format = useFormat()
  const form = useForm<RateFormValues>({ initialValues: initialRateValues(props), validate: validateRate })
  const create = useCreateRate()
  const update = useUpdateRate()
  const { error, isPending } = rate ? update : create
  const after = {
    onSuccess: () => {
      notifications.show({ color: 'green', message: 'Rate saved' })
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
  const title = kind === 'budget' ? 'Budget rate' : 'Custom rate'
  const currency = { data: choices, searchable: true, limit: CHOICES_SHOWN } as const
  return (
    <FormDialog title={title} submit="Save rate" pending={isPending} onSubmit={save} onClose={onClose}>
      <FormError error={fieldErrors(error) === null ? error : null} />
      <SimpleGrid cols={2} spacing="sm">
        <Select label="From currency" {...currency} {...form.getInputProps('base')} />
        <Select label="To currency" {...currency} {...form.getInputProps('quote')} />
      </SimpleGrid>
      <TextInput
        data-autofocus
        label="Rate"
        inputMode="decimal"
        placeholder={format.decimal(11.25)}
        description={`1 ${form.values.base} in ${form.values.quote}`}
        {...form.getInputProps('rate')}
      />
      <RatePeriodFields form={form} kind={kind} />
      <Textarea label="Reason" rows={2} maxLength={240} {...form.getInputProps('reason')} />
    </FormDialog>
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
        Period
      </Text>
      <SegmentedControl
        aria-label="Period"
        value={by}
        data={[
          { value: 'month', label: 'A month' },
          { value: 'days', label: 'Dates' },
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
          <DateField label="From" {...form.getInputProps('from')} />
          <DateField label="To" {...form.getInputProps('to')} />
        </SimpleGrid>
      )}
    </Stack>
  )
}

const RATE_KIND_TEXTS = {
  override: {
    title: 'Custom rates',
    description: 'Replace published rates, both directions.',
    add: 'Add rate',
    none: 'No custom rates yet',
  },
  budget: {
    title: 'Budget rates',
    description: 'One fixed rate for a period, e.g. the fiscal year.',
    add: 'Add budget rate',
    none: 'No budget rates yet',
  },
} as const

export function OwnRatesCard({ kind, overview }: { kind: OwnRateKind; overview: RatesOverview }) {
  const may = useMayWrite('edit:rates')
  const [editing, setEditing] = useState<OwnRate | 'new' | null>(null)
  const remove = useRemoveRate()
  const own = overview.own.filter((rate) => rate.kind === kind)
  const words = RATE_KIND_TEXTS[kind]
  return (
    <SectionCard title={words.title} description={words.description}>
      <FormError error={remove.error} />
      {own.length === 0 ? (
        <MutedText>{words.none}</MutedText>
      ) : (
        <OwnRatesTable
          label={words.title}
          rates={own}
          {...(may
            ? {
                onEdit: setEditing,
                onRemove: (rate: OwnRate) => confirmRemoveRate(rate, () => remove.mutate(rate, REMOVED_MESSAGE)),
              }
            : {})}
        />
      )}
      {may && (
        <Group>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            {words.add}
          </Button>
        </Group>
      )}
      {editing !== null && (
        <OwnRateDialog
          kind={kind}
          rate={editing === 'new' ? null : editing}
          overview={overview}
          onClose={() => setEditing(null)}
        />
      )}
    </SectionCard>
  )
}

const REMOVED_MESSAGE = { onSuccess: () => void notifications.show({ color: 'green', message: 'Rate removed' }) }
const confirmRemoveRate = (rate: OwnRate, onConfirm: () => void): void =>
  confirmDestructive({
    title: 'Remove rate?',
    message: `Figures using ${rate.base} in ${rate.quote} are recalculated with published rates. Can’t be undone.`,
    confirm: 'Remove rate',
    onConfirm,
  })

interface OwnRatesTableProps {
  label: string
  rates: readonly OwnRate[]
  onEdit?: (rate: OwnRate) => void
  onRemove?: (rate: OwnRate) => void
}

function OwnRatesTable({ label, rates, onEdit, onRemove }: OwnRatesTableProps) {
  const format = useFormat()
  const columns: ItemColumn<OwnRate>[] = [
    { label: 'Pair', filter: true, value: ({ base, quote }) => `1 ${base} in ${quote}` },
    {
      ...{ label: 'Rate', kind: 'number', value: ({ rate }) => rate },
      text: ({ rate }) => format.decimal(rate, 10),
    },
    {
      ...{ label: 'Period', kind: 'date', value: ({ from }) => from },
      text: (rate) => describeDayRange(rate, format.date),
    },
    { label: 'Reason', filter: true, value: ({ reason }) => reason, draw: (rate) => <RateReason rate={rate} /> },
  ]
  return (
    <ItemTable<OwnRate>
      caption={label}
      items={rates}
      itemKey={({ id }) => id}
      columns={columns}
      {...(onEdit && onRemove
        ? { action: { label: 'Actions', cell: (rate) => <RateActions {...{ rate, onEdit, onRemove }} /> } }
        : {})}
    />
  )
}

function RateReason({ rate }: { rate: OwnRate }) {
  const format = useFormat()
  return (
    <div className="wrapping">
      <Text size="sm">{rate.reason}</Text>
      <MutedText size="xs">
        {rate.byName ?? 'Former member'}, {format.day(rate.updatedAt)}
      </MutedText>
    </div>
  )
}

type RateActionsProps = Required<Pick<OwnRatesTableProps, 'onEdit' | 'onRemove'>> & { rate: OwnRate }

const RateActions = ({ rate, onEdit, onRemove }: RateActionsProps) => (
  <Group gap={4} wrap="nowrap" justify="flex-end">
    <IconButton icon={IconPencil} label={`Edit rate: ${rate.base} in ${rate.quote}`} onClick={() => onEdit(rate)} />
    <IconButton icon={IconTrash} label={`Remove rate: ${rate.base} in ${rate.quote}`} onClick={() => onRemove(rate)} />
  </Group>
)
