import { requireWholeDataset } from './datasets'
import { assertNotFrozen, assertNotSample, auditEntry, type SourceWriteContext } from './sources'
import { sourceStore, type LiveDataset, type StoreContext } from './store'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { objectSize } from '../../lib/compressed-object'
import type { StepEffect } from '../../shared/data-sources/cleaning'
import type { DatasetCleaning, ReopenedFile } from '../../shared/data-sources/data-sources'
import { ProductError } from '../../shared/errors'
import { UPLOAD_TTL_MS } from '../../shared/limits'
import { loadRequestOf, runStore, type RunRow } from '../../sync/store'

/** The load that brought all rows shown now, with its file where that is stored; null where they came from several files. */
async function wholeLoad(
  deps: Deps,
  ask: StoreContext,
  dataset: LiveDataset,
): Promise<{ load: RunRow & { effects: StepEffect[] }; objectKey: string | null } | null> {
  const load = await runStore(deps.db, ask.scope).loadOfVersion(dataset.id, dataset.dataVersion)
  return load && { load, objectKey: load.mode === 'create' || load.mode === 'replace' ? load.objectKey : null }
}

/** The recipe of the rows shown now, what it did to them, and whether their file can be imported again. */
export async function getCleaning(deps: Deps, ask: StoreContext & { id: string }): Promise<DatasetCleaning> {
  const dataset = await requireWholeDataset(deps, ask, ask.id)
  const whole = await wholeLoad(deps, ask, dataset)
  const file =
    whole?.objectKey && (await objectSize(deps.files, whole.objectKey)) !== null ? { name: whole.load.fileName } : null
  const steps = dataset.cleaning
  const effects = whole?.load.effects ?? []
  const ledger = whole !== null && loadRequestOf(whole.load).table?.['ledger'] !== undefined
  return { steps, effects: effects.length === steps.length ? effects : [], file, ledger }
}

/**
 * Makes an upload of the file that all rows came from, so that it can be looked at and imported again with other steps.
 * @throws ProductError `bad_request` where the rows came from several files, `expired` where the file is stored no longer
 */
export async function reopenFile(deps: Deps, command: SourceWriteContext & { id: string }): Promise<ReopenedFile> {
  const { scope, id } = command
  const dataset = await requireWholeDataset(deps, command, id)
  assertNotFrozen(dataset)
  const store = sourceStore(deps.db, command)
  assertNotSample(await store.get(dataset.sourceId))
  const whole = await wholeLoad(deps, command, dataset)
  if (whole && whole.load.mode !== 'create' && whole.load.mode !== 'replace')
    throw new ProductError('bad_request', {}, 'Rows came from several files. Change the steps at the next import.')
  const objectKey = whole?.objectKey
  if (!whole || !objectKey || (await objectSize(deps.files, objectKey)) === null)
    throw new ProductError('expired', { what: 'file' }, 'The file is no longer stored. Upload it again.')
  const { load } = whole
  const { settings } = loadRequestOf(load)
  const now = deps.clock.now()
  const known = await store.uploadOf(objectKey, now + REVIEW_MS)
  const uploadId = known ?? deps.ids.next('upload')
  const answer: ReopenedFile = { uploadId, fileName: load.fileName, size: load.bytesTotal, settings }
  await commit(deps, {
    change: known === null ? [store.reopenUpload(load.id, { id: uploadId, now, expiresAt: now + UPLOAD_TTL_MS })] : [],
    audit: [auditEntry(scope, 'dataset.reopen', { entity: 'dataset', id })],
    reply: command.reply(answer),
  })
  return answer
}

/** An upload that ends before somebody has looked at it is of no use. */
const REVIEW_MS = 60 * 60 * 1000
