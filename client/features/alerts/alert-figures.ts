import type { Alert } from '../../../src/shared/alerts'
import { conditionWords, holdWords } from '../../../src/shared/alert-words'
import type { ColumnFormat } from '../../../src/shared/files'
import { useFigureFormat } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'

/** A figure of an alert in the unit of what it follows. */
export function alertFigure(value: number | null, unit: ColumnFormat | null, format: FigureFormat): string {
  return format.round(value, { type: 'number', kind: 'measure', format: unit ?? { style: 'plain' } })
}

/** What sets an alert off, in words: “is above 100 000 kr for 2 months in a row”. */
export function useConditionWords(): (
  alert: Pick<Alert, 'condition' | 'grain' | 'hold'>,
  unit: ColumnFormat | null,
) => string {
  const format = useFigureFormat()
  return (alert, unit) =>
    [
      conditionWords(alert.condition, alert.grain, {
        measure: (value) => alertFigure(value, unit, format),
        percent: (part) => format.percent(part),
      }),
      holdWords(alert),
    ]
      .filter((words) => words !== null)
      .join(' ')
}
