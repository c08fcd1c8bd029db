import { foldText } from '../../../../shared/bot/fold-text'
import { editDistance, labelWords, typosAllowed } from '../language/words'
import { isDenialOf } from '../language/antonyms'
import { ABBREVIATIONS, synonymsOf } from '../language/synonyms'
import { translationsOf } from '../language/translations'
import { businessTerms } from './business-terms'
import { withoutTaxNote } from './money'
import { addInvoiced, addRevenue } from './money-names'
import { isStockLevel } from './quantity'
import { isAmountWord } from '../language/business-words'
import { namedByDeed } from './deed-names'
import { onlyPeople } from './people'
import { keysOf, schemaOf, type Schema, type SchemaColumn, type SchemaDataset } from './schema'
import { wordTable } from '../../../../lib/word-table'
import type { Put, Ref } from './ref'
import type { GlossaryEntry, Vocabulary } from '../contract'

/** `score`: 1 = it is called exactly that; less for a part of its name, another word for it, or a typo. */
export interface LexiconMatch {
  ref: Ref
  score: number
}
export interface Lexicon {
  schema: Schema
  /** Words of the longest name. */
  longest: number
  find(words: readonly string[]): LexiconMatch[]
  /** Names that are spelt nearly like a word that nothing is called. */
  similar(word: string): LexiconMatch[]
}

const refKey = (ref: Ref): string => JSON.stringify(ref)

/** Words that alone do not say which column is meant: every table has a name and a date. */
const GENERIC = new Set(
  'name id date type code number no nr text value amount status key description title count total time year month day first last total average per of is and the in to by for at on'.split(
    ' ',
  ),
)
/** Units that headings end with: they say how it is counted, and name nothing. */
const UNITS = new Set(
  'km km2 m m2 m3 cm mm kg g l usd eur sek gbp kr min minutes hrs hours days pct percent'.split(' '),
)
/** Words of headings that need not be said. */
const FILLERS = new Set(['of', 'the', 'is', 'a', 'in', 'to', 'by', 'for', 'at', 'on', 'av', 'for', 'i'])

const built = new WeakMap<Vocabulary, Lexicon>()
/** The names of a workspace, ready to be looked up; kept as long as its vocabulary is. */
export function lexiconOf(vocabulary: Vocabulary): Lexicon {
  const known = built.get(vocabulary)
  if (known) return known
  const lexicon = buildLexicon(vocabulary)
  built.set(vocabulary, lexicon)
  return lexicon
}

/** So well something must be called by a word for the word to be taken. */
const NAMED_SCORE = 0.8
function buildLexicon(vocabulary: Vocabulary): Lexicon {
  const schema = schemaOf(vocabulary)
  const entries = new Map<string, Map<string, LexiconMatch>>()
  let longest = 1
  const put = (words: readonly string[], ref: Ref, score: number): void => {
    if (words.length === 0) return
    longest = Math.max(longest, Math.min(words.length + 1, 6))
    const { exact, stem, loose } = keysOf(words)
    const ways: [string, number][] = [
      [exact, score],
      [stem, score],
      [loose, score - 0.04],
    ]
    for (const [key, weight] of ways) {
      const of = entries.get(key) ?? new Map<string, LexiconMatch>()
      const id = refKey(ref)
      if ((of.get(id)?.score ?? 0) < weight) of.set(id, { ref, score: weight })
      entries.set(key, of)
    }
  }
  for (const dataset of schema.datasets) addDataset(dataset, put)
  addCustomers(schema, put)
  const people = onlyPeople(schema)
  if (people)
    for (const word of ['people', 'person', 'personer', 'persons'])
      put([word], { kind: 'dataset', dataset: people.id }, 0.78)
  addWorkspaceNames(vocabulary, put)
  const isNamed = (word: string): boolean => {
    const { exact, stem } = keysOf(word.split(' '))
    return [exact, stem].some((key) =>
      [...(entries.get(key)?.values() ?? [])].some(
        ({ ref, score }) => score >= NAMED_SCORE && !(ref.kind === 'dataset' && isAmountWord(word)),
      ),
    )
  }
  for (const entry of businessTerms(schema, isNamed)) addBusinessTerm(entry, put)
  addBooks(vocabulary.books ?? [], isNamed, put)
  raiseOnly(entries)
  const lists = new Map([...entries].map(([key, of]) => [key, [...of.values()].toSorted((a, b) => b.score - a.score)]))
  return { schema, longest, find: finder(lists, schema), similar: (word) => similarTo(lists, word) }
}

