import { parseAmountOrWarn, formatObjects, parseQuantity, splitObjects, fieldText, type SieContext } from './context'
import { byteString, startsWith, TRANS_LABEL, VER_LABEL, type ByteLine } from './byte-lines'
import { FastVoucherReader } from './fast-voucher-reader'
import { tokenizeLine, type SieField, type SieToken } from './tokenizer'
import { getOrAddAccount } from './metadata'
import { parseSiePeriod } from './values'
import { VoucherParser } from './vouchers'

type BalanceKind = 'IB' | 'UB' | 'RES'

function warnUnknownYear(sieContext: SieContext, what: string, line: number): void {
  sieContext.warnings.add(
    'skipped_entry',
    `Line ${line}: “${what.slice(0, 40)}” isn’t a fiscal year. The row is skipped.`,
    line,
  )
}

/** `#IB`, `#UB`, `#RES` of an account, `#OIB`, `#OUB` of its objects. */
function addBalance(
  sieContext: SieContext,
  balanceKind: BalanceKind,
  record: { fields: SieField[]; line: number },
): void {
  const { fields, line } = record
  const year = sieContext.years.ofBalance(fieldText(fields, 0), line)
  if (year === null) return warnUnknownYear(sieContext, fieldText(fields, 0), line)
  const account = getOrAddAccount(sieContext.survey, fieldText(fields, 1), line).account
  const { objects, rest } = splitObjects(fields, 2)
  const amount = parseAmountOrWarn(sieContext, fieldText(rest, 0), line)
  const quantity = parseQuantity(fieldText(rest, 1))
  const object = formatObjects(objects)
  const { tables, survey } = sieContext
  if (amount && object === null)
    sieContext.checks.balance({
      kind: balanceKind,
      year: Number(fieldText(fields, 0)),
      account,
      units: amount.units,
      line,
    })
  const org = survey.company.orgNumber
  tables.add(
    'balances',
    [
      org,
      year,
      `${org}/${year}/${account}`,
      account,
      object,
      balanceKind,
      tables.trackedNumber('balances', 'amount', amount),
      tables.trackedNumber('balances', 'quantity', quantity),
    ],
    line,
  )
}

/** `#PSALDO` (what an account moved in a month) and `#PBUDGET`. */
function addPeriodBalance(
  sieContext: SieContext,
  table: 'period_balances' | 'budgets',
  { fields, line }: { fields: SieField[]; line: number },
): void {
  const year = sieContext.years.ofBalance(fieldText(fields, 0), line)
  if (year === null) return warnUnknownYear(sieContext, fieldText(fields, 0), line)
  // Some programs write the account before the month.
  const isSwapped = parseSiePeriod(fieldText(fields, 1)) === null && parseSiePeriod(fieldText(fields, 2)) !== null
  const [periodAt, accountAt] = isSwapped ? [2, 1] : [1, 2]
  const period = parseSiePeriod(fieldText(fields, periodAt))
  if (isSwapped)
    sieContext.warnings.add(
      'swapped_fields',
      `Line ${line}: account and month are swapped. Read as account ${fieldText(fields, accountAt).slice(0, 40)}, month ${fieldText(fields, periodAt)}.`,
      line,
    )
  if (period === null)
    sieContext.warnings.add(
      'skipped_entry',
      `Line ${line}: “${fieldText(fields, 1).slice(0, 40)}” isn’t a month. The row is kept without one.`,
      line,
    )
  const account = getOrAddAccount(sieContext.survey, fieldText(fields, accountAt), line).account
  const { objects, rest } = splitObjects(fields, 3)
  const { tables, survey } = sieContext
  const org = survey.company.orgNumber
  tables.add(
    table,
    [
      org,
      year,
      period,
      `${org}/${year}/${account}`,
      account,
      formatObjects(objects),
      tables.trackedNumber(table, 'amount', parseAmountOrWarn(sieContext, fieldText(rest, 0), line)),
      tables.trackedNumber(table, 'quantity', parseQuantity(fieldText(rest, 1))),
    ],
    line,
  )
}

/** Labels that the survey reads, or that say nothing that is loaded. */
const IGNORED_LABELS =
  /^(FLAGGA|FORMAT|GEN|SIETYP|PROGRAM|PROSA|FTYP|FNR|ORGNR|BKOD|ADRESS|FNAMN|RAR|TAXAR|OMFATTN|KPTYP|VALUTA|KONTO|KTYP|ENHET|SRU|DIM|UNDERDIM|OBJEKT|KSUMMA)$/
const UNKNOWN_LABELS_MAX = 50
const [OPEN, CLOSE] = [123, 125] as const
/** What a decoder puts where bytes are no letter. */
const UNREADABLE = '\ufffd'

