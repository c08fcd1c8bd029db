import { ProductError } from '../../shared/errors'
import { Checksum } from './checksum'
import { DamageEvidence, EncodingEvidence, isAsDeclared, lettersOf } from './encoding'
import type { SieEncoding } from './encoding'
import { readLine } from './fields'
import type { Field } from './fields'
import type { NumberedLine } from './lines'
import { fiscalYear, readDate, readOrgNumber } from './values'
import type { FiscalYear } from './values'
import type { Warnings } from './warnings'

export interface Account {
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
export interface LedgerObject {
  dimension: string
  object: string
  name: string
  line: number
}
export interface Dimension {
  dimension: string
  name: string
  parent: string
  line: number
}
export interface Company {
  orgNumber: string
  name: string
  currency: string
  chart: string
  program: string
  generated: string | null
  sieType: string
}

/** What a file says of itself before its figures are read. */
export interface Survey {
  /** Letters of a line of bytes-as-characters. */
  letters: (line: string) => string
  company: Company
  /** By `#RAR` number: 0 is this year, -1 the year before. */
  years: Map<number, FiscalYear>
  accounts: Map<string, Account>
  dimensions: Map<string, Dimension>
  /** By dimension and object, see {@link objectId}. */
  objects: Map<string, LedgerObject>
}

/** Lists of names are held in memory: far more than any ledger has. */
const ACCOUNTS_MAX = 20_000
const OBJECTS_MAX = 60_000

export const objectId = (dimension: string, object: string): string => `${dimension}\u0000${object}`
const isBulk = (line: string): boolean => /^[ \t]*#[RB]?TRANS\b/i.test(line)
const textAt = (fields: Field[], at: number): string => {
  const field = fields[at]
  return typeof field === 'string' ? field : ''
}

/** The last text of a record: blanks in it should stand in quotes, and often do not. */
const restFrom = (fields: Field[], at: number): string =>
  fields
    .slice(at)
    .map((field) => (typeof field === 'string' ? field : field.join(' ')))
    .join(' ')

interface Noted {
  label: string
  fields: Field[]
  line: number
}
/** Labels whose records are kept until the encoding is known. */
const NOTED = /^(ORGNR|FNAMN|FNR|PROGRAM|GEN|SIETYP|VALUTA|KPTYP|RAR|KONTO|KTYP|SRU|ENHET|DIM|UNDERDIM|OBJEKT)$/
const NOTED_MAX = 2 * (ACCOUNTS_MAX + OBJECTS_MAX)
/** Characters of all of them together; a field takes some room even when it is empty. */
const NOTED_MAX_CHARS = 8 * 1024 * 1024
const FIELD_CHARS = 8
const charsOf = (fields: Field[]): number =>
  fields.reduce((sum, field) => {
    const texts = typeof field === 'string' ? [field] : field
    return texts.reduce((inner, { length }) => inner + length + FIELD_CHARS, sum)
  }, 0)

/** The first reading: how the file is written, and the names that stand before, or after, the figures that use them. */
export class Surveyor {
  readonly #evidence = new EncodingEvidence()
  readonly #checksum = new Checksum()
  readonly #noted: Noted[] = []
  #notedChars = 0
  #declared = ''
  #summed = false

