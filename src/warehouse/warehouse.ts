import { DurableObject } from 'cloudflare:workers'
import { BackgroundWork } from './background'
import * as catalogue from './catalogue'
import { Maintenance } from './maintenance'
import type { WarehouseRpc } from './contract'
import { putGrouping } from './groupings/store'
import { beginLoad } from './ingest/begin'
import { finishLoad } from './ingest/finish'
import { isLeaseActive, discardLoad, findLoad, type LoadRecord } from './ingest/load'
import { listRejects, openSegment, stageBatches } from './ingest/staging'
import { rollback } from './ingest/rollback'
import { listVersions } from './ingest/versions'
import { migrate } from './migrations'
import { clearResultCache } from './query/result-cache'
import * as relations from './relations/service'
import { storeRateSet } from './rate-store'
import { convertRows } from './segments/convert-rows'
import { getTableSet } from './tables'
import { deleteLivePlace } from './live-tables/live-places'
import { refreshPlaceNow } from './live-tables/refresh-place'
import { sourceDoors } from './live-tables/source-doors'
import type { SessionHost } from './live-tables/source-session'
import { SourceSlots } from './live-tables/source-slots'
import { QueryDesk } from './scheduling/query-desk'
import { ValueDesk } from './values/value-desk'
import { deleteDataset, restoreDataset } from './dataset-removal'
import { firstRow, type WarehouseContext } from './context'
import type { ScopeWire } from '../scope'
import type { Doors } from '../outbound/doors'
import { ProductError, type RpcResult } from '../shared/errors'
import { idsFrom } from '../shared/ids'

type RpcInput<M extends keyof WarehouseRpc> = Parameters<WarehouseRpc[M]>[1]
type RpcOutput<M extends keyof WarehouseRpc> = ReturnType<WarehouseRpc[M]>

