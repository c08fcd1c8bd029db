import { D, DET, M, numberIn, Q, V, type Encoded } from './encoded'
import { itemOf, replaceMatches } from './replace-matches'
import type { QuestionParts, Rank } from './ask'
import { ADJECTIVE, ADJECTIVES } from './adjectives'

const DESC =
  'most|highest|largest|greatest|biggest|maximum|max|best|longest|heaviest|tallest|oldest age|flest|hogst|hogsta|storst|storsta|mest|top'
const ASC = 'least|lowest|smallest|fewest|minimum|min|worst|shortest|lightest|lagst|lagsta|minst|minsta|farst|bottom'
const directionOf = (word: string | undefined): 'asc' | 'desc' =>
  word !== undefined && new RegExp(`^(?:${ASC})$`).test(word) ? 'asc' : 'desc'

const LINK =
  '(?:by|in terms of|based on|according to|when it comes to|measured by|ranked by|efter|pa|sett till|raknat i|matt i)'
const HAVING =
  '(?:with|having|have|has|had|that have|that has|which have|which has|who have|who has|that had|who had|got|get|received|receives|receive|made|make|makes|sold|sells|sell|generated|generates|generate|brought in|recorded|earned|earns|wrote|written|published|placed|did|does|do|spent|offer|offers|produce|produced|produces|the|med|har|hade|drew|took|gets|serves|serve|treated|treats|teaches|teach)'

/** "top 5 states by revenue", "which store sold the most", "the customer with the highest balance". */
export function parseRank(encoded: Encoded, ask: QuestionParts): void {
  const dated = parseDatedRank(encoded)
  if (dated) {
    ask.rank = dated
    return
  }
  const skip = parseOrdinal(encoded)
  const top = parseTop(encoded)
  const key = parseKey(encoded, top)
  if (skip > 0 && key.by === null) parseNumberItself(encoded, key)
  const adjective = key.by === null ? parseAdjective(encoded) : null
  // "The 3 most expensive cars by cost": by what was said already.
  if (key.by !== null)
    encoded.text = encoded.text.replace(new RegExp(`(?:most |least |best |worst )?(?:${ADJECTIVE}) (?=${M})`), '')
  if (!top && key.by === null && !adjective) return
  const rank: Rank = {
    dir: top?.dir ?? 'desc',
    n: top?.n ?? key.n,
    entity: top?.entity ?? key.entity ?? adjective?.entity ?? null,
    by: key.by,
    adjective: adjective?.word ?? null,
    skip,
  }
  if (key.dir !== null && !(top?.isPlain === true && key.dir === 'desc')) rank.dir = key.dir
  if (adjective) rank.dir = adjective.dir
  if (adjective?.n != null) rank.n = adjective.n
  ask.rank = rank
}

const ORDINALS: readonly [RegExp, number][] = [
  [/^(?:second|2nd|nast|andra)$/, 1],
  [/^(?:third|3rd|tredje)$/, 2],
  [/^(?:fourth|4th|fjarde)$/, 3],
  [/^(?:fifth|5th|femte)$/, 4],
]
/** "The second largest": how many are passed over. */
function parseOrdinal(encoded: Encoded): number {
  let skip = 0
  replaceMatches(
    encoded,
    `(?<ord>second|2nd|nast|andra|third|3rd|tredje|fourth|4th|fjarde|fifth|5th|femte) (?:- )?(?<sup>${DESC}|${ASC}|${ADJECTIVE})`,
    (found) => {
      skip = ORDINALS.find(([words]) => words.test(found.groups?.['ord'] ?? ''))?.[1] ?? 0
      return ` ${found.groups?.['sup'] ?? ''} `
    },
  )
  return skip
}
/** "What is the second highest price": the number is ranked, and asked for. */
function parseNumberItself(encoded: Encoded, key: Key): void {
  replaceMatches(
    encoded,
    `^(?<ask>what (?:is|was) |show |give me |vilken ar )?(?:the |den |det )?(?<sup>${DESC}|${ASC}) (?<by>${M})`,
    (found) => {
      const { ask = '', sup, by } = found.groups ?? {}
      if (encoded.mentions[numberIn(by)]?.namesNumber !== true) return null
      key.by = itemOf(by)
      key.dir = directionOf(sup)
      return ` ${ask} ${by ?? ''} `
    },
  )
}