const expanded = (words: readonly string[]): string[] =>
  words.flatMap((word) => (ABBREVIATIONS[word] ?? word).split(' '))

function addDataset(dataset: SchemaDataset, put: Put): void {
  const ref: Ref = { kind: 'dataset', dataset: dataset.id }
  put(dataset.words, ref, 1)
  put(labelWords(dataset.source.name), ref, 1)
  put(expanded(dataset.words), ref, 0.97)
  for (const name of dataset.source.synonyms ?? []) put(labelWords(name), ref, 0.95)
  // One of the words of a longer name: "payments" of `payments_received`.
  if (dataset.words.length > 1)
    for (const word of dataset.words) if (!GENERIC.has(word) && word.length > 2) put(expanded([word]), ref, 0.72)
  for (const column of dataset.columns) addColumn(column, dataset, put)
  for (const name of namesOfRows(dataset)) put([name], ref, 0.93)
  // Rows that hold the number of what they belong to are lines of it.
  if (dataset.columns.some(isNumberOfLines))
    for (const word of dataset.words.length === 1 ? dataset.words : []) {
      for (const end of ['rad', 'rader']) put([`${word}${end}`], ref, 0.9)
      for (const end of ['lines', 'rows']) put([word, end], ref, 0.9)
    }
  addPersonName(dataset, ref, put)
  addThingName(dataset, put)
  addRevenue(dataset, put)
  addInvoiced(dataset, put)
}

/** What headings call the rows of their table: "Kund-ID" and "Kund sedan" of a register whose own name says nothing of it. */
const namesOfRows = ({ columns }: SchemaDataset): string[] =>
  columns.flatMap(({ words: [name = '', second = '', more], isKey, isUnique, isDate }) => {
    const isNumber = isKey && isUnique && /^(?:id|no|nr|number|nummer)$/.test(second)
    const isSince = isDate && /^(?:since|sedan)$/.test(second)
    return more === undefined && name.length > 2 && !GENERIC.has(name) && (isNumber || isSince) ? [name] : []
  })

const COMPANIES = /^(?:company|companies|organi[sz]ations?|firms?|foretag|bolag)$/
const CUSTOMERS = /^(?:customers?|clients?|kund|kunder|accounts?|konton?)$/
/** Where nothing is called customers, the companies of a table of their own are. */
function addCustomers({ datasets }: Schema, put: Put): void {
  const isSaid = (words: readonly string[]): boolean => words.some((word) => CUSTOMERS.test(word))
  if (datasets.some(({ words, columns }) => isSaid(words) || columns.some((column) => isSaid(column.words)))) return
  const [only, other] = datasets.filter(({ words }) => words.length === 1 && COMPANIES.test(words[0] ?? ''))
  if (only && !other)
    for (const name of ['customer', 'client', 'kund', 'account'])
      put([name], { kind: 'dataset', dataset: only.id }, 0.92)
}

