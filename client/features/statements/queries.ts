import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, readJson } from '../../lib/api'
import { questionQuery } from '../../lib/queries/query-options'
import { inQuestionQueue } from '../../lib/queries/question-queue'
import { workspaceId } from '../../lib/session'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import type { Statement, StatementLanguage } from '../../../src/shared/statements/statements'

/** What of a ledger is looked at, as it stands in the address. */
export interface StatementChoice {
  statement?: Statement['kind'] | undefined
  view?: Statement['view'] | undefined
  year?: string | undefined
  through?: string | undefined
  company?: string | undefined
  dimension?: string | undefined
  object?: string | undefined
  lastYear?: boolean | undefined
  budget?: boolean | undefined
  variance?: boolean | undefined
}

const COLUMN_KEY = /^c\d+$/
const isColumnKey = (text: string | undefined): text is `c${number}` => text !== undefined && COLUMN_KEY.test(text)
const flag = (on: boolean | undefined): '1' | undefined => (on === true ? '1' : undefined)

/** The choice as the server takes it; what stands in the address and means nothing is left out. */
function toQuery({ dimension, object, lastYear, budget, variance, ...choice }: StatementChoice) {
  const by = isColumnKey(dimension) ? { dimension, ...(object === undefined ? {} : { object }) } : {}
  const flags = { lastYear: flag(lastYear), budget: flag(budget), variance: flag(variance) }
  return definedOnly({ ...choice, ...by, ...flags })
}
const definedOnly = <T extends object>(given: T): T => {
  const kept = { ...given }
  for (const key of Object.keys(kept)) if (Reflect.get(kept, key) === undefined) Reflect.deleteProperty(kept, key)
  return kept
}

export const statementQuery = (source: string, choice: StatementChoice) => {
  const query = toQuery(choice)
  return queryOptions({
    ...questionQuery<Statement>(['statements', workspaceId(), source, query], (options) =>
      api.api.statements[':id'].$get({ param: { id: source }, query }, options),
    ),
    placeholderData: keepPreviousData,
  })
}

/** Address of the same as a workbook; a plain link cannot set headers, so the workspace stands in it. */
export function statementFileUrl(source: string, choice: StatementChoice, language: StatementLanguage): string {
  const search = new URLSearchParams({ w: workspaceId() ?? '', language })
  for (const [key, value] of Object.entries(toQuery(choice))) if (typeof value === 'string') search.set(key, value)
  return `/files/statements/${source}?${search.toString()}`
}

const ENTRIES_PER_PAGE = 50

/** Entries of an account or of a voucher, page by page. */
export const entriesQuery = (plan: QueryPlan) =>
  infiniteQueryOptions({
    queryKey: ['figures', plan, 'pages'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      inQuestionQueue(signal, () =>
        readJson<QueryResult>(
          api.api.query.$post(
            { json: { plan: { ...plan, limit: ENTRIES_PER_PAGE, offset: pageParam } } },
            { init: { signal } },
          ),
        ),
      ),
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, { rows }) => sum + rows.length, 0)
      return last.rows.length === 0 || read >= last.rowCount ? undefined : read
    },
  })
