import { isLedger } from '../schema/ledger'
import { isPeopleTable } from '../schema/people'
import { when, type Check } from './account'
import { fieldKey, type PlanFacts } from '../score/plan-facts'
import { nameColumns, personColumn } from '../plan/entities'
import type { Context } from '../plan/context'
import type { Field } from '../../../../shared/query/field'
import { isVerb } from '../parse/encoded'
import { isDeedOf, isGoneVerb } from '../conditions/deeds'
import type { QueryPlan } from '../../../../shared/query/plan'
import { saysHowLong } from '../figures/durations'
import { saysHowMany } from '../schema/quantity'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'
import { wordTable } from '../../../../lib/word-table'

/** What a plan breaks down, lists or adds up is named by the question. */
export const checkNames: Check = ({ context, plan, facts }) => {
  const known = namedFields(context)
  const listed = [
    ...plan.dimensions.filter(({ grain, part }) => grain === undefined && part === undefined).map(({ field }) => field),
    ...(plan.columns ?? []),
  ]
  return [...listed, ...facts.measured].flatMap((field) => {
    const column = context.schema.column(field.dataset, field.column)
    if (!column || known.columns.has(fieldKey(field))) return []
    const stands =
      (column.isKey || column.isName || isNameOf(context, field) || isCalledBy(context, field)) &&
      (known.datasets.has(field.dataset) || known.isPerson || pointsAtNamed(context, field, known.datasets))
    const isWho = known.isPerson && personColumn(context) === column
    const isCount = column.words.some((word) => COUNTING.test(word)) && known.datasets.has(field.dataset)
    const isDefault = facts.measured.includes(field) && (column.isMoney || column.isDate || column.isKey || isCount)
    const isLasting =
      facts.measured.includes(field) &&
      column.words.some((word) => /^(?:milliseconds?|seconds?|minutes?|hours?|days?|duration|length)$/.test(word)) &&
      /\b(?:length|duration|longest|shortest|minutes|seconds|hours|lasting|lasts?)\b/.test(context.encoded.source)
    const isTime = context.encoded.dates.length > 0 && column.words.some((word) => TIME.test(word))
    const isRanking =
      context.ask.rank?.adjective != null ||
      [...context.ask.sorts, ...context.ask.averages].some(({ adjective }) => adjective !== undefined)
    const isTold = saysAskedFigure(context, column)
    return when(
      !stands && !isDefault && !isLasting && !isTold && !isWho && !isTime && !isRanking,
      `${column.source.label} was not named`,
    )
  })
}
/** Minutes of hours that were asked for, the number of pieces that were sold. */
const saysAskedFigure = ({ encoded }: Context, column: SchemaColumn): boolean =>
  encoded.figures.some(
    ({ kind }) =>
      ((kind === 'lasting' || kind === 'span') && saysHowLong(column)) || (kind === 'pieces' && saysHowMany(column)),
  )
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
/** What its rows are called by: the text of a comment. */
const isCalledBy = ({ schema }: Context, field: Field): boolean => {
  const table = schema.dataset(field.dataset)
  return table !== undefined && nameColumns(table).some(({ key }) => key === field.column)
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
export const checkSubjects: Check = ({ source, plan, facts }) => {
  const asks =
    /^(?:which|who|whose|vilken|vilka|vilket|vem) /.test(source) &&
    !/^(?:which|vilken|vilket|vilka) <d\d+>/.test(source)
  return when(asks && plan.kind === 'aggregate' && plan.dimensions.length === 0 && !facts.isExtreme, 'nothing is named')
}

const SUBJECT =
  /^(?:which|what|who|list|show|find|return|give|get|name|vilka|vilken|vilket|lista|visa)(?: me)?(?: all)?(?: of)?(?: the| our| de| alla)? <m(\d+)>/
/** "Which customers …? Return their email": the headings of these, where other rows have such headings, too. */
export const checkOfSubject: Check = ({ source, context, facts, plan }) => {
  const mentions = context.encoded.mentions
  const said = mentions[Number(SUBJECT.exec(source)?.[1] ?? -1)]
  const [best] = said?.matches ?? []
  // "The name of the seller": the subject stands further on.
  if (best?.ref.kind !== 'dataset' || /\bnames?$/.test(said?.words ?? '')) return []
  const subject = best.ref.dataset
  const listed = [...(plan.columns ?? []), ...plan.dimensions.map(({ field }) => field)]
  return mentions.flatMap(({ matches, words }) => {
    const top = matches[0]?.score ?? 0
    const same = matches.flatMap(({ ref, score }) => (ref.kind === 'column' && score >= top * 0.98 ? [ref] : []))
    const own = same.some(({ dataset }) => dataset === subject)
    const taken = listed.some(
      ({ dataset, column }) =>
        dataset !== subject &&
        // A key that points at them is theirs, too.
        context.schema.column(dataset, column)?.isKey !== true &&
        same.some((each) => each.dataset === dataset && each.column === column),
    )
    const isOwnListed = facts.fields.some(
      ({ dataset, column }) =>
        dataset === subject && same.some((each) => each.dataset === dataset && each.column === column),
    )
    return when(own && taken && !isOwnListed, `“${words}” is that of others`)
  })
}

/** First and last names are those of one person. */
export const checkOnePerson: Check = ({ plan, context: { schema } }) => {
  const listed = [...(plan.columns ?? []), ...plan.dimensions.map(({ field }) => field)]
  const called = (pattern: RegExp): string[] =>
    listed.flatMap(({ dataset, column }) =>
      pattern.test(schema.column(dataset, column)?.words.join(' ') ?? '') ? [dataset] : [],
    )
  const firsts = called(/^(?:first ?name|fname|fornamn)$/)
  const lasts = called(/^(?:last ?name|lname|surname|efternamn)$/)
  return when(firsts.length > 0 && lasts.some((id) => !firsts.includes(id)), 'names of several people')
}

/** A limit of a figure picks groups: where there is one figure only, it picks nothing. */
export const checkLimits: Check = ({ plan }) =>
  when((plan.having?.length ?? 0) > 0 && plan.dimensions.length === 0, 'a limit of a single figure')
/** "When" wants a day. */
export const checkMoments: Check = ({ source, plan, facts, context }) => {
  const isDated = [...facts.measured, ...(plan.columns ?? []), ...plan.dimensions.map(({ field }) => field)].some(
    ({ dataset, column }) => context.schema.column(dataset, column)?.isDate === true,
  )
  return when(/^(?:when|nar)\b/.test(source) && !isDated, 'no day is asked for')
}

const VERB_END = /(?:ed|en|t|ade|at|ats|ts)$/
const plainVerb = (word: string): string => word.replace(/(?:ing|ed|s|at|ade)$/, '')
/** "Actors that appeared in films": the only rows that link what is named. */
function isOnlyLink({ schema, named }: Pick<Context, 'schema' | 'named'>, id: string): boolean {
  const targets = (of: string): ReadonlySet<string> =>
    new Set(
      schema.vocabulary.relations.flatMap(({ from, to }) =>
        from.dataset === of && named.has(to.dataset) ? [to.dataset] : [],
      ),
    )
  const links = schema.datasets.filter((each) => targets(each.id).size > 1)
  return links.length === 1 && links[0]?.id === id
}
/** "Books that were borrowed": a verb that nothing is called by means the only rows that say what was done with these. */
function isOnlyDeed({ schema, encoded, named }: Context, id: string): boolean {
  const verbs = encoded.unknown.map((word) => word.toLowerCase()).filter((word) => VERB_END.test(word))
  if (verbs.length === 0) return false
  const table = schema.dataset(id)
  if (table?.words.some((word) => verbs.some((verb) => plainVerb(verb) === plainVerb(word))) === true) return true
  if (isOnlyLink({ schema, named }, id)) return true
  const doing = schema.vocabulary.relations.flatMap(({ from, to }) => (named.has(to.dataset) ? [from.dataset] : []))
  // What was done to one thing only, by nobody who is named, may be a condition.
  const isPassive = /(?:^| )(?:is|are|was|were|been) (?:not |never )?[a-z]{3,}ed ?(?:[?.]|$)/.test(encoded.source)
  const isLikely = !isPassive || verbs.every((verb) => !/^(?:re|un|over|mis|dis)/.test(verb))
  return isLikely && doing.length > 0 && doing.every((each) => each === id)
}
/** Whether the question names a table, by its name, by a column that only it has, or by what was done: "ordered". */
export function isThingSaid(context: Context, id: string): boolean {
  const { schema, named, encoded, home } = context
  const table = schema.dataset(id)
  if (!table || named.has(id) || schema.datasets.length === 1) return true
  if (table.columns.some((column) => saysAskedFigure(context, column))) return true
  // What an account comes to is said by its postings.
  if (isLedger(table) && encoded.figures.some(({ kind }) => kind === 'amount')) return true
  const isMeant = encoded.mentions.some(({ matches: [best] }, at) => {
    // "Premiums paid": a verb, which names no payments.
    if (isVerb(encoded, at)) return false
    if (best?.ref.kind === 'term' || best?.ref.kind === 'metric') return true
    return best?.ref.kind === 'column' && (best.ref.dataset === id || best.ref.dataset === home.id)
  })
  const isHeld = encoded.values.some(
    ({ matches }) => matches.length > 0 && matches.every(({ dataset }) => dataset === id),
  )
  if (isOnlyDeed(context, id)) return true
  const stems = table.words.map((word) => word.replace(/s$/, '').slice(0, 5)).filter((stem) => stem.length >= 4)
  if (context.words.split(' ').some((word) => isDeedOf(word, table))) return true
  // Lines that belong to what is named: an order's date is that of its lines.
  const isPointedAt = id !== home.id && named.has(home.id)
  return isMeant || isHeld || isPointedAt || stems.some((stem) => new RegExp(`(?:^| )${stem}`).test(encoded.source))
}

/** Rows that nobody named stand for what was named only where these could not answer by themselves. */
export const checkHomes: Check = ({ context, plan, facts }) => {
  const { home, schema, named } = context
  if (isThingSaid(context, home.id)) return []
  const isOf = (id: string, { dataset, column }: Field): boolean =>
    schema.path(id, dataset) !== null ||
    schema.vocabulary.relations.some(
      ({ from, to }) => from.dataset === dataset && from.key === column && to.dataset === id,
    )
  // Rows of which nothing at all is used count others as often as they point at them.
  const isUnused = !facts.datasets.includes(home.id) || facts.fields.every(({ dataset }) => dataset !== home.id)
  const meant = context.encoded.mentions.flatMap(({ matches: [best] }) =>
    best?.ref.kind === 'column' && isUnused && !countsRowsOf(plan, home.id) ? [best.ref.dataset] : [],
  )
  const others = [...new Set([...named, ...meant])].filter(
    (id) => id !== home.id && facts.fields.every((field) => isOf(id, field)),
  )
  const isListed = plan.kind === 'aggregate' && plan.measures.length === 0
  return when(others.length > 0 && !isListed, `${home.source.name} was not named`)
}

const countsRowsOf = ({ measures }: QueryPlan, dataset: string): boolean =>
  measures.some(
    (measure) =>
      measure.kind === 'column' &&
      measure.agg === 'count' &&
      measure.field === undefined &&
      measure.dataset === dataset,
  )
/** "Have been terminated": a verb that a column of days is called by is a condition on it. */
export const checkVerbs: Check = ({ context, source, facts }) =>
  context.encoded.mentions.flatMap(({ matches, words }, at) => {
    const [best] = matches
    const isPredicate =
      isVerb(context.encoded, at) &&
      // "Were sent by members": who did it says of which rows.
      !new RegExp(`<m${at}> by (?:<v\\d+> )*<m`).test(source) &&
      new RegExp(`\\b(?:been|was|were|is|are|being|har|blev) (?:not |never |inte )?<m${at}>`).test(source)
    const isUsed = matches.some(
      ({ ref }) =>
        ref.kind === 'column' && facts.fields.some((field) => fieldKey(field) === `${ref.dataset}.${ref.column}`),
    )
    const isMissing = best?.ref.kind === 'column' && facts.text.includes(`Exists","dataset":"${best.ref.dataset}"`)
    return when(isPredicate && !isUsed && !isMissing, `“${words}” is not asked for`)
  })

const PREDICATE =
  /(?<=<m\d+> (?:(?:who|that|which|som) )?)(?:were|was|are|is|have been|has been|had been|got|get|have|has|did|being|blev|har|ar) (?:not |never |already |ever |yet |inte |aldrig )?(?<verb>[a-z]{3,}(?:ed|en|t|ts|ts|ade|ats|its|wn|ld|id|de))(?= |$)/g
const EXISTING =
  /^(?:there|flest|mest|storst|hogst|lagst|minst|langst|kortast|aldst|yngst|between|often|about|recorded|registered|made|placed|found|located|listed|reported|available|existing|based|done|given|taken|held|present|different|distinct|called|named|received|that|most|written|used|associated|related|issued|created|added|entered|submitted|filed|performed|booked|registrerats|gjorts|finns|rapporterat|rapporterats|lagts|funnits|part|got|set|short|great|gett|fatt|varit|haft|published|posted|prescribed|written|sent|ordered|opened|signed|hired|enrolled|ingen|inget|born|one|two|at|not|located|situated|owned|given|granted|happened|occurred|seen|visited|treated|taught|offered|served)$/
/** "The total area of lakes": of what stands behind "of", where that has such a figure of its own. */
export const checkOwners: Check = ({ source, context, facts }) =>
  [...source.matchAll(/<m(\d+)> (?:of|for|av) (?:the |all |all the |our )?<m(\d+)>/g)].flatMap((found) => {
    const [figure, thing] = [found[1], found[2]].map((at) => context.encoded.mentions[Number(at)])
    const ref = thing?.matches[0]?.ref
    if (figure?.namesNumber !== true || ref?.kind !== 'dataset') return []
    const best = figure.matches[0]?.score ?? 0
    const meant = figure.matches.flatMap((match) =>
      match.ref.kind === 'column' && match.score >= best * 0.95 ? [match.ref] : [],
    )
    const isIn = (dataset: string): boolean =>
      facts.measured.some(
        (field) =>
          field.dataset === dataset && meant.some((each) => each.dataset === dataset && each.column === field.column),
      )
    const isElsewhere = meant.some(({ dataset }) => dataset !== ref.dataset && isIn(dataset))
    return when(
      meant.some(({ dataset }) => dataset === ref.dataset) && !isIn(ref.dataset) && isElsewhere,
      `${figure.words} is another’s`,
    )
  })

/** What was done to the things asked for is a condition: a column, value or table has to say it. */
export const checkPredicates: Check = ({ source, context, facts }) =>
  [...source.matchAll(PREDICATE)].flatMap(({ groups = {} }) => {
    const verb = groups['verb'] ?? ''
    const isSilent = context.ask.silent !== null
    const isUndone =
      facts.text.includes('"kind":"notExists"') &&
      new RegExp(`(?:not|never|aldrig|inte) (?:yet |ever |been )?${verb}`).test(source)
    // "Covered by more than 3 articles": who did it is named.
    const isByNamed = new RegExp(`${verb} by (?:[a-z0-9]+ ){0,4}<[mv]`).test(source)
    const isLink =
      isUndone ||
      isByNamed ||
      facts.datasets.some((id) => isOnlyLink(context, id)) ||
      (facts.datasets.some((id) => id !== context.home.id || facts.datasets.length > 1) &&
        facts.datasets.some((id) => isOnlyDeed(context, id)))
    return when(
      !isSilent &&
        !isLink &&
        !(STANDING.test(verb) && /"op":"empty"/.test(facts.text)) &&
        !(
          /^(?:past|overdue|slut|sold|out|forfall\w*)$/.test(verb) &&
          (context.ask.overdue.length > 0 || context.ask.stock !== null)
        ) &&
        !(isGoneVerb(verb) && /"op":"(?:empty|notEmpty)"/.test(facts.text)) &&
        !EXISTING.test(verb) &&
        !isTold(context, facts, verb),
      `“${verb}” is not asked for`,
    )
  })
/** What is so until a day that is not there yet. */
const STANDING = /^(?:running|ongoing|employed|working|open|active|live|current|valid|pagaende|anstallda?)$/
/** Whether a column or table of the plan is called after a verb: "shipped" by `ship_date`, "ordered" by `orders`. */
export function isTold({ schema }: Context, facts: PlanFacts, verb: string): boolean {
  const stem = (VERB_STEMS[verb] ?? verb).replace(/(?:ted|ed|en|ts|t|ade|ats|its)$/, '').slice(0, 5)
  const words = [
    ...facts.datasets.flatMap((id) => schema.dataset(id)?.words ?? []),
    ...facts.fields.flatMap(({ dataset, column }) => schema.column(dataset, column)?.words ?? []),
    ...facts.texts,
  ]
  // "Bokat" of bookings: the root of a verb and of what it makes.
  const root = verb.replace(/(?:ades|ats|ade|at|des|ts|t)$/, '')
  const isMade = (word: string): boolean => root.length >= 3 && word.startsWith(root) && /ning(?:ar)?$/.test(word)
  return words.some((word) => word.toLowerCase().startsWith(stem) || isMade(word.toLowerCase()))
}
const VERB_STEMS: Readonly<Record<string, string>> = wordTable({
  sold: 'sale',
  paid: 'pay',
  bought: 'purch',
  sent: 'send',
  salts: 'forsalj',
  kopt: 'kop',
  betalats: 'betal',
})

const DOERS =
  /^(?!\p{L}*(?:leverant|mot|dat|sens|fakt|product|vend|supplier|order|number|custom|offer|vouch|voucher|paper|letter|member))\p{L}{3,}(?:orer|are|ister|ologer|ists?|ers|ors|eers|ians?|arer)$/u
/** Of "stylists" each has a name; of "scooters" and "printers" few have. */
const areDoers = (table: SchemaDataset): boolean =>
  table.words.some((word) => DOERS.test(word)) && nameColumns(table).some(({ isText }) => isText)
/** "Who got the most tips", where rows are of customers as well as of those who serve them. */
export const checkWho: Check = ({ context: { home, schema, words, named, encoded }, plan }) => {
  if (!/^(?:who|vem|vilka personer) /.test(words) || plan.kind !== 'aggregate') return []
  const things = schema.vocabulary.relations.flatMap(({ from, to }) =>
    from.dataset === home.id ? (schema.dataset(to.dataset) ?? []) : [],
  )
  const people = things.filter((table) => isPeopleTable(table) || areDoers(table))
  const isSaid =
    people.some(({ id }) => named.has(id)) ||
    encoded.values.some(({ matches }) => matches.some(({ dataset }) => people.some(({ id }) => id === dataset)))
  return when(people.length > 1 && !isSaid, 'who is meant')
}
