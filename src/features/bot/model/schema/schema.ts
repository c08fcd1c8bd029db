import { labelWords, looseStemOf, stemOf } from '../language/words'
import { ABBREVIATIONS } from '../language/synonyms'
import { followedEdges, shortestPaths, type FollowedPath } from '../../../../shared/query/relation-paths'
import type { Vocabulary, VocabularyColumn, VocabularyDataset } from '../contract'
import type { Scalar } from '../../../../shared/query/plan'
import type { ColumnKey } from '../../../../shared/data-sources/files'

/** A column as questions see it. */
export interface SchemaColumn {
  dataset: string
  key: ColumnKey
  source: VocabularyColumn
  /** Of its heading, without what all headings of the table begin with. */
  words: string[]
  isNumeric: boolean
  isDate: boolean
  isText: boolean
  /** Names or joins rows: never added up. */
  isKey: boolean
  /** Says what a row is called. */
  isName: boolean
  /** Figures that add up to something. */
  isAdditive: boolean
  isMoney: boolean
  /** Each value stands in one row. */
  isUnique: boolean
}
export interface SchemaDataset {
  id: string
  source: VocabularyDataset
  words: string[]
  columns: SchemaColumn[]
}
export interface Schema {
  vocabulary: Vocabulary
  datasets: SchemaDataset[]
  dataset(id: string): SchemaDataset | undefined
  column(dataset: string, key: ColumnKey): SchemaColumn | undefined
  /** The relations from the rows of one dataset to the one row of another; null when none lead there. */
  path(from: string, to: string): FollowedPath | null
  /** Relations apart, whichever way; null when they do not meet. */
  distance(one: string, two: string): number | null
}

const KEY_WORDS = new Set(['id', 'uuid', 'guid', 'key', 'code', 'nr', 'no', 'number', 'kod', 'nummer', 'uid', 'pk'])
/** What is numbered one by one, so that a number of it names it. */
const NUMBERED =
  /^(?:order|invoice|room|house|street|phone|seat|floor|account|customer|ticket|flight|track|page|line|item|row|card|serial|model|part|lot|unit|version|policy|case|registration)$/
const NAME_WORDS = new Set(['name', 'title', 'namn', 'titel', 'label', 'benamning'])
const MONEY_WORDS =
  /^(revenue|sales?|amount|price|total|value|cost|costs|fee|fees|premium|turnover|income|profit|payment|spend|salary|wage|budget|balance|charge|commission|tax|omsattning|belopp|pris|intakt|intakter|kostnad|forsaljning|summa|lon|subtotal|paid|betalt|betald|betalat|hyra|rent|deposit|avgift|arvode|debet|kredit|debit|credit|mrr|arr|totalt|totalpris|totalsumma|reserve|loss|expense|net|gross|netto|brutto|bonus|discount)$/
const NOT_ADDITIVE =
  /^(price|pris|rate|percent|percentage|pct|share|ratio|rating|score|grade|gpa|age|alder|year|ar|month|day|week|lat|latitude|long|lng|lon|longitude|zip|postal|phone|level|rank|order|index|average|avg|mean|median|unit|per|balance|saldo|temperature|margin|bmi|height|weight|density|elevation|altitude|betyg|severity|version|number|hour|minute)$/
const ATTRIBUTE_WORDS =
  /^(zip|postal|postcode|phone|fax|mobile|ssn|isbn|year|month|day|week|quarter|lat|latitude|lng|lon|longitude)$/

export function schemaOf(vocabulary: Vocabulary): Schema {
  const joins = joinKeysOf(vocabulary)
  const common = commonFirstWords(vocabulary.datasets.map(({ name }) => labelWords(name)))
  const datasets = vocabulary.datasets.map((source) => datasetOf(source, common, joins))
  const byId = new Map(datasets.map((dataset) => [dataset.id, dataset]))
  const byColumn = new Map(
    datasets.flatMap(({ columns }) => columns.map((each) => [`${each.dataset}.${each.key}`, each])),
  )
  const paths = new Map<string, FollowedPath | null>()
  const path = (from: string, to: string): FollowedPath | null => {
    const key = `${from}>${to}`
    const known = paths.get(key)
    if (known !== undefined) return known
    const found = shortestPaths(vocabulary.relations, { from, to, least: 0 })
    // Of several equally short ways the field has to name one: the first stands for what is meant mostly.
    paths.set(key, found[0] ?? null)
    return found[0] ?? null
  }
  return {
    vocabulary,
    datasets,
    dataset: (id) => byId.get(id),
    column: (dataset, key) => byColumn.get(`${dataset}.${key}`),
    path,
    distance: distancesOf(vocabulary),
  }
}

