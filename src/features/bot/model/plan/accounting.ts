import type { Context } from './context'
import type { Doubt } from './coverage'
import { conditionsOf, factsOf, fieldKey, type PlanFacts } from './plan-facts'
import type { Field } from '../../../../shared/query/field'
import { isVerb, numberIn } from '../parse/encoded'
import type { QueryPlan } from '../../../../shared/query/plan'

/**
 * Holds a plan against the question it is to answer, knowing nothing of how it was made: what of the words has no part
 * of the plan, and what of the plan no words ask for. One of these is enough for the question to be asked back.
 */
export function accountDoubts(context: Context, plan: QueryPlan): Doubt[] {
  const { source } = context.encoded
  const account: Account = { context, plan, source, facts: factsOf(plan) }
  return CHECKS.flatMap((check) => check(account)).map((why) => ({ factor: UNACCOUNTED, why }))
}
const UNACCOUNTED = 0.7

interface Account {
  context: Context
  plan: QueryPlan
  /** The question with marks for what is known, before any rule has read it. */
  source: string
  facts: PlanFacts
}
type Check = (account: Account) => string[]
const when = (isSo: boolean, why: string): string[] => (isSo ? [why] : [])
const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

const NEGATIONS =
  /(?<=^| )(?:not|never|without|except|excluding|lacking|lacks?|exclude|excluded|apart from|other than|besides|no|none|zero|neither|nor|isnt|arent|wasnt|werent|hasnt|havent|didnt|doesnt|dont|empty|missing|blank|null|unknown|ingen|inga|inget|inte|aldrig|saknar|saknas|utan|ej|utom|forutom|tom|tomma)(?= |$)/g
/** "No later than", "not including today", "not only": these deny nothing. */
const DENIES_NOTHING =
  /\b(?:no|not) (?:more|less|fewer|later|earlier|greater|higher|lower) than\b|\bnot (?:including|only|counting)\b|\b(?:whether or|or) not\b|\bno matter\b|\bif not\b|\b(?:not|inte) (?:empty|null|missing|blank|unknown|none|zero|tom|tomma)\b|\b(?:including|even if|even|include)\b[^.]*\b(?:no|none|zero)\b/g

