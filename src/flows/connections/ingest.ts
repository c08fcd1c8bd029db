import { drainPushed } from '../sync/drain-pushed'
import { planDeps } from '../sync/sync-owner'
import { keyFieldsOf } from '../../connectors/push/push-connector'
import { fitPushedRows, parsePushedBody, PUSHED_ROWS_MAX } from '../../connectors/push/pushed-rows'
import type { Deps } from '../../deps'
import { sourceFrozenError } from '../../features/data-sources/sources'
import { sourceStore } from '../../features/data-sources/store'
import { canonicalCsvRecord } from '../../formats/csv/canonical-csv'
import { equalText, sha256Hex } from '../../lib/hash'
import { utf8Length } from '../../formats/csv/csv-errors'
import { ProductError } from '../../shared/errors'
import type { SourceStream } from '../../shared/data-sources/connectors'
import { pushStore, type PushSource } from '../../sync/push-store'

/** Somebody else may add columns at the same time: their list is read, and ours fitted to it. */
const WIDENED_MAX = 8
/** As kept: a row of the database holds no more. Every row has all columns of its source. */
const BATCH_MAX_BYTES = 1_500_000

export interface PushedBatch {
  sourceKey: string
  authorization: string | undefined
  idempotencyKey: string | null
  isNdjson: boolean
  body: string
}

/** The source that a token opens. @throws ProductError `unauthenticated`, the same for an unknown source and a wrong token */
export async function authorizedSource(
  deps: Deps,
  of: Pick<PushedBatch, 'sourceKey' | 'authorization'>,
): Promise<PushSource> {
  const [, token = ''] = /^Bearer ([0-9a-f]{64})$/.exec(of.authorization ?? '') ?? []
  const found = await pushStore(deps.db).find(of.sourceKey)
  const given = await sha256Hex(token)
  if (!found || token === '' || !equalText(given, found.tokenHash))
    throw new ProductError('unauthenticated', {}, 'Unknown source or wrong token.')
  return found
}

/**
 * Keeps a batch: from then on it is not lost. Its rows are in the table within a second; `after` brings them there.
 * @throws ProductError `invalid_input` by row and field, `read_only` where nothing may come in
 */
export async function ingestBatch(
  deps: Deps,
  source: PushSource,
  batch: PushedBatch,
): Promise<{ answer: { accepted: number; batch: string }; after: () => Promise<void> }> {
  await assertOpen(deps, source)
  const rows = parsePushedBody(batch.body, batch.isNdjson)
  if (!rows) throw new ProductError('bad_request', {}, 'Send a JSON array of objects, or one object a line.')
  if (rows.length > PUSHED_ROWS_MAX)
    throw new ProductError('too_large', { what: 'rows', max: PUSHED_ROWS_MAX, size: rows.length })
  const { sourceId, workspaceId } = source
  const key = batch.idempotencyKey ?? `auto:${deps.ids.token(16)}`
  const answer = { accepted: rows.length, batch: key }
  const nothing = () => Promise.resolve()
  if (rows.length === 0) return { answer, after: nothing }
  const bodyHash = await sha256Hex(batch.body)
  const cells = await fitRows(deps, source, rows)
  const body = cells.map((row, at) => canonicalCsvRecord(row, at + 1)).join('')
  const size = utf8Length(body)
  if (size > BATCH_MAX_BYTES) throw new ProductError('too_large', { what: 'batch', max: BATCH_MAX_BYTES, size })
  const store = pushStore(deps.db)
  const isNew = await store.insert({
    workspaceId,
    sourceId,
    key,
    bodyHash,
    body,
    rowCount: rows.length,
    now: deps.clock.now(),
  })
  if (!isNew && (await store.hashOf(sourceId, key)) !== bodyHash)
    throw new ProductError('invalid_input', { fields: { 'Idempotency-Key': 'This key was used for another batch.' } })
  return { answer, after: isNew ? () => drainPushed(deps, { sourceId, workspaceId }) : nothing }
}

async function assertOpen(deps: Deps, source: PushSource): Promise<void> {
  if (source.paused) throw new ProductError('read_only', { reason: 'paused' }, 'This source is paused.')
  const owner = await planDeps(deps, source)
  if (!owner) throw new ProductError('read_only', {}, 'This workspace takes no rows at the moment.')
  const row = await sourceStore(deps.db, owner.ask).get(source.sourceId)
  if (!row || row.frozen) throw sourceFrozenError()
}

/** The rows in the order of the source's columns, to which those of new fields are added. */
async function fitRows(deps: Deps, source: PushSource, rows: Record<string, unknown>[]): Promise<(string | null)[][]> {
  const store = pushStore(deps.db)
  let current: PushSource = source
  for (let tries = 0; tries < WIDENED_MAX; tries += 1) {
    const stream: SourceStream = JSON.parse(current.streamText)
    const known = stream.columns ?? []
    const fitted = fitPushedRows(rows, known, keyFieldsOf(current.settings))
    if (!fitted.ok) throw new ProductError('invalid_input', { fields: fitted.fields })
    if (fitted.columns.length === known.length) return fitted.cells
    const after = { ...stream, columns: fitted.columns }
    if (await store.widen({ sourceId: source.sourceId, before: current.streamText, after })) return fitted.cells
    current = (await store.find(source.sourceId)) ?? current
  }
  throw new ProductError('busy', { retryAfter: 1 })
}
