import { ANSWER_MAX_MS, assertAffordable } from './query-cost'
import { QueryScheduler, type QueryPriority, type QuerySteps } from './query-scheduler'
import { SharedAnswers } from './shared-answers'
import { rowsWritten, type WarehouseContext } from '../context'
import type { AskedQuery } from '../contract'
import { groupingViewsOf, groupingViewSteps, type GroupingViews } from '../groupings/grouping-maps'
import { refreshStalePlaces } from '../live-tables/refresh-place'
import { SourceSession, type SessionHost } from '../live-tables/source-session'
import { queryCatalogue } from '../query-catalogue'
import type { QueryRequest } from '../query/request'
import { writeAnswers } from '../query/result-cache'
import { cachedOrOpen, queryInSteps, type OpenQuestion } from '../query/run-query'
import type { LiveDataset, QueryCatalogue } from '../physical-layout'
import { convertWithin } from '../segments/convert-rows'
import { RecentlyRead } from '../segments/recently-read'
import { columnSources, keptColumns } from '../segments/stored-columns'
import { workspaceSecret } from '../workspace-secret'
import { errorMessage, log } from '../../lib/log'
import { FULL_RIGHTS, type ScopeWire } from '../../scope'
import type { Calendar } from '../../shared/dates'
import type { QueryResult } from '../../shared/query/result'

/** What a question is asked with beside what it asks. */
export type QuerySurroundings = Omit<QueryRequest, 'plan' | 'rates' | 'groupings'>

interface DeskHost extends SessionHost {
  /** Writes rows of an earlier release as columns, in the background. */
  convert: (datasetId: string) => void
  /** 128 random bits as hex. */
  randomToken: () => string
}

/** Answers are written so long after the first of them: those of a page come within less. */
const WRITTEN_AFTER_MS = 500

/** Where the questions of a workspace are let in: each is counted, weighed and put in the queue before its rows are read. */
export class QueryDesk {
  readonly #host: DeskHost
  readonly #scheduler: QueryScheduler
  readonly #kept = keptColumns()
  readonly #shared = new SharedAnswers()
  readonly #catalogues = new KeptCatalogues()
  #isWriting = false

