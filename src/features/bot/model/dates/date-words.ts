/** Words of time in English and Swedish, folded. */
const MONTHS: readonly string[] = [
  'january|jan|januari',
  'february|feb|februari',
  'march|mar|mars',
  'april|apr',
  'may|maj',
  'june|jun|juni',
  'july|jul|juli',
  'august|aug|augusti',
  'september|sep|sept',
  'october|oct|oktober|okt',
  'november|nov',
  'december|dec',
]
const WEEKDAYS: readonly string[] = [
  'monday|mondays|mon|mandag|mandagar',
  'tuesday|tuesdays|tue|tisdag|tisdagar',
  'wednesday|wednesdays|wed|onsdag|onsdagar',
  'thursday|thursdays|thu|torsdag|torsdagar',
  'friday|fridays|fri|fredag|fredagar',
  'saturday|saturdays|lordag|lordagar',
  'sunday|sundays|sondag|sondagar',
]
const numbered = (groups: readonly string[]): ReadonlyMap<string, number> =>
  new Map(groups.flatMap((group, i) => group.split('|').map((word): [string, number] => [word, i + 1])))
const MONTH_NUMBERS = numbered(MONTHS)
const WEEKDAY_NUMBERS = numbered(WEEKDAYS)
/** 1–12, of a month's name; null of any other word. */
export const monthNumber = (word: string): number | null => MONTH_NUMBERS.get(word) ?? null
/** 1 (Monday) to 7. */
export const weekdayNumber = (word: string): number | null => WEEKDAY_NUMBERS.get(word) ?? null
export const MONTH_PATTERN = MONTHS.join('|')
export const WEEKDAY_PATTERN = WEEKDAYS.join('|')

export const UNIT_PATTERN =
  'days?|weeks?|months?|quarters?|years?|fiscal quarters?|fiscal years?|dagar(?:na)?|dygn|dagen|dag|veckan|vecka|veckor(?:na)?|manaden|manader(?:na)?|manad|kvartalet|kvartal(?:en)?|aret|aren|ar|rakenskapsar(?:et)?'
type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'fiscalQuarter' | 'fiscalYear'
export function unitOf(word: string): Unit {
  if (/^fiscal q/.test(word)) return 'fiscalQuarter'
  if (/^fiscal y|^rakenskaps/.test(word)) return 'fiscalYear'
  if (/^(da|dygn)/.test(word)) return 'day'
  if (/^(week|veck)/.test(word)) return 'week'
  if (/^(month|manad)/.test(word)) return 'month'
  return /^(quarter|kvartal)/.test(word) ? 'quarter' : 'year'
}

/** Easter Sunday by the anonymous Gregorian computus: month and day. */
function easter(year: number): { month: number; day: number } {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return { month: Math.floor(sum / 31), day: (sum % 31) + 1 }
}
const pad = (value: number): string => String(value).padStart(2, '0')
const iso = (year: number, month: number, day: number): string => `${year}-${pad(month)}-${pad(day)}`
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
/** First such weekday (0 = Sunday) on or after a day. */
const onOrAfter = (day: string, weekday: number): string => shifted(day, (weekday - weekdayOf(day) + 7) % 7)

type Holiday = (year: number) => { from: string; to: string }
const oneDay =
  (day: (year: number) => string): Holiday =>
  (year) => ({ from: day(year), to: day(year) })
const easterDay = (year: number): string => {
  const { month, day } = easter(year)
  return iso(year, month, day)
}
const HOLIDAYS: readonly [string, Holiday][] = [
  ['christmas eve|julafton', oneDay((year) => iso(year, 12, 24))],
  ['christmas day|juldagen', oneDay((year) => iso(year, 12, 25))],
  ['christmas|julen', (year) => ({ from: iso(year, 12, 24), to: iso(year, 12, 26) })],
  ['new years eve|new year eve|nyarsafton', oneDay((year) => iso(year, 12, 31))],
  ['new years day|new year day|nyarsdagen', oneDay((year) => iso(year, 1, 1))],
  ['valentines day|valentine day|alla hjartans dag', oneDay((year) => iso(year, 2, 14))],
  ['good friday|langfredagen', oneDay((year) => shifted(easterDay(year), -2))],
  ['easter|pasken', (year) => ({ from: shifted(easterDay(year), -2), to: shifted(easterDay(year), 1) })],
  ['walpurgis night|valborg', oneDay((year) => iso(year, 4, 30))],
  ['labour day|forsta maj', oneDay((year) => iso(year, 5, 1))],
  ['national day of sweden|nationaldagen', oneDay((year) => iso(year, 6, 6))],
  ['midsummer|midsommar', (year) => midsummer(year)],
  ['halloween', oneDay((year) => iso(year, 10, 31))],
  ['black friday', oneDay((year) => shifted(onOrAfter(iso(year, 11, 1), 4), 22))],
  ['thanksgiving', oneDay((year) => shifted(onOrAfter(iso(year, 11, 1), 4), 21))],
  ['lucia', oneDay((year) => iso(year, 12, 13))],
]
const SEASONS: readonly [string, first: number][] = [
  ['spring|varen|varas', 3],
  ['summer|sommaren|sommar|somras', 6],
  ['autumn|hosten|host|hostas', 9],
  ['winter|vintern|vinter|vintras', 12],
]
export const SEASON_PATTERN = SEASONS.map(([words]) => words).join('|')
/** The month that a season begins with; it lasts three. */
export const seasonStart = (word: string): number | null =>
  SEASONS.find(([words]) => words.split('|').includes(word))?.[1] ?? null
/** Midsummer's eve is the Friday of 19 to 25 June. */
function midsummer(year: number): { from: string; to: string } {
  const eve = onOrAfter(iso(year, 6, 19), 5)
  return { from: eve, to: shifted(eve, 1) }
}
export const HOLIDAY_PATTERN = HOLIDAYS.map(([words]) => words).join('|')
/** The days of a holiday; null of any other words. */
export const holidayOf = (words: string, year: number): { from: string; to: string } | null =>
  HOLIDAYS.find(([names]) => names.split('|').includes(words))?.[1](year) ?? null
