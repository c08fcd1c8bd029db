import { M, marksIn, numberIn, Q, refersTo, V, type Encoded } from './encoded'
import { isHarmless } from '../language/stop-words'
import { noteBoth, parseAverages } from './among-all-rules'
import { parseColumnComparisons } from './column-comparisons'
import { parseBeside, parseLate, parseOverdue } from './day-rules'
import { parseEmpties } from './empty-rules'
import { isOfUnits } from './asked-units'
import { parseSpans } from './span-rules'
import { parseStock } from './stock-rules'
import { COMPARATIVES } from './comparatives'
import { itemOf, replaceMatches } from './replace-matches'
import type { ComparisonOperator } from '../../../../shared/query/functions'
import type { QuestionParts, NumberCondition } from './ask'

const NUMBER =
  '(?<value>\\d+(?:\\.\\d+)?)(?: (?:%|percent|dollars|usd|eur|euros|sek|kr|kronor|units|stars?|points?|years?(?: old)?|months?|days?|meters?|metres?|miles|km|kg|kilos?|g|cm|m|square (?:km|kilometers|kilometres|miles|meters|metres)|sq km|km2|kilometers|kilometres|kilograms|grams))?'
const COMPARISONS: readonly [string, ComparisonOperator][] = [
  [
    '(?:not|no) (?:more|greater|higher|larger) than|at most|up to|maximum of|hogst|max|<=|less than or equal to|no later than',
    'le',
  ],
  [
    '(?:not|no) (?:less|fewer|lower) than|at least|minimum of|minst|min|>=|(?:greater|more|higher) than or equal to|or more|no earlier than',
    'ge',
  ],
  [
    '(?:more|greater|higher|larger|bigger|longer|older|later|heavier|taller) than|over|above|exceeding|exceeds|exceeded|exceed|oversteg|overstiger|overskred|mer an|fler an|storre an|hogre an|>|bigger',
    'gt',
  ],
  ['(?:less|fewer|lower|smaller|shorter|younger|lighter|cheaper) than|under|below|mindre an|farre an|lagre an|<', 'lt'],
  ['not equal to|other than|!=|different from|not', 'ne'],
  ['exactly|equal to|equals|of exactly|=|precisely|exakt', 'eq'],
]
const COMPARISON = `(?<cmp>${COMPARISONS.map(([words]) => words).join('|')})`
const operatorOf = (words: string): ComparisonOperator =>
  COMPARISONS.find(([each]) => new RegExp(`^(?:${each})$`).test(words))?.[1] ?? 'eq'
const IS =
  '(?:(?:(?:that|which|who) )?(?:is|are|was|were|be|being|has been|has|have|of|with|greater|value|amount|som|ar) )*'

/** Conditions: numbers beside names and figures, values with the names they belong to, what is empty. */
export function parseConditions(encoded: Encoded, ask: QuestionParts): void {
  noteBoth(encoded, ask)
  parseSpans(encoded, ask)
  parseStock(encoded, ask)
  parseOverdue(encoded, ask)
  parseLate(encoded, ask)
  parseBeside(encoded, ask)
  parseColumnComparisons(encoded, ask)
  parseAverages(encoded, ask)
  parseNumbers(encoded, ask)
  parseEmpties(encoded, ask)
  parseValues(encoded, ask)
}

const COMPARATIVE = Object.keys(COMPARATIVES).join('|')

/** What a thing is compared by, as the unit says: meters are its height, kilos its weight. */
const measuredBy = (text: string): string =>
  /\d (?:meters?|metres?|m)$/.test(text)
    ? 'highest'
    : /\d (?:km|kilometers|kilometres|miles)$/.test(text)
      ? 'longest'
      : /\d (?:square|sq|km2)/.test(text)
        ? 'largest'
        : /\d (?:kg|kilos?|kilograms|g|grams)$/.test(text)
          ? 'heaviest'
          : 'amounting'
