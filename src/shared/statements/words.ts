import { joinPeriodNames } from '../figures/period-range'
import { formatNumber, formatPoints, formatShare, MISSING_VALUE } from '../figures/figures'
import type {
  LineFormat,
  Statement,
  MonthSpan,
  StatementColumn,
  StatementColumnKind,
  StatementLanguage,
  StatementName,
  StatementNotice,
  StatementValue,
} from './statements'

/** Headings of columns, as statements are printed in either language. */
const COLUMN_NAMES: Record<StatementColumnKind, StatementName> = {
  actual: { en: 'Actual', sv: 'Utfall' },
  lastYear: { en: 'Last year', sv: 'Föregående år' },
  lastYearChange: { en: 'Change', sv: 'Förändring' },
  lastYearPercent: { en: 'Change %', sv: 'Förändring %' },
  budget: { en: 'Budget', sv: 'Budget' },
  budgetVariance: { en: 'Variance', sv: 'Avvikelse' },
  budgetPercent: { en: 'Variance %', sv: 'Avvikelse %' },
  opening: { en: 'Opening balance', sv: 'Ingående balans' },
  debit: { en: 'Debit', sv: 'Debet' },
  credit: { en: 'Credit', sv: 'Kredit' },
  change: { en: 'Change', sv: 'Förändring' },
  closing: { en: 'Closing balance', sv: 'Utgående balans' },
}
export const columnName = (kind: StatementColumnKind, language: StatementLanguage): string =>
  COLUMN_NAMES[kind][language]

const TOTAL: StatementName = { en: 'Total', sv: 'Totalt' }
const LOCALES: Record<StatementLanguage, string> = { en: 'en-GB', sv: 'sv-SE' }

/** Months of a statement: `Jan 2026`, `Jan–Mar 2026`, `2026` for a calendar year. */
export function spanName({ from, to }: MonthSpan, language: StatementLanguage): string {
  const [start, end] = [from.slice(0, 4), to.slice(0, 4)]
  if (start === end && from.endsWith('-01') && to.endsWith('-12')) return start
  const format = new Intl.DateTimeFormat(LOCALES[language], { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const name = (month: string): string => shortened(format.format(new Date(`${month}-01T00:00:00Z`)))
  return joinPeriodNames(name(from), name(to))
}
/** Months of three letters, in every version of the locale's data. */
const shortened = (text: string): string => text.replaceAll('.', '').replace(/\bSept\b/, 'Sep')

/** The last day of a month: `31 Mar 2026`. */
function closingDay(month: string, language: StatementLanguage): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  })
  return shortened(format.format(new Date(Date.UTC(year, number, 0))))
}

/** The heading of a group of columns: its period, the day of its balances, or the object that it is of. */
export function groupName(
  { span, total, object }: Pick<StatementColumn, 'span' | 'total' | 'object'>,
  language: StatementLanguage,
  { kind, objects }: Pick<Statement, 'kind' | 'objects'>,
): string {
  if (object === '') return language === 'sv' ? 'Utan objekt' : 'None'
  if (object !== undefined) {
    const name = objects.find(({ key }) => key === object)?.name
    return name == null || name === object ? object : `${object} ${name}`
  }
  if (kind === 'balance') return closingDay(span.to, language)
  return total ? `${TOTAL[language]} ${spanName(span, language)}` : spanName(span, language)
}

/** Columns whose figures are shares, whatever their line. */
export const isShareColumn = (kind: StatementColumnKind): boolean =>
  kind === 'lastYearPercent' || kind === 'budgetPercent'

/** Negative amounts stand in parentheses where accountants of the language write them so. */
const hasParentheses = (locale: string): boolean => locale.startsWith('en')

/** A figure of a statement by its line and column: amounts with all decimals, negative ones as the locale's books do. */
export function statementFigure(
  value: StatementValue,
  {
    format,
    kind,
    locale,
    decimals,
  }: { format: LineFormat; kind: StatementColumnKind; locale: string; decimals: number },
): string {
  if (value === null) return MISSING_VALUE
  if (format === 'percent' && kind === 'lastYearChange') return formatPoints(value, locale, false)
  if (isShareColumn(kind) || format === 'percent') return formatShare(value, locale, { even: true })
  if (format === 'days') return formatNumber(value, locale, { maximumFractionDigits: 0 })
  const digits = format === 'ratio' ? 2 : decimals
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  if (!value.startsWith('-') || !hasParentheses(locale)) return formatNumber(value, locale, options)
  return `(${formatNumber(value.slice(1), locale, options)})`
}

/** The same as a workbook's number format. */
export function statementNumberFormat(
  format: LineFormat,
  kind: StatementColumnKind,
  { locale, decimals }: { locale: string; decimals: number },
): string {
  if (isShareColumn(kind) || format === 'percent') return '0.0%'
  if (format === 'days') return '#,##0'
  const digits = `#,##0.${'0'.repeat(format === 'ratio' ? 2 : decimals)}`
  return hasParentheses(locale) ? `${digits}_);(${digits})` : digits
}

const list = (items: readonly string[]): string => items.join(', ')

/** What is missing or does not add up, in a sentence. `amount` writes one of the statement's amounts. */
export function noticeText(notice: StatementNotice, amount: (value: string) => string): string {
  switch (notice.kind) {
    case 'running':
      return `Figures to ${spanName({ from: notice.through, to: notice.through }, 'en')}. The fiscal year isn’t complete.`
    case 'noOpening':
      return `No opening balances: balances start at zero on ${notice.from}.`
    case 'yearOnly':
      return `Only yearly balances for ${list(notice.years)}: no months, no vouchers.`
    case 'unclassified':
      return `Accounts on no statement line: ${list(notice.accounts)}.`
    case 'carriedResult':
      return `Earlier result of ${amount(notice.amount)} isn’t transferred to an equity account.`
    case 'unbalanced':
      return `Entries or balances don’t add up to zero: difference ${amount(notice.amount)}.`
    case 'mismatch':
      return `Entries of ${notice.year} don’t match the file’s balances: ${list(notice.accounts)}.`
    case 'undated':
      return `${notice.count} entries without a date count in the last month.`
  }
}
