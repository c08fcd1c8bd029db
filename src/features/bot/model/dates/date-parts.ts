import type { Calendar } from '../../../../shared/dates'
import type { Grain } from '../../../../shared/query/date-range'
import { WEEKDAY_PATTERN, weekdayNumber } from './date-words'
import type { DateSpec } from './date-spec'

type Groups = Readonly<Record<string, string | undefined>>
type Rule = [pattern: RegExp, read: (groups: Groups, calendar: Calendar) => DateSpec | null]
const pattern = (source: string): RegExp => new RegExp(`(?<![\\w<])(?:${source})(?![\\w>])`, 'g')

const EACH = '(?:(?:in|on|for|by|per|during|over|within) )?(?:each|every|by|per|varje|per)(?: calendar)?'
const GRAIN_WORDS: readonly [Grain, string, string][] = [
  ['hour', 'hour|timme', 'hourly'],
  ['day', 'day|dag|date', 'daily|dagligen'],
  ['week', 'week|vecka|iso week', 'weekly|veckovis'],
  ['month', 'month|manad', 'monthly|manadsvis'],
  ['quarter', 'quarter|kvartal', 'quarterly|kvartalsvis'],
  ['year', 'year|ar', 'yearly|annual|annually|arsvis|arlig'],
]
const grainRules: Rule[] = GRAIN_WORDS.map(([grain, noun, adverb]) => [
  pattern(
    `(?:${EACH} (?:of the )?(?:${noun})|${adverb}|(?:${noun}) by (?:${noun})|(?:group(?:ed)?|split|broken down) by (?:the )?(?:${noun}))`,
  ),
  () => ({ kind: 'grain', grain }),
])

const weekdaysFrom = (start: number, steps: readonly number[]): number[] =>
  steps.map((step) => ((((start - 1 + step) % 7) + 7) % 7) + 1).toSorted((a, b) => a - b)

/** Parts that every week, day or year has again, and units of time to split by. */
export const DATE_PART_RULES: readonly Rule[] = [
  [
    pattern(
      `(?:${EACH} |(?:for|on|in|by|per) )?(?:the )?(?:day of (?:the )?week|days of (?:the )?week|weekday name|veckodag)`,
    ),
    () => ({ kind: 'datePart', part: 'weekday' }),
  ],
  [
    pattern(`${EACH} (?:hour of (?:the )?day)|by hour of (?:the )?day`),
    () => ({ kind: 'datePart', part: 'hourOfDay' }),
  ],
  [
    pattern(`(?:${EACH} )(?:month of (?:the )?year)(?! (?:19|20)\\d\\d)|by calendar month`),
    () => ({ kind: 'datePart', part: 'monthOfYear' }),
  ],
  [pattern(`${EACH} weekday`), () => ({ kind: 'datePart', part: 'weekday' })],
  [
    pattern(`(?:on |in )?(?:the )?(?<n>[1-6]) days? (?<way>before|after) (?<day>${WEEKDAY_PATTERN})`),
    ({ n, way, day }) => {
      const steps = Array.from({ length: Number(n) }, (_, i) => (way === 'before' ? -i - 1 : i + 1))
      return { kind: 'part', part: 'weekday', values: weekdaysFrom(weekdayNumber(day ?? '') ?? 1, steps) }
    },
  ],
  [
    pattern('(?:on |during |at |over |pa )?(?:the )?weekends?|(?:on )?weekend days|helger(?:na)?'),
    () => weekdays([6, 7]),
  ],
  [
    pattern('(?:on |during )?(?:the )?(?:weekdays|working days|work days|business days|vardagar)'),
    () => weekdays([1, 2, 3, 4, 5]),
  ],
  [
    pattern(
      `(?:on |during |pa )?(?:a |every |the )?(?<one>${WEEKDAY_PATTERN})(?: (?:and|or|och|eller) (?:on )?(?<two>${WEEKDAY_PATTERN}))?`,
    ),
    ({ one, two }) => weekdays([one, two].flatMap((word) => weekdayNumber(word ?? '') ?? [])),
  ],
  ...grainRules,
]
const weekdays = (values: number[]): DateSpec => ({ kind: 'part', part: 'weekday', values })