function parseNumbers(encoded: Encoded, ask: QuestionParts): void {
  const add = (found: RegExpExecArray, of: string | undefined, keep = ' '): string => {
    const { value, cmp, to } = found.groups ?? {}
    const condition: NumberCondition =
      to === undefined
        ? { of: itemOf(of), op: operatorOf(cmp ?? '='), value: Number(value) }
        : { of: itemOf(of), op: 'between', value: Number(value), to: Number(to) }
    ask.conditions.push(condition)
    return keep
  }
  const of = `(?<of>${Q}|${M})`
  const having =
    '(?:(?:(?:that|which|who) )?(?:have|has|had|with|having|made|placed|received|bought|sold|written|published|ordered|taught|taken|treated|contains?|is in|are in|offer|offers|been|cited|wrote|med|har) )*'
  // "Cities with more than 500000 people": how many live there.
  replaceMatches(
    encoded,
    `(?:with |having |som har |med )?${COMPARISON} ${NUMBER} (?:people|inhabitants|residents|invanare|manniskor)(?= ?(?:$|[?.,]|are |in |by |per |and |finns |i ))`,
    (found) => {
      const { cmp = '', value } = found.groups ?? {}
      ask.conditions.push({ of: null, op: operatorOf(cmp), value: Number(value), adjective: 'populous' })
      return ' '
    },
  )
  replaceMatches(encoded, `${COMPARISON} ${NUMBER} (?:times|ganger)`, (found) => {
    const at = encoded.figures.push({ kind: 'count', of: null, distinct: false, label: 'Count' }) - 1
    return add(found, `<q${at}>`)
  })
  replaceMatches(
    encoded,
    `(?<adj>${COMPARATIVE}) (?:than|an) ${NUMBER}(?: (?<unit>minutes|hours|seconds))?(?! <[mq])`,
    (found) => {
      const { adj = '', value, unit } = found.groups ?? {}
      // "A rating lower than 3": the number that is compared stands before.
      const [before] = /<m\d+> $/.exec(encoded.text.slice(0, encoded.text.indexOf(found[0]))) ?? []
      if (before !== undefined && encoded.mentions[numberIn(before)]?.namesNumber === true) return null
      const known = COMPARATIVES[adj]
      if (known)
        ask.conditions.push({
          of: null,
          op: known.op,
          value: Number(value),
          adjective: known.adjective,
          ...(unit === undefined ? {} : { unit }),
        })
      return known ? ' ' : null
    },
  )
  // "Rivers that run through more than 1 province": what stands between two things says how they are related.
  replaceMatches(
    encoded,
    `(?<=${M} (?:that |which |who )?)(?!(?:have|has|had|with|cost|costs) )[a-z]{3,8} (?:through |in |at |to |for |across |by |from |on )?(?=${COMPARISON} \\d+ (?:different |distinct )?(?<of>${M}))`,
    (found) =>
      refersTo(encoded, numberIn(found.groups?.['of']), 'dataset') && isHarmless(found[0].split(' ')[0] ?? '')
        ? ' '
        : null,
  )
  replaceMatches(encoded, `${having}${COMPARISON} ${NUMBER} (?:of )?(?:different |distinct |unique )?${of}`, (found) =>
    isAnyOf(encoded, found)
      ? ' '
      : isCounted(encoded, found.groups?.['of']) || isOwnNumber(encoded, found)
        ? add(found, found.groups?.['of'])
        : null,
  )
  replaceMatches(
    encoded,
    `${of} ${IS}(?:between|from|mellan) ${NUMBER} (?:and|to|och) (?<to>\\d+(?:\\.\\d+)?)`,
    (found) => add(found, found.groups?.['of']),
  )
  // "Payments over 100": what they amount to.
  replaceMatches(
    encoded,
    `(?<of>${Q}|${M}) (?:(?:of|worth|with a value of|is|are|was|were|are there|is there|finns det|that are|that were|pa|om|varda) )?(?<cmp>over|above|exceeding|under|below|more than|less than|at least|at most|minst|hogst|mer an|av over) ${NUMBER}(?! <[mq])`,
    (found) => {
      const { of: mark = '', cmp = '', value } = found.groups ?? {}
      if (BOUND.test(cmp) && !WORTH.test(found[0])) return null
      // "Days with sales above 5000": what those of each day come to.
      if (isOfUnits(encoded.source)) return null
      const figure = mark.startsWith('<q') ? encoded.figures[numberIn(mark)] : undefined
      const isThing = figure
        ? figure.kind === 'count'
        : encoded.mentions[numberIn(mark)]?.matches[0]?.ref.kind === 'dataset'
      if (!isThing) return null
      ask.conditions.push({ of: null, op: operatorOf(cmp), value: Number(value), adjective: measuredBy(found[0]) })
      return mark
    },
  )
  replaceMatches(encoded, `${of} ${IS}${COMPARISON} ${NUMBER}`, (found) =>
    add(found, found.groups?.['of'], keepFigure(found)),
  )
  replaceMatches(encoded, `${of} ${IS}${NUMBER} or (?<cmp>more|higher|above|less|lower|fewer)`, (found) => {
    const isLess = /less|lower|fewer/.test(found.groups?.['cmp'] ?? '')
    ask.conditions.push({
      of: itemOf(found.groups?.['of']),
      op: isLess ? 'le' : 'ge',
      value: Number(found.groups?.['value']),
    })
    return ' '
  })
  replaceMatches(encoded, `(?:that|which|who|with) ${having}(?<value>\\d{1,9}(?:\\.\\d+)?) ${of}`, (found) =>
    // "Which 5 actors": how many are asked for, and no limit.
    /^(?:which|who) \d/.test(found[0]) ? null : add(found, found.groups?.['of']),
  )
  // "Courses worth 4 credits", "that give 7.5 credits".
  replaceMatches(
    encoded,
    `(?<=${M} (?:that |which |who |som )?)(?:are |is |were |was )?(?:worth|gives?|gave|carry|carries|costs?|lasts?|holds?|seats?|awards?|ha[sd]|have|with|ger|kostar|har|med) (?<value>\\d{1,9}(?:\\.\\d+)?) ${of}`,
    (found) =>
      encoded.mentions[numberIn(found.groups?.['of'])]?.namesNumber === true ? add(found, found.groups?.['of']) : null,
  )
  replaceMatches(
    encoded,
    `${of} (?:is |are |of |equal to |equals |= |number |no |nr |with id |id |was )+(?<value>\\d+(?:\\.\\d+)?)`,
    (found) => add(found, found.groups?.['of']),
  )
  replaceMatches(
    encoded,
    `(?:with |of |from |for |in |on |at |pa |i |av |med |for )(?:the )?(?<of>${M}) (?<value>\\d+(?:\\.\\d+)?)`,
    (found) => add(found, found.groups?.['of']),
  )
  replaceMatches(encoded, `(?<and>and |but |och )?${COMPARISON} [$]?${NUMBER}`, (found) => {
    const before = ask.conditions.at(-1)
    const added = add(found, undefined)
    const last = ask.conditions.at(-1)
    // "More than 100 and less than 300": both are said of the same.
    if (last && before && found.groups?.['and'] !== undefined) last.of = before.of
    return added
  })
}
/** "Gifts of at least 5000" are worth so much; "have at least 5" counts. */
const BOUND = /^(?:at least|at most|minst|hogst)$/
const WORTH = / (?:of|worth|with a value of|pa|om|varda) (?:at |minst|hogst)/
/** Whether "more than 3 …" counts what follows: a table or a figure does, a column of the next clause does not. */
const isCounted = ({ mentions }: Encoded, mark: string | undefined): boolean =>
  mark?.startsWith('<q') === true || mentions[numberIn(mark)]?.matches[0]?.ref.kind === 'dataset'
