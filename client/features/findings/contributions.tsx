import { MutedText } from '../../ui/muted-text'
import { Group, SegmentedControl, Select, Stack } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ColumnFormat } from '../../../src/shared/data-sources/files'
import { findingMemberName, type Contribution, type ContributionTable } from '../../../src/shared/findings'
import { TERMS } from '../../../src/shared/terms'
import type { ResultColumn } from '../../../src/shared/query/result'
import { useCellFormatter } from '../../lib/cell-formatter'
import { toNumber, type CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { levelStep, waterfallSpec, type WaterfallStep, type WaterfallModel } from '../../ui/chart/waterfall-chart'
import { Chart } from '../../ui/chart/chart'
import { figureColumn, type ItemColumn } from '../../ui/data-table/item-column'
import { ItemTable } from '../../ui/data-table/item-table'

/** A change taken apart: from one figure to another, by the values of one column. */
export interface ChangeSummary {
  label: string
  format: ColumnFormat
  scale: number | null
  /** Decimal text; null where there is no figure. */
  previous: string | null
  value: string | null
  /** What the two ends are called. */
  before: string
  now: string
}

/** What a line is called. */
export function contributionLabel(line: Contribution, { dimension, label }: TableName, format: CellFormatter): string {
  if (line.others !== undefined) return `${format.count(line.others)} others`
  const value = line.member ?? null
  return value === null || value === '' || line.name !== undefined
    ? findingMemberName({ dimension, label, value, name: line.name })
    : format.label(value, { kind: 'dimension', type: 'text', format: { style: 'plain' } })
}
type TableName = Pick<ContributionTable, 'dimension' | 'label'>

export const changeColumn = ({ label, format, scale }: ChangeSummary): ResultColumn => ({
  key: 'm0',
  label,
  kind: 'measure',
  type: 'number',
  format,
  ...(scale === null ? {} : { scale }),
})

/** The largest rise first, then what falls; the others last of their kind. */
const byContribution = (a: Contribution, b: Contribution): number => {
  const [x, y] = [toNumber(a.change) ?? 0, toNumber(b.change) ?? 0]
  const falls = Number(x < 0) - Number(y < 0)
  return falls || Number(a.others !== undefined) - Number(b.others !== undefined) || Math.abs(y) - Math.abs(x)
}

/** Contributions as the steps that lead from the figure before to the figure now. */
export function contributionWaterfall(
  summary: ChangeSummary,
  { lines, ...table }: ContributionTable,
  format: CellFormatter,
): WaterfallModel {
  const start = toNumber(summary.previous) ?? 0
  let reached = start
  const parts = lines.toSorted(byContribution).map((line): WaterfallStep => {
    const from = reached
    reached += toNumber(line.change) ?? 0
    const other = line.others !== undefined
    return { ...levelStep(contributionLabel(line, table, format), reached), kind: 'part', from, other }
  })
  const column = changeColumn(summary)
  return {
    axis: column,
    column,
    time: false,
    change: true,
    notes: [],
    steps: [levelStep(summary.before, start), ...parts, levelStep(summary.now, toNumber(summary.value) ?? reached)],
  }
}

interface ContributionBreakdownProps {
  change: ChangeSummary
  /** One for each column that the change can be taken apart by, the most telling first. */
  tables: readonly ContributionTable[]
}

/** What a change is made of, as a waterfall and as a table. It says what accounts for it, never why. */
export function ContributionBreakdown({ change, tables }: ContributionBreakdownProps) {
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
            label={TERMS.breakDownBy}
            data={tables.map(({ dimension, label }) => ({ value: dimension, label }))}
            value={table.dimension}
            onChange={setBy}
          />
        ) : (
          <MutedText>
            {TERMS.breakDownBy} {table.label}
          </MutedText>
        )}
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={view}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          onChange={setView}
        />
      </Group>
      {view === 'chart' ? (
        <ContributionChart change={change} table={table} />
      ) : (
        <ContributionTableView change={change} table={table} />
      )}
    </Stack>
  )
}

interface ContributionViewProps {
  change: ChangeSummary
  table: ContributionTable
}

function ContributionChart({ change, table }: ContributionViewProps) {
  const format = useCellFormatter()
  const drawing = useMemo(
    () => waterfallSpec(contributionWaterfall(change, table, format), format),
    [change, table, format],
  )
  return <Chart drawing={drawing} format={format} label={`${change.label} by ${table.label}`} height={280} />
}

function ContributionTableView({ change, table }: ContributionViewProps) {
  const format = useCellFormatter()
  const measure = changeColumn(change)
  const full = (value: string): string => format.full(value, measure)
  const signed = (value: string): string => format.signed(value, measure)
  const column = (
    label: string,
    valueOf: (line: Contribution) => string | null | undefined,
    write: (value: string) => string = full,
  ): ItemColumn<Contribution> => figureColumn(label, valueOf, write)
  const isRatio = table.lines.some(({ rate }) => rate !== undefined)
  const name = (line: Contribution): string => contributionLabel(line, table, format)
  return (
    <ItemTable
      caption={`${TERMS.contributionToChange}: ${change.label}`}
      items={table.lines}
      itemKey={(line) => `${typeof line.member} ${name(line)}`}
      columns={[
        { label: table.label, value: name },
        column(change.before, ({ previous }) => previous),
        column(change.now, ({ value }) => value),
        column('Contribution', (line) => line.change, signed),
        ...(isRatio
          ? [column('Rate effect', ({ rate }) => rate, signed), column('Mix effect', ({ mix }) => mix, signed)]
          : []),
      ]}
    />
  )
}
