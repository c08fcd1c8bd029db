import { isYesNo } from '../schema/schema'
import { when, type Check } from './account'
import { conditionsOf, fieldKey } from '../score/plan-facts'
import { isDeedOf } from '../conditions/deeds'
import { isOfLines } from '../schema/lines'
import { numberIn } from '../parse/encoded'
import type { Schema } from '../schema/schema'
import type { ValueMatch } from '../contract'
import { isExistsFilter } from '../../../../shared/query/plan'
import type { Measure } from '../../../../shared/query/plan'

/** "Have not been active since 2023": since when it is not so, which a day of something else does not say. */
export const checkNotSince: Check = ({ source, context }) =>
  [...source.matchAll(/(?:not|never|inte|aldrig) (?:been )?<v\d+> <d(\d+)>/g)].flatMap((found) =>
    when(context.encoded.dates[Number(found[1])]?.kind === 'open', 'since when it is not so'),
  )

/** "What is our stock worth": money, which a list or a number of things is not. */
export const checkWorth: Check = ({ source, plan, facts, context: { schema } }) =>
  when(
    /(?<=^| )(?:worth|vart|vard|value of|vardet av|<m\d+> value|lagervarde)(?= |$)/.test(source) &&
      facts.measured.length === 0 &&
      !facts.text.includes('"row"') &&
      plan.sort === undefined &&
      facts.comparisons.length === 0 &&
      !(plan.columns ?? []).some(({ dataset, column }) => schema.column(dataset, column)?.isNumeric === true),
    'what something is worth',
  )

const TAX = /\b(?:moms|momsen|vat|sales tax|gst|skatt|skatten)\b/
const TO_PAY =
  /\b(?:ska|skall|maste|behover|borde) .*\b(?:betala|betalas|redovisa|redovisas|deklarera)\b|\batt (?:betala|redovisa)\b|\b(?:owe|owing|payable|have to pay|need to pay|to pay|remit)\b/
/** "How much VAT do we have to pay": what was charged less what was paid, which one column of tax does not say. */
export const checkTaxesDue: Check = ({ context: { words }, facts }) =>
  when(
    TAX.test(words) && TO_PAY.test(words) && !/"op":"subtract"/.test(facts.text),
    'tax that is due is one tax less another',
  )

/** "Which towns are the capital of their province": whether one thing is another, which lists neither. */
export const checkBeings: Check = ({ source, context }) => {
  const found =
    /^(?:which|what|vilka|vilken) <m\d+> (?:are|is|was|were|ar|var) (?:the |an? |their |its |en |ett )?(<m\d+>)/.exec(
      source,
    )
  const mention = context.encoded.mentions[numberIn(found?.[1])]
  return when(
    mention?.matches[0]?.ref.kind === 'column' && !mention.namesYesNo && !mention.namesDate,
    'whether one thing is another',
  )
}

/** "How many provinces border Westmark": a thing that is named is one, which nobody has to count. */
export const checkCountsOne: Check = ({ plan, context: { home, schema } }) => {
  const [only, other] = plan.measures
  const isCount = only?.kind === 'column' && only.agg === 'count' && only.field === undefined && !other
  const isNamed = conditionsOf(plan).some(({ column, condition }) => {
    const found = schema.column(column.dataset, column.column)
    return condition.op === 'eq' && column.dataset === home.id && found?.isText === true && found.isUnique
  })
  return when(isCount && isNamed && plan.dimensions.length === 0, 'one thing is counted')
}

/** "What share of the population of Sudland lives in towns": the value says the whole, and not the part. */
export const checkWholesOfShares: Check = ({ source }) =>
  when(
    /(?:share|percentage|percent|proportion|fraction|andel|andelen) (?:of|av) (?:the |all )?(?:total )?<m\d+> (?:of|in|i|av) (?:the )?<v\d+> [^?]*<m\d+>/.test(
      source,
    ),
    'what the whole is, and what the part',
  )

/** A figure beside another stands in the plan as two columns of a row, or as one figure less the other. */
export const checkComparedFigures: Check = ({ source, context, facts }) =>
  [
    ...source.matchAll(
      /(?:(?:more|less|fewer|higher|lower|larger|smaller|greater) than|(?:mer|mindre|hogre|lagre|storre) an|below|above|under|over|exceeds?|exceeding) (?:the |their |its |his |her |own |deras |sitt |sin )*<m(\d+)>/g,
    ),
  ].flatMap((found) =>
    when(
      context.encoded.mentions[Number(found[1])]?.namesNumber === true &&
        !/"op":"(?:column|subtract)"|"kind":"whole"/.test(facts.text),
      'a comparison of two figures',
    ),
  )

/** "The highest price, and on which day": one day, and not the highest of each. */
export const checkExtremesWhere: Check = ({ source, plan, facts }) =>
  when(
    /(?:,|and) (?:and )?(?:on|in|at|when) (?:which|what|was|is) /.test(source) &&
      facts.isExtreme &&
      plan.limit === undefined &&
      plan.dimensions.length > 0,
    'where the largest is',
  )