/** "At least one claim": that there is any. */
const isAnyOf = ({ mentions }: Encoded, { groups = {} }: RegExpExecArray): boolean =>
  groups['cmp'] === 'at least' &&
  groups['value'] === '1' &&
  mentions[numberIn(groups['of'])]?.matches[0]?.ref.kind === 'dataset' &&
  groups['of']?.startsWith('<m') === true
/** "Have more than 10 pages", "above 300 meters elevation": a number column, and the clause ends with it. */
function isOwnNumber(encoded: Encoded, found: RegExpExecArray): boolean {
  const mark = found.groups?.['of'] ?? ''
  const rest = encoded.text.slice(encoded.text.indexOf(found[0]) + found[0].length)
  const isHad = /^(?:(?:that|which|who) )?(?:have|has|had|with|having|lie|lies|med|har) /.test(found[0])
  return (
    encoded.mentions[numberIn(mark)]?.namesNumber === true &&
    (isHad ||
      /^ ?(?:$|[?.,;)]|(?:and|or|och|eller|were|was|are|is|that|who|which|made|by|in|from|per|did|do) )/.test(rest))
  )
}
/** A figure with a limit is listed, too. */
const keepFigure = (found: RegExpExecArray): string => {
  const of = found.groups?.['of'] ?? ''
  return of.startsWith('<q') ? of : ' '
}

