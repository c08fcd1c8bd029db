import { IconButton } from '../../ui/buttons/icon-button'
import { DialogButtons } from '../../ui/forms/form-dialog'
import { isVersionConflict } from '../../lib/error-details'
import { Table, TextInput, Alert, Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconX, IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPeriod, addMonths, TARGET_GRAINS, yearGrainOf } from '../../../src/shared/targets/periods'
import { useFormat } from '../../lib/format'
import {
  parseTargetCell,
  lineKey,
  lineSum,
  setCell,
  toTargetDraft,
  toSaveTargetsInput,
  periodsOfYear,
  firstTargetDay,
} from './target-draft'
import type { TargetDraftLine, TargetDraft, DecimalMark } from './target-draft'
import classes from './targets.module.css'
import { TERMS } from '../../../src/shared/terms'
import type { TargetTable } from '../../../src/shared/targets/targets'
import { useSession } from '../../lib/session'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { TableSkeleton } from '../../ui/skeletons'
import { FormError } from '../../ui/forms/form-error'
import { PasteTargets, DistributeTotal } from './target-bulk-entry'
import { useFieldRange } from '../../lib/query-builder/time-column'
import { datasetQuery } from '../../lib/queries/data-source-queries'
import { targetsQuery, useSaveTargets, type TargetSubject } from './queries'
import { Dialog } from '../../ui/dialog'

interface TargetDraftTableProps {
  draft: TargetDraft
  periods: readonly string[]
  onChange: (next: TargetDraft) => void
}
const memberLabel = ({ member }: TargetDraftLine): string =>
  member === undefined ? TERMS.total : member === null || member === '' ? 'No value' : String(member)

