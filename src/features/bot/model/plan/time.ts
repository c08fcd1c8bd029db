import { columnOfRef, deduct, fieldOf, isReachable, type Context } from './context'
import { namedParts, type ColumnCondition } from '../conditions/conditions'
import { monthsBetween } from './months'
import type { Expr } from '../../../../shared/query/expression'
import { daysOf } from '../dates/find-dates'
import { isoFromDay } from '../../../../shared/dates'
import { stemOf } from '../language/words'
import type { DateSpec, PeriodRange } from '../dates/date-spec'
import type { QueryPlan } from '../../../../shared/query/plan'
import type { SchemaColumn } from '../schema/schema'
import { VERBS } from '../language/verbs'
import { isSettled } from '../figures/durations'

/** When somebody was born: no day on which anything of the rows took place. */
const BIRTH = /\b(?:birth\w*|born|dob|fodd\w*|fodelse\w*)\b/
const SAYS_BIRTH = /\b(?:born|birth\w*|fodd\w*|fodelse\w*|fyllde|fyller|turned|turns|turn|age|aged|alder)\b/
const RECORD_DATE = /birth|born|dob|created|crtd|updated|modified|expir|valid|loaded|inserted|deleted|timestamp/
/** "Jobs that Ann did in May": when they were done, and not when they came in. */
const WAS_DONE =
  /\b(?:gjorde|gjordes|gjort|gjorts|utforde|utfordes|utfort|utforts|slutforde|slutfordes|carried out|performed)\b|\bdid (?:\S+ ){1,4}do\b/
const BEGUN = /created|crtd|skapad|regist|joined|signed|start|open|added|since|sedan/
/** The column that says when, of the rows asked about or of what they point at. */
export function dateColumn(context: Context): SchemaColumn | null {
  const { schema, home, words } = context
  const said = words.split(' ').flatMap((word) => [stemOf(word), VERBS[word] ?? ''])
  const near = schema.datasets
    .flatMap((dataset) => {
      const hops = schema.path(home.id, dataset.id)?.length
      return hops === undefined
        ? []
        : dataset.columns.filter(({ isDate }) => isDate).map((column) => ({ column, hops }))
    })
    .map(({ column, hops }) => ({ column, rank: rankOf(column, hops, { said, context }) }))
    .toSorted((a, b) => b.rank - a.rank)
  return near[0]?.column ?? null
}
function rankOf(column: SchemaColumn, hops: number, { said, context }: { said: string[]; context: Context }): number {
  const name = column.words.join(' ')
  const overlap = column.words.filter(
    (word) =>
      word !== 'date' &&
      word !== 'time' &&
      word.length > 2 &&
      (said.includes(stemOf(word)) || said.some((each) => isBegun(word, each))),
  ).length
  const isNew = /\b(?:new|nya|nytt|tillkomna)\b/.test(context.words) && BEGUN.test(name)
  const isRecord = RECORD_DATE.test(name) && !isNew
  const table = context.home.words.some((word) => column.words.includes(word) || column.words.includes(stemOf(word)))
  return (
    -2 * hops +
    (isNew ? 2 : 0) +
    (WAS_DONE.test(context.words) && isSettled(column) ? 1.6 : 0) +
    1.6 * overlap -
    (isRecord ? 1.2 : 0) +
    (column.source.role === 'time' ? 0.3 : 0) +
    (table ? 0.4 : 0) -
    (isDayOfPayment(column) && !PAID_IN.test(context.words) ? 0.5 : 0) -
    (/end|term|close|due|last|to$/.test(name) ? 0.3 : 0)
  )
}

/** When money came is another matter than what it was for: "rent of 2025" is what fell due then. */
const isDayOfPayment = ({ words }: SchemaColumn): boolean =>
  words.some((word) => /^(?:paid|payment|betal|betald|betalning|settled)$/.test(word))
const PAID_IN =
  /\b(?:came in|come in|comes in|received?|collected|got in|cash in|paid|kom in|kommit in|fick in|fatt in|inbetal\w*|betal\w*)\b/
/** "Expire" begins `expiration`. */
const isBegun = (word: string, said: string): boolean =>
  said.length >= 5 && word.length >= 6 && word.startsWith(said.slice(0, -1))

/**
 * "Admitted in 2021": the day or year of these rows that is called after the verb right before a date; null where none
 * is, or several.
 */
