import { when, type Check } from './account'
import { conditionsOf, fieldKey } from '../score/plan-facts'
import { isOfDays } from '../plan/splits'
import { deniedBy } from '../language/antonyms'
import { foldText } from '../../../../shared/bot/fold-text'
import { isExistsFilter, type QueryPlan } from '../../../../shared/query/plan'

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

const NEGATIONS =
  /(?<=^| )(?:not|never|without|except|excluding|lacking|lacks?|exclude|excluded|apart from|other than|besides|no|none|zero|neither|nor|isnt|arent|wasnt|werent|hasnt|havent|didnt|doesnt|dont|empty|missing|blank|null|unknown|nobody|noone|no one|ingen|inga|inget|inte|aldrig|saknar|saknas|utan|ej|utom|forutom|tom|tomma)(?= |$)/g
/** "No later than", "not including today", "not only": these deny nothing. */
const DENIES_NOTHING =
  /\b(?:no|not) (?:more|less|fewer|later|earlier|greater|higher|lower) than\b|\bnot (?:including|only|counting)\b|\b(?:whether or|or) not\b|\bno matter\b|\bif not\b|\b(?:not|inte) (?:empty|null|missing|blank|unknown|none|zero|tom|tomma)\b|\b(?:including|even if|even|include)\b[^.]*\b(?:no|none|zero)\b/g

/** Every negation is one negative condition, and no condition is negative that nobody denied. */
export const checkNegations: Check = ({ source, facts, plan, context }) => {
  const said = count(source.replaceAll(DENIES_NOTHING, ' '), NEGATIONS)
  const dateWords = /[(,] ?(?:excluding|not including|exclusive)/.test(source) ? 1 : 0
  // "Not paid" of what is called `Unpaid`.
  const opposites = facts.texts.filter((text) => deniedBy(foldText(text)) !== undefined).length
  // What a term itself leaves out was denied by whoever defined it.
  const ofTerms = [...context.encoded.defined.values()].reduce(
    (sum, defined) => sum + (defined.kind === 'plan' ? count(JSON.stringify(defined.measure), /"op":"empty"/g) : 0),
    0,
  )
  const negative = Math.max(0, facts.negatives - ofTerms)
  if (
    negative > 0 &&
    said === 0 &&
    !/\b(?:un\w+|ended|open ended|outstanding|pending|nej|only|still|current|currently|active|open|ongoing|running|pagaende|overdue|forfallna|left|now|nu|aktiva?|oppna|nuvarande|fortfarande|kvar|narvarande|valid|effective|force|giltiga?|gallande|gallde|dagslaget|first|forsta)\b/.test(
      source,
    )
  )
    return ['nobody denied anything']
  if (
    said > negative + dateWords &&
    !(said > 0 && facts.zeroes + negative + opposites >= said) &&
    plan.period === undefined
  )
    return ['something denied is asked for']
  return []
}

/** "Women and men": beside a value stands another one, which nothing of the plan says. */
export const checkSecondValues: Check = ({ source, context: { encoded } }) =>
  [...source.matchAll(/<v\d+> (?:and|or|och|eller) (\p{L}{3,})(?= ?(?:$|[?.,]))/gu)].flatMap(([, word = '']) =>
    when(!encoded.dateWords.includes(word), `“${word}” is not read`),
  )

const NUMBER = /(?<=^| )\d+(?:\.\d+)?(?= |$)/g
/** Every number of the question stands in the plan. */
export const checkNumbers: Check = ({ source, facts }) =>
  [...source.matchAll(NUMBER)].flatMap(([text]) =>
    when(
      !facts.numbers.has(Number(text)) &&
        Number(text) !== 0 &&
        !isOfWording(source, text) &&
        !isAnyOf(facts, Number(text)),
      `${text} is not used`,
    ),
  )
/** "At least one claim": that there is any. */
const isAnyOf = ({ text }: { text: string }, value: number): boolean => value === 1 && text.includes('"kind":"exists"')
/** "Rounded to 2 decimals", "(Saturday = 6)": how it is written, which asks for nothing. */
const isOfWording = (source: string, text: string): boolean =>
  new RegExp(
    `\\b(?:decimals?|rounded|round|truncate|times|digits|multiplied by|[*])\\b[^.]{0,20}\\b${text}\\b|\\b${text} (?:decimals?|digits|%|percent)\\b|\\b(?:silent|tystnat) ${text}\\b`,
  ).test(source)

const COMPARED =
  /(?<=^| )(?<not>not |no )?(?<way>(?:more|greater|higher|larger|bigger|longer|older|later|heavier|taller) than|over|above|exceeding|exceeds|exceed|mer an|fler an|storre an|hogre an|langre an|(?:less|fewer|lower|smaller|shorter|younger|lighter|cheaper) than|under|below|mindre an|farre an|lagre an|kortare an|at least|at most|minst|hogst) (?:kr |sek |usd )?(?<value>\d+(?:\.\d+)?)(?= |$)/g
/** A number that is compared stands in the plan, compared the same way. */
export const checkComparisons: Check = ({ source, facts, plan }) =>
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
    const isLimit = ((isLeast || isMost) && plan.limit === value) || (isLeast && isAnyOf(facts, value))
    return when(!found && !isLimit, `“${way} ${value}” is not compared so`)
  })
