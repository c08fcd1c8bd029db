import { ProductError } from '../../shared/errors'
import type { TableSink, ByteSource } from '../contract'
import { unreadableError } from '../file-errors'
import { scanXml, type XmlHandler, type XmlTag } from '../workbook/xml-scanner'
import { Sie5Balances, type Sie5Year } from './sie5-balances'
import type { SieField } from './tokenizer'
import { wordTable } from '../../lib/word-table'

/** A record of SIE 4: what an element of SIE 5 means in it. */
export interface SieRecord {
  label: string
  fields: SieField[]
  line: number
}

const ACCOUNT_TYPES: Readonly<Record<string, string>> = wordTable({
  asset: 'T',
  liability: 'S',
  equity: 'S',
  income: 'I',
  cost: 'K',
})
const OUTCOME_TYPES = new Set(['income', 'cost'])
/** Lists of single invoices and assets behind an account: no table of a ledger has them. */
const SUBLEDGERS = new Set(['CustomerInvoice', 'SupplierInvoice', 'FixedAsset', 'GeneralObject'])
const BALANCES = /^(Opening|Closing)Balance(?:Multidim)?$/
const BUDGETS = /^Budget(?:Multidim)?$/
const YEARS_MAX = 100
/** Objects of one balance, budget or row: one of each dimension. */
const REFERENCES_MAX = 1000

interface OpenEntry {
  account: string
  amount: string
  date: string
  text: string
  quantity: string
  isStruck: boolean
  line: number
}

/**
 * SIE 5 (XML) told as the records of SIE 4 that mean the same, so that both become the same ledger. Elements that have no
 * such record (documents, signatures, subledgers, foreign amounts) are passed over.
 */
export class Sie5Records implements XmlHandler {
  wantsText = false
  sourceLine = 1
  /** Subledgers that were passed over, by the name of their elements. */
  readonly passedOver = new Map<string, number>()
  readonly #emit: (record: SieRecord) => void
  #years: (Sie5Year & { isPrimary: boolean })[] = []
  #balances: Sie5Balances | null = null
  #dimension = ''
  #series = ''
  /** Pairs of dimension and object of the balance, budget or row that is open. */
  #objects: string[] = []
  #voucher: { fields: string[]; isTold: boolean; line: number } | null = null
  #entry: OpenEntry | null = null
  #figure: { label: string; month: string; amount: string; quantity: string } | null = null

  constructor(emit: (record: SieRecord) => void) {
    this.#emit = emit
  }

