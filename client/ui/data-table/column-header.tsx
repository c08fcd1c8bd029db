import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { TableSort, TableView } from '../../../src/shared/query/table-view'
import { IconButton } from '../buttons/icon-button'
import { MaskMark } from './mask-mark'
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
  className?: string | undefined
}

/** A header that sorts by its column and holds its filter. */
export function ColumnHeader({ column, at, view, onView, className }: ColumnHeaderProps) {
  const sort = view.sort?.column === at ? view.sort.dir : null
  const filter = view.filters.find((each) => each.column === at)
  return (
    <th
      scope="col"
      className={`${column.kind === 'number' ? classes.numeric : ''} ${className ?? ''}`}
      aria-sort={sort === null ? undefined : ARIA_SORT[sort]}
    >
      <span className={classes.head}>
        <HeadLabel
          column={column}
          sort={sort}
          onSort={() => onView({ ...view, sort: nextSort(at, column, view.sort) })}
        />
        {column.mask && <MaskMark mask={column.mask} />}
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

interface HeadLabelProps {
  column: DataColumn
  sort: TableSort['dir'] | null
  onSort: () => void
}

/** A click on the label sorts; where something else stands in its place, a button beside it does. */
function HeadLabel({ column: { label, hint, head, sortable }, sort, onSort }: HeadLabelProps) {
  const Arrow = sort === 'desc' ? IconArrowDown : IconArrowUp
  if (head !== undefined)
    return (
      <>
        <div className={classes.headOwn}>{head}</div>
        {sortable && (
          <IconButton
            icon={sort === null ? IconArrowsSort : Arrow}
            iconSize={14}
            size={22}
            label={`Sort by ${label}`}
            {...(sort === null ? {} : { color: 'accent' })}
            onClick={onSort}
          />
        )}
      </>
    )
  if (!sortable)
    return (
      <span className={classes.headLabel} title={label}>
        {label}
      </span>
    )
  return (
    <Tooltip label={hint} disabled={hint === undefined} multiline maw={240}>
      <UnstyledButton className={classes.sort} title={hint === undefined ? label : undefined} onClick={onSort}>
        <span className={classes.headLabel}>{label}</span>
        <Arrow size={14} aria-hidden className={classes.arrow} data-on={sort !== null || undefined} />
      </UnstyledButton>
    </Tooltip>
  )
}
