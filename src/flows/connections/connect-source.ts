import type { z } from 'zod'
import { askSource, enteredContext } from './test-connection'
import { keyFieldsOf } from '../../connectors/push/push-connector'
import type { Deps } from '../../deps'
import { commit, rethrowNameTaken, auditEntryFactory } from '../../db/commit'
import { newSourceRow, sourceStore } from '../../features/data-sources/store'
import { getSource, type SourceWriteContext } from '../../features/data-sources/sources'
import { toDataSource } from '../../features/data-sources/views'
import { sha256Hex } from '../../lib/hash'
import { ProductError } from '../../shared/errors'
import type { DataSource } from '../../shared/data-sources/data-sources'
import type { connectSourceSchema } from '../../shared/data-sources/connections'
import type { SourceStream, StreamMode } from '../../shared/data-sources/connectors'
import { connectionStore } from '../../sync/connection-store'
import { sealCredentials } from '../../sync/credentials'
import { startSync } from '../../sync/start-sync'

const PUSH_TOKEN_BYTES = 32
export const sourceAudit = auditEntryFactory('source')

/** Chosen streams as they were discovered now. @throws ProductError `invalid_input` for one that is not offered */
export function chosenStreams(
  found: readonly SourceStream[],
  chosen: readonly { key: string; mode: StreamMode }[],
): { key: string; stream: SourceStream; mode: StreamMode }[] {
  return chosen.map(({ key, mode }, at) => {
    const stream = found.find((each) => each.key === key)
    if (!stream)
      throw new ProductError('invalid_input', { fields: { [`streams.${at}.key`]: 'No longer at the source.' } })
    if (!stream.modes.includes(mode))
      throw new ProductError('invalid_input', {
        fields: { [`streams.${at}.mode`]: 'Choose one of the offered modes.' },
      })
    return { key, stream, mode }
  })
}

/** The one stream of a source that programs send to: its columns are those of what comes. */
function pushStream(
  name: string,
  settings: Readonly<Record<string, string>>,
): ReturnType<typeof chosenStreams>[number] {
  const keys = { keyColumns: keyFieldsOf(settings), incrementalColumn: null, modes: ['upsert'] as const }
  return { key: 'rows', mode: 'upsert', stream: { key: 'rows', label: name, columns: [], ...keys, proposed: true } }
}

type ConnectCommand = SourceWriteContext & { input: z.output<typeof connectSourceSchema>; planHours: number }

/** A connected source, its streams and its first sync. The token of a source that programs send to is answered once. */
export async function connectSource(
  deps: Deps,
  command: ConnectCommand,
): Promise<{ source: DataSource; token: string | null }> {
  const { scope, input, planHours } = command
  const { registered, connection, context } = await enteredContext(deps, command, input)
  const { delivery, title, kind } = registered.connector.describe()
  const isPull = delivery === 'pull'
  if (isPull && input.streams.length === 0)
    throw new ProductError('invalid_input', { fields: { streams: 'Choose at least one.' } })
  const found = isPull ? await askSource(title, () => registered.connector.discover(context)) : []
  const streams = isPull ? chosenStreams(found, input.streams) : [pushStream(input.name, connection.settings)]
  const now = deps.clock.now()
  const row = newSourceRow(scope, { id: deps.ids.next('source'), name: input.name, now, type: kind })
  const sealed = await sealCredentials(deps, { workspaceId: scope.workspaceId, sourceId: row.id }, connection.secrets)
  const token = isPull ? null : deps.ids.token(PUSH_TOKEN_BYTES)
  const store = connectionStore(deps.db, scope.workspaceId)
  const fresh = {
    sourceId: row.id,
    kind,
    settings: { ...connection.settings },
    secrets: sealed?.sealed ?? null,
    frequencyHours: input.frequencyHours,
    nextAt: isPull ? now : null,
    pushTokenHash: token === null ? null : await sha256Hex(token),
  }
  const write = commit(deps, {
    change: [
      sourceStore(deps.db, command).insert(row),
      store.insert(fresh, sealed?.keyId ?? null),
      ...store.replaceStreams(row.id, streams),
    ],
    // Settings hold no secret, and an address may still be nobody else's business.
    audit: [sourceAudit({ scope }, { action: 'source.connect', id: row.id, after: { name: row.name, kind } })],
    // A token is answered once and kept nowhere: such a source is made again under another name, or given a new token.
    reply: token === null ? command.reply({ source: toDataSource(row, { datasets: [], lastRuns: [] }), token }) : null,
    expect: { onMissed: () => limitError(deps, command) },
  })
  await rethrowNameTaken('data_sources.workspace_id', write)
  if (isPull)
    await startSync(deps, {
      row: { sourceId: row.id, workspaceId: scope.workspaceId, frequencyHours: input.frequencyHours },
      slot: 'first',
      trigger: 'first',
      actorId: null,
      planHours,
    })
  return { source: await getSource(deps, command, row.id), token }
}

async function limitError(deps: Deps, ask: SourceWriteContext): Promise<ProductError> {
  const used = await sourceStore(deps.db, ask).countLive()
  return new ProductError('limit_reached', { limit: 'dataSources', used, max: ask.max, addOn: 'extra_source' })
}
