import { columnOfRef, fieldOf, isReachable, meaningsOf, Unreadable, type Context } from '../plan/context'
import { deedRoot } from '../language/deed-roots'
import { stemOf } from '../language/words'
import { datasetAt, nameColumns } from '../plan/entities'
import type { MeasureAsk } from '../parse/measure-ask'
import type { Aggregate } from '../../../../shared/query/functions'
import type { Measure } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

const BEGINS =
  /^(?:start|begin|began|begun|open|opened|from|effective|admission|admitted|checkin|incheckning|hire|hired|startdatum|borjan|borjar)$/
const ENDS =
  /^(?:end|ended|close|closed|to|expir\w*|discharge|discharged|checkout|utcheckning|stop|finish|finished|uppsag\w*|slut|slutdatum|slutar)$/
/** From the day that begins a thing to the day that ends it; else how long it says to last. */
export function spanOf(context: Context, { agg, unit, of }: MeasureAsk & { kind: 'span' }): Measure {
  const things = of === null ? context.home : thingsAt(context, of)
  const columns = things?.columns ?? []
  const dates = columns.filter(({ isDate }) => isDate)
  const [begin, ...begins] = firstSome(dates, [beginsSpan, beginsElapsed, (day) => isCalledAfter(day, things)])
  const [end, ...ends] = firstSome(dates, [endsSpan, isSettled])
  if (begin && end && begins.length === 0 && ends.length === 0 && isReachable(context, begin.dataset))
    return { kind: 'expression', agg, row: { kind: 'dateDiff', unit, from: fieldOf(begin), to: fieldOf(end) } }
  const [lasting, other] = columns.filter((column) => column.isNumeric && !column.isKey && unitOf(column) !== null)
  if (!lasting || other || !isReachable(context, lasting.dataset))
    throw new Unreadable('no_metric', 'Nothing says when these begin and end.')
  return inUnit(context, agg, lasting)
}

/** What a mention names, also where the heading by which its rows are called is called so. */
function thingsAt(context: Context, at: number): SchemaDataset | undefined {
  const direct = datasetAt(context, at)
  if (direct) return direct
  const ref = meaningsOf(context, at)[0]?.ref
  const column = ref && columnOfRef(context, ref)
  const table = column && context.schema.dataset(column.dataset)
  return table && nameColumns(table).includes(column) ? table : undefined
}

type IsDay = (day: SchemaColumn) => boolean
/** The days that the first of some ways to tell them finds. */
const firstSome = (days: readonly SchemaColumn[], ways: readonly IsDay[]): SchemaColumn[] =>
  ways.map((way) => days.filter(way)).find((found) => found.length > 0) ?? []
/** Whether a day is called as the first one of a span. */
export const beginsSpan: IsDay = ({ words }) =>
  words.some((word) => BEGINS.test(word)) || words.join(' ') === 'check in'
/** What has come back, arrived or been done has ended. */
export const isSettled: IsDay = ({ words }) =>
  words.some((word) =>
    /^(?:return(?:ed)?|resolved|completed|delivered|delivery|done|performed|klar|utford|slutford|fardig\w*|lossad|levererad|aterlamnad)$/.test(
      word,
    ),
  )
/** `loan_date` of loans. */
const isCalledAfter = ({ words }: SchemaColumn, table: SchemaDataset | undefined): boolean =>
  table?.words.some((word) => words.includes(stemOf(word))) === true

const BEGUN =
  /^(?:order|ordered|created|crtd|issued|issue|invoice|reported|submitted|requested|received|sent|booked|anmald|skapad|inkommen|inkom|bestalld|orderdatum|faktura|fakturerad|fakturadatum)$/
/** Whether a day ends rows of its kind, or begins them. */
export const endsSpan = ({ words }: SchemaColumn): boolean =>
  words.some((word) => ENDS.test(word)) || words.join(' ') === 'check out'
export const beginsElapsed = ({ words }: SchemaColumn): boolean =>
  !isExpected(words) && words.some((word) => BEGINS.test(word) || BEGUN.test(word))
const PAYING =
  /^(?:pay|pays|paid|payment|betal|betala|betalar|betald|betalt|betalat|betalning|betalningsdatum|betaldatum)$/
/** A day that only says when something should happen. */
const isExpected = (words: readonly string[]): boolean =>
  words.some((word) =>
    /^(?:due|deadline|expected|planned|promised|forfall\w*|planerad\w*|beraknad\w*|senast)$/.test(word),
  )