/** "Who was hired first", "which customer registered most recently": the first or last by the day beside it. */
function parseDatedRank(encoded: Encoded): Rank | null {
  let rank: Rank | null = null
  replaceMatches(
    encoded,
    `(?:(?:was|is|were|has been|har|blev) )?(?<by>${M}) (?<end>first|earliest|last|latest|most recently|forst|sist|senast|tidigast)(?= ?(?:$|[?.,]))`,
    (found) => {
      const { by, end = '' } = found.groups ?? {}
      if (encoded.mentions[numberIn(by)]?.namesDate !== true) return null
      rank = {
        dir: /first|earliest|forst|tidigast/.test(end) ? 'asc' : 'desc',
        n: null,
        entity: null,
        by: itemOf(by),
        adjective: null,
        skip: 0,
      }
      return ' '
    },
  )
  replaceMatches(
    encoded,
    `(?:the )?(?<end>most recently|latest|last|first|earliest|senast|forst) (?<by>${M}) (?<entity>${M})`,
    (found) => {
      const { by, end = '', entity } = found.groups ?? {}
      const verb = encoded.mentions[numberIn(by)]
      const isThing = encoded.mentions[numberIn(entity)]?.matches[0]?.ref.kind === 'dataset'
      if (rank !== null || verb?.namesDate !== true || !/(?:ed|d|t|n)$/.test(verb.words) || !isThing) return null
      rank = {
        dir: /first|earliest|forst/.test(end) ? 'asc' : 'desc',
        n: null,
        entity: numberIn(entity),
        by: itemOf(by),
        adjective: null,
        skip: 0,
      }
      return ` ${entity ?? ''} `
    },
  )
  return rank
}
/** "The 3 most cited articles": by the figure that is called after the verb. */
function parseParticiple(encoded: Encoded): AdjectiveRank | null {
  let rank: AdjectiveRank | null = null
  replaceMatches(
    encoded,
    `(?:the )?(?:(?<n>\\d{1,3}) )?(?<way>most|least) (?<verb>[a-z]{2,}ed) (?<entity>${M})`,
    (found) => {
      const { n, way, verb = '', entity } = found.groups ?? {}
      const kind = encoded.mentions[numberIn(entity)]?.matches[0]?.ref.kind
      if (rank !== null || (kind !== 'dataset' && kind !== 'column')) return null
      rank = {
        // What kinds are used most stands in the most rows.
        word: kind === 'column' ? 'popular' : verb,
        dir: way === 'least' ? 'asc' : 'desc',
        n: n === undefined ? null : Number(n),
        entity: numberIn(entity),
      }
      return ` ${entity ?? ''} `
    },
  )
  return rank
}

/** "Who is the best paid": people that nothing names. */
function parseWho(encoded: Encoded): AdjectiveRank | null {
  const found = new RegExp(
    `^(?<who>who|vem) (?:is|are|was|were|ar) (?:the |den |vara |our )?(?:(?<way>most|least|best|highest|worst|lowest) )?(?<word>${ADJECTIVE})(?= |$)`,
  ).exec(encoded.text)
  const { who = '', way, word = '' } = found?.groups ?? {}
  const known = ADJECTIVES[word]
  if (!found || !known || known.words.length === 0) return null
  encoded.text = `${who} ${encoded.text.slice(found[0].length)}`
  const isTurned = way !== undefined && /^(?:least|worst|lowest)$/.test(way)
  return { word, dir: isTurned ? (known.dir === 'asc' ? 'desc' : 'asc') : known.dir, n: null, entity: null }
}

