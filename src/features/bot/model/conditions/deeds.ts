import { MAY_NOT_HAPPEN, VERBS } from '../language/verbs'
import { isSettled } from '../figures/durations'
import { columnAt, fieldOf, type Context } from '../plan/context'
import { datasetAt } from '../plan/entities'
import { columnOfVerb, dateColumn, isDateRef, timeOf, periodCondition } from '../plan/time'
import { daysOf } from '../dates/find-dates'
import { isoFromDay } from '../../../../shared/dates'
import { synonymsOf } from '../language/synonyms'
import { deedRoot } from '../language/deed-roots'
import { stemOf } from '../language/words'
import type { ExistsFilter, FieldFilter } from '../../../../shared/query/plan'
import { emptyOf, type ColumnCondition } from './conditions'
import type { DateSpec } from '../dates/date-spec'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

/** The dataset whose rows point at the question's and are, or lead to, those of another; null when there is none. */
export function pointingAt({ schema, home }: Context, dataset: string): string | null {
  if (schema.path(dataset, home.id)) return dataset
  const links = schema.datasets.filter(
    ({ id }) => id !== home.id && schema.path(id, home.id)?.length === 1 && schema.path(id, dataset)?.length === 1,
  )
  if (links.length > 0) return links.length === 1 ? (links[0]?.id ?? null) : null
  // Lines of orders: they point at their product, and by their order at the customer.
  const further = schema.datasets.filter(
    ({ id }) =>
      id !== home.id && (schema.path(id, home.id)?.length ?? 9) <= 2 && schema.path(id, dataset)?.length === 1,
  )
  return further.length === 1 ? (further[0]?.id ?? null) : null
}

/** Verbs of which the rows of a table tell: "sold" of sales, "traded" of transactions. */
export function isDeedOf(verb: string, { words }: SchemaDataset): boolean {
  const noun = VERBS[verb] ?? (/^[a-z]{4,}ed$/.test(verb) ? verb.replace(/ed$/, '') : undefined)
  if (noun === undefined || noun.length < 4 || /^(?:created|updated|due|close|open)$/.test(noun)) return false
  const nouns = [noun, `${noun}e`].flatMap((each) => [each, ...synonymsOf(each)])
  return words.some((word) => nouns.includes(stemOf(word)))
}

/** "Never ordered", "not sold": rows that point at these and are called after the verb, or the only ones that do. */
function undoneIn(context: Context): { id: string; name: string; verb: string } | null {
  const known = UNDONE.exec(context.ask.rest)?.groups?.['verb']
  const verb = known ?? ANY_UNDONE.exec(context.ask.rest)?.groups?.['verb']
  const isDenied = context.ask.values.some(({ isNegated }) => isNegated)
  if (
    verb === undefined ||
    context.ask.without.length > 0 ||
    isDenied ||
    endsOf({ ...context, ask: { ...context.ask } }).length > 0
  )
    return null
  const pointing = context.schema.datasets.filter(
    ({ id }) => context.schema.path(id, context.home.id)?.length === 1 && id !== context.home.id,
  )
  // What was not done is not done to rows that nobody named.
  if (context.named.size > 0 && !context.named.has(context.home.id)) return null
  const stem = VERBS[verb] ?? deedRoot(verb)
  const called =
    pointing.find(({ words }) => words.some((word) => word.startsWith(stem.slice(0, 5)))) ??
    pointing.find((table) => isDeedOf(verb, table))
  const found = called ?? (pointing.length === 1 && known !== undefined ? pointing[0] : undefined)
  return found ? { id: found.id, name: found.source.name, verb } : null
}
export function undoneDataset(context: Context): string | null {
  const undone = undoneIn(context)
  if (!undone) return null
  context.ask.rest = context.ask.rest.replace(UNDONE, ' ').replace(ANY_UNDONE, ' ')
  context.assumptions.push(`“Never ${undone.verb}” is read as: without ${undone.name}.`)
  return undone.id
}
const UNDONE =
  /\b(?:never|not|aldrig|inte)(?: (?:yet|ever|been|has|have|har|hade|blivit|varit))* (?<verb>besokt|given|donated|ordered|sold|bought|purchased|paid|used|visited|treated|enrolled|booked|rented|reviewed|invoiced|shipped|delivered|returned|published|written|prescribed|logged|besokt|played|streamed|sålts|salts|salt|salda|bestallt|bestallts|kopt|kopts|betalts|betalat|anvants|fakturerats|handlat|bokat|hyrt|lanat)(?: (?:at all|alls|anything|something|nagot|nagonting))*\b/

