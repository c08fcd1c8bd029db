import { D, DET, isVerb, M, marksIn, numberIn, Q, refersTo, tidy, V, type Encoded } from './encoded'
import { ITEM, itemsIn, replaceMatches } from './replace-matches'
import { parseConditions } from './condition-rules'
import { parseFirsts } from './among-all-rules'
import { parseRank } from './rank-rules'
import { parseSorts } from './sort-rules'
import { parseAskedUnit } from './asked-units'
import { parseIdleUnits, parseSilent } from './silent-rules'
import { parseComparedValues } from './compared-values'
import { parseBasis, parseDated, parseInForce } from './dated-rules'
import type { QuestionParts, Item } from './ask'

/** Reads what is left of an encoded question clause by clause; every rule takes away what it has read. */
export function askOf(encoded: Encoded): QuestionParts {
  const ask: QuestionParts = {
    outputs: [],
    isExplicit: false,
    splits: [],
    rank: null,
    sorts: [],
    conditions: [],
    values: [],
    empties: [],
    averages: [],
    firsts: [],
    both: new Set(),
    beside: [],
    overdue: [],
    inForce: [],
    late: [],
    spans: [],
    stock: null,
    idle: null,
    compared: [],
    without: [],
    silent: null,
    hints: [],
    elsewhere: [],
    dates: [],
    dated: new Map(),
    wantsEmpty: false,
    isDistinct: /(?:^| )(?:distinct|unique|different|unika|olika)(?: |$)/.test(encoded.text),
    isYesNo: /^(?:is|are|was|were|do|does|did|has|have|finns) /.test(encoded.text),
    rest: '',
  }
  parseJoinTalk(encoded, ask)
  parseInForce(encoded, ask)
  parseBasis(encoded, ask)
  parseDated(encoded, ask)
  parseModifiers(encoded, ask)
  parseComparedValues(encoded, ask)
  parseSorts(encoded, ask)
  parseSilent(encoded, ask)
  parseFirsts(encoded, ask)
  parseIdleUnits(encoded, ask)
  parseWithout(encoded, ask)
  parseRank(encoded, ask)
  parseConditions(encoded, ask)
  parseAskedUnit(encoded, ask)
  parseSplits(encoded, ask)
  parseOutputs(encoded, ask)
  return ask
}

/** How tables are joined is worked out from their relations: such talk only says which tables are meant. */
function parseJoinTalk(encoded: Encoded, ask: QuestionParts): void {
  const read = (found: RegExpExecArray): string => {
    ask.hints.push(...marksIn(found[0], 'm'))
    return ' '
  }
  const list = `${M}(?:(?: ,| and| ,? and| with| to| table| tables)* ${M})*(?: tables?)?`
  replaceMatches(
    encoded,
    `(?:,? ?(?:based on|by|using|via|after|through|and) )?(?:joining|doing a|performing a|a|using a) ?(?:left |inner |outer )?(?:join(?:ing|ed)? )?(?:of |from |between |on |with )?${DET}${list}`,
    (found) => (/join/.test(found[0]) ? read(found) : null),
  )
  replaceMatches(
    encoded,
    '(?:in|from|of|within) (?:the|this|our|my) (?:database|dataset|data|system|records|collection|catalogue|catalog|register)',
    () => ' ',
  )
}

