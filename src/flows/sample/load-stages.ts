import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { sampleStore } from '../../features/sample/store'
import { completeUpload, createUpload, putPart } from '../../features/uploads/service'
import { toSerial } from '../../formats/workbook/serial-date'
import { LOCAL_DATE } from '../../formats/workbook/xlsx-parts'
import { createXlsxStream, type XlsxSheet } from '../../formats/workbook/xlsx-writer'
import type { SheetCell } from '../../sample/customers'
import { customerSheet, generateCompany, ledgerFiles, ordersFile, type SampleFile } from '../../sample/sample-company'
import { UPLOAD_PART_BYTES } from '../../shared/limits'
import { sampleInsights } from './sample-insights'
import { createLoad } from '../../features/data-sources/datasets'
import { createSource, getSource, listSources } from '../../features/data-sources/sources'
import { createInsight } from '../../features/insights/service'
import { inspectUpload } from '../../features/uploads/inspect'
import { openUpload } from '../../features/uploads/open'
import { COMPANY } from '../../sample/scenario'
import { ProductError } from '../../shared/errors'
import type { FileColumn, LedgerTable, UploadTable } from '../../shared/data-sources/files'
import { computeEntitlements, NO_SUBSCRIPTION } from '../../shared/billing/entitlements'
import { createInsightSchema } from '../../shared/insights'
import { createSourceSchema } from '../../shared/data-sources/data-sources'
import type { Dataset, DataSource, NewTableInput } from '../../shared/data-sources/data-sources'

/** Who brings the sample in, as the database says at this stage. */
export interface SampleJob {
  deps: Deps
  scope: Scope
  name: string
  jobId: string
}
/** Uploads of the company's files, the ledger's oldest year first. */
export interface SampleUploads {
  orders: string
  customers: string
  ledger: string[]
}
const noIdempotentReply = () => null

/** Makes the company up and uploads its files as a person would. */
export async function writeSampleFiles(job: SampleJob): Promise<SampleUploads> {
  const { deps, scope, jobId } = job
  const now = deps.clock.now()
  const company = generateCompany(new Date(now).toISOString().slice(0, 10))
  const sheet = customerSheet(company)
  const workbook = await new Response(createXlsxStream([customersSheet(sheet.rows)])).bytes()
  const orders = await uploadFile(job, ordersFile(company))
  const customers = await uploadFile(job, { fileName: sheet.fileName, bytes: workbook })
  const ledger: string[] = []
  for (const year of ledgerFiles(company)) ledger.push(await uploadFile(job, year))
  await sampleStore(deps.db, scope).saveProgress(jobId, { done: 0, uploads: [orders, customers, ...ledger], now })
  return { orders, customers, ledger }
}

/** Dates are real ones, so that they are read as what they are. */
function customersSheet([heads = [], ...rows]: SheetCell[][]): XlsxSheet {
  const isDate = heads.map((_, at) => rows.some((row) => row[at] instanceof Date))
  return {
    name: 'Customers',
    columns: heads.map((head, at) => ({ head: String(head), ...(isDate[at] ? { numberFormat: LOCAL_DATE } : {}) })),
    rows: rows.map((row) => row.map((cell) => (cell instanceof Date ? toSerial(cell.toISOString(), 'UTC') : cell))),
  }
}

async function uploadFile({ deps, scope }: SampleJob, { fileName, bytes }: SampleFile): Promise<string> {
  const { id, partCount } = await createUpload(deps, {
    scope,
    input: { fileName, size: bytes.length },
    reply: noIdempotentReply,
  })
  for (let number = 1; number <= partCount; number++) {
    const part = bytes.subarray((number - 1) * UPLOAD_PART_BYTES, number * UPLOAD_PART_BYTES)
    await putPart(deps, scope, { uploadId: id, number, declared: part.length, body: new Blob([part]).stream() })
  }
  await completeUpload(deps, scope, { id, reply: noIdempotentReply })
  return id
}

const POLL_INTERVAL_MS = 150
const LOAD_TIMEOUT_MS = 120_000