/** The second reading: figures and vouchers, row by row, into the ledger's tables. */
export class LedgerParser {
  readonly #ledger: SieContext
  readonly #vouchers: VoucherParser
  readonly #quick: FastVoucherReader
  #unreadable = 0
  #unreadableLine = 0
  readonly #unknown = new Map<string, { count: number; line: number }>()
  /** `voucher`: inside the braces of a voucher; `other`: of something else, whose rows are left out. */
  #inside: 'nothing' | 'voucher' | 'other' = 'nothing'

  constructor(sieContext: SieContext) {
    this.#ledger = sieContext
    this.#vouchers = new VoucherParser(sieContext)
    this.#quick = new FastVoucherReader(sieContext, this.#vouchers)
  }

  line(at: ByteLine): void {
    if (this.#isReadQuickly(at)) return
    const { line } = at
    const letters = this.#ledger.survey.decodeLine(byteString(at))
    if (letters.includes(UNREADABLE) && this.#unreadable++ === 0) this.#unreadableLine = line
    for (const event of tokenizeLine(letters)) this.#event(event, line)
  }

  /** Entries, heads of vouchers and braces, as nearly all files write them, are read from their bytes. */
  #isReadQuickly(at: ByteLine): boolean {
    const { bytes, start, end } = at
    const first = bytes[start]
    if (end - start === 1 && (first === OPEN || first === CLOSE)) {
      this.#brace(first === OPEN ? 'open' : 'close')
      return true
    }
    if (startsWith(bytes, start, TRANS_LABEL)) return this.#inside !== 'other' && this.#quick.entry(at)
    const isRead = this.#inside !== 'other' && startsWith(bytes, start, VER_LABEL) && this.#quick.head(at)
    if (isRead) this.#inside = 'nothing'
    return isRead
  }

  /** No more lines: what was open is closed, and what does not add up is said. */
  finish(): void {
    const { survey, warnings, checks } = this.#ledger
    const open = this.#inside === 'voucher' ? this.#vouchers.current : null
    if (open)
      warnings.add(
        'skipped_entry',
        `The file ends inside voucher ${this.#vouchers.nameOfCurrent()} (line ${open.line}): rows may be missing. Export it again.`,
        open.line,
      )
    this.#vouchers.finish()
    checks.report(survey.years, warnings)
    if (this.#unreadable > 0)
      warnings.add(
        'invalid_bytes',
        `${this.#unreadable === 1 ? '1 line has' : `${this.#unreadable} lines have`} letters that can’t be read and show as ${UNREADABLE}, first on line ${this.#unreadableLine}.`,
        this.#unreadableLine,
      )
    for (const [label, { count, line }] of this.#unknown)
      warnings.add(
        'unknown_records',
        `Skipped: ${count === 1 ? '1 line' : `${count} lines`} ${label === '' ? 'without a label' : `with the unknown label ${label}`}, first on line ${line}.`,
        line,
      )
  }

  #event(event: SieToken, line: number): void {
    switch (event.kind) {
      case 'open':
      case 'close':
        return this.#brace(event.kind)
      case 'noise':
        return this.#skip('', line)
      case 'record':
        if (this.#inside === 'other') return this.#skip(`#${event.label}`, line)
        return this.record(event.label, { fields: event.fields, line })
    }
  }

  #brace(kind: 'open' | 'close'): void {
    if (kind === 'open') this.#inside = this.#vouchers.current && this.#inside === 'nothing' ? 'voucher' : 'other'
    else {
      if (this.#inside === 'voucher') this.#vouchers.end()
      this.#inside = 'nothing'
    }
  }

  record(label: string, record: { fields: SieField[]; line: number }): void {
    switch (label) {
      case 'TRANS':
        if (!this.#vouchers.entry(record)) this.#skip('#TRANS outside a voucher', record.line)
        return
      case 'RTRANS':
        return this.#vouchers.added(record)
      case 'BTRANS':
        // A row that was struck out.
        return
      case 'VER':
        this.#inside = 'nothing'
        return this.#vouchers.begin(record)
      case 'PSALDO':
        return addPeriodBalance(this.#ledger, 'period_balances', record)
      case 'PBUDGET':
        return addPeriodBalance(this.#ledger, 'budgets', record)
      default:
        return this.#balance(label, record)
    }
  }

  #balance(label: string, record: { fields: SieField[]; line: number }): void {
    switch (label) {
      case 'IB':
      case 'UB':
      case 'RES':
        return addBalance(this.#ledger, label, record)
      case 'OIB':
        return addBalance(this.#ledger, 'IB', record)
      case 'OUB':
        return addBalance(this.#ledger, 'UB', record)
      default:
        if (!IGNORED_LABELS.test(label)) this.#skip(`#${label}`, record.line)
    }
  }

  #skip(label: string, line: number): void {
    const name = this.#unknown.size >= UNKNOWN_LABELS_MAX ? '' : label.slice(0, 40)
    const known = this.#unknown.get(name)
    if (known) known.count++
    else this.#unknown.set(name, { count: 1, line })
  }
}
