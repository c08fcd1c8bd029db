import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { PLAIN_VIEW, viewedPlan, type TableView } from '../../../src/shared/query/table-view'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult, ResultColumn } from '../../../src/shared/query/result'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { planResultQuery } from '../../lib/plan-result'
import { withPercent } from '../../../src/shared/charts/chart-model'
import { useResultMasks } from './mask-mark'
import { QueryError } from '../query-view'
import { DataTable } from './data-table'
import { tableColumns } from '../../../src/shared/figures/table-columns'
import { copiedCell, dataColumns, tableCell } from './result-cells'
import { useTableExport } from './use-table-export'

/** Rows asked for at a time, while somebody scrolls. */
const PAGE_ROWS = 200

/** One page of the answer to a plan, from a row on. */
export const pageQuery = (plan: QueryPlan, offset: number) => planResultQuery({ ...plan, limit: PAGE_ROWS, offset })

/**
 * Pages may be shorter than asked for, so each begins where the one before it ended.
 * @param given the first page, where it is here: it is not asked for
 */
function usePages(plan: QueryPlan, given: QueryResult | null) {
  const begin = given?.rows.length ?? 0
  const key = `${begin} ${JSON.stringify(plan)}`
  const [asked, setAsked] = useState<{ key: string; starts: number[] }>({ key: '', starts: [] })
  const starts = useMemo(() => (asked.key === key ? asked.starts : given ? [] : [0]), [asked, key, given])
  const { further, error, fetching, refetch } = useQueries({
    queries: starts.map((offset) => pageQuery(plan, offset)),
    combine: (all) => ({
      further: all.flatMap(({ data }) => (data ? [data] : [])),
      error: all.find((one) => one.isError) ?? null,
      fetching: all.some((one) => one.isFetching),
      refetch: () => Promise.all(all.map((one) => one.refetch())),
    }),
  })
  const pages = useMemo(() => (given ? [given, ...further] : further), [given, further])
  const rows = useMemo(() => pages.flatMap((page) => page.rows), [pages])
  const columns = useMemo(() => columnsOfPages(pages), [pages])
  const rowCount = pages[0]?.rowCount ?? 0
  const isComplete = rows.length >= rowCount || pages.at(-1)?.rows.length === 0
  const next = (): void => {
    if (!fetching && !error && !isComplete) setAsked({ key, starts: [...starts, rows.length] })
  }
  return { first: pages[0] ?? null, rows, columns, rowCount: isComplete ? rows.length : rowCount, error, refetch, next }
}

/** Each page names its own keys. */
function columnsOfPages(pages: readonly QueryResult[]): ResultColumn[] {
  return (pages[0]?.columns ?? []).map((column, at) => {
    const { names } = column
    if (!names) return column
    const all = pages.flatMap((page) => Object.entries(page.columns[at]?.names?.of ?? {}))
    return { ...column, names: { ...names, of: Object.fromEntries(all) } }
  })
}

export interface PagedTableProps {
  plan: QueryPlan
  /** An answer to the plan, for its columns and the number of its rows. */
  first: QueryResult
  format: CellFormatter
  caption: string
  /** What a file with these rows is called; the caption when absent. */
  name?: string
  percent?: readonly number[] | undefined
}

/** A table of which only a part is here: the server sorts, filters and sends further rows while somebody scrolls. */
export function PagedTable({ plan, first, format, caption, name = caption, percent }: PagedTableProps) {
  const [view, setView] = useState(PLAIN_VIEW)
  const viewed = useViewedPlan({ plan, first, view })
  const pages = usePages(viewed, isPlain(view) && !plan.offset ? first : null)
  // While the rows of another view are on their way, those before stay: a table that empties itself jumps.
  const [shown, setShown] = useState<Pick<ReturnType<typeof usePages>, 'rows' | 'columns' | 'rowCount'>>(first)
  const isHere = pages.first !== null
  if (isHere && (shown.rows !== pages.rows || shown.rowCount !== pages.rowCount))
    setShown({ rows: pages.rows, columns: pages.columns, rowCount: pages.rowCount })
  const answer = useMemo(() => withPercent({ ...first, ...shown }, percent), [first, shown, percent])
  const columns = useMemo(() => tableColumns(answer), [answer])
  const masks = useResultMasks(columns, plan)
  const exportAs = useTableExport({ plan, name, percent }, view)
  const { next } = pages
  const text = useCallback(
    (write: typeof tableCell, row: number, at: number): string => {
      const column = columns[at]
      return column ? write(shown.rows[row]?.[at] ?? null, column, format) : ''
    },
    [columns, shown.rows, format],
  )
  if (pages.error && !isHere) return <QueryError query={{ error: pages.error.error, refetch: pages.refetch }} />
  return (
    <div aria-busy={!isHere} style={{ opacity: isHere ? 1 : 0.6 }}>
      <DataTable
        {...{ caption, view, exportAs }}
        onView={setView}
        columns={dataColumns(answer, plan, masks)}
        loaded={shown.rows.length}
        rowCount={shown.rowCount}
        allRows={first.rowCount}
        cellText={(row, at) => text(tableCell, row, at)}
        copiedText={(row, at) => text(copiedCell, row, at)}
        onNeedRows={next}
      />
    </div>
  )
}

const isPlain = ({ sort, filters }: TableView): boolean => !sort && filters.length === 0

const useViewedPlan = ({
  plan,
  first,
  view,
}: Pick<PagedTableProps, 'plan' | 'first'> & { view: TableView }): QueryPlan =>
  useMemo(() => viewedPlan({ plan, columns: first.columns }, view) ?? plan, [plan, first.columns, view])