const ASKED_SIZES: readonly [RegExp, RegExp][] = [
  [
    /^(?:how long|hur lang(?:e|t)?)\b/,
    /"dateDiff"|length|langd|duration|minute|second|hour|time|days|tid|distance|runtime/,
  ],
  [/^(?:how old|hur gammal|hur gamla)\b/, /age|alder|birth|born|dob|fodel|year|"dateDiff"/],
]
/** "Sent orders divided by closed orders": what stands beside one part of a formula holds for that part only. */
export const checkOperands: Check = ({ source, plan, facts }) => {
  const isKind =
    /<v\d+> <m\d+> (?:divided by|minus|plus|times|delat med|over) |(?:divided by|minus|plus|times|delat med) (?:the |all )?<v\d+> <m\d+>/.test(
      source,
    )
  const isOfAll = plan.filters.some(
    (filter) => !isExistsFilter(filter) && filter.any.some(({ op }) => op === 'eq' || op === 'in'),
  )
  return when(isKind && isOfAll && /"kind":"(?:ratio|calc)"/.test(facts.text), 'which part of the formula is of a kind')
}

/** "How long has each been employed": a span or a length, which a list of names is not. */
export const checkAskedSizes: Check = ({ source, facts, plan, context: { schema } }) => {
  // A day that only is called "tid" is no span.
  const fields = [...facts.measured, ...(plan.columns ?? [])].filter(
    ({ dataset, column }) => schema.column(dataset, column)?.isDate !== true,
  )
  const told = `${facts.text.includes('"dateDiff"') ? '"dateDiff"' : ''} ${fields
    .map(({ dataset, column }) => schema.column(dataset, column)?.words.join(' ') ?? '')
    .join(' ')}`
  return ASKED_SIZES.flatMap(([asked, answer]) =>
    when(asked.test(source) && !answer.test(told), 'no span is asked for'),
  )
}

/** "Mountains higher than 3000": how high they are, and never how many. */
export const checkSizesOfThings: Check = ({ source, plan }) => {
  const isCounted = plan.having?.some(({ measure }) => {
    const counted = plan.measures[measure]
    return counted?.kind === 'column' && (counted.agg === 'count' || counted.agg === 'countDistinct')
  })
  const isOfSize =
    /<m\d+> (?:(?:that|which|who) (?:are|is) )?(?:higher|taller|longer|deeper|larger|bigger|heavier|older|shorter|smaller|lighter|younger|cheaper) than \d/.test(
      source,
    )
  return when(isCounted === true && isOfSize, 'a size isn’t how many there are')
}

/** "Sold more than 3 times": the rows that say so are counted, where there are such rows. */
export const checkDeedsOfTimes: Check = ({ source, plan, context: { schema, home } }) =>
  [...source.matchAll(/([a-z]{3,}) (?:(?:more|less|fewer) than|at least|at most|exactly) \d+ times?(?= |$)/g)].flatMap(
    (found) => {
      const verb = found[1] ?? ''
      const isTold = schema.datasets.some((table) => isDeedOf(verb, table))
      const isHere = isDeedOf(verb, home) || plan.measures.some((measure) => countsOthers(measure, verb, schema))
      return when(isTold && !isHere, `“${verb}” is not counted`)
    },
  )
const countsOthers = (measure: Measure, verb: string, schema: Schema): boolean => {
  const table = measure.kind === 'column' && measure.agg === 'count' ? schema.dataset(measure.dataset ?? '') : undefined
  return table !== undefined && isDeedOf(verb, table)
}

/** "Revenue after discount": one figure less another, unless both are reckoned with. */
export const checkAfterFigures: Check = ({ source, context, facts }) =>
  [
    ...source.matchAll(
      /(<m\d+>) (?:after|before|net of|excluding|including|excl|incl|without|efter|fore|exklusive|inklusive|utan) (?:the |all |any )?(<m\d+>)/g,
    ),
  ].flatMap((found) => {
    const [one, two] = [found[1], found[2]].map((mark) => context.encoded.mentions[numberIn(mark)])
    const areFigures = one?.namesNumber === true && two?.namesNumber === true
    return when(areFigures && !/"op":"(?:subtract|add)"/.test(facts.text), 'one figure less another')
  })

/** "How many cars do we own": things that are owned are rows of their own, and no values that rows of others share. */
export const checkOwned: Check = ({ plan, context: { words } }) => {
  const [only] = plan.measures
  return when(
    /\b(?:do|did) we own\b|\b(?:ager|agde) vi\b/.test(words) && only?.kind === 'column' && only.agg === 'countDistinct',
    'what is owned is not listed',
  )
}

const areOfOneColumn = (one: ValueMatch, other: ValueMatch): boolean =>
  one.dataset === other.dataset && one.column === other.column
/** "The web shop" of channels called Web and Shop: which of the two, or neither, nothing says. */
export const checkValuesSideBySide: Check = ({ source, context: { encoded } }) =>
  [...source.matchAll(/<v(\d+)> (?=<v(\d+)>)/g)].flatMap(([, one, two]) => {
    const [first, second] = [one, two].map((at) => encoded.values[Number(at)])
    const [mine, theirs] = [first?.matches ?? [], second?.matches ?? []]
    const isOfOne =
      first?.isQuoted !== true &&
      first?.phrase !== second?.phrase &&
      mine.some((match) => theirs.some((other) => areOfOneColumn(match, other)))
    // First and last word of one name.
    const isOneName = mine.some((match) =>
      theirs.some((other) => areOfOneColumn(match, other) && match.value === other.value),
    )
    return when(isOfOne && !isOneName, 'which of two values is meant')
  })

