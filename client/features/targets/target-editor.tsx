import { ActionIcon, Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { monthsLater, periodName, TARGET_GRAINS, yearGrainOf } from '../../../src/shared/target-periods'
import type { TargetTable } from '../../../src/shared/targets'
import { ApiError } from '../../lib/api'
import { useSession } from '../../lib/session'
import { confirmDanger } from '../../ui/confirm-danger'
import { FormError } from '../../ui/form-error'
import { draftOf, inputOf, keyOf, periodsOfYear } from './draft'
import type { Mark, TargetDraft } from './draft'
import { PasteTargets } from './paste-targets'
import { datasetQuery, targetsQuery, useSaveTargets } from './queries'
import type { TargetOf } from './queries'
import { SpreadTargets } from './spread-targets'
import { TargetTableView } from './target-table'

const GRAIN_LABELS = {
  month: 'Months',
  quarter: 'Quarters',
  year: 'Years',
  fiscalQuarter: 'Fiscal quarters',
  fiscalYear: 'Fiscal years',
} as const
const YEAR_MONTHS = 12
const decimalMark = (locale: string): Mark =>
  new Intl.NumberFormat(locale).formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === '.')
    ? '.'
    : ','

interface TargetEditorProps {
  of: TargetOf
  stored: TargetTable
  onClose: () => void
}

/** The whole table of targets: typed, spread from a total, or pasted from a spreadsheet. */
export function TargetEditor({ of, stored, onClose }: TargetEditorProps) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const settings = useSession().workspace?.settings
  const fiscalYearStart = settings?.fiscalYearStart ?? 1
  const [draft, setDraft] = useState<TargetDraft>(() => draftOf(stored, decimalMark(settings?.numberLocale ?? 'sv-SE')))
  const [day, setDay] = useState(() => new Date().toISOString().slice(0, 10))
  const [unread, setUnread] = useState(false)
  const client = useQueryClient()
  const save = useSaveTargets(of)
  const periods = periodsOfYear(day, { grain: draft.grain, fiscalYearStart })
  const change = (next: TargetDraft): void => {
    setUnread(false)
    setDraft(next)
  }
  const onSave = (): void => {
    const input = inputOf(draft, stored.version)
    if (!input) return setUnread(true)
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
    <Modal opened onClose={onClose} title={`Targets of ${of.name}`} size="xl" fullScreen={narrow}>
      <Stack gap="md">
        {conflict ? (
          <Alert color="yellow" title="Someone else saved targets first" role="alert">
            <Text size="sm">Load theirs to go on from there; what you typed here is dropped.</Text>
            <Button
              size="xs"
              mt="xs"
              variant="default"
              onClick={() => void client.invalidateQueries({ queryKey: targetsQuery(of).queryKey }).then(onClose)}
            >
              Load theirs
            </Button>
          </Alert>
        ) : (
          <FormError error={save.error} />
        )}
        <Kind draft={draft} of={of} onChange={change} />
        <YearStep day={day} periods={periods} draft={draft} onDay={setDay} />
        <TargetTableView draft={draft} periods={periods} onChange={change} />
        {draft.by !== null && <AddMember draft={draft} onChange={change} />}
        <SpreadTargets draft={draft} periods={periods} of={of} onChange={change} />
        <PasteTargets draft={draft} onChange={change} />
        {unread && (
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

interface PartProps {
  draft: TargetDraft
  onChange: (next: TargetDraft) => void
}
const isEmpty = ({ lines }: TargetDraft): boolean =>
  lines.every(({ cells }) => Object.values(cells).every((text) => text === ''))

/** Other periods or members begin a table of their own: what was typed for the old ones means nothing there. */
function Kind({ draft, of, onChange }: PartProps & { of: TargetOf }) {
  const time = of.tracked?.time ?? null
  const dataset = useQuery({ ...datasetQuery(time?.dataset ?? ''), enabled: time !== null })
  const columns = (dataset.data?.columns ?? []).filter(
    ({ role, type, hidden }) => !hidden && role === 'dimension' && type === 'text',
  )
  const anew = (next: TargetDraft): void => {
    if (isEmpty(draft)) return onChange(next)
    confirmDanger({
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
          if (grain && grain !== draft.grain) anew({ ...draft, grain, lines: [{ cells: {} }] })
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
          else anew(next)
        }}
      />
    </Group>
  )
}

interface YearStepProps {
  day: string
  periods: readonly string[]
  draft: TargetDraft
  onDay: (day: string) => void
}

function YearStep({ day, periods, draft, onDay }: YearStepProps) {
  const year = yearGrainOf(draft.grain)
  const name = periodName(periods[0] ?? day, year)
  const step = (years: number): void => onDay(monthsLater(day, years * YEAR_MONTHS))
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

function AddMember({ draft, onChange }: PartProps) {
  const [name, setName] = useState('')
  const member = name.trim()
  const known = draft.lines.some((line) => keyOf(line) === keyOf({ member, cells: {} }))
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