/** One workspace's rows, in its own SQLite. RPC only: every rule lives beside, in this room's modules. */
export class Warehouse extends DurableObject implements WarehouseRpc {
  readonly context: WarehouseContext
  readonly #finishing = new Map<string, RpcOutput<'finishLoad'>>()
  /** Nothing is left to work on; a later life of the object begins empty. */
  #erased = false
  readonly #maintenance = new Maintenance(() => this.context, this.ctx.storage)
  readonly #ids = idsFrom((length) => crypto.getRandomValues(new Uint8Array(length)))
  readonly #background = new BackgroundWork({
    context: () => this.context,
    ids: this.#ids,
    waitUntil: (work) => this.ctx.waitUntil(work),
    dropDiscarded: () => this.#maintenance.dropDiscarded(),
    warmValues: (datasetId) => this.#values.warm(datasetId),
  })

  /** The ways out to sources whose rows stay there. */
  doors: () => Doors
  readonly #sources: SessionHost = { context: () => this.context, doors: () => this.doors(), slots: new SourceSlots() }
  readonly #questions = new QueryDesk({
    ...this.#sources,
    convert: (datasetId) => this.#background.convert(datasetId),
    randomToken: () => this.#ids.token(16),
  })

  readonly #values = new ValueDesk({
    context: () => this.context,
    surroundings: (scope, calendar) => this.#questions.surroundings(scope, calendar),
  })

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env)
    this.doors = () => sourceDoors(env)
    this.context = {
      sql: ctx.storage.sql,
      transaction: (work) => ctx.storage.transactionSync(work),
      clock: { now: () => Date.now() },
      pause: (ms = 0) => scheduler.wait(ms),
    }
    void ctx.blockConcurrencyWhile(async () => migrate(this.context))
  }

  beginLoad(scope: ScopeWire, load: RpcInput<'beginLoad'>): RpcOutput<'beginLoad'> {
    return this.#respond(scope, async () => {
      catalogue.assertReadable(this.context, scope, load.datasetId)
      await this.#maintenance.dropDiscarded()
      const before = catalogue.findDataset(this.context, load.datasetId)?.tableSet
      if (before) await convertRows(this.context, getTableSet(this.context, before))
      const begun = beginLoad(this.context, load)
      await this.#maintenance.scheduleAlarm()
      await this.#maintenance.dropDiscarded()
      return begun
    })
  }

  openSegment(scope: ScopeWire, at: RpcInput<'openSegment'>): RpcOutput<'openSegment'> {
    return this.#respond(scope, () => {
      this.#readableLoad(scope, at.runId)
      return openSegment(this.context, at)
    })
  }

  stage(scope: ScopeWire, batches: RpcInput<'stage'>): RpcOutput<'stage'> {
    return this.#respond(scope, () => {
      for (const { runId } of batches.slice(0, 1)) this.#readableLoad(scope, runId)
      return stageBatches(this.context, batches)
    })
  }

  async finishLoad(scope: ScopeWire, at: RpcInput<'finishLoad'>): RpcOutput<'finishLoad'> {
    const running = this.#finishing.get(at.runId)
    if (running) return running
    const work = this.#finish(scope, at)
    this.#finishing.set(at.runId, work)
    try {
      return await work
    } finally {
      this.#finishing.delete(at.runId)
    }
  }

  async #finish(scope: ScopeWire, at: RpcInput<'finishLoad'>): RpcOutput<'finishLoad'> {
    const answer = await this.#respond(scope, () => {
      this.#readableLoad(scope, at.runId)
      return finishLoad(this.context, at)
    })
    await this.#maintenance.scheduleAlarm()
    await this.#maintenance.dropDiscarded()
    const load = findLoad(this.context, at.runId)
    if (answer.ok && answer.value.ok && load) this.#background.afterLoad(load.datasetId)
    return answer.ok ? answer.value : answer
  }

  setComputed(scope: ScopeWire, to: RpcInput<'setComputed'>): RpcOutput<'setComputed'> {
    return this.#respond(scope, () => catalogue.setCalculatedColumns(this.context, scope, to))
  }

  relations(scope: ScopeWire, of: RpcInput<'relations'>): RpcOutput<'relations'> {
    return this.#respond(scope, async () => {
      await this.#background.settled()
      return relations.listRelations(this.context, scope, of.dataset)
    })
  }

  createRelation(scope: ScopeWire, made: RpcInput<'createRelation'>): RpcOutput<'createRelation'> {
    return this.#respond(scope, async () => {
      await relations.convertEnds(
        this.context,
        [made.from, made.to].filter(({ datasetId }) => catalogue.canReadId(this.context, scope, datasetId)),
      )
      return relations.createRelation(this.context, scope, made)
    })
  }

  updateRelation(scope: ScopeWire, change: RpcInput<'updateRelation'>): RpcOutput<'updateRelation'> {
    return this.#respond(scope, async () => {
      await relations.convertEndsOf(this.context, change.id)
      return relations.updateRelation(this.context, scope, change)
    })
  }

  removeRelation(scope: ScopeWire, at: RpcInput<'removeRelation'>): RpcOutput<'removeRelation'> {
    return this.#respond(scope, () => relations.removeRelation(this.context, scope, at))
  }

  proposeRelations(scope: ScopeWire, datasetId: string): RpcOutput<'proposeRelations'> {
    return this.#respond(scope, async () => {
      catalogue.getReadableDataset(this.context, scope, datasetId)
      await this.#background.refreshRelations(datasetId)
      return null
    })
  }

  abortLoad(scope: ScopeWire, at: RpcInput<'abortLoad'>): RpcOutput<'abortLoad'> {
    return this.#respond(scope, async () => {
      const load = findLoad(this.context, at.runId)
      if (load?.state === 'open' && catalogue.canReadId(this.context, scope, load.datasetId)) {
        this.context.transaction(() => discardLoad(this.context, load))
      }
      await this.#maintenance.dropDiscarded()
      return null
    })
  }

  loadProgress(scope: ScopeWire, runId: string): RpcOutput<'loadProgress'> {
    return this.#respond(scope, () => {
      const load = findLoad(this.context, runId)
      if (!load || !catalogue.canReadId(this.context, scope, load.datasetId)) return null
      return { staged: load.staged, rejected: load.rejected, alive: isLeaseActive(this.context, load) }
    })
  }

  rejects(scope: ScopeWire, at: RpcInput<'rejects'>): RpcOutput<'rejects'> {
    return this.#respond(scope, () => {
      this.#readableLoad(scope, at.runId)
      return listRejects(this.context, at)
    })
  }

  dataset(scope: ScopeWire, datasetId: string): RpcOutput<'dataset'> {
    return this.#respond(scope, () =>
      catalogue.datasetInScope(scope, catalogue.getReadableDataset(this.context, scope, datasetId)),
    )
  }

  datasets(scope: ScopeWire): RpcOutput<'datasets'> {
    return this.#respond(scope, () => catalogue.listDatasets(this.context, scope))
  }

  describeDataset(scope: ScopeWire, change: RpcInput<'describeDataset'>): RpcOutput<'describeDataset'> {
    return this.#respond(scope, () => catalogue.updateDescription(this.context, scope, change))
  }

  deleteDataset(scope: ScopeWire, at: RpcInput<'deleteDataset'>): RpcOutput<'deleteDataset'> {
    return this.#respond(scope, async () => {
      deleteDataset(this.context, scope, at)
      if (at.purge) {
        this.#questions.forget()
        this.#values.forget()
      }
      await this.#maintenance.dropDiscarded()
      return null
    })
  }

  restoreDataset(scope: ScopeWire, datasetId: string): RpcOutput<'restoreDataset'> {
    return this.#respond(scope, () => restoreDataset(this.context, scope, datasetId))
  }

  versions(scope: ScopeWire, datasetId: string): RpcOutput<'versions'> {
    return this.#respond(scope, () =>
      listVersions(this.context, catalogue.getReadableDataset(this.context, scope, datasetId)),
    )
  }

  rollback(scope: ScopeWire, at: RpcInput<'rollback'>): RpcOutput<'rollback'> {
    return this.#respond(scope, async () => {
      const done = rollback(this.context, catalogue.getReadableDataset(this.context, scope, at.datasetId), at)
      await this.#maintenance.scheduleAlarm()
      await this.#maintenance.dropDiscarded()
      return done
    })
  }

  valueProfiles(scope: ScopeWire, asked: RpcInput<'valueProfiles'>): RpcOutput<'valueProfiles'> {
    return this.#respond(scope, () => this.#values.profiles(scope, asked))
  }

  findValues(scope: ScopeWire, asked: RpcInput<'findValues'>): RpcOutput<'findValues'> {
    return this.#respond(scope, () => this.#values.find(scope, asked))
  }

  putGrouping(scope: ScopeWire, definition: RpcInput<'putGrouping'>): RpcOutput<'putGrouping'> {
    return this.#respond(scope, () => {
      putGrouping(this.context, definition)
      return null
    })
  }

  putRates(scope: ScopeWire, set: RpcInput<'putRates'>): RpcOutput<'putRates'> {
    return this.#respond(scope, () => storeRateSet(this.context, set))
  }

  setLivePlace(scope: ScopeWire, at: RpcInput<'setLivePlace'>): RpcOutput<'setLivePlace'> {
    return this.#respond(scope, () => {
      catalogue.getReadableDataset(this.context, scope, at.datasetId)
      if (at.place) return refreshPlaceNow(this.#sources, { ...at, scope })
      deleteLivePlace(this.context, at.datasetId)
      return { rowCount: 0 }
    })
  }

  query(scope: ScopeWire, ask: RpcInput<'query'>): RpcOutput<'query'> {
    return this.#respond(scope, () => this.#questions.answer(scope, ask))
  }

  cancelQuery(scope: ScopeWire, ticket: string): RpcOutput<'cancelQuery'> {
    return this.#respond(scope, () => {
      this.#questions.cancel(scope, ticket)
      return null
    })
  }

  sweep(scope: ScopeWire): RpcOutput<'sweep'> {
    return this.#respond(scope, async () => ({ dropped: await this.#maintenance.run() }))
  }

  async erase(scope: ScopeWire): RpcOutput<'erase'> {
    if (this.#erased) return { ok: true, value: null }
    return this.#respond(scope, async () => {
      if (scope.client !== 'system') throw new ProductError('not_found')
      this.#background.stop()
      await this.#maintenance.idle()
      this.#erased = true
      clearResultCache(this.context.sql)
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
      return null
    })
  }

  /** The object cleans itself: dead loads when their lease has ended, previous tables when their time is over. */
  override async alarm(): Promise<void> {
    if (!this.#erased) await this.#maintenance.run()
  }

  /** Runs a call for the workspace this object belongs to; refusals leave as values, faults as faults. */
  async #respond<T>(scope: ScopeWire, work: () => T | Promise<T>): Promise<RpcResult<T>> {
    try {
      this.#assertOwnWorkspace(scope)
      return { ok: true, value: await work() }
    } catch (error) {
      if (error instanceof ProductError) return { ok: false, error: error.serialize() }
      throw error
    }
  }

  /** The object is named by its workspace; where the platform does not tell the name, the first caller's is kept. */
  #assertOwnWorkspace(scope: ScopeWire): void {
    if (this.#erased) throw new ProductError('not_found')
    const { sql } = this.context
    const known = firstRow<{ value: string }>(sql, "SELECT value FROM meta WHERE key = 'workspace'")
    const own = known?.value ?? this.ctx.id.name ?? scope.workspaceId
    if (own !== scope.workspaceId) throw new ProductError('not_found')
    if (!known) sql.exec("INSERT INTO meta (key, value) VALUES ('workspace', ?)", own)
  }

  #readableLoad(scope: ScopeWire, runId: string): LoadRecord {
    const load = findLoad(this.context, runId)
    if (!load || !catalogue.canReadId(this.context, scope, load.datasetId)) throw new ProductError('not_found')
    return load
  }
}
