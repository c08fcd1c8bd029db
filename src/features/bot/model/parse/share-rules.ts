import { DET, M, marksIn, numberIn, refersTo, V } from './encoded'
import { isDefined, named, rule, type Rule } from './over-time-rules'

const LARGEST = '(?:largest|biggest|top|best|storsta|basta|frameste)'
const PART_OF =
  '(?:how much|(?:what|which) (?:share|part|percentage|percent|proportion|fraction)|(?:the )?(?:share|percentage|proportion)|hur mycket|hur stor (?:andel|del)|(?:vilken )?(?:andel|andelen)) (?:of|av) (?:the |our |var |vara |den |all |total |totala |hela )*'
/** "How much of sales comes from the 5 largest customers?" */
const topShare: Rule['read'] = ({ groups = {} }) => ({
  kind: 'topShare',
  of: named(groups['of'] ?? ''),
  by: numberIn(groups['by']),
  n: Number(groups['n'] ?? groups['m']),
})
/** "What share of the logged time": the part of a figure that has been read. */
export const SHARES_OF_FIGURES: readonly Rule[] = [
  rule(`${PART_OF}(?<of><q\\d+>)`, ({ groups = {} }, { figures }) => {
    const of = figures[numberIn(groups['of'])]
    return of?.kind === 'lasting' ? { kind: 'share', of, percent: true, values: [] } : null
  }),
]
/** What part something is of a whole. */
export const SHARES: readonly Rule[] = [
  // "Churned rate": of what has a day for it, or says yes or no.
  rule(`(?:the )?(${M}) (?:rate|rates)(?: (?:of|for|among|in) ${DET}(${M}))?(?! (?:to|and) )`, (found, encoded) => {
    const [at, things] = [numberIn(found[1]), found[2] === undefined ? null : numberIn(found[2])]
    const mention = encoded.mentions[at]
    const isFlag =
      mention?.namesYesNo === true || (mention?.namesDate === true && /[a-z]{3}(?:ed|t|ad|d)$/.test(mention.words))
    if (!isFlag || (things !== null && !refersTo(encoded, things, 'dataset'))) return null
    const of = { kind: 'count' as const, of: things, distinct: false }
    return { kind: 'share', of, percent: true, values: [], flags: [{ of: at, isEmpty: false }] }
  }),
  // "The success rate of transactions", "no-show rate".
  rule(`(?:the )?(${V}) (?:rate|rates|ratio)(?: (?:of|for|among|in) ${DET}(${M}))?(?! (?:to|and) )`, (found, encoded) =>
    found[2] === undefined || refersTo(encoded, numberIn(found[2]), 'dataset')
      ? {
          kind: 'share',
          of: { kind: 'count', of: found[2] === undefined ? null : numberIn(found[2]), distinct: false },
          percent: true,
          values: marksIn(found[1] ?? '', 'v'),
        }
      : null,
  ),
  rule(
    `${PART_OF}(?<of>${M}) (?:[a-z]+ ){0,3}?(?:de |the |our |vara )*(?:(?<n>\\d{1,3}) ${LARGEST}|${LARGEST} (?<m>\\d{1,3})) (?<by>${M})(?: (?:for|stands? for|account(?:s|ed)? for|make up))?`,
    topShare,
  ),
  // "The percentage of cancelled trips": the value says which part.
  rule(
    `(?:the )?(?:(?:share|percentage|percent|proportion|andel|andelen) (?:of|av)|andel|andelen) ${DET}((?:${V} (?:(?:and|or|och|eller) )?)+)(${M})(?! (?:that|which|who|are|were|is|som))`,
    (found, encoded) =>
      refersTo(encoded, numberIn(found[2]), 'dataset') || encoded.mentions[numberIn(found[2])]?.namesDate === true
        ? {
            kind: 'share',
            // "Cancelled times": of the rows that have such a time.
            of: {
              kind: 'count',
              of: refersTo(encoded, numberIn(found[2]), 'dataset') ? numberIn(found[2]) : null,
              distinct: false,
            },
            percent: true,
            values: marksIn(found[1] ?? '', 'v'),
          }
        : null,
  ),
  // "The share of complaints per shop": a kind of these rows.
  rule(
    `(?:the )?(?:(?:share|percentage|percent|proportion|andel|andelen) (?:of|av)|andel|andelen) ${DET}(${V})(?= ?(?:$|[?.,]|(?:per|by|for each|i|in|under|during|efter) |<d))`,
    (found) => ({
      kind: 'share',
      of: { kind: 'count', of: null, distinct: false },
      percent: true,
      values: marksIn(found[1] ?? '', 'v'),
    }),
  ),
  rule(`(?:the )?(?:(?:share|percentage|percent|proportion) of|andel(?:en)?(?: av)?) ${DET}(${M})`, (found, encoded) =>
    refersTo(encoded, numberIn(found[1]), 'dataset')
      ? { kind: 'share', of: { kind: 'count', of: numberIn(found[1]), distinct: false }, percent: true, values: [] }
      : null,
  ),
  // "What share of customers are in Leeds": those that a heading of the rows names.
  rule(
    `(?:(?:hur stor|what|which) )?(?:the )?(?:(?:share|percentage|percent|proportion) of|andel(?:en)? av) ${DET}(${M})(?= (?:finns|ar|bor|are|is|live|come|kommer) (?:in|i|from|fran) <v)`,
    (found, encoded) =>
      encoded.mentions[numberIn(found[1])]?.namesNumber !== true &&
      encoded.mentions[numberIn(found[1])]?.namesDate !== true
        ? { kind: 'share', of: { kind: 'count', of: numberIn(found[1]), distinct: true }, percent: true, values: [] }
        : null,
  ),
  rule(
    `(?:(?:hur stor|what|which|vilken) )?(?:the )?(?:(?:share|percentage|percent|proportion|andel|andelen|(?<=hur stor )del|(?<=what )part) (?:of|av)|andel|andelen) (?:the |our |all |var |hela )?(?:total |overall |all |totala |[a-z]{3,}ed )?(${M})`,
    (found, encoded) =>
      isDefined(encoded, numberIn(found[1]))
        ? { kind: 'share', of: named(found[1] ?? ''), percent: true, values: [] }
        : encoded.mentions[numberIn(found[1])]?.namesNumber === true
          ? { kind: 'share', of: { kind: 'aggregate', agg: 'sum', of: numberIn(found[1]) }, percent: true, values: [] }
          : null,
  ),
]
