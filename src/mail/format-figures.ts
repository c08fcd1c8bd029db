import type { ColumnFormat } from '../shared/data-sources/files'
import type { WorkspaceSettings } from '../shared/workspaces'
import { formatAlertPeriod } from '../shared/alerts'
import { findingMemberName, seasonPlaceName } from '../shared/findings'
import type { Finding, FindingPeriod, SentencePart } from '../shared/findings'

/** From here on a fraction is noise in a mail. */
const WHOLE_NUMBERS_FROM = 1_000

/** A figure as the workspace writes it. Never "NaN" or "null": a figure that is missing is a dash. */
export function formatFigure(
  value: number | null,
  format: ColumnFormat | null,
  { numberLocale }: Pick<WorkspaceSettings, 'numberLocale'>,
): string {
  if (value === null || !Number.isFinite(value)) return '–'
  const decimals = Math.abs(value) >= WHOLE_NUMBERS_FROM || Number.isInteger(value) ? 0 : 2
  const options: Intl.NumberFormatOptions = { maximumFractionDigits: decimals, minimumFractionDigits: 0 }
  if (format?.style === 'percent')
    return new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 }).format(value)
  if (format?.style === 'currency') {
    const currency = { style: 'currency' as const, currency: format.currency, currencyDisplay: 'narrowSymbol' as const }
    return new Intl.NumberFormat(numberLocale, { ...currency, ...options }).format(value)
  }
  return new Intl.NumberFormat(numberLocale, options).format(value)
}

type NumberNotation = Pick<WorkspaceSettings, 'numberLocale'>
type FindingSentence = Pick<Finding, 'sentence'> & { about: Pick<Finding['about'], 'format'> }

/** The sentence of a finding as the workspace writes figures. */
export const formatFindingSentence = ({ sentence, about }: FindingSentence, notation: NumberNotation): string =>
  sentence.map((part) => formatSentencePart(part, about, notation)).join('')

function formatSentencePart(
  part: SentencePart,
  { format }: FindingSentence['about'],
  notation: NumberNotation,
): string {
  if ('text' in part) return part.text
  if ('member' in part) return findingMemberName(part.member)
  if ('season' in part) return seasonPlaceName(part.season)
  if ('period' in part) return formatFindingPeriod(part.period)
  const value = Number(part.figure)
  const percent = { style: 'percent' as const }
  switch (part.format) {
    case 'measure':
      return formatFigure(value, format, notation)
    case 'change':
      return `${plusSign(value)}${formatChange(value, format, notation)}`
    case 'difference':
      return formatChange(Math.abs(value), format, notation)
    case 'share':
      return formatFigure(value, percent, notation)
    case 'shareChange':
      return `${plusSign(value)}${formatFigure(value, percent, notation)}`
    case 'count':
      return formatFigure(value, null, notation)
  }
}
/** A change of per cent is points. */
const formatChange = (value: number, format: ColumnFormat | null, notation: NumberNotation): string =>
  format?.style === 'percent'
    ? `${new Intl.NumberFormat(notation.numberLocale, { maximumFractionDigits: 1 }).format(value * 100)}\u00a0pp`
    : formatFigure(value, format, notation)
const plusSign = (value: number): string => (value > 0 ? '+' : '')

function formatFindingPeriod({ from, to, grain }: FindingPeriod): string {
  const name = (start: string): string =>
    grain === 'hour' ? start.slice(0, 16).replace('T', ' ') : formatAlertPeriod(start.slice(0, 10), grain)
  return from === to ? name(from) : `${name(from)}–${name(to)}`
}