const LEDGER_NAMES: Record<LedgerTable, string> = {
  companies: 'Companies',
  fiscal_years: 'Fiscal years',
  accounts: 'Accounts',
  balances: 'Balances',
  period_balances: 'Period balances',
  budgets: 'Budgets',
  vouchers: 'Vouchers',
  entries: 'Entries',
  dimensions: 'Dimensions',
  objects: 'Objects',
}
const SOURCE_NAMES = {
  orders: `${COMPANY.shortName}: orders`,
  customers: `${COMPANY.shortName}: customers`,
  ledger: `${COMPANY.shortName}: ledger`,
}

export const ordersStage = (job: SampleJob, { orders }: SampleUploads): Promise<string> =>
  connectSource(job, { name: SOURCE_NAMES.orders, uploadId: orders, tableName: () => 'Orders' })

export const customersStage = (job: SampleJob, { customers }: SampleUploads): Promise<string> =>
  connectSource(job, { name: SOURCE_NAMES.customers, uploadId: customers, tableName: () => 'Customers' })

/** The first year makes the ledger's datasets; each later one takes its part in them. */
export async function ledgerStage(job: SampleJob, { ledger }: SampleUploads): Promise<string> {
  const [first, ...later] = ledger
  if (first === undefined) throw new Error('the sample has no ledger')
  const sourceId = await connectSource(job, {
    name: SOURCE_NAMES.ledger,
    uploadId: first,
    tableName: ({ ledger: table, name }) => (table ? LEDGER_NAMES[table] : name),
  })
  for (const uploadId of later) {
    await waitUntilLoaded(job, sourceId)
    await importLedgerYear(job, { sourceId, uploadId })
  }
  return sourceId
}

/** For workspaces where a person's own source is called like one of ours. */
const sampleName = (name: string): string => `${name} (sample)`

interface SampleConnection {
  name: string
  uploadId: string
  tableName: (table: UploadTable) => string
}

/** The sample company counts against no plan. */
const outsideLimits = (scope: SampleJob['scope']) => ({ scope, max: null })

/** Opens a file, takes over what was seen in it, and starts its loads. What an earlier try made is taken up. */
async function connectSource(job: SampleJob, { name, uploadId, tableName }: SampleConnection): Promise<string> {
  const { deps, scope } = job
  const made = await sampleSource(job, name)
  if (made) return made.id
  const opened = await openUpload(deps, { scope, id: uploadId, reply: noIdempotentReply })
  const chosen = opened.tables.filter(({ optional }) => !optional)
  const tables: NewTableInput[] = []
  for (const table of chosen) {
    const { settings, columns } = await inspectUpload(deps, scope, { id: table.uploadId, input: {} })
    tables.push({
      name: tableName(table),
      uploadId: table.uploadId,
      settings,
      columns: columns.map(withCurrencyFormat),
    })
  }
  const create = (as: string): Promise<DataSource> => {
    const input = createSourceSchema.parse({ name: as, tables })
    return createSource(deps, { ...outsideLimits(scope), reply: noIdempotentReply, input, sample: true })
  }
  const { id } = await create(name).catch((error: unknown) => {
    if (error instanceof ProductError && error.code === 'name_taken') return create(sampleName(name))
    throw error
  })
  return id
}

/** The currency that a person would confirm for the order file's amounts. */
const AMOUNT_COLUMNS = new Set(['Unit price', 'Amount', 'Cost'])
const withCurrencyFormat = (column: FileColumn): FileColumn =>
  AMOUNT_COLUMNS.has(column.label)
    ? { ...column, role: 'measure', format: { style: 'currency', currency: 'SEK' } }
    : column

async function sampleSource({ deps, scope }: SampleJob, name: string): Promise<DataSource | undefined> {
  const { items } = await listSources(deps, outsideLimits(scope), { search: name, deleted: '0', limit: 100 })
  return items.find((source) => source.sample && [name, sampleName(name)].includes(source.name))
}

/** Waits until the source's loads have ended. @throws ProductError `source_failed` when one did not end well */
async function waitUntilLoaded({ deps, scope }: SampleJob, sourceId: string): Promise<DataSource> {
  for (let waited = 0; waited < LOAD_TIMEOUT_MS; waited += POLL_INTERVAL_MS) {
    const source = await getSource(deps, outsideLimits(scope), sourceId)
    if (source.state === 'ready') return source
    if (source.state !== 'syncing')
      throw new ProductError('source_failed', {}, source.lastRun?.error?.message ?? 'Couldn’t import a file.')
    await scheduler.wait(POLL_INTERVAL_MS)
  }
  throw new ProductError('busy', {}, 'Import timed out. Try again.')
}

