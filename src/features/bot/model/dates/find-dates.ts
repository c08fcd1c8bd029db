import { civilFromDay, dayFromCivil, dayFromIso, addMonths, isoFromDay, startOfUnit } from '../../../../shared/dates'
import type { Calendar, CalendarUnit } from '../../../../shared/dates'
import {
  HOLIDAY_PATTERN,
  holidayOf,
  MONTH_PATTERN,
  monthNumber,
  SEASON_PATTERN,
  seasonStart,
  UNIT_PATTERN,
  unitOf,
} from './date-words'
import { DATE_PART_RULES } from './date-parts'
import type { DateSpec, FoundDate, PeriodRange } from './date-spec'

type Groups = Readonly<Record<string, string | undefined>>
type Rule = [pattern: RegExp, read: (groups: Groups, calendar: Calendar) => DateSpec | null]

const PREPOSITION =
  '(?:(?:in|during|over|within|for|from|on|at|of|under|de|i|for|pa) )?(?:the )?(?:entire |whole |full |whole of the |whole of )?(?:the )?'
const YEAR = '(?:19|20)\\d\\d'
const MONTH = MONTH_PATTERN
const DAY_OF_MONTH = '(?:[12]\\d|3[01]|0?[1-9])(?:st|nd|rd|th)?'
const BRACKET = '(?: [,(])*'
const CURRENT =
  '(?:today(?: date)?|(?:current|this|the current|present|running) (?:calendar )?(?:day|week|month|quarter|year|one))'
/** "inclusive of today", "(excluding the current week)". */
const EDGE = `(?:${BRACKET} (?:both )?(?<edge>inclusive|including|incl|excluding|exclusive|not including|but not|not counting|without)(?: of)?(?: the)?(?: ${CURRENT})?(?: \\))?)?`
const excludes = (edge: string | undefined): boolean => edge !== undefined && /^(ex|not|but|without)/.test(edge)

const pattern = (source: string): RegExp => new RegExp(`(?<![\\w<])(?:${source})(?![\\w>])`, 'gu')
const absolute = (from: number, to: number): DateSpec => ({
  kind: 'period',
  range: { kind: 'absolute', from: isoFromDay(from), to: isoFromDay(to) },
})
const todayOf = (calendar: Calendar): number => dayFromIso(calendar.today) ?? 0
const monthRange = (year: number, month: number): [number, number] => {
  const first = dayFromCivil({ year, month, day: 1 })
  return [first, addMonths(first, 1) - 1]
}
const quarterRange = (year: number, quarter: number): [number, number] => {
  const first = dayFromCivil({ year, month: quarter * 3 - 2, day: 1 })
  return [first, addMonths(first, 3) - 1]
}
const yearRange = (year: number): [number, number] => [
  dayFromCivil({ year, month: 1, day: 1 }),
  dayFromCivil({ year, month: 12, day: 31 }),
]
/** A month without a year: the newest that has begun. */
const yearOfMonth = (month: number, calendar: Calendar): number => {
  const { year, month: current } = civilFromDay(todayOf(calendar))
  return month > current ? year - 1 : year
}
const currentYear = (calendar: Calendar): number => civilFromDay(todayOf(calendar)).year

/** A day, month, quarter or year as people write it: its first and last day. */
const POINT = `(?:\\d{4}-\\d{2}-\\d{2}|(?:${MONTH}) ${DAY_OF_MONTH}(?: ,)? ${YEAR}|${DAY_OF_MONTH}(?: of)? (?:${MONTH})(?: ,)? ${YEAR}|(?:${MONTH})(?: of)?(?: ,)? ${YEAR}|q[1-4](?: of)? ${YEAR}|${YEAR}|(?:${MONTH}) ${DAY_OF_MONTH}|(?:${MONTH}))`
function pointRange(text: string, calendar: Calendar): [number, number] | null {
  const iso = dayFromIso(text)
  if (iso !== null) return [iso, iso]
  const words = text.split(' ').filter((word) => word !== ',' && word !== 'of')
  const year = words.find((word) => new RegExp(`^${YEAR}$`).test(word))
  const month = words.map(monthNumber).find((number) => number !== null)
  const quarter = words.find((word) => /^q[1-4]$/.test(word))
  const day = words.find((word) => new RegExp(`^${DAY_OF_MONTH}$`).test(word))
  if (quarter) return quarterRange(Number(year ?? currentYear(calendar)), Number(quarter.slice(1)))
  if (month === undefined || month === null) return year === undefined ? null : yearRange(Number(year))
  const ofYear = year === undefined ? yearOfMonth(month, calendar) : Number(year)
  if (day === undefined) return monthRange(ofYear, month)
  const at = dayFromCivil({ year: ofYear, month, day: Number.parseInt(day, 10) })
  return [at, at]
}