/** "Learner name" of the only name that learners have: `full_name`. */
function addThingName(dataset: SchemaDataset, put: Put): void {
  const [name, other] = dataset.columns.filter(({ isName }) => isName)
  if (name && !other && name.words.length > 1)
    put([...expanded(dataset.words), 'name'], { kind: 'column', dataset: name.dataset, column: name.key }, 0.97)
}
/** "name" of a table that holds first and last names is both of them, as its rows are called. */
function addPersonName(dataset: SchemaDataset, ref: Ref, put: Put): void {
  const labels = dataset.columns.map(({ words }) => words.join(' '))
  if (!labels.includes('first name') || !labels.includes('last name') || labels.includes('name')) return
  for (const name of [['name'], ['full', 'name']]) {
    put(name, ref, 0.93)
    put([...expanded(dataset.words), ...name], ref, 1)
  }
}
function addColumn(column: SchemaColumn, dataset: SchemaDataset, put: Put): void {
  const ref: Ref = { kind: 'column', dataset: column.dataset, column: column.key }
  const words = expanded(column.words)
  put(labelWords(column.source.label), ref, 1)
  put(column.words, ref, 1)
  put(words, ref, 0.99)
  for (const name of column.source.synonyms ?? []) put(labelWords(name), ref, 0.95)
  const content = words.filter((word) => !FILLERS.has(word))
  put(content, ref, 0.96)
  const plain = withoutTaxNote(content.join(' ')).trim().split(' ')
  if (plain.length < content.length) put(plain, ref, 0.95)
  // What is in stock, by whatever heading.
  if (isStockLevel(column))
    for (const name of ['lagersaldo', 'stock level', 'stock', 'in stock', 'on hand']) put(name.split(' '), ref, 0.93)
  // "Inlämning" of `Inlämnad`.
  const done =
    column.isDate && content.length === 1 ? /^(\p{L}{3,}?)(?:ad|d|t)$/u.exec(content[0] ?? '')?.[1] : undefined
  if (done !== undefined) put([`${done}ning`], ref, 0.93)
  // "Obetald" of `Betaldatum`: whether it was done is said by the day when it was.
  const isDeed = column.isDate && content.length === 2 && content[1] === 'datum' && !saysState(dataset)
  const deed = isDeed ? DONE_ON[content[0] ?? ''] : undefined
  for (const name of deed ?? []) put([name], ref, 0.93)
  if (column.isText && !column.isKey && !column.isName) put([...content, 'name'], ref, 0.93)
  // How it was paid, in rows of money that only say "method".
  if (
    content.length === 1 &&
    /^(?:method|metod)$/.test(content[0] ?? '') &&
    dataset.columns.some(({ isMoney }) => isMoney)
  )
    for (const name of ['payment method', 'betalmetod', 'betalsatt']) put(name.split(' '), ref, 0.93)
  const table = expanded(dataset.words)
  // "customer name" is the name of customers, though the heading says name only.
  const own = withoutTable(content, table)
  put([...table, ...own], ref, 1)
  const head = table.at(-1)
  if (table.length > 1 && head !== undefined) put([head, ...own], ref, 0.9)
  // Lines hold the number of what they belong to: "orders" of `Order no` are told apart by it.
  if (isNumberOfLines(column)) put(column.words.slice(0, -1), ref, 0.95)
  // "Status" of `Shipment_Status_Code`.
  if (own.length > 1 && own.length <= 2 && /^(?:code|flag|type|description|text)$/.test(own.at(-1) ?? ''))
    put(own.slice(0, -1), ref, 0.87)
  const years = dataset.columns.filter(({ words: each }) => each.at(-1) === 'year')
  if (content.length > 1 && content.at(-1) === 'year' && years.length === 1) put(['year'], ref, 0.9)
  if (own.length < content.length) put(own, ref, own.every((word) => GENERIC.has(word)) ? 0.9 : 0.95)
  addParts(content, ref, put)
}
/** How things stand is a value of its own: `Obetald` goes before the day that is not there. */
const saysState = ({ columns }: SchemaDataset): boolean =>
  columns.some(({ source: { values = [] } }) =>
    values.some((value) => /^(?:o?betald|o?levererad|(?:un)?paid|(?:un)?delivered)$/i.test(String(value))),
  )
/** What is done on a day that a Swedish heading calls by its deed, folded. */
const DONE_ON: Readonly<Record<string, readonly string[]>> = wordTable({
  betal: ['betald', 'paid'],
  betalning: ['betald', 'paid'],
  leveran: ['levererad', 'delivered'],
  leverans: ['levererad', 'delivered'],
})
const isNumberOfLines = ({ words, isKey, isUnique, source }: SchemaColumn): boolean =>
  isKey &&
  !isUnique &&
  source.distinct !== undefined &&
  words.length > 1 &&
  /^(?:no|nr|number|nummer)$/.test(words.at(-1) ?? '')
