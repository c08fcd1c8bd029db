import { nameKey } from '../field-schemas'
import type { ReportRange } from './reports'

/**
 * Figures in texts: `{{metric.Revenue|last_month|vs:last_year|percent}}`. After the name, in any order: a period, what it
 * is held against (the token then says the change), and how it is written. `{{period}}` and `{{today}}` are dates.
 */
export const TOKEN_PERIODS = {
  this_week: { span: 'this', unit: 'week' },
  last_week: { span: 'last', unit: 'week' },
  this_month: { span: 'this', unit: 'month' },
  last_month: { span: 'last', unit: 'month' },
  this_quarter: { span: 'this', unit: 'quarter' },
  last_quarter: { span: 'last', unit: 'quarter' },
  this_year: { span: 'this', unit: 'year' },
  last_year: { span: 'last', unit: 'year' },
  this_fiscal_year: { span: 'this', unit: 'fiscalYear' },
  last_fiscal_year: { span: 'last', unit: 'fiscalYear' },
} as const satisfies Record<string, { span: 'this' | 'last'; unit: string }>
export type TokenPeriod = keyof typeof TOKEN_PERIODS
const TOKEN_COMPARISONS = { 'vs:previous': 'previous', 'vs:last_year': 'year' } as const
type TokenComparison = keyof typeof TOKEN_COMPARISONS
/** `short`: three digits and a unit. `percent`: of a change, its share of the figure before. `days`: the days that it is of. */
export const TOKEN_FORMATS = ['short', 'full', 'percent', 'days'] as const
export type TokenFormat = (typeof TOKEN_FORMATS)[number]

export interface FigureToken {
  kind: 'figure'
  /** As it is written, with its braces: what names it in answers. */
  raw: string
  /** {@link nameKey} of a metric's name or synonym. */
  metric: string
  /** Null: the report's own period. */
  period: TokenPeriod | null
  compare: 'previous' | 'year' | null
  format: TokenFormat
}
export type TextToken =
  | FigureToken
  | { kind: 'date'; raw: string; of: 'period' | 'today' }
  /** Nothing that is known; `part`: what of it is not. */
  | { kind: 'unknown'; raw: string; part: string }

const TOKEN = /\{\{([^{}\n]{1,200})\}\}/g
const isPeriod = (text: string): text is TokenPeriod => Object.hasOwn(TOKEN_PERIODS, text)
const isComparison = (text: string): text is TokenComparison => Object.hasOwn(TOKEN_COMPARISONS, text)
const isFormat = (text: string): text is TokenFormat => TOKEN_FORMATS.some((format) => format === text)

function parseToken(raw: string, inner: string): TextToken {
  const [head = '', ...parts] = inner.split('|').map((part) => part.trim())
  if (head === 'period' || head === 'today')
    return parts.length === 0 ? { kind: 'date', raw, of: head } : { kind: 'unknown', raw, part: parts[0] ?? '' }
  const name = /^metric\.(.+)$/.exec(head)?.[1]
  if (name === undefined) return { kind: 'unknown', raw, part: head }
  const token: FigureToken = {
    kind: 'figure',
    raw,
    metric: nameKey(name),
    period: null,
    compare: null,
    format: 'short',
  }
  for (const part of parts) {
    if (isPeriod(part)) token.period = part
    else if (isComparison(part)) token.compare = TOKEN_COMPARISONS[part]
    else if (isFormat(part)) token.format = part
    else return { kind: 'unknown', raw, part }
  }
  return token
}

/** The tokens of a text in their order, each once. */
export function tokensOf(text: string): TextToken[] {
  const found = new Map<string, TextToken>()
  for (const [raw, inner = ''] of text.matchAll(TOKEN)) if (!found.has(raw)) found.set(raw, parseToken(raw, inner))
  return [...found.values()]
}

/** A text with every token replaced by what `write` makes of it. */
export const replaceTokens = (text: string, write: (raw: string) => string): string =>
  text.replaceAll(TOKEN, (raw) => write(raw))

/** The range that a token's period names. */
export const tokenRange = (period: TokenPeriod): ReportRange => ({
  kind: 'relative',
  ...TOKEN_PERIODS[period],
  n: 1,
  includeCurrent: false,
})
