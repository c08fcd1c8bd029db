import { D, DET, M, Q, type Encoded } from './encoded'
import { ADJECTIVE, ADJECTIVES } from './adjectives'
import { itemOf, replaceMatches } from './replace-matches'
import type { QuestionParts, SortAsk } from './ask'

const SORT =
  '(?:(?<!\\b(?:have|has|had|not|never|who|that|was|were|they|customers|havent|hasnt|we) )(?:please )?(?:and )?(?:order|ordered|ordering|sort|sorted|sorting|rank|ranked|arrange|arranged|sorterat|sortera|sorterad)(?: (?:the |your )?(?:results?|rows|list|them|it|answer|output|these|resultatet))?(?: in)?)'
const DIRECTION =
  '(?:(?: ?,| in| from|\\()* ?(?:the )?(?<dir>ascending|asc|descending|desc|alphabetical|alphabetically|alphabetic|chronological|chronologically|reverse|highest|lowest|largest|smallest|most|least|newest|oldest|latest|earliest|best|worst|stigande|fallande)(?: order| first| (?:to|till) (?:the )?(?:lowest|highest|smallest|largest|least|most|newest|oldest|worst|best))*)'
const sortDirection = (word: string | undefined): 'asc' | 'desc' | null => {
  if (word === undefined) return null
  return /^(asc|alpha|chrono|low|small|least|few|old|earl|worst|stig|farst|lagst|minst|aldst)/.test(word)
    ? 'asc'
    : 'desc'
}

/** "Newest first", where nothing says by what. */
const adjectiveOf = (word: string | undefined): { adjective?: string } =>
  word !== undefined &&
  /^(?:newest|latest|oldest|earliest|highest|lowest|largest|smallest|most|fewest|least|best|worst|flest|farst|hogst|lagst|storst|minst|mest)$/.test(
    word,
  )
    ? { adjective: word }
    : {}

/** "Order the results by name", "from best to lowest rating", "alphabetically". */
export function parseSorts(encoded: Encoded, ask: QuestionParts): void {
  const item = `${DET}(?:${DIRECTION.replace('?<dir>', '?<early>')} )?${DET}(?:value of |number of |first )?(?<by>${M}|${Q}|${D})(?: (?:values?|name|column|count|${M}(?=$| [?.,]| asc| desc| in )))?(?: first(?= ?(?:$|[?.,])))?`
  replaceMatches(
    encoded,
    `(?:, )?${SORT} (?:by|on|from|efter|pa) ${item}${DIRECTION}?(?:(?<then>(?: ,| and| then| and then| then by| by)+ ${DET}${M})${DIRECTION.replace('?<dir>', '?<last>')}?)?`,
    (found) => {
      const { by, dir, early, then, last } = found.groups ?? {}
      // From the smallest on, as any list is sorted; a ranking begins with the largest.
      const isRanking = /\brank/.test(found[0])
      ask.sorts.push({ by: itemOf(by), dir: sortDirection(dir ?? early), ...(isRanking ? { isRanking } : {}) })
      const more = then === undefined ? null : itemOf(new RegExp(M).exec(then)?.[0])
      if (more) ask.sorts.push({ by: more, dir: sortDirection(last ?? dir) })
      // What it is sorted by may be listed as well: it is listed where it stands elsewhere.
      return ' '
    },
  )
  replaceMatches(encoded, `(?:, )?${SORT} (?<by>${D})${DIRECTION}?`, (found) => {
    ask.sorts.push({ by: itemOf(found.groups?.['by']), dir: sortDirection(found.groups?.['dir']) })
    return ' '
  })
  replaceMatches(
    encoded,
    `(?:, )?(?:starting )?from (?:the )?(?<dir>best|highest|most|largest|worst|lowest|least|smallest|newest|oldest|latest|earliest)(?<what> ${DET}(?:${M}|${Q}))? (?:to|till) (?:the )?(?:best|highest|most|largest|worst|lowest|least|smallest|newest|oldest|latest|earliest)(?: (?<also>${M}|${Q}))?(?: first)?`,
    (found) => {
      const { dir, what, also } = found.groups ?? {}
      const by = itemOf(also ?? new RegExp(`${M}|${Q}`).exec(what ?? '')?.[0])
      ask.sorts.push({ by, dir: sortDirection(dir), ...(by === null ? adjectiveOf(dir) : {}) })
      return ` ${what ?? ''} ${also ?? ''} `
    },
  )
  // "From most expensive to cheapest": so that the first of the two comes first.
  encoded.text = encoded.text.replace(
    new RegExp(
      `(?:, |${SORT} )?from (?:the )?((?:most |least )?(?:${ADJECTIVE})) (?:to|till) (?:the )?(?:most |least )?(?:${ADJECTIVE})(?= ?(?:$|[?.,]))`,
    ),
    ' , $1 first',
  )
  replaceMatches(
    encoded,
    `(?:, )?(?:${SORT}|starting(?: with)?|beginning(?: with)?)(?: (?:in|from|with))? ?(?:the )?${DIRECTION}(?: (?:by|of) ${DET}(?<by>${M}|${Q}|${D}))?`,
    (found) => {
      const isAlphabetical = /alphabet/.test(found.groups?.['dir'] ?? '')
      const by = itemOf(found.groups?.['by'])
      ask.sorts.push({
        by,
        dir: sortDirection(found.groups?.['dir']),
        ...(by === null && !isAlphabetical ? adjectiveOf(found.groups?.['dir']) : {}),
      })
      return ' '
    },
  )
  replaceMatches(
    encoded,
    `(?:, )?(?:in )?(?<dir>alphabetical|alphabetically|chronological|ascending|descending)(?: order)?(?: (?:of|by) ${DET}(?<by>${M}|${Q}|${D}))?`,
    (found) => {
      ask.sorts.push({ by: itemOf(found.groups?.['by']), dir: sortDirection(found.groups?.['dir']) })
      return ' '
    },
  )
  replaceMatches(
    encoded,
    `(?:, )?(?:with )?(?:the )?(?<dir>highest|lowest|largest|smallest|biggest|best|worst|top|most|fewest|newest|latest|oldest|flest|farst|hogst|lagst|storst|minst|nyast|aldst|mest)(?: (?<kind>number|count|amount|total|value))?(?<what> ${DET}(?:${M}|${Q}))? (?:first|forst)`,
    (found) => {
      const { dir, what, kind } = found.groups ?? {}
      const by =
        itemOf(new RegExp(`${M}|${Q}`).exec(what ?? '')?.[0]) ?? figureOfKind(encoded, kind) ?? onlyDay(encoded, dir)
      ask.sorts.push({ by, dir: sortDirection(dir), ...(by === null ? adjectiveOf(dir) : {}) })
      return ` ${what ?? ''} `
    },
  )
  // "Most frequent first": what there is most of.
  replaceMatches(
    encoded,
    '(?:, )?(?:the |starting with the )?(?<way>most|least) (?:frequent|common|popular|often) ?(?:ones )?first(?= ?(?:$|[?.,]))',
    (found) => {
      ask.sorts.push({ by: null, dir: found.groups?.['way'] === 'least' ? 'asc' : 'desc', adjective: 'most' })
      return ' '
    },
  )
  replaceMatches(
    encoded,
    `(?:, )?(?:the )?(?<way>most |least )?(?<word>${ADJECTIVE}) first(?= ?(?:$|[?.,]))`,
    (found) => {
      const known = ADJECTIVES[found.groups?.['word'] ?? '']
      const called = encoded.mentions.findIndex(
        ({ words, namesNumber, namesDate }) =>
          (namesNumber || namesDate) && known?.words.some((word) => words.includes(word)) === true,
      )
      const by = called >= 0 ? called : onlyNumber(encoded)
      if (!known || by < 0) return null
      const isTurned = found.groups?.['way']?.startsWith('least') === true
      ask.sorts.push({ by: { kind: 'name', at: by }, dir: isTurned ? 'asc' : known.dir })
      return ' '
    },
  )
  replaceMatches(encoded, '(?:, )?(?:the )?(?<way>most|least) (?<verb>[a-z]{2,}ed) first(?= ?(?:$|[?.,]))', (found) => {
    const { way, verb = '' } = found.groups ?? {}
    ask.sorts.push({ by: null, dir: way === 'least' ? 'asc' : 'desc', adjective: verb })
    return ' '
  })
  replaceMatches(encoded, '(?:, )?starting (?:from|at|with) the top', () => ' ')
  ask.sorts = directed(ask.sorts)
}

