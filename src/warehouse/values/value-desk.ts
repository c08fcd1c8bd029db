import { profileDataset, INDEX_MAX_BYTES, type ValuesOfDataset } from './profile-dataset'
import { listDatasets } from '../catalogue'
import type { WarehouseContext } from '../context'
import type { AskedValues, FindValues } from '../contract'
import { groupingViewSteps } from '../groupings/grouping-maps'
import { planContextOf } from '../query/make-context'
import { relationGraph } from '../query/plan/relation-graph'
import type { PlanContext } from '../query/query-context'
import type { QueryRequest } from '../query/request'
import type { QuerySurroundings } from '../scheduling/query-desk'
import type { Calendar } from '../../shared/dates'
import type { QueryPlan } from '../../shared/query/plan'
import { convertDataset } from '../segments/convert-rows'
import { RecentlyRead } from '../segments/recently-read'
import { hasRowRule } from '../../identity/access/visible-dataset'
import { FULL_RIGHTS, type ScopeWire } from '../../scope'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import { VALUE_MATCHES_MAX, VALUE_PHRASES_MAX, type DatasetProfile, type FoundValue } from '../../shared/bot/values'
import { ProductError } from '../../shared/errors'

/** What indexes of values may take of the object's memory together; the last one that was asked for is always held. */
const HELD_MAX_BYTES = INDEX_MAX_BYTES + 8 * 2 ** 20
/** Of a dataset without columns of text. */
const PROFILE_BYTES = 4_096
/** Steps that follow each other before others have their turns. */
const STEPS_AT_ONCE = 4
/** How often a profile is begun anew because the rows change under it. */
const ATTEMPTS_MAX = 5

interface ValueHost {
  context: () => WarehouseContext
  /** What questions are asked with, but for their plan. */
  surroundings: (scope: ScopeWire, calendar: Calendar) => QuerySurroundings
}

/** Which values there are, for who asks: worked out once a version of the rows and once for equal rights, and held. */
export class ValueDesk {
  readonly #host: ValueHost
  readonly #kept = new RecentlyRead<ValuesOfDataset>(HELD_MAX_BYTES, sizeOf)
  readonly #running = new Map<string, Promise<ValuesOfDataset | null>>()
  /** Rows are not read twice for what nobody asks: questions keep what they read. */
  #isAsked = false

  constructor(host: ValueHost) {
    this.#host = host
  }

