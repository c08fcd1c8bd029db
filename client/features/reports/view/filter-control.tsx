import { Button, Checkbox, Popover, ScrollArea, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { FieldFilter, Scalar } from '../../../../src/shared/query/plan'
import { filterOf, valuesOf } from '../../../../src/shared/reports/filter-values'
import type { ReportFilter } from '../../../../src/shared/reports/reports'
import { NO_VALUE } from '../../../../src/shared/figures/cell-formatter'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { planResultQuery } from '../../../lib/plan-result'
import { topValuesPlan } from '../../../lib/query-builder/catalogue'
import { MutedText } from '../../../ui/muted-text'

interface FilterControlProps {
  filter: ReportFilter
  value: FieldFilter | null
  onChange: (value: FieldFilter | null) => void
}

/** "Country: Sweden": a filter of the report, with a list of the values to choose from. */
export function FilterControl({ filter, value, onChange }: FilterControlProps) {
  const [opened, setOpened] = useState(false)
  const chosen = valuesOf(value)
  const words =
    chosen === null
      ? 'Custom'
      : chosen.length === 0
        ? 'All'
        : chosen.length > 2
          ? `${chosen.length} values`
          : chosen.map((one) => (one === null ? NO_VALUE : String(one))).join(', ')
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={260} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant={chosen?.length === 0 ? 'default' : 'light'}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
        >
          {filter.label}: {words}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        {opened && (
          <ValueList filter={filter} chosen={chosen ?? []} onChange={(next) => onChange(filterOf(filter, next))} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

interface ValueListProps {
  filter: ReportFilter
  chosen: readonly Scalar[]
  onChange: (values: Scalar[]) => void
}

/** Values of the column, the most frequent first. */
function ValueList({ filter, chosen, onChange }: ValueListProps) {
  const format = useCellFormatter()
  const [text, setText] = useState('')
  const known = useQuery(planResultQuery(topValuesPlan(filter.field.dataset, filter.field.column)))
  const column = known.data?.columns[0]
  const offered = known.data?.rows.map(([value = null]): Scalar => value) ?? []
  const all = [...chosen.filter((value) => !offered.includes(value)), ...offered]
  const labelOf = (value: Scalar): string =>
    value === null ? NO_VALUE : column ? format.label(value, column) : String(value)
  const found = all.filter((value) => labelOf(value).toLowerCase().includes(text.trim().toLowerCase()))
  const toggle = (value: Scalar): void =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  return (
    <Stack gap="xs">
      <TextInput
        size="xs"
        aria-label={`Search ${filter.label}`}
        placeholder="Search"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <ScrollArea.Autosize mah={280} type="auto">
        <Stack gap={6} py={4} role="group" aria-label={filter.label}>
          {found.map((value) => (
            <Checkbox
              key={String(value)}
              size="xs"
              label={labelOf(value)}
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
          ))}
          {known.data && found.length === 0 && <MutedText size="xs">No values match</MutedText>}
        </Stack>
      </ScrollArea.Autosize>
      {chosen.length > 0 && (
        <Button size="compact-xs" variant="subtle" onClick={() => onChange([])}>
          Clear
        </Button>
      )}
    </Stack>
  )
}
