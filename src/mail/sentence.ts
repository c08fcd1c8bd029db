import { figureText } from './figures'
import { alertPeriod } from '../shared/alert-words'
import type { Finding } from '../shared/finding-feed'
import type { FindingPeriod, SentencePart } from '../shared/findings'
import type { WorkspaceSettings } from '../shared/workspaces'

type Notation = Pick<WorkspaceSettings, 'numberLocale'>
type Told = Pick<Finding, 'sentence'> & { about: Pick<Finding['about'], 'format'> }

/** The sentence of a finding as the workspace writes figures. */
export const sentenceText = ({ sentence, about }: Told, notation: Notation): string =>
  sentence.map((part) => partText(part, about, notation)).join('')

function partText(part: SentencePart, { format }: Told['about'], notation: Notation): string {
  if ('text' in part) return part.text
  if ('member' in part) return memberText(part.member.value)
  if ('period' in part) return periodText(part.period)
  const value = Number(part.figure)
  const percent = { style: 'percent' as const }
  switch (part.format) {
    case 'measure':
      return figureText(value, format, notation)
    case 'change':
      return `${plus(value)}${figureText(value, format, notation)}`
    case 'share':
      return figureText(value, percent, notation)
    case 'shareChange':
      return `${plus(value)}${figureText(value, percent, notation)}`
    case 'count':
      return figureText(value, null, notation)
  }
}
const plus = (value: number): string => (value > 0 ? '+' : '')

const memberText = (value: string | number | boolean | null): string => {
  if (value === null || value === '') return 'No value'
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

function periodText({ from, to, grain }: FindingPeriod): string {
  const name = (start: string): string =>
    grain === 'hour' ? start.slice(0, 16).replace('T', ' ') : alertPeriod(start.slice(0, 10), grain)
  return from === to ? name(from) : `${name(from)}–${name(to)}`
}
