import { DurableObject } from 'cloudflare:workers'
import { fitBatch, readStanding, type FittedBatch, type PushStanding } from './ingest'
import { drainPushed } from '../sync/drain-pushed'
import type { Env } from '../../bindings'
import { depsFor, type Deps } from '../../deps'
import { equalText, sha256Hex } from '../../lib/hash'
import { errorMessage, log } from '../../lib/log'
import { ProductError, type RpcResult } from '../../shared/errors'
import { inboxStore } from '../../sync/inbox-store'
import type { InboxPortion, PushAnswer, PushInboxRpc, SentBatch, WaitingBatch } from '../../connectors/push/push-inbox'
import { pushStore } from '../../sync/push-store'
import { RateWindow } from '../../warehouse/scheduling/rate-window'

/** A token, a plan and a pause are looked up so often at most. What a person changes here is known at once. */
const STANDING_MS = 5_000
const RATE = { max: 6_000, windowMs: 60_000 }
/** What still waits after so long is applied by the object's alarm: whoever began it is gone. */
const BEHIND_MS = 15_000
const RETRY_MS = 60_000
/** While a source takes nothing (paused, without a plan, deleted), what waits is looked after this seldom. */
const REFUSED_RETRY_MS = 10 * 60_000
const KEYS_KEPT_MS = 24 * 60 * 60 * 1000
const ADOPTED_AT_ONCE = 20
/** Of all that an inbox holds: below what its object may, so that what waits can always be taken out. */
const INBOX_MAX_BYTES = 4 * 1024 ** 3
/** What follows new rows looks at all of a table: after many small loads it does so this often at most. */
const FOLLOW_UP_MS = 30_000

/**
 * Where the batches of one source wait. A batch is one write of this object's own storage, which the answer waits for;
 * those that arrive while it is written are written with it. What waits is applied here too, many batches in one load.
 */
export class PushInbox extends DurableObject<Env> implements PushInboxRpc {
  readonly #store = inboxStore(this.ctx.storage.sql)
  readonly #rate = new RateWindow({ now: () => Date.now() }, RATE)
  #known: { standing: Promise<PushStanding | null>; until: number } | null = null
  #opening: Promise<void> | null = null
  #fitted: Promise<unknown> = Promise.resolve()
  #isDraining = false
  #alarmAt = 0
  #followUpAt = 0

  async receive(sourceId: string, batch: SentBatch): Promise<RpcResult<PushAnswer>> {
    try {
      return { ok: true, value: await this.#keep(this.#deps(), sourceId, batch) }
    } catch (error) {
      if (error instanceof ProductError) return { ok: false, error: error.serialize() }
      throw error
    }
  }

  async #keep(deps: Deps, sourceId: string, batch: SentBatch): Promise<PushAnswer> {
    const standing = await this.#standing(deps, sourceId)
    if (!standing || !equalText(batch.tokenHash, standing.source.tokenHash))
      throw new ProductError('unauthenticated', {}, 'Unknown source or wrong token.')
    this.#rate.take(sourceId)
    if (standing.refusal) throw ProductError.from(standing.refusal)
    const bodyHash = await sha256Hex(batch.body)
    const key = batch.idempotencyKey ?? `auto:${deps.ids.token(16)}`
    const before = this.#repeated(key, bodyHash)
    if (before) return before
    if (this.ctx.storage.sql.databaseSize > INBOX_MAX_BYTES)
      throw new ProductError('busy', { retryAfter: RETRY_MS / 1000 })
    const { rowCount, body } = await this.#fit(deps, standing.source, batch)
    const answer = { accepted: rowCount, batch: key }
    if (rowCount === 0) return answer
    await this.#open(deps, standing.source)
    const isNew = this.#store.insert({ key, bodyHash, body, rowCount, now: deps.clock.now() })
    if (!isNew) return this.#repeated(key, bodyHash) ?? answer
    this.#drainSoon(deps)
    return answer
  }