/** "car sales" are sales; "with the same name" splits by name. */
function parseModifiers(encoded: Encoded, ask: QuestionParts): void {
  const kindOf = (at: number) => encoded.mentions[at]?.matches[0]?.ref.kind
  // "How many courses does each instructor teach": the last is a verb that a table is called by.
  replaceMatches(
    encoded,
    `(?<=(?:do|does|did) (?:each |every |the |all )?)(?<one>${M}) (?<two>${M})(?= ?(?:$|[?.,]))`,
    (found) => {
      const [one, two] = [numberIn(found.groups?.['one']), numberIn(found.groups?.['two'])]
      if (kindOf(one) !== 'dataset' || kindOf(two) !== 'dataset') return null
      ask.hints.push(two)
      return found.groups?.['one'] ?? ''
    },
  )
  replaceMatches(encoded, `(?<one>${M}) (?<two>${M})`, (found) => {
    const [one, two] = [numberIn(found.groups?.['one']), numberIn(found.groups?.['two'])]
    if (kindOf(one) !== 'dataset' || kindOf(two) !== 'dataset') return null
    ask.hints.push(one)
    return found.groups?.['two'] ?? ''
  })
  replaceMatches(
    encoded,
    `(?:with|having|sharing|have|that have|share) (?:the )?(?:same|identical) (?<m>${M})`,
    (found) => {
      ask.splits.push({ kind: 'name', at: numberIn(found.groups?.['m']) })
      return ' '
    },
  )
  replaceMatches(
    encoded,
    '(?:, )?and how many(?: of)?(?: them| these| those| there)?(?: of them)?(?: are there| there are| are they| is it| were there| (?:do|does|did) (?:they|it|each|each of them) (?:have|make|has))?(?= ?(?:[?.,]|$))',
    (found) =>
      /<m\d+> count|<q\d+>|number of|count of|(?:most|fewest|than \d+|least \d+) <m\d+>/.test(
        encoded.text.replace(found[0], ' '),
      )
        ? / (?:have|make|has)$/.test(found[0])
          ? ' . also give the count'
          : ' '
        : null,
  )
  replaceMatches(encoded, '(?:represent|format|express|truncate|round) [^.]*', () => ' ')
  replaceMatches(
    encoded,
    '(?:return|show|include|list) all (?:the )?(?:days|weeks|months|quarters|years) (?:in (?:your|the) (?:answer|result|output))?[^.]*',
    (found) => {
      ask.wantsEmpty = true
      return found[0] === '' ? null : ' '
    },
  )
  replaceMatches(
    encoded,
    '(?:, )?(?:even|including|include) (?:if|those|the ones|ones|any)?[^.,]* (?:0|zero|no|none)(?: [^.,]*)?(?=$| [.,?])',
    () => {
      ask.wantsEmpty = true
      return ' '
    },
  )
}

const HAVE =
  '(?:have|has|had|given|gave|traded|ordered|bought|used|wrote|paid|visited|made|make|placed|received|receive|got|bought|done|written|posted|been|with|contain|contains|having|any|taken|enrolled in|attended|registered for|published|filed|in|varit pa|varit|fatt|haft|gjort|kopt|lagt|bokat|at all|om)'
/** "cars that have no sales", "customers without orders", "who have never ordered". */
function parseWithout(encoded: Encoded, ask: QuestionParts): void {
  const noun = `(?:nagon |nagot |nagra |en |ett |enda )*${DET}(?:single |recorded |corresponding |associated |known )?(?<what>${M})(?: records?| rows?| entries| at all| yet)*`
  const add = (found: RegExpExecArray): string | null => {
    const what = numberIn(found.groups?.['what'])
    if (encoded.mentions[what]?.matches[0] === undefined) return null
    // "Do not have status active": the value is denied, and nothing is missing.
    const behind = encoded.text.slice(encoded.text.indexOf(found[0]) + found[0].length)
    if (refersTo(encoded, what, 'column') && /^ ?(?:is |of |= |as )?<v\d+>/.test(behind)) return null
    const before = [...encoded.text.slice(0, encoded.text.indexOf(found[0])).matchAll(/<[mq]\d+>/g)]
      .map(([mark]) => mark)
      .findLast((mark) => !mark.startsWith('<m') || !isVerb(encoded, numberIn(mark)))
    const figure = before?.startsWith('<q') === true ? encoded.figures[numberIn(before)] : undefined
    const counted = figure?.kind === 'count' ? figure.of : null
    const entity = before?.startsWith('<m') === true ? numberIn(before) : counted
    ask.without.push({ of: what, entity })
    return ' '
  }
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|and) )?(?:(?:do|does|did|have|has|had|are|were|was) )?(?:not|never|aldrig|inte)(?: yet)? (?:${HAVE} )*${noun}`,
    (found) => (isNegatedValue(found[0]) ? null : add(found)),
  )
  // "Have never made a sell trade": the value is one of the rows that are missing.
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|and) )?(?:(?:have|has|had|do|does|did) )?(?:not|never) (?:ever |yet )?(?:${HAVE} )+(?:any|an?|a single) (?<held>${V}) (?<what>${M})`,
    (found) => {
      const { held = '' } = found.groups ?? {}
      return refersTo(encoded, numberIn(found.groups?.['what']), 'dataset') && add(found) !== null
        ? ` for ${held} `
        : null
    },
  )
  replaceMatches(
    encoded,
    `(?:(?:that|which|who) )?(?:have |has |had |with )?neither ${DET}(?<what>${M}) nor ${DET}(?<other>${M})`,
    (found) => {
      ask.without.push({ of: numberIn(found.groups?.['other']), entity: null })
      return add(found)
    },
  )
  // "Has never been used in a treatment": whatever was not done, with any of these.
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|and) )?(?:(?:do|does|did|have|has|had|are|were|was|har|hade) )?(?:not|never|aldrig|inte) (?:yet |been |ever )*(?:[a-z]+ ){1,2}(?:(?:in|by|for|to|on|at|from|with|of|i|av|till) )?(?:any|an?|a single|nagon|nagot|nagra|en|ett) (?:single )?(?<what>${M})(?: records?| rows?| entries| at all| yet)*`,
    (found) => (isNegatedValue(found[0]) ? null : add(found)),
  )
  // "Have no closed tickets": those of the kind are missing.
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|and|som) )?(?:${HAVE} |har )*(?:no|zero|inga|ingen|without|without any|utan) (?<held>${V}) (?<what>${M})`,
    (found) => {
      const { held = '', what } = found.groups ?? {}
      return refersTo(encoded, numberIn(what), 'dataset') && add(found) !== null ? ` for ${held} ` : null
    },
  )
  replaceMatches(
    encoded,
    `(?:(?:that|which|who|and|som) )?(?:${HAVE} |har )*(?:no|zero|0|inga|ingen|inget) ${noun}`,
    add,
  )
  replaceMatches(encoded, `(?:(?:that|which|who|and|som) )?(?:saknar|lacks?) (?:any )?${noun}`, add)
  replaceMatches(encoded, `(?:without|utan|lacking|missing) (?:any |nagra |nagon |nagot )?${noun}`, add)
}
const isNegatedValue = (text: string): boolean => /<v\d+>/.test(text)