async function importLedgerYear(job: SampleJob, year: { sourceId: string; uploadId: string }): Promise<void> {
  const { deps, scope } = job
  const { datasets } = await getSource(deps, outsideLimits(scope), year.sourceId)
  const opened = await openUpload(deps, { scope, id: year.uploadId, reply: noIdempotentReply })
  for (const table of opened.tables.filter(({ optional }) => !optional)) {
    const dataset = datasets.find(({ name }) => table.ledger && name === LEDGER_NAMES[table.ledger])
    // What is not of a year is there already.
    if (!dataset || !dataset.columns.some(({ label }) => label === 'fiscal_year')) continue
    const { settings, columns } = await inspectUpload(deps, scope, { id: table.uploadId, input: {} })
    const input = { uploadId: table.uploadId, mode: 'replacePart' as const, settings, columns }
    await createLoad(deps, {
      ...outsideLimits(scope),
      reply: noIdempotentReply,
      id: dataset.id,
      sample: true,
      input: {
        ...input,
        ...LOAD_DEFAULTS,
        mapping: mappingByLabel(columns, dataset),
        keyColumns: partColumns(dataset),
      },
    })
  }
}

/** What a load does unless a person says otherwise. */
const LOAD_DEFAULTS = { acceptRemoved: false, replaceComparison: false }

const mappingByLabel = (columns: FileColumn[], dataset: Dataset) =>
  columns.flatMap(({ index, label }) => {
    const same = dataset.columns.find((column) => column.label === label)
    return same ? [{ index, key: same.key }] : []
  })

/** A ledger's part is a company's fiscal year. */
const partColumns = ({ columns }: Dataset) =>
  ['org_number', 'fiscal_year']
    .flatMap((label) => columns.filter((column) => column.label === label))
    .map(({ key }) => key)

async function sampleDatasets(job: SampleJob): Promise<Dataset[]> {
  const sources = await Promise.all(Object.values(SOURCE_NAMES).map((name) => sampleSource(job, name)))
  return sources.flatMap((source) => source?.datasets ?? [])
}

/** Many rows of the first point at one of the second: `dataset.column`, twice. */
const RELATIONS = [
  ['Orders', 'Customer no', 'Customers', 'Customer no'],
  ['Entries', 'account_key', 'Accounts', 'account_key'],
  ['Entries', 'voucher_key', 'Vouchers', 'voucher_key'],
  ['Balances', 'account_key', 'Accounts', 'account_key'],
] as const

/** The relations that a person would confirm: each is proven before it holds. */
export async function relationsStage(job: SampleJob): Promise<null> {
  const { deps, scope } = job
  for (const name of Object.values(SOURCE_NAMES)) {
    const source = await sampleSource(job, name)
    if (source) await waitUntilLoaded(job, source.id)
  }
  const datasets = await sampleDatasets(job)
  const end = (name: string, label: string) => {
    const dataset = datasets.find((one) => one.name === name)
    const column = dataset?.columns.find((one) => one.label === label)
    if (!dataset || !column) throw new Error(`the sample has no ${name}.${label}`)
    return { datasetId: dataset.id, key: column.key }
  }
  const warehouse = deps.warehouse(scope)
  for (const [many, from, one, to] of RELATIONS)
    await warehouse.createRelation({ id: deps.ids.next('relation'), from: end(many, from), to: end(one, to) })
  return null
}

/** Five insights that show the story. One whose name is taken already was made by an earlier try, or by a person. */
export async function insightsStage(job: SampleJob): Promise<null> {
  const { deps, scope, name } = job
  // What counts against no limit asks for none.
  const unlimited = computeEntitlements(
    { ...NO_SUBSCRIPTION, state: 'active', override: { customInsights: null } },
    deps.clock.now(),
  )
  const ask = {
    deps,
    scope,
    actor: { userId: scope.actorId, name },
    membership: { entitlements: unlimited },
    reply: noIdempotentReply,
  }
  // The list shows the newest first: the first question is asked last.
  for (const input of sampleInsights(await sampleDatasets(job)).toReversed()) {
    await createInsight(ask, createInsightSchema.parse(input), { origin: 'sample' }).catch((error: unknown) => {
      if (!(error instanceof ProductError && error.code === 'name_taken')) throw error
    })
  }
  return null
}
