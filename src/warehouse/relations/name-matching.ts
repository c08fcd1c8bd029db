import { endingPattern, FILE_ENDINGS } from '../../shared/data-sources/file-endings'

/** Whether names say that a column holds the keys of a dataset. English and Swedish, as files are written. */

export interface NamedColumn {
  dataset: string
  label: string
}

const KEY_WORDS = new Set([
  'id',
  'identifier',
  'identifierare',
  'key',
  'nr',
  'no',
  'nummer',
  'number',
  'num',
  'code',
  'kod',
  'ref',
  'uuid',
  'guid',
  'sk',
])
/** Glued to their word: `kundnr`, `customerid`. */
const KEY_ENDINGS = /^(.{3,}?)(id|nr|nummer|number|kod|code)$/
/** Only the first letter of what they tell apart: `uid` of users, `aid` of authors. */
const INITIAL_KEY = /^([\p{L}])id$/u
/** Things that are known by their names: `city_name` here and there. Of one word it may be the name of anything. */
const NAME_WORDS = new Set(['name', 'namn'])
/** Words that make a name one of a person or a file, of which two may be called alike. */
const NAME_PARTS = new Set([
  ...['first', 'last', 'middle', 'full', 'given', 'family', 'user', 'nick', 'display', 'file', 'host', 'event'],
  ...['för', 'efter', 'mellan', 'fil', 'smek'],
])
/** A word of three or four letters may stand for a longer one that it begins: `cust` for customer. */
const isAbbreviation = (word: string, of: string): boolean =>
  (word.length === 3 || word.length === 4) &&
  ((of.startsWith(word) && of.length >= word.length + 3) || isWithoutVowels(word, of))
/** Words are also cut by leaving out their vowels: `drv` for driver. */
const isWithoutVowels = (word: string, of: string): boolean =>
  /^[^aeiouyåäö]+$/.test(word) && word === of.replaceAll(/(?<!^)[aeiouyåäö]/g, '').slice(0, word.length)
/** Words in names of datasets that say nothing of what is in them. */
const STOP_WORDS = new Set([
  'raw',
  'dim',
  'fact',
  'tbl',
  'table',
  'stg',
  'src',
  'data',
  'export',
  'list',
  'lista',
  'register',
  'master',
  'the',
  'all',
  'alla',
])
/** Keys with a name of their own. */
const ARTICLE_KEYS = new Set(['sku', 'ean', 'gtin', 'isbn'])
/** When something is: a table of years or months tells its rows no more than their own column does. */
const PERIOD_WORDS = ['year', 'quarter', 'month', 'week', 'day', 'period', 'år', 'kvartal', 'månad', 'vecka', 'dag']
/** One thing, many words. */
const SYNONYMS: readonly (readonly string[])[] = [
  [
    ...['customer', 'client', 'user', 'buyer', 'member', 'sender', 'payer'],
    ...['kund', 'klient', 'användare', 'medlem', 'köpare', 'avsändare', 'betalare'],
  ],
  [
    'employee',
    'rep',
    'staff',
    'manager',
    'agent',
    'salesperson',
    'seller',
    'anställd',
    'medarbetare',
    'säljare',
    'chef',
    'handläggare',
  ],
  ['product', 'item', 'article', 'sku', 'produkt', 'artikel', 'vara'],
  ['order', 'purchase', 'beställning'],
  ['invoice', 'bill', 'faktura'],
  ['supplier', 'vendor', 'leverantör'],
  ['account', 'konto'],
  ['policy', 'agreement', 'contract', 'avtal', 'försäkring'],
  ['company', 'organisation', 'organization', 'org', 'företag', 'bolag'],
  ['department', 'dept', 'avdelning'],
  ['project', 'projekt'],
  ['category', 'kategori'],
  ['warehouse', 'lager'],
  ['store', 'shop', 'butik'],
  ['voucher', 'verifikat', 'verifikation'],
]
/** Columns that point at another row of their own dataset. */
const SELF_REFERENCE_NAMES = new Set([
  'reportsto',
  'manager',
  'parent',
  'boss',
  'chef',
  'överordnad',
  'supervisor',
  'referredby',
])