const isOff = (each: { value: number }, value: number): boolean => each.value !== value

const COMPARED_WITH_FIGURE =
  /\b(?:above|below|over|under|than|exceeds?|exceeding|(?:mer|mindre|fler|farre|hogre|lagre|storre) an) (?:the |its |their |our |det |den )?(?:overall |total |global )?(?:average|avg|mean|median|genomsnittet|snittet|medelvardet|sum|total|maximum|minimum)\b/
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
    /\b(?:more|fewer|less|higher|lower|larger|smaller|older|younger|longer|fler|mer|farre|mindre|hogre|lagre|langre) (?:<[mq]\d+> )?(?:(?:per|each|for each|i snitt per) <m\d+> )?(?:than|an) (?:the |their |its |any |all |other )*<[mv]\d+>/,
    'a comparison of two things',
  ],
  [/\bsame \w+ as\b|\bas (?:many|much|often) as\b/, 'a comparison of two things'],
  [/\b(?:average|avg|mean|genomsnittliga?) <d\d+>/, 'an average of days, weeks or months'],
  [/\bwithin \d+ (?:days?|hours?|weeks?|months?)\b/, 'a span between two days'],
  [/\bfor the first time\b|\bforsta gangen\b/, 'what happens first'],
]
const isComparedWithAll = (why: string, text: string): boolean =>
  why === 'a comparison with a figure' && text.includes('"kind":"whole"')
/** Rows of each kind are there, or two columns say both. */
function areBoth(plan: QueryPlan): boolean {
  const existing = plan.filters.flatMap((filter) => (isExistsFilter(filter) ? [filter.dataset] : []))
  const columns = new Set(conditionsOf(plan).map(({ column }) => fieldKey(column)))
  return new Set(existing).size < existing.length || columns.size > 1
}
export const checkUnsupported: Check = ({ source, facts, context, plan }) =>
  UNSUPPORTED.flatMap(([pattern, why]) =>
    when(
      pattern.test(source) &&
        !isComparedWithAll(why, facts.text) &&
        !(why === 'a place in a ranking' && plan.offset !== undefined) &&
        !(why === 'both of two conditions' && areBoth(plan)) &&
        !(why === 'a comparison of two things' && facts.text.includes('"op":"column"')) &&
        !(
          why === 'an average of days, weeks or months' &&
          (facts.isGrouped || context.encoded.dates.some((_, at) => isOfDays(context, at)))
        ),
      `${why} cannot be asked`,
    ),
  )

const MOST =
  /(?<=^| )(?:most|highest|largest|biggest|greatest|best|maximum|max|top|tallest|heaviest|longest|priciest|costliest|flest|mest|oftast|hogst|hogsta|storst|storsta|langsta|basta|tyngsta|dyrast|dyraste)(?= |$)/
const LEAST =
  /(?<=^| )(?:least|lowest|smallest|fewest|worst|minimum|min|shortest|lightest|bottom|cheapest|minst|minsta|lagst|lagsta|kortast|kortaste|billigast|billigaste|farst)(?= |$)/