  /** Of every dataset with rows that the scope may read. */
  async profiles(scope: ScopeWire, asked: AskedValues): Promise<DatasetProfile[]> {
    const all: DatasetProfile[] = []
    for (const { id, values } of await this.#all(scope, asked)) {
      const { rowCount, columns } = values
      const shown = new Set<string>(this.#visible(scope, id))
      all.push({ dataset: id, rowCount, columns: columns.filter(({ key }) => shown.has(key)) })
    }
    return all
  }

  /** Values that phrases may mean, the best first; phrases without any are left out. */
  async find(
    scope: ScopeWire,
    { phrases, limit, ...asked }: FindValues,
  ): Promise<{ phrase: string; values: FoundValue[] }[]> {
    const most = Math.min(limit, VALUE_MATCHES_MAX)
    const found = new Map<string, FoundValue[]>()
    for (const { id, values } of await this.#all(scope, asked)) {
      for (const key of this.#visible(scope, id)) {
        const terms = values.terms.get(key)
        if (!terms) continue
        for (const phrase of phrases.slice(0, VALUE_PHRASES_MAX)) {
          const matches = terms.find(phrase, most).map((match) => ({ dataset: id, column: key, ...match }))
          if (matches.length > 0) found.set(phrase, [...(found.get(phrase) ?? []), ...matches])
        }
      }
    }
    return [...found].map(([phrase, matches]) => ({ phrase, values: bestOf(matches).slice(0, most) }))
  }

  /** Gets the values of a dataset ready for those who see all of its rows, where anybody here asks for values at all. */
  async warm(datasetId: string): Promise<void> {
    if (!this.#isAsked) return
    await this.#of(WARMING_SCOPE, datasetId, { calendar: WARMING_CALENDAR })
  }

  forget(): void {
    this.#kept.clear()
  }

  /** Columns of a dataset whose values exist for the scope. */
  #visible(scope: ScopeWire, datasetId: string) {
    const dataset = listDatasets(this.#host.context(), scope).find(({ id }) => id === datasetId)
    return (dataset?.columns ?? []).flatMap(({ key, hidden, mask }) => (hidden || mask ? [] : [key]))
  }

  async #all(scope: ScopeWire, asked: AskedValues): Promise<{ id: string; values: ValuesOfDataset }[]> {
    this.#isAsked = true
    const all: { id: string; values: ValuesOfDataset }[] = []
    for (const { id, dataVersion } of listDatasets(this.#host.context(), scope)) {
      const values = dataVersion > 0 ? await this.#of(scope, id, asked) : null
      if (values) all.push({ id, values })
    }
    return all
  }

  async #of(scope: ScopeWire, datasetId: string, asked: AskedValues): Promise<ValuesOfDataset | null> {
    const name = this.#nameOf(scope, datasetId, asked)
    const known = name === null ? null : this.#kept.find(name)
    if (known || name === null) return known ?? null
    const running = this.#running.get(name) ?? this.#make(scope, datasetId, asked)
    this.#running.set(name, running)
    try {
      return await running
    } finally {
      this.#running.delete(name)
    }
  }

  async #make(scope: ScopeWire, datasetId: string, asked: AskedValues): Promise<ValuesOfDataset | null> {
    const context = this.#host.context()
    await convertDataset(context, datasetId)
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const name = this.#nameOf(scope, datasetId, asked)
      if (name === null) return null
      const { planContext, columns } = await this.#planContext(rowsOnly(scope, datasetId), asked)
      const steps = profileDataset(planContext, datasetId, columns)
      let [isCurrent, taken] = [true, 0]
      while (isCurrent) {
        const { done, value } = steps.next()
        if (done === true) return this.#kept.read(name, () => value)
        taken += 1
        if (taken % STEPS_AT_ONCE !== 0) continue
        await context.pause()
        isCurrent = this.#nameOf(scope, datasetId, asked) === name
      }
    }
    throw new ProductError('busy', { retryAfter: 5 })
  }

  /** What rules of access are asked with; maps of groupings that they see columns through are waited for. */
  async #planContext(
    scope: ScopeWire,
    asked: AskedValues,
  ): Promise<{ planContext: PlanContext } & Pick<QueryRequest, 'columns'>> {
    const context = this.#host.context()
    const steps = groupingViewSteps(context, { scope, ...asked, plan: NO_PLAN })
    let step = steps.next()
    while (step.done !== true) {
      await step.value
      await context.pause()
      step = steps.next()
    }
    const request = this.#host.surroundings(scope, asked.calendar)
    const graph = relationGraph(request.catalogue)
    const planContext = planContextOf({ ...request, groupings: step.value }, { graph, period: null })
    return { planContext, columns: request.columns }
  }

  /** Names the rows that the scope may see of a dataset, and what decides that. Null: it has none. */
  #nameOf(scope: ScopeWire, datasetId: string, { groupings = [], calendar }: AskedValues): string | null {
    const whole = this.#host.surroundings({ ...scope, ...FULL_RIGHTS }, calendar).catalogue
    const live = whole.find(datasetId)
    if (!live) return null
    const columns = live.columns.map(({ key, type, hidden, computed }) => ({ key, type, hidden, computed }))
    const own = { id: live.id, tableSet: live.tableSet, dataVersion: live.dataVersion, columns }
    if (!hasRowRule(scope, datasetId)) return sha256HexSync(canonicalJson(own))
    const all = listDatasets(this.#host.context(), { ...scope, ...FULL_RIGHTS })
    const basis = all.map(({ id, dataVersion, columns: of }) => ({ id, dataVersion, of }))
    const { rowFilters } = scope
    const rules = { rowFilters, basis, groupings, edges: whole.edges, timeZone: calendar.timeZone }
    return sha256HexSync(canonicalJson({ ...own, rules }))
  }
}

/** The rows that somebody may see, with all columns: which of these exist for them is looked at when they are told. */
const rowsOnly = (scope: ScopeWire, datasetId: string): ScopeWire => ({
  ...scope,
  ...FULL_RIGHTS,
  rowFilters: hasRowRule(scope, datasetId) ? scope.rowFilters : [],
})

/** Only rules of access ask for a calendar, and whoever sees all rows has none. */
const WARMING_CALENDAR = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '1970-01-01' } as const
const WARMING_SCOPE: ScopeWire = { workspaceId: '', actorId: 'values', epoch: '', client: 'job', ...FULL_RIGHTS }

const NO_PLAN: QueryPlan = { v: 3, kind: 'aggregate', measures: [], dimensions: [], filters: [] }

const sizeOf = ({ terms }: ValuesOfDataset): number =>
  [...terms.values()].reduce((sum, { bytes }) => sum + bytes, PROFILE_BYTES)

const HOW_RANK: Record<FoundValue['how'], number> = { exact: 0, word: 1, prefix: 2, typo: 3 }
const bestOf = (matches: readonly FoundValue[]): FoundValue[] =>
  matches.toSorted((a, b) => HOW_RANK[a.how] - HOW_RANK[b.how] || a.distance - b.distance || b.count - a.count)
