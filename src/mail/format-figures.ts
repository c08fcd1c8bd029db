import type { ColumnFormat } from '../shared/data-sources/files'
import type { WorkspaceSettings } from '../shared/workspaces/workspaces'
import { formatAlertPeriod } from '../shared/alerts'
import { findingColumn, memberInSentence, opensSentence, seasonPlaceName } from '../shared/findings'
import { formatFigureInSentence, formatShare } from '../shared/figures/figures'
import { capitalize } from '../shared/text'
import { joinPeriodNames } from '../shared/figures/period-range'
import type { FindingMember, FindingPeriod, SentencePart } from '../shared/findings'

/** A figure as a sentence of a mail says it. Never "NaN" or "null": a figure that is missing is a dash. */
export const formatFigure = (
  value: number | null,
  format: ColumnFormat | null,
  { numberLocale }: Pick<WorkspaceSettings, 'numberLocale'>,
): string => formatFigureInSentence(value, format, numberLocale)

type NumberNotation = Pick<WorkspaceSettings, 'numberLocale'>
type FindingSentence = Parameters<typeof findingColumn>[0]

/** The sentence of a finding as the workspace writes figures. */
export function formatFindingSentence(finding: FindingSentence, notation: NumberNotation): string {
  const { sentence, about } = finding
  const { sentenceDecimals: decimals } = findingColumn(finding)
  return sentence
    .map((part, at) =>
      'member' in part
        ? memberInSentence(sentence, at, part.member)
        : 'text' in part && opensSentence(sentence, at)
          ? capitalize(part.text)
          : formatSentencePart(part, { format: about.format, decimals }, notation),
    )
    .join('')
}

function formatSentencePart(
  part: Exclude<SentencePart, { member: FindingMember }>,
  { format, decimals }: { format: ColumnFormat | null; decimals: number | undefined },
  notation: NumberNotation,
): string {
  if ('text' in part) return part.text
  if ('season' in part) return seasonPlaceName(part.season)
  if ('period' in part) return formatFindingPeriod(part.period)
  const value = Number(part.figure)
  const { numberLocale } = notation
  switch (part.format) {
    case 'measure':
      return formatFigureInSentence(value, format, numberLocale, { decimals })
    case 'change':
      return formatFigureInSentence(value, format, numberLocale, { signed: true, decimals })
    case 'difference':
      return formatFigureInSentence(value, format, numberLocale, { signed: true, decimals }).replace(/^[+\u2212-]/, '')
    case 'share':
      return formatShare(value, numberLocale, { even: true })
    case 'shareChange':
      return formatShare(value, numberLocale, { signed: true, even: true })
    case 'count':
    case 'plain':
      return formatFigure(value, null, notation)
  }
}

function formatFindingPeriod({ from, to, grain }: FindingPeriod): string {
  const name = (start: string): string =>
    grain === 'hour' ? start.slice(0, 16).replace('T', ' ') : formatAlertPeriod(start.slice(0, 10), grain)
  if (grain === 'week' && from !== to)
    return `the weeks of ${joinPeriodNames(formatAlertPeriod(from.slice(0, 10), 'day'), formatAlertPeriod(to.slice(0, 10), 'day'))}`
  return joinPeriodNames(name(from), name(to))
}
