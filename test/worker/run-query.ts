import { columnsIn } from './warehouse-rows'
import { ProductError, type RpcResult } from '../../src/shared/errors'
import type { QueryResult } from '../../src/shared/query/result'
import type { QueryRequest } from '../../src/warehouse/query/request'
import { queryInSteps } from '../../src/warehouse/query/run-query'
import type { QuerySteps } from '../../src/warehouse/scheduling/query-scheduler'

/** Answers a plan over rows of `tableOf` as the warehouse does, one piece right after the other. Refusals are values, as they cross RPC. */
export function runQuery(
  asked: Omit<QueryRequest, 'columns'> & Partial<Pick<QueryRequest, 'columns'>>,
): RpcResult<QueryResult> {
  const ask: QueryRequest = { columns: columnsIn(asked.sql), ...asked }
  function* request(): QuerySteps<QueryRequest> {
    yield undefined
    return ask
  }
  try {
    const steps = queryInSteps({ ask: request, written: () => 0 })
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) return { ok: true, value }
      if (value) throw new Error('The answer waits for something that this does not wait for.')
    }
  } catch (error) {
    if (error instanceof ProductError) return { ok: false, error: error.serialize() }
    throw error
  }
}

/** What work in pieces comes to, one piece right after the other. */
export function finished<T>(steps: QuerySteps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
