import { planDeps } from '../sync/sync-owner'
import { fitPushedRows, parsePushedBody, PUSHED_ROWS_MAX } from '../../connectors/push/pushed-rows'
import type { Deps } from '../../deps'
import { sourceFrozenError } from '../../features/data-sources/sources'
import { sourceStore } from '../../features/data-sources/store'
import { canonicalCsvRecord } from '../../formats/csv/canonical-csv'
import { utf8Length } from '../../formats/csv/csv-errors'
import { ProductError, type SerializedError } from '../../shared/errors'
import type { SourceStream } from '../../shared/data-sources/connectors'
import type { SentBatch } from '../../connectors/push/push-inbox'
import { pushStore, type PushSource } from '../../sync/push-store'

/** Somebody else may add columns at the same time: their list is read, and ours fitted to it. */
const WIDENED_MAX = 8
/** As kept: a row of the database holds no more. Every row has all columns of its source. */
const BATCH_MAX_BYTES = 1_500_000

/** A source, and why nothing may come in at the moment; null: it may. */
export interface PushStanding {
  source: PushSource
  refusal: SerializedError | null
}

/** Null for a source that is none, or takes no rows from programs. */
export async function readStanding(deps: Deps, sourceId: string): Promise<PushStanding | null> {
  const source = await pushStore(deps.db).find(sourceId)
  return source && { source, refusal: (await refusalOf(deps, source))?.serialize() ?? null }
}

async function refusalOf(deps: Deps, source: PushSource): Promise<ProductError | null> {
  if (source.paused) return new ProductError('read_only', { reason: 'paused' }, 'This source is paused.')
  const owner = await planDeps(deps, source)
  if (!owner) return new ProductError('read_only', {}, 'This workspace takes no rows at the moment.')
  const row = await sourceStore(deps.db, owner.ask).get(source.sourceId)
  return !row || row.frozen ? sourceFrozenError() : null
}

export interface FittedBatch {
  rowCount: number
  /** Canonical records; empty where no rows came. */
  body: string
  /** The source's columns, to which those of new fields were added. */
  streamText: string
}

/**
 * The rows of a batch as they are kept. What is refused leaves nothing behind, the columns of its fields neither.
 * @throws ProductError `invalid_input` by row and field, `too_large`, `bad_request`
 */
export async function fitBatch(deps: Deps, source: PushSource, batch: SentBatch): Promise<FittedBatch> {
  const rows = parsePushedBody(batch.body, batch.isNdjson)
  if (!rows) throw new ProductError('bad_request', {}, 'Send a JSON array of objects, or one object a line.')
  if (rows.length > PUSHED_ROWS_MAX)
    throw new ProductError('too_large', { what: 'rows', max: PUSHED_ROWS_MAX, size: rows.length })
  return { rowCount: rows.length, ...(await fitRows(deps, source, rows)) }
}

/** Rows as records, in the order of the source's columns, to which those of new fields are added. */
async function fitRows(
  deps: Deps,
  source: PushSource,
  rows: Record<string, unknown>[],
): Promise<Pick<FittedBatch, 'body' | 'streamText'>> {
  const store = pushStore(deps.db)
  let current: PushSource = source
  for (let tries = 0; tries < WIDENED_MAX; tries += 1) {
    const stream: SourceStream = JSON.parse(current.streamText)
    const known = stream.columns ?? []
    // By what a load tells its rows apart.
    const fitted = fitPushedRows(rows, known, stream.keyColumns)
    if (!fitted.ok) throw new ProductError('invalid_input', { fields: fitted.fields })
    const body = recordsOf(fitted.cells)
    if (fitted.columns.length === known.length) return { body, streamText: current.streamText }
    const after = { ...stream, columns: fitted.columns }
    const of = { sourceId: source.sourceId, before: current.streamText, after }
    if (await store.widen(of)) return { body, streamText: JSON.stringify(after) }
    current = (await store.find(source.sourceId)) ?? current
  }
  throw new ProductError('busy', { retryAfter: 1 })
}

function recordsOf(cells: (string | null)[][]): string {
  const body = cells.map((row, at) => canonicalCsvRecord(row, at + 1)).join('')
  const size = utf8Length(body)
  if (size > BATCH_MAX_BYTES) throw new ProductError('too_large', { what: 'batch', max: BATCH_MAX_BYTES, size })
  return body
}
