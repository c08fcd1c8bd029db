import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { TableSort, TableView } from '../../../src/shared/query/table-view'
import { ColumnFilterButton } from './column-filter'
import type { DataColumn } from './data-column'
import classes from './data-table.module.css'

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** What a click on a header sorts by next: figures from the largest, everything else from the beginning; then not. */
export function nextSort(column: number, { kind }: Pick<DataColumn, 'kind'>, sort: TableSort | null): TableSort | null {
  const [first, second] = kind === 'number' ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const)
  if (sort?.column !== column) return { column, dir: first }
  return sort.dir === first ? { column, dir: second } : null
}

interface ColumnHeaderProps {
  column: DataColumn
  at: number
  view: TableView
  onView: (view: TableView) => void
}

/** A header that sorts by its column and holds its filter. */
export function ColumnHeader({ column, at, view, onView }: ColumnHeaderProps) {
  const sort = view.sort?.column === at ? view.sort.dir : null
  const filter = view.filters.find((each) => each.column === at)
  const Arrow = sort === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      className={column.kind === 'number' ? classes.numeric : undefined}
      aria-sort={sort === null ? undefined : ARIA_SORT[sort]}
    >
      <span className={classes.head}>
        {column.sortable ? (
          <UnstyledButton
            className={classes.sort}
            title={column.label}
            onClick={() => onView({ ...view, sort: nextSort(at, column, view.sort) })}
          >
            <span className={classes.headLabel}>{column.label}</span>
            <Arrow size={14} aria-hidden className={classes.arrow} data-on={sort !== null || undefined} />
          </UnstyledButton>
        ) : (
          <span className={classes.headLabel} title={column.label}>
            {column.label}
          </span>
        )}
        {column.filterable && (
          <ColumnFilterButton
            column={column}
            at={at}
            filter={filter}
            onFilter={(next) =>
              onView({
                ...view,
                filters: [...view.filters.filter((each) => each.column !== at), ...(next ? [next] : [])],
              })
            }
          />
        )}
      </span>
    </th>
  )
}
