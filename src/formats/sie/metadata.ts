import { byteString, startsWith, TRANS_LABEL, VER_LABEL, type ByteLine } from './byte-lines'
import { SieChecksum } from './checksum'
import { tokenizeLine, type SieField } from './tokenizer'
import { ProductError } from '../../shared/errors'
import { byteLettersOf, MojibakeDetector, EncodingDetector, matchesDeclaredEncoding, lineDecoderFor } from './encoding'
import type { ByteLetters, SieEncoding } from './encoding'
import { toFiscalYear, parseSieDate, parseOrgNumber, type FiscalYear } from './values'
import type { WarningCollector } from './validation'
import { addMonths, DAY_MS, dayFromIso, isoFromDay } from '../../shared/dates'

export interface SieAccount {
  account: string
  name: string
  /** `#KTYP`: T, S, K or I; '' when the file does not say. */
  type: string
  sru: string[]
  unit: string
  /** Whether the file names it (`#KONTO`), or only uses it. */
  declared: boolean
  line: number
}
interface LedgerObject {
  dimension: string
  object: string
  name: string
  line: number
}
interface SieDimension {
  dimension: string
  name: string
  parent: string
  line: number
}
interface SieCompany {
  orgNumber: string
  name: string
  currency: string
  chart: string
  program: string
  generated: string | null
  sieType: string
}

/** What a file says of itself before its figures are read. */
export interface LedgerMetadata {
  /** Letters of a line of bytes-as-characters. */
  decodeLine: (line: string) => string
  /** The same, byte by byte; null where it takes the whole line. */
  byteLetters: ByteLetters
  company: SieCompany
  /** By `#RAR` number: 0 is this year, -1 the year before. */
  years: Map<number, FiscalYear>
  accounts: Map<string, SieAccount>
  /** Accounts that so far only attributes (`#KTYP`, `#SRU`, `#ENHET`) speak of: alone they make no account. */
  attributed: Map<string, SieAccount>
  dimensions: Map<string, SieDimension>
  /** By dimension and object, see {@link objectKey}. */
  objects: Map<string, LedgerObject>
}

type Letters = Pick<LedgerMetadata, 'decodeLine' | 'byteLetters'>

/** Lists of names are held in memory: far more than any ledger has. */
const ACCOUNTS_MAX = 20_000
const OBJECTS_MAX = 60_000

const [OPEN, CLOSE] = [123, 125] as const
export const objectKey = (dimension: string, object: string): string => `${dimension}\u0000${object}`
const isTransactionLine = (line: string): boolean => /^[ \t]*#[RB]?TRANS\b/i.test(line)
/** Whether a line is quickly told to hold nothing but an entry, a voucher or a brace. */
function isWithoutNames({ bytes, start, end }: ByteLine): boolean {
  if (end - start === 1) return bytes[start] === OPEN || bytes[start] === CLOSE
  if (startsWith(bytes, start, TRANS_LABEL)) return true
  if (!startsWith(bytes, start, VER_LABEL)) return false
  for (let at = start; at < end; at += 1) if (bytes[at] === CLOSE) return false
  return true
}
const rawFieldText = (fields: SieField[], at: number): string => {
  const field = fields[at]
  return typeof field === 'string' ? field : ''
}

/** The last text of a record: blanks in it should stand in quotes, and often do not. */
const joinFieldsFrom = (fields: SieField[], at: number): string =>
  fields
    .slice(at)
    .map((field) => (typeof field === 'string' ? field : field.join(' ')))
    .join(' ')