export function columnOfVerb(context: Context, date: number): SchemaColumn | null {
  const { encoded, home } = context
  const [, who, word, value] =
    new RegExp(
      `(?:<m(\\d+)> (?:who|that|which|som) (?:have |has |had |were |was |har |hade )?)?(?:([a-z]{3,})(?: up| in| out| on)?|<v(\\d+)>) <d${date}>`,
    ).exec(encoded.source) ?? []
  // "Closed last month": how things stand, and when it came to that.
  const verb = word ?? encoded.values[Number(value ?? -1)]?.phrase ?? ''
  const done = [verb, `${verb}d`, `${verb}ed`, `${verb}${verb.at(-1) ?? ''}ed`].find(
    (each) => VERBS[each] !== undefined,
  )
  const noun = VERBS[done ?? ''] ?? (/ed$/.test(verb) ? verb.replace(/e?d$/, '') : undefined)
  if (noun === undefined || noun.length < 3) return null
  const isCalled = (word: string): boolean => word === noun || word.startsWith(noun.slice(0, 6)) || word === verb
  const whose = who === undefined ? undefined : encoded.mentions[Number(who)]?.matches[0]?.ref
  const isOfTable = whose?.kind === 'dataset' && JOINED.test(verb)
  const table =
    whose?.kind === 'dataset' && isReachable(context, whose.dataset) ? context.schema.dataset(whose.dataset) : undefined
  const [column, other] = (table ?? home).columns.filter(
    (each) =>
      (each.isDate || isYear(each)) && each.words.some((word) => word !== 'date' && word !== 'year' && isCalled(word)),
  )
  if (column !== undefined) return other === undefined ? column : null
  const days = isOfTable
    ? (table?.columns ?? []).filter(({ isDate, words }) => isDate && BEGUN.test(words.join(' ')))
    : []
  return days.length === 1 ? (days[0] ?? null) : null
}
const JOINED = /^(?:joined|signed|registered|subscribed|enrolled|came)$/

export interface TimePart {
  period: QueryPlan['period'] | null
  conditions: ColumnCondition[]
  /** What a row has to say, where no condition of one column says it. */
  row?: Expr
}

/** What a question says of time, as the plan's period and conditions. `column`: the one that stands beside it, if any. */
export function timeOf(context: Context, spec: DateSpec, column: SchemaColumn | null): TimePart | null {
  if (column && !column.isDate) return wholeYears(context, spec, column)
  const at = column ?? dateColumn(context)
  if (at && column === null && BIRTH.test(at.words.join(' ')) && !SAYS_BIRTH.test(context.words))
    deduct(context, 0.5, `${at.source.label} is a day of birth`)
  const own = column === null && at?.dataset !== context.home.id ? ownYears(context, spec) : null
  if (own) return own
  const said = column === null ? saidYear(context, at) : undefined
  const years = said && wholeYears(context, spec, said)
  if (years) return years
  if (spec.kind === 'part') return partOf(context, spec, at)
  if (spec.kind === 'open') {
    if (!at) return yearsOf(context, { from: spec.from, to: spec.to })
    const conditions = [
      ...(spec.from === undefined ? [] : [{ op: 'ge' as const, value: spec.from }]),
      ...(spec.to === undefined ? [] : [{ op: 'le' as const, value: dayEnd(at, spec.to) }]),
    ]
    return {
      period: null,
      conditions: conditions.map((each) => ({ column: at, conditions: [each], either: null, isNegated: false })),
    }
  }
  if (spec.kind === 'beside') return at && besideOf(spec, at)
  if (spec.kind !== 'period') return { period: null, conditions: [] }
  // A year of the rows themselves says more than a date of what they point at.
  if (at && at.dataset !== context.home.id && column === null && yearColumn(context)?.dataset === context.home.id) {
    const days = daysOf(spec.range, context.calendar)
    const own = days && yearsOf(context, { from: isoFromDay(days.from), to: isoFromDay(days.to) })
    if (own) return own
  }
  if (!at) {
    const days = daysOf(spec.range, context.calendar)
    const range = days && { from: isoFromDay(days.from), to: isoFromDay(days.to) }
    const months = range && yearsOf(context, range) === null ? monthsBetween(context, range) : null
    return months ? { period: null, conditions: [], row: months } : range && yearsOf(context, range)
  }
  const range = spec.range
  return { period: { field: fieldOf(at), range, compare: spec.compare ?? 'none', completeOnly: false }, conditions: [] }
}
/** Days of one period or the other. */
const besideOf = ({ ranges }: DateSpec & { kind: 'beside' }, column: SchemaColumn): TimePart => ({
  period: null,
  conditions: [
    {
      ...{ column, either: null, isNegated: false },
      conditions: ranges.map(({ from, to }) => ({ op: 'between' as const, from, to: dayEnd(column, to) })),
    },
  ],
})
/** "Born after 1990" of a birth year: a year that is called after the verb, where no day is. */
function saidYear(context: Context, date: SchemaColumn | null): SchemaColumn | undefined {
  const said = new Set(context.words.split(' ').flatMap((word) => [stemOf(word), VERBS[word] ?? '']))
  const isSaid = ({ words }: SchemaColumn): boolean =>
    words.some((word) => word !== 'year' && word !== 'date' && said.has(stemOf(word)))
  if (date && isSaid(date)) return undefined
  const [year, other] = context.home.columns.filter(
    (column) => isYear(column) && column.words.length > 1 && isSaid(column),
  )
  return other ? undefined : year
}
function wholeYears(context: Context, spec: DateSpec, column: SchemaColumn): TimePart | null {
  if (spec.kind === 'open') return yearsOf(context, { from: spec.from, to: spec.to }, column)
  const days = spec.kind === 'period' ? daysOf(spec.range, context.calendar) : null
  return days && yearsOf(context, { from: isoFromDay(days.from), to: isoFromDay(days.to) }, column)
}
/** The rows say a year themselves, and no day: it goes before a day of what they point at. */
function ownYears(context: Context, spec: DateSpec): TimePart | null {
  if (yearColumn(context)?.dataset !== context.home.id) return null
  if (spec.kind === 'open') return yearsOf(context, { from: spec.from, to: spec.to })
  const days = spec.kind === 'period' ? daysOf(spec.range, context.calendar) : null
  return days && yearsOf(context, { from: isoFromDay(days.from), to: isoFromDay(days.to) })
}
const dayEnd = ({ source }: SchemaColumn, day: string): string => (source.type === 'datetime' ? `${day}T23:59:59` : day)