/** One row a period, one column a line: it fits a narrow screen as long as there are few lines. */
function TargetDraftTable({ draft, periods, onChange }: TargetDraftTableProps) {
  const format = useFormat()
  const remove = (line: TargetDraftLine): void =>
    onChange({ ...draft, lines: draft.lines.filter((one) => lineKey(one) !== lineKey(line)) })
  return (
    <Table.ScrollContainer minWidth={0} mah="max(9rem, min(38vh, 100dvh - 31.5rem))">
      <Table className={classes.table} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Period</Table.Th>
            {draft.lines.map((line) => (
              <Table.Th key={lineKey(line)} ta="right">
                {memberLabel(line)}{' '}
                {line.member !== undefined && (
                  <IconButton
                    icon={IconX}
                    iconSize={12}
                    size="sm"
                    label={`Remove ${memberLabel(line)}`}
                    onClick={() => remove(line)}
                  />
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {periods.map((period) => (
            <Table.Tr key={period}>
              <Table.Th scope="row" fw={500}>
                {formatPeriod(period, draft.grain)}
              </Table.Th>
              {draft.lines.map((line) => (
                <Table.Td key={lineKey(line)}>
                  <TextInput
                    size="xs"
                    inputMode="decimal"
                    classNames={{ input: classes.cell ?? '' }}
                    aria-label={`${memberLabel(line)}, ${formatPeriod(period, draft.grain)}`}
                    value={line.cells[period] ?? ''}
                    error={parseTargetCell(line.cells[period], draft.decimalMark) === null}
                    onChange={(event) =>
                      onChange(setCell(draft, { key: lineKey(line), period, text: event.currentTarget.value }))
                    }
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {periods.length > 1 && (
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row">{TERMS.total}</Table.Th>
              {draft.lines.map((line) => (
                <Table.Td key={lineKey(line)} ta="right" className="figure">
                  {format.decimal(lineSum(line, { periods, mark: draft.decimalMark }), 4)}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  )
}

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

/** The day whose year is shown first, the same for as long as the editor is open; null until the days of the rows are known. */
function useFirstDay({ monitoredMetric }: TargetSubject): string | null {
  const time = monitoredMetric?.time ?? null
  const { dataRange, pending } = useFieldRange(time?.dataset ?? '', time)
  const [first, setFirst] = useState<string | null>(null)
  if (first === null && !pending) setFirst(firstTargetDay(new Date().toISOString().slice(0, 10), dataRange?.to ?? null))
  return first
}

/** The whole table of targets: typed, spread from a total, or pasted from a spreadsheet. */
export function TargetEditor({ subject, stored, onClose }: TargetEditorProps) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const settings = useSession().workspace?.settings
  const [begun] = useState<TargetDraft>(() => toTargetDraft(stored, decimalMarkOf(settings?.numberLocale ?? 'sv-SE')))
  const [draft, setDraft] = useState(begun)
  const kept = useKeptDraft({
    ...{ name: `targets:${subject.id}`, base: String(stored.version), value: draft },
    isDirty: JSON.stringify(draft) !== JSON.stringify(begun),
    apply: setDraft,
    reset: () => setDraft(begun),
  })
  const [chosen, setDay] = useState<string | null>(null)
  const first = useFirstDay(subject)
  const day = chosen ?? first
  const [hasUnreadableCells, setHasUnreadableCells] = useState(false)
  const client = useQueryClient()
  const save = useSaveTargets(subject)
  const change = (next: TargetDraft): void => {
    setHasUnreadableCells(false)
    setDraft(next)
  }
  const onSave = (): void => {
    const input = toSaveTargetsInput(draft, stored.version)
    if (!input) return setHasUnreadableCells(true)
    save.mutate(input, {
      onSuccess: () => {
        kept.clear()
        notifications.show({
          color: 'green',
          message: input.lines.length === 0 ? 'Targets removed' : 'Targets saved',
        })
        onClose()
      },
    })
  }
  const conflict = isVersionConflict(save.error)
  const cancel = (): void => {
    kept.clear()
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={`Targets: ${subject.name}`} size="xl" fullScreen={narrow}>
      <Stack gap="md">
        <DraftNotice draft={kept} />
        {conflict ? (
          <Alert color="yellow" title="Targets changed by someone else" role="alert">
            <Text size="sm">Loading theirs discards your changes.</Text>
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
        {day === null ? (
          <TableSkeleton />
        ) : (
          <TargetYear draft={draft} of={subject} onChange={change} day={day} onDay={setDay} />
        )}
        <PasteTargets draft={draft} onChange={change} />
        {hasUnreadableCells && (
          <Text size="sm" c="red" role="alert">
            Enter numbers in the highlighted cells.
          </Text>
        )}
        <DialogButtons submit="Save targets" pending={save.isPending} onConfirm={onSave} onClose={cancel} />
      </Stack>
    </Dialog>
  )
}

interface TargetDraftProps {
  draft: TargetDraft
  onChange: (next: TargetDraft) => void
}

interface TargetYearProps extends TargetDraftProps {
  of: TargetSubject
  day: string
  onDay: (day: string) => void
}

/** The periods of one year, and what fills them. */
function TargetYear({ draft, of, onChange, day, onDay }: TargetYearProps) {
  const fiscalYearStart = useSession().workspace?.settings.fiscalYearStart ?? 1
  const periods = periodsOfYear(day, { grain: draft.grain, fiscalYearStart })
  return (
    <>
      <YearStepper day={day} periods={periods} draft={draft} onDay={onDay} />
      <TargetDraftTable draft={draft} periods={periods} onChange={onChange} />
      {draft.by !== null && <AddMemberForm draft={draft} onChange={onChange} />}
      <DistributeTotal draft={draft} periods={periods} subject={of} onChange={onChange} />
    </>
  )
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
      title: 'Discard targets?',
      message: 'Removes the figures entered for the current periods or items.',
      confirm: 'Discard targets',
      onConfirm: () => onChange(next),
    })
  }
  return (
    <Group gap="sm" grow preventGrowOverflow={false} align="flex-end">
      <Select
        label="Period"
        data={TARGET_GRAINS.map((grain) => ({ value: grain, label: GRAIN_LABELS[grain] }))}
        value={draft.grain}
        onChange={(grain) => {
          if (grain && grain !== draft.grain) confirmRestart({ ...draft, grain, lines: [{ cells: {} }] })
        }}
      />
      <Select
        allowDeselect
        label={TERMS.breakDownBy}
        placeholder="None (total only)"
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
      <IconButton icon={IconChevronLeft} label="Previous year" variant="default" size="lg" onClick={() => step(-1)} />
      <Text fw={600} miw="6ch" ta="center" aria-live="polite">
        {name}
      </Text>
      <IconButton icon={IconChevronRight} label="Next year" variant="default" size="lg" onClick={() => step(1)} />
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
        label="Add item"
        placeholder="As written in the data"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={member === '' || known}
        onClick={add}
      >
        Add item
      </Button>
    </Group>
  )
}