/** Every negation is one negative condition, and no condition is negative that nobody denied. */
const negations: Check = ({ source, facts, plan }) => {
  const said = count(source.replaceAll(DENIES_NOTHING, ' '), NEGATIONS)
  const dateWords = /[(,] ?(?:excluding|not including|exclusive)/.test(source) ? 1 : 0
  const negative = facts.negatives
  if (negative > 0 && said === 0 && !/\b(?:un\w+|ended|open ended|outstanding|pending|nej|only)\b/.test(source))
    return ['nobody denied anything']
  if (said > negative + dateWords && !(said > 0 && facts.zeroes + negative >= said) && plan.period === undefined)
    return ['something denied is asked for']
  return []
}

const NUMBER = /(?<=^| )\d+(?:\.\d+)?(?= |$)/g
/** Every number of the question stands in the plan. */
const numbers: Check = ({ source, facts }) =>
  [...source.matchAll(NUMBER)].flatMap(([text]) =>
    when(!facts.numbers.has(Number(text)) && Number(text) !== 0 && !isOfWording(source, text), `${text} is not used`),
  )
/** "Rounded to 2 decimals", "(Saturday = 6)": how it is written, which asks for nothing. */
const isOfWording = (source: string, text: string): boolean =>
  new RegExp(
    `\\b(?:decimals?|rounded|round|truncate|times|digits|multiplied by|[*])\\b[^.]{0,20}\\b${text}\\b|\\b${text} (?:decimals?|digits|%|percent)\\b`,
  ).test(source)

const COMPARED =
  /(?<=^| )(?<not>not |no )?(?<way>(?:more|greater|higher|larger|bigger|longer|older|later|heavier|taller) than|over|above|exceeding|exceeds|exceed|mer an|fler an|storre an|hogre an|langre an|(?:less|fewer|lower|smaller|shorter|younger|lighter|cheaper) than|under|below|mindre an|farre an|lagre an|kortare an|at least|at most|minst|hogst) (?:kr |sek |usd )?(?<value>\d+(?:\.\d+)?)(?= |$)/g
/** A number that is compared stands in the plan, compared the same way. */
const comparisons: Check = ({ source, facts, plan }) =>
  [...source.matchAll(COMPARED)].flatMap(({ groups = {} }) => {
    const way = groups['way'] ?? ''
    const isMore =
      /^(?:more|greater|higher|larger|bigger|longer|older|later|heavier|taller|over|above|exceed|mer|fler|storre|hogre|langre)/.test(
        way,
      )
    const isLeast = /^(?:at least|minst)/.test(way)
    const isMost = /^(?:at most|hogst)/.test(way)
    const isTurned = groups['not'] !== undefined
    const wanted = isLeast ? ['ge', 'gt'] : isMost ? ['le', 'lt'] : isMore !== isTurned ? ['gt', 'ge'] : ['lt', 'le']
    const exact = isLeast ? 'ge' : isMost ? 'le' : isTurned ? (isMore ? 'le' : 'ge') : isMore ? 'gt' : 'lt'
    const value = Number(groups['value'])
    const found = facts.comparisons.some(
      (each) => each.value === value && (each.op === exact || (isOff(each, value) && wanted.includes(each.op))),
    )
    const isLimit = (isLeast || isMost) && plan.limit === value
    return when(!found && !isLimit, `“${way} ${value}” is not compared so`)
  })
const isOff = (each: { value: number }, value: number): boolean => each.value !== value

const COMPARED_WITH_FIGURE =
  /\b(?:above|below|over|under|than|exceeds?|exceeding|an) (?:the |its |their |our |det |den )?(?:overall |total |global )?(?:average|avg|mean|median|genomsnittet|snittet|medelvardet|sum|total|maximum|minimum)\b/
const ORDINAL =
  /(?<=^| )(?:second|third|fourth|fifth|2nd|3rd|4th|nast|andra|tredje)[ -](?:\w+[ -])?(?:most|highest|largest|lowest|smallest|best|worst|oldest|youngest|longest|storsta|hogsta|lagsta|basta)\b/
const UNSUPPORTED: readonly [RegExp, string][] = [
  [COMPARED_WITH_FIGURE, 'a comparison with a figure'],
  [ORDINAL, 'a place in a ranking'],
  [/\bconsecutive|in a row\b|\bi rad\b/, 'what follows each other'],
  [/(?<=^| )(?:both|bade)(?= )/, 'both of two conditions'],
  [
    /\b(?:standard deviation|variance|correlation|percentile|quartile|mode of|standardavvikelse|korrelation)\b/,
    'a statistic',
  ],
  [
    /\b(?:only|exclusively|solely|enbart|endast) (?:in |for |from |one |a |an |by )*<[vm]\d+>|<[vm]\d+> (?:only|exclusively|solely|enbart)\b/,
    'only',
  ],
  [
    /\b(?:more|fewer|less|higher|lower|larger|smaller|older|younger|longer) (?:<[mq]\d+> )?than (?:the |their |its |any |all |other )*<[mv]\d+>/,
    'a comparison of two things',
  ],
  [/\bsame \w+ as\b|\bas (?:many|much|often) as\b/, 'a comparison of two things'],
  [/\b(?:average|avg|mean|genomsnittliga?) <d\d+>/, 'an average of days, weeks or months'],
  [/\bwithin \d+ (?:days?|hours?|weeks?|months?)\b/, 'a span between two days'],
  [/\bfor the first time\b|\bforsta gangen\b/, 'what happens first'],
]
const unsupported: Check = ({ source, facts }) =>
  UNSUPPORTED.flatMap(([pattern, why]) =>
    when(
      pattern.test(source) && !(why === 'a comparison of two things' && facts.text.includes('"op":"column"')),
      `${why} cannot be asked`,
    ),
  )

const MOST =
  /(?<=^| )(?:most|highest|largest|biggest|greatest|best|maximum|max|top|tallest|heaviest|longest|priciest|costliest|flest|mest|hogst|hogsta|storst|storsta|langsta|basta|tyngsta)(?= |$)/
const LEAST =
  /(?<=^| )(?:least|lowest|smallest|fewest|worst|minimum|min|shortest|lightest|bottom|cheapest|minst|minsta|lagst|lagsta|kortast|kortaste|billigast|billigaste|farst)(?= |$)/
const FIRST_LAST =
  /(?<=^| )(?:oldest|youngest|newest|latest|earliest|recent|first|last|most recent|aldst|aldsta|yngst|yngsta|senaste|tidigaste|nyaste)(?= <|$)/
const SORTED =
  /\b(?:order|ordered|sort|sorted|rank|ranked|arrange|descending|ascending|sorterat|first|to (?:the )?(?:lowest|highest|least|most|smallest|largest|worst|best))\b/
const withoutBounds = (source: string): string =>
  source.replaceAll(/\bat (?:least|most)\b|\b(?:minst|hogst) \d+|\b(?:most recent|the most part)\b/g, ' ')

/** A superlative is a ranking that cuts, or the largest or smallest value; towards the end that was said. */
const superlatives: Check = ({ source, plan, facts }) => {
  const text = withoutBounds(source)
  const [most, least] = [MOST.test(text), LEAST.test(text)]
  if (!most && !least && !(FIRST_LAST.test(text) && /^(?:which|who|what|vilken|vem|show|list|find|give)/.test(text)))
    return []
  const isSorted = SORTED.test(text)
  const isRanked =
    plan.limit !== undefined && (plan.sort?.length ?? 0) > 0 && (plan.kind === 'rows' || plan.dimensions.length > 0)
  if (!isRanked && !facts.isExtreme && !(isSorted && (plan.sort?.length ?? 0) > 0) && !isMany(text, plan))
    return ['nothing is ranked']
  if (most !== least && isRanked && !isSorted && !facts.isExtreme) {
    const dir = plan.sort?.[0]?.dir
    if (dir !== (most ? 'desc' : 'asc')) return ['it is ranked the other way round']
  }
  return []
}
/** "Which streets have the most": several, in their order. */
const isMany = (text: string, plan: QueryPlan): boolean =>
  /^(?:which|what|list|show|vilka) <m\d+>/.test(text) && (plan.sort?.length ?? 0) > 0
/** A limit is a number that was said, or a superlative. */
const cuts: Check = ({ source, plan }) => {
  if (plan.limit === undefined) return []
  const text = withoutBounds(source)
  const isSaid = new RegExp(`(?:^| )${plan.limit}(?: |$)`).test(text)
  const isRanked =
    MOST.test(text) ||
    LEAST.test(text) ||
    FIRST_LAST.test(text) ||
    /\b(?:most|top|best|est)\b|\w+est\b|\baste\b|first|last/.test(text)
  return when(!isSaid && !(plan.limit === 1 && isRanked), 'nobody said how many')
}

const SPLIT =
  /(?<=^| )(?:per|by|each|every|across|among|for all|breakdown|split|grouped|distribution|distributed|varje|efter|fordelat|uppdelat|respective|their|its|top|bottom|which|who|whose|what are|list|show|return|give|display|provide|include|find|get|topp|vilka|vilken|vilket|vem|visa|lista|with|along|most|least|compare|trend)(?= |$)|<m\d+> (?:and|och) (?:the |their )?(?:number|count|total|average|antal|antalet|how many)/
/** A figure is broken down only where somebody asked for it. */
const breakdowns: Check = ({ source, plan, context }) => {
  const named = plan.dimensions.filter(({ grain, part }) => grain === undefined && part === undefined)
  if (plan.kind === 'rows' || plan.measures.length === 0 || named.length === 0) return []
  const [main = ''] = source.split(/ [.?] /)
  const isFigure =
    /^(?:how many|how much|hur manga|hur mycket|what (?:is|was) the (?:total|number|average|share|percentage))\b/.test(
      main,
    )
  const asksSplit =
    context.encoded.dates.some(({ kind }) => kind === 'grain' || kind === 'datePart') ||
    /(?<=^| )(?:per|by|each|every|across|among|varje|efter|fordelat|for different|respective|split|grouped|and)(?= |$)|\b(?:return|show|list|visa)\b/.test(
      source,
    )
  return [
    ...when(isFigure && !asksSplit, 'nobody asked for a breakdown'),
    ...when(!isFigure && !asksSplit && !SPLIT.test(source) && !/^<m\d+>/.test(source), 'nobody asked for a breakdown'),
  ]
}

/** What a plan breaks down, lists or adds up is named by the question. */
const names: Check = ({ context, plan, facts }) => {
  const known = namedFields(context)
  const listed = [
    ...plan.dimensions.filter(({ grain, part }) => grain === undefined && part === undefined).map(({ field }) => field),
    ...(plan.columns ?? []),
  ]
  return [...listed, ...facts.measured].flatMap((field) => {
    const column = context.schema.column(field.dataset, field.column)
    if (!column || known.columns.has(fieldKey(field))) return []
    const stands =
      (column.isKey || column.isName || isNameOf(context, field)) &&
      (known.datasets.has(field.dataset) || known.isPerson || pointsAtNamed(context, field, known.datasets))
    const isCount = column.words.some((word) => COUNTING.test(word)) && known.datasets.has(field.dataset)
    const isDefault = facts.measured.includes(field) && (column.isMoney || column.isDate || column.isKey || isCount)
    const isTime = context.encoded.dates.length > 0 && column.words.some((word) => TIME.test(word))
    const isRanking = context.ask.rank?.adjective != null
    return when(!stands && !isDefault && !isTime && !isRanking, `${column.source.label} was not named`)
  })
}
const COUNTING = /^(?:count|counts|antal|cnt|num|quantity|qty)$/
const TIME = /^(?:day|date|week|weekday|month|quarter|year|time|hour|dag|datum|vecka|veckodag|manad|kvartal|ar)$/
const isNameOf = ({ schema }: Context, field: { dataset: string; column: string }): boolean => {
  const table = schema.dataset(field.dataset)
  const column = table?.columns.find(({ key }) => key === field.column)
  return (
    column?.isText === true &&
    (column.words.some((word) => /name|title|namn|titel/.test(word)) ||
      table?.words.some((word) => column.words.includes(word) || column.words.includes(word.replace(/s$/, ''))) ===
        true)
  )
}
const pointsAtNamed = (
  { schema }: Context,
  field: { dataset: string; column: string },
  datasets: ReadonlySet<string>,
): boolean =>
  schema.vocabulary.relations.some(
    ({ from, to }) => from.dataset === field.dataset && from.key === field.column && datasets.has(to.dataset),
  )

const NEAR_BEST = 0.8
/** Columns and tables that words of the question may mean. */
function namedFields(context: Context): {
  columns: ReadonlySet<string>
  datasets: ReadonlySet<string>
  isPerson: boolean
} {
  const columns = new Set<string>()
  const datasets = new Set<string>()
  for (const { matches } of context.encoded.mentions) {
    const best = matches[0]?.score ?? 0
    const isTable = matches[0]?.ref.kind === 'dataset'
    for (const { ref, score } of matches) {
      if (ref.kind === 'dataset') datasets.add(ref.dataset)
      // What names a table by its whole name names no column by a part of its heading.
      if (ref.kind === 'column' && score >= best * (isTable && best >= 0.97 ? 0.96 : NEAR_BEST))
        columns.add(`${ref.dataset}.${ref.column}`)
      if (ref.kind === 'term' || ref.kind === 'metric' || ref.kind === 'grouping' || ref.kind === 'group')
        for (const table of context.schema.datasets)
          for (const { dataset, key } of table.columns) columns.add(`${dataset}.${key}`)
    }
  }
  // A key that is named stands for the thing that it points at.
  for (const { from, to } of context.schema.vocabulary.relations)
    if (columns.has(`${from.dataset}.${from.key}`)) datasets.add(to.dataset)
  for (const { matches } of context.encoded.values) for (const { dataset } of matches) datasets.add(dataset)
  return {
    columns,
    datasets,
    isPerson: /(?:^| )(?:who|whose|vem|vems|person|people)(?: |$)/.test(context.encoded.source),
  }
}

/** "Who" and "which" want names, not only a figure. */
const subjects: Check = ({ source, plan, facts }) => {
  const asks =
    /^(?:which|who|whose|vilken|vilka|vilket|vem) /.test(source) &&
    !/^(?:which|vilken|vilket|vilka) <d\d+>/.test(source)
  return when(asks && plan.kind === 'aggregate' && plan.dimensions.length === 0 && !facts.isExtreme, 'nothing is named')
}

/** A limit of a figure picks groups: where there is one figure only, it picks nothing. */
const limits: Check = ({ plan }) =>
  when((plan.having?.length ?? 0) > 0 && plan.dimensions.length === 0, 'a limit of a single figure')
/** "When" wants a day. */
const moments: Check = ({ source, plan, facts, context }) => {
  const isDated = [...facts.measured, ...(plan.columns ?? []), ...plan.dimensions.map(({ field }) => field)].some(
    ({ dataset, column }) => context.schema.column(dataset, column)?.isDate === true,
  )
  return when(/^(?:when|nar)\b/.test(source) && !isDated, 'no day is asked for')
}

const SHARE = /(?<=^| )(?:percent|percentage|share|proportion|fraction|procent|andel|andelen)(?= |$)/
/** A share is a part of the rows over all of them: only its upper half has the condition. */
const shares: Check = ({ source, plan, facts }) => {
  if (!SHARE.test(source.replaceAll(/<[mv]\d+>/g, ' '))) return []
  return when(
    plan.measures.every(({ kind }) => kind !== 'ratio' && kind !== 'calc') && !/"percent"/.test(facts.text),
    'no share is asked for',
  )
}

const PREDICATE =
  /(?<=<m\d+> )(?:were|was|are|is|have been|has been|had been|got|get|have|has|did|being|blev|har|ar) (?:not |never |already |ever |yet |inte |aldrig )?(?<verb>[a-z]{3,}(?:ed|en|t|ts|ts|ade|ats|its|wn|ld|id|de))(?= |$)/g
const EXISTING =
  /^(?:there|between|often|about|recorded|registered|made|placed|found|located|listed|reported|available|existing|based|done|given|taken|held|left|present|different|distinct|called|named|received|that|most|written|used|associated|related|issued|created|added|entered|submitted|filed|performed|booked|registrerats|gjorts|finns|rapporterat|rapporterats|lagts|funnits|part|got|set|short|great|gett|fatt|varit|haft|published|posted|prescribed|written|sent|ordered|opened|signed|hired|enrolled|ingen|inget|born|one|two|at|not|located|situated|owned|given|granted|happened|occurred|seen|visited|treated|taught|offered|served)$/
/** What was done to the things asked for is a condition: a column, value or table has to say it. */
const predicates: Check = ({ source, context, facts }) =>
  [...source.matchAll(PREDICATE)].flatMap(({ groups = {} }) => {
    const verb = groups['verb'] ?? ''
    return when(!EXISTING.test(verb) && !isTold(context, facts, verb), `“${verb}” is not asked for`)
  })
/** Whether a column or table of the plan is called after a verb: "shipped" by `ship_date`, "ordered" by `orders`. */
function isTold({ schema }: Context, facts: PlanFacts, verb: string): boolean {
  const stem = (VERB_STEMS[verb] ?? verb).replace(/(?:ted|ed|en|ts|t|ade|ats|its)$/, '').slice(0, 5)
  const words = [
    ...facts.datasets.flatMap((id) => schema.dataset(id)?.words ?? []),
    ...facts.fields.flatMap(({ dataset, column }) => schema.column(dataset, column)?.words ?? []),
    ...facts.texts,
  ]
  return words.some((word) => word.toLowerCase().startsWith(stem))
}
const VERB_STEMS: Readonly<Record<string, string>> = {
  sold: 'sale',
  paid: 'pay',
  bought: 'purch',
  sent: 'send',
  salts: 'forsalj',
  kopt: 'kop',
  betalats: 'betal',
}

/** Every value that stands beside the others with "or" is an alternative in the plan. */
const alternatives: Check = ({ source, facts }) =>
  when(/<v\d+>[^.?]* (?:or|eller) [^.?]*<v\d+>/.test(source) && !facts.hasAlternatives, '“or” is not asked for')

const GRADES =
  /(?<=^| )(?:good|bad|popular|common|frequent|frequently|often|next|previous|prior|running|cumulative|successfully|successful|currently|recently|usually|busiest|busy|loyal|repeat|returning|active|inactive|new|old|young)(?= |$)/g
/** Words of degree that no rule knows and that a plan says by a ranking or a value only. */
const grades: Check = ({ source, facts, plan, context }) =>
  [...source.matchAll(GRADES)].flatMap(([word]) =>
    when(
      !facts.texts.some((text) => text.toLowerCase().includes(word.slice(0, 6))) &&
        plan.limit === undefined &&
        !/"compare":"(?:previous|year)"/.test(facts.text) &&
        context.encoded.dates.length === 0,
      `“${word}” is not asked for`,
    ),
  )

const UNITS =
  /\bin (?:(?<small>cents|ore|thousands|millions|billions|tusental|miljoner)|(?<time>minutes|hours|days|weeks|months|years|seconds|minuter|timmar|dagar|sekunder)|(?<money>dollars|usd|eur|euros?|sek|kronor|gbp|pounds))\b/
/** A unit that figures are wanted in is the one they have, or one the plan reckons in. */
const units: Check = ({ source, facts, context }) => {
  const found = UNITS.exec(source)?.groups
  if (!found) return []
  const labels = facts.fields
    .map(({ dataset, column }) => context.schema.column(dataset, column)?.words.join(' ') ?? '')
    .join(' ')
  if (found['small'] !== undefined) return [`“${found['small']}” is not reckoned in`]
  if (found['time'] !== undefined) {
    const unit = found['time'].replace(/s$/, '')
    return when(
      !facts.text.includes(`"unit":"${unit}"`) &&
        !labels.includes(unit.slice(0, 3)) &&
        !/\b(?:last|past|next|first)\b/.test(source),
      `“${found['time']}” is not reckoned in`,
    )
  }
  return []
}

const AVERAGED = /(?<=^| )(?:average|avg|mean|genomsnitt\w*|snitt\w*|medel\w*|median\w*|typical|per|on average)(?= |$)/
/** An average is told only where one was asked for, or where adding up would say nothing. */
const averages: Check = ({ source, plan, context }) => {
  if (AVERAGED.test(source) || /<m\d+>/.test(source) === false) return []
  return plan.measures.flatMap((measure) => {
    if (measure.kind !== 'column' || measure.agg !== 'avg' || !measure.field) return []
    const column = context.schema.column(measure.field.dataset, measure.field.column)
    return when(column?.isAdditive === true, 'nobody asked for an average')
  })
}

/** Every unit of time that was said splits or limits the plan. */
const times: Check = ({ context, source, plan, facts }) => {
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
  const grains = marks.flatMap((spec) => (spec.kind === 'grain' ? [spec.grain] : []))
  const isYears = /year|ar/
  return [
    ...when(
      spans.size > 0 &&
        timed === 0 &&
        conditionsOf(plan).every(
          ({ column }) => !isYears.test(context.schema.column(column.dataset, column.column)?.words.join(' ') ?? ''),
        ),
      'a time that was said is left out',
    ),
    ...when(
      spans.size > 1 && timed < spans.size && facts.timeConditions(context) < spans.size,
      'one of several times is left out',
    ),
    ...when(
      grains.length > 0 && plan.dimensions.length === 0 && plan.kind === 'aggregate' && !facts.isGrouped,
      'a unit of time is left out',
    ),
  ]
}

/** Whether the question names a table, by its name, by a column that only it has, or by what was done: "ordered". */
function isThingSaid(context: Context, id: string): boolean {
  const { schema, named, encoded, home } = context
  const table = schema.dataset(id)
  if (!table || named.has(id) || schema.datasets.length === 1) return true
  const isMeant = encoded.mentions.some(({ matches: [best] }) => {
    if (best?.ref.kind === 'term' || best?.ref.kind === 'metric') return true
    return best?.ref.kind === 'column' && (best.ref.dataset === id || best.ref.dataset === home.id)
  })
  const isHeld = encoded.values.some(
    ({ matches }) => matches.length > 0 && matches.every(({ dataset }) => dataset === id),
  )
  const stems = table.words.map((word) => word.replace(/s$/, '').slice(0, 5)).filter((stem) => stem.length >= 4)
  // Lines that belong to what is named: an order's date is that of its lines.
  const isPointedAt = id !== home.id && named.has(home.id)
  return isMeant || isHeld || isPointedAt || stems.some((stem) => new RegExp(`(?:^| )${stem}`).test(encoded.source))
}

/** Rows that nobody named stand for what was named only where these could not answer by themselves. */
const homes: Check = ({ context, plan, facts }) => {
  const { home, schema, named } = context
  if (isThingSaid(context, home.id)) return []
  const isOf = (id: string, { dataset, column }: Field): boolean =>
    schema.path(id, dataset) !== null ||
    schema.vocabulary.relations.some(
      ({ from, to }) => from.dataset === dataset && from.key === column && to.dataset === id,
    )
  const others = [...named].filter((id) => id !== home.id && facts.fields.every((field) => isOf(id, field)))
  const isListed = plan.kind === 'aggregate' && plan.measures.length === 0
  return when(others.length > 0 && !isListed, `${home.source.name} was not named`)
}

/** "From 2021" is since then, or in that year. */
const sinces: Check = ({ context }) =>
  when(
    context.encoded.dates.some((spec) => spec.kind === 'open' && spec.to === undefined) &&
      /\bfrom (?:the )?(?:year )?(?:\d{4}|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)(?: \d{4})?(?! ?(?:on|onwards?|forward|and (?:on|later)|to|until|till|through|-|\d))\b/.test(
        context.words,
      ),
    '“from” says since when, or in which period',
  )

/** "Have been terminated": a verb that a column of days is called by is a condition on it. */
const verbs: Check = ({ context, source, facts }) =>
  context.encoded.mentions.flatMap(({ matches, words }, at) => {
    const [best] = matches
    const isPredicate =
      isVerb(context.encoded, at) &&
      new RegExp(`\\b(?:been|was|were|is|are|being|har|blev) (?:not |never |inte )?<m${at}>`).test(source)
    const isUsed = matches.some(
      ({ ref }) =>
        ref.kind === 'column' && facts.fields.some((field) => fieldKey(field) === `${ref.dataset}.${ref.column}`),
    )
    const isMissing = best?.ref.kind === 'column' && facts.text.includes(`Exists","dataset":"${best.ref.dataset}"`)
    return when(isPredicate && !isUsed && !isMissing, `“${words}” is not asked for`)
  })

const OF_A_THING = /birth|born|hire|since|regist|join|creat|open|updat|member|enrol|found|start/
/** When something happened is a day of what is counted, or of what it points at; the day a person was hired is not. */
const timeColumns: Check = ({ context, plan }) => {
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
    if (!isThingSaid(context, field.dataset) && !named.has(fieldKey(field)))
      return [`${context.schema.dataset(field.dataset)?.source.name ?? ''} was not named`]
    const isFar = field.dataset !== context.home.id && !named.has(fieldKey(field))
    const label = column?.words.join(' ') ?? ''
    return when(isFar && OF_A_THING.test(label), `${column?.source.label ?? ''} is a day of something else`)
  })
}

const CHECKS: readonly Check[] = [
  negations,
  numbers,
  comparisons,
  unsupported,
  superlatives,
  cuts,
  breakdowns,
  names,
  subjects,
  limits,
  moments,
  shares,
  predicates,
  alternatives,
  grades,
  units,
  averages,
  times,
  timeColumns,
  homes,
  sinces,
  verbs,
]
