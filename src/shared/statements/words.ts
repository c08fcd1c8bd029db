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
/** A fiscal year as books name it, in words: `2009-07/2010-06` → `Jul 2009 – Jun 2010`; other names as they are. */
export function fiscalYearName(name: string, language: StatementLanguage): string {
  const [, from, to] = /^(\d{4}-\d{2})\/(\d{4}-\d{2})$/.exec(name) ?? []
  return from === undefined || to === undefined ? name : spanName({ from, to }, language)
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
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
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
  const digits = `#,##0.${'0'.repeat(decimals)}`
  return hasParentheses(locale) ? `${digits}_);(${digits})` : digits
}

/** What is missing or does not add up; `{n}` are its {@link noticeFacts}. */
const NOTICES: Record<StatementNotice['kind'], StatementName> = {
  running: {
    en: 'Figures to {0}. The fiscal year isn’t complete.',
    sv: 'Siffror till och med {0}. Räkenskapsåret är inte avslutat.',
  },
  unknown: {
    en: 'Figures are missing for some months of {0}.',
    sv: 'Siffror saknas för några månader av {0}.',
  },
  noOpening: {
    en: 'No opening balances: balances start at zero on {0}.',
    sv: 'Ingående balanser saknas: saldon börjar på noll {0}.',
  },
  yearOnly: {
    en: 'Only yearly balances for {0}: no months, no vouchers.',
    sv: 'Endast årssaldon för {0}: inga månader, inga verifikationer.',
  },
  unclassified: { en: 'Accounts on no statement line: {0}.', sv: 'Konton utan rad i rapporten: {0}.' },
  carriedResult: {
    en: 'Earlier result of {0} isn’t transferred to an equity account.',
    sv: 'Tidigare resultat om {0} är inte omfört till eget kapital.',
  },
  unbalanced: {
    en: 'Entries or balances don’t add up to zero: difference {0}.',
    sv: 'Verifikationer eller saldon går inte jämnt upp: differens {0}.',
  },
  mismatch: {
    en: 'Entries of {0} don’t match the file’s balances: {1}.',
    sv: 'Verifikationerna för {0} stämmer inte med filens saldon: {1}.',
  },
  completed: {
    en: 'Months of {0} don’t add up to the year’s balances. The rest is counted in {1}: {2}.',
    sv: 'Månaderna för {0} går inte ihop med årets saldon. Resten räknas till {1}: {2}.',
  },
  undated: {
    en: '{0} entries without a date count in the last month.',
    sv: '{0} transaktioner utan datum räknas till den sista månaden.',
  },
  uncounted: { en: '{0} entries without a date aren’t counted.', sv: '{0} transaktioner utan datum räknas inte.' },
  objects: {
    en: 'Showing {0} of {1} objects, those with the largest amounts. The total is of all.',
    sv: 'Visar {0} av {1} objekt, de med störst belopp. Totalen avser alla.',
  },
}

/** A notice in a sentence. `amount` writes one of the statement's amounts. */
export function noticeText(
  notice: StatementNotice,
  language: StatementLanguage,
  amount: (value: string) => string,
): string {
  const facts = noticeFacts(notice, language, amount)
  return NOTICES[notice.kind][language].replaceAll(/\{(\d)\}/g, (_, at: string) => facts[Number(at)] ?? '')
}

const ACCOUNT_WORDS = { en: ['account', 'accounts'], sv: ['konto', 'konton'] } as const

/** "account 1930", "accounts 1930, 2440": a number alone could be a year. */
function accountsName(accounts: readonly string[], language: StatementLanguage): string {
  const [one, several] = ACCOUNT_WORDS[language]
  return `${accounts.length === 1 ? one : several} ${accounts.join(', ')}`
}

function noticeFacts(
  notice: StatementNotice,
  language: StatementLanguage,
  amount: (value: string) => string,
): string[] {
  switch (notice.kind) {
    case 'running':
      return [spanName({ from: notice.through, to: notice.through }, language)]
    case 'unknown':
      return [spanName(notice, language)]
    case 'noOpening':
      return [notice.from]
    case 'yearOnly':
      return [notice.years.map((year) => fiscalYearName(year, language)).join(', ')]
    case 'unclassified':
      return [notice.accounts.join(', ')]
    case 'carriedResult':
    case 'unbalanced':
      return [amount(notice.amount)]
    case 'mismatch':
      return [fiscalYearName(notice.year, language), accountsName(notice.accounts, language)]
    case 'completed': {
      const month = spanName({ from: notice.month, to: notice.month }, language)
      return [fiscalYearName(notice.year, language), month, accountsName(notice.accounts, language)]
    }
    case 'undated':
    case 'uncounted':
      return [String(notice.count)]
    case 'objects':
      return [String(notice.shown), String(notice.of)]
  }
}

/** Whose figures a statement has, and in which currency: of several companies in one workspace the figures alone do not say it. */
export const whoseFigures = ({ company, source }: Pick<Statement, 'company' | 'source'>): string =>
  [company.name ?? source.name, ...(company.currency === null ? [] : [company.currency])].join(' · ')
