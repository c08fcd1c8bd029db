import type { z } from 'zod'
import { draftConnection } from './draft-connection'
import { checkEntered } from './entered-connection'
import { failureOf } from '../sync/sync-failure'
import { declaredColumns, fileTables, sampleOf } from '../sync/stream-tables'
import type { Connection, ConnectorContext } from '../../connectors/contract'
import type { RegisteredConnector } from '../../connectors/registry'
import type { Deps } from '../../deps'
import { ObjectWriter } from '../../features/uploads/extracted-tables'
import { createCsvReader } from '../../formats/csv/csv-reader'
import { sha256Hex } from '../../lib/hash'
import type { Scope } from '../../identity/scope'
import { ProductError } from '../../shared/errors'
import { PREVIEW_ROWS } from '../../shared/limits'
import type {
  StreamPreview,
  TestedSource,
  previewStreamSchema,
  testConnectionSchema,
} from '../../shared/data-sources/connections'
import { connectionStore } from '../../sync/connection-store'
import { contextFor, openCredentials, requireConnector } from '../../sync/credentials'

const DEADLINE_MS = 30_000
const PREVIEW_MAX_BYTES = 60 * 1024 * 1024

/** What was entered, ready to be called; of a source that is there, secrets that were not entered are the stored ones. */
export async function enteredContext(
  deps: Deps,
  scope: Scope,
  input: {
    kind: string
    settings: Record<string, string>
    secrets: Record<string, string>
    sourceId?: string | undefined
    draftId?: string | undefined
  },
): Promise<{ registered: RegisteredConnector; context: ConnectorContext; connection: Connection }> {
  const registered = requireConnector(deps, input.kind)
  const draft =
    input.draftId === undefined
      ? null
      : await draftConnection(deps, scope, { draftId: input.draftId, kind: input.kind })
  const stored =
    draft?.secrets ?? (input.sourceId === undefined ? {} : await storedSecrets(deps, scope, input.sourceId))
  const checked = checkEntered(registered, { ...input, settings: { ...draft?.settings, ...input.settings } }, stored)
  const connection = { ...checked, settings: { ...draft?.settings, ...checked.settings } }
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const budgetOf = input.sourceId ?? `${scope.workspaceId} ${scope.actorId}`
  return { registered, connection, context: contextFor(deps, registered, { connection, budgetOf, signal }) }
}

async function storedSecrets(deps: Deps, scope: Scope, sourceId: string): Promise<Record<string, string>> {
  const row = await connectionStore(deps.db, scope.workspaceId).get(sourceId)
  if (!row) throw new ProductError('not_found')
  return openCredentials(deps, row)
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
  scope: Scope,
  input: z.output<typeof testConnectionSchema>,
): Promise<TestedSource> {
  const { registered, context } = await enteredContext(deps, scope, input)
  const { connector } = registered
  return askSource(connector.describe().title, async () => {
    const { account = null, warnings } = await connector.test(context)
    return { account, warnings: [...warnings], streams: await connector.discover(context) }
  })
}

/** The first rows of a stream, read as a sync would read them. */
export async function previewStream(
  deps: Deps,
  scope: Scope,
  input: z.output<typeof previewStreamSchema>,
): Promise<StreamPreview> {
  const { registered, context } = await enteredContext(deps, scope, input)
  const { connector } = registered
  return askSource(connector.describe().title, async () => {
    const stream = (await connector.discover(context)).find(({ key }) => key === input.stream)
    if (!stream) throw new ProductError('not_found')
    const budget = { maxRows: PREVIEW_ROWS, maxBytes: PREVIEW_MAX_BYTES, deadlineAt: deps.clock.now() + DEADLINE_MS }
    const page = await connector.read(context, { stream, mode: stream.modes[0], cursor: null, budget })
    if (page.kind === 'file') return previewFile(deps, scope, page.file)
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
    const tables = await fileTables({ files: deps.files, nextKey }, part)
    return { tables: await Promise.all(tables.map((table) => previewTable(deps.files, file.name, table))) }
  } finally {
    await writer.discard().catch(() => undefined)
    await deps.files.delete(made)
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
