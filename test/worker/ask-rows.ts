import { runQuery } from './run-query'
import { CALENDAR, DATASET, EVERYTHING, inSqlite, tableOf } from './warehouse-rows'
import { clearResultCache } from '../../src/warehouse/query/result-cache'
import { queryPlanSchema, type QueryPlanInput } from '../../src/shared/query/plan'
import type { QueryResult } from '../../src/shared/query/result'
import type { Calendar } from '../../src/shared/dates'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { RpcResult } from '../../src/shared/errors'
import type { StorageValue } from '../../src/lib/storage-value'

export interface RowsQuestion {
  columns: Column[]
  rows: StorageValue[][]
  plan: Partial<QueryPlanInput>
  calendar?: Partial<Calendar>
}

/** Asks a plan of rows; how many they are where it says nothing else. */
export function askRows(
  name: string,
  { columns, rows, plan, calendar }: RowsQuestion,
): Promise<RpcResult<QueryResult>> {
  return inSqlite(name, (sql) => {
    clearResultCache(sql)
    const dataset = tableOf(columns, rows)
    return runQuery({
      ...{ sql, scope: EVERYTHING, calendar: { ...CALENDAR, ...calendar }, now: 0 },
      catalogue: { find: (id: string) => (id === DATASET ? dataset : null), edges: [] },
      plan: queryPlanSchema.parse({
        ...{ v: 3, kind: 'aggregate', dataset: DATASET, dimensions: [], filters: [] },
        measures: [{ kind: 'column', agg: 'count' }],
        ...plan,
      }),
    })
  })
}

export async function answerRows(name: string, question: RowsQuestion): Promise<QueryResult> {
  const outcome = await askRows(name, question)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}
