import { endingPattern, FILE_ENDINGS } from '../../shared/data-sources/file-endings'

/** Whether names say that a column holds the keys of a dataset. English and Swedish, as files are written. */

export interface NamedColumn {
  dataset: string
  label: string
}

const KEY_WORDS = new Set([
  'id',
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
  ['customer', 'client', 'user', 'buyer', 'member', 'kund', 'klient', 'användare', 'medlem', 'köpare'],
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
  const [, stem] = KEY_ENDINGS.exec(last) ?? []
  return stem === undefined ? null : [...words.slice(0, -1), stem]
}

/** Endings of files, which names of datasets keep; `orders.items` is a list inside orders and has none. */
const FILE_ENDING = endingPattern(Object.values(FILE_ENDINGS).flat())

const entityWords = (dataset: string): string[] => {
  const words = wordsOf(dataset.replace(FILE_ENDING, '')).filter((word) => !STOP_WORDS.has(word) && !/^\d+$/.test(word))
  return words.length > 0 ? words : wordsOf(dataset)
}
const joinWords = (words: readonly string[]): string => words.join('')

/** How surely words name the rows of a dataset: 1 the same, less for its last word or another word for it; 0 not. */
function entityMatchScore(words: readonly string[], dataset: string): number {
  const thing = entityWords(dataset)
  const [head, own] = [words.at(-1), thing.at(-1)]
  if (head === undefined || own === undefined) return 0
  if (sameWord(joinWords(words), joinWords(thing))) return 1
  if (thing.length === 1 && sameWord(head, own)) return 0.8
  if (words.length === 1 && sameWord(head, own)) return 0.7
  return thing.length === 1 && areSynonyms(head, own) ? 0.6 : 0
}

/** Whether a column is called as its own dataset's key: `id`, `CustomerId` in customers, or a bare `account` in accounts. */
function isOwnKey({ dataset, label }: NamedColumn): boolean {
  const thing = referencedEntity(label) ?? wordsOf(label)
  return thing.length === 0 || entityMatchScore(thing, dataset) >= 0.7
}

/** Whether any column of another dataset could have a reason to point at this one: asked once, not for every pair. */
export const canBeReferenced = (column: NamedColumn): boolean =>
  isOwnKey(column) || (referencedEntity(column.label)?.length ?? 0) > 0 || placeName(column.label) !== null

/** Parts of what people are called: no table is told by them. */
const PERSONAL = /^(first|last|middle|given|family|full|nick|user|file|sur|för|efter|display|maiden)$/
/** What a column names, where it says of what: `city_name` → city; null for a plain name, and for those of people. */
function placeName(label: string): string[] | null {
  const words = wordsOf(label)
  const isName = words.length >= 2 && ['name', 'namn'].includes(words.at(-1) ?? '')
  return isName && !words.some((word) => PERSONAL.test(word)) ? words.slice(0, -1) : null
}
/** `city_name` here and there: tables that are told by a name point at each other by it, surest at the table of that name. */
function sameNameScore(from: NamedColumn, to: NamedColumn): number {
  const [a, b] = [placeName(from.label), placeName(to.label)]
  if (from.dataset === to.dataset || a === null || b === null || joinWords(a) !== joinWords(b)) return 0
  return entityMatchScore(b, to.dataset) > 0 ? 0.6 : 0.45
}

/** How surely the names of two columns say that the first holds keys of the second's dataset, 0–1; 0: no reason. */
export function nameMatchScore(from: NamedColumn, to: NamedColumn): number {
  if (ARTICLE_KEYS.has(joinWords(wordsOf(to.label))) && from.dataset !== to.dataset)
    return joinWords(wordsOf(from.label)) === joinWords(wordsOf(to.label)) ? 0.6 : 0
  const bySameName = sameNameScore(from, to)
  if (bySameName > 0) return bySameName
  if (!isOwnKey(to)) return sameNamedKey(from, to) ? 0.5 : 0
  if (from.dataset === to.dataset)
    return SELF_REFERENCE_NAMES.has(joinWords(referencedEntity(from.label) ?? wordsOf(from.label))) ? 0.8 : 0
  const thing = referencedEntity(from.label)
  if (thing === null) {
    const words = wordsOf(from.label)
    const isPeriod = PERIOD_WORDS.some((period) => sameWord(words.at(-1) ?? '', period))
    return !isPeriod && joinWords(words) === joinWords(wordsOf(to.label)) ? entityMatchScore(words, to.dataset) : 0
  }
  return thing.length === 0 ? 0 : entityMatchScore(thing, to.dataset)
}

/** `org_number` here and there: the same key, though no dataset is called by it. */
function sameNamedKey(from: NamedColumn, to: NamedColumn): boolean {
  const [a, b] = [referencedEntity(from.label), referencedEntity(to.label)]
  return from.dataset !== to.dataset && a !== null && b !== null && a.length > 0 && joinWords(a) === joinWords(b)
}
