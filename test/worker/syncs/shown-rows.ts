import { CALENDAR } from '../warehouse-rows'
import type { Deps } from '../../../src/deps'
import { Scope } from '../../../src/scope'

const PAGE_ROWS = 5_000

/**
 * Every row of a dataset as questions read it, each as text, sorted: two tables are the same when these are. A row that is
 * there twice is here twice. Null: there is no such table yet.
 */
export async function shownRows(
  deps: Pick<Deps, 'warehouse'>,
  of: { workspaceId: string; userId: string },
  datasetId: string | null,
): Promise<string[] | null> {
  if (datasetId === null) return null
  const warehouse = deps.warehouse(Scope.forJob({ ...of, epoch: '' }))
  const dataset = (await warehouse.datasets()).find(({ id }) => id === datasetId)
  if (!dataset) return null
  const columns = dataset.columns.map(({ key }) => ({ dataset: datasetId, column: key }))
  const rows: string[] = []
  while (rows.length < dataset.rowCount) {
    const plan = {
      ...{
        v: 1 as const,
        kind: 'rows' as const,
        dataset: datasetId,
        measures: [],
        dimensions: [],
        filters: [],
        columns,
      },
      ...{ limit: PAGE_ROWS, offset: rows.length },
    }
    const page = await warehouse.query({ plan, calendar: CALENDAR })
    if (page.rows.length === 0) throw new Error('A table has fewer rows than it says.')
    rows.push(...page.rows.map((row) => JSON.stringify(row)))
  }
  return rows.toSorted()
}
