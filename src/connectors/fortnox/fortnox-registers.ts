import { fortnoxList } from './fortnox-calls'
import { unexpectedAnswer } from '../vendor-calls'
import { cellOf, declared, rowOf, valueAt, type RecordColumn } from '../records'
import type { ConnectorContext, Cursor, ReadPage, ReadRequest } from '../contract'
import type { SourceStream } from '../../shared/data-sources/connectors'

interface FortnoxRegister {
  key: string
  label: string
  /** Path of the list, and what it is called in an answer. */
  path: string
  name: string
  /** Property that names a record, and by which the list is sorted, so that pages keep their places. */
  id: string
  columns: readonly [RecordColumn, ...RecordColumn[]]
  /** Only what was changed since the last sync is asked for. */
  changes: boolean
}

const text = (name: string, from: string): RecordColumn => ({ name, from, type: 'text', role: 'dimension' })
const id = (name: string, from: string): RecordColumn => ({ name, from, type: 'text', role: 'id' })
const day = (name: string, from: string): RecordColumn => ({ name, from, type: 'date', role: 'time' })
const yes = (name: string, from: string): RecordColumn => ({ name, from, type: 'boolean', role: 'dimension' })
const amount = (name: string, from: string): RecordColumn => ({ name, from, type: 'number', role: 'measure', scale: 2 })
const quantity = (name: string, from: string): RecordColumn => ({ name, from, type: 'number', role: 'measure' })

const REGISTERS: readonly FortnoxRegister[] = [
  {
    ...{ key: 'invoices', label: 'Invoices', path: 'invoices', name: 'Invoices', id: 'DocumentNumber', changes: true },
    columns: [
      id('document_number', 'DocumentNumber'),
      day('invoice_date', 'InvoiceDate'),
      day('due_date', 'DueDate'),
      day('paid_date', 'FinalPayDate'),
      id('customer_number', 'CustomerNumber'),
      text('customer_name', 'CustomerName'),
      { ...amount('total', 'Total'), currencyColumn: 'currency' },
      { ...amount('balance', 'Balance'), currencyColumn: 'currency' },
      { name: 'currency', from: 'Currency', type: 'text', role: 'currency' },
      text('invoice_type', 'InvoiceType'),
      text('cost_centre', 'CostCenter'),
      text('project', 'Project'),
      yes('booked', 'Booked'),
      yes('cancelled', 'Cancelled'),
      yes('sent', 'Sent'),
    ],
  },
  {
    ...{ key: 'customers', label: 'Customers', path: 'customers', name: 'Customers', id: 'CustomerNumber' },
    changes: false,
    columns: [
      id('customer_number', 'CustomerNumber'),
      text('name', 'Name'),
      text('organisation_number', 'OrganisationNumber'),
      text('zip_code', 'ZipCode'),
      text('city', 'City'),
    ],
  },
  {
    ...{ key: 'articles', label: 'Articles', path: 'articles', name: 'Articles', id: 'ArticleNumber', changes: false },
    columns: [
      id('article_number', 'ArticleNumber'),
      text('description', 'Description'),
      { ...amount('sales_price', 'SalesPrice'), currency: 'SEK' },
      { ...amount('purchase_price', 'PurchasePrice'), currency: 'SEK' },
      quantity('quantity_in_stock', 'QuantityInStock'),
      { ...amount('stock_value', 'StockValue'), currency: 'SEK' },
      text('unit', 'Unit'),
      text('vat', 'VAT'),
    ],
  },
]
const PAGE_MAX = 500

export const registerOf = (stream: SourceStream): FortnoxRegister | undefined =>
  REGISTERS.find(({ key }) => key === stream.key)

const streamOf = ({ key, label, columns, changes }: FortnoxRegister, total: number): SourceStream => ({
  ...{ key, label, columns: declared(columns), keyColumns: [columns[0].name], incrementalColumn: null },
  modes: changes ? ['upsert', 'replace'] : ['replace'],
  proposed: true,
  estimatedRows: total,
})

/** The registers that the company has, and that we may read. `mayMiss` says of an error that one is only not there. */
export async function fortnoxRegisterStreams(
  context: ConnectorContext,
  mayMiss: (error: unknown) => boolean,
): Promise<SourceStream[]> {
  const found: SourceStream[] = []
  for (const register of REGISTERS) {
    try {
      const { total } = await fortnoxList(context, { ...register, query: { limit: '1' } })
      found.push(streamOf(register, total))
    } catch (error) {
      if (!mayMiss(error)) throw error
    }
  }
  return found
}

/** Re-read before the last sync: Fortnox does not say which clock `lastmodified` is of. */
const OVERLAP_MS = 24 * 3_600_000
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')

/** Between pages: which is next, since when records count, when the sync began, and what the last page began with. */
interface RegisterPosition {
  page: number
  since: string
  began: number
  first: string
}

function positionOf(cursor: Cursor | null, now: number): RegisterPosition {
  const at = (name: string): string | number | boolean | null | undefined => cursor?.[name]
  const [page, since, began, first] = [at('page'), at('since'), at('began'), at('first')]
  return {
    page: typeof page === 'number' ? page : 1,
    since: typeof since === 'string' ? since : '',
    began: typeof began === 'number' ? began : now,
    first: typeof first === 'string' ? first : '',
  }
}

/** One page of a register. @throws SourceError where Fortnox answers another page than it was asked for */
export async function readFortnoxRegister(
  context: ConnectorContext,
  register: FortnoxRegister,
  { mode, cursor, budget }: ReadRequest,
): Promise<ReadPage> {
  const position = positionOf(cursor, context.clock.now())
  const { page, began } = position
  const since = mode === 'upsert' ? position.since : ''
  const query = {
    page: String(page),
    limit: String(Math.min(PAGE_MAX, budget.maxRows)),
    sortby: register.id.toLowerCase(),
    sortorder: 'ascending',
    ...(since === '' ? {} : { lastmodified: since }),
  }
  const found = await fortnoxList(context, { ...register, query })
  const first = cellOf(valueAt(found.records[0], register.id), 'text') ?? ''
  const isRepeated = page > 1 && first !== '' && first === position.first
  if ((found.pages > 0 && found.page !== page && found.records.length > 0) || isRepeated)
    throw unexpectedAnswer('Fortnox')
  const rows = found.records.map((record) => rowOf(record, register.columns))
  if (page < found.pages) return { kind: 'rows', rows, cursor: { page: page + 1, since, began, first }, done: false }
  const next: Cursor | null = register.changes ? { since: minuteOf(began - OVERLAP_MS) } : null
  return { kind: 'rows', rows, cursor: next, done: true }
}
