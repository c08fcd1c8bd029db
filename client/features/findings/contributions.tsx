import { Group, SegmentedControl, Select, Stack, Table, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Contribution, ContributionTable } from '../../../src/shared/findings'
import { NOTHING } from '../../lib/format'
import { Chart } from '../../ui/chart/chart'
import { useFigureFormat } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { waterfallDrawing } from '../../ui/chart/waterfall-drawing'
import { changeColumn, contributionSteps, lineName } from './contribution-steps'
import type { Change } from './contribution-steps'

interface ContributionsProps {
  change: Change
  /** One for each column that the change can be taken apart by, the most telling first. */
  tables: readonly ContributionTable[]
}

/** What a change is made of, as a waterfall and as a table. It says what accounts for it, never why. */
export function Contributions({ change, tables }: ContributionsProps) {
  const [by, setBy] = useState<string | null>(null)
  const [view, setView] = useState('chart')
  const table = tables.find(({ dimension }) => dimension === by) ?? tables[0]
  if (!table) return null
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end" gap="sm">
        {tables.length > 1 ? (
          <Select
            size="xs"
            label="Taken apart by"
            data={tables.map(({ dimension, label }) => ({ value: dimension, label }))}
            value={table.dimension}
            allowDeselect={false}
            onChange={setBy}
          />
        ) : (
          <Text size="sm" c="dimmed">
            Taken apart by {table.label}
          </Text>
        )}
        <SegmentedControl
          size="xs"
          aria-label="View of what it is made of"
          value={view}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          onChange={setView}
        />
      </Group>
      {view === 'chart' ? <Waterfall {...{ change, table }} /> : <Lines {...{ change, table }} />}
    </Stack>
  )
}

interface OneProps {
  change: Change
  table: ContributionTable
}

function Waterfall({ change, table }: OneProps) {
  const format = useFigureFormat()
  const drawing = useMemo(
    () => waterfallDrawing(contributionSteps(change, table.lines, format), format),
    [change, table.lines, format],
  )
  return <Chart drawing={drawing} format={format} label={`${change.label} by ${table.label}`} height={280} />
}

function Lines({ change, table }: OneProps) {
  const format = useFigureFormat()
  const isRatio = table.lines.some(({ rate }) => rate !== undefined)
  const column = changeColumn(change)
  const figure = (value: string | null | undefined): string =>
    value === null || value === undefined ? NOTHING : format.full(value, column)
  const signed = (value: string | undefined): string => (value === undefined ? NOTHING : format.signed(value, column))
  return (
    <>
      <Text size="sm" c="dimmed">
        What the change of {change.label} between {change.before} and {change.now} is made of. The lines add up to it
        exactly.
      </Text>
      <Table.ScrollContainer
        minWidth={isRatio ? 560 : 420}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': `${change.label} by part` } }}
      >
        <Table aria-label={`What the change of ${change.label} is made of`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{table.label}</Table.Th>
              {[change.before, change.now, 'Accounts for', ...(isRatio ? ['Own rate', 'Weight'] : [])].map((name) => (
                <Table.Th key={name} scope="col" ta="right">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.lines.map((line) => (
              <Line key={keyOf(line, format)} {...{ line, isRatio, figure, signed }} name={lineName(line, format)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}
const keyOf = (line: Contribution, format: FigureFormat): string => `${typeof line.member} ${lineName(line, format)}`

interface LineProps {
  line: Contribution
  name: string
  isRatio: boolean
  figure: (value: string | null | undefined) => string
  signed: (value: string | undefined) => string
}

function Line({ line, name, isRatio, figure, signed }: LineProps) {
  const cells = [figure(line.previous), figure(line.value), signed(line.change)]
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {name}
      </Table.Th>
      {[...cells, ...(isRatio ? [signed(line.rate), signed(line.mix)] : [])].map((cell, at) => (
        <Table.Td key={at} ta="right" style={{ fontFeatureSettings: "'tnum'", whiteSpace: 'nowrap' }}>
          {cell}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}
