import { parseYearMonth } from '../../shared/values/parse-month'
import { isCodeLabel } from './column-roles'
import { saysDate } from './date-labels'

/** How the values of a column name months of years. */
export interface MonthStats {
  /** Values that are a month of a year of 1900 to 2099. */
  fits: number
  /** Those whose month is a word and whose year has four digits: nothing else is written so. */
  named: number
  /** Those in figures alone or with a point (`202501`, `2025.01`): numbers as well. */
  bare: number
  /** Those whose year has two digits (`jan-25`): days as well. */
  shortYears: number
  /** Months of the calendar among them. */
  months: Set<number>
}
export const emptyMonthStats = (): MonthStats => ({ fits: 0, named: 0, bare: 0, shortYears: 0, months: new Set() })

const CHARS_MAX = 20
const LETTERS = /\p{L}{3}/u
const FOUR_DIGITS = /\d{4}/
const BARE = /^\d{4}\.?\d{2}$/
const SINGLE_AFTER_POINT = /^\d+\.\d+$/

export function collectMonth(stats: MonthStats, text: string, times: number): void {
  if (text.length > CHARS_MAX) return
  const isBare = BARE.test(text)
  if (!isBare && SINGLE_AFTER_POINT.test(text)) return
  const found = parseYearMonth(text)
  if (!found || found.year < 1900 || found.year > 2099) return
  stats.fits += times
  if (isBare) stats.bare += times
  else if (!FOUR_DIGITS.test(text)) stats.shortYears += times
  else if (LETTERS.test(text)) stats.named += times
  stats.months.add(found.year * 12 + found.month)
}

const MONTH_WORDS: ReadonlySet<string> = new Set(
  'month months månad mån måned mnd period periode periods yearmonth monthyear årmånad yyyymm yyyymmdd ym monat maand kuukausi mois mes mese'.split(
    ' ',
  ),
)
/** What makes a number of it: `Period no`, `Månadsnr`. */
const NUMBER_WORDS: ReadonlySet<string> = new Set('no nr num number nummer id code kod key ref'.split(' '))

/** Whether a heading says that months follow: `Month`, `Bokf.månad`, `Fakturaperiod`, `order_month`. */
function saysMonth(label: string): boolean {
  const words = label
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
  if (NUMBER_WORDS.has(words.at(-1) ?? '')) return false
  return words.some((word) => MONTH_WORDS.has(word) || /\p{L}(månad|period|monat)$/u.test(word))
}

/** Numbers of a series begin anew each year and leave months out: so many months without a gap are a calendar. */
const CALENDAR_MONTHS = 13

const isCalendar = ({ months }: MonthStats): boolean => {
  if (months.size < CALENDAR_MONTHS) return false
  const all = [...months]
  return Math.max(...all) - Math.min(...all) + 1 === months.size
}

/**
 * Whether a column whose values are all months of years holds months, and not numbers of a series that look like them: by
 * how they are written, by its name, by a calendar without a gap.
 */
export function isMonthColumn(stats: MonthStats, label: string): boolean {
  if (saysMonth(label)) return true
  if (stats.bare > 0 || stats.shortYears > 0 || isCodeLabel(label)) return false
  return stats.named === stats.fits || saysDate(label) || isCalendar(stats)
}
