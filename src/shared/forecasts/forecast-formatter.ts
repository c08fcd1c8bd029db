import type { ForecastFormatter, SentenceFigures } from './model-card-text'
import type { ForecastGrain, ForecastResult } from './result'
import type { ColumnFormat } from '../data-sources/files'
import { bucketLabel, inOneSentence, type CellFormatter, type FormattedColumn } from '../figures/cell-formatter'

const columnOf = (format: ColumnFormat): FormattedColumn => ({ type: 'number', kind: 'measure', format })

/** When a period is: days are named by on, longer ones by in. */
export const whenText = (start: string, grain: ForecastGrain): string =>
  `${grain === 'day' ? 'on' : 'in'} ${bucketLabel(start, grain)}`

export type UnitAndGrain = Pick<ForecastResult, 'format' | 'grain'>

/** How a forecast is written on a screen: in sentences, and where a period stands by itself, as the person writes dates. */
export interface ForecastScreenFormatter extends ForecastFormatter {
  /** A period as a cell, a choice or a mark: `nov. 2026` in Swedish. */
  label: (start: string) => string
}

/** How figures, shares and periods of a forecast are written. */
export function createForecastFormatter(
  { format, grain }: UnitAndGrain,
  figures: CellFormatter,
): ForecastScreenFormatter {
  const column = columnOf(format)
  const share = columnOf({ style: 'percent' })
  const sentenceFigures = (own: FormattedColumn): SentenceFigures => ({
    rounded: (value) => figures.sentence(value, own),
    range: (lower, upper) => figures.sentenceRange(lower, upper, own),
  })
  return {
    figure: (value) => figures.round(value, column),
    ...sentenceFigures(column),
    inOneSentence: (values) => sentenceFigures(inOneSentence(column, [...values])),
    percent: (part) => figures.percent(part),
    share: (part) => figures.share(part),
    points: (part) => figures.signed(part, share).replace(/^\+/, ''),
    count: (value) => figures.count(value),
    period: (start) => bucketLabel(start, grain),
    label: (start) => figures.bucket(start, grain),
    when: (start) => whenText(start, grain),
  }
}