  line({ text, line }: NumberedLine): void {
    this.#evidence.add(text)
    if (!this.#summed && isBulk(text)) return
    for (const event of readLine(text)) {
      if (event.kind !== 'record') continue
      const { label, fields } = event
      if (label === 'KSUMMA') this.#summed = true
      this.#checksum.add(label, fields, line)
      if (label === 'FORMAT') this.#declared = textAt(fields, 0)
      if (NOTED.test(label)) this.#note({ label, fields, line })
    }
  }

  #note(noted: Noted): void {
    this.#noted.push(noted)
    this.#notedChars += charsOf(noted.fields)
    if (this.#noted.length > NOTED_MAX) throw tooMany('names', NOTED_MAX, noted.line)
    if (this.#notedChars > NOTED_MAX_CHARS) throw tooMany('characters in names', NOTED_MAX_CHARS, noted.line)
  }

  finish(warnings: Warnings): Survey {
    const encoding = this.#evidence.decide(this.#declared)
    const letters = this.#mended(encoding, warnings)
    if (this.#checksum.differs() === true)
      warnings.add(
        'checksum',
        'The checksum (#KSUMMA) is another than that of the contents: the file was changed after it was made. Export it again if nobody edited it on purpose.',
        this.#checksum.declared?.line,
      )
    const survey = emptySurvey(letters)
    for (const noted of this.#noted) {
      const fields = noted.fields.map((field) => (typeof field === 'string' ? letters(field) : field.map(letters)))
      note(survey, { ...noted, fields })
    }
    const { company } = survey
    if (company.orgNumber === '') company.orgNumber = company.name === '' ? 'Unknown company' : company.name
    return survey
  }

  #mended(encoding: SieEncoding, warnings: Warnings): (line: string) => string {
    const letters = lettersOf(encoding)
    if (!isAsDeclared(encoding, this.#declared))
      warnings.add(
        'encoding_declared',
        `The file says that it is written in ${this.#declared === '' ? 'PC8' : this.#declared}; its bytes are ${encoding.toUpperCase()} and are read as such.`,
      )
    const damage = new DamageEvidence()
    for (const { fields, line } of this.#noted)
      for (const field of fields) if (typeof field === 'string') damage.add(letters(field), line)
    const found = damage.mend()
    if (!found) return letters
    warnings.add(
      'encoding_declared',
      'Letters such as å, ä and ö were already wrong in the file, as after a conversion that took one encoding for another. They are put right; check some names.',
      found.line,
    )
    return (line) => found.mend(letters(line))
  }
}

function emptySurvey(letters: Survey['letters']): Survey {
  return {
    letters,
    company: { orgNumber: '', name: '', currency: 'SEK', chart: '', program: '', generated: null, sieType: '1' },
    years: new Map(),
    accounts: new Map(),
    dimensions: new Map(),
    objects: new Map(),
  }
}

function note(survey: Survey, { label, fields, line }: Noted): void {
  const { company } = survey
  const first = textAt(fields, 0).trim()
  const second = textAt(fields, 1).trim()
  switch (label) {
    case 'ORGNR':
      company.orgNumber = readOrgNumber(first)
      return
    case 'FNAMN':
      company.name = restFrom(fields, 0)
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
      company.generated = readDate(first)
      return
    case 'SIETYP':
      company.sieType = first
      return
    case 'RAR':
      return noteYear(survey, fields)
    case 'DIM':
      survey.dimensions.set(first, { dimension: first, name: restFrom(fields, 1), parent: '', line })
      return
    case 'UNDERDIM':
      survey.dimensions.set(first, { dimension: first, name: second, parent: textAt(fields, 2), line })
      return
    case 'OBJEKT':
      survey.objects.set(objectId(first, second), {
        dimension: first,
        object: second,
        name: restFrom(fields, 2),
        line,
      })
      if (survey.objects.size > OBJECTS_MAX) throw tooMany('objects', OBJECTS_MAX, line)
      return
    default:
      noteAccount(accountOf(survey, first, line), label, label === 'KONTO' ? restFrom(fields, 1) : second)
  }
}

function noteYear({ years }: Survey, fields: Field[]): void {
  const number = textAt(fields, 0)
  const [start, end] = [readDate(textAt(fields, 1)), readDate(textAt(fields, 2))]
  if (/^-?\d{1,3}$/.test(number) && start && end && start <= end) years.set(Number(number), fiscalYear(start, end))
}

/** The account of this number; one that was not declared yet begins without a name. */
export function accountOf({ accounts }: Pick<Survey, 'accounts'>, account: string, line: number): Account {
  const known = accounts.get(account)
  if (known) return known
  if (accounts.size >= ACCOUNTS_MAX) throw tooMany('accounts', ACCOUNTS_MAX, line)
  const fresh: Account = { account, name: '', type: '', sru: [], unit: '', declared: false, line }
  accounts.set(account, fresh)
  return fresh
}

function noteAccount(account: Account, label: string, value: string): void {
  if (label === 'KONTO') Object.assign(account, { name: value, declared: true })
  else if (label === 'KTYP') account.type = value.toUpperCase()
  else if (label === 'ENHET') account.unit = value
  else if (label === 'SRU' && value !== '' && !account.sru.includes(value)) account.sru.push(value)
}

function tooMany(what: string, max: number, line: number): ProductError {
  return new ProductError(
    'too_large',
    { what, max, line },
    `The file holds more than ${max.toLocaleString('en-US')} ${what} (line ${line}). Export a shorter period or fewer accounts.`,
  )
}