const relative = (unit: CalendarUnit, n: number, includeCurrent: boolean): PeriodRange => ({
  kind: 'relative',
  span: 'last',
  unit,
  n: Math.min(n, 1000),
  includeCurrent,
})
/** "Last 2 years" until today are 24 months, "past 2 weeks" are 14 days: what runs is part of them. */
function rolling(unit: CalendarUnit, n: number): PeriodRange {
  if (unit === 'year') return relative('month', n * 12, true)
  if (unit === 'quarter') return relative('month', n * 3, true)
  return unit === 'week' ? relative('day', n * 7, true) : relative(unit, n, true)
}
const thisUnit = (unit: CalendarUnit): DateSpec => ({
  kind: 'period',
  range: { kind: 'relative', span: 'this', unit, n: 1, includeCurrent: false },
})

const LAST =
  'last|past|previous|preceding|prior|trailing|recent|latest|most recent|senaste|forra|foregaende|sista|rolling|rullande'
const NUMBERED_RULES: readonly Rule[] = [
  [
    pattern(
      `${PREPOSITION}(?<last>${LAST}) (?<n>\\d{1,3}) (?<kind>calendar |iso |complete |full |whole |hela )?(?<unit>${UNIT_PATTERN})${EDGE}`,
    ),
    ({ n, kind, unit, edge }) => {
      const [count, of] = [Number(n), unitOf(unit ?? 'day')]
      const isWhole = kind !== undefined && /complete|full|whole|hela/.test(kind)
      if (isWhole || excludes(edge)) return { kind: 'period', unit: of, range: relative(of, count, false) }
      const isPlain = kind === undefined && edge === undefined
      if (isPlain && of !== 'day') return { kind: 'period', unit: of, range: relative(of, count, false) }
      return { kind: 'period', unit: of, range: kind === undefined ? rolling(of, count) : relative(of, count, true) }
    },
  ],
  [
    pattern(`${PREPOSITION}(?<last>${LAST}) (?:calendar |iso |complete |full |whole )?(?<unit>${UNIT_PATTERN})${EDGE}`),
    ({ last, unit }) => {
      const of = unitOf(unit ?? 'day')
      const isRolling = last === 'past' && of !== 'day'
      return { kind: 'period', range: isRolling ? rolling(of, 1) : relative(of, 1, false) }
    },
  ],
  [
    pattern(
      `${PREPOSITION}(?!i (?:dagar|veckor|manader|timmar|minuter|kvartalen)(?![a-z]))(?:this|current|the current|denna|detta|innevarande|i) (?:calendar |iso )?(?<unit>${UNIT_PATTERN})(?: so far)?`,
    ),
    ({ unit }) => thisUnit(unitOf(unit ?? 'month')),
  ],
  [pattern('(?:ytd|year to date|so far this year|hittills i ar)'), () => thisUnit('year')],
  [pattern('(?:mtd|month to date|so far this month)'), () => thisUnit('month')],
  [pattern('(?:qtd|quarter to date|so far this quarter)'), () => thisUnit('quarter')],
  [
    pattern(`(?<n>\\d{1,4}) (?<unit>${UNIT_PATTERN}) ago|for (?<n2>\\d{1,4}) (?<unit2>dagar|veckor|manader|ar) sedan`),
    ({ n, unit, n2, unit2 }, calendar) => {
      const of = unitOf(unit ?? unit2 ?? 'day')
      const start = startOfUnit(todayOf(calendar), of, calendar, -Number(n ?? n2))
      return absolute(start, startOfUnit(start, of, calendar, 1) - 1)
    },
  ],
  [
    pattern('(?:after|later than|efter) (?:today|idag|i dag)'),
    (_, calendar) => ({ kind: 'open', from: isoFromDay(todayOf(calendar) + 1) }),
  ],
  [
    pattern('(?:before|earlier than|fore|innan) (?:today|idag|i dag)'),
    (_, calendar) => ({ kind: 'open', to: isoFromDay(todayOf(calendar) - 1) }),
  ],
  [pattern('(?:on )?(?:today|idag|i dag)'), (_, calendar) => absolute(todayOf(calendar), todayOf(calendar))],
  [
    pattern(
      `(?:inom |under )?${PREPOSITION}(?:next|coming|upcoming|following|kommande|narmaste) (?<n>\\d{1,3}) (?<unit>${UNIT_PATTERN})`,
    ),
    ({ n, unit }, calendar) => {
      const of = unitOf(unit ?? 'day')
      const today = todayOf(calendar)
      const months =
        { day: 0, week: 0, month: 1, quarter: 3, year: 12, fiscalQuarter: 3, fiscalYear: 12 }[of] * Number(n)
      return absolute(today, months > 0 ? addMonths(today, months) : today + Number(n) * (of === 'week' ? 7 : 1))
    },
  ],
  [
    pattern(`${PREPOSITION}(?:next|coming|upcoming|nasta|kommande) (?<unit>${UNIT_PATTERN})`),
    ({ unit }, calendar) => {
      const of = unitOf(unit ?? 'week')
      const start = startOfUnit(todayOf(calendar), of, calendar, 1)
      return absolute(start, startOfUnit(start, of, calendar, 1) - 1)
    },
  ],
  [pattern('i fjol|ifjol'), () => ({ kind: 'period', range: relative('year', 1, false) })],
  [pattern('yesterday|igar|i gar'), (_, calendar) => absolute(todayOf(calendar) - 1, todayOf(calendar) - 1)],
]