/** A verb that a table of what was done is called after: "har aldrig lånats" of lån. */
const ANY_UNDONE =
  /\b(?:never|not|aldrig|inte)(?: (?:yet|ever|been|has|have|blivit|varit))* (?<verb>[a-z]{2,}(?:ats|at|ade|ed))(?: (?:out|ut|nagot|nagonting|anything|at all|alls|overhuvudtaget))*\b/
const ENDED =
  /\b(?:have|has|had|are|is|were|was|har|hade|ar) (?<not>not |never |inte |aldrig |ej )?(?:yet |still |already |annu |redan |been )*(?<verb>[a-z]{3,}(?:ed|t|at|ad|ade|ts|ats|en))(?= |$)/g
/** "That have ended", "not shipped yet": a date of these rows that is called after the verb, there or not. */
export function endsOf(context: Context): ColumnCondition[] {
  const { home, ask } = context
  // "Admitted in 2021 have graduated": the date is that of another verb.
  if (ask.dates.some((at) => columnOfVerb(context, at) === null)) return []
  return [...ask.rest.matchAll(ENDED)].flatMap(({ groups = {} }) => {
    const verb = groups['verb'] ?? ''
    const names = [verb, verb.replace(/(?:ade|ed|at|ad|ats|ts|t|en)$/, ''), VERBS[verb] ?? '']
    const isCalled = (word: string): boolean =>
      names.some((name) => name.length >= 3 && (word === name || (name.length >= 4 && word.startsWith(name))))
    const gone = GONE.find(([verbs]) => verbs.test(verb))?.[1]
    const called = home.columns.filter(({ isDate, words }) => isDate && words.some(isCalled))
    const dates =
      called.length > 0 || gone === undefined
        ? called
        : home.columns.filter(({ isDate, words }) => isDate && words.some((word) => gone.test(word)))
    const counts =
      dates.length > 0 ? [] : home.columns.filter((each) => saysHowOften(each) && each.words.some(isCalled))
    const doers = home.columns.filter((each) => saysWhoDid(each) && each.words.slice(0, -1).some(isCalled))
    const [column, second] = dates.length > 0 ? dates : doers.length > 0 ? doers : counts
    if (!column || second) return []
    const isNot = groups['not'] !== undefined
    ask.rest = ask.rest.replace(
      new RegExp(`\\b(?:not |never |inte |aldrig |ej )?(?:yet |still |already |annu |been )*${verb}(?: yet)?\\b`),
      ' ',
    )
    return [
      {
        column,
        conditions:
          column.isDate || saysWhoDid(column)
            ? [{ op: isNot ? ('empty' as const) : ('notEmpty' as const) }]
            : emptyOf(column, isNot),
        either: null,
        isNegated: false,
      },
    ]
  })
}
/** Who did it, where nobody has done it otherwise: `approved_by`, "Attesterad av". */
const saysWhoDid = ({ isText, words }: SchemaColumn): boolean =>
  isText && words.length > 1 && /^(?:av|by)$/.test(words.at(-1) ?? '')
/** How often something was done: `reopened_count`. */
const saysHowOften = ({ isNumeric, isKey, words }: SchemaColumn): boolean =>
  isNumeric && !isKey && words.some((word) => /^(?:count|times|antal|number|num)$/.test(word))
/** "Have left": the day that ended it is there, whatever it is called. */
const GONE: readonly [RegExp, RegExp][] = [
  [
    /^(?:left|quit|resigned|departed|slutat|lamnat)$/,
    /^(?:end|ended|terminat\w*|left|leav\w*|fired|quit|exit|slut\w*|avslut\w*)$/,
  ],
  [/^(?:churned|stopped|unsubscribed)$/, /^(?:churn\w*|cancel\w*|end|ended|terminat\w*|slut\w*|uppsagd\w*)$/],
]
export const isGoneVerb = (verb: string): boolean => GONE.some(([verbs]) => verbs.test(verb))
/** "Still employed", "work here now": the day that ended it is not there. */
const STILL =
  /\b(?:still|currently|now|fortfarande|annu|nu) (?<what>employed|working|hired|here|with us|around|on board|anstalld|anstallda|kvar|open|running|ongoing|oppna|oppen|pagaende)\b|\b(?<work>employed|works?|working|anstallda?|jobbar|arbetar) (?:here |har |hos oss |with us |for us )?(?:now|right now|at the moment|just nu|nu)\b|\b(?<stays>(?:jobbar|arbetar|ar|finns|bor) (?:fortfarande )?kvar|(?:jobbar|arbetar) fortfarande)\b|\b(?<runs>pagar)(?: fortfarande| annu| nu| just nu)?\b/