interface Top {
  n: number | null
  dir: 'asc' | 'desc'
  entity: number | null
  /** "top 5", which says no more than "5 of the first". */
  isPlain: boolean
}
function parseTop(encoded: Encoded): Top | null {
  let top: Top | null = null
  const set = (n: string | undefined, word: string | undefined, entity: string | undefined): void => {
    top ??= {
      n: n === undefined ? null : Number(n),
      dir: directionOf(word),
      entity: entity === undefined ? null : numberIn(entity),
      isPlain: true,
    }
  }
  // "Which 3 customers had the highest amount" are the three highest.
  encoded.text = encoded.text.replace(
    new RegExp(
      `^((?:which|what|vilka|list|show|name|find|return|give|visa|lista)(?: me)?(?: the| de)? )(\\d{1,3}) (${M}(?: \\S+){0,6} )(?=(?:${DESC}|${ASC}) )`,
    ),
    '$1 top $2 $3 ',
  )
  replaceMatches(
    encoded,
    `(?:only |just )?(?:show|list|return|include|keep|visa)(?: me)?(?: only| just| bara| endast)? (?:the |de )?(?:top )?(?<n>\\d{1,3}) (?<dir>largest|biggest|highest|smallest|lowest|top|best|storsta|minsta|hogsta|lagsta)(?: ones)?(?= ?(?:$|[?.]))`,
    (found) => {
      const isLeast = /^(?:small|low|min|lag)/.test(found.groups?.['dir'] ?? '')
      set(found.groups?.['n'], isLeast ? 'lowest' : 'highest', undefined)
      return ' '
    },
  )
  const selling = '(?:performing |selling |rated |ranked |ranking |ranking |most popular |popular |frequent |common )*'
  replaceMatches(
    encoded,
    `(?<dir>top|bottom|best|worst|topp) (?<n>\\d{1,4}) (?:best |most |highest |worst |lowest )?${selling}(?:${V} )?(?<kind>(?!(?:${ADJECTIVE}) |[a-z]+ed |by |in |and |for |of |on |from |with |per |i |och |per |efter )[a-z]{3,} (?=${M}))?(?<entity>${M})?`,
    (found) => {
      set(found.groups?.['n'], found.groups?.['dir'], found.groups?.['entity'])
      return ` ${new RegExp(V).exec(found[0])?.[0] ?? ''} ${found.groups?.['kind'] ?? ''} ${found.groups?.['entity'] ?? ''} `
    },
  )
  if (top === null)
    replaceMatches(
      encoded,
      `(?<n>\\d{1,3}) (?<dir>best|worst|highest|lowest|largest|smallest|biggest|top|bottom|most|least|storsta|hogsta|lagsta|minsta|basta|samsta)(?= )`,
      (found) => {
        set(found.groups?.['n'], found.groups?.['dir'], undefined)
        return ` ${found.groups?.['dir'] ?? ''} `
      },
    )
  // "The 5 students with the most credits".
  if (top === null)
    replaceMatches(
      encoded,
      `(?<n>\\d{1,3}) (?<entity>${M})(?= (?:with|by|having|that have|who have|which have) (?:the |their )?(?:${DESC}|${ASC}) )`,
      (found) => {
        set(found.groups?.['n'], undefined, found.groups?.['entity'])
        return ` ${found.groups?.['entity'] ?? ''} `
      },
    )
  if (top === null)
    replaceMatches(
      encoded,
      `(?<dir>top|bottom|best|worst|topp) ${selling}(?<entity>${M})(?= (?:by|in terms|based on|according|for))`,
      (found) => {
        set(undefined, found.groups?.['dir'], found.groups?.['entity'])
        return ` ${found.groups?.['entity'] ?? ''} `
      },
    )
  return top
}