const COUNTED =
  'than|over|above|under|below|least|most|top|an|minst|hogst|id|nr|no|number|nummer|of|av|to|till|and|och|or|eller|is|are|was|ar|exactly|by|between|mellan|equal|equals|exceeds?|exceeding|worth|only'
const SINCE = 'since|sedan|starting from|starting|from'
/** From one point to another; the year of the end is that of both. */
const spanOf = (one: string, two: string, calendar: Calendar): DateSpec | null => {
  const end = pointRange(two, calendar)
  const start = pointRange(withYearOf(one, two), calendar)
  return start && end && start[0] <= end[1] ? absolute(start[0], end[1]) : null
}
const MONTH_AND_YEAR = `(?:${MONTH})(?: of)?(?: ,)?(?: ${YEAR})?`
const NAMED_RULES: readonly Rule[] = [
  // "Jan–Jun 2010", "Nov 2025 - Oct 2026".
  [
    pattern(`${PREPOSITION}(?<one>${MONTH_AND_YEAR}) ?- ?(?<two>${MONTH_AND_YEAR})`),
    ({ one, two }, calendar) => spanOf(one ?? '', two ?? '', calendar),
  ],
  [
    pattern(
      `(?:between|from|mellan|fran|in|during)(?: the years?)? (?<one>${POINT}) (?:and|to|until|till|through|och|thru|-) (?<two>${POINT})${EDGE}`,
    ),
    ({ one, two }, calendar) => spanOf(one ?? '', two ?? '', calendar),
  ],
  [
    pattern(`(?:(?:on or )?after|later than|efter) (?<point>${POINT})`),
    ({ point }, calendar) => openFrom(pointRange(point ?? '', calendar), 1),
  ],
  [
    pattern(`(?:before|earlier than|prior to|fore|innan) (?<point>${POINT})`),
    ({ point }, calendar) => openTo(pointRange(point ?? '', calendar), 0),
  ],
  [
    pattern(`(?:until|till|through|up to|by the end of|on or before|t o m) (?<point>${POINT})`),
    ({ point }, calendar) => openTo(pointRange(point ?? '', calendar), 1),
  ],
  [
    pattern(`(?:${SINCE}) (?<point>${POINT})(?: onwards?| and later| and onwards?)?`),
    ({ point }, calendar) => openFrom(pointRange(point ?? '', calendar), 0),
  ],
  [
    pattern(
      `${PREPOSITION}(?:(?<word>first|second|third|fourth|1st|2nd|3rd|4th|last|forsta|andra|tredje|fjarde) (?:quarter|kvartalet)|(?:q|quarter |kvartal )(?<number>[1-4]))(?:(?: of| in| i|,)?(?: the year)? (?<year>${YEAR}))?`,
    ),
    ({ word, number, year }, calendar) => {
      const quarter =
        number === undefined ? ORDINALS.findIndex((each) => each.split('|').includes(word ?? '')) + 1 : Number(number)
      return quarter < 1 ? null : absolute(...quarterRange(Number(year ?? currentYear(calendar)), quarter))
    },
  ],
  [
    pattern(
      `${PREPOSITION}(?<half>first|second|forsta|andra) (?:half|halvaret)(?: of| i)?(?: the year)?(?: (?<year>${YEAR}))?`,
    ),
    ({ half, year }, calendar) => {
      const of = Number(year ?? currentYear(calendar))
      const isFirst = half === 'first' || half === 'forsta'
      const start = dayFromCivil({ year: of, month: isFirst ? 1 : 7, day: 1 })
      return absolute(start, addMonths(start, 6) - 1)
    },
  ],
  [
    pattern(`${PREPOSITION}(?:iso )?(?:week|vecka|v) (?<week>[1-5]?\\d)(?:(?: of| in| i|,)? (?<year>${YEAR}))?`),
    ({ week, year }, calendar) => {
      const monday = isoWeekStart(Number(year ?? currentYear(calendar)), Number(week))
      return absolute(monday, monday + 6)
    },
  ],
  // "This summer", "i somras": of the year whose season has begun.
  [
    pattern(
      `(?:i|under|this|(?<last>last|forra)|in|during|over)(?: the| last)? (?<name>${SEASON_PATTERN})(?: (?:of )?(?<year>${YEAR}))?(?= ?(?:$|[?.,]|per |by |for |and |och |i |in ))`,
    ),
    ({ name = '', year, last }, calendar) => {
      const month = seasonStart(name)
      if (month === null) return null
      const newest = yearOfMonth(month, calendar)
      // "Last summer" and "i somras" are over.
      const isOver = last !== undefined || /(?:ras|stas)$/.test(name)
      const isRunning = addMonths(dayFromCivil({ year: newest, month, day: 1 }), 3) > todayOf(calendar)
      const first = dayFromCivil({ year: Number(year ?? newest - Number(isOver && isRunning)), month, day: 1 })
      return absolute(first, addMonths(first, 3) - 1)
    },
  ],
  [
    pattern(`${PREPOSITION}(?<name>${HOLIDAY_PATTERN})(?: (?:of )?(?<year>${YEAR}))?`),
    ({ name, year }, calendar) => {
      const days = holidayOf(name ?? '', Number(year ?? newestHolidayYear(name ?? '', calendar)))
      return days && { kind: 'period', range: { kind: 'absolute', ...days } }
    },
  ],
  [
    pattern(`${PREPOSITION}(?:fiscal year|fy|rakenskapsar(?:et)?) ?(?<year>${YEAR})`),
    ({ year }, calendar) => {
      const start = dayFromCivil({ year: Number(year), month: calendar.fiscalYearStart, day: 1 })
      return absolute(start, addMonths(start, 12) - 1)
    },
  ],
  [
    pattern(
      `(?:(?:in|during|for|of|on|under|i|den|from|year|the year|calendar year|ar) )+(?:the )?(?:year |month of |ar )?(?<point>${POINT})`,
    ),
    ({ point }, calendar) => spanned(pointRange(point ?? '', calendar)),
  ],
  [
    pattern(
      `(?<point>\\d{4}-\\d{2}-\\d{2}|(?:${MONTH})(?: of)?(?: ,)? ${YEAR}|(?:${MONTH}) ${DAY_OF_MONTH}(?: ,)? ${YEAR}|${DAY_OF_MONTH} (?:${MONTH}) ${YEAR})`,
    ),
    ({ point }, calendar) => spanned(pointRange(point ?? '', calendar)),
  ],
  // "Compared with October": a month that no other word says is one.
  [
    pattern(
      `(?<=(?:jamfort med|compared with|compared to|mot|vs|versus|kontra|than|an) )(?<point>(?:${MONTH}))(?= *$| [?.!,])`,
    ),
    ({ point }, calendar) => spanned(pointRange(point ?? '', calendar)),
  ],
  // "Försäljning 2024", "sales 2024 by month": a year that no word compares or counts.
  [
    pattern(
      `(?<=[\\p{L}>] )(?<!\\b(?:${COUNTED}) )(?<point>${YEAR})(?= *$| [?.!,]| (?:per|by|jamfort|compared|vs|versus|against|mot|for|efter) )`,
    ),
    ({ point }, calendar) => spanned(pointRange(point ?? '', calendar)),
  ],
]
const ORDINALS = ['first|1st|forsta', 'second|2nd|andra', 'third|3rd|tredje', 'fourth|4th|last|fjarde']

