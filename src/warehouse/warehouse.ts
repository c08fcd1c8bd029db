import { DurableObject } from 'cloudflare:workers'
import { Background } from './background'
import * as catalogue from './catalogue'
import { Cleaning } from './cleaning'
import type { WarehouseRpc } from './contract'
import { putGrouping } from './groupings/definitions'
import { throughMaps } from './groupings/through'
import { beginLoad } from './ingest/begin'
import { finishLoad } from './ingest/finish'
import { isAlive } from './ingest/lease'
import { endLoad, findLoad } from './ingest/load'
import type { Load } from './ingest/load'
import { listRejects } from './ingest/rejects'
import { rollback } from './ingest/rollback'
import { openSegment, stage } from './ingest/staging'
import { listVersions } from './ingest/versions'
import { migrate } from './migrations'
import type { QueryAsk } from './query/contract'
import { runQuery } from './query/run'
import { queryCatalogue } from './query-catalogue'
import * as relations from './relations/relations'
import { putRates } from './rates'
import { needsOf } from './rollups/needs'
import { prepareQuestions } from './rollups/prepare'
import { rollupFor, wantRollup } from './rollups/rollups'
import { deleteDataset, restoreDataset } from './removal'
import { first } from './room'
import type { Room } from './room'
import type { ScopeWire } from '../access/scope'
import type { Env } from '../env'
import { ProductError } from '../shared/errors'
import type { Outcome } from '../shared/errors'
import { idsFrom } from '../shared/ids'

type Call<M extends keyof WarehouseRpc> = Parameters<WarehouseRpc[M]>[1]
type Answer<M extends keyof WarehouseRpc> = ReturnType<WarehouseRpc[M]>

