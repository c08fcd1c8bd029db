import { Button, CopyButton, Group, Switch, Table } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { byLevel, FORECAST_LEVELS } from '../../../../src/shared/forecasts/result'
import type { ForecastLevel, ForecastPath, ForecastResult } from '../../../../src/shared/forecasts/result'
import { samePeriodLastYear } from '../../../../src/shared/forecasts/summary'
import { TERMS } from '../../../../src/shared/terms'
import { MISSING_VALUE } from '../../../lib/format'
import { SectionCard } from '../../../ui/section-card'
import classes from './forecast-page.module.css'
import { useForecastFormatter } from '../forecast-format'

export interface ForecastTableRow {
  start: string
  /** What was; null for what is ahead, and for periods without figures. */
  actual: number | null
  isAhead: boolean
  mean: number | null
  bands: Record<ForecastLevel, { lower: number; upper: number }> | null
  /** The same period a year before; null where it is not known. */
  before: number | null
  parts: (number | null)[]
}

export interface SeriesSelection {
  part?: number | undefined
  asBalance?: boolean
}

/** The past and the path ahead that are looked at. */
function selectedSeries(
  result: ForecastResult,
  { part, asBalance }: SeriesSelection,
): { past: readonly (number | null)[]; path: ForecastPath } {
  if (asBalance && result.balance) return result.balance
  const one = part === undefined ? undefined : result.parts[part]
  return one ? { past: one.values, path: one.path } : { past: result.raw, path: result.total.path }
}

/** Every period, oldest first, with what was or what is expected. Parts stand beside the whole only. */
export function forecastTableRows(result: ForecastResult, selection: SeriesSelection): ForecastTableRow[] {
  const { periods, future, grain } = result
  const { past, path } = selectedSeries(result, selection)
  const parts = selection.part === undefined && !selection.asBalance ? result.parts : []
  const known = new Map(periods.map((start, at) => [start, past[at] ?? null]))
  const before = (start: string): number | null => known.get(samePeriodLastYear(start, grain)) ?? null
  const band = (at: number, level: ForecastLevel) => ({
    lower: path.bands[level].lower[at] ?? 0,
    upper: path.bands[level].upper[at] ?? 0,
  })
  return [
    ...periods.map((start, at): ForecastTableRow => ({
      ...{ start, actual: past[at] ?? null, isAhead: false, mean: null, bands: null, before: before(start) },
      parts: parts.map(({ values }) => values[at] ?? null),
    })),
    ...future.map((start, at): ForecastTableRow => ({
      ...{ start, actual: null, isAhead: true, mean: path.mean[at] ?? null, before: before(start) },
      bands: byLevel((level) => band(at, level)),
      parts: parts.map((one) => one.path.mean[at] ?? null),
    })),
  ]
}

export interface FormattedTable {
  head: string[]
  rows: { start: string; isAhead: boolean; cells: string[] }[]
}
interface CellFormatters {
  percent: (part: number) => string
  figure: (value: number | null) => string
  period: (start: string) => string
}

/** The rows as texts, a column each; for the screen, and for the clipboard with plain numbers. */
export function formatTableRows(
  result: ForecastResult,
  rows: readonly ForecastTableRow[],
  { figure, period, percent }: CellFormatters,
): FormattedTable {
  const labels = rows[0]?.parts.length ? result.parts.map(({ label }) => label ?? 'No value') : []
  return {
    head: [
      ...['Period', 'Actual', 'Forecast', TERMS.previousYear],
      ...FORECAST_LEVELS.flatMap((level) => [`${percent(level / 100)} lower`, `${percent(level / 100)} upper`]),
      ...labels,
    ],
    rows: rows.map(({ start, isAhead, actual, mean, bands, before, parts }) => ({
      ...{ start, isAhead },
      cells: [
        ...[period(start), figure(actual), figure(mean), figure(before)],
        ...FORECAST_LEVELS.flatMap((level) =>
          bands ? [figure(bands[level].lower), figure(bands[level].upper)] : [figure(null), figure(null)],
        ),
        ...parts.map(figure),
      ],
    })),
  }
}

/** For a spreadsheet: tab between cells, plain numbers. */
export const clipboardText = ({ head, rows }: FormattedTable): string =>
  [head, ...rows.map(({ cells }) => cells)].map((cells) => cells.map(stripBreaks).join('\t')).join('\n')
const stripBreaks = (cell: string): string => cell.replace(/[\t\r\n]+/g, ' ')

interface ForecastTableProps extends SeriesSelection {
  result: ForecastResult
}

/** Every figure of a forecast: the middle, its bands, the year before and the parts. */
export function ForecastTable({ result, part, asBalance = false }: ForecastTableProps) {
  const words = useForecastFormatter(result)
  const [withPast, setWithPast] = useState(false)
  const rows = forecastTableRows(result, { part, asBalance }).filter(({ isAhead }) => isAhead || withPast)
  const figure = (value: number | null): string => (value === null ? MISSING_VALUE : words.figure(value))
  const { head, rows: lines } = formatTableRows(result, rows, { figure, period: words.period, percent: words.percent })
  // Without the past, its column says nothing.
  const columns = head.flatMap((name, at) => (at === 1 && !withPast ? [] : [{ name, at }]))
  const copied = (): string =>
    clipboardText(
      formatTableRows(result, rows, {
        figure: (value) => (value === null ? '' : String(value)),
        period: (start) => start,
        percent: words.percent,
      }),
    )
  return (
    <SectionCard title="Data">
      <Group justify="space-between">
        <Switch
          label="Show history"
          checked={withPast}
          onChange={(event) => setWithPast(event.currentTarget.checked)}
        />
        <CopyButton value={copied()}>
          {({ copied: isCopied, copy }) => (
            <Button
              variant="default"
              size="xs"
              leftSection={isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={copy}
            >
              {isCopied ? 'Copied' : 'Copy table'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <div className={classes.tableFrame} tabIndex={0} role="region" aria-label="Forecast data">
        <Table stickyHeader striped>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name, at }) => (
                <Table.Th key={at} ta={at === 0 ? 'left' : 'right'}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.map(({ start, cells }) => (
              <Table.Tr key={start}>
                {columns.map(({ at }) =>
                  at === 0 ? (
                    <Table.Th key={at} scope="row" fw={400}>
                      {cells[at]}
                    </Table.Th>
                  ) : (
                    <Table.Td key={at} ta="right" className="figure" fw={at === 2 ? 550 : 400}>
                      {cells[at]}
                    </Table.Td>
                  ),
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </SectionCard>
  )
}
