import type { z } from 'zod'
import { draftConnection } from './draft-connection'
import { requireWholeConnection } from './stored-connection'
import { checkEntered } from './entered-connection'
import { failureOf } from '../sync/sync-failure'
import { namedAsKnown } from '../sync/known-tables'
import { declaredColumns, fileTables, sampleOf } from '../sync/stream-tables'
import { SourceError, type Connection, type ConnectorContext } from '../../connectors/contract'
import type { RegisteredConnector } from '../../connectors/registry'
import type { Deps } from '../../deps'
import type { StoreContext } from '../../features/data-sources/store'
import { ObjectWriter } from '../../features/uploads/object-writer'
import { createCsvReader } from '../../formats/csv/csv-reader'
import { compressedKey } from '../../lib/compressed-object'
import { sha256Hex } from '../../lib/hash'
import type { Scope } from '../../scope'
import { doorsWithin } from '../../outbound/doors-within'
import { TARGET_DEADLINE_MS } from '../../outbound/target-fetch'
import { ProductError } from '../../shared/errors'
import { PREVIEW_ROWS } from '../../shared/limits'
import type {
  StreamPreview,
  TestedSource,
  previewStreamSchema,
  testConnectionSchema,
} from '../../shared/data-sources/connections'
import { contextFor, openCredentials, requireConnector } from '../../sync/credentials'

/** Of all that is asked for one answer to the person: a test, and what there is to read. */
const DEADLINE_MS = 2 * TARGET_DEADLINE_MS
/** A server to which no connection comes about within this is told as one that is not there. */
const CONNECT_MS = 8_000
/** Doors say more exactly what hangs. */
const GRACE_MS = 500
const PREVIEW_MAX_BYTES = 60 * 1024 * 1024

/** What was entered, ready to be called; of a source that is there, secrets that were not entered are the stored ones. */
export async function enteredContext(
  deps: Deps,
  ask: StoreContext,
  input: {
    kind: string
    settings: Record<string, string>
    secrets: Record<string, string>
    sourceId?: string | undefined
    draftId?: string | undefined
  },
): Promise<{ registered: RegisteredConnector; context: ConnectorContext; connection: Connection }> {
  const { scope } = ask
  const registered = requireConnector(deps, input.kind)
  const draft =
    input.draftId === undefined
      ? null
      : await draftConnection(deps, scope, { draftId: input.draftId, kind: input.kind })
  const { sourceId, kind } = input
  const stored = draft ?? (sourceId === undefined ? undefined : await storedConnection(deps, ask, { sourceId, kind }))
  const checked = checkEntered(registered, { ...input, settings: { ...draft?.settings, ...input.settings } }, stored)
  const connection = { ...checked, settings: { ...draft?.settings, ...checked.settings } }
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const budgetOf = input.sourceId ?? `${scope.workspaceId} ${scope.actorId}`
  return { registered, connection, context: contextFor(deps, registered, { connection, budgetOf, signal }) }
}

/** What a source is read by. @throws ProductError `not_found` also for one of another kind, `forbidden` for one that is seen in part */
async function storedConnection(
  deps: Deps,
  ask: StoreContext,
  of: { sourceId: string; kind: string },
): Promise<Connection> {
  const { row } = await requireWholeConnection(deps, ask, of.sourceId)
  if (row.kind !== of.kind) throw new ProductError('not_found')
  return { settings: row.settings, secrets: await openCredentials(deps, row) }
}

/**
 * Proves a connection in front of somebody. An answer is waited for as long as a sync waits for it: what a sync can read
 * can be connected. @throws SourceError `timeout` with what to do about it
 */
export async function testInTime(
  { connector }: RegisteredConnector,
  context: ConnectorContext,
): Promise<{ account: string | null; warnings: string[] }> {
  const waiting = new AbortController()
  const over = scheduler.wait(TARGET_DEADLINE_MS + GRACE_MS, { signal: waiting.signal }).then((): never => {
    throw new SourceError('timeout', {
      message: `No answer within ${TARGET_DEADLINE_MS / 1_000} seconds.`,
      mend: 'Check the address, and that a firewall lets us in.',
    })
  })
  over.catch(() => undefined)
  const doors = doorsWithin(context.doors, { answerMs: TARGET_DEADLINE_MS, connectMs: CONNECT_MS })
  try {
    const { account = null, warnings } = await Promise.race([connector.test({ ...context, doors }), over])
    return { account, warnings: [...warnings] }
  } finally {
    waiting.abort()
  }
}

