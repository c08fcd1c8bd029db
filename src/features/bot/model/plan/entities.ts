import { columnOfRef, isReachable, meaningsOf, type Context } from './context'
import { isSameThing } from '../language/translations'
import { looseStemOf } from '../language/words'
import { isPeopleTable } from '../schema/people'
import type { Schema, SchemaColumn, SchemaDataset } from '../schema/schema'

const isCalled = (column: SchemaColumn, ...names: string[]): boolean => names.includes(column.words.join(' '))
const FIRST_NAMES = ['first name', 'firstname', 'fname', 'given name', 'fornamn']
const LAST_NAMES = ['last name', 'lastname', 'lname', 'surname', 'family name', 'efternamn']

/** First and last name of a person, where they are two columns. */
export function personNames({ columns }: SchemaDataset): [SchemaColumn, SchemaColumn] | null {
  const first = columns.find((column) => isCalled(column, ...FIRST_NAMES))
  const last = columns.find((column) => isCalled(column, ...LAST_NAMES))
  return first && last ? [first, last] : null
}

const TELLING_SHARE = 0.6
/** Many different values: of a title of people that many share, it is a kind. */
const isTelling = ({ source }: SchemaColumn, { source: { rowCount } }: SchemaDataset): boolean =>
  source.distinct === undefined || source.distinct >= rowCount * TELLING_SHARE
/** What tells things apart by a name that is called otherwise. */
const BEARERS = [
  'company',
  'organization',
  'organisation',
  'firm',
  'business',
  'brand',
  'customer',
  'client',
  'product',
]
  .concat(['article', 'item', 'subject', 'headline', 'label', 'description', 'foretag', 'bolag', 'kund', 'produkt'])
  .concat(['artikel', 'rubrik', 'beskrivning'])
/** What somebody wrote stands for the row that holds it, where nothing else names it. */
const WRITING = /^(?:tip|review|comment|message|post|tweet|note|feedback|answer|kommentar|omdome|meddelande)$/
const WRITTEN = ['text', 'content', 'body', 'message', 'comment', 'tip', 'note', 'innehall', 'kommentar']
/** The columns that say what a row is called: its name, title, or what else is told apart by. */
export function nameColumns(dataset: SchemaDataset): SchemaColumn[] {
  const person = personNames(dataset)
  if (person) return person
  const texts = dataset.columns.filter(({ isText, isKey }) => isText && !isKey)
  const own = texts.find(
    (column) =>
      isCalled(column, 'name', 'namn', 'full name', 'username', 'user name', 'display name') ||
      (isCalled(column, 'title', 'titel') && isTelling(column, dataset)),
  )
  if (own) return [own]
  const table = dataset.words.flatMap((word) => [word, looseStemOf(word.replace(/s$/, ''))])
  const named = dataset.columns.filter(({ isName }) => isName)
  // A kind of thing that many rows share names none of them.
  const telling = texts.filter((column) => isTelling(column, dataset))
  const bearing = [...named, ...telling].find((column) =>
    column.words.some((word) => table.includes(word) || table.includes(looseStemOf(word.replace(/s$/, '')))),
  )
  const number = bearing ? undefined : numberOf(dataset)
  const [first] = bearing ? [bearing] : number ? [number] : named
  if (first) return [first]
  const bearer = texts.find((column) => column.isUnique && isCalled(column, ...BEARERS))
  if (bearer) return [bearer]
  const written = dataset.words.some((word) => WRITING.test(word.replace(/s$/, '')))
    ? texts.find((column) => isCalled(column, ...WRITTEN))
    : undefined
  if (written) return [written]
  // People without a name are known by their address.
  const address = isPeopleTable(dataset)
    ? texts.find((column) => column.isUnique && isCalled(column, ...ADDRESSES))
    : undefined
  if (address) return [address]
  const key = keyColumn(dataset)
  return key ? [key] : dataset.columns.slice(0, 1)
}

const ADDRESSES = ['email', 'e mail', 'mail', 'email address', 'epost', 'e post']

/** What people know rows by where a key only counts them: the contract number beside its identifier. */
const numberOf = ({ columns, words }: SchemaDataset): SchemaColumn | undefined =>
  columns.some(({ words: own, isUnique }) => isUnique && /^(?:id|identifier|key)$/.test(own.at(-1) ?? ''))
    ? columns.find(
        ({ words: own, isUnique, isText }) =>
          isText &&
          isUnique &&
          /^(?:number|no|nr|nummer)$/.test(own.at(-1) ?? '') &&
          (own.length === 1 || words.some((word) => own.includes(word))),
      )
    : undefined

/** People that rows are about or point at: the ones that "who" asks for; none where several may be meant. */
export function peopleOf(context: Context): SchemaDataset | undefined {
  const asked = new Set(
    context.ask.values.flatMap(
      ({ value }) => context.encoded.values[value]?.matches.map(({ dataset }) => dataset) ?? [],
    ),
  )
  const near = context.schema.datasets.filter(
    (dataset) =>
      (context.schema.path(context.home.id, dataset.id)?.length ?? 9) <= 1 &&
      (personNames(dataset) !== null || isPeopleTable(dataset)),
  )
  const own = near.find(({ id }) => id === context.home.id)
  const others = near.filter(({ id }) => !asked.has(id))
  return own ?? (others.length === 1 ? others[0] : undefined)
}

const PERSON_HEADING =
  /^(?:assignee|assigned to|owner|handler|agent|rep|sales ?rep|seller|salesperson|account manager|manager|responsible|employee|consultant|technician|(?:created|closed|handled|performed|done|made|sold|registered|entered|booked) by|utford av|skapad av|bokad av|personal|staff|driver|chauffor|handlaggare|ansvarig|servitor|kundansvarig|projektledare|saljare|konsult|tekniker|medarbetare|anstalld)$/
