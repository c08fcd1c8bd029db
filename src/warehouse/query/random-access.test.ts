import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveView } from '../../../test/worker/naive/access'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { people, policies, sourceOf } from '../../../test/worker/random/access'
import { EDGES, relatedPlans, relatedTables } from '../../../test/worker/random/joins'
import { calendars } from '../../../test/worker/random/plans'
import { bothAnswers, isNaiveAnswer, storeTables } from '../../../test/worker/random/stored-tables'
import { runQuery } from '../../../test/worker/run-query'
import { seedOf } from '../../../test/seed'
import { EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { dataRights, type AccessPerson } from '../../identity/access/data-rights'
import { canRead, columnsWithin, coveredColumns } from '../../identity/access/visible-dataset'
import type { DataRights } from '../../identity/scope'
import type { AccessPolicy } from '../../shared/data-access/rules'
import type { Calendar } from '../../shared/dates'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryCatalogue } from '../physical-layout'

const LONG = env['LONG'] === '1'
/** 120 triples of rules, a person and a plan, or 10 000. */
const PARTS = LONG ? 10 : 1
const TRIPLES = LONG ? 1_000 : 120
const TRIPLES_PER_DATASET = 20
const HANG_MS = LONG ? 1_200_000 : 240_000
/** At least so many are answered: the others name what is hidden. */
const ANSWERED_MIN = 0.4

interface Triple {
  policy: AccessPolicy
  person: AccessPerson
  plan: QueryPlan
  calendar: Calendar
}

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

/** Answers how many were answered; throws at the first that differs from rows that were never there. */
function check(sql: SqlStorage, tables: NaiveTable[], triples: readonly Triple[]): number {
  const whole = storeTables(tables, EDGES, 4)
  let answered = 0
  for (const { policy, person, plan, calendar } of triples) {
    const rights = dataRights(policy, person)
    const outcome = runQuery({
      ...{ sql, plan, calendar, now: 0, unrestricted: whole, secret: '' },
      ...{ catalogue: catalogueWithin(rights, whole), scope: { ...EVERYTHING, ...rights } },
    })
    const view = naiveView({ tables, edges: EDGES }, { policy, person, calendar, sourceOf })
    const told = { plan, calendar, policy, person, tables }
    if (!outcome.ok) {
      if (!view.isLess) throw new Error(`refused:\n${JSON.stringify({ error: outcome.error, ...told })}`)
      continue
    }
    answered += 1
    const naive = naiveAnswer({ tables: view.tables, edges: view.edges, calendar }, plan)
    if (!isNaiveAnswer(outcome.value, naive, plan))
      throw new Error(`differs:\n${JSON.stringify({ ...bothAnswers(outcome.value, naive, plan), ...told })}`)
  }
  return answered
}

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${TRIPLES} random plans as if what rules hide had never been there (RLS-1, part %i of ${PARTS})`,
  async (part) => {
    let answered = 0
    const triple = fc.record({ policy: policies, person: people, plan: relatedPlans, calendar: calendars })
    await inSqlite(`random-access-${part}`, (sql) => {
      const triples = fc.array(triple, { minLength: TRIPLES_PER_DATASET, maxLength: TRIPLES_PER_DATASET })
      const property = fc.property(
        relatedTables,
        triples,
        (tables, each) => void (answered += check(sql, tables, each)),
      )
      fc.assert(property, { seed: seedOf(LONG), numRuns: TRIPLES / TRIPLES_PER_DATASET, endOnFailure: true })
    })
    expect(answered).toBeGreaterThan(TRIPLES * ANSWERED_MIN)
  },
  HANG_MS,
)