/** "Shortest article by pages": the adjective only says which end. */
function parseRankedBy(encoded: Encoded, set: (found: RegExpExecArray, keep: string) => string | null): void {
  replaceMatches(
    encoded,
    `(?:the )?(?<way>most |least )?(?<sup>${DESC}|${ASC}|${ADJECTIVE}) (?<entity>${M})(?<where> (?:in|of|from|at|i) (?:the )?${V})? ${LINK} ${DET}(?:number of )?(?<by>${Q}|${M})`,
    (found) => set(found, ` ${found.groups?.['entity'] ?? ''}${found.groups?.['where'] ?? ''} `),
  )
}

interface Key {
  by: Rank['by']
  dir: 'asc' | 'desc' | null
  n: number | null
  entity: number | null
}
function parseKey(encoded: Encoded, top: Top | null): Key {
  const key: Key = { by: null, dir: null, n: null, entity: null }
  const superlative = `(?<sup>${DESC}|${ASC})(?: (?:number|amount|count|quantity|total|value|overall|combined|antal))*(?: of)?`
  const set = (found: RegExpExecArray, keep: string): string | null => {
    if (key.by !== null || isAdjectiveOf(encoded, found)) return null
    key.by = itemOf(found.groups?.['by'])
    key.dir = found.groups?.['sup'] === undefined ? null : directionOf(found.groups['sup'])
    return keep
  }
  if (top) {
    replaceMatches(
      encoded,
      `${LINK} ${DET}(?:${superlative} ${DET})?(?<by>${Q}|${M})(?: (?:value|amount|figures?))?`,
      (found) => set(found, ' '),
    )
  } else
    parseRankedBy(encoded, (found, keep) => {
      if (key.by !== null) return null
      const { by, sup = '', entity } = found.groups ?? {}
      key.by = itemOf(by)
      key.dir = ADJECTIVES[sup]?.dir ?? directionOf(sup)
      if (found.groups?.['way'] === 'least ') key.dir = key.dir === 'asc' ? 'desc' : 'asc'
      key.entity = numberIn(entity)
      return keep
    })
  // "which author has the most papers": the figure ranks, and stands in no list.
  replaceMatches(
    encoded,
    `(?:(?:that|which|who) )?${HAVING} (?:the |its |their |his |her )?(?:overall )?${superlative} ${DET}(?<by>${Q}|${M})`,
    (found) => set(found, ' '),
  )
  replaceMatches(
    encoded,
    `(?:(?:har|hade|som|har [a-z]+) )?(?:[a-z]{3,} )?(?<sup>flest|mest|storst|hogst|minst|lagst|farst) (?:antal )?(?<by>${Q}|${M})`,
    (found) => set(found, ' '),
  )
  // "On which day are most cases created".
  replaceMatches(
    encoded,
    `(?:are|is|were|was|do|does|did) (?:the )?(?<sup>most|fewest|least) (?:of (?:the |our )?)?(?<by>${M})(?: (?:[a-z]+(?:ed|en|d|t)|${M}))?(?= ?(?:$|[?.,]))`,
    (found) => set(found, ' '),
  )
  replaceMatches(
    encoded,
    `(?<entity>${M}) (?:of|in|by|for|at) (?:the )?${superlative} ${DET}(?<by>${Q}|${M})`,
    (found) => set(found, ` ${found.groups?.['entity'] ?? ''} `),
  )
  replaceMatches(encoded, `(?:the )?${superlative} ${DET}(?<by>${Q})`, (found) => set(found, ' '))
  // "Which treatment took the longest? Return the number of days from start to end".
  const lasting = encoded.figures.findIndex(({ kind }) => kind === 'duration' || kind === 'span' || kind === 'lasting')
  if (lasting >= 0 && key.by === null)
    replaceMatches(
      encoded,
      '(?:(?:that|which|som) )?(?:took|takes|lasted|lasts|tog|tar|varade) (?:the )?(?<way>longest|shortest|langst|kortast)(?: (?:time|tid))?',
      (found) => {
        key.by = { kind: 'figure', at: lasting }
        key.dir = /^(?:short|kort)/.test(found.groups?.['way'] ?? '') ? 'asc' : 'desc'
        return ' '
      },
    )
  replaceMatches(encoded, `(?:with|having|has|have|had) (?:the )?(?<by>${Q})`, (found) => {
    const figure = encoded.figures[numberIn(found.groups?.['by'])]
    if (figure?.kind !== 'duration' || (figure.agg !== 'min' && figure.agg !== 'max')) return null
    const kept = set(found, ' ')
    key.dir = figure.agg === 'min' ? 'asc' : 'desc'
    return kept
  })
  return key
}