const BY =
  '(?:(?:grouped|group|broken down|break down|split|breakdown|aggregated|segmented|summarized|summarised|fordelat|uppdelat|distributed) (?:by|per|on|pa|into|for|across)|by|per|(?:for|in|of|on|at|to|from|by|with|within|under|that) (?:each|every)(?: of the| single| individual| distinct| different)?|each|every|across(?: all| different| the different)?|among(?: all| the| different)*|for different|efter|for varje|varje|i varje|per)'

/** "by region", "for each customer and month". */
function parseSplits(encoded: Encoded, ask: QuestionParts): void {
  const list = `${DET}(?<first>${ITEM})(?<more>(?:(?: ,| and| ,? and| och| by| per)+ ${DET}(?:each |every )?${M}(?! (?:is|are|was|were|has|have|with)\\b))*)`
  replaceMatches(
    encoded,
    `${BY} (?:type of |kind of |different |various |type |individual )?${list}(?<of> of (?:the |their |its )?${M})?`,
    (found) => {
      const whose = found.groups?.['of']
      if (whose !== undefined) ask.hints.push(...marksIn(whose, 'm'))
      const items = itemsIn(`${found.groups?.['first'] ?? ''} ${found.groups?.['more'] ?? ''}`)
      if (items[0]?.kind === 'figure') return null
      if (isAmongThese(encoded, found[0])) return ` of ${found.groups?.['first'] ?? ''} `
      if (isListOfAll(encoded, ask, found[0])) return ` of ${found.groups?.['first'] ?? ''} `
      if (isDoer(encoded, found)) return ` of ${found.groups?.['first'] ?? ''} `
      // A date that is no unit of time is a period: "for each of the last 8 weeks" says both.
      ask.splits.push(
        ...items.filter((item) => !ask.splits.some((known) => known.kind === item.kind && known.at === item.at)),
      )
      return items.length > 0 && items.every(({ kind }) => kind === 'name') ? ` ; ` : ' '
    },
  )
}

/** "The lowest price among products": of all of them. */
const isAmongThese = (encoded: Encoded, found: string): boolean =>
  found.startsWith('among') &&
  !/\b(?:distribut|split|divid|spread|fordel)/.test(encoded.text) &&
  refersTo(encoded, marksIn(found, 'm')[0] ?? -1, 'dataset')

/** "Return the name and city of every …": a list of things with what is said of them, and no figure to break down. */
const isListOfAll = (
  { text, figures, mentions }: Encoded,
  { rank, conditions }: QuestionParts,
  found: string,
): boolean =>
  /^(?:of |for )?(?:each|every) /.test(found) &&
  figures.length === 0 &&
  rank === null &&
  conditions.length === 0 &&
  /^(?:return|list|show|give|display|find|what are|provide)\b/.test(text) &&
  marksIn(text.slice(0, text.indexOf(found)), 'm').length > 1 &&
  marksIn(text.slice(0, text.indexOf(found)), 'm').every((at) => mentions[at]?.namesNumber !== true)

