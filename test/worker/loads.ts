import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { expect } from 'vitest'
import { unique, type SignedIn } from './factories'
import { depsFor } from '../../src/deps'
import { endRun } from '../../src/sync/end-run'
import { loadInSteps } from '../../src/sync/load-in-steps'
import type {
  CsvSettings,
  FileColumn,
  FileInspection,
  OpenedUpload,
  Upload,
  UploadTable,
} from '../../src/shared/data-sources/files'
import type { QueryResult } from '../../src/shared/query/result'
import type {
  CreateLoadInput,
  CreateSourceInput,
  DataSource,
  LoadFileParams,
  NewTableInput,
  SyncRun,
} from '../../src/shared/data-sources/data-sources'

/** Files and loads for tests, through the product's own calls. */
export const SETTINGS: CsvSettings = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  header: true,
  skipLines: 0,
  decimalMark: '.',
  dateOrder: 'ymd',
}

const base = (index: number, label: string) => ({ index, label, format: { style: 'plain' as const }, include: true })
export const textColumn = (index: number, label: string): FileColumn => ({
  ...base(index, label),
  type: 'text',
  role: 'dimension',
})
export const amountColumn = (index: number, label = 'amount'): FileColumn => ({
  ...base(index, label),
  type: 'number',
  scale: 2,
  role: 'measure',
})
export const dayColumn = (index: number, label = 'day'): FileColumn => ({
  ...base(index, label),
  type: 'date',
  role: 'time',
})
export const SALES = [dayColumn(0), textColumn(1, 'customer'), amountColumn(2)]

/** `day,customer,amount` with whole rows given as `[customer, amount]`. */
export const sales = (rows: [string, number | string][]): string =>
  [
    'day,customer,amount',
    ...rows.map(([who, amount], at) => `2026-01-${String((at % 28) + 1).padStart(2, '0')},${who},${amount}`),
  ].join('\n')

export const uploadText = (me: SignedIn, text: string, fileName = 'sales.csv'): Promise<string> =>
  uploadBytes(me, new TextEncoder().encode(text), fileName)

export async function uploadBytes(me: SignedIn, bytes: Uint8Array, fileName: string): Promise<string> {
  const announced = await me.fetch('/api/uploads', { method: 'POST', json: { fileName, size: bytes.length } })
  expect(announced.status).toBe(201)
  const { id, partBytes, partCount } = await announced.json<Upload>()
  for (let n = 1; n <= partCount; n++) {
    const body = bytes.slice((n - 1) * partBytes, n * partBytes)
    const headers = { 'content-type': 'application/octet-stream' }
    expect((await me.fetch(`/files/uploads/${id}/parts/${n}`, { method: 'PUT', body, headers })).status).toBe(200)
  }
  expect((await me.fetch(`/api/uploads/${id}/complete`, { method: 'POST' })).status).toBe(200)
  return id
}

export const newTable = (uploadId: string, more: Partial<NewTableInput> = {}): NewTableInput => ({
  name: 'Sales',
  uploadId,
  settings: SETTINGS,
  columns: SALES,
  ...more,
})

/** A source of one table. */
export const sourceInput = (
  uploadId: string,
  { name = unique('Sales'), ...table }: Partial<NewTableInput> = {},
): CreateSourceInput => ({ name, tables: [newTable(uploadId, { name, ...table })] })

export async function runOf(me: SignedIn, runId: string): Promise<SyncRun> {
  const answer = await me.fetch(`/api/runs/${runId}`)
  expect(answer.status).toBe(200)
  return answer.json<SyncRun>()
}

/** Each look is a request, which takes from what is waited for. */
const POLL_MS = 50