/** One workspace's rows, in its own SQLite. RPC only: every rule lives beside, in this room's modules. */
export class Warehouse extends DurableObject<Env> implements WarehouseRpc {
  readonly room: Room
  readonly #finishing = new Map<string, Answer<'finishLoad'>>()
  #preparing: Promise<unknown> = Promise.resolve()
  /** Nothing is left to work on; a later life of the object begins empty. */
  #erased = false
  readonly #cleaning = new Cleaning(() => this.room, this.ctx.storage)
  readonly #background = new Background({
    room: () => this.room,
    ids: idsFrom((length) => crypto.getRandomValues(new Uint8Array(length))),
    keep: (work) => this.ctx.waitUntil(work),
    tidy: () => this.#cleaning.tidy(),
  })

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.room = {
      sql: ctx.storage.sql,
      atomically: (work) => ctx.storage.transactionSync(work),
      clock: { now: () => Date.now() },
      pause: () => scheduler.wait(0),
    }
    void ctx.blockConcurrencyWhile(async () => migrate(this.room))
  }

  beginLoad(scope: ScopeWire, load: Call<'beginLoad'>): Answer<'beginLoad'> {
    return this.#answer(scope, async () => {
      catalogue.refuseUnreadable(scope, load.datasetId)
      await this.#cleaning.tidy()
      const begun = beginLoad(this.room, load)
      await this.#cleaning.arm()
      await this.#cleaning.tidy()
      return begun
    })
  }

  openSegment(scope: ScopeWire, at: Call<'openSegment'>): Answer<'openSegment'> {
    return this.#answer(scope, () => {
      this.#readableLoad(scope, at.runId)
      openSegment(this.room, at)
      return null
    })
  }

  stage(scope: ScopeWire, batch: Call<'stage'>): Answer<'stage'> {
    return this.#answer(scope, () => {
      this.#readableLoad(scope, batch.runId)
      return stage(this.room, batch)
    })
  }

  async finishLoad(scope: ScopeWire, at: Call<'finishLoad'>): Answer<'finishLoad'> {
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

  async #finish(scope: ScopeWire, at: Call<'finishLoad'>): Answer<'finishLoad'> {
    const answer = await this.#answer(scope, () => {
      this.#readableLoad(scope, at.runId)
      return finishLoad(this.room, at)
    })
    await this.#cleaning.arm()
    await this.#cleaning.tidy()
    const load = findLoad(this.room, at.runId)
    if (answer.ok && answer.value.ok && load) this.#background.follow(scope.workspaceId, load.datasetId)
    return answer.ok ? answer.value : answer
  }

  setComputed(scope: ScopeWire, to: Call<'setComputed'>): Answer<'setComputed'> {
    return this.#answer(scope, () => catalogue.setComputed(this.room, scope, to))
  }

  relations(scope: ScopeWire, of: Call<'relations'>): Answer<'relations'> {
    return this.#answer(scope, async () => {
      await this.#background.followed()
      return relations.listRelations(this.room, scope, of.dataset)
    })
  }

  createRelation(scope: ScopeWire, made: Call<'createRelation'>): Answer<'createRelation'> {
    return this.#answer(scope, () => relations.createRelation(this.room, scope, made))
  }

  updateRelation(scope: ScopeWire, change: Call<'updateRelation'>): Answer<'updateRelation'> {
    return this.#answer(scope, () => relations.updateRelation(this.room, scope, change))
  }

  removeRelation(scope: ScopeWire, at: Call<'removeRelation'>): Answer<'removeRelation'> {
    return this.#answer(scope, () => relations.removeRelation(this.room, scope, at))
  }

  proposeRelations(scope: ScopeWire, datasetId: string): Answer<'proposeRelations'> {
    return this.#answer(scope, async () => {
      catalogue.readDataset(this.room, scope, datasetId)
      await this.#background.relate(datasetId)
      return null
    })
  }

  abortLoad(scope: ScopeWire, at: Call<'abortLoad'>): Answer<'abortLoad'> {
    return this.#answer(scope, async () => {
      const load = findLoad(this.room, at.runId)
      if (load?.state === 'open' && catalogue.mayRead(scope, load.datasetId)) {
        this.room.atomically(() => endLoad(this.room, load))
      }
      await this.#cleaning.tidy()
      return null
    })
  }

  loadProgress(scope: ScopeWire, runId: string): Answer<'loadProgress'> {
    return this.#answer(scope, () => {
      const load = findLoad(this.room, runId)
      if (!load || !catalogue.mayRead(scope, load.datasetId)) return null
      return { staged: load.staged, rejected: load.rejected, alive: isAlive(this.room, load) }
    })
  }

  rejects(scope: ScopeWire, at: Call<'rejects'>): Answer<'rejects'> {
    return this.#answer(scope, () => {
      this.#readableLoad(scope, at.runId)
      return listRejects(this.room, at)
    })
  }

  dataset(scope: ScopeWire, datasetId: string): Answer<'dataset'> {
    return this.#answer(scope, () => catalogue.shown(scope, catalogue.readDataset(this.room, scope, datasetId)))
  }

  datasets(scope: ScopeWire): Answer<'datasets'> {
    return this.#answer(scope, () => catalogue.listDatasets(this.room, scope))
  }

  describeDataset(scope: ScopeWire, change: Call<'describeDataset'>): Answer<'describeDataset'> {
    return this.#answer(scope, () => catalogue.describe(this.room, scope, change))
  }

  deleteDataset(scope: ScopeWire, at: Call<'deleteDataset'>): Answer<'deleteDataset'> {
    return this.#answer(scope, async () => {
      deleteDataset(this.room, scope, at)
      await this.#cleaning.tidy()
      return null
    })
  }

  restoreDataset(scope: ScopeWire, datasetId: string): Answer<'restoreDataset'> {
    return this.#answer(scope, () => restoreDataset(this.room, scope, datasetId))
  }

  versions(scope: ScopeWire, datasetId: string): Answer<'versions'> {
    return this.#answer(scope, () => listVersions(this.room, catalogue.readDataset(this.room, scope, datasetId)))
  }

  rollback(scope: ScopeWire, at: Call<'rollback'>): Answer<'rollback'> {
    return this.#answer(scope, async () => {
      const done = rollback(this.room, catalogue.readDataset(this.room, scope, at.datasetId), at)
      await this.#cleaning.arm()
      await this.#cleaning.tidy()
      this.#background.prepare(scope.workspaceId, at.datasetId)
      return done
    })
  }

  putGrouping(scope: ScopeWire, definition: Call<'putGrouping'>): Answer<'putGrouping'> {
    return this.#answer(scope, () => {
      putGrouping(this.room, definition)
      return null
    })
  }

  putRates(scope: ScopeWire, set: Call<'putRates'>): Answer<'putRates'> {
    return this.#answer(scope, () => putRates(this.room, set))
  }

  async query(scope: ScopeWire, ask: Call<'query'>): Answer<'query'> {
    const rollup: QueryAsk['rollup'] = (dataset, question) => {
      const needs = needsOf(question, dataset, scope)
      if (!needs) return null
      const wanted = { needs, zone: ask.calendar.timeZone }
      if (wantRollup(this.room, dataset, wanted)) this.#background.prepare(scope.workspaceId, dataset.id)
      return rollupFor(this.room, dataset, wanted)
    }
    const answer = await this.#answer(scope, () =>
      throughMaps(this.room, { scope, ...ask }, (groupings) => {
        const catalogue = queryCatalogue(this.room, scope)
        const now = this.room.clock.now()
        return runQuery({ sql: this.room.sql, catalogue, scope, ...ask, groupings, rollup, now })
      }),
    )
    return answer.ok ? answer.value : answer
  }

  prepare(scope: ScopeWire, ask: Call<'prepare'>): Answer<'prepare'> {
    const before = this.#preparing
    const work = this.#answer(scope, async () => {
      await before
      return prepareQuestions(this.room, scope, ask)
    })
    // One reading of the rows at a time.
    this.#preparing = work.catch(() => undefined)
    return work
  }

  sweep(scope: ScopeWire): Answer<'sweep'> {
    return this.#answer(scope, async () => ({ dropped: await this.#cleaning.clean() }))
  }

  async erase(scope: ScopeWire): Answer<'erase'> {
    if (this.#erased) return { ok: true, value: null }
    return this.#answer(scope, async () => {
      if (scope.client !== 'system') throw new ProductError('not_found')
      this.#background.stop()
      await this.#cleaning.ended()
      this.#erased = true
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
      return null
    })
  }

  /** The object cleans itself: dead loads when their lease has ended, previous tables when their time is over. */
  override async alarm(): Promise<void> {
    if (!this.#erased) await this.#cleaning.clean()
  }

  /** Runs a call for the workspace this object belongs to; refusals leave as values, faults as faults. */
  async #answer<T>(scope: ScopeWire, work: () => T | Promise<T>): Promise<Outcome<T>> {
    try {
      this.#refuseForeign(scope)
      return { ok: true, value: await work() }
    } catch (error) {
      if (error instanceof ProductError) return { ok: false, error: error.toRefusal() }
      throw error
    }
  }

  /** The object is named by its workspace; where the platform does not tell the name, the first caller's is kept. */
  #refuseForeign(scope: ScopeWire): void {
    if (this.#erased) throw new ProductError('not_found')
    const { sql } = this.room
    const known = first<{ value: string }>(sql, "SELECT value FROM meta WHERE key = 'workspace'")
    const own = known?.value ?? this.ctx.id.name ?? scope.workspaceId
    if (own !== scope.workspaceId) throw new ProductError('not_found')
    if (!known) sql.exec("INSERT INTO meta (key, value) VALUES ('workspace', ?)", own)
  }

  #readableLoad(scope: ScopeWire, runId: string): Load {
    const load = findLoad(this.room, runId)
    if (!load || !catalogue.mayRead(scope, load.datasetId)) throw new ProductError('not_found')
    return load
  }
}
