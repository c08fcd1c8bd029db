import type { Finding, FindingAbout } from '../../../src/shared/finding-feed'
import type { FindingPeriod, SentencePart } from '../../../src/shared/findings'
import type { FigureColumn, FigureFormat } from '../../ui/chart/figure-format'
import { numeric } from '../../ui/chart/figure-format'

/** A piece of a finding's sentence as it is shown; figures and names stand out. */
export interface Piece {
  text: string
  strong: boolean
}

/** How the figures of a finding are shown: as those of what it is about. */
export const columnOf = ({ format, scale }: Pick<FindingAbout, 'format' | 'scale'>): FigureColumn => ({
  kind: 'measure',
  type: 'number',
  format,
  ...(scale === null ? {} : { scale }),
})

const day = (grain: FindingPeriod['grain']): FigureColumn => ({
  ...{ kind: 'dimension', type: 'date', format: { style: 'plain' }, grain },
})

/** "Mar 2026", or "Jan 2026–Mar 2026". */
export function periodWords({ from, to, grain }: FindingPeriod, format: FigureFormat): string {
  const [first, last] = [from, to].map((at) => format.label(at, day(grain)))
  return first === last ? (first ?? '') : `${first ?? ''}–${last ?? ''}`
}

function pieceOf(part: SentencePart, about: FindingAbout, format: FigureFormat): Piece {
  if ('text' in part) return { text: part.text, strong: false }
  if ('member' in part) return { text: memberName(part.member.value, format), strong: true }
  if ('period' in part) return { text: periodWords(part.period, format), strong: false }
  const column = columnOf(about)
  const value = numeric(part.figure) ?? 0
  switch (part.format) {
    case 'measure':
      return { text: format.round(part.figure, column), strong: true }
    case 'change':
      return { text: format.signedRound(part.figure, column), strong: true }
    case 'share':
      return { text: format.percent(value), strong: true }
    case 'shareChange':
      return { text: format.percent(value, true), strong: true }
    case 'count':
      return { text: format.count(value), strong: true }
  }
}

export const memberName = (value: string | number | boolean | null, format: FigureFormat): string =>
  format.label(value, { kind: 'dimension', type: 'text', format: { style: 'plain' } })

/** The sentence of a finding in the workspace's own notation. */
export const piecesOf = ({ sentence, about }: Finding, format: FigureFormat): Piece[] =>
  sentence.map((part) => pieceOf(part, about, format))

export const sentenceText = (finding: Finding, format: FigureFormat): string =>
  piecesOf(finding, format)
    .map(({ text }) => text)
    .join('')

const STATISTICS = {
  t: 'Student’s t against its own past',
  z: 'Robust z score (median and MAD)',
  F: 'F ratio of two trends',
  runs: 'Length of the run',
  poisson: 'Poisson count',
} as const

const SURE = 0.999

/** How sure it is, and over how many periods: for everybody. */
export const basisWords = ({ n, confidence }: Finding, format: FigureFormat): string => {
  const said = confidence > SURE ? `above ${format.percent(SURE)}` : format.percent(confidence)
  return `Confidence ${said}, over ${format.count(n)} ${n === 1 ? 'period' : 'periods'}.`
}

/** The statistic that it rests on, for whoever wants to check it. */
export const statisticWords = ({ statistic }: Pick<Finding, 'statistic'>, format: FigureFormat): string => {
  const plain = { kind: 'measure', type: 'number', format: { style: 'plain' }, scale: 1 } as const
  return `${STATISTICS[statistic.name]}: ${format.round(Math.round(statistic.value * 10) / 10, plain)}`
}
