import { numberFormat } from './kept-formats'
import type { ColumnFormat } from '../data-sources/files'

/**
 * How figures are written, on screens, in mails and in exports alike: by the workspace's number locale, never "NaN",
 * "null" or nothing. Tables, tooltips and key figures are whole; sentences are short from 100 000 on.
 */

/** What stands where a figure is missing. */
export const MISSING_VALUE = '–'

/** A figure as it comes in an answer: a number, exact decimal text, or nothing. */
export type NumericValue = number | string | null | undefined

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text)

/** Intl keeps every digit of decimal text, which a number past 2^53 would lose. */
export function formatNumber(value: NumericValue, locale: string, options: Intl.NumberFormatOptions): string {
  const format = numberFormat(locale, { signDisplay: 'negative', ...options })
  if (typeof value === 'number') return Number.isFinite(value) ? format.format(value) : MISSING_VALUE
  return typeof value === 'string' && isDecimal(value) ? format.format(value) : MISSING_VALUE
}

export function toFiniteNumber(value: NumericValue): number | null {
  const number = typeof value === 'string' && isDecimal(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

const currencyOptions = (currency: string): Intl.NumberFormatOptions => ({
  style: 'currency',
  currency,
  currencyDisplay: 'narrowSymbol',
  // Of two equally near amounts the even one, as books round.
  roundingMode: 'halfEven',
})

/** Amounts in full: `1 234 567 kr`, with minor units only where there are any, or where all of a column show `minor`. */
export function formatAmount(value: NumericValue, locale: string, code: string, minor = false): string {
  const number = toFiniteNumber(value)
  const whole = !minor && number !== null && Number.isInteger(number)
  return formatNumber(value, locale, { ...currencyOptions(code), ...(whole ? { minimumFractionDigits: 0 } : {}) })
}

const FIGURE_DECIMALS_MAX = 2
/** Of a figure so small that two decimals would say nothing. */
const SMALL_FIGURE_DIGITS = 2

/** At most two decimals; a figure that is not zero is never written as one. */
export function formatDecimal(
  value: NumericValue,
  locale: string,
  { most = FIGURE_DECIMALS_MAX, least = 0 }: { most?: number; least?: number } = {},
): string {
  const number = toFiniteNumber(value)
  const vanishes = number !== null && number !== 0 && Math.abs(number) < 0.5 / 10 ** most
  const decimals = { minimumFractionDigits: Math.min(least, most), maximumFractionDigits: most }
  return formatNumber(
    value,
    locale,
    vanishes && most > 0 ? { maximumSignificantDigits: SMALL_FIGURE_DIGITS } : decimals,
  )
}

/** From here on a share has no decimals: `99,9 %`, `100 %`, `1 240 %`. */
const WHOLE_SHARE_FROM = 1

/** A share (0.124) as `12,4 %`. One decimal below 100 %, none above; `even` shows the decimal where it is nought too. */
export function formatShare(
  share: NumericValue,
  locale: string,
  { signed = false, even = false }: { signed?: boolean; even?: boolean } = {},
): string {
  const number = toFiniteNumber(share)
  const decimals = number !== null && Math.round(Math.abs(number) * 1000) / 1000 >= WHOLE_SHARE_FROM ? 0 : 1
  return formatNumber(share, locale, {
    style: 'percent',
    minimumFractionDigits: even ? decimals : 0,
    maximumFractionDigits: decimals,
    signDisplay: signed ? 'exceptZero' : 'negative',
  })
}

/** A change of a share, in points: `−0,3 pp`. "2 %" would be read as a share of the share. */
export function formatPoints(share: NumericValue, locale: string, signed = true): string {
  const number = toFiniteNumber(share)
  if (number === null) return MISSING_VALUE
  const signDisplay = signed ? 'exceptZero' : 'negative'
  return `${formatNumber(number * 100, locale, { maximumFractionDigits: 1, signDisplay })}\u00a0pp`
}

/** Steps of a short figure: from this size on, divided by `by`, with this unit; kronor have units of their own. */
const SHORT_UNITS = [
  { from: 999_500_000, by: 1e9, unit: 'bn', kronor: 'Mdkr' },
  { from: 999_500, by: 1e6, unit: 'M', kronor: 'Mkr' },
  { from: 10_000, by: 1e3, unit: 'k', kronor: 'tkr' },
] as const

const isKronor = (locale: string, currency: string): boolean =>
  numberFormat(locale, currencyOptions(currency))
    .formatToParts(1)
    .some(({ value }) => value === 'kr')

interface ShortFigure {
  /** A currency code; absent = a plain figure. */
  code?: string | undefined
  /** The unit is that of this figure, so that all marks of an axis have one. */
  like?: number | undefined
  digits: Pick<
    Intl.NumberFormatOptions,
    | 'minimumFractionDigits'
    | 'maximumFractionDigits'
    | 'minimumSignificantDigits'
    | 'maximumSignificantDigits'
    | 'signDisplay'
  >
}

/** The unit that a figure of this size is written in, as the number it is divided by: 1, a thousand, a million … */
export const shortUnitSize = (size: number): number => SHORT_UNITS.find(({ from }) => Math.abs(size) >= from)?.by ?? 1

/** `1,2 Mkr`, `$1.2M`, `340 k`, in English `340k`. */
function formatShortFigure(number: number, locale: string, { code, like, digits }: ShortFigure): string {
  const size = Math.abs(like ?? number)
  const step = SHORT_UNITS.find(({ from }) => size >= from)
  if (!step) return formatNumber(number, locale, code === undefined ? digits : { ...currencyOptions(code), ...digits })
  const gap = locale.startsWith('en') ? '' : '\u00a0'
  if (code === undefined) return `${formatNumber(number / step.by, locale, digits)}${gap}${step.unit}`
  if (isKronor(locale, code)) return `${formatNumber(number / step.by, locale, digits)}\u00a0${step.kronor}`
  return formatCompactAmount(number, locale, { code, by: step.by, digits })
}

/** The locale's own short unit: `$831k`, `1,28 Mio. €`; its figure is that of `by`, whatever the size. */
function formatCompactAmount(
  number: number,
  locale: string,
  { code, by, digits }: { code: string; by: number; digits: ShortFigure['digits'] },
): string {
  const unit = numberFormat(locale, { ...currencyOptions(code), notation: 'compact' }).formatToParts(by)
  const name = unit.find(({ type }) => type === 'compact')?.value
  if (name === undefined) return formatNumber(number, locale, { ...currencyOptions(code), ...digits })
  const at = unit.findIndex(({ type }) => type === 'compact')
  const gap = unit[at - 1]?.type === 'literal' ? (unit[at - 1]?.value ?? '') : ''
  const shown = numberFormat(locale, { ...currencyOptions(code), ...digits }).formatToParts(number / by)
  const last = shown.findLastIndex(({ type }) => type === 'integer' || type === 'fraction')
  return shown
    .map(({ value }, place) => (place === last ? `${value}${gap}${name === 'K' ? 'k' : name}` : value))
    .join('')
}

/** A mark of an axis whose marks lie `step` apart: with the decimals of the step, in the unit of the largest. */
export function formatTick(
  value: number,
  locale: string,
  { code, like, step }: { code?: string | undefined; like: number; step: number },
): string {
  if (value === 0 && shortUnitSize(like) > 1) return '0'
  const decimals = decimalsOfStep(step / shortUnitSize(like))
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return formatShortFigure(value, locale, { code, like, digits })
}

const STEP_DECIMALS_MAX = 8

/** Decimals that a step needs to be written exactly: 0.25 → 2, 5 → 0. */
export function decimalsOfStep(step: number): number {
  for (let decimals = 0; decimals < STEP_DECIMALS_MAX; decimals += 1) {
    const scaled = step * 10 ** decimals
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, Math.abs(scaled))) return decimals
  }
  return STEP_DECIMALS_MAX
}

