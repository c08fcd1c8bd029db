import type { Context } from '../plan/context'
import { when, type Check } from './account'
import { isThingSaid } from './names'
import { conditionsOf, fieldKey } from '../score/plan-facts'
import { isOfLines } from '../schema/lines'
import { isOfUnits } from '../parse/asked-units'
import { isOfDays } from '../plan/splits'
import { numberIn } from '../parse/encoded'
import { isExistsFilter } from '../../../../shared/query/plan'

/** Every unit of time that was said splits or limits the plan. */
export const checkTimes: Check = ({ context, source, plan, facts }) => {
  const asked = source.replaceAll(
    /\([^)]*\)|(?<=[.?] )(?:represent|format|express|truncate|show each|a week)\b[^.]*/g,
    ' ',
  )
  const marks = [...asked.matchAll(/<d(\d+)>/g)].flatMap((found) => context.encoded.dates[numberIn(found[0])] ?? [])
  const spans = new Set(
    marks
      .filter(({ kind }) => kind === 'period' || kind === 'open' || kind === 'part')
      .map((spec) => JSON.stringify(spec)),
  )
  const timed = facts.timed + facts.timeConditions(context)
  const grains = context.encoded.dates.some((_, at) => isOfDays(context, at))
    ? []
    : marks.flatMap((spec) => (spec.kind === 'grain' ? [spec.grain] : []))
  const isYears = /year|ar/
  return [
    ...when(
      spans.size > 0 &&
        timed === 0 &&
        !/"fn":"or","items":\[\{"kind":"(?:function","fn":"and|compare)"/.test(facts.text) &&
        conditionsOf(plan).every(
          ({ column }) => !isYears.test(context.schema.column(column.dataset, column.column)?.words.join(' ') ?? ''),
        ),
      'nothing says when',
    ),
    ...when(
      spans.size > 1 && timed < spans.size && facts.timeConditions(context) < spans.size,
      'only one of several times is asked for',
    ),
    ...when(
      grains.length > 0 && plan.dimensions.length === 0 && plan.kind === 'aggregate' && !facts.isGrouped,
      'no unit of time is asked for',
    ),
  ]
}

/** A day and a unit of it beside each other: one of them was said for something else. */
export const checkDaysOfUnits: Check = ({ plan }) => {
  const plain = plan.dimensions.filter(({ grain, part }) => grain === undefined && part === undefined)
  return when(
    plan.dimensions.some(
      ({ field, grain }) => grain !== undefined && plain.some((each) => fieldKey(each.field) === fieldKey(field)),
    ),
    'a day beside its own unit of time',
  )
}

/** "Paid after the due date" stands in the plan as two days of a row. */
export const checkOrders: Check = ({ source, facts, context }) =>
  [...source.matchAll(/(?<=^| )(?:after|before|efter|fore) (?:the |their |its |our )?<m(\d+)>/g)].flatMap((found) =>
    when(
      context.encoded.mentions[Number(found[1])]?.namesDate === true && !/"op":"column"|"dateDiff"/.test(facts.text),
      'which came first is not asked for',
    ),
  )

/** "Compare April and May": beside each other, and not together. */
export const checkBeside: Check = ({ plan, facts, context: { words } }) =>
  when(
    /(?<=^| )(?:compare|jamfor)(?= )/.test(words) &&
      plan.dimensions.length === 0 &&
      plan.measures.length < 2 &&
      !/"compare":"(?:previous|year)"|"op":"subtract"|"kind":"(?:ratio|whole)"/.test(facts.text),
    'each of two periods',
  )

/** "Days with sales above 5000": days are listed, and not the sales. */
export const checkUnitsListed: Check = ({ source, plan, facts, context: { schema } }) => {
  const isTimed = plan.dimensions.some(({ grain }) => grain !== undefined)
  const isDay = [...(plan.columns ?? []), ...plan.dimensions.map(({ field }) => field)].some(
    ({ dataset, column }) => schema.column(dataset, column)?.isDate === true,
  )
  // "Months with a cost above 1000" of rows of which a month has several: of each row, or of all of them.
  const [only, other] = plan.kind === 'rows' ? (plan.columns ?? []) : []
  const unit = only && schema.column(only.dataset, only.column)
  const isCut = conditionsOf(plan).some(
    ({ column, condition }) =>
      /^(?:gt|ge|lt|le)$/.test(condition.op) && schema.column(column.dataset, column.column)?.isAdditive === true,
  )
  return [
    ...when(isOfUnits(source) && !isTimed && !isDay && !facts.isGrouped, 'no unit of time is listed'),
    ...when(unit?.isDate === true && !other && !unit.isUnique && isCut, 'a limit of each row, or of all of them'),
  ]
}

/** Records of two periods stand in no comparison. */
export const checkComparedRows: Check = ({ plan }) =>
  when(plan.kind === 'rows' && plan.period !== undefined && plan.period.compare !== 'none', 'nothing is compared')

/** "From 2021" is since then, or in that year. */
export const checkSinces: Check = ({ context }) =>
  when(
    context.encoded.dates.some((spec) => spec.kind === 'open' && spec.to === undefined) &&
      /\bfrom (?:the )?(?:year )?(?:\d{4}|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)(?: \d{4})?(?! ?(?:on|onwards?|forward|and (?:on|later)|to|until|till|through|-|\d))\b/.test(
        context.words,
      ),
    '“from” says since when, or in which period',
  )

const OF_A_THING = /birth|born|hire|since|regist|join|creat|open|updat|member|enrol|found|start|borja|anstall|sedan/
/** The day somebody was hired or born is the time of nothing else that is asked of them. */
const BEGAN_WORK =
  /^(?:borja|anstall|hire|hiring|birth|born|fodel)(?!.*\b(?:t o m|tom|till|slut\p{L}*|until|to|end)\b)/u
/** Of who is employed, their names say nothing: "anställda", "employees". */
const SAYS_BEGAN =
  /borja|anstall(?!d(?:a|as)?\b)|\b(?:blev|blivit|bli) anstalld|start|hire|hiring|join|\b(?:ny|nya|new|how long|hur lange)\b|fod|born|birth|\bold(?:er|est)?\b|\b(?:over|under) \d+ ?$|young|aldre|yngre|rekryt|employ(?!ee|er)|since|sedan/
/** Lines have no day but that of what they belong to. */
const isDayOfLines = ({ home, schema }: Context, dataset: string): boolean =>
  isOfLines(home) && home.columns.every(({ isDate }) => !isDate) && schema.path(home.id, dataset)?.length === 1
/** When something happened is a day of what is counted, or of what it points at; the day a person was hired is not. */
export const checkTimeColumns: Check = ({ context, plan }) => {
  const named = new Set(
    context.encoded.mentions.flatMap(({ matches }) =>
      matches.flatMap(({ ref }) => (ref.kind === 'column' ? [`${ref.dataset}.${ref.column}`] : [])),
    ),
  )
  const timed = [
    ...(plan.period ? [plan.period.field] : []),
    ...plan.dimensions.flatMap(({ field, grain, part }) => (grain === undefined && part === undefined ? [] : [field])),
    ...conditionsOf(plan).flatMap(({ column, condition }) =>
      condition.op !== 'empty' &&
      condition.op !== 'notEmpty' &&
      context.schema.column(column.dataset, column.column)?.isDate === true
        ? [column]
        : [],
    ),
  ]
  return timed.flatMap((field) => {
    const column = context.schema.column(field.dataset, field.column)
    if (!isThingSaid(context, field.dataset) && !named.has(fieldKey(field)) && !isDayOfLines(context, field.dataset))
      return [`${context.schema.dataset(field.dataset)?.source.name ?? ''} was not named`]
    // Of rows that are there or missing, and are named, the day is their own.
    const isOfThese = plan.filters.some(
      (filter) =>
        isExistsFilter(filter) &&
        filter.dataset === field.dataset &&
        (filter.kind === 'notExists' || context.named.has(field.dataset)),
    )
    const isFar = field.dataset !== context.home.id && !named.has(fieldKey(field)) && !isOfThese
    const label = column?.words.join(' ') ?? ''
    const isOnlyBeginning =
      field.dataset === context.home.id && BEGAN_WORK.test(label) && !SAYS_BEGAN.test(context.words)
    return when(
      (isFar && OF_A_THING.test(label) && !isDayOfLines(context, field.dataset)) || isOnlyBeginning,
      `${column?.source.label ?? ''} is a day of something else`,
    )
  })
}
