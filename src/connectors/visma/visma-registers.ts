import { VISMA_PAGE, vismaPage } from './visma-calls'
import { declared, rowOf, type RecordColumn } from '../records'
import type { ConnectorContext, Cursor, ReadPage, ReadRequest } from '../contract'
import type { SourceStream } from '../../shared/data-sources/connectors'

interface VismaRegister {
  key: string
  label: string
  path: string
  columns: readonly [RecordColumn, ...RecordColumn[]]
  /** Property by which only what was changed is asked for; null = all of it each time. */
  changedBy: string | null
}

const id = (name: string, from: string): RecordColumn => ({ name, from, type: 'text', role: 'id' })
const text = (name: string, from: string): RecordColumn => ({ name, from, type: 'text', role: 'dimension' })
const day = (name: string, from: string): RecordColumn => ({ name, from, type: 'date', role: 'time' })
const amount = (name: string, from: string): RecordColumn => ({
  ...{ name, from, type: 'number', role: 'measure', scale: 2, currencyColumn: 'currency' },
})

const REGISTERS: readonly VismaRegister[] = [
  {
    ...{ key: 'invoices', label: 'Invoices', path: 'customerinvoices', changedBy: 'ModifiedUtc' },
    columns: [
      id('id', 'Id'),
      ...[id('invoice_number', 'InvoiceNumber'), day('invoice_date', 'InvoiceDate'), day('due_date', 'DueDate')],
      ...[id('customer_id', 'CustomerId'), text('customer_name', 'InvoiceCustomerName')],
      ...[amount('total', 'TotalAmount'), amount('vat', 'TotalVatAmount'), amount('remaining', 'RemainingAmount')],
      { name: 'currency', from: 'CurrencyCode', type: 'text', role: 'currency' },
      { name: 'credit_invoice', from: 'IsCreditInvoice', type: 'boolean', role: 'dimension' },
    ],
  },
  {
    ...{ key: 'customers', label: 'Customers', path: 'customers', changedBy: null },
    columns: [
      id('id', 'Id'),
      ...[id('customer_number', 'CustomerNumber'), text('name', 'Name'), text('city', 'InvoiceCity')],
      ...[text('country', 'InvoiceCountryCode'), text('organisation_number', 'CorporateIdentityNumber')],
      { name: 'active', from: 'IsActive', type: 'boolean', role: 'dimension' },
    ],
  },
]

export const vismaRegisterOf = (stream: SourceStream): VismaRegister | undefined =>
  REGISTERS.find(({ key }) => key === stream.key)

export async function vismaRegisterStreams(context: ConnectorContext): Promise<SourceStream[]> {
  const streams: SourceStream[] = []
  for (const { key, label, path, columns, changedBy } of REGISTERS) {
    const { total } = await vismaPage(context, path, { page: 1, size: 1 })
    streams.push({
      ...{ key, label, columns: declared(columns), keyColumns: [columns[0].name], incrementalColumn: null },
      modes: changedBy === null ? ['replace'] : ['upsert', 'replace'],
      proposed: true,
      estimatedRows: total,
    })
  }
  return streams
}

/** Clocks differ, and a change may be seen late. */
const OVERLAP_MS = 60 * 60_000

function positionOf(cursor: Cursor | null, now: number): { page: number; since: string; began: number } {
  const [page, since, began] = [cursor?.['page'], cursor?.['since'], cursor?.['began']]
  return {
    page: typeof page === 'number' ? page : 1,
    since: typeof since === 'string' ? since : '',
    began: typeof began === 'number' ? began : now,
  }
}

export async function readVismaRegister(
  context: ConnectorContext,
  { path, columns, changedBy }: VismaRegister,
  { mode, cursor, budget }: ReadRequest,
): Promise<ReadPage> {
  const { page, since: known, began } = positionOf(cursor, context.clock.now())
  const since = mode === 'upsert' && changedBy !== null ? known : ''
  const size = Math.min(VISMA_PAGE, budget.maxRows)
  const filter = since === '' ? {} : { filter: `${changedBy} ge ${since}` }
  const found = await vismaPage(context, path, { page, size, ...filter })
  const rows = found.records.map((record) => rowOf(record, columns))
  if (page < found.pages) return { kind: 'rows', rows, cursor: { page: page + 1, since, began }, done: false }
  const next = changedBy === null ? null : { since: new Date(began - OVERLAP_MS).toISOString() }
  return { kind: 'rows', rows, cursor: next, done: true }
}