  constructor(host: DeskHost) {
    this.#host = host
    // The object's clock and pause may be exchanged while it lives.
    this.#scheduler = new QueryScheduler({
      clock: { now: () => host.context().clock.now() },
      pause: (ms) => host.context().pause(ms),
    })
  }

  /** @throws ProductError as `WarehouseRpc.query` */
  async answer(scope: ScopeWire, asked: AskedQuery): Promise<QueryResult> {
    const isBackground = asked.background === true || scope.client !== 'app'
    if (!isBackground) this.#scheduler.countQuestion(scope.actorId, asked.ofPage)
    for (;;) {
      const views = groupingViewsOf(this.#host.context(), { scope, ...asked })
      const found = cachedOrOpen(this.#request(scope, asked, views))
      const known = 'known' in found ? found.known : await this.#openAnswer(scope, asked, { ...found, isBackground })
      if (!known) continue
      if (!isBackground && known.cached) this.#scheduler.noteShortQuestion(scope.actorId)
      if (!known.cached) void this.#writeLater()
      return known
    }
  }

  /** What cannot be written is only worked out again. */
  async #writeLater(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    await this.#host.context().pause(WRITTEN_AFTER_MS)
    this.#isWriting = false
    try {
      writeAnswers(this.#host.context().sql)
    } catch (error) {
      log('error', 'answers', { error: errorMessage(error) })
    }
  }

  /** Null: an equal question was waited for in vain. */
  #openAnswer(
    scope: ScopeWire,
    asked: AskedQuery,
    { cost, earlier, identity, datasets, isBackground }: OpenQuestion & { isBackground: boolean },
  ): Promise<QueryResult | null> {
    assertAffordable(cost)
    const question = { identity, isBackground, person: scope.actorId, ticket: asked.ticket }
    const running = this.#shared.find(question)
    if (running) return this.#shared.join(question, running)
    const priority: QueryPriority = isBackground ? 'background' : cost.isShort ? 'short' : 'long'
    const session = new SourceSession(this.#host, asked.logins)
    const answer = this.#scheduler.run({
      ...{ person: scope.actorId, priority, costMs: cost.totalMs, ticket: asked.ticket },
      steps: () => this.#answerSteps(scope, asked, { earlier, datasets, session }),
    })
    return this.#shared.add(
      question,
      answer.finally(() => void session.close()),
    )
  }

  /** Rows of an earlier release are columns before they are asked: the question waits for that in its place in the queue. */
  *#answerSteps(
    scope: ScopeWire,
    asked: AskedQuery,
    of: { earlier: readonly LiveDataset[]; datasets: readonly string[]; session: SourceSession },
  ): QuerySteps<QueryResult> {
    for (const dataset of of.earlier) yield this.#converted(dataset)
    const { sql } = this.#host.context()
    yield* refreshStalePlaces(this.#host.context(), of.session, { scope, datasets: of.datasets })
    const ask = () => this.#requestSteps(scope, asked, of.session)
    return yield* queryInSteps({ ask, written: () => rowsWritten(sql) })
  }

  /** @throws ProductError `busy` when that takes too long */
  async #converted({ id, tableSet }: LiveDataset): Promise<void> {
    this.#host.convert(id)
    await convertWithin(this.#host.context(), { n: tableSet, manifest: null }, ANSWER_MAX_MS)
  }

  /** Lets go of what was read, so that nothing of a dataset that is gone stays in memory. */
  forget(): void {
    for (const kept of Object.values(this.#kept)) kept.clear()
    this.#catalogues.clear()
  }

  cancel(scope: ScopeWire, ticket: string): void {
    this.#shared.cancel(scope.actorId, ticket)
    this.#scheduler.cancel(scope.actorId, ticket)
  }

  /** The question over what is here now, with every map of its groupings. */
  *#requestSteps(scope: ScopeWire, asked: AskedQuery, session: SourceSession): QuerySteps<QueryRequest> {
    const views = yield* groupingViewSteps(this.#host.context(), { scope, ...asked })
    return { ...this.#request(scope, asked, views), elsewhere: session.sourceOf }
  }

  #request(scope: ScopeWire, asked: AskedQuery, groupings: GroupingViews): QueryRequest {
    const { plan, calendar, rates } = asked
    return { ...this.surroundings(scope, calendar), plan, rates, groupings }
  }

  /** What questions of a scope are asked with now, but for their plan. */
  surroundings(scope: ScopeWire, calendar: Calendar): QuerySurroundings {
    const context = this.#host.context()
    const columns = columnSources(context.sql, this.#kept)
    const catalogue = this.#catalogues.of(context, scope)
    const rights = this.#restrictions(context, scope)
    return { sql: context.sql, catalogue, scope, calendar, columns, now: context.clock.now(), ...rights }
  }

  /** What rules of access are asked with; nothing where there are none. */
  #restrictions(context: WarehouseContext, scope: ScopeWire): Pick<QueryRequest, 'unrestricted' | 'secret'> {
    if ([scope.rowFilters, scope.masked, scope.hidden].every((rules) => rules.length === 0)) return {}
    return {
      unrestricted: this.#catalogues.of(context, { ...scope, ...FULL_RIGHTS }),
      secret: workspaceSecret(context, this.#host.randomToken),
    }
  }
}

/** Scopes whose catalogues are kept. */
const SCOPES_KEPT = 16

/** Catalogues as questions read them, until anything in the object's SQLite changes: those of a page see the same one. */
class KeptCatalogues {
  readonly #kept = new RecentlyRead<QueryCatalogue>(SCOPES_KEPT, () => 1)
  #written = -1

  of(context: WarehouseContext, scope: ScopeWire): QueryCatalogue {
    const written = rowsWritten(context.sql)
    if (written !== this.#written) this.clear()
    this.#written = written
    return this.#kept.read(JSON.stringify(scope), () => queryCatalogue(context, scope))
  }
  clear(): void {
    this.#kept.clear()
  }
}
