import { formatFigure } from './figures'
import { formatAlertPeriod } from '../shared/alert-words'
import type { Finding } from '../shared/finding-feed'
import type { FindingPeriod, SentencePart } from '../shared/findings'
import type { WorkspaceSettings } from '../shared/workspaces'

type NumberNotation = Pick<WorkspaceSettings, 'numberLocale'>
type FindingSentence = Pick<Finding, 'sentence'> & { about: Pick<Finding['about'], 'format'> }

/** The sentence of a finding as the workspace writes figures. */
export const formatFindingSentence = ({ sentence, about }: FindingSentence, numberNotation: NumberNotation): string =>
  sentence.map((part) => formatSentencePart(part, about, numberNotation)).join('')

function formatSentencePart(
  part: SentencePart,
  { format }: FindingSentence['about'],
  numberNotation: NumberNotation,
): string {
  if ('text' in part) return part.text
  if ('member' in part) return formatMember(part.member.value)
  if ('period' in part) return formatFindingPeriod(part.period)
  const value = Number(part.figure)
  const percent = { style: 'percent' as const }
  switch (part.format) {
    case 'measure':
      return formatFigure(value, format, numberNotation)
    case 'change':
      return `${plusSign(value)}${formatFigure(value, format, numberNotation)}`
    case 'share':
      return formatFigure(value, percent, numberNotation)
    case 'shareChange':
      return `${plusSign(value)}${formatFigure(value, percent, numberNotation)}`
    case 'count':
      return formatFigure(value, null, numberNotation)
  }
}
const plusSign = (value: number): string => (value > 0 ? '+' : '')

const formatMember = (value: string | number | boolean | null): string => {
  if (value === null || value === '') return 'No value'
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

function formatFindingPeriod({ from, to, grain }: FindingPeriod): string {
  const name = (start: string): string =>
    grain === 'hour' ? start.slice(0, 16).replace('T', ' ') : formatAlertPeriod(start.slice(0, 10), grain)
  return from === to ? name(from) : `${name(from)}–${name(to)}`
}
