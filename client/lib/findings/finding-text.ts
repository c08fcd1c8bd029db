import {
  calendarUnit,
  findingColumn,
  isFactKind,
  memberInSentence,
  opensSentence,
  seasonPlaceName,
} from '../../../src/shared/findings'
import type { Finding, FindingPeriod, SentencePart } from '../../../src/shared/findings'
import { capitalize } from '../../../src/shared/text'
import { joinPeriodNames } from '../../../src/shared/figures/period-range'
import {
  bucketLabel,
  toNumber,
  type FormattedColumn,
  type CellFormatter,
} from '../../../src/shared/figures/cell-formatter'

/** A piece of a finding's sentence as it is shown; figures and names stand out. */
export interface SentenceSegment {
  text: string
  strong: boolean
}

/** "Mar 2026", or "Jan–Mar 2026": in English, as the sentences it stands in. */
export function describeFindingPeriod({ from, to, grain }: FindingPeriod): string {
  return joinPeriodNames(bucketLabel(from, grain), bucketLabel(to, grain))
}

interface FigureNotation {
  column: FormattedColumn
  format: CellFormatter
}

type FigurePart = Exclude<SentencePart, { text: string } | { member: unknown }>
function figureSegment(part: FigurePart, { column, format }: FigureNotation): SentenceSegment {
  if ('season' in part) return { text: seasonPlaceName(part.season), strong: true }
  if ('period' in part) return { text: describeFindingPeriod(part.period), strong: false }
  const value = toNumber(part.figure) ?? 0
  switch (part.format) {
    case 'measure':
      return { text: format.sentence(part.figure, column), strong: true }
    case 'change':
      return { text: format.signedSentence(part.figure, column), strong: true }
    case 'difference':
      return { text: format.signedSentence(part.figure, column).replace(/^[+\u2212-]/, ''), strong: true }
    case 'share':
      return { text: format.share(value), strong: true }
    case 'shareChange':
      return { text: format.share(value, true), strong: true }
    case 'count':
      return { text: format.count(value), strong: true }
    case 'plain':
      return { text: format.round(value, { ...PLAIN_NUMBER, scale: 2 }), strong: true }
  }
}

export function sentenceSegments(finding: Finding, format: CellFormatter): SentenceSegment[] {
  const { sentence } = finding
  const column = findingColumn(finding)
  return sentence.map((part, at) => {
    if ('member' in part) return { text: memberInSentence(sentence, at, part.member), strong: true }
    if ('text' in part) return { text: opensSentence(sentence, at) ? capitalize(part.text) : part.text, strong: false }
    return figureSegment(part, { column, format })
  })
}

export const sentenceText = (finding: Finding, format: CellFormatter): string =>
  sentenceSegments(finding, format)
    .map(({ text }) => text)
    .join('')

const PLAIN_NUMBER = { kind: 'measure', type: 'number', format: { style: 'plain' } } as const

const STATISTIC_LABELS = {
  t: 'Student’s t vs history',
  z: 'Robust z-score (median and MAD)',
  F: 'F ratio of seasonality',
  proportions: 'z of two shares, in the half of the rows that was not searched',
  share: 'Part of the whole',
} as const

const CONFIDENCE_SHOWN_MAX = 0.999

/** "99 % confidence, 36 months". */
export const describeConfidence = ({ n, confidence, period, kind }: Finding, format: CellFormatter): string => {
  if (isFactKind(kind))
    return `Based on all rows, ${format.count(n)} ${calendarUnit(period.grain)}${n === 1 ? '' : 's'}`
  const confidenceText =
    confidence > CONFIDENCE_SHOWN_MAX ? `Above ${format.percent(CONFIDENCE_SHOWN_MAX)}` : format.percent(confidence)
  if (kind === 'influencer') return `${confidenceText} confidence, ${format.count(n)} record${n === 1 ? '' : 's'}`
  return `${confidenceText} confidence, ${format.count(n)} ${calendarUnit(period.grain)}${n === 1 ? '' : 's'}`
}

/** "12 months in a row"; of a member that came or went "Records in 19 of 36 months". */
function describeRun({ statistic, kind, n, period }: StatisticSource, format: CellFormatter): string {
  const units = (count: number): string => `${calendarUnit(period.grain)}${count === 1 ? '' : 's'}`
  return kind === 'streak'
    ? `${format.count(statistic.value)} ${units(statistic.value)} in a row`
    : `Records in ${format.count(statistic.value)} of ${format.count(n)} ${units(n)}`
}
type StatisticSource = Pick<Finding, 'statistic' | 'kind' | 'n' | 'period'>

export const describeStatistic = (finding: StatisticSource, format: CellFormatter): string => {
  const { statistic } = finding
  if (statistic.name === 'runs') return describeRun(finding, format)
  const value = format.round(Math.round(statistic.value * 10) / 10, { ...PLAIN_NUMBER, scale: 1 })
  return `${STATISTIC_LABELS[statistic.name]}: ${value}`
}