const NOT =
  '(?<not>(?:is |are |was |were |do |does |did |has |have |had |that are |who are )*(?:not|never|neither|nor|excluding|exclude|except(?: for)?|other than|besides|apart from|isnt|arent|wasnt|werent|non|utom|forutom|inte|ej) (?:been )?(?:(?:have |having |use |using )(?:an? |any |the )?)?(?:[a-z]{2,} (?=by |with |in |from |to |via |through |at |on |as |of |for |i |fran |med |av ))?(?:from |in |of |the |located |be |by |with |via |through |at |on |as |to |for |part of |i |fran |med |av )*)?'
/** Values with the name beside them: "status is Open", "Open orders", "in Malmö", "'x' in its code". */
function parseValues(encoded: Encoded, ask: QuestionParts): void {
  const joined =
    '(?<or>or (?:are |is |have |has |in |the |from |who |that |where |were |was |located |with |given |taught |held |made |paid |[a-z]{3,}ed )*)?'
  const add = (
    found: RegExpExecArray,
    options: { mode?: QuestionParts['values'][number]['mode']; column?: string | undefined; keep?: string },
  ): string => {
    const { v, not, or } = found.groups ?? {}
    ask.values.push({
      value: numberIn(v),
      column: options.column === undefined ? null : numberIn(options.column),
      near: nearNames(encoded.text, found),
      mode: options.mode ?? 'is',
      // "Not shipped or delivered": neither of them.
      isNegated: not !== undefined || (or !== undefined && ask.values.at(-1)?.isNegated === true),
      or: or !== undefined,
    })
    return options.keep ?? ' '
  }
  const contains =
    '(?:contains?|containing|includes?|including|like|with|having|has|have|mentions?|mentioning|that contains?)'
  replaceMatches(
    encoded,
    `${joined}(?<m>${M}) (?:that |which )?(?:starts?|starting|begins?|beginning) with (?:the )?(?:letters? |word |text |string )?(?<v>${V})`,
    (found) => add(found, { mode: 'startsWith', column: found.groups?.['m'], keep: subjectOf(encoded, found) }),
  )
  replaceMatches(
    encoded,
    `${joined}(?<m>${M}) (?:that |which )?(?:ends?|ending) with (?:the )?(?:letters? |word |text |string )?(?<v>${V})`,
    (found) => add(found, { mode: 'endsWith', column: found.groups?.['m'] }),
  )
  replaceMatches(
    encoded,
    `${joined}(?:that |which |who )?(?:have |has |having |with |contain |contains )?(?:the )?(?:word |text |string |letters? |phrase )?(?<v>${V}) (?:in|within) (?:their|its|the|his|her)(?: \\w+)? ?(?<m>${M})(?: name)?`,
    (found) =>
      encoded.values[numberIn(found.groups?.['v'])]?.isQuoted === true
        ? add(found, { mode: 'contains', column: found.groups?.['m'] })
        : null,
  )
  replaceMatches(
    encoded,
    `${joined}(?<m>${M}) ${contains} (?:the )?(?:word |text |string |letters? |phrase |keyword |substring )+(?<v>${V})`,
    (found) => add(found, { mode: 'contains', column: found.groups?.['m'], keep: subjectOf(encoded, found) }),
  )
  replaceMatches(
    encoded,
    `${joined}(?<m>${M}) (?:that |which |who )?(?:contains?|containing|like|mentions?|mentioning|includes?) (?:the )?(?<v>${V})(?<more>(?:(?: ,)? (?:or|eller) (?:the )?${V})*)`,
    (found) => {
      const { m, more = '' } = found.groups ?? {}
      const kept = add(found, { mode: 'contains', column: m, keep: subjectOf(encoded, found) })
      const first = ask.values.at(-1)
      if (first) ask.values.push(...marksIn(more, 'v').map((value) => ({ ...first, value, or: true })))
      return kept
    },
  )
  replaceMatches(
    encoded,
    `${joined}${NOT}(?<m>${M}) (?:is|are|was|were|=|equals?|equal to|named|called|with (?:the )?(?:name|id)|of|as|being|set to|in|from|either|heter|:)? ?(?:either |the )?(?<isnt>not )?(?<v>${V})(?: (?<own>${M}))?`,
    (found) => {
      const m = found.groups?.['m']
      // "Merchants in the travel category": the value's own column stands behind it.
      const own = found.groups?.['own']
      const rest = own !== undefined && keepsName(encoded, own, found[0]) ? own : ''
      const column = own !== undefined && rest === '' ? own : m
      const added = add(found, { column, keep: `${keepsName(encoded, m, found[0]) ? ` ${m ?? ''} ` : ' '}${rest} ` })
      const last = ask.values.at(-1)
      if (last && found.groups?.['isnt'] !== undefined) last.isNegated = true
      return added
    },
  )
  replaceMatches(
    encoded,
    `${joined}${NOT}(?:in |from |for |at |of |to |by |with |on )*(?:the )?(?<v>${V}) (?<m>${M})`,
    (found) => {
      const m = found.groups?.['m']
      // "Excluding cancelled orders": the thing was named before.
      if (/^(?:exclud|except|apart|besides|other|utom|forutom)/.test(found.groups?.['not'] ?? ''))
        return add(found, { column: m })
      return add(found, { column: m, keep: keepsName(encoded, m, found[0]) ? ` ${m ?? ''} ` : ' ' })
    },
  )
  replaceMatches(
    encoded,
    `${joined}${NOT}(?:in |from |for |at |of |to |by |with |on |both |either )*(?:the )?(?<v>${V})`,
    (found) => add(found, {}),
  )
}