interface MetadataRecord {
  label: string
  fields: SieField[]
  line: number
}
/** Labels whose records are kept until the encoding is known. */
const METADATA_LABELS = /^(ORGNR|FNAMN|PROGRAM|GEN|SIETYP|VALUTA|KPTYP|RAR|KONTO|KTYP|SRU|ENHET|DIM|UNDERDIM|OBJEKT)$/
const METADATA_RECORDS_MAX = 2 * (ACCOUNTS_MAX + OBJECTS_MAX)
/** Characters of all of them together; a field takes some room even when it is empty. */
const METADATA_MAX_CHARS = 8 * 1024 * 1024
/** It stands in every row, up to four times. */
const COMPANY_KEY_MAX_CHARS = 100
const FIELD_OVERHEAD_CHARS = 8
const estimateChars = (fields: SieField[]): number =>
  fields.reduce((sum, field) => {
    const texts = typeof field === 'string' ? [field] : field
    return texts.reduce((inner, { length }) => inner + length + FIELD_OVERHEAD_CHARS, sum)
  }, 0)

/** The first reading: how the file is written, and the names that stand before, or after, the figures that use them. */
export class MetadataReader {
  readonly #evidence = new EncodingDetector()
  readonly #checksum = new SieChecksum()
  readonly #noted: MetadataRecord[] = []
  #notedChars = 0
  #declared = ''
  #summed = false
  /** What it was finished with. */
  #encoding: SieEncoding = 'ascii'
  #finished = 0