const LASTING_ENDS: readonly [RegExp, RegExp][] = [
  [
    /active|current|aktiva|nuvarande/,
    /^(?:end|ended|cancel\w*|terminat\w*|left|leav\w*|churn\w*|quit|\w*slut\w*|avslut\w*|uppsagd\w*|utflytt\w*)$/,
  ],
  [
    /employed|work|hired|here|with us|around|board|anstalld|kvar|jobbar|arbetar/,
    /^(?:terminat\w*|end|ended|left|leav\w*|fired|quit|slutade|slut\w*)$/,
  ],
  [
    /open|running|ongoing|oppn|oppen|pagaende|pagar/,
    /^(?:clos\w*|end|ended|finish\w*|complet\w*|resolv\w*|done|stangd|avslut\w*|\w*slut\w*|klar|fardig\w*)$/,
  ],
]
const STANDING = /\b(?:active|current|open|ongoing|aktiva|nuvarande|oppna|pagaende)\b/
const HOW_MANY_NOW =
  /^(?:how many|hur manga|number of|antal) [^?]*\b(?:right now|at the moment|currently|at present|these days|just nu|for narvarande|i dagslaget|nu)\b/
const NOW = /\b(?:right now|at the moment|currently|at present|these days|just nu|for narvarande|i dagslaget|nu)\b/
/** "How many members do we have right now": those whose end has not come. */
function presentOnes({ home, named, words, calendar, ask }: Context): ColumnCondition[] {
  if (!HOW_MANY_NOW.test(words) || !named.has(home.id)) return []
  const [column, second] = home.columns.filter(
    ({ isDate, words: own }) => isDate && own.some((word) => LASTING_ENDS.some(([, ends]) => ends.test(word))),
  )
  if (!column || second) return []
  ask.rest = ask.rest.replace(NOW, ' ')
  return [
    {
      column,
      conditions: [{ op: 'empty' }, { op: 'ge', value: calendar.today }],
      ...{ either: null, isNegated: false },
    },
  ]
}
export function stillLasting(context: Context): ColumnCondition[] {
  const { home, ask } = context
  const said = STILL.exec(ask.rest)?.groups
  const still = said?.['what'] ?? said?.['work'] ?? said?.['stays'] ?? said?.['runs']
  const what = still ?? STANDING.exec(ask.rest)?.[0]
  const called = what === undefined ? undefined : LASTING_ENDS.find(([words]) => words.test(what))?.[1]
  const [column, second] = home.columns.filter(
    ({ isDate, words }) => isDate && words.some((word) => called?.test(word)),
  )
  if (!column && what === undefined) return presentOnes(context)
  if (!column || second) return []
  ask.rest = ask.rest.replace(still === undefined ? STANDING : STILL, ' ')
  return [{ column, conditions: [{ op: 'empty' }], either: null, isNegated: false }]
}
/** "Have not paid": rows of which the day is not there yet are no payments. */
export function undoneDays(context: Context): ColumnCondition[] {
  const undone = undoneIn(context)
  const table = undone && context.schema.dataset(undone.id)
  if (!undone || !table) return []
  const root = undone.verb.replace(/(?:ats|ade|at|ed|d|t)$/, '')
  const isCalled = (word: string): boolean => word === undone.verb || (root.length >= 4 && word.startsWith(root))
  const [day, other] = table.columns.filter(({ isDate, words }) => isDate && words.some(isCalled))
  return day && !other ? [{ column: day, conditions: [{ op: 'notEmpty' }], either: null, isNegated: false }] : []
}
/** What is not there: "customers that have not ordered in 2024" have no orders of that year, however long they are known. */
export function missingDataset(context: Context): SchemaDataset | null {
  const [first] = context.ask.without
  const named = first
    ? (datasetAt(context, first.of)?.id ?? columnAt(context, first.of)?.dataset)
    : undoneIn(context)?.id
  const id = named === undefined || named === context.home.id ? null : pointingAt(context, named)
  return id === null ? null : (context.schema.dataset(id) ?? null)
}
/** "Returned after the due date": the day that is called after the verb, beside the other one. */
export function besideDays(context: Context): ColumnCondition[] {
  return context.ask.beside.flatMap(({ verb, op, of }) => {
    const other = isDateRef(context, of)
    const days =
      context.schema.dataset(other?.dataset ?? '')?.columns.filter((each) => each.isDate && each !== other) ?? []
    const stem = (VERBS[verb] ?? verb).replace(/(?:ed|d|en)$/, '').slice(0, 5)
    const called = days.filter(
      ({ words }) => stem.length > 2 && words.some((word) => word.startsWith(stem) || word === verb),
    )
    // Of several days the one that no verb calls may be any of them.
    const settled = called.length === 0 && MAY_NOT_HAPPEN.test(verb) ? days.filter(isSettled) : []
    const [column, second] = called.length > 0 ? called : settled.length > 0 ? settled : days
    if (!other || !column || second) {
      context.deductions.push({ factor: 0.5, why: 'which day is compared is not known' })
      return []
    }
    return [
      { column, conditions: [{ op: 'column', compare: op, field: fieldOf(other) }], either: null, isNegated: false },
    ]
  })
}
const OF_A_THING = /birth|born|hire|since|regist|join|creat|open|start|member|enrol|found|effective/
/**
 * "Students who took Databases in 2022": the rows that say so, where those of the thing only say since when it is
 * there, and the question says nothing of that.
 */