/** "Which titles contain …": the only name of a question is what it lists. */
const subjectOf = (encoded: Encoded, { groups }: RegExpExecArray): string =>
  /^(?:which|what|list|show|find|vilka|lista)\b/.test(encoded.text) &&
  [...encoded.text.matchAll(/<[mq]\d+>/g)].length === 1
    ? ` ${groups?.['m'] ?? ''} `
    : ' '
/** A name of a table stays in the question; a name of the value's own column has said which column is meant. */
function keepsName(encoded: Encoded, mark: string | undefined, text: string): boolean {
  const mention = encoded.mentions[numberIn(mark)]
  const value = encoded.values[numberIn(new RegExp(V).exec(text)?.[0])]
  const [best] = mention?.matches ?? []
  if (!best || best.ref.kind === 'dataset') return !/named|called|with (?:the )?(?:name|id)| = /.test(text)
  const columns = new Set(
    mention?.matches.flatMap(({ ref }) => (ref.kind === 'column' ? [`${ref.dataset}.${ref.column}`] : [])),
  )
  return (
    value !== undefined &&
    value.matches.length > 0 &&
    !value.matches.some((match) => columns.has(`${match.dataset}.${match.column}`))
  )
}

const NEAR = 3
/** Names that stand just before or after. */
function nearNames(text: string, found: RegExpExecArray): number[] {
  const at = Math.max(0, text.indexOf(found[0]))
  const before = [...text.slice(0, at).matchAll(/<m(\d+)>/g)].slice(-1)
  const after = [
    ...text
      .slice(at + found[0].length)
      .split(' ')
      .slice(0, NEAR)
      .join(' ')
      .matchAll(/<m(\d+)>/g),
  ].slice(0, 1)
  return [...before, ...after].map((each) => Number(each[1]))
}