/** The answer of a source, or why it gave none as an error of ours. @throws ProductError `source_failed`, `target_not_allowed` … */
export async function askSource<T>(title: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const failure = failureOf(error, title)
    if (!failure || failure.code === 'internal') throw error
    const { reason, message } = failure
    // Somebody waits: nobody but them tries again.
    const mend =
      failure.mend.replace(/^We’ll (try again|go on when there is room)\. ?/, '').trim() || 'Try again in a minute.'
    throw new ProductError(
      failure.code,
      failure.code === 'source_failed' ? { reason, mend } : {},
      `${message} ${mend}`,
      {
        cause: error,
      },
    )
  }
}

export async function testConnection(
  deps: Deps,
  ask: StoreContext,
  input: z.output<typeof testConnectionSchema>,
): Promise<TestedSource> {
  const { registered, context } = await enteredContext(deps, ask, input)
  const { connector } = registered
  return askSource(connector.describe().title, async () => {
    return { ...(await testInTime(registered, context)), streams: await connector.discover(context) }
  })
}

/** The first rows of a stream, read as a sync would read them. */
export async function previewStream(
  deps: Deps,
  ask: StoreContext,
  input: z.output<typeof previewStreamSchema>,
): Promise<StreamPreview> {
  const { registered, context } = await enteredContext(deps, ask, input)
  const { connector } = registered
  return askSource(connector.describe().title, async () => {
    const stream = (await connector.discover(context)).find(({ key }) => key === input.stream)
    if (!stream) throw new ProductError('not_found')
    const budget = { maxRows: PREVIEW_ROWS, maxBytes: PREVIEW_MAX_BYTES, deadlineAt: deps.clock.now() + DEADLINE_MS }
    const page = await connector.read(context, { stream, mode: stream.modes[0], cursor: null, budget })
    if (page.kind === 'file') return previewFile(deps, ask.scope, page.file)
    const columns = declaredColumns(stream).map(({ label, type }) => ({ label, type }))
    return {
      tables: [{ name: stream.label, columns, rows: page.kind === 'rows' ? page.rows.slice(0, PREVIEW_ROWS) : [] }],
    }
  })
}

async function previewFile(
  deps: Deps,
  scope: Scope,
  file: { name: string; body: ReadableStream<Uint8Array> },
): Promise<StreamPreview> {
  const base = `previews/${scope.workspaceId}/${deps.ids.token(16)}`
  const made: string[] = [base]
  const writer = new ObjectWriter(deps.files, base, { budget: null, offerTurn: async () => undefined })
  try {
    for await (const chunk of file.body) {
      writer.add(chunk)
      await writer.flush()
    }
    const { size } = await writer.finish()
    const nextKey = (): string => {
      const key = `${base}/${made.length}`
      made.push(key)
      return key
    }
    const part = { objectKey: base, size, hash: await sha256Hex(base), name: file.name }
    const tables = namedAsKnown(await fileTables({ files: deps.files, nextKey }, part), [])
    return { tables: await Promise.all(tables.map((table) => previewTable(deps.files, file.name, table))) }
  } finally {
    await writer.discard().catch(() => undefined)
    await deps.files.delete([...made, ...made.map(compressedKey)])
  }
}

async function previewTable(
  files: R2Bucket,
  fileName: string,
  table: Awaited<ReturnType<typeof fileTables>>[number],
): Promise<StreamPreview['tables'][number]> {
  const sample = await sampleOf(files, table.object)
  const rows: (string | null)[][] = []
  const reader = createCsvReader({
    settings: table.settings,
    startByte: 0,
    startLine: 1,
    onRecord: (cells) => {
      if (rows.length < PREVIEW_ROWS) rows.push(cells.map((cell) => (cell === '' ? null : cell)))
    },
  })
  reader.push(sample.head)
  const columns = table.columns.map(({ label, type }) => ({ label, type }))
  return { name: table.name === '' ? fileName : table.name, columns, rows }
}
