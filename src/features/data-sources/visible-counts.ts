import type { CalendarContext } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { hasRowRule } from '../../identity/access/visible-dataset'
import { ProductError } from '../../shared/errors'
import type { Dataset } from '../../shared/data-sources/data-sources'

/** With the number of rows that who asks may see, where rules of access leave some out. */
export async function withVisibleCounts<T extends Pick<Dataset, 'id' | 'rowCount'>>(
  context: CalendarContext,
  datasets: readonly T[],
): Promise<T[]> {
  const rights = context.scope.wire()
  return Promise.all(
    datasets.map(async (dataset) =>
      hasRowRule(rights, dataset.id) ? { ...dataset, rowCount: await countRows(context, dataset.id) } : dataset,
    ),
  )
}

/** 0 of what holds no rows yet. */
async function countRows({ deps, scope, calendar }: CalendarContext, dataset: string): Promise<number> {
  try {
    const { rows } = await queryService(deps, { scope, calendar }).answer({
      ...{ v: 3, kind: 'aggregate', dataset, dimensions: [], filters: [] },
      measures: [{ kind: 'column', agg: 'count', dataset }],
    })
    return Number(rows[0]?.[0] ?? 0)
  } catch (error) {
    if (error instanceof ProductError && error.code === 'not_found') return 0
    throw error
  }
}
