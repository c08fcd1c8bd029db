import { Group, Switch } from '@mantine/core'
import { useState } from 'react'
import { byLevel, FORECAST_LEVELS } from '../../../../src/shared/forecasts/result'
import type { ForecastLevel, ForecastPath, ForecastResult } from '../../../../src/shared/forecasts/result'
import { samePeriodLastYear } from '../../../../src/shared/forecasts/summary'
import { TERMS } from '../../../../src/shared/terms'
import { figureColumn, type ItemColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
import { SectionCard } from '../../../ui/section-card'
import { useForecastFormatter } from '../forecast-format'
import type { ForecastScreenFormatter } from '../../../../src/shared/forecasts/forecast-formatter'

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

/** A column for each figure of a period; without the past that of what was says nothing. */
export function forecastColumns(
  result: ForecastResult,
  { withPast, withParts }: { withPast: boolean; withParts: boolean },
  { figure, label: periodLabel, percent }: Pick<ForecastScreenFormatter, 'figure' | 'label' | 'percent'>,
): ItemColumn<ForecastTableRow>[] {
  const column = (label: string, value: (row: ForecastTableRow) => number | null): ItemColumn<ForecastTableRow> =>
    figureColumn(label, value, figure)
  return [
    {
      label: 'Period',
      kind: 'date',
      value: ({ start }) => start,
      text: ({ start }) => periodLabel(start),
      filter: true,
    },
    ...(withPast ? [column('Actual', ({ actual }) => actual)] : []),
    column('Forecast', ({ mean }) => mean),
    column(TERMS.previousYear, ({ before }) => before),
    ...FORECAST_LEVELS.flatMap((level) => [
      column(`${percent(level / 100)} lower`, ({ bands }) => bands?.[level].lower ?? null),
      column(`${percent(level / 100)} upper`, ({ bands }) => bands?.[level].upper ?? null),
    ]),
    ...(withParts
      ? result.parts.map(({ label }, at) => column(label ?? 'No value', ({ parts }) => parts[at] ?? null))
      : []),
  ]
}

interface ForecastTableProps extends SeriesSelection {
  result: ForecastResult
}

/** Every figure of a forecast: the middle, its bands, the year before and the parts. */
export function ForecastTable({ result, part, asBalance = false }: ForecastTableProps) {
  const words = useForecastFormatter(result)
  const [withPast, setWithPast] = useState(false)
  const rows = forecastTableRows(result, { part, asBalance }).filter(({ isAhead }) => isAhead || withPast)
  const withParts = rows.some(({ parts }) => parts.length > 0)
  return (
    <SectionCard title="Data">
      <Group>
        <Switch
          label="Show history"
          checked={withPast}
          onChange={(event) => setWithPast(event.currentTarget.checked)}
        />
      </Group>
      <ItemTable
        key={String(withPast)}
        caption="Forecast data"
        items={rows}
        itemKey={({ start }) => start}
        columns={forecastColumns(result, { withPast, withParts }, words)}
      />
    </SectionCard>
  )
}