/** "Which is the highest mountain": the word ranks mountains by what they measure, and counts none. */
function isAdjectiveOf(encoded: Encoded, { 0: whole, groups = {} }: RegExpExecArray): boolean {
  const text = whole.replace(/^(?:that|which|who) /, '')
  const ref = encoded.mentions[numberIn(groups['by'])]?.matches[0]?.ref
  const isCounted =
    /\b(?:number|amount|count|quantity|total|antal)\b/.test(text) ||
    !/(?:^|(?:of|in|for|by|at|is|are|was|were) )(?:the )?\S+ <m\d+>$/.test(text)
  return (
    !isCounted &&
    (ref?.kind === 'dataset' || /\bnames?$/.test(encoded.mentions[numberIn(groups['by'])]?.words ?? '')) &&
    groups['sup'] !== undefined &&
    groups['sup'] in ADJECTIVES &&
    groups['by']?.startsWith('<m') === true
  )
}

interface AdjectiveRank {
  word: string
  dir: 'asc' | 'desc'
  n: number | null
  entity: number | null
}
function parseAdjective(encoded: Encoded): AdjectiveRank | null {
  let rank: AdjectiveRank | null = null
  // "Which product is the most expensive": the adjective stands behind what it ranks.
  const behind = new RegExp(
    `(?<entity>${M})((?: (?:in|of|from|at) (?:the )?${V}| ${V}| (?:in|of|from|at) (?:the )?${M})*) (?:is|are|was|were|ar) (?:the |den |det )?(?<how>(?:(?:most|least|best|highest|worst|lowest) )?(?:${ADJECTIVE}))(?= [?.,]|$| ${D}| (?:at|in|for|among|on|during|i|pa|under) )`,
  )
  encoded.text = encoded.text.replace(behind, (whole, entity: string, place: string, ...rest: unknown[]) => {
    const how = rest.find((each) => typeof each === 'string' && new RegExp(ADJECTIVE).test(each))
    return typeof how === 'string' ? `the ${how} ${entity} ${place}` : whole
  })
  replaceMatches(
    encoded,
    `(?:the )?(?:(?<n>\\d{1,3}) )?(?:(?<way>most|least|best|highest|worst|lowest|top) )?(?<word>${ADJECTIVE})(?: selling)? (?:\\d+ )?(?:(?:types?|kinds?|sorts?|typ|sort) (?:of|av) )?(?<kind>(?:${V} )*)(?<entity>${M})`,
    (found) => {
      const { n, way, word = '', kind = '', entity } = found.groups ?? {}
      const known = ADJECTIVES[word]
      const needsWay =
        /^(expensive|costly|valuable|recent|populous|populated|rated|paid|popular|common|frequent)$/.test(word)
      // "The largest refunded payment" may be the payment, or its amount.
      const isAmountToo = kind !== '' && /^(?:largest|biggest|smallest|storsta|minsta|highest|lowest)$/.test(word)
      if (rank !== null || !known || isAmountToo || (needsWay && way === undefined)) return null
      const isTurned = way !== undefined && /^(least|worst|lowest)$/.test(way)
      rank = {
        word,
        dir: isTurned ? (known.dir === 'asc' ? 'desc' : 'asc') : known.dir,
        n: n === undefined ? null : Number(n),
        entity: numberIn(entity),
      }
      return ` ${kind}${entity ?? ''} `
    },
  )
  return rank ?? parseWho(encoded) ?? parseParticiple(encoded)
}