/** A share on an axis: `0,5 %` beside `1,0 %`. */
export function formatShareTick(value: number, locale: string, step: number): string {
  const decimals = decimalsOfStep(step * 100)
  return formatNumber(value, locale, {
    style: 'percent',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
}

/** As on a mark of a picture: `1,28 Mkr`, `122 tkr`, `10,5 tkr`: about three digits. */
export function formatShort(
  value: NumericValue,
  locale: string,
  { code, like }: { code?: string | undefined; like?: number | undefined } = {},
): string {
  const number = toFiniteNumber(value)
  if (number === null) return MISSING_VALUE
  const by = shortUnitSize(like ?? number)
  if (by > 1 && number === 0) return '0'
  const decimals = shortDecimals(number / by, { by, code })
  if (by === 1)
    return code === undefined
      ? formatDecimal(number, locale, { most: decimals })
      : formatAmount(decimals > 0 ? number : roundToWhole(number), locale, code)
  const digits = { minimumFractionDigits: 0, maximumFractionDigits: decimals }
  return formatShortFigure(number, locale, { code, like, digits })
}

/** The most decimals that leave about three digits of a figure that is divided by `by`. */
function shortDecimals(quotient: number, { by, code }: { by: number; code: string | undefined }): number {
  const size = Math.abs(quotient)
  if (by > 1) return size < 9.995 ? 2 : size < 99.95 ? 1 : 0
  if (size < 100) return 2
  return size < 1000 && code === undefined ? 1 : 0
}

/**
 * Short figures that stand one below the other: in the unit of the largest, all with the decimals of the one that needs
 * the most, so that they line up: `15,49 Mkr` above `8,23 Mkr`.
 */
export function formatShortList(values: readonly number[], locale: string, code?: string): string[] {
  const like = Math.max(0, ...values.map(Math.abs))
  const by = shortUnitSize(like)
  const needed = values.map((value) => {
    const factor = 10 ** shortDecimals(value / by, { by, code })
    return decimalsOfStep(Math.round((value / by) * factor) / factor)
  })
  const decimals = Math.max(0, ...needed)
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return values.map((value) => formatShortFigure(value, locale, { code, like, digits }))
}

/** From here on a sentence says three digits and a unit. */
const SHORT_IN_SENTENCES_FROM = 99_950
const SENTENCE_DIGITS = 3
/** From here on a fraction is noise in a sentence. */
const WHOLE_FROM = 1_000

/** Below it a figure without its fraction would say too little. */
const WHOLE_BESIDE_LARGE_FROM = 10

/** A loss is rounded as the gain of its size is: 2.5 → 3, −2.5 → −3. */
export const roundToWhole = (value: number): number => Math.sign(value) * Math.round(Math.abs(value))

const fractionDigits = (size: number): number => decimalsOfStep(Math.round(size * 100) / 100)

/**
 * How many decimals figures of one measure have that stand in one sentence: `630,50` beside `712,45`, `631` beside
 * `1 105`. Where one keeps its fraction, all have at least those that its column shows (`least`). Undefined where each
 * speaks for itself.
 */
export function sentenceDecimals(
  values: readonly NumericValue[],
  format: ColumnFormat | null,
  least = 0,
): number | undefined {
  const sizes = values.flatMap((value) => toFiniteNumber(value) ?? []).map(Math.abs)
  if (format?.style === 'percent') return undefined
  const small = sizes.filter((size) => size < WHOLE_FROM)
  const fractions = small.filter((size) => fractionDigits(size) > 0)
  if (sizes.length < 2) return fractions.length > 0 && least > 0 ? least : undefined
  if (small.length < sizes.length && fractions.every((size) => size >= WHOLE_BESIDE_LARGE_FROM)) return 0
  return Math.max(0, ...fractions.map((size) => Math.max(least, fractionDigits(size))))
}

/** A figure within a sentence or an email: `1,28 Mkr`, `$831k`, `12 450 kr`, `12,4 %`. */
export function formatFigureInSentence(
  value: NumericValue,
  format: ColumnFormat | null,
  locale: string,
  { signed = false, decimals }: { signed?: boolean; decimals?: number | undefined } = {},
): string {
  const number = toFiniteNumber(value)
  if (number === null) return MISSING_VALUE
  if (format?.style === 'percent')
    return signed ? formatPoints(number, locale) : formatShare(number, locale, { even: true })
  const code = format?.style === 'currency' ? format.currency : undefined
  const signDisplay = signed ? 'exceptZero' : 'negative'
  if (Math.abs(number) >= SHORT_IN_SENTENCES_FROM) {
    // Beside others all three digits are written: `1,70 M` after `1,81 M`.
    const least = decimals === undefined ? { minimumFractionDigits: 0 } : { minimumSignificantDigits: SENTENCE_DIGITS }
    return formatShortFigure(number, locale, {
      code,
      digits: { ...least, maximumSignificantDigits: SENTENCE_DIGITS, signDisplay },
    })
  }
  const isWhole = Math.abs(number) >= WHOLE_FROM || decimals === 0
  const rounded = isWhole ? roundToWhole(number) : number
  const least = isWhole ? 0 : (decimals ?? 0)
  const text =
    code === undefined ? formatDecimal(rounded, locale, { least }) : formatAmount(rounded, locale, code, least > 0)
  return signed && rounded > 0 ? `+${text}` : text
}

/** Decimals that leave three digits of a figure of this size. */
const sentenceFraction = (quotient: number): number => (quotient < 9.995 ? 2 : quotient < 99.95 ? 1 : 0)

/**
 * Figures of a sentence that are held against each other, as a forecast and the ends of its interval: in the unit and
 * with the decimals of the largest: `0,68 Mkr`, `0,96 Mkr`, `1,29 Mkr`. One that would be written as nothing there keeps a
 * unit of its own.
 */
export function formatAlikeInSentence(
  values: readonly number[],
  format: ColumnFormat | null,
  locale: string,
  decimals = sentenceDecimals(values, format),
): string[] {
  const like = Math.max(0, ...values.map(Math.abs))
  const alone = (value: number): string => formatFigureInSentence(value, format, locale, { decimals })
  if (format?.style === 'percent' || like < SHORT_IN_SENTENCES_FROM) return values.map(alone)
  const by = shortUnitSize(like)
  const factor = 10 ** sentenceFraction(like / by)
  const rounded = values.map((value) => Math.round((value / by) * factor) / factor)
  const shown = Math.max(...rounded.map(decimalsOfStep))
  const digits = { minimumFractionDigits: shown, maximumFractionDigits: shown }
  const code = format?.style === 'currency' ? format.currency : undefined
  return values.map((value, at) =>
    rounded[at] === 0 ? alone(value) : formatShortFigure(value, locale, { code, like, digits }),
  )
}

/** “95 kr–115 kr”. Before a minus the dash stands free, so that both are seen. */
export const joinRange = (lower: string, upper: string): string =>
  `${lower}${/^[\u2212-]/.test(upper) ? ' – ' : '–'}${upper}`

export interface ChangeInput {
  now: NumericValue
  before: NumericValue
  /** The compared period in words: "Jan–Mar 2025". */
  period: string
  format: ColumnFormat
  /** Of the sentence it stands in: see `sentenceDecimals`. */
  decimals?: number | undefined
}

/** Share of the figure before; null from a base of zero or less, and where it would round to nothing. */
export function shareOfChange(now: number, before: number): number | null {
  if (before <= 0) return null
  const share = (now - before) / before
  return Math.abs(share) < 0.0005 ? null : share
}

/** "up 12,4 % (+553 tkr) vs Oct 2025": direction, per cent, amount and period. From a base ≤ 0 the amount only. */
export function formatChangeInWords({ now, before, period, format, decimals }: ChangeInput, locale: string): string {
  const [figure, base] = [toFiniteNumber(now), toFiniteNumber(before)]
  if (figure === null || base === null) return `No value for ${period}`
  const difference = figure - base
  if (difference === 0) return `unchanged vs ${period}`
  const way = difference > 0 ? 'up' : 'down'
  const share = format.style === 'percent' ? null : shareOfChange(figure, base)
  if (share === null) {
    const size = Math.abs(difference)
    const amount =
      format.style === 'percent'
        ? formatPoints(size, locale, false)
        : formatFigureInSentence(size, format, locale, { decimals })
    return `${way} ${amount} vs ${period}`
  }
  const amount = formatFigureInSentence(difference, format, locale, { signed: true, decimals })
  return `${way} ${formatShare(Math.abs(share), locale, { even: true })} (${amount}) vs ${period}`
}
