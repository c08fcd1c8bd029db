import { ActionIcon, Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { addMonths, formatPeriod, TARGET_GRAINS, yearGrainOf } from '../../../src/shared/target-periods'
import type { TargetTable } from '../../../src/shared/targets'
import { ApiError } from '../../lib/api'
import { useSession } from '../../lib/session'
import { confirmDestructive } from '../../ui/confirm-danger'
import { FormError } from '../../ui/form-error'
import { toTargetDraft, toSaveTargetsInput, lineKey, periodsOfYear } from './draft'
import type { DecimalMark, TargetDraft } from './draft'
import { PasteTargets } from './paste-targets'
import { datasetQuery, targetsQuery, useSaveTargets } from './queries'
import type { TargetSubject } from './queries'
import { DistributeTotal } from './spread-targets'
import { TargetDraftTable } from './target-table'

const GRAIN_LABELS = {
  month: 'Months',
  quarter: 'Quarters',
  year: 'Years',
  fiscalQuarter: 'Fiscal quarters',
  fiscalYear: 'Fiscal years',
} as const
const YEAR_MONTHS = 12
const decimalMarkOf = (locale: string): DecimalMark =>
  new Intl.NumberFormat(locale).formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === '.')
    ? '.'
    : ','

interface TargetEditorProps {
  subject: TargetSubject
  stored: TargetTable
  onClose: () => void
}

/** The whole table of targets: typed, spread from a total, or pasted from a spreadsheet. */
export function TargetEditor({ subject, stored, onClose }: TargetEditorProps) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const settings = useSession().workspace?.settings
  const fiscalYearStart = settings?.fiscalYearStart ?? 1
  const [draft, setDraft] = useState<TargetDraft>(() =>
    toTargetDraft(stored, decimalMarkOf(settings?.numberLocale ?? 'sv-SE')),
  )
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10))
  const [hasUnreadableCells, setHasUnreadableCells] = useState(false)
  const client = useQueryClient()
  const save = useSaveTargets(subject)
  const periods = periodsOfYear(day, { grain: draft.grain, fiscalYearStart })
  const change = (next: TargetDraft): void => {
    setHasUnreadableCells(false)
    setDraft(next)
  }
  const onSave = (): void => {
    const input = toSaveTargetsInput(draft, stored.version)
    if (!input) return setHasUnreadableCells(true)
    save.mutate(input, {
      onSuccess: () => {
        notifications.show({
          color: 'green',
          message: input.lines.length === 0 ? 'Targets removed.' : 'Targets saved.',
        })
        onClose()
      },
    })
  }
  const conflict = save.error instanceof ApiError && save.error.body.code === 'version_conflict'
  return (
    <Modal opened onClose={onClose} title={`Targets of ${subject.name}`} size="xl" fullScreen={narrow}>
      <Stack gap="md">
        {conflict ? (
          <Alert color="yellow" title="Someone else saved targets first" role="alert">
            <Text size="sm">Load theirs to go on from there; what you typed here is dropped.</Text>
            <Button
              size="xs"
              mt="xs"
              variant="default"
              onClick={() => void client.invalidateQueries({ queryKey: targetsQuery(subject).queryKey }).then(onClose)}
            >
              Load theirs
            </Button>
          </Alert>
        ) : (
          <FormError error={save.error} />
        )}
        <TargetShapeFields draft={draft} of={subject} onChange={change} />
        <YearStepper day={day} periods={periods} draft={draft} onDay={setDay} />
        <TargetDraftTable draft={draft} periods={periods} onChange={change} />
        {draft.by !== null && <AddMemberForm draft={draft} onChange={change} />}
        <DistributeTotal draft={draft} periods={periods} subject={subject} onChange={change} />
        <PasteTargets draft={draft} onChange={change} />
        {hasUnreadableCells && (
          <Text size="sm" c="red" role="alert">
            Some figures cannot be read: they are marked in the table.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={save.isPending} onClick={onSave}>
            Save targets
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface TargetDraftProps {
  draft: TargetDraft
  onChange: (next: TargetDraft) => void
}
const isEmpty = ({ lines }: TargetDraft): boolean =>
  lines.every(({ cells }) => Object.values(cells).every((text) => text === ''))

/** Other periods or members begin a table of their own: what was typed for the old ones means nothing there. */
function TargetShapeFields({ draft, of, onChange }: TargetDraftProps & { of: TargetSubject }) {
  const time = of.monitoredMetric?.time ?? null
  const dataset = useQuery({ ...datasetQuery(time?.dataset ?? ''), enabled: time !== null })
  const columns = (dataset.data?.columns ?? []).filter(
    ({ role, type, hidden }) => !hidden && role === 'dimension' && type === 'text',
  )
  const confirmRestart = (next: TargetDraft): void => {
    if (isEmpty(draft)) return onChange(next)
    confirmDestructive({
      title: 'Start the table anew?',
      message: 'The figures that are there belong to the other periods or members and are taken out.',
      confirm: 'Start anew',
      onConfirm: () => onChange(next),
    })
  }
  return (
    <Group gap="sm" grow preventGrowOverflow={false} align="flex-end">
      <Select
        label="A target for"
        allowDeselect={false}
        data={TARGET_GRAINS.map((grain) => ({ value: grain, label: GRAIN_LABELS[grain] }))}
        value={draft.grain}
        onChange={(value) => {
          const grain = TARGET_GRAINS.find((one) => one === value)
          if (grain && grain !== draft.grain) confirmRestart({ ...draft, grain, lines: [{ cells: {} }] })
        }}
      />
      <Select
        label="Of each"
        placeholder="Only the whole"
        clearable
        searchable
        data={columns.map(({ key, label }) => ({ value: key, label }))}
        value={draft.by?.field.column ?? null}
        onChange={(key) => {
          const column = columns.find((one) => one.key === key)
          const by = column && time ? { field: { dataset: time.dataset, column: column.key } } : null
          const whole = draft.lines.filter(({ member }) => member === undefined)
          const next = { ...draft, by, lines: whole.length === 0 ? [{ cells: {} }] : whole }
          if (whole.length === draft.lines.length) onChange(next)
          else confirmRestart(next)
        }}
      />
    </Group>
  )
}

interface YearStepperProps {
  day: string
  periods: readonly string[]
  draft: TargetDraft
  onDay: (day: string) => void
}

function YearStepper({ day, periods, draft, onDay }: YearStepperProps) {
  const year = yearGrainOf(draft.grain)
  const name = formatPeriod(periods[0] ?? day, year)
  const step = (years: number): void => onDay(addMonths(day, years * YEAR_MONTHS))
  return (
    <Group gap="xs">
      <ActionIcon variant="default" size="lg" aria-label="The year before" onClick={() => step(-1)}>
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <Text fw={600} miw="6ch" ta="center" aria-live="polite">
        {name}
      </Text>
      <ActionIcon variant="default" size="lg" aria-label="The year after" onClick={() => step(1)}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

function AddMemberForm({ draft, onChange }: TargetDraftProps) {
  const [name, setName] = useState('')
  const member = name.trim()
  const known = draft.lines.some((line) => lineKey(line) === lineKey({ member, cells: {} }))
  const add = (): void => {
    onChange({ ...draft, lines: [...draft.lines, { member, cells: {} }] })
    setName('')
  }
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        label="Add a member"
        description="Written as in the data"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={member === '' || known}
        onClick={add}
      >
        Add
      </Button>
    </Group>
  )
}