/** `SupportRepId` → support, rep, id. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFC')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** The forms a word may have in one and in many. */
function wordForms(word: string): string[] {
  const forms = [word]
  const cut = (ending: string, instead = ''): void => {
    if (word.endsWith(ending) && word.length - ending.length >= 3) forms.push(word.slice(0, -ending.length) + instead)
  }
  cut('s')
  cut('es')
  cut('ies', 'y')
  cut('er')
  cut('ar')
  cut('or', 'a')
  cut('n')
  cut('en')
  cut('klar', 'kel')
  cut('drar', 'der')
  return forms
}
const sameWord = (a: string, b: string): boolean => {
  const forms = new Set(wordForms(a))
  return wordForms(b).some((form) => forms.has(form))
}
const areSynonyms = (a: string, b: string): boolean =>
  SYNONYMS.some((group) => [a, b].every((word) => group.some((one) => sameWord(one, word))))

/** What a column is the key of: `customer_id` → customer; `id` → nothing further; null when it does not look like a key. */
export function referencedEntity(label: string): string[] | null {
  const words = wordsOf(label)
  const last = words.at(-1)
  if (last === undefined) return null
  if (KEY_WORDS.has(last)) return words.slice(0, -1)
  // `sender_uid`: the sender, by the key of users.
  if (last === 'uid' && words.length > 1) return words.slice(0, -1)
  const [, stem] = KEY_ENDINGS.exec(last) ?? INITIAL_KEY.exec(last) ?? []
  return stem === undefined ? null : [...words.slice(0, -1), stem]
}

/** What a column names: `city_name` → city; null when it is no name, or the name of anything, or part of a person's. */
function namedEntity(label: string): string[] | null {
  const words = wordsOf(label)
  const thing = words.slice(0, -1)
  const isName = NAME_WORDS.has(words.at(-1) ?? '') && thing.length > 0
  return isName && !thing.some((word) => NAME_PARTS.has(word)) ? thing : null
}
/** Whether two columns name the same things: a reason only where no numbers tell them apart. */
export function areNaturalKeys(from: Pick<NamedColumn, 'label'>, to: Pick<NamedColumn, 'label'>): boolean {
  const [a, b] = [namedEntity(from.label), namedEntity(to.label)]
  return a !== null && b !== null && joinWords(a) === joinWords(b)
}

/** Endings of files, which names of datasets keep; `orders.items` is a list inside orders and has none. */
const FILE_ENDING = endingPattern(Object.values(FILE_ENDINGS).flat())

const entityWords = (dataset: string): string[] => {
  const words = wordsOf(dataset.replace(FILE_ENDING, '')).filter((word) => !STOP_WORDS.has(word) && !/^\d+$/.test(word))
  return words.length > 0 ? words : wordsOf(dataset)
}
const joinWords = (words: readonly string[]): string => words.join('')

/** "Kontoplan", "kundregister": a list of what the word before says, or a thing of its own as a "flygplan" is. */
const LISTING = /^(\p{L}{3,}?)(?:plan|register|lista|katalog)$/u
/** What is listed is less surely meant than what a dataset is called. */
const LISTED_FACTOR = 0.9

/** How surely words name the rows of a dataset: 1 the same, less for its last word or another word for it; 0 not. */
function entityMatchScore(words: readonly string[], dataset: string): number {
  const thing = entityWords(dataset)
  const listed = thing.map((word) => word.replace(LISTING, '$1'))
  return Math.max(
    thingMatchScore(words, thing),
    joinWords(listed) === joinWords(thing) ? 0 : LISTED_FACTOR * thingMatchScore(words, listed),
  )
}
function thingMatchScore(words: readonly string[], thing: readonly string[]): number {
  const [head, own] = [words.at(-1), thing.at(-1)]
  if (head === undefined || own === undefined) return 0
  if (sameWord(joinWords(words), joinWords(thing))) return 1
  if (thing.length === 1 && sameWord(head, own)) return 0.8
  if (words.length === 1 && sameWord(head, own)) return 0.7
  if (thing.length === 1 && areSynonyms(head, own)) return 0.6
  // `uid` tells users apart, by whatever name.
  if (head === 'u' && thing.length === 1 && areSynonyms('user', own)) return words.length === 1 ? 0.6 : 0.5
  if (head.length === 1) return thing.some((word) => word.startsWith(head)) ? (words.length === 1 ? 0.6 : 0.5) : 0
  return isLooselyNamed(words, thing) ? LOOSE_SCORE : 0
}