export function happeningOf(context: Context): SchemaDataset | null {
  const { home, ask, schema, encoded } = context
  const own = home.columns.filter(({ isDate, isNumeric, words }) => isDate || (isNumeric && words.at(-1) === 'year'))
  if (own.some(({ words }) => !OF_A_THING.test(words.join(' ')))) return null
  const isSaid = own.some(({ words }) =>
    words.some(
      (word) =>
        word.length > 4 &&
        !/^(?:date|year|first)$/.test(word) &&
        new RegExp(`(?:^| )${word.slice(0, 5)}`).test(context.words),
    ),
  )
  if (isSaid) return null
  const far = ask.values.flatMap(({ value }) => {
    const matches = encoded.values[value]?.matches ?? []
    return matches.some(({ dataset }) => schema.path(home.id, dataset) !== null) ? [] : matches.slice(0, 1)
  })
  const rows = far.flatMap(({ dataset }) => pointingAt(context, dataset) ?? [])
  const id = rows[0]
  return id !== undefined && rows.every((each) => each === id) ? (schema.dataset(id) ?? null) : null
}
/** When it was not done, as conditions on the rows that are missing; null where these say no time. */
export function missingTimes(context: Context, missing: SchemaDataset, spec: DateSpec): ColumnCondition[] | null {
  const of = { ...context, home: missing }
  const [own, other] = missing.columns.filter(({ isDate }) => isDate)
  const called = other ? dateColumn(of) : own
  const part = timeOf(of, spec, called?.dataset === missing.id ? called : (own ?? null))
  if (!part) return null
  const column = part.period && context.schema.column(part.period.field.dataset, part.period.field.column)
  const days = column && part.period ? periodCondition(context, column, part.period.range) : null
  return [...part.conditions, ...(days ? [days] : [])]
}

/** "Placed their first order in 2024": an order then, and none before. */
export function firstFilters(context: Context): ExistsFilter[] {
  const { ask, encoded, calendar, schema, home } = context
  return ask.firsts.flatMap(({ of, date }): ExistsFilter[] => {
    const named = datasetAt(context, of)
    const rows = named && named.id !== home.id ? schema.dataset(pointingAt(context, named.id) ?? '') : undefined
    const day = rows && dateColumn({ ...context, home: rows })
    const spec = encoded.dates[date]
    const days = spec?.kind === 'period' ? daysOf(spec.range, calendar) : null
    const from = days ? isoFromDay(days.from) : spec?.kind === 'open' ? spec.from : undefined
    const to = days ? isoFromDay(days.to) : spec?.kind === 'open' ? spec.to : undefined
    if (!rows || !day || (from === undefined && to === undefined)) {
      context.deductions.push({ factor: 0.5, why: 'when something happened first is not known' })
      return []
    }
    const field = fieldOf(day)
    const end = to === undefined ? [] : [lastDay(field, `${to}${day.source.type === 'datetime' ? 'T23:59:59' : ''}`)]
    const begin: FieldFilter[] = from === undefined ? [] : [{ field, any: [{ op: 'ge', value: from }] }]
    const before: ExistsFilter[] =
      from === undefined
        ? []
        : [{ kind: 'notExists', dataset: rows.id, filters: [{ field, any: [{ op: 'lt', value: from }] }] }]
    return [{ kind: 'exists', dataset: rows.id, filters: [...begin, ...end] }, ...before]
  })
}
const lastDay = (field: FieldFilter['field'], value: string): FieldFilter => ({ field, any: [{ op: 'le', value }] })
