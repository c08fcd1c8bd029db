import { env } from 'cloudflare:test'
import { signedIn, type SignedIn } from '../factories'
import { shownRows } from './shown-rows'
import { createFileServer, type FileServer } from '../../../emulators/files/file-server.ts'
import { createDeps, systemIds, type Deps } from '../../../src/deps'
import { runSync } from '../../../src/flows/sync/run-sync'
import { readSettings } from '../../../src/settings'
import type { SyncSourceParams } from '../../../src/shared/data-sources/connections'
import { sealCredentials } from '../../../src/sync/credentials'
import { connectionStore, type ConnectionRow } from '../../../src/sync/connection-store'
import type { DurableSteps } from '../../../src/sync/durable-steps'
import { startSync } from '../../../src/sync/start-sync'

export const FILE_URL = 'https://files.example.com/orders.csv'
/** What stands in the header by which the server of {@link fileSource} lets in. */
export const FILE_KEY = 'marker-of-a-secret'
export const ORDERS = 'id,amount\n1,10\n2,20\n3,30\n'
const STREAM = {
  ...{ key: 'file', label: 'orders.csv', columns: null, keyColumns: [], incrementalColumn: null },
  ...{ modes: ['replace'] as const, proposed: true },
}

/** Steps that remember nothing: each is done where it stands, and nobody waits. */
export const INSTANT_STEPS: DurableSteps = { do: (_name, work) => work(), sleep: () => Promise.resolve() }

class Killed extends Error {}

/** Steps that remember what they answered; the process may be killed before or after any of them. */
export function memorySteps(): { steps: DurableSteps; killAfter: (count: number) => void; names: () => string[] } {
  const answers = new Map<string, string>()
  let left = Infinity
  const steps: DurableSteps = {
    async do<T>(name: string, work: () => Promise<T>): Promise<T> {
      const known = answers.get(name)
      if (known === undefined) {
        if (left-- <= 0) throw new Killed('before')
        answers.set(name, JSON.stringify({ answer: await work() }))
      }
      const { answer }: { answer: T } = JSON.parse(answers.get(name) ?? '')
      return answer
    },
    sleep: () => Promise.resolve(),
  }
  return { steps, killAfter: (count) => void (left = count), names: () => [...answers.keys()] }
}

/** Where a source is read from: its answers, and what else of the dependencies is not the product's own. */
export interface SourceWorld {
  /** Stores of the platform, or what stands before them. */
  bindings?: typeof env
  now?: number
  overrides?: Partial<Deps>
}

/** A source of one file at an address, of a workspace of its own. */
export interface FileSource {
  person: SignedIn
  server: FileServer
  sourceId: string
  workspaceId: string
  deps: (world?: SourceWorld) => Deps
  /** Null: nothing may be started now. */
  sync: (slot: string, acceptDrift?: boolean) => Promise<SyncSourceParams | null>
  started: (slot: string, acceptDrift?: boolean) => Promise<SyncSourceParams>
  run: (params: SyncSourceParams) => Promise<void>
  /** What the list of sources says of its table. */
  rows: () => Promise<{ rowCount: number; dataVersion: number } | null>
  /** Every row of its table, as text, sorted. */
  table: () => Promise<string[] | null>
  connection: () => Promise<ConnectionRow>
}

/** The platform starts no workflow behind a test. */
const NO_WORKFLOWS = new Proxy(env.SYNC_SOURCE, { get: () => () => Promise.reject(new Error('not here')) })

function depsTo(server: FileServer, { bindings = env, now = Date.now(), overrides = {} }: SourceWorld): Deps {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  return createDeps(
    bindings,
    parsed.settings,
    { waitUntil: () => undefined },
    {
      clock: { now: () => now },
      resolve: () => Promise.resolve(['93.184.216.34']),
      targetFetcher: (request) => server.answer(request),
      syncSource: NO_WORKFLOWS,
      reporter: { report: () => undefined },
      ...overrides,
    },
  )
}

/** Its rows are {@link ORDERS} until others are put; it is due since 1970. */
export async function fileSource(given: { person?: SignedIn; frequencyHours?: number } = {}): Promise<FileSource> {
  const person = given.person ?? (await signedIn())
  const { workspaceId, userId } = person
  const server = createFileServer({ key: FILE_KEY })
  server.put('/orders.csv', ORDERS)
  const deps = (world: SourceWorld = {}): Deps => depsTo(server, world)
  const sourceId = systemIds.next('source')
  const { db } = deps()
  const store = connectionStore(db, workspaceId)
  const sealed = await sealCredentials(deps(), { workspaceId, sourceId }, { headers: `X-Api-Key: ${FILE_KEY}` })
  const row = { sourceId, kind: 'url' as const, settings: { url: FILE_URL }, secrets: sealed?.sealed ?? null }
  await db.d1.batch([
    db.d1
      .prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'url', ?, ?, 'draft', ?, 0, 0)`,
      )
      .bind(sourceId, workspaceId, `Orders ${sourceId}`, `orders ${sourceId}`, userId),
    store.insert(
      { ...row, frequencyHours: given.frequencyHours ?? 24, nextAt: 0, pushTokenHash: null },
      sealed?.keyId ?? null,
    ),
    ...store.replaceStreams(sourceId, [{ key: 'file', stream: { ...STREAM, modes: ['replace'] }, mode: 'replace' }]),
  ])
  const sync: FileSource['sync'] = async (slot, acceptDrift = false) => {
    const start = { slot, trigger: 'schedule' as const, actorId: null, planHours: 6, acceptDrift }
    const syncId = await startSync(deps(), { ...start, row: { sourceId, workspaceId, frequencyHours: 24 } })
    return syncId === null ? null : { syncId, sourceId, workspaceId }
  }
  const tableSql = 'SELECT id, row_count AS rowCount, data_version AS dataVersion FROM datasets WHERE source_id = ?'
  const table = () =>
    db.d1.prepare(tableSql).bind(sourceId).first<{ id: string; rowCount: number; dataVersion: number }>()
  return {
    ...{ person, server, sourceId, workspaceId, deps, sync },
    async started(slot, acceptDrift) {
      const params = await sync(slot, acceptDrift)
      if (!params) throw new Error('not started')
      return params
    },
    run: (params) => runSync(memorySteps().steps, () => deps(), params),
    async rows() {
      const row = await table()
      return row && { rowCount: row.rowCount, dataVersion: row.dataVersion }
    },
    table: async () => shownRows(deps(), person, (await table())?.id ?? null),
    async connection() {
      const found = await store.get(sourceId)
      if (!found) throw new Error('no connection')
      return found
    },
  }
}
