import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { toTargetCells, targetLineValues } from '../../../src/shared/targets/pace'
import { TARGET_GRAINS } from '../../../src/shared/targets/periods'
import type { TargetTable } from '../../../src/shared/targets/targets'
import type { MonitoredMetric } from '../../../src/shared/monitored-metric'
import { useSession } from '../../lib/session'
import { monitoredMetricOf, useReferencedMetrics } from '../../lib/monitored-metric'
import type { ChartTarget } from '../../ui/chart/axis-model'
import { targetsQuery } from './queries'
import { insightQuery } from '../../lib/queries/insight-queries'

/** The line of targets that the chart of an insight draws; undefined where it has none. */
export function useChartTarget(id: string): ChartTarget | undefined {
  const fiscalYearStart = useSession().workspace?.settings.fiscalYearStart ?? 1
  const { data: insight } = useQuery(insightQuery(id))
  const { data: table } = useQuery(targetsQuery({ kind: 'insight', id }))
  const metrics = useReferencedMetrics(insight)
  return useMemo(
    () => insight && table && chartTarget(monitoredMetricOf(insight, 0, metrics), table, fiscalYearStart),
    [insight, table, fiscalYearStart, metrics],
  )
}

function chartTarget(
  tracked: MonitoredMetric | null,
  table: TargetTable,
  fiscalYearStart: number,
): ChartTarget | undefined {
  const whole = table.lines.find(({ member }) => member === undefined)
  if (!tracked || !whole) return undefined
  const { additive, running } = tracked
  return {
    name: 'Target',
    line: (starts, grain) => {
      const chart = TARGET_GRAINS.find((one) => one === grain)
      if (!chart) return starts.map(() => null)
      const targetLineOptions = { chart, grain: table.grain, fiscalYearStart, additive, running }
      return targetLineValues(toTargetCells(whole), starts, targetLineOptions).map((value) =>
        value === null ? null : Number(value),
      )
    },
  }
}