export const isOfPerson = ({ isText, words }: SchemaColumn): boolean => isText && PERSON_HEADING.test(words.join(' '))
/** Who rows are of, by a name in a column of their own: none where several may be meant. */
export function personColumn({ home }: Context): SchemaColumn | undefined {
  const [only, other] = home.columns.filter(isOfPerson)
  return other ? undefined : only
}

/** The column whose values tell rows apart. */
export function keyColumn(dataset: SchemaDataset, schema?: Schema): SchemaColumn | undefined {
  const pointed = schema?.vocabulary.relations.find(({ to, further }) => to.dataset === dataset.id && !further)
  const joined = pointed && dataset.columns.find(({ key }) => key === pointed.to.key)
  if (joined) return joined
  const keys = dataset.columns.filter(
    ({ isKey, source }) => isKey && (source.type === 'integer' || source.type === 'text'),
  )
  return keys.find(({ isUnique }) => isUnique) ?? keys.find((column) => isCalled(column, 'id')) ?? keys[0]
}

/** What people know things by: `account` beside `account_key`, which was made of it and is another one each year. */
export function tellingKey(dataset: SchemaDataset, schema: Schema): SchemaColumn | undefined {
  const key = keyColumn(dataset, schema)
  const plain = key?.words.at(-1) === 'key' ? key.words.slice(0, -1).join(' ') : null
  return dataset.columns.find(({ words }) => words.join(' ') === plain) ?? key
}

/** A column that already counts: rows of `checkins` with a `count` of each. */
export const countColumn = ({ columns }: SchemaDataset): SchemaColumn | undefined =>
  columns.find((column) => column.isNumeric && !column.isKey && isCalled(column, 'count', 'antal', 'cnt', 'num'))

/** The dataset that a mention names, if it names one at all. */
export function datasetAt(context: Context, at: number): SchemaDataset | undefined {
  const [best] = meaningsOf(context, at)
  return best?.ref.kind === 'dataset' ? context.schema.dataset(best.ref.dataset) : undefined
}
const SWEDISH =
  /(?:^| )(?:vilken|vilka|vilket|vem|vad|hur|visa|och|efter|flest|mest|storst|topp|var|vara|ar|som|med)(?: |$)/
/** Whether a mention is a plural: "which streets" are several, "which street" is one. */
export function isPlural(context: Context, at: number): boolean {
  const words = context.encoded.mentions[at]?.words ?? ''
  if (new RegExp(`(?:vilken|vilket) (?:[a-z]+ ){0,2}<m${at}>`).test(context.encoded.source)) return false
  // Plurals in -er and -or are Swedish ones; an English question has none.
  if (!SWEDISH.test(context.words))
    return /(?:[^su]s|ies|people|children)$/.test(words) && !/(?:ss|us|is|status)$/.test(words)
  return (
    /(?:[^su]s|ies|people|ar|er|or|na)$/.test(words) &&
    !/(?:ss|us|is|status|number|customer|order|user|member|power|year|car|manager|author|seller|owner|broker|trader|ticker|teacher|paper|server|supplier|worker|buyer|employer|driver|center|writer|charter|chapter|quarter|semester|river|border|color|colour|instructor|doctor|professor|vendor|actor|director|donor|sponsor|sector|error|investor|contractor|operator)$/.test(
      words,
    )
  )
}
/** "Their date": the only day of the rows, where a heading that is called so belongs to others. */
function ownDay({ encoded, home }: Context, at: number): SchemaColumn | undefined {
  const [day, second] = home.columns.filter(({ isDate }) => isDate)
  return /^(?:date|day|time|datum|dag)$/.test(encoded.mentions[at]?.words ?? '') && !second ? day : undefined
}
/** The columns listed for a mention: the column itself, or what its rows are called. */
export function listedColumns(context: Context, at: number): SchemaColumn[] {
  const [best] = meaningsOf(context, at)
  if (!best) return []
  const column = columnOfRef(context, best.ref)
  const own = column && !isReachable(context, column.dataset) ? ownDay(context, at) : undefined
  if (column) return [own ?? column]
  const dataset = best.ref.kind === 'dataset' ? context.schema.dataset(best.ref.dataset) : undefined
  return dataset ? nameColumns(dataset) : []
}

/** A table of orders whose rows are their lines: an order's own number stands in several rows. */
export const numberedColumn = ({ words, columns, source }: SchemaDataset): SchemaColumn | undefined =>
  columns.find(
    (column) =>
      words.length === 1 &&
      isNumbered(column.words[0] ?? '', words[0] ?? '') &&
      (column.words.length === 2
        ? /^(?:no|nr|id|number|nummer)$/.test(column.words[1] ?? '')
        : column.words.length === 1 && (column.isText || column.isKey) && column.source.values === undefined) &&
      column.source.distinct !== undefined &&
      column.source.distinct < source.rowCount &&
      !hasNumberOfItsOwn(columns, column),
  )

/** Invoices that are numbered one by one are no lines of what they point at. */
const hasNumberOfItsOwn = (columns: readonly SchemaColumn[], other: SchemaColumn): boolean =>
  columns.some(
    (column) =>
      column !== other &&
      column.isKey &&
      column.isUnique &&
      column.words.length > 1 &&
      !column.words.some((word) => /^(?:rad|row|line|item|pos|position|lop)$/.test(word)),
  )
/** `Vernr` of verifikationer: the beginning of what it numbers. */
const isNumbered = (heading: string, table: string): boolean =>
  isSameThing(heading, table) || (heading.length >= 3 && table.startsWith(heading))