/** Of words that are cut short, glued together, or stand between others: `sbTxCust` for `sbCustomer`, `citedpaper`. */
const LOOSE_SCORE = 0.45
function isLooselyNamed(words: readonly string[], thing: readonly string[]): boolean {
  const isAlike = (word: string, own: string): boolean =>
    sameWord(word, own) ||
    isAbbreviation(word, own) ||
    wordForms(own).some((form) => form.length >= 4 && word.endsWith(form) && word.length >= form.length + 3)
  let at = words.length
  return thing.toReversed().every((own, i) => {
    const found = words.findLastIndex((word, place) => place < at && isAlike(word, own))
    // The last word says what it is; those before only which.
    const fits = found >= 0 && (i > 0 || found === words.length - 1)
    at = found
    return fits
  })
}

/** Whether a column is called as its own dataset's key: `id`, `CustomerId` in customers, or a bare `account` in accounts. */
function isOwnKey({ dataset, label }: NamedColumn): boolean {
  const thing = referencedEntity(label) ?? wordsOf(label)
  if (thing.length === 0) return true
  const score = entityMatchScore(thing, dataset)
  return score >= 0.7 || (score >= LOOSE_SCORE && referencedEntity(label) !== null && !isSynonymOnly(thing, dataset))
}
/** `user_id` in customers is somebody's key, not surely the customer's own. */
const isSynonymOnly = (thing: readonly string[], dataset: string): boolean => {
  const own = entityWords(dataset)
  return (
    own.length === 1 && areSynonyms(thing.at(-1) ?? '', own[0] ?? '') && !sameWord(thing.at(-1) ?? '', own[0] ?? '')
  )
}

/** Whether any column of another dataset could have a reason to point at this one: asked once, not for every pair. */
export const canBeReferenced = (column: NamedColumn): boolean =>
  ARTICLE_KEYS.has(joinWords(wordsOf(column.label))) ||
  isOwnKey(column) ||
  (referencedEntity(column.label)?.length ?? 0) > 0 ||
  namedEntity(column.label) !== null

/** How surely the names of two columns say that the first holds keys of the second's dataset, 0–1; 0: no reason. */
export function nameMatchScore(from: NamedColumn, to: NamedColumn): number {
  if (ARTICLE_KEYS.has(joinWords(wordsOf(to.label))) && from.dataset !== to.dataset)
    return joinWords(wordsOf(from.label)) === joinWords(wordsOf(to.label)) ? 0.6 : 0
  if (areNaturalKeys(from, to)) return from.dataset === to.dataset ? 0 : naturalKeyScore(to)
  if (!isOwnKey(to)) return sameNamedKey(from, to) ? 0.5 : 0
  if (from.dataset === to.dataset)
    return SELF_REFERENCE_NAMES.has(joinWords(referencedEntity(from.label) ?? wordsOf(from.label))) ? 0.8 : 0
  const thing = referencedEntity(from.label)
  if (thing === null) {
    const words = wordsOf(from.label)
    const isPeriod = PERIOD_WORDS.some((period) => sameWord(words.at(-1) ?? '', period))
    if (isPeriod) return 0
    const score = entityMatchScore(words, to.dataset)
    return joinWords(words) === joinWords(wordsOf(to.label)) ? score : bareScore(words, score, to)
  }
  // Of two keys by an initial the letters are the same: `mid` is no `uid`.
  const own = referencedEntity(to.label)
  const [initial, other] = [thing, own ?? []].map((words) =>
    words.length === 1 && words[0]?.length === 1 ? words[0] : null,
  )
  if (initial != null && other != null && initial !== other) return 0
  // `aid` of actors is their own, whatever else begins with an a.
  if (initial != null && other == null && isOwnKey(from)) return 0
  return thing.length === 0 ? 0 : entityMatchScore(thing, to.dataset)
}

/** `city_name` in towns points at `city_name` of cities rather than at that of another list. */
const naturalKeyScore = ({ dataset, label }: NamedColumn): number =>
  entityMatchScore(namedEntity(label) ?? [], dataset) > 0 ? 0.4 : 0.35

/** `order.customer` beside `customers.id`: the thing alone, in the singular, for its key. */
const bareScore = (words: readonly string[], score: number, to: NamedColumn): number =>
  words.length === 1 && score >= 0.7 && !/s$/.test(words[0] ?? '') && referencedEntity(to.label) !== null
    ? LOOSE_SCORE
    : 0

/** `org_number` here and there: the same key, though no dataset is called by it. */
function sameNamedKey(from: NamedColumn, to: NamedColumn): boolean {
  const [a, b] = [referencedEntity(from.label), referencedEntity(to.label)]
  return from.dataset !== to.dataset && a !== null && b !== null && a.length > 0 && joinWords(a) === joinWords(b)
}