/** Whether one of the columns is the day that ends what a word calls: `resolved_at` of "resolution". */
export function endsElapsed(columns: readonly SchemaColumn[], until: string): boolean {
  if (columns.some(({ isDate, words }) => isDate && words.join(' ') === until)) return true
  if (PAYING.test(until))
    return columns.some(({ isDate, words }) => isDate && !isExpected(words) && words.some((word) => PAYING.test(word)))
  const isSettling =
    /^(?:resolution|resolve|completion|complete|handling|turnaround|processing|closing|losning|handlaggning)s?$/.test(
      until,
    )
  if (isSettling && columns.some((day) => day.isDate && !isExpected(day.words) && (isSettled(day) || endsSpan(day))))
    return true
  const stem = deedRoot(until)
  return stem.length >= 4 && columns.some(({ isDate, words }) => isDate && words.some((word) => word.startsWith(stem)))
}
/** "Resolution time": from the day a row began to the day that is called after the word. */
export function elapsedOf(context: Context, { agg, unit, until, of }: MeasureAsk & { kind: 'elapsed' }): Measure {
  const { home } = context
  if (of !== undefined && !endsElapsed(home.columns, until)) return spanOf(context, { kind: 'span', agg, unit, of })
  const dates = home.columns.filter(({ isDate }) => isDate)
  const [end, otherEnd] = dates.filter((column) => endsElapsed([column], until))
  const others = dates.filter((column) => column !== end)
  const begun = others.filter(beginsElapsed)
  const [begin, otherBegin] = begun.length > 0 ? begun : others
  if (!end || otherEnd || !begin || otherBegin)
    throw new Unreadable('no_metric', `Nothing says when “${until}” began and ended.`)
  return { kind: 'expression', agg, row: { kind: 'dateDiff', unit, from: fieldOf(begin), to: fieldOf(end) } }
}

const UNITS: readonly [RegExp, seconds: number][] = [
  [/^(?:milliseconds?|millis|msec|ms)$/, 0.001],
  [/^(?:seconds?|secs?|sekunder)$/, 1],
  [/^(?:minutes?|mins?|minuter)$/, 60],
  [/^(?:hours?|hrs?|h|timmar|tim)$/, 3600],
  [/^(?:days?|dagar|dygn|nights?|natter)$/, 86_400],
]
/** Seconds of the unit that a heading or word says; null where it says none. */
const secondsOf = (word: string): number | null => UNITS.find(([words]) => words.test(word))?.[1] ?? null
const unitOf = ({ words }: SchemaColumn): number | null =>
  words.map(secondsOf).find((seconds) => seconds !== null) ?? null

/** Whether a column holds a time that something took. */
export const saysHowLong = (column: SchemaColumn): boolean =>
  column.isNumeric && !column.isKey && unitOf(column) !== null
/** The one column of these rows that says how long something took; "hours" of a heading that says minutes. */
export function lastingOf(context: Context, { agg, unit }: MeasureAsk & { kind: 'lasting' }): Measure {
  const [lasting, other] = context.home.columns.filter((column) => saysHowLong(column) && !isPlanned(context, column))
  if (!lasting || other) throw new Unreadable('no_metric', 'Nothing says how long it took.')
  return inUnit(context, agg, lasting, unit === null ? undefined : `${unit}s`)
}

const PLANNED =
  /^(?:budget\w*|planned|plan|estimated?|estimate|expected|target|quota|limit|max|contracted|avtalad\w*|planerad\w*|beraknad\w*)$/
/** Hours that a thing was to take, of which nobody spoke. */
const isPlanned = ({ words }: Context, column: SchemaColumn): boolean =>
  column.words.some((word) => PLANNED.test(word) && !words.includes(word.slice(0, 5)))

/** In the unit that was asked for, where a heading says another one. */
function inUnit({ words, home }: Context, agg: Aggregate, column: SchemaColumn, unit?: string): Measure {
  const asked = secondsOf(unit ?? /\bin (\w+)\b(?= |$|[?.!])/.exec(words)?.[1] ?? '')
  const own = unitOf(column) ?? 1
  const field = fieldOf(column)
  const measure: Measure =
    field.dataset === home.id ? { kind: 'column', agg, field } : { kind: 'column', agg, field, dataset: home.id }
  if (asked === null || asked === own) return measure
  return asked > own
    ? { kind: 'calc', op: 'divide', left: measure, right: { kind: 'number', value: Math.round(asked / own) } }
    : { kind: 'calc', op: 'multiply', left: measure, right: { kind: 'number', value: Math.round(own / asked) } }
}

/** Between two days that the question names. */
export function durationOf(context: Context, ask: MeasureAsk & { kind: 'duration' }): Measure {
  const [from, to] = [ask.from, ask.to].map((at) =>
    meaningsOf(context, at, (ref) => (columnOfRef(context, ref)?.isDate === true ? 1 : 0)).find(
      ({ score }) => score > 0,
    ),
  )
  const [start, end] = [from && columnOfRef(context, from.ref), to && columnOfRef(context, to.ref)]
  if (!start || !end) throw new Unreadable('no_metric', 'A duration needs two dates.')
  if (!isReachable(context, start.dataset) || !isReachable(context, end.dataset))
    throw new Unreadable('no_relation', `${start.source.label} is not related.`)
  return {
    kind: 'expression',
    agg: ask.agg,
    row: { kind: 'dateDiff', unit: ask.unit, from: fieldOf(start), to: fieldOf(end) },
  }
}
/** "Resolution time" says in what it is told. */
export function inItsUnit(label: string, measure: Measure): string {
  const row = measure.kind === 'expression' ? measure.row : undefined
  if (row?.kind !== 'dateDiff' || /\b(?:days?|hours?|minutes?|dagar|timmar|minuter)\b/i.test(label)) return label
  return `${label} in ${row.unit}s`.slice(0, 80)
}