const FIRST_LAST =
  /(?<=^| )(?:oldest|youngest|newest|latest|earliest|recent|first|last|most recent|aldst|aldsta|yngst|yngsta|senaste|tidigaste|nyaste)(?= <|$)/
const SORTED =
  /\b(?:order|ordered|sort|sorted|rank|ranked|arrange|descending|ascending|sorterat|first|forst|to (?:the )?(?:lowest|highest|least|most|smallest|largest|worst|best))\b/
const withoutBounds = (source: string): string =>
  source.replaceAll(/\bat (?:least|most)\b|\b(?:minst|hogst) \d+|\b(?:most recent|the most part)\b/g, ' ')

/** A superlative is a ranking that cuts, or the largest or smallest value; towards the end that was said. */
export const checkSuperlatives: Check = ({ source, plan, facts }) => {
  const text = withoutBounds(source)
  const [most, least] = [MOST.test(text), LEAST.test(text)]
  const isFirstDone = facts.text.includes('"kind":"notExists"') && plan.limit === undefined
  const isFirst = FIRST_LAST.test(text) && /^(?:which|who|what|vilken|vem|show|list|find|give)/.test(text)
  if (!most && !least && (isFirstDone || !isFirst)) return []
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
export const checkCuts: Check = ({ source, plan }) => {
  if (plan.limit === undefined) return []
  const text = withoutBounds(source)
  const isSaid = new RegExp(`(?:^| )${plan.limit}(?: |$)`).test(text)
  const isRanked =
    MOST.test(text) ||
    LEAST.test(text) ||
    FIRST_LAST.test(text) ||
    /\b(?:most|top|best|est)\b|\w+est\b|\w+aste\b|first|last/.test(text)
  const isNewest = /\b(?:most recent|most recently|senaste|senast|sist|forst|tidigast)\b/.test(source)
  return when(!isSaid && !(plan.limit === 1 && (isRanked || isNewest)), 'nobody said how many')
}

const SPLIT =
  /(?<=^| )(?:per|by|each|every|across|among|for all|breakdown|split|grouped|distribution|distributed|varje|efter|fordelat|uppdelat|respective|their|its|top|bottom|which|who|whose|what are|list|show|return|give|display|provide|include|find|get|topp|vilka|vilken|vilket|vem|visa|lista|with|along|most|least|compare|compared|versus|vs|against|jamfort|mot|kontra|trend)(?= |$)|<m\d+> (?:and|och) (?:the |their )?(?:number|count|total|average|antal|antalet|how many)/
/** A figure is broken down only where somebody asked for it. */
export const checkBreakdowns: Check = ({ source, plan, context }) => {
  const named = plan.dimensions.filter(({ grain, part }) => grain === undefined && part === undefined)
  const isOfKind = plan.kind === 'aggregate' && /(?<=^| )(?:per|each|every|varje) <v\d+>/.test(source)
  if (isOfKind && plan.dimensions.length === 0) return ['nothing is broken down by it']
  if (plan.kind === 'rows' || plan.measures.length === 0 || named.length === 0) return []
  const [main = ''] = source.split(/ [.?] /)
  const isFigure =
    /^(?:how many|how much|hur manga|hur mycket|what (?:is|was) the (?:total|number|average|share|percentage)|(?:what|which) (?:share|percentage|proportion)|hur stor andel)\b/.test(
      main,
    )
  const asksSplit =
    context.encoded.dates.some(({ kind }) => kind === 'grain' || kind === 'datePart') ||
    /(?<=^| )(?:per|by|each|every|across|among|varje|efter|fordelat|for different|respective|split|grouped|versus|vs|compared|jamfort|between|and)(?= |$)|\b(?:return|show|list|visa)\b/.test(
      source,
    )
  return [
    ...when(isFigure && !asksSplit, 'nobody asked for a breakdown'),
    ...when(!isFigure && !asksSplit && !SPLIT.test(source) && !/^<m\d+>/.test(source), 'nobody asked for a breakdown'),
  ]
}