/** The only number that is named, by which things are dear or long, whatever it is called. */
function onlyNumber({ mentions }: Encoded): number {
  const numbers = mentions.flatMap(({ namesNumber }, at) => (namesNumber ? [at] : []))
  return numbers.length === 1 ? (numbers[0] ?? -1) : -1
}

/** "By publication year, oldest first": the only day or year that is named. */
function onlyDay({ mentions }: Encoded, dir: string | undefined): SortAsk['by'] {
  const days = mentions.flatMap(({ namesDate }, at) => (namesDate ? [at] : []))
  const isOfTime = /^(?:newest|latest|oldest|earliest|nyast|aldst)$/.test(dir ?? '')
  return isOfTime && days.length === 1 ? { kind: 'name', at: days[0] ?? -1 } : null
}
/** "Highest total first": the only figure that adds up, or that counts. */
function figureOfKind({ figures }: Encoded, kind: string | undefined): SortAsk['by'] {
  if (kind === undefined) return null
  const isMeant = (figure: Encoded['figures'][number]): boolean =>
    /^(?:number|count)$/.test(kind) ? figure.kind === 'count' : figure.kind === 'aggregate' && figure.agg === 'sum'
  const at = figures.findIndex(isMeant)
  return at >= 0 && figures.filter(isMeant).length === 1 ? { kind: 'figure', at } : null
}
/** A direction that stands by itself is that of what was said before; from the smallest on where none is said. */
function directed(sorts: readonly SortAsk[]): SortAsk[] {
  const whole: SortAsk[] = []
  for (const sort of sorts) {
    const before = whole.at(-1)
    const isOnlyDirection = sort.by === null && sort.adjective === undefined && sort.dir !== null
    if (
      before?.by != null &&
      before.dir === null &&
      (isOnlyDirection || (sort.by === null && sort.adjective !== undefined))
    )
      before.dir = sort.dir
    else whole.push({ ...sort })
  }
  return whole.map((sort) =>
    sort.by !== null && sort.by.kind !== 'date' && sort.dir === null && sort.isRanking !== true
      ? { ...sort, dir: 'asc' }
      : sort,
  )
}