/** "Policies held by holders in the north": who did it, with a condition, and no breakdown. */
function isDoer({ text, source, mentions }: Encoded, found: RegExpExecArray): boolean {
  const at = text.indexOf(found[0])
  // "By doctors with the specialty …": several of a kind that is told by a value.
  const mark = marksIn(found[0], 'm').at(-1) ?? -1
  const behind = source.slice(source.indexOf(`<m${mark}>`) + `<m${mark}>`.length)
  const isPlural = /[^su]s$/.test(mentions[mark]?.words ?? '')
  if (
    found[0].startsWith('by ') &&
    isPlural &&
    /^ (?:with|who|that|whose|from|in|of|at|located in|based in) [^,.?]{0,25}<v/.test(behind)
  )
    return true
  return (
    found[0].startsWith('by ') &&
    !/^by (?:each|every) /.test(found[0]) &&
    /\b(?:held|made|paid|[a-z]{3,}ed|sold|written|taught|given|bought|sent|done) $/.test(text.slice(0, at)) &&
    /^ ?(?:in|from|with|who|that|of|whose|at|born|hired|named|called|aged|older|younger|over|under|<v|<m|<d)/.test(
      text.slice(at + found[0].length),
    )
  )
}
const RETURN =
  '(?:return|show|showing|list|listing|display|displaying|give|giving|provide|providing|include|including|output|report|select|get|visa|lista|along with|together with|as well as|also|with)'
/** What is listed: of the sentence that says what to return, else of all. */
function parseOutputs(encoded: Encoded, ask: QuestionParts): void {
  const parts = encoded.text
    .split(/ ?[.?!] ?/)
    .map(tidy)
    .filter((part) => part !== '')
  const [main = ''] = parts
  const says = new RegExp(`^(?:please |and |then )?${RETURN}`)
  const inner = new RegExp(
    `(?:,|;) ?(?:and )?(?:showing|returning|displaying|listing|return|show|giving)(?: me)? (.+)$`,
  ).exec(main)
  const explicit = parts.filter((part, i) => i > 0 && says.test(part))
  ask.isExplicit = explicit.length > 0 || inner !== null
  // "Return the name. Return the number of days." says it twice.
  const isAdding = explicit.length > 0 && explicit.every((part) => /^(?:please )?(?:include|also|along)/.test(part))
  const whole = explicit.length > 0 && (isAdding || (says.test(main) && !ask.rank?.n)) ? [main, ...explicit] : explicit
  const text = whole.length > 0 ? whole.join(' ; ') : (inner?.[1] ?? parts.join(' ; '))
  const context = new Set([...contextIn(text, encoded), ...(ask.isExplicit ? [] : besideFigure(text, encoded))])
  ask.outputs = unique(itemsIn(text)).filter(
    (item) =>
      item.kind !== 'date' &&
      !(item.kind === 'name' && (context.has(item.at) || (!ask.isExplicit && isVerb(encoded, item.at)))),
  )
  // "Which towns have more than 2 shops? Show the number of shops": beside each town.
  const asked = /^(?:which|what|list|find|vilka|vilket|vilken|lista) (?:the |all |de |alla )*<m(\d+)>/.exec(
    encoded.source,
  )?.[1]
  const isOnlyFigures = ask.outputs.length > 0 && ask.outputs.every(({ kind }) => kind === 'figure')
  if (asked !== undefined && isOnlyFigures && explicit.length > 0 && ask.rank === null)
    ask.outputs.unshift({ kind: 'name', at: Number(asked) })
  // "On which day do shops get the most visits": the day is asked for, and no shops.
  if (
    !ask.isExplicit &&
    ask.rank?.by != null &&
    /^(?:on |in |during |pa |i )?(?:which|what|vilken|vilket) <d\d+> /.test(encoded.source)
  )
    ask.outputs = ask.outputs.filter((item) => item.kind !== 'name' || !refersTo(encoded, item.at, 'dataset'))
  // "Which fruit sells best in <kind> shops": whose value is said is no answer to what comes first.
  const told = new Set(ask.rank === null || ask.isExplicit ? [] : ask.values.map(({ column }) => column))
  if (ask.outputs.some((item) => item.kind === 'name' && !told.has(item.at)))
    ask.outputs = ask.outputs.filter(
      (item) =>
        item.kind !== 'name' ||
        !told.has(item.at) ||
        item.at === ask.rank?.entity ||
        !refersTo(encoded, item.at, 'dataset'),
    )
  const outside = unique(itemsIn(encoded.text)).filter((item) => !isAmong(ask.outputs, item))
  ask.hints.push(...outside.flatMap((item) => (item.kind === 'name' ? [item.at] : [])))
  ask.elsewhere = outside
  ask.dates = unique(
    [...marksIn(encoded.text, 'd'), ...ask.splits.flatMap((item) => (item.kind === 'date' ? [item.at] : []))].map(
      (at): Item => ({ kind: 'date', at }),
    ),
  ).map(({ at }) => at)
  const sorted = ask.sorts.find(({ by }) => by?.kind === 'date')?.by
  const hasUnit = ask.dates.some((at) => encoded.dates[at]?.kind === 'grain' || encoded.dates[at]?.kind === 'datePart')
  if (sorted && !hasUnit && encoded.figures.length > 0) ask.dates.push(sorted.at)
  ask.rest = tidy(encoded.text.replaceAll(new RegExp(`${M}|${Q}|${V}|${D}`, 'g'), ' '))
}
const isAmong = (items: readonly Item[], item: Item): boolean =>
  items.some(({ kind, at }) => kind === item.kind && at === item.at)