  line(at: ByteLine): void {
    if (at.hasLetters) this.#evidence.add(at.bytes.subarray(at.start, at.end))
    if (!this.#summed && isWithoutNames(at)) return
    const text = byteString(at)
    if (!this.#summed && isTransactionLine(text)) return
    const { line } = at
    for (const event of tokenizeLine(text)) {
      if (event.kind !== 'record') continue
      const { label, fields } = event
      if (label === 'KSUMMA') this.#summed = true
      this.#checksum.add(label, fields, line)
      if (label === 'FORMAT') this.#declared = rawFieldText(fields, 0)
      this.record({ label, fields, line })
    }
  }

  /** A record whose letters are known when it came from XML, and else when the reading is finished. */
  record(record: MetadataRecord): void {
    if (METADATA_LABELS.test(record.label)) this.#note(record)
  }

  #note(record: MetadataRecord): void {
    this.#noted.push(record)
    this.#notedChars += estimateChars(record.fields)
    if (this.#noted.length > METADATA_RECORDS_MAX) throw tooManyError('names', METADATA_RECORDS_MAX, record.line)
    if (this.#notedChars > METADATA_MAX_CHARS)
      throw tooManyError('characters in names', METADATA_MAX_CHARS, record.line)
  }

  finish(collector: WarningCollector): LedgerMetadata {
    const encoding = this.#evidence.detect(this.#declared)
    this.#encoding = encoding
    this.#finished = this.#noted.length
    const letters = this.#mended(encoding, collector)
    if (this.#checksum.differs() === true)
      collector.add(
        'checksum',
        'Checksum (#KSUMMA) doesn’t match: the file was edited after export. Export it again if that wasn’t intended.',
        this.#checksum.declared?.line,
      )
    return this.finishAs(letters, collector)
  }

  /** What the records say, their letters read by `letters`. */
  finishAs(letters: Letters, collector: WarningCollector): LedgerMetadata {
    const survey = emptyMetadata(letters)
    const { decodeLine } = letters
    for (const noted of this.#noted) {
      const fields = noted.fields.map((field) =>
        typeof field === 'string' ? decodeLine(field) : field.map(decodeLine),
      )
      applyRecord(survey, { ...noted, fields }, collector)
    }
    reportLostLetters(survey, collector)
    const { company } = survey
    const key = company.orgNumber || company.name || 'Unknown company'
    company.orgNumber = key.slice(0, COMPANY_KEY_MAX_CHARS)
    return survey
  }

  /** Whether a line after it was finished says what should have been known then. */
  get isOverdue(): boolean {
    return (
      this.#summed || this.#noted.length > this.#finished || (this.#encoding === 'ascii' && this.#evidence.hasLetters)
    )
  }

  /** Whether lines after it was finished are written otherwise than those before. */
  get isOtherwise(): boolean {
    return this.#encoding !== this.#evidence.detect(this.#declared)
  }

  #mended(encoding: SieEncoding, collector: WarningCollector): Letters {
    const letters = lineDecoderFor(encoding)
    if (!matchesDeclaredEncoding(encoding, this.#declared))
      collector.add(
        'encoding_declared',
        `The file states ${this.#declared === '' ? 'PC8' : this.#declared} but is written in ${encoding.toUpperCase()}, which is used.`,
      )
    const damage = new MojibakeDetector()
    for (const { fields, line } of this.#noted)
      for (const field of fields) if (typeof field === 'string') damage.add(letters(field), line)
    const found = damage.repair()
    if (!found) return { decodeLine: letters, byteLetters: byteLettersOf(encoding) }
    collector.add(
      'encoding_declared',
      'Letters such as å, ä and ö were wrong in the file and have been corrected. Check some names.',
      found.line,
    )
    return { decodeLine: (line) => found.mend(letters(line)), byteLetters: null }
  }
}

function emptyMetadata(letters: Letters): LedgerMetadata {
  return {
    ...letters,
    company: { orgNumber: '', name: '', currency: 'SEK', chart: '', program: '', generated: null, sieType: '1' },
    years: new Map(),
    accounts: new Map(),
    attributed: new Map(),
    dimensions: new Map(),
    objects: new Map(),
  }
}

function applyRecord(
  metadata: LedgerMetadata,
  { label, fields, line }: MetadataRecord,
  collector: WarningCollector,
): void {
  const { company } = metadata
  const first = rawFieldText(fields, 0).trim()
  const second = rawFieldText(fields, 1).trim()
  switch (label) {
    case 'ORGNR':
      company.orgNumber = parseOrgNumber(first)
      return
    case 'FNAMN':
      company.name = joinFieldsFrom(fields, 0)
      return
    case 'VALUTA':
      if (/^[A-Za-z]{3}$/.test(first)) company.currency = first.toUpperCase()
      return
    case 'KPTYP':
      company.chart = first
      return
    case 'PROGRAM':
      company.program = [first, second].filter((text) => text !== '').join(' ')
      return
    case 'GEN':
      company.generated = parseSieDate(first)
      return
    case 'SIETYP':
      company.sieType = first
      return
    case 'RAR':
      return applyFiscalYear(metadata, { fields, line }, collector)
    case 'DIM':
      metadata.dimensions.set(first, { dimension: first, name: joinFieldsFrom(fields, 1), parent: '', line })
      return
    case 'UNDERDIM':
      metadata.dimensions.set(first, { dimension: first, name: second, parent: rawFieldText(fields, 2), line })
      return
    case 'OBJEKT':
      metadata.objects.set(objectKey(first, second), {
        dimension: first,
        object: second,
        name: joinFieldsFrom(fields, 2),
        line,
      })
      if (metadata.objects.size > OBJECTS_MAX) throw tooManyError('objects', OBJECTS_MAX, line)
      return
    case 'KONTO':
      return applyAccountRecord(getOrAddAccount(metadata, first, line), label, joinFieldsFrom(fields, 1))
    case 'KTYP':
    case 'SRU':
    case 'ENHET':
      return applyAccountRecord(getOrAddAttributed(metadata, first, line), label, second)
  }
}

/** A fiscal year has so many days, also a first or a prolonged one that is nearly whole. */
const YEAR_DAYS = { min: 300, max: 600 }

function applyFiscalYear(
  { years }: LedgerMetadata,
  { fields, line }: Pick<MetadataRecord, 'fields' | 'line'>,
  collector: WarningCollector,
): void {
  const number = rawFieldText(fields, 0)
  const [start, end] = [parseSieDate(rawFieldText(fields, 1)), parseSieDate(rawFieldText(fields, 2))]
  if (!/^-?\d{1,3}$/.test(number) || !start || !end) return
  if (start <= end) return void years.set(Number(number), toFiscalYear(start, end))
  const days = (Date.parse(start) - Date.parse(end)) / DAY_MS
  const isTurned = days >= YEAR_DAYS.min && days <= YEAR_DAYS.max && !(start.endsWith('-01') && !end.endsWith('-01'))
  if (isTurned) years.set(Number(number), toFiscalYear(end, start))
  // Else it is the end that is wrong: a year that begins with a month is one of twelve months.
  const twelveMonths = !isTurned && start.endsWith('-01') ? toFiscalYear(start, endOfTwelveMonths(start)) : null
  if (twelveMonths) years.set(Number(number), twelveMonths)
  const rest = twelveMonths ? `Its end is read as ${twelveMonths.end}.` : 'It is ignored.'
  const outcome = isTurned ? 'The dates are read the other way round.' : rest
  collector.add('swapped_fields', `Line ${line}: fiscal year ${number} (#RAR) ends before it begins. ${outcome}`, line)
}

const endOfTwelveMonths = (start: string): string => isoFromDay(addMonths(dayFromIso(start) ?? 0, 12) - 1)

/** A question mark inside a word: the program that wrote the file had no sign for the letter. */
const LOST_LETTER = /\p{L}\?\p{Ll}/u

/** Names whose letters were lost before the file was written: nothing brings them back. */
function reportLostLetters({ accounts, objects }: LedgerMetadata, collector: WarningCollector): void {
  const lost = [...accounts.values(), ...objects.values()].filter(({ name }) => LOST_LETTER.test(name))
  const [first] = lost
  if (!first) return
  const names = lost.length === 1 ? '1 name has' : `${lost.length} names have`
  collector.add(
    'invalid_bytes',
    `${names} “?” for letters that were lost before export: “${first.name.slice(0, 40)}”, line ${first.line}. Export the file again.`,
    first.line,
  )
}

/** The account of this number; one that was not declared yet begins without a name. */
export function getOrAddAccount(
  { accounts, attributed }: Pick<LedgerMetadata, 'accounts' | 'attributed'>,
  account: string,
  line: number,
): SieAccount {
  const known = accounts.get(account)
  if (known) return known
  const added = attributed.get(account) ?? newAccount(account, line)
  addWithinLimit(accounts, added, line)
  return added
}

/** The account that an attribute belongs to, which need not be one yet. */
function getOrAddAttributed({ accounts, attributed }: LedgerMetadata, account: string, line: number): SieAccount {
  const known = accounts.get(account) ?? attributed.get(account)
  if (known) return known
  const added = newAccount(account, line)
  addWithinLimit(attributed, added, line)
  return added
}

const newAccount = (account: string, line: number): SieAccount => ({
  ...{ account, name: '', type: '', sru: [], unit: '', declared: false, line },
})

/** @throws ProductError `too_large` */
function addWithinLimit(accounts: Map<string, SieAccount>, added: SieAccount, line: number): void {
  if (accounts.size >= ACCOUNTS_MAX) throw tooManyError('accounts', ACCOUNTS_MAX, line)
  accounts.set(added.account, added)
}

function applyAccountRecord(sieAccount: SieAccount, label: string, value: string): void {
  if (label === 'KONTO') Object.assign(sieAccount, { name: value, declared: true })
  else if (label === 'KTYP') sieAccount.type = value.toUpperCase()
  else if (label === 'ENHET') sieAccount.unit = value
  else if (label === 'SRU' && value !== '' && !sieAccount.sru.includes(value)) sieAccount.sru.push(value)
}

function tooManyError(what: string, max: number, line: number): ProductError {
  return new ProductError(
    'too_large',
    { what, max, line },
    `The file holds more than ${max.toLocaleString('en-US')} ${what} (line ${line}). Export a shorter period or fewer accounts.`,
  )
}
