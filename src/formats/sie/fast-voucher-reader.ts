import { encodeCells, type CanonicalRecords, type EncodedCells } from '../csv/canonical-records'
import { isPlainUtf8 } from '../values/byte-cells'
import { byteString, TRANS_LABEL, VER_LABEL, type ByteLine } from './byte-lines'
import { ByteKeys } from './byte-keys'
import type { SieContext } from './context'
import type { ExactSum } from './exact-sum'
import { COMMA_INSIDE, FieldScanner, IS_LIST, LETTERS_INSIDE } from './field-scanner'
import type { LedgerTableOutput } from './ledger-tables'
import { getOrAddAccount } from './metadata'
import { PlainAmount } from './plain-amount'
import { tokenizeLine } from './tokenizer'
import { parseSieDate } from './values'
import type { VoucherParser } from './vouchers'

const [BLANK, ZERO, NINE] = [32, 48, 57] as const
const NUMBER_MAX_DIGITS = 15
const DATE_DIGITS = 8
const ACCOUNT_DIGITS = { min: 4, max: 5 }
/** Longer texts may be more than a cell holds, or their names more than is worth remembering. */
const TEXT_MAX_BYTES = 8 * 1024
const KEY_MAX_BYTES = 200
const UNREADABLE = '\ufffd'
const NBSP = [0xc2, 0xa0] as const

interface KnownAccount {
  sum: ExactSum
  /** Its key and its number. */
  cells: EncodedCells
}
interface KnownDate {
  iso: string
  cells: EncodedCells
}
interface Names {
  accounts: ByteKeys<KnownAccount>
  /** Those whose number is plainly written, by it. */
  numbered: (KnownAccount | undefined)[]
  /** Rows of entries. */
  count: { rows: number }
}

/**
 * Reads entries and heads of vouchers from their bytes and writes their rows as bytes, as long as they are written as
 * nearly all are. What it does not read has changed nothing, and is read by the {@link VoucherParser}, to the same rows.
 */
export class FastVoucherReader {
  readonly #ledger: SieContext
  readonly #vouchers: VoucherParser
  readonly #scan = new FieldScanner()
  readonly #amount = new PlainAmount()
  readonly #quantity = new PlainAmount()
  readonly #dates = new ByteKeys<KnownDate | null>()
  readonly #texts = new ByteKeys<string>()
  /** By the objects of an entry as they are written; of the dimensions that were known then. */
  readonly #objects = new ByteKeys<EncodedCells | null>()
  #dimensions = 0
  #noObjects: EncodedCells | null = null
  #year = ''
  #names: Names | null = null
  #entries: LedgerTableOutput | null = null
  readonly #range = { start: 0, end: 0, needsQuotes: false }

  constructor(sieContext: SieContext, vouchers: VoucherParser) {
    this.#ledger = sieContext
    this.#vouchers = vouchers
  }