  open(tag: XmlTag): void {
    const of = (name: string): string => tag.attribute(name) ?? ''
    if (SUBLEDGERS.has(tag.name)) this.passedOver.set(tag.name, (this.passedOver.get(tag.name) ?? 0) + 1)
    if (BALANCES.test(tag.name) || BUDGETS.test(tag.name)) {
      this.#objects = []
      this.#figure = { label: tag.name, month: of('month'), amount: of('amount'), quantity: of('quantity') }
      return
    }
    switch (tag.name) {
      case 'JournalEntry':
        this.#voucher = {
          fields: [this.#series, of('id'), of('journalDate'), of('text'), ''],
          isTold: false,
          line: this.sourceLine,
        }
        return
      case 'LedgerEntry':
        return this.#openEntry(of)
      case 'ObjectReference':
        if (this.#figure || this.#entry) this.#addReference(of('dimId'), of('objectId'))
        return
      case 'EntryInfo':
      case 'OriginalEntryInfo':
        // What the system itself notes comes first, and counts.
        if (this.#voucher && !this.#entry) this.#voucher.fields[4] ||= of('date').slice(0, 10)
        return
      case 'Overstrike':
        if (this.#entry) this.#entry.isStruck = true
        return
      default:
        return this.#openName(tag.name, of)
    }
  }

  close(name: string): void {
    if (name === this.#figure?.label) return this.#closeFigure()
    switch (name) {
      case 'FiscalYears':
        return this.#tellYears()
      case 'Account':
        for (const { label, fields } of this.#balances?.records() ?? []) this.#tell(label, ...fields)
        this.#balances = null
        return
      case 'LedgerEntry':
        return this.#closeEntry()
      case 'JournalEntry':
        this.#tellVoucher()
        this.#voucher = null
        return
    }
  }

  text(): void {}

  /** What a file says of itself, and its names. */
  #openName(name: string, of: (attribute: string) => string): void {
    switch (name) {
      case 'SoftwareProduct':
        return this.#tell('PROGRAM', of('name'), of('version'))
      case 'FileCreation':
        return this.#tell('GEN', of('time').slice(0, 10))
      case 'Company':
        this.#tell('SIETYP', '5')
        this.#tell('ORGNR', of('organizationId'))
        if (of('name') !== '') this.#tell('FNAMN', of('name'))
        return
      case 'AccountingCurrency':
        return this.#tell('VALUTA', of('currency'))
      case 'FiscalYear':
        if (this.#years.length < YEARS_MAX)
          this.#years.push({ start: of('start'), end: of('end'), number: 0, isPrimary: of('primary') === 'true' })
        return
      case 'Account':
        return this.#openAccount(of)
      case 'Dimension':
        this.#dimension = of('id')
        return this.#tell('DIM', of('id'), of('name'))
      case 'Object':
        return this.#tell('OBJEKT', this.#dimension, of('id'), of('name'))
      case 'Journal':
        this.#series = of('id')
        return
    }
  }

  #openAccount(of: (attribute: string) => string): void {
    const account = of('id')
    this.#tell('KONTO', account, of('name'))
    const type = ACCOUNT_TYPES[of('type')]
    if (type !== undefined) this.#tell('KTYP', account, type)
    if (of('unit') !== '') this.#tell('ENHET', account, of('unit'))
    this.#balances = new Sie5Balances(account, this.#years, OUTCOME_TYPES.has(of('type')))
  }

  #addReference(dimension: string, object: string): void {
    if (this.#objects.length >= REFERENCES_MAX * 2)
      throw unreadableError('unsafe', XML_ERRORS.unsafe, { line: this.sourceLine })
    this.#objects.push(dimension, object)
  }

  #openEntry(of: (attribute: string) => string): void {
    this.#objects = []
    this.#entry = {
      ...{ account: of('accountId'), amount: of('amount'), date: of('ledgerDate'), text: of('text') },
      ...{ quantity: of('quantity'), isStruck: false, line: this.sourceLine },
    }
  }

  /** Years are numbered from the one that the file is about: 0 is that one, −1 the year before. */
  #tellYears(): void {
    this.#years.sort((a, b) => (a.start < b.start ? -1 : 1))
    const primary = this.#years.findIndex(({ isPrimary }) => isPrimary)
    const current = primary < 0 ? this.#years.length - 1 : primary
    this.#years.forEach((year, at) => {
      year.number = at - current
      this.#tell('RAR', String(year.number), `${year.start}-01`, lastDayOf(year.end))
    })
  }

  #closeFigure(): void {
    const { label = '', ...figure } = this.#figure ?? { month: '', amount: '', quantity: '' }
    this.#figure = null
    const balances = this.#balances
    if (!balances) return
    const objects = this.#objects
    if (BUDGETS.test(label)) {
      const { fields } = balances.budget({ ...figure, objects })
      return this.#tell('PBUDGET', ...fields)
    }
    balances.add(label.startsWith('Opening') ? 'opening' : 'closing', { ...figure, objects }, this.sourceLine)
  }

  #closeEntry(): void {
    const entry = this.#entry
    this.#entry = null
    if (!entry) return
    this.#tellVoucher()
    // A row that was struck out counts for nothing.
    if (entry.isStruck) return
    const { account, amount, date, text, quantity, line } = entry
    this.#emit({ label: 'TRANS', fields: [account, this.#objects, amount, date, text, quantity], line })
  }

  #tellVoucher(): void {
    const voucher = this.#voucher
    if (!voucher || voucher.isTold) return
    voucher.isTold = true
    this.#emit({ label: 'VER', fields: voucher.fields, line: voucher.line })
  }

  #tell(label: string, ...fields: SieField[]): void {
    this.#emit({ label, fields, line: this.sourceLine })
  }
}

/** `2025-02` → `2025-02-28`; anything else as it is. */
function lastDayOf(month: string): string {
  const [year = 0, number = 0] = /^\d{4}-\d{2}$/.test(month) ? month.split('-').map(Number) : []
  return year > 0 ? new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) : month
}

const XML_ERRORS = {
  broken: 'The SIE file is damaged: its XML doesn’t fit together. Export it again.',
  unsafe: 'Couldn’t read the SIE file: it has definitions or parts that no ledger needs. Export it again.',
} as const

/** Reads the file once. @throws ProductError `file_unreadable` for what is no XML or could be an attack. */
export async function scanSie5(source: ByteSource, sink: TableSink, handler: Sie5Records): Promise<void> {
  const turns = { eachChunk: () => sink.flush(), isDue: sink.isFlushDue && (() => sink.isFlushDue?.() === true) }
  try {
    await scanXml(source.stream(), handler, turns)
  } catch (error) {
    const reason = error instanceof ProductError && error.code === 'file_unreadable' ? error.details['reason'] : null
    if (reason !== 'broken' && reason !== 'unsafe') throw error
    throw unreadableError(reason, XML_ERRORS[reason], { line: handler.sourceLine, cause: error })
  }
}