/** "From January to March 2023": the year belongs to both. */
const withYearOf = (one: string, two: string): string => {
  const year = new RegExp(YEAR).exec(two)?.[0]
  return year === undefined || new RegExp(YEAR).test(one) ? one : `${one} ${year}`
}
const spanned = (range: [number, number] | null): DateSpec | null => range && absolute(...range)
const openFrom = (range: [number, number] | null, side: 0 | 1): DateSpec | null =>
  range && { kind: 'open', from: isoFromDay(side === 0 ? range[0] : range[1] + 1) }
const openTo = (range: [number, number] | null, side: 0 | 1): DateSpec | null =>
  range && { kind: 'open', to: isoFromDay(side === 1 ? range[1] : range[0] - 1) }
/** The Monday of an ISO week: 4 January lies in week 1. */
function isoWeekStart(year: number, week: number): number {
  const fourth = dayFromCivil({ year, month: 1, day: 4 })
  return fourth - ((fourth + 3) % 7) + (week - 1) * 7
}
function newestHolidayYear(name: string, calendar: Calendar): number {
  const year = currentYear(calendar)
  return (holidayOf(name, year)?.from ?? '') > calendar.today ? year - 1 : year
}

const YEAR_BEFORE =
  '(?:the )?(?:same (?:period|time|month|week|quarter)(?: of)?(?: the)? )?(?:last|previous|prior|forra) (?:year|aret)'
