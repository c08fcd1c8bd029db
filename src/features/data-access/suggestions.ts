import { sensitiveKind } from './model/sensitive-columns'
import { managingScope, readAccessState } from './service'
import { calendarOf } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import type { GuardedDataset } from './store'
import type { SensitiveColumn } from '../../shared/data-access/data-access'
import type { QueryResult } from '../../shared/query/result'

/** Rows of a dataset that are looked at, and datasets of one look. */
const ROWS_LOOKED_AT = 200
const DATASETS_MAX = 20

const MASKS = {
  personalNumber: 'lastFour',
  salary: 'bucket',
  email: 'hash',
  phone: 'lastFour',
  bankAccount: 'lastFour',
} as const

/** Columns that look private and that no rule covers, by what they are called and what their first rows hold. */
export async function suggestMasks(context: RequestContext, dataset?: string): Promise<SensitiveColumn[]> {
  const { policy, datasets } = await readAccessState(context)
  const covered = new Set(
    policy.rules.flatMap(({ resource, columns }) => columns.map(({ key }) => `${resource.id} ${key}`)),
  )
  const wanted = datasets.filter(({ id }) => dataset === undefined || id === dataset).slice(0, DATASETS_MAX)
  const found = await Promise.all(wanted.map((each) => sensitiveColumns(context, each)))
  return found.flat().filter((each) => !covered.has(`${each.dataset.id} ${each.column.key}`))
}

async function sensitiveColumns(
  context: RequestContext,
  { id, name, columns }: GuardedDataset,
): Promise<SensitiveColumn[]> {
  const candidates = columns.filter(({ hidden, computed }) => !hidden && !computed)
  if (candidates.length === 0) return []
  const sample = await firstRows(context, id)
  return candidates.flatMap((column) => {
    const at = sample?.columns.findIndex(({ field }) => field?.column === column.key) ?? -1
    const values = at < 0 ? [] : (sample?.rows.map((row) => row[at] ?? null) ?? [])
    const kind = sensitiveKind(column, values)
    const { key, label } = column
    return kind ? [{ dataset: { id, name }, column: { key, label }, kind, mask: MASKS[kind] }] : []
  })
}

/** Null where the rows cannot be read now. */
async function firstRows(context: RequestContext, dataset: string): Promise<QueryResult | null> {
  const { deps, membership } = context
  const service = queryService(deps, { scope: managingScope(context), calendar: calendarOf(membership, deps.clock) })
  try {
    return await service.answer({
      ...{ v: 3, kind: 'rows', dataset, measures: [], dimensions: [], filters: [], limit: ROWS_LOOKED_AT },
    })
  } catch (error) {
    if (error instanceof ProductError) return null
    throw error
  }
}
