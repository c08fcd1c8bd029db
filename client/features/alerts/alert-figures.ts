import type { Alert } from '../../../src/shared/alerts'
import { describeCondition, describeHold } from '../../../src/shared/alert-words'
import type { ColumnFormat } from '../../../src/shared/files'
import { useCellFormatter } from '../../ui/chart/figure-format'
import type { CellFormatter } from '../../ui/chart/figure-format'

/** A figure of an alert in the unit of what it follows. */
export function formatAlertValue(value: number | null, unit: ColumnFormat | null, format: CellFormatter): string {
  return format.round(value, { type: 'number', kind: 'measure', format: unit ?? { style: 'plain' } })
}

/** What sets an alert off, in words: “is above 100 000 kr for 2 months in a row”. */
export function useDescribeCondition(): (
  alert: Pick<Alert, 'condition' | 'grain' | 'hold'>,
  unit: ColumnFormat | null,
) => string {
  const format = useCellFormatter()
  return (alert, unit) =>
    [
      describeCondition(alert.condition, alert.grain, {
        measure: (value) => formatAlertValue(value, unit, format),
        percent: (part) => format.percent(part),
      }),
      describeHold(alert),
    ]
      .filter((words) => words !== null)
      .join(' ')
}