const COMPARE_RULES: readonly Rule[] = [
  // "The last 30 days and the 30 before".
  [
    pattern(
      `(?:and|compared? (?:to|with)|vs|versus|against|och|mot|jamfort med) (?:how many |hur manga )?(?:in |during |over |under |for )?(?:the |de )?(?:same )?(?:\\d{1,3} |number of )?(?:previous |preceding |prior |foregaende )?(?:${UNIT_PATTERN}|ones)? ?(?:before(?: that| them)?|preceding|prior(?: to that)?|dessforinnan|innan|fore)(?= *$| [?.!,])`,
    ),
    () => ({ kind: 'compare', with: 'previous' }),
  ],
  [
    pattern(
      `(?:compared? (?:to|with)|vs|versus|against|jamfort med|mot|than) (?:${YEAR_BEFORE}|the year before|a year (?:ago|earlier)|i fjol|ifjol)|(?:the )?same (?:period|time|month|week|quarter)(?: of)?(?: the)? last year|year over year|yoy|year on year|samma period forra aret`,
    ),
    () => ({ kind: 'compare', with: 'year' }),
  ],
  [
    pattern(
      `(?:compared? (?:to|with)|vs|versus|against|jamfort med|mot|than) (?:the )?(?:last|previous|prior|preceding|forra|foregaende|one|period|month|week|quarter|day)(?: (?:before|period|month|week|quarter|day|perioden|manaden|veckan|one))?|period over period|month over month|mom|week over week|wow|quarter over quarter|qoq`,
    ),
    () => ({ kind: 'compare', with: 'previous' }),
  ],
]

/** Rules in the order they are tried: what says more comes first. */
const RULES: readonly Rule[] = [...COMPARE_RULES, ...DATE_PART_RULES, ...NUMBERED_RULES, ...NAMED_RULES]

/** What a folded text says of time, in its order; nothing of it overlaps. */
export function findDates(text: string, calendar: Calendar): FoundDate[] {
  const found: FoundDate[] = []
  for (const [rule, read] of RULES)
    for (const match of text.matchAll(rule)) {
      const [from, to] = [match.index, match.index + match[0].length]
      if (found.some((each) => from < each.to && each.from < to)) continue
      const spec = read(match.groups ?? {}, calendar)
      if (spec) found.push({ from, to, spec })
    }
  return found.toSorted((a, b) => a.from - b.from)
}

/** The days of a period, both inclusive; null for all time. */
export function daysOf(range: PeriodRange, calendar: Calendar): { from: number; to: number } | null {
  if (range.kind === 'absolute') return { from: dayFromIso(range.from) ?? 0, to: dayFromIso(range.to) ?? 0 }
  if (range.span === 'all') return null
  const today = todayOf(calendar)
  const start = startOfUnit(today, range.unit, calendar)
  if (range.span === 'this') return { from: start, to: today }
  return { from: startOfUnit(today, range.unit, calendar, -range.n), to: range.includeCurrent ? today : start - 1 }
}