const withoutTable = (words: readonly string[], table: readonly string[]): string[] => {
  const names = new Set(table.flatMap((word) => [word, keysOf([word]).exact]))
  const rest = words.filter((word) => !names.has(word) && !names.has(keysOf([word]).exact))
  return rest.length > 0 ? rest : [...words]
}
const PART_SCORE = 0.7
const BEGINNING_SCORE = 0.6
const HEAD_SCORE = 0.8
/** Of what a part of one name only is called: nothing else can be meant. */
const ONLY_SCORE = 0.86
/** A part of a heading that stands in no other name says which column is meant. */
function raiseOnly(entries: ReadonlyMap<string, Map<string, LexiconMatch>>): void {
  for (const of of entries.values()) {
    const [only, second] = of.values()
    // The head of a heading, of one column of each table that has one: "price" of unit prices.
    const tables = [...of.values()].flatMap(({ ref }) => (ref.kind === 'column' ? [ref.dataset] : ['']))
    if (new Set(tables).size === tables.length && !tables.includes(''))
      for (const [key, match] of of) if (match.score === PART_SCORE) of.set(key, { ...match, score: HEAD_SCORE })
    if (only?.ref.kind === 'column' && !second && (only.score === PART_SCORE || only.score === BEGINNING_SCORE))
      of.set(refKey(only.ref), { ...only, score: ONLY_SCORE })
  }
}
/** Parts of a heading: "food" of `food_type`; what is left away may only be what every heading says. */
function addParts(words: readonly string[], ref: Ref, put: Put): void {
  if (words.length < 2) return
  for (let from = 0; from < words.length; from += 1)
    for (let to = from + 1; to <= words.length; to += 1) {
      const part = words.slice(from, to)
      if (part.length === words.length || part.every((word) => GENERIC.has(word) || UNITS.has(word))) continue
      const rest = words.filter((_, i) => i < from || i >= to)
      const isUnit = rest.every((word) => UNITS.has(word))
      const isGeneric = rest.every((word) => GENERIC.has(word) || UNITS.has(word))
      put(part, ref, isUnit ? 0.95 : isGeneric ? 0.85 : to === words.length ? PART_SCORE : BEGINNING_SCORE)
    }
}

function addTerm(entry: GlossaryEntry, put: Put): void {
  for (const each of [entry.term, ...entry.synonyms]) put(labelWords(each), { kind: 'term', entry }, 1.06)
}
/** More than any other name has, and only for the word itself. */
const OWN_WORD_SCORE = 1.2
const NAMES_MAX = 1.1
function addBusinessTerm(entry: GlossaryEntry, put: Put): void {
  addTerm(entry, put)
  // Before a table that is called so.
  for (const each of [entry.term, ...entry.synonyms])
    if (isAmountWord(each)) put(labelWords(each), { kind: 'term', entry }, OWN_WORD_SCORE)
}
/** Figures of ledgers, under those of their names that nothing else has. */
function addBooks(entries: readonly GlossaryEntry[], isNamed: (word: string) => boolean, put: Put): void {
  const free = entries.map((entry) => [entry.term, ...entry.synonyms].filter((word) => !isNamed(foldText(word))))
  for (const [at, entry] of entries.entries()) {
    const [term, ...synonyms] = free[at] ?? []
    if (term !== undefined) addBusinessTerm({ ...entry, term, synonyms }, put)
  }
}
function addWorkspaceNames(vocabulary: Vocabulary, put: Put): void {
  for (const { id, name, synonyms } of vocabulary.metrics)
    for (const each of [name, ...synonyms]) put(labelWords(each), { kind: 'metric', id }, 1.05)
  for (const { id, name, levels, groups } of vocabulary.groupings) {
    put(labelWords(name), { kind: 'grouping', id, level: null }, 1.02)
    levels.forEach((level, i) => put(labelWords(level), { kind: 'grouping', id, level: i + 1 }, 1))
    for (const group of groups)
      put(labelWords(group.name), { kind: 'group', grouping: id, group: group.id, level: group.level }, 1)
  }
  for (const entry of vocabulary.glossary) addTerm(entry, put)
  for (const thing of vocabulary.things) put(labelWords(thing.name), { kind: 'thing', thing }, 0.7)
}

type Lists = ReadonlyMap<string, LexiconMatch[]>
function finder(lists: Lists, schema: Schema): Lexicon['find'] {
  return (words) => {
    const keys = keysOf(words)
    const found = [
      ...(lists.get(keys.exact) ?? []),
      ...(lists.get(keys.stem) ?? []),
      ...(lists.get(keys.loose) ?? []).map(({ ref, score }) => ({ ref, score: Math.min(score, INFLECTED_MAX) * 0.97 })),
    ]
    const called = (names: readonly string[], by: number): LexiconMatch[] =>
      names.flatMap((name) => lowered(lists.get(keysOf(name.split(' ')).exact) ?? [], by))
    const other = [...new Set([keys.exact, keys.loose])].flatMap((key) => [
      ...called(translationsOf(key), 0.92),
      ...called(synonymsOf(key), 0.82),
    ])
    const [word, second] = words
    const isWeak = [...found, ...other].every(
      ({ ref, score }) =>
        score < WEAK_SCORE ||
        (score < TAIL_SCORE && ref.kind === 'column' && schema.column(ref.dataset, ref.column)?.isKey === true),
    )
    const tails =
      word === undefined || second !== undefined
        ? []
        : endings(lists, word, { isWeak, isUnknown: found.length + other.length === 0 })
    const deeds = isWeak ? namedByDeed(schema.datasets, words) : []
    return best([...found, ...other, ...tails, ...deeds])
  }
}
/** Beginnings of Swedish compounds that say of what kind a figure is: "månadshyra" is a rent. */
const KINDS =
  'manads|ars|dags|tim|vecko|grund|total|styck|brutto|netto|bas|kall|varm|inkops|forsaljnings|kontrakts|avtals|slut|utgangs'
