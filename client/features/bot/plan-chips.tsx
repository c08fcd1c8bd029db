import { Button, Group, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import classes from './bot.module.css'
import { chipChoices, type ChipChoice } from './chip-choices'
import { datasetQuery } from '../../lib/queries/data-source-queries'
import { useCatalogue } from '../../lib/query-builder/catalogue'
import { dayRangeName } from '../../../src/shared/figures/period-range'
import { datasetIdsOf, measuredDataset } from '../../../src/shared/query/plan-fields'
import type { BotReading, PlanChip } from '../../../src/shared/bot/interpretation'
import type { QueryPlan } from '../../../src/shared/query/plan'

interface PlanChipsProps {
  reading: BotReading
  /** Absent: they are only read. */
  onChange?: (plan: QueryPlan) => void
  busy?: boolean
}

/** How a question was read, part by part; each can be changed, and is answered again then. */
export function PlanChips({ reading, onChange, busy = false }: PlanChipsProps) {
  const { plan, chips } = reading
  const { catalogue } = useCatalogue({ enabled: onChange !== undefined })
  const home = measuredDataset(plan)
  const ids = [...new Set([...(home === undefined ? [] : [home]), ...datasetIdsOf(plan)])]
  const datasets = useQueries({ queries: ids.map((id) => ({ ...datasetQuery(id), enabled: onChange !== undefined })) })
  const known = datasets.flatMap(({ data }) => (data ? [data] : []))
  return (
    <div className={classes.chips} role="group" aria-label="How it was read">
      {chips.map((chip) => {
        const choices = onChange ? chipChoices({ chip, plan, datasets: known, metrics: catalogue?.metrics ?? [] }) : []
        return (
          <Chip
            key={`${chip.kind} ${chip.index}`}
            chip={chip.kind === 'period' ? { ...chip, label: periodLabel(plan) ?? chip.label } : chip}
            choices={choices}
            busy={busy}
            onChoose={({ plan: next }) => onChange?.(next)}
          />
        )
      })}
    </div>
  )
}

/** Days of a calendar as they are written beside figures: "2023", "Jan–Mar 2023"; undefined for what counts back. */
function periodLabel({ period }: QueryPlan): string | undefined {
  if (period?.range.kind !== 'absolute') return undefined
  return dayRangeName(period.range)
}

function Chip(props: {
  chip: PlanChip
  choices: readonly ChipChoice[]
  busy: boolean
  onChoose: (choice: ChipChoice) => void
}) {
  const { chip, choices, busy, onChoose } = props
  const look = { size: 'compact-sm', variant: 'default', fw: 500 } as const
  if (choices.length === 0)
    return (
      <Group
        component="span"
        className="chip"
        gap={0}
        px={8}
        py={2}
        style={{ border: '1px solid var(--line)', borderRadius: 6, fontSize: 13 }}
      >
        {chip.label}
      </Group>
    )
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          {...look}
          disabled={busy}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          styles={{ label: { whiteSpace: 'normal' } }}
          h="auto"
          mih={26}
        >
          {chip.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.label}
            onClick={() => onChoose(choice)}
            {...(choice.isRemoval ? { color: 'red' } : {})}
          >
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
