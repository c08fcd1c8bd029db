import { assertAffordable } from './query-cost'
import { QueryScheduler, type QueryPriority, type QuerySteps } from './query-scheduler'
import type { WarehouseContext } from '../context'
import type { AskedQuery } from '../contract'
import { groupingViewsOf, groupingViewSteps, type GroupingViews } from '../groupings/grouping-maps'
import type { LiveDataset } from '../physical-layout'
import { queryCatalogue } from '../query-catalogue'
import type { AggregateQuery } from '../query/aggregates/compile-aggregate'
import type { QueryRequest } from '../query/request'
import { cachedOrCost, queryInSteps } from '../query/run-query'
import { rollupRequirements, type RollupRequirements } from '../rollups/requirements'
import { columnSources, KeptWords } from '../segments/stored-columns'
import { requestRollup, rollupFor, rollupRowsFor } from '../rollups/rollups'
import type { ScopeWire } from '../../identity/scope'
import type { QueryResult } from '../../shared/query/result'

interface DeskHost {
  context: () => WarehouseContext
  /** Makes what was asked for of a dataset's rows, in the background. */
  prepare: (workspaceId: string, datasetId: string) => void
}

/** Where the questions of a workspace are let in: each is counted, weighed and put in the queue before its rows are read. */
export class QueryDesk {
  readonly #host: DeskHost
  readonly #scheduler: QueryScheduler
  readonly #words = new KeptWords()
  readonly #askedOnce = new Set<string>()

  constructor(host: DeskHost) {
    this.#host = host
    // The object's clock and pause may be exchanged while it lives.
    this.#scheduler = new QueryScheduler({
      clock: { now: () => host.context().clock.now() },
      pause: () => host.context().pause(),
    })
  }

  /** @throws ProductError as `WarehouseRpc.query` */
  async answer(scope: ScopeWire, asked: AskedQuery): Promise<QueryResult> {
    const isBackground = asked.background === true || scope.client !== 'app'
    if (!isBackground) this.#scheduler.countQuestion(scope.actorId)
    const context = this.#host.context()
    const views = groupingViewsOf(context, { scope, ...asked })
    const found = cachedOrCost(this.#request(scope, asked, views), (dataset, query) => {
      const wanted = wantedRollup(dataset, query, { scope, asked })
      return wanted && rollupRowsFor(context, dataset, wanted)
    })
    if ('known' in found) return found.known
    assertAffordable(found.cost)
    const priority: QueryPriority = isBackground ? 'background' : found.cost.isShort ? 'short' : 'long'
    return this.#scheduler.run({
      ...{ person: scope.actorId, priority, costMs: found.cost.totalMs, ticket: asked.ticket },
      steps: () => queryInSteps(() => this.#requestSteps(scope, asked)),
    })
  }

  cancel(scope: ScopeWire, ticket: string): void {
    this.#scheduler.cancel(scope.actorId, ticket)
  }

  /** The question over what is here now, with every map of its groupings. */
  *#requestSteps(scope: ScopeWire, asked: AskedQuery): QuerySteps<QueryRequest> {
    const views = yield* groupingViewSteps(this.#host.context(), { scope, ...asked })
    return this.#request(scope, asked, views)
  }

  /** Columns answer a question soon enough the first time: sums are made for what is asked again. */
  #isAskedAgain(dataset: LiveDataset, needs: RollupRequirements): boolean {
    if (!dataset.manifest) return true
    const shape = JSON.stringify([dataset.id, dataset.dataVersion, needs])
    if (this.#askedOnce.has(shape)) return true
    if (this.#askedOnce.size >= ASKED_ONCE_MAX) this.#askedOnce.clear()
    this.#askedOnce.add(shape)
    return false
  }

  #request(scope: ScopeWire, asked: AskedQuery, groupings: GroupingViews): QueryRequest {
    const context = this.#host.context()
    const { plan, calendar, rates } = asked
    const rollup: QueryRequest['rollup'] = (dataset, query) => {
      const wanted = wantedRollup(dataset, query, { scope, asked })
      if (!wanted) return null
      if (requestRollup(context, dataset, wanted) && this.#isAskedAgain(dataset, wanted.needs))
        this.#host.prepare(scope.workspaceId, dataset.id)
      return rollupFor(context, dataset, wanted)
    }
    const columns = columnSources(context.sql, {
      words: this.#words,
      // Rows of an earlier release, or that were just added: their columns are made in the background.
      missing: (dataset) => this.#host.prepare(scope.workspaceId, dataset.id),
    })
    const catalogue = queryCatalogue(context, scope)
    const now = context.clock.now()
    return { sql: context.sql, catalogue, scope, plan, calendar, rates, groupings, rollup, columns, now }
  }
}

/** Shapes of questions that are remembered as asked once. */
const ASKED_ONCE_MAX = 500

function wantedRollup(
  dataset: LiveDataset,
  query: AggregateQuery,
  { scope, asked }: { scope: ScopeWire; asked: AskedQuery },
): { needs: RollupRequirements; zone: string } | null {
  const needs = rollupRequirements(query, dataset, scope)
  return needs && { needs, zone: asked.calendar.timeZone }
}