function distancesOf({ relations }: Vocabulary): Schema['distance'] {
  const neighbours = new Map<string, Set<string>>()
  const link = (one: string, two: string) => neighbours.set(one, (neighbours.get(one) ?? new Set()).add(two))
  for (const { from, to } of followedEdges(relations)) {
    link(from.dataset, to.dataset)
    link(to.dataset, from.dataset)
  }
  const known = new Map<string, Map<string, number>>()
  return (one, two) => {
    const found = known.get(one) ?? breadthFirst(one, neighbours)
    known.set(one, found)
    return found.get(two) ?? null
  }
}
function breadthFirst(start: string, neighbours: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const seen = new Map([[start, 0]])
  for (const [here, hops] of seen)
    for (const next of neighbours.get(here) ?? []) if (!seen.has(next)) seen.set(next, hops + 1)
  return seen
}

const joinKeysOf = ({ relations }: Vocabulary): ReadonlySet<string> =>
  new Set(
    relations.flatMap(({ from, to, further = [] }) => [
      `${from.dataset}.${from.key}`,
      `${to.dataset}.${to.key}`,
      ...further.flatMap((pair) => [`${from.dataset}.${pair.from}`, `${to.dataset}.${pair.to}`]),
    ]),
  )

const PREFIXES = new Set(['raw', 'stg', 'stage', 'dim', 'fact', 'fct', 'tbl', 'src', 'dw', 'vw', 'mart'])
/** First words that most names begin with: `sbCustomer`, `sbTicker` → `sb`. */
function commonFirstWords(names: readonly string[][]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const [first, second] of names)
    if (first !== undefined && second !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  const common = [...counts].filter(([word, count]) => word.length <= 5 && count >= 3 && count >= names.length * 0.6)
  return new Set([...PREFIXES, ...common.map(([word]) => word)])
}
const withoutPrefix = (words: string[], prefixes: ReadonlySet<string>): string[] => {
  const [first, ...rest] = words
  return first !== undefined && rest.length > 0 && prefixes.has(first) ? rest : words
}

function datasetOf(
  source: VocabularyDataset,
  prefixes: ReadonlySet<string>,
  joins: ReadonlySet<string>,
): SchemaDataset {
  const words = withoutPrefix(labelWords(source.name), prefixes)
  const labels = source.columns.map(({ label }) => withoutPrefix(labelWords(label), prefixes))
  const own = commonColumnPrefix(labels)
  const columns = source.columns.map((column, i) => {
    const plain = labels[i] ?? []
    return columnOf(source, column, { words: withBounds(withoutPrefix(plain, own).flatMap(partsOfHeading)), joins })
  })
  return { id: source.id, source, words, columns }
}
const HEADING = /^(\p{L}{3,}?)s?(nr|nummer|datum|pris|belopp|summa|kostnad|namn|kod)$/u
/** A Swedish heading in one word says what it is by its end: "Ordernr", "Styckpris". */
const partsOfHeading = (word: string): string[] =>
  PERSON_NAME.test(word) ? [word] : (HEADING.exec(word)?.slice(1) ?? [word])
/** "Anställd fr o m", "Giltig t o m": since when and until when. */
const withBounds = (words: string[]): string[] => {
  const end = words.slice(-3).join(' ')
  const bound = /^(?:fr|from) o m$/.test(end) ? 'start' : /^t(?:ill)? o m$/.test(end) ? 'slut' : null
  return bound === null || words.length < 4 ? words : [...words.slice(0, -3), bound]
}
const PERSON_NAME = /^(?:for|efter|mellan|smek|till)namn$/

/** A first word of nearly all headings of one table says nothing: `cust_name, cust_city`. */
function commonColumnPrefix(labels: readonly string[][]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const [first] of labels) if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  return new Set([...counts].flatMap(([word, count]) => (count >= 4 && count >= labels.length * 0.6 ? [word] : [])))
}

