import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveView } from '../../../test/worker/naive/access'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { people, policies, sourceOf } from '../../../test/worker/random/access'
import { EDGES, ORDERS, reached, relatedPlans, relatedTables } from '../../../test/worker/random/joins'
import { calendars, fieldFilters } from '../../../test/worker/random/plans'
import { bothAnswers, isNaiveAnswer, storeTables } from '../../../test/worker/random/stored-tables'
import { runQuery } from '../../../test/worker/run-query'
import { seedOf } from '../../../test/seed'
import { columnsIn, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { dataRights, type AccessPerson } from '../../identity/access/data-rights'
import { canRead, columnsWithin, coveredColumns } from '../../identity/access/visible-dataset'
import type { DataRights } from '../../scope'
import type { AccessPolicy } from '../../shared/data-access/rules'
import type { QueryRequest } from './request'
import { clearResultCache } from './result-cache'
import { queryInSteps } from './run-query'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { ProductError } from '../../shared/errors'
import type { QueryResult } from '../../shared/query/result'
import type { Calendar } from '../../shared/dates'
import type { QueryPlan } from '../../shared/query/plan'
import type { ColumnSources } from '../columns/column-table'
import type { QueryCatalogue } from '../physical-layout'

const LONG = env['LONG'] === '1'
/** 120 triples of rules, a person and a plan, or 10 000. */
const PARTS = LONG ? 10 : 1
const TRIPLES = LONG ? 1_000 : 120
const RIGHTS_PER_DATASET = 5
const TRIPLES_PER_DATASET = 20
const HANG_MS = LONG ? 3_600_000 : 240_000
/** At least so many are answered: the others name what is hidden. */
const ANSWERED_MIN = 0.4
/** Of so many the rows that rules let through are at hand. */
const KEPT_MIN = 0.2

/** Somebody of rights, and what they ask one after the other: twice of the same rows, of others, and of the first again. */
interface Asker {
  policy: AccessPolicy
  person: AccessPerson
  calendar: Calendar
  plans: QueryPlan[]
}
const ROWS_ASKED = [0, 0, 1, 0] as const

/** Datasets, columns and relations as they exist for somebody. */
function catalogueWithin(rights: DataRights, whole: QueryCatalogue): QueryCatalogue {
  const isThere = ({ dataset, key }: { dataset: string; key: string }): boolean =>
    canRead(rights, { id: dataset, sourceId: sourceOf(dataset) }) && !coveredColumns(rights, dataset).has(key)
  return {
    find(id) {
      const dataset = canRead(rights, { id, sourceId: sourceOf(id) }) ? whole.find(id) : null
      return dataset && { ...dataset, columns: columnsWithin(rights, dataset) }
    },
    edges: whole.edges.filter(({ from, to }) => isThere(from) && isThere(to)),
  }
}

/** What was answered, and how often rows that rules let through were at hand. */
interface Tally {
  answered: number
  kept: number
}
/** Throws at the first answer that differs from rows that were never there. */
function check(sql: SqlStorage, versions: readonly NaiveTable[][], askers: readonly Asker[], tally: Tally): void {
  const stored = versions.map((tables) => ({ tables, whole: storeTables(tables, EDGES, 4) }))
  const columns = countingKept(columnsIn(sql), tally)
  for (const { policy, person, plans, calendar } of askers)
    for (const [i, plan] of plans.entries()) {
      const { tables, whole } = stored[ROWS_ASKED[i] ?? 0] ?? { tables: [], whole: { find: () => null, edges: [] } }
      const rights = dataRights(policy, person)
      const outcome = runQuery({
        ...{ sql, plan, calendar, now: 0, unrestricted: whole, secret: '', columns },
        ...{ catalogue: catalogueWithin(rights, whole), scope: { ...EVERYTHING, ...rights } },
      })
      const view = naiveView({ tables, edges: EDGES }, { policy, person, calendar, sourceOf })
      const told = { plan, calendar, policy, person, tables }
      if (!outcome.ok) {
        if (!view.isLess) throw new Error(`refused:\n${JSON.stringify({ error: outcome.error, ...told })}`)
        continue
      }
      tally.answered += 1
      const naive = naiveAnswer({ tables: view.tables, edges: view.edges, calendar }, plan)
      if (!isNaiveAnswer(outcome.value, naive, plan))
        throw new Error(`differs:\n${JSON.stringify({ ...bothAnswers(outcome.value, naive, plan), ...told })}`)
    }
}
function countingKept(columns: ColumnSources, tally: Tally): ColumnSources {
  const { rowMasks } = columns
  if (!rowMasks) throw new Error('nothing is kept')
  return {
    ...columns,
    rowMasks: {
      read(id, make) {
        let isKept = true
        const found = rowMasks.read(id, () => {
          isKept = false
          return make()
        })
        tally.kept += Number(isKept)
        return found
      },
    },
  }
}

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${TRIPLES} random plans as if what rules hide had never been there (RLS-1, part %i of ${PARTS})`,
  async (part) => {
    const tally: Tally = { answered: 0, kept: 0 }
    const plans = fc.array(relatedPlans, { minLength: ROWS_ASKED.length, maxLength: ROWS_ASKED.length })
    const asker = fc.record({ policy: policies, person: people, calendar: calendars, plans })
    await inSqlite(`random-access-${part}`, (sql) => {
      const askers = fc.array(asker, { minLength: RIGHTS_PER_DATASET, maxLength: RIGHTS_PER_DATASET })
      const versions = fc.tuple(relatedTables, relatedTables)
      const property = fc.property(versions, askers, (tables, each) => check(sql, tables, each, tally))
      fc.assert(property, { seed: seedOf(LONG), numRuns: TRIPLES / TRIPLES_PER_DATASET, endOnFailure: true })
    })
    expect(tally.answered).toBeGreaterThan(TRIPLES * ANSWERED_MIN)
    expect(tally.kept).toBeGreaterThan(TRIPLES * KEPT_MIN)
  },
  HANG_MS,
)

const PAGES = LONG ? 1_500 : 20
const TILES = 6

/** What somebody asks at once: plans with one condition more, as after a click on a page. */
const pages = fc
  .record({
    ...{ policy: policies, person: people, calendar: calendars, tables: relatedTables },
    plans: fc.array(relatedPlans, { minLength: TILES, maxLength: TILES }),
    click: fc.option(
      fieldFilters((index) => reached(ORDERS, index)),
      { freq: 4 },
    ),
  })
  .map(({ plans, click, ...rest }) => ({
    ...rest,
    plans: plans.map((plan) => (click ? { ...plan, filters: [...plan.filters, click] } : plan)),
  }))

type Outcome = { value: QueryResult } | { refused: string }
type Steps = QuerySteps<Outcome>
function* outcomeOf(ask: QueryRequest): Steps {
  function* request(): QuerySteps<QueryRequest> {
    yield undefined
    return ask
  }
  try {
    return { value: yield* queryInSteps({ ask: request, written: () => 0 }) }
  } catch (error) {
    if (error instanceof ProductError) return { refused: JSON.stringify(error.serialize()) }
    throw error
  }
}

/** By turns, a piece each. */
function together(all: readonly Steps[]): Outcome[] {
  const outcomes: Outcome[] = []
  for (let open = [...all.entries()]; open.length > 0;)
    open = open.filter(([at, steps]) => {
      const { done, value } = steps.next()
      if (done === true) outcomes[at] = value
      return done !== true
    })
  return outcomes
}

it(
  `answers the ${TILES} questions of ${PAGES} random pages together as each alone, where nothing was kept`,
  async () => {
    await inSqlite('random-pages', (sql) => {
      const property = fc.property(pages, ({ policy, person, calendar, tables, plans }) => {
        const whole = storeTables(tables, EDGES, 4)
        const rights = dataRights(policy, person)
        const { rowMasks: _masks, pickedRows: _picked, arrays: _arrays, ...bare } = columnsIn(sql)
        const ask = (plan: QueryPlan, columns: ColumnSources) =>
          outcomeOf({
            ...{ sql, plan, calendar, now: 0, unrestricted: whole, secret: '', columns },
            ...{ catalogue: catalogueWithin(rights, whole), scope: { ...EVERYTHING, ...rights } },
          })
        clearResultCache(sql)
        const alone = plans.flatMap((plan) => together([ask(plan, bare)]))
        clearResultCache(sql)
        expect(together(plans.map((plan) => ask(plan, columnsIn(sql))))).toEqual(alone)
      })
      fc.assert(property, { seed: seedOf(LONG), numRuns: PAGES, endOnFailure: true })
    })
  },
  HANG_MS,
)