  /** `#TRANS account {objects} amount date text quantity sign` of the open voucher. False: not read. */
  entry({ bytes, start, end, line }: ByteLine): boolean {
    const voucher = this.#vouchers.current
    if (!voucher || this.#vouchers.isRowExpected || !this.#scan.scan(bytes, start + TRANS_LABEL.length, end))
      return false
    const { starts, ends, flags, count } = this.#scan
    const hasList = count > 1 && flags[1] === IS_LIST
    const at = hasList ? 2 : 1
    if (count <= at || !this.#isPlainFrom(at, at + 2) || !this.#amount.read(bytes, starts[at] ?? 0, ends[at] ?? 0))
      return false
    const date = this.#dateAt(bytes, at + 1)
    const hasQuantity = !this.#isEmpty(at + 3)
    if (date === null || (hasQuantity && !this.#quantity.read(bytes, starts[at + 3] ?? 0, ends[at + 3] ?? 0)))
      return false
    if (!this.#trimText(bytes, at + 2)) return false
    const account = this.#accountAt(bytes, voucher.year, line)
    const objects = hasList ? this.#objectsAt(bytes, line) : this.#objectsOf([], line)
    if (!account || !objects || !this.#names) return false
    voucher.sum.addPlain(this.#amount.units)
    account.sum.addPlain(this.#amount.units)
    this.#names.count.rows += 1
    this.#entries ??= this.#ledger.tables.output('entries')
    const { records, decimals } = this.#entries
    decimals.amount = Math.max(decimals.amount, this.#amount.decimals)
    records.begin(line)
    records.cells(voucher.cells)
    records.whole((voucher.rows += 1))
    const dateCells = date?.cells ?? voucher.dateCells
    if (dateCells) records.cells(dateCells)
    else records.text(voucher.date ?? '')
    records.cells(account.cells)
    records.plain(bytes, this.#bytesOf(at))
    this.#writeText(records, bytes, at + 2)
    if (hasQuantity) {
      decimals.quantity = Math.max(decimals.quantity, this.#quantity.decimals)
      records.plain(bytes, this.#bytesOf(at + 3))
    } else records.empty(1)
    records.cells(objects)
    records.end()
    return true
  }

  /** `#VER series number date text registered sign`. False: not read. */
  head({ bytes, start, end, line }: ByteLine): boolean {
    if (!this.#scan.scan(bytes, start + VER_LABEL.length, end)) return false
    if (!this.#isPlainFrom(0, 3)) return false
    const series = this.#seriesAt(bytes)
    const number = this.#numberAt(bytes)
    const date = this.#dateAt(bytes, 2)
    const registered = this.#dateAt(bytes, 4)
    if (series === null || number === 0 || !date || registered === null || !this.#trimText(bytes, 3)) return false
    const { cells } = this.#vouchers.open({
      series,
      number: String(number),
      plain: number,
      date: date.iso,
      registered: registered?.iso ?? null,
      line,
      dateCells: date.cells,
    })
    const { records } = this.#ledger.tables.output('vouchers')
    records.begin(line)
    records.cells(cells)
    records.cells(date.cells)
    this.#writeText(records, bytes, 3)
    if (registered) records.cells(registered.cells)
    else records.empty(1)
    records.end()
    return true
  }

  /** Whether no field from one on is a list or has letters, but the one that is a text. */
  #isPlainFrom(first: number, text: number): boolean {
    const { flags, count } = this.#scan
    for (let field = first; field < count; field += 1) {
      const found = flags[field] ?? 0
      if (found === IS_LIST || ((found & LETTERS_INSIDE) !== 0 && field !== text)) return false
    }
    return true
  }

  #isEmpty(field: number): boolean {
    return field >= this.#scan.count || this.#scan.starts[field] === this.#scan.ends[field]
  }

  #bytesOf(field: number): { start: number; end: number; needsQuotes: boolean } {
    const range = this.#range
    range.start = this.#scan.starts[field] ?? 0
    range.end = this.#scan.ends[field] ?? 0
    range.needsQuotes = ((this.#scan.flags[field] ?? 0) & COMMA_INSIDE) !== 0
    return range
  }

  /** Takes blanks off a text. False for one that is not written letter by letter. */
  #trimText(bytes: Uint8Array, field: number): boolean {
    if (this.#isEmpty(field)) return true
    const { starts, ends, flags } = this.#scan
    let start = starts[field] ?? 0
    let end = ends[field] ?? 0
    while (start < end && bytes[start] === BLANK) start += 1
    while (start < end && bytes[end - 1] === BLANK) end -= 1
    starts[field] = start
    ends[field] = end
    if (end - start > TEXT_MAX_BYTES) return false
    if (((flags[field] ?? 0) & LETTERS_INSIDE) === 0) return true
    const letters = this.#ledger.survey.byteLetters
    if (letters === null) return false
    if (letters === 'utf-8') return isPlainUtf8(bytes, start, end)
    return ![bytes[start] ?? 0, bytes[end - 1] ?? 0].some((byte) => isNbsp(letters[byte - 0x80]))
  }

  #writeText(records: CanonicalRecords, bytes: Uint8Array, field: number): void {
    if (this.#isEmpty(field)) return records.empty(1)
    const letters = this.#ledger.survey.byteLetters
    const isTable = ((this.#scan.flags[field] ?? 0) & LETTERS_INSIDE) !== 0 && letters !== null && letters !== 'utf-8'
    if (isTable) records.letters(bytes, this.#bytesOf(field), letters)
    else records.plain(bytes, this.#bytesOf(field))
  }

  /** Undefined where there is none; null: not read. */
  #dateAt(bytes: Uint8Array, field: number): KnownDate | null | undefined {
    if (this.#isEmpty(field)) return undefined
    const [start = 0, end = 0] = [this.#scan.starts[field], this.#scan.ends[field]]
    if (end - start !== DATE_DIGITS) return null
    const known = this.#dates.get(bytes, start, end)
    if (known !== undefined) return known
    const iso = parseSieDate(byteString({ bytes, start, end, hasLetters: true }))
    const cells = iso === null ? null : encodeCells([iso])
    return this.#dates.set(bytes, { start, end }, iso === null || !cells ? null : { iso, cells })
  }

  #isPlainKey(bytes: Uint8Array, field: number): boolean {
    const { starts, ends, flags, count } = this.#scan
    const [start = 0, end = 0] = [starts[field], ends[field]]
    if (field >= count || flags[field] !== 0 || end - start > KEY_MAX_BYTES) return false
    return start === end || (bytes[start] !== BLANK && bytes[end - 1] !== BLANK)
  }

  #seriesAt(bytes: Uint8Array): string | null {
    if (!this.#isPlainKey(bytes, 0)) return null
    const [start = 0, end = 0] = [this.#scan.starts[0], this.#scan.ends[0]]
    const known = this.#texts.get(bytes, start, end)
    return known ?? this.#texts.set(bytes, { start, end }, byteString({ bytes, start, end, hasLetters: true }))
  }

  /** A number that begins with no zero; 0: not read. */
  #numberAt(bytes: Uint8Array): number {
    const [start = 0, end = 0] = [this.#scan.starts[1], this.#scan.ends[1]]
    if (this.#scan.count < 2 || end - start > NUMBER_MAX_DIGITS || bytes[start] === ZERO) return 0
    let value = 0
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte < ZERO || byte > NINE) return 0
      value = value * 10 + (byte - ZERO)
    }
    return value
  }

  #accountAt(bytes: Uint8Array, year: string, line: number): KnownAccount | null {
    if (year !== this.#year || !this.#names) {
      this.#year = year
      this.#names = { accounts: new ByteKeys(), numbered: [], count: this.#ledger.tables.yearCount('entries', year) }
    }
    const start = this.#scan.starts[0] ?? 0
    const end = this.#scan.ends[0] ?? 0
    const number = accountNumber(bytes, start, end)
    const { accounts, numbered } = this.#names
    const known = number > 0 ? numbered[number] : accounts.get(bytes, start, end)
    if (known) return known
    if (start === end || !this.#isPlainKey(bytes, 0)) return null
    const { survey, checks } = this.#ledger
    const { account } = getOrAddAccount(survey, byteString({ bytes, start, end, hasLetters: true }), line)
    const cells = encodeCells([`${survey.company.orgNumber}/${year}/${account}`, account])
    if (!cells) return null
    const found = { sum: checks.entriesOf(account), cells }
    return number > 0 ? (numbered[number] = found) : accounts.set(bytes, { start, end }, found)
  }

  #objectsAt(bytes: Uint8Array, line: number): EncodedCells | null {
    const [start = 0, end = 0] = [this.#scan.starts[1], this.#scan.ends[1]]
    if (start === end) return this.#objectsOf([], line)
    if (end - start > KEY_MAX_BYTES) return null
    this.#forgetNarrower()
    const known = this.#objects.get(bytes, start, end)
    if (known !== undefined) return known
    const written = this.#ledger.survey.decodeLine(`#X {${byteString({ bytes, start, end, hasLetters: true })}}`)
    const [record] = tokenizeLine(written)
    const list = record?.kind === 'record' ? record.fields[0] : undefined
    const isRead = typeof list === 'object' && !written.includes(UNREADABLE)
    const cells = isRead ? encodeCells(this.#vouchers.dimensions(list, line)) : null
    this.#forgetNarrower()
    return this.#objects.set(bytes, { start, end }, cells)
  }

  #objectsOf(objects: string[], line: number): EncodedCells | null {
    this.#forgetNarrower()
    return (this.#noObjects ??= encodeCells(this.#vouchers.dimensions(objects, line)))
  }

  /** A dimension that comes anew makes all later rows wider. */
  #forgetNarrower(): void {
    const count = this.#ledger.tables.dimensionCount()
    if (count === this.#dimensions) return
    this.#dimensions = count
    this.#objects.clear()
    this.#noObjects = null
  }
}

/** A number of four or five digits, which are those of nearly all accounts, without leading zeros; else 0. */
function accountNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < ACCOUNT_DIGITS.min || end - start > ACCOUNT_DIGITS.max || bytes[start] === ZERO) return 0
  let number = 0
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return 0
    number = number * 10 + digit
  }
  return number
}

const isNbsp = (letter: Uint8Array | undefined): boolean =>
  letter?.length === NBSP.length && NBSP.every((byte, at) => letter[at] === byte)