const COMPOUND_TAIL_LEAST = 4
/** What a word is the end of, where it names nothing itself, or only a part of headings. */
function endings(
  lists: Lists,
  word: string,
  { isWeak, isUnknown }: { isWeak: boolean; isUnknown: boolean },
): LexiconMatch[] {
  const tables = isWeak ? tablesEndingWith(lists, keysOf([word]).loose) : []
  return tables.length > 0 || !isUnknown ? tables : endingWith(lists, word)
}
/** "Passen" of the only table that is called so by its end: `städpass`. */
function tablesEndingWith(lists: Lists, loose: string): LexiconMatch[] {
  if (loose.length < COMPOUND_TAIL_LEAST) return []
  const ending = new RegExp(`.{${COMPOUND_HEAD_LEAST}}${loose}(?:a|e|en|et|er|ar|or)?$`)
  const found = [...lists].flatMap(([key, matches]) =>
    ending.test(key) ? matches.filter(({ ref, score }) => ref.kind === 'dataset' && score >= 0.96) : [],
  )
  const ids = new Set(found.map(({ ref }) => refKey(ref)))
  return ids.size === 1 ? lowered(found.slice(0, 1), TAIL_SCORE) : []
}
const COMPOUND_HEAD_LEAST = 3
const TAIL_SCORE = 0.92
const WEAK_SCORE = 0.7
function endingWith(lists: Lists, word: string): LexiconMatch[] {
  const { loose } = keysOf([word])
  if (word.length < COMPOUND_TAIL_LEAST) return []
  const compound = new RegExp(`^(?:${KINDS})(?:${word}|${loose}(?:a|e|en|et)?)$`)
  return [...lists].flatMap(([key, matches]) =>
    compound.test(key)
      ? lowered(
          matches.filter(({ ref, score }) => ref.kind === 'column' && score >= 0.96),
          0.85,
        )
      : [],
  )
}
/** "Försäljningen": a word of money is one with its endings, too. */
const INFLECTED_MAX = 1.12
const lowered = (matches: readonly LexiconMatch[], by: number): LexiconMatch[] =>
  matches.map(({ ref, score }) => ({ ref, score: (score > NAMES_MAX ? 1 : score) * by }))
/** Each thing once, by its best score. */
function best(matches: readonly LexiconMatch[]): LexiconMatch[] {
  const of = new Map<string, LexiconMatch>()
  for (const match of matches) {
    const id = refKey(match.ref)
    if ((of.get(id)?.score ?? 0) < match.score) of.set(id, match)
  }
  return [...of.values()].toSorted((a, b) => b.score - a.score)
}

/** "Avbokning" is another word than bokning, and no misspelling of it. */
const isPrefixed = (one: string, other: string): boolean =>
  (one.length >= other.length + 2 && one.endsWith(other)) || (other.length >= one.length + 2 && other.endsWith(one))
function similarTo(lists: Lists, word: string): LexiconMatch[] {
  const most = typosAllowed(word.length)
  if (most === 0) return []
  const { exact } = keysOf([word])
  let least = most
  let found: LexiconMatch[] = []
  for (const [key, matches] of lists) {
    if (Math.abs(key.length - exact.length) > least) continue
    const distance = editDistance(key, exact, least)
    if (distance > least || isDenialOf(exact, key) || isPrefixed(exact, key)) continue
    if (distance < least) found = []
    least = distance
    found.push(...matches.filter(({ score }) => score >= 0.7))
  }
  return best(lowered(found, 0.9 - 0.05 * least))
}