  /** One after the other: each begins with the columns that the one before it added. */
  #fit(deps: Deps, source: PushStanding['source'], batch: SentBatch): Promise<FittedBatch> {
    const fitted = this.#fitted.then(async () => {
      const one = await fitBatch(deps, source, batch)
      source.streamText = one.streamText
      return one
    })
    this.#fitted = fitted.catch(() => undefined)
    return fitted
  }

  /** What was answered when a batch came first; null: it never did. @throws ProductError `invalid_input` for another batch */
  #repeated(key: string, bodyHash: string): PushAnswer | null {
    const before = this.#store.known(key)
    if (!before) return null
    if (before.bodyHash === bodyHash) return { accepted: before.rowCount, batch: key }
    throw new ProductError('invalid_input', { fields: { 'Idempotency-Key': 'This key was used for another batch.' } })
  }

  hasWaiting(): Promise<boolean> {
    return Promise.resolve(this.#store.hasWaiting())
  }
  waiting(most: InboxPortion): Promise<WaitingBatch[]> {
    return Promise.resolve(this.#store.waiting(most))
  }
  applied(seqs: readonly number[]): Promise<void> {
    return Promise.resolve(this.#store.applied(seqs))
  }

  async wake(sourceId: string): Promise<void> {
    const deps = this.#deps()
    const found = await pushStore(deps.db).find(sourceId)
    if (!found) return
    // An earlier release may still be running, and keep more there.
    this.#opening = null
    await this.#open(deps, found)
    this.#drainSoon(deps)
  }

  forget(): Promise<void> {
    this.#known = null
    return Promise.resolve()
  }

  async erase(): Promise<void> {
    this.#known = null
    this.#opening = null
    this.#alarmAt = 0
    // Both at once: nothing comes in between that was answered and then deleted.
    await Promise.all([this.ctx.storage.deleteAll(), this.ctx.storage.deleteAlarm()])
  }

  override async alarm(): Promise<void> {
    const deps = this.#deps()
    this.#alarmAt = 0
    let retryMs = RETRY_MS
    try {
      const source = this.#store.source()
      if (!source) return
      if (!(await pushStore(deps.db).exists(source.sourceId))) return await this.erase()
      const standing = await this.#standing(deps, source.sourceId)
      if (!standing || standing.refusal) retryMs = REFUSED_RETRY_MS
      else await this.#drain(deps)
      if (!this.#store.dropOld(deps.clock.now() - KEYS_KEPT_MS)) return await this.erase()
    } catch (error) {
      deps.reporter.report(error, { route: 'push alarm' })
      log('error', 'rows that were sent wait', { error: errorMessage(error) })
    }
    await this.#wakeIn(this.#store.hasWaiting() ? retryMs : KEYS_KEPT_MS)
  }

  readonly #deps = (): Deps => depsFor(this.env, this.ctx)

  /** As it stood some seconds ago at most, and never as it stood before it was {@link forget}ten. */
  async #standing(deps: Deps, sourceId: string): Promise<PushStanding | null> {
    for (;;) {
      const now = deps.clock.now()
      const known = this.#known
      if (known && now < known.until) {
        const standing = await known.standing
        if (this.#known === known) return standing
        continue
      }
      const reading = { standing: readStanding(deps, sourceId), until: now + STANDING_MS }
      this.#known = reading
      reading.standing.catch(() => {
        if (this.#known === reading) this.#known = null
      })
    }
  }

  /** Tables of its own, and in them what an earlier release kept of this source in the database. */
  #open(deps: Deps, source: { sourceId: string; workspaceId: string }): Promise<void> {
    this.#opening ??= this.#adopt(deps, source).catch((error: unknown) => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  async #adopt(deps: Deps, { sourceId, workspaceId }: { sourceId: string; workspaceId: string }): Promise<void> {
    this.#store.open({ sourceId, workspaceId })
    const store = pushStore(deps.db)
    for (;;) {
      const earlier = await store.earlier(sourceId, ADOPTED_AT_ONCE)
      for (const batch of earlier) this.#store.adopt(batch)
      await this.ctx.storage.sync()
      const seqs = earlier.map(({ seq }) => seq)
      await store.forgetEarlier(sourceId, seqs)
      if (earlier.length < ADOPTED_AT_ONCE) return
    }
  }

  #drainSoon(deps: Deps): void {
    this.ctx.waitUntil(this.#drain(deps))
    if (this.#alarmAt < deps.clock.now()) this.ctx.waitUntil(this.#wakeIn(BEHIND_MS))
  }

  async #wakeIn(ms: number): Promise<void> {
    this.#alarmAt = Date.now() + ms
    await this.ctx.storage.setAlarm(this.#alarmAt)
  }

  /** One at a time; whoever is at it takes what comes meanwhile. */
  async #drain(deps: Deps): Promise<void> {
    const source = this.#store.source()
    if (this.#isDraining || !source) return
    this.#isDraining = true
    try {
      await drainPushed(deps, source, { inbox: this.#store, followUpAt: (now) => this.#nextFollowUp(now) })
    } catch (error) {
      deps.reporter.report(error, { route: 'push' })
      log('error', 'rows that were sent wait', { error: errorMessage(error) })
    } finally {
      this.#isDraining = false
    }
  }

  /** The first at once, those of the next half minute together at its end. */
  #nextFollowUp(now: number): number {
    if (now >= this.#followUpAt + FOLLOW_UP_MS) this.#followUpAt = now
    else if (now > this.#followUpAt) this.#followUpAt += FOLLOW_UP_MS
    return this.#followUpAt
  }
}