const isPersonHeading = (word: string): boolean =>
  /^(?:manager|agent|seller|salesperson|salesman|employee|consultant|technician|mechanic|driver|owner|doctor|teacher|instructor|handler|assignee|rep|\p{L}*(?:ledare|saljare|ansvarig|handlaggare|chef|konsult|tekniker|forare|larare|lakare))$/u.test(
    word,
  )

function columnOf(
  table: VocabularyDataset,
  source: VocabularyColumn,
  { words, joins }: { words: string[]; joins: ReadonlySet<string> },
): SchemaColumn {
  const plain = words.map((word) => ABBREVIATIONS[word] ?? word).flatMap((word) => word.split(' '))
  const last = plain.at(-1) ?? ''
  const isNumeric = source.type === 'integer' || source.type === 'number'
  const isJoin = joins.has(`${table.id}.${source.key}`)
  // `citation_num`: how many there are, which no sequence of numbers is.
  const isCounted =
    isNumeric &&
    !isJoin &&
    words.length > 1 &&
    words.at(-1) === 'num' &&
    !NUMBERED.test(words.at(-2) ?? '') &&
    (source.distinct ?? table.rowCount) < table.rowCount
  const isKey =
    isJoin ||
    // A number that is called after a person is that of somebody.
    (source.type === 'integer' && isPersonHeading(words.at(-1) ?? '')) ||
    (source.role === 'id' && !isCounted) ||
    (!isCounted &&
      KEY_WORDS.has(words.at(-1) ?? '') &&
      !/^(number|no)$/.test(words[0] ?? '') &&
      source.role !== 'measure')
  const isMoney =
    source.format.style === 'currency' || (isNumeric && plain.some((word) => MONEY_WORDS.test(stemOf(word))))
  const isAttribute = plain.some((word) => ATTRIBUTE_WORDS.test(word))
  return {
    dataset: table.id,
    key: source.key,
    source,
    words,
    isNumeric,
    isDate: source.type === 'date' || source.type === 'datetime',
    isText: source.type === 'text',
    isKey,
    isName: source.type === 'text' && (NAME_WORDS.has(last) || /\p{L}{3}(?:namn|name)$/u.test(last)),
    isAdditive:
      isNumeric &&
      !isKey &&
      !isAttribute &&
      !source.label.includes('%') &&
      // `num_votes` counts what follows; a number alone tells rows apart.
      !plain.some(
        (word, i) =>
          NOT_ADDITIVE.test(word) &&
          !(word === 'number' && (isCounted || (i === 0 && plain.length > 1))) &&
          // The total price of a row adds up; the price of a piece does not.
          !(/^(?:price|pris)$/.test(word) && /^(?:total|totalt|totala|line|row)$/.test(plain[i - 1] ?? '')) &&
          !(/^(?:price|pris)$/.test(word) && /^(?:paid|betalt|betald)$/.test(plain[i + 1] ?? '')),
      ),
    isMoney: isMoney && !isKey && !isAttribute,
    isUnique: table.rowCount > 1 && source.distinct === table.rowCount,
  }
}

const YES = /^(?:yes|ja|true|y|1)$/i
const NO = /^(?:no|nej|false|n|0)$/i
export const yesNoValues = ({ source: { values = [] } }: SchemaColumn, isYes: boolean): Scalar[] =>
  values.filter((value) => (isYes ? YES : NO).test(String(value)))
/** Whether a column holds only yes and no. */
export const isYesNo = (column: SchemaColumn): boolean =>
  column.source.type === 'boolean' ||
  (column.isText &&
    (column.source.distinct ?? 9) <= 2 &&
    yesNoValues(column, true).length + yesNoValues(column, false).length === column.source.distinct)

/** What a phrase is looked up by: its words without spaces, so that "check-ins" meets `checkin`. */
export function keysOf(words: readonly string[]): { exact: string; stem: string; loose: string } {
  const last = words.at(-1) ?? ''
  const first = words.slice(0, -1).join('')
  return { exact: first + stemOf(last), stem: words.map(stemOf).join(''), loose: first + looseStemOf(last) }
}