/** "What is our current MRR": one figure. */
const ASKED_FIGURE =
  /^(?:what (?:is|was|are|were)|whats|vad (?:ar|var)|hur (?:stor|stort|hog|hogt) (?:ar|var)) (?:(?:our|the|your|my|current|total|var|vart|vara|den|det|nuvarande) )*(<m\d+>)/
/** Tables after a figure only say of what it is: "the average price of products". */
function contextIn(text: string, encoded: Encoded): ReadonlySet<number> {
  const [, asked] = ASKED_FIGURE.exec(text) ?? []
  const isFigure = (mark: string): boolean => {
    const mention = encoded.mentions[numberIn(mark)]
    const ref = mention?.matches[0]?.ref.kind
    return (
      mark.startsWith('<q') || ref === 'metric' || ref === 'term' || (mark === asked && mention?.namesNumber === true)
    )
  }
  const [first] = [...text.matchAll(new RegExp(`${Q}|${M}`, 'g'))].filter((found) => isFigure(found[0]))
  if (!first) return new Set()
  // What is listed beside a figure follows a comma or an "and".
  const tables = [
    ...text
      .slice(first.index)
      .matchAll(/(,|\band|\breturn|\bshow|\blist|\bgive|;)? ?(?:(?:the|all|each|every|their) )*<m(\d+)>/g),
  ]
    .filter((found) => found[1] === undefined)
    .map((found) => Number(found[2]))
    .filter((at) => encoded.mentions[at]?.matches[0]?.ref.kind === 'dataset')
  return new Set(tables)
}
/**
 * "How many distinct countries do account holders come from": of one figure that is asked for, what stands behind it in
 * the same clause is what it is about. "Which merchants received payments": so are tables that verbs lead to.
 */
function besideFigure(text: string, encoded: Encoded): number[] {
  const asksFigure = /^(?:how many|hur manga|<q\d+>|what (?:is|was|were|are) (?:the )?<q\d+>)/.exec(text)
  const isTable = (at: number): boolean => encoded.mentions[at]?.matches[0]?.ref.kind === 'dataset'
  const behind = [...text.matchAll(/(\S+) (?:(?:the|all|their|any|an?) )*<m(\d+)>/g)].map((found) => ({
    before: found[1] ?? '',
    at: Number(found[2]),
  }))
  if (asksFigure && !/<q\d+>.*<q\d+>/.test(text) && !/\b(?:and|och|return|show|with)\b|,/.test(text))
    return marksIn(text, 'm')
  const [first, ...rest] = /^(?:which|who|what|vilka|vilken) <m\d+>/.test(text) ? behind : []
  return first
    ? rest
        .filter(
          ({ before, at }) =>
            isTable(at) &&
            /^[a-z]{3,}(?:ed|s|t|en|ade|er|ve)$|^<v/.test(before) &&
            !/^(?:and|which|its|their)$/.test(before),
        )
        .map(({ at }) => at)
    : []
}
const unique = (items: readonly Item[]): Item[] =>
  items.filter((item, i) => items.findIndex((other) => other.kind === item.kind && other.at === item.at) === i)
