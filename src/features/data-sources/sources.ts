import { isNameTaken, sourceStore } from './store'
import type { Reading, SourceRow, WholeSources } from './store'
import { cursorOf, readCursor, viewSource } from './views'
import type { z } from 'zod'
import { frozen } from '../../access/frozen'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { ProductError } from '../../shared/errors'
import { DELETED_KEPT_MS } from '../../shared/limits'
import type { Page } from '../../shared/names'
import type { DataSource, listSourcesSchema } from '../../shared/sources'
import { settledRun, terminate } from '../../sync/settle'
import { runStore } from '../../sync/store'

/** A write to sources: by whom, in a workspace of so many. */
export type Writing = Asking & Reading

export const audited = (
  scope: Scope,
  action: string,
  of: { entity: string; id: string; after?: unknown },
): AuditEntry => ({
  workspaceId: scope.workspaceId,
  actorId: scope.actorId,
  action,
  entity: of.entity,
  entityId: of.id,
  after: of.after,
})

const viewOf = (row: SourceRow, whole: Pick<WholeSources, 'datasets' | 'lastRuns'>): DataSource =>
  viewSource(row, {
    datasets: whole.datasets.filter(({ sourceId }) => sourceId === row.id),
    lastRuns: whole.lastRuns.filter(({ sourceId }) => sourceId === row.id),
  })

export async function listSources(
  deps: Deps,
  ask: Reading,
  wanted: z.output<typeof listSourcesSchema>,
): Promise<Page<DataSource>> {
  const deleted = wanted.deleted === '1'
  const page = { search: wanted.search, deleted, before: readCursor(wanted.cursor), limit: wanted.limit + 1 }
  const whole = await sourceStore(deps.db, ask).list(page)
  const shown = whole.rows.slice(0, wanted.limit)
  const last = whole.rows.length > wanted.limit ? shown.at(-1) : undefined
  return {
    items: shown.map((row) => viewOf(row, whole)),
    nextCursor: last ? cursorOf({ at: (deleted ? last.deletedAt : null) ?? last.createdAt, id: last.id }) : null,
  }
}

/** @throws ProductError `not_found` */
export async function getSource(deps: Deps, ask: Reading, id: string): Promise<DataSource> {
  const { rows, datasets, lastRuns } = await sourceStore(deps.db, ask).whole(id)
  const [row] = rows
  if (!row) throw new ProductError('not_found')
  const settled = await Promise.all(lastRuns.map((run) => settledRun(deps, ask.scope, run)))
  const projected = settled.some(({ state }, at) => state !== lastRuns[at]?.state)
  return viewSource(row, {
    datasets: projected ? await sourceStore(deps.db, ask).datasetsOf([id]) : datasets,
    lastRuns: settled,
  })
}

export async function sourcesFull(deps: Deps, ask: Reading): Promise<ProductError> {
  const used = await sourceStore(deps.db, ask).countLive()
  return new ProductError('limit_reached', { limit: 'dataSources', used, max: ask.max, addOn: 'extra_source' })
}

async function currentConflict(deps: Deps, ask: Reading, id: string): Promise<ProductError> {
  return new ProductError('version_conflict', { current: await getSource(deps, ask, id) })
}

export async function renameSource(
  deps: Deps,
  ask: Writing & { id: string; input: { name: string; version: number } },
): Promise<DataSource> {
  const { scope, id, input } = ask
  const before = await getSource(deps, ask, id)
  const now = deps.clock.now()
  const after: DataSource = {
    ...before,
    name: input.name,
    version: input.version + 1,
    updatedAt: new Date(now).toISOString(),
  }
  try {
    await commit(deps, {
      change: [sourceStore(deps.db, ask).rename(id, { ...input, now })],
      audit: [audited(scope, 'source.update', { entity: 'source', id, after: { name: input.name } })],
      reply: ask.reply(after),
      expect: { onMissed: () => currentConflict(deps, ask, id) },
    })
  } catch (error) {
    throw isNameTaken(error) ? new ProductError('name_taken') : error
  }
  return after
}

/** Hides a source and its rows for 30 days; its loads stop. Dependents are named first unless `force`. */
export async function removeSource(
  deps: Deps,
  ask: Writing & { id: string; version: number; force: boolean },
): Promise<{ id: string }> {
  const { scope, id } = ask
  const store = sourceStore(deps.db, ask)
  await getSource(deps, ask, id)
  if (!ask.force) await refuseWhileUsed(store.dependents({ sourceId: id }))
  const runs = runStore(deps.db, scope)
  const [active, datasets] = await Promise.all([runs.activeOf(id), store.datasetsOf([id])])
  const now = deps.clock.now()
  const answer = { id }
  await commit(deps, {
    change: [store.remove(id, { version: ask.version, now }), runs.cancelOf(id, now)],
    audit: [audited(scope, 'source.delete', { entity: 'source', id })],
    reply: ask.reply(answer),
    expect: { onMissed: () => currentConflict(deps, ask, id) },
  })
  for (const dataset of datasets)
    await deps.warehouse(scope).deleteDataset({ datasetId: dataset.id, purge: false }).catch(unlessNeverLoaded)
  for (const run of active) await terminate(deps, run.id)
  return answer
}

/** A dataset whose first load never came to its end is unknown to the warehouse. */
function unlessNeverLoaded(error: unknown): void {
  if (!(error instanceof ProductError && error.code === 'not_found')) throw error
}

/** A person's own rows would go when the sample company goes, and would count against nothing until then. */
export function refuseSample(source: Pick<SourceRow, 'sample'> | null): void {
  if (source?.sample)
    throw new ProductError('bad_request', {}, 'This is the sample company. Connect your file as a source of its own.')
}

/** Nothing comes into a source that the plan has no room for. */
export function refuseFrozen(row: { frozen: boolean }): void {
  if (row.frozen) throw frozenSource()
}
export const frozenSource = (): ProductError =>
  frozen('This source is frozen: the plan has room for fewer. Its data can be read; nothing new comes in.')

export async function refuseWhileUsed(asked: Promise<unknown[]>): Promise<void> {
  const dependents = await asked
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
}

/** Brings a source back within 30 days of its deletion, if the plan has room and its name is still free. */
export async function restoreSource(deps: Deps, ask: Writing & { id: string }): Promise<DataSource> {
  const { scope, id } = ask
  const store = sourceStore(deps.db, ask)
  const row = await store.get(id, 'deleted')
  const now = deps.clock.now()
  // From then on the sweep may be taking its rows away: half of a source must not come back.
  const since = now - DELETED_KEPT_MS
  if (!row || (row.deletedAt ?? 0) <= since) throw new ProductError('not_found')
  const restored = { ...row, deletedAt: null, version: row.version + 1, updatedAt: now }
  const [datasets, lastRuns] = await Promise.all([store.datasetsOf([id]), runStore(deps.db, scope).lastOf([id])])
  const view = viewOf(restored, { datasets, lastRuns })
  try {
    await commit(deps, {
      change: [store.restore(id, { now, since })],
      audit: [audited(scope, 'source.restore', { entity: 'source', id })],
      reply: ask.reply(view),
      expect: { onMissed: () => sourcesFull(deps, ask) },
    })
  } catch (error) {
    throw isNameTaken(error) ? new ProductError('name_taken') : error
  }
  for (const dataset of await store.datasetsOf([id]))
    await deps.warehouse(scope).restoreDataset(dataset.id).catch(unlessNeverLoaded)
  return getSource(deps, ask, id)
}
