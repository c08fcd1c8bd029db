import type { QuerySteps } from '../../src/warehouse/scheduling/query-scheduler'

/** What work in pieces comes to, one piece right after the other. */
export function finished<T>(steps: QuerySteps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