/** A second period, or one of another column: a condition on its days. */
export function periodCondition(context: Context, column: SchemaColumn, range: PeriodRange): ColumnCondition | null {
  const days = daysOf(range, context.calendar)
  if (!days) return null
  const conditions = [{ op: 'between' as const, from: isoFromDay(days.from), to: dayEnd(column, isoFromDay(days.to)) }]
  return { column, conditions, either: null, isNegated: false }
}

function partOf(context: Context, spec: DateSpec & { kind: 'part' }, at: SchemaColumn | null): TimePart | null {
  const { part } = spec
  const named = part === 'weekday' || part === 'monthOfYear' ? namedColumn(context, part, spec.values) : null
  if (named && (!at || at.dataset !== context.home.id))
    return {
      period: null,
      conditions: [
        { column: named.column, conditions: [{ op: 'in', values: named.texts }], either: null, isNegated: false },
      ],
    }
  if (!at) return null
  return {
    period: null,
    conditions: [{ column: at, conditions: [{ op: 'in', values: spec.values }], part, either: null, isNegated: false }],
  }
}
function namedColumn(
  context: Context,
  part: 'weekday' | 'monthOfYear',
  values: number[],
): { column: SchemaColumn; texts: string[] } | null {
  for (const column of context.home.columns) {
    const texts = namedParts(column, part, values)
    if (texts) return { column, texts }
  }
  return null
}

const isYear = ({ words, isDate, source }: SchemaColumn): boolean =>
  !isDate && (words.at(-1) === 'year' || (words[0] === 'year' && source.type === 'integer' && words.length === 2))
/** Rows that say a year and no day: whole years can be asked for. */
export function yearColumn(context: Context): SchemaColumn | undefined {
  const columns = context.schema.datasets.flatMap((dataset) =>
    context.schema.path(context.home.id, dataset.id) ? dataset.columns : [],
  )
  return [...context.home.columns, ...columns].find(isYear)
}
function yearsOf(
  context: Context,
  { from, to }: { from?: string | undefined; to?: string | undefined },
  column = yearColumn(context),
): TimePart | null {
  if (!column) return null
  const starts = from === undefined || from.endsWith('-01-01')
  const ends = to === undefined || to.endsWith('-12-31')
  if (!starts || !ends) return null
  const years = {
    from: from === undefined ? 0 : Number(from.slice(0, 4)),
    to: to === undefined ? 9999 : Number(to.slice(0, 4)),
  }
  const value = (year: number): number | string => (column.isNumeric ? year : String(year))
  const condition =
    years.from === years.to
      ? { op: 'eq' as const, value: value(years.from) }
      : { op: 'between' as const, from: value(years.from), to: value(years.to) }
  return { period: null, conditions: [{ column, conditions: [condition], either: null, isNegated: false }] }
}
export const isDateRef = (context: Context, at: number): SchemaColumn | null => {
  const best = (context.encoded.mentions[at]?.matches ?? [])
    .map(({ ref }) => columnOfRef(context, ref))
    .find((column) => column?.isDate)
  return best ?? null
}
export const noTime = (context: Context): void => deduct(context, 0.4, 'nothing says when')