const LATE =
  /\b(?:for sent|forsenade?|forsenat|forseningar|late|in time|on time|i tid)\b|^(?:hur|vad|vilken|vilket|vilka|vem|nar|lista|antal) .*\bsent\b/
/** "Did we pay any bills late": by when it should have happened, which the plan has to compare or a name to say. */
export const checkLateness: Check = ({ context: { words, encoded, home }, facts }) => {
  const isFlagged = home.columns.some(
    (column) =>
      isYesNo(column) &&
      column.words.some((word) => /^(?:late|delayed|sent|sen|forsenad)$/.test(word)) &&
      facts.text.includes(`"column":"${column.key}"`),
  )
  const isNamed = [...encoded.mentions.map((mention) => mention.words), ...encoded.values.map(({ text }) => text)].some(
    (name) => /(?<![a-z])late(?![a-z])|forsen|sen(?:t|a)?$|on time|i tid/.test(name.toLowerCase()),
  )
  return when(
    LATE.test(words) &&
      !isNamed &&
      !/"op":"(?:column|subtract)"|"dateDiff"/.test(facts.text) &&
      !isOverdue(facts.text) &&
      !isFlagged,
    'whether it was late',
  )
}
const isOverdue = (text: string): boolean => /"op":"lt"/.test(text) && /"op":"empty"/.test(text)

const BOUGHT = /^(?:inkop|purchas|buying)/
const SAYS_BOUGHT = /\b(?:inkop|kopt|purchas|buy|bought|pay|paid|betal)/
/** "What does a bike cost": what was paid for it says so only where that is asked for. */
export const checkPricesAsked: Check = ({ facts, context: { words, schema } }) => {
  const isBought = facts.measured.some(({ dataset, column }) =>
    schema.column(dataset, column)?.words.some((word) => BOUGHT.test(word)),
  )
  const asks = /\b(?:pris|priset|kosta|kostar|kostade|prices?|costs?)\b/.test(words)
  return when(asks && isBought && !SAYS_BOUGHT.test(words), 'what was paid for it')
}

/** A mean over a sum is a figure of nothing: the more rows, the less of it. */
export const checkMeansOverSums: Check = ({ plan }) =>
  plan.measures.flatMap((measure) =>
    when(
      measure.kind === 'ratio' && isOfColumn(measure.over, 'avg') && isOfColumn(measure.under, 'sum'),
      'a mean over a sum',
    ),
  )
const isOfColumn = (measure: Measure, agg: string): boolean => measure.kind === 'column' && measure.agg === agg

/** "How many jobs does Sven have left": what is left is not all there is. */
export const checkRemaining: Check = ({ context: { words, encoded }, plan, facts }) => {
  const named = new Set(
    encoded.values.flatMap(({ matches }) => matches.map(({ dataset, column }) => `${dataset}.${column}`)),
  )
  const saysMore = conditionsOf(plan).some(({ column }) => !named.has(fieldKey(column)))
  const isNamed = encoded.mentions.some((mention) => /kvar|lager|saldo|rest/.test(mention.words.toLowerCase()))
  return when(/\bkvar\b/.test(words) && !saysMore && facts.negatives === 0 && !isNamed, 'what is left')
}

/** "Average bags per shipment" of lines of shipments: what a whole one comes to, which the average of its lines does not say. */
export const checkAveragesOfWholes: Check = ({ source, plan, context: { home, schema } }) => {
  const isAsked =
    /(?:average|avg|mean|genomsnittligt?|genomsnittliga|snitt) (?:\w+ (?:of )?)?<m\d+>(?: \w+)? (?:per|for each|in each|in an?|i varje|i en) <m\d+>/.test(
      source,
    )
  const isSplitByWhole = plan.dimensions.some(
    ({ field, grain, part }) =>
      grain === undefined &&
      part === undefined &&
      schema.vocabulary.relations.some(
        ({ from, to }) =>
          from.dataset === home.id &&
          ((field.dataset === home.id && field.column === from.key) ||
            (field.dataset === to.dataset && schema.column(to.dataset, field.column)?.isUnique === true)),
      ),
  )
  return when(isOfLines(home) && isAsked && isSplitByWhole, 'an average of lines, or of what they belong to')
}

/** "Number of deliveries per supplier" of which deliveries are read as the supplier: one of each. */
export const checkCountsSplit: Check = ({ plan }) =>
  when(
    plan.measures.some(
      (measure) =>
        measure.kind === 'column' &&
        measure.agg === 'countDistinct' &&
        measure.field !== undefined &&
        plan.dimensions.some(
          ({ field, grain }) => grain === undefined && fieldKey(field) === fieldKey(measure.field ?? field),
        ),
    ),
    'counts what it is split by',
  )
