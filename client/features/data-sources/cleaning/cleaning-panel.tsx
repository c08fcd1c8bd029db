import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconBulb, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './cleaning.module.css'
import { columnsBefore, describeSuggestion } from './step-drafts'
import { StepDialog } from './step-dialog'
import { StepList } from './step-list'
import bars from '../preview-grid.module.css'
import type { TableImportState } from '../import/use-import-tables'
import { useFormat } from '../../../lib/format'
import { formatRowCount } from '../../../../src/shared/figures/formatter'
import {
  CLEANING_LABELS,
  cleaningStepSchema,
  describeStep,
  type CleaningKind,
  type CleaningReport,
  type CleaningStep,
  type CleaningSuggestion,
} from '../../../../src/shared/data-sources/cleaning'
import type { DecimalMark } from '../../../../src/shared/data-sources/files'
import { CLEANING_STEPS_MAX } from '../../../../src/shared/limits'

export type CleanedTable = Pick<TableImportState, 'cleaning' | 'clean' | 'undoClean' | 'reading' | 'inspection'>
type OpenDialog = { at: number; of: CleaningStep | CleaningKind }

/** What the rows of a file go through before they are imported: proposals, the steps, and what each of them does. */
export function CleaningPanel({ found, report }: { found: CleanedTable; report: CleaningReport }) {
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const steps = found.cleaning
  const isCurrent = !found.reading
  const save = ({ at }: OpenDialog, step: CleaningStep) =>
    found.clean([...steps.slice(0, at), step, ...steps.slice(at + 1)])
  const add = (kind: CleaningKind) => setOpened({ at: steps.length, of: kind })
  const openStep = (at: number) => {
    const step = steps[at]
    if (step) setOpened({ at, of: step })
  }
  return (
    <section aria-label="Cleaning" className={bars.bar}>
      <Group justify="space-between" gap="xs" mb={steps.length > 0 || report.suggestions.length > 0 ? 8 : 0}>
        <div>
          <Text fw={600}>Cleaning</Text>
          <ReportCaption report={report} count={steps.length} />
        </div>
        <Group gap="xs">
          {found.undoClean && (
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconArrowBackUp size={14} aria-hidden />}
              onClick={found.undoClean}
            >
              Undo
            </Button>
          )}
          <AddStepMenu onPick={add} isFull={steps.length >= CLEANING_STEPS_MAX} />
        </Group>
      </Group>
      <Stack gap="xs">
        {steps.length > 0 && (
          <StepList
            steps={steps}
            effects={isCurrent ? report.effects : []}
            problem={isCurrent ? report.problem : null}
            edit={{ onSteps: found.clean, onOpen: openStep }}
          />
        )}
        {isCurrent && <Suggestions items={report.suggestions} onTake={(more) => found.clean([...steps, ...more])} />}
      </Stack>
      {opened && (
        <StepDialog
          of={opened.of}
          columns={columnsBefore(report, opened.at)}
          decimalMark={decimalMarkOf(found)}
          onSave={(step) => save(opened, step)}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  )
}

/** A text file’s own; in a workbook figures are numbers already, and those written as text mostly have a comma. */
const decimalMarkOf = ({ inspection }: CleanedTable): DecimalMark =>
  inspection?.kind === 'csv' ? inspection.settings.decimalMark : ','

function ReportCaption({ report, count }: { report: CleaningReport; count: number }) {
  const format = useFormat()
  if (count === 0)
    return (
      <Text size="xs" c="dimmed">
        Steps are kept and applied to each import.
      </Text>
    )
  if (report.exact) return null
  return (
    <Text size="xs" c="dimmed">
      Figures of the first {formatRowCount(format, report.rowsRead)}.
    </Text>
  )
}

const KINDS = cleaningStepSchema.options.map(({ shape }) => shape.kind.value)

function AddStepMenu({ onPick, isFull }: { onPick: (kind: CleaningKind) => void; isFull: boolean }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" disabled={isFull} leftSection={<IconPlus size={14} aria-hidden />}>
          Add step
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {KINDS.map((kind) => (
          <Menu.Item key={kind} onClick={() => onPick(kind)}>
            {CLEANING_LABELS[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface SuggestionsProps {
  items: readonly CleaningSuggestion[]
  onTake: (steps: readonly CleaningStep[]) => void
}

const inSentence = (words: string, at: number): string =>
  at === 0 ? words : words.charAt(0).toLowerCase() + words.slice(1)

/** Steps that the file calls for, each taken by one press. */
function Suggestions({ items, onTake }: SuggestionsProps) {
  const format = useFormat()
  return items.map(({ steps, ...told }) => {
    const words = steps.map(describeStep).map(inSentence).join(', then ')
    return (
      <div key={words} className={classes.suggestion}>
        <Group gap={8} wrap="nowrap" align="flex-start" className={classes.words}>
          <IconBulb size={18} color="var(--mantine-primary-color-filled)" aria-hidden style={{ flex: 'none' }} />
          <div>
            <Text size="sm">{words}</Text>
            <Text size="xs" c="dimmed">
              {describeSuggestion(told, format)}
            </Text>
          </div>
        </Group>
        <Button size="compact-sm" variant="light" aria-label={`Apply: ${words}`} onClick={() => onTake(steps)}>
          Apply
        </Button>
      </div>
    )
  })
}