/** Waits until a run has ended. */
export async function waitForRun(me: SignedIn, runId: string): Promise<SyncRun> {
  for (;;) {
    const run = await runOf(me, runId)
    if (run.state !== 'queued' && run.state !== 'running') return run
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

export interface LoadedSource {
  source: DataSource
  datasetId: string
  run: SyncRun
}

/** Loads a file as its durable steps do, one after the other and at once. */
async function loadAtOnce(params: LoadFileParams): Promise<void> {
  const context = createExecutionContext()
  const deps = depsFor(env, context)
  const steps = { do: <T>(_name: string, work: () => Promise<T>) => work(), sleep: () => Promise.resolve() }
  const end = await loadInSteps(steps, () => deps, { params, prefix: 'load' })
  if (end.kind === 'unchanged') await endRun(deps, params, 'unchanged')
  else if (end.kind !== 'loaded') await endRun(deps, params, end.kind === 'refused' ? end.refusal : end.halt)
  await waitOnExecutionContext(context)
}
/** The platform takes longer to begin a durable load than a small one takes: what is not about that has its loads at once. */
export const LOADED_AT_ONCE = {
  ...env,
  LOAD_FILE: { create: ({ params }: { params: LoadFileParams }) => loadAtOnce(params) },
}

/** A load by the platform's workflow: `bindings = env`. */
export const createSource = (
  me: SignedIn,
  json: CreateSourceInput,
  bindings: object = LOADED_AT_ONCE,
): Promise<Response> => me.fetch('/api/data-sources', { method: 'POST', json, bindings })

/** A source created from this text, its load ended. */
export async function createLoadedSource(
  me: SignedIn,
  text: string,
  more: Partial<NewTableInput> = {},
): Promise<LoadedSource> {
  const json = sourceInput(await uploadText(me, text), more)
  const answer = await createSource(me, json)
  expect(answer.status).toBe(201)
  const source = await answer.json<DataSource>()
  return { source, datasetId: source.datasets[0]?.id ?? '', run: await waitForRun(me, source.lastRun?.id ?? '') }
}

export const sameColumns = (columns: FileColumn[] = SALES): CreateLoadInput['mapping'] =>
  columns.map(({ index }) => ({ index, key: `c${index}` }))

export const startLoad = (
  me: SignedIn,
  datasetId: string,
  json: CreateLoadInput,
  bindings: object = LOADED_AT_ONCE,
): Promise<Response> => me.fetch(`/api/datasets/${datasetId}/loads`, { method: 'POST', json, bindings })

/** Another file into a dataset, its load ended. */
export async function loadFileInto(
  me: SignedIn,
  datasetId: string,
  given: { text: string } & Partial<CreateLoadInput>,
): Promise<SyncRun> {
  const { text, ...more } = given
  const uploadId = await uploadText(me, text)
  const input = {
    uploadId,
    mode: 'replace',
    settings: SETTINGS,
    columns: SALES,
    mapping: sameColumns(),
    ...more,
  } as const
  const answer = await startLoad(me, datasetId, input)
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  return waitForRun(me, (await answer.json<SyncRun>()).id)
}

/** Rows as every screen sees them: number of rows, and the sum of a column. */
export async function readTotals(me: SignedIn, datasetId: string, column: `c${number}` = 'c2') {
  const field = { dataset: datasetId, column }
  const answer = await me.fetch('/api/query', {
    method: 'POST',
    json: {
      plan: {
        v: 1,
        kind: 'aggregate',
        measures: [
          { kind: 'column', agg: 'count' },
          { kind: 'column', agg: 'sum', field },
        ],
        dimensions: [],
        filters: [],
      },
    },
  })
  if (answer.status !== 200) return { status: answer.status }
  const { rows } = await answer.json<QueryResult>()
  return { rows: Number(rows[0]?.[0]), sum: Number(rows[0]?.[1]) }
}

/** The tables of a ledger's file. */
export async function openLedger(me: SignedIn, text: string): Promise<UploadTable[]> {
  const id = await uploadBytes(me, new TextEncoder().encode(text), 'books.se')
  const answer = await me.fetch(`/api/uploads/${id}/open`, { method: 'POST' })
  expect(answer.status).toBe(200)
  return (await answer.json<OpenedUpload>()).tables
}
export const inspectTable = async (me: SignedIn, { uploadId }: UploadTable): Promise<FileInspection> =>
  (await me.fetch(`/api/uploads/${uploadId}/inspect`, { method: 'POST', json: {} })).json<FileInspection>()

/** A source of all tables of a SIE file, loaded. */
export async function createLedger(me: SignedIn, text: string, name = 'Books'): Promise<DataSource> {
  const tables = await openLedger(me, text)
  const input = await Promise.all(
    tables.map(async (table) => {
      const { settings, columns } = await inspectTable(me, table)
      return { name: table.name, uploadId: table.uploadId, settings, columns }
    }),
  )
  const json = { name, tables: input }
  const answer = await createSource(me, json)
  expect([answer.status, await answer.clone().text()]).toEqual([201, expect.anything()])
  const source = await answer.json<DataSource>()
  for (const { id } of source.lastRuns) expect(await waitForRun(me, id)).toMatchObject({ state: 'succeeded' })
  return source
}
