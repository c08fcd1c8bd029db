import { useQueries } from '@tanstack/react-query'
import { useMemo, useState, type KeyboardEvent } from 'react'
import { Button, CopyButton, Group, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconCopy } from '@tabler/icons-react'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import { queryClient } from '../../../lib/queries/query-client'
import type { CellFormatter } from '../../../lib/cell-formatter'
import { withPercent } from '../../../ui/chart/chart-model'
import { pivotModel, pivotPlans } from '../../../ui/chart/pivot-model'
import type { PivotResults, PivotModel, PivotPlans, PivotRow } from '../../../ui/chart/pivot-model'
import { planResultQuery } from '../../../lib/plan-result'
import { toTsv } from '../../../ui/data-table/cell-selection'
import { nextSort } from '../../../ui/data-table/column-header'
import { IconButton } from '../../../ui/buttons/icon-button'
import classes from './pivot-table.module.css'
import {
  flattenPivotValues,
  pivotLines,
  pivotColumnHeaders,
  formatPivotCell,
  sortedPivotRows,
  TOTAL_LABEL,
  type PivotSort,
} from './pivot-text'
import { humanizeLabel } from '../../../lib/query-builder/catalogue'
import { MutedText } from '../../../ui/muted-text'

type NamedPivotPlan = [keyof PivotPlans, QueryPlan]
const PIVOT_PLAN_NAMES: (keyof PivotPlans)[] = ['rows', 'across', 'outer', 'outerTotal']
const namedPivotPlans = (plan: QueryPlan): NamedPivotPlan[] => {
  const plans = pivotPlans(plan)
  return PIVOT_PLAN_NAMES.flatMap((name): NamedPivotPlan[] => {
    const one = plans?.[name]
    return one ? [[name, one]] : []
  })
}

const namedResults = (
  plans: readonly NamedPivotPlan[],
  results: readonly (QueryResult | undefined)[],
  percent: readonly number[] | undefined,
): PivotResults =>
  Object.fromEntries(plans.map(([name], at) => [name, results[at] && withPercent(results[at], percent)]))

interface PivotInput {
  plan: QueryPlan
  result: QueryResult
  percent: readonly number[] | undefined
  format: CellFormatter
}

/** The pivot of an answer; its totals come in as their answers do. */
function usePivot({ plan, result, percent, format }: PivotInput): { model: PivotModel | null; failed: boolean } {
  const plans = useMemo(() => namedPivotPlans(plan), [plan])
  const { answers, failed } = useQueries({
    queries: plans.map(([, one]) => planResultQuery(one)),
    combine: (all) => ({ answers: all.map((one) => one.data), failed: all.some((one) => one.isError) }),
  })
  const model = useMemo(() => {
    return pivotModel(result, namedResults(plans, answers, percent), format)
  }, [plans, answers, result, percent, format])
  return { model, failed }
}

/** The same, waited for: for pictures. */
export async function loadPivot({ plan, result, percent, format }: PivotInput): Promise<PivotModel | null> {
  const plans = namedPivotPlans(plan)
  const found = await Promise.all(plans.map(([, one]) => queryClient.ensureQueryData(planResultQuery(one))))
  return pivotModel(result, namedResults(plans, found, percent), format)
}

interface PivotTableProps extends PivotInput {
  caption: string
  onPick?: ((row: number) => void) | undefined
}

/** Unfolded at the start up to so many rows. */
const EXPANDED_ROWS_MAX = 40
const PIVOT_PAGE_ROWS = 300

/** Splits downwards and across with the server's own totals. Arrow keys walk the cells, Enter opens or folds. */
export function PivotTable(props: PivotTableProps) {
  const { plan, result, percent, format, onPick } = props
  const { model, failed } = usePivot({ plan, result, percent, format })
  if (!model) return null
  return (
    <>
      <PivotGrid key={result.hash} model={model} format={format} caption={props.caption} onPick={onPick} />
      <MutedText size="xs">
        {[...(failed ? ['Couldn’t load totals. Reload the page.'] : []), ...model.notes].join(' ')}
      </MutedText>
    </>
  )
}

interface PivotGridProps extends Pick<PivotTableProps, 'format' | 'caption' | 'onPick'> {
  model: PivotModel
}

const hasChildren = (model: PivotModel, row: PivotRow): boolean => model.downNames.length > 1 && row.depth === 0

function useCollapsedRows(model: PivotModel) {
  const outer = model.rows.filter((row) => hasChildren(model, row)).map((row) => row.key)
  const [folded, setFolded] = useState(() => new Set(model.rows.length > EXPANDED_ROWS_MAX ? outer : []))
  const toggle = (key: string): void => {
    const next = new Set(folded)
    if (!next.delete(key)) next.add(key)
    setFolded(next)
  }
  const allFolded = outer.length > 0 && outer.every((key) => folded.has(key))
  return {
    folded,
    toggle,
    nested: outer.length > 0,
    allFolded,
    toggleAll: () => setFolded(new Set(allFolded ? [] : outer)),
    shown: model.rows.filter((row) => row.parent === null || !folded.has(row.parent)),
  }
}

function PivotGrid({ model: given, format, caption, onPick }: PivotGridProps) {
  const [sort, setSort] = useState<PivotSort | null>(null)
  const model = useMemo(() => ({ ...given, rows: sortedPivotRows(given, sort) }), [given, sort])
  const collapsedRows = useCollapsedRows(model)
  const [count, setCount] = useState(PIVOT_PAGE_ROWS)
  const { onKeyDown, tabIndexOf } = useGridKeys()
  const rows = collapsedRows.shown.slice(0, count)
  return (
    <div>
      <PivotToolbar model={model} format={format} folding={collapsedRows} />
      <div className={classes.frame}>
        <Table
          className={classes.table}
          role="grid"
          aria-label={caption}
          aria-rowcount={model.rows.length + 1}
          onKeyDown={onKeyDown}
          verticalSpacing={5}
        >
          <PivotHeader model={model} sort={sort} onSort={setSort} />
          <Table.Tbody>
            {rows.map((row, at) => (
              <PivotTableRow
                key={row.key}
                row={row}
                at={at}
                model={model}
                format={format}
                tabIndexOf={tabIndexOf}
                open={!collapsedRows.folded.has(row.key)}
                onToggle={hasChildren(model, row) ? () => collapsedRows.toggle(row.key) : undefined}
                onPick={onPick}
              />
            ))}
          </Table.Tbody>
          <PivotFooter model={model} format={format} tabIndexOf={tabIndexOf} at={rows.length} />
        </Table>
      </div>
      {collapsedRows.shown.length > count && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setCount(count + PIVOT_PAGE_ROWS)}>
          Show more
        </Button>
      )}
    </div>
  )
}

interface PivotToolbarProps extends Pick<PivotGridProps, 'model' | 'format'> {
  folding: ReturnType<typeof useCollapsedRows>
}

function PivotToolbar({ model, format, folding }: PivotToolbarProps) {
  return (
    <Group justify="flex-end" gap="xs" mb="xs">
      {folding.nested && (
        <Button variant="subtle" size="compact-sm" onClick={folding.toggleAll}>
          {folding.allFolded ? 'Expand all' : 'Collapse all'}
        </Button>
      )}
      <CopyButton value={toTsv(pivotLines(model, format))}>
        {({ copied, copy }) => (
          <Button variant="subtle" size="compact-sm" leftSection={<IconCopy size={14} aria-hidden />} onClick={copy}>
            {copied ? 'Copied' : 'Copy table'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

interface PivotHeaderProps {
  model: PivotModel
  sort: PivotSort | null
  onSort: (sort: PivotSort | null) => void
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const

/** Headings that sort by their column. */
function PivotHeader({ model, sort, onSort }: PivotHeaderProps) {
  const sortable = (label: string, column: number) => {
    const dir = sort?.column === column ? sort.dir : null
    const Arrow = dir === 'desc' ? IconArrowDown : IconArrowUp
    return {
      'aria-sort': dir === null ? undefined : ARIA_SORT[dir],
      children: (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onSort(nextSort(column, { kind: column === 0 ? 'text' : 'number' }, sort))}
        >
          {label}
          {dir !== null && <Arrow size={14} aria-hidden />}
        </UnstyledButton>
      ),
    }
  }
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th
          className={classes.corner}
          scope="col"
          {...sortable(model.downNames.map(humanizeLabel).join(' / '), 0)}
        />
        {pivotColumnHeaders(model).map((head, at) => (
          <Table.Th key={head} scope="col" className={classes.figure} {...sortable(head, at + 1)} />
        ))}
      </Table.Tr>
    </Table.Thead>
  )
}

interface PivotFooterProps extends Pick<PivotGridProps, 'model' | 'format'> {
  /** Place below the rows on screen. */
  at: number
  tabIndexOf: (row: number, column: number) => number
}

function PivotFooter({ model, format, at, tabIndexOf }: PivotFooterProps) {
  if (!model.totals) return null
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th scope="row" className={classes.name} data-cell={`${at}:0`} tabIndex={tabIndexOf(at, 0)}>
          {TOTAL_LABEL}
        </Table.Th>
        {flattenPivotValues(model.totals, model).map(({ value }, index) => (
          <Table.Td
            key={index}
            className={classes.figure}
            data-cell={`${at}:${index + 1}`}
            tabIndex={tabIndexOf(at, index + 1)}
          >
            {formatPivotCell(value, index, { model, format })}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  )
}

interface PivotTableRowProps extends Pick<PivotGridProps, 'model' | 'format' | 'onPick'> {
  row: PivotRow
  /** Place among the rows on screen. */
  at: number
  tabIndexOf: (row: number, column: number) => number
  open: boolean
  onToggle: (() => void) | undefined
}

function PivotTableRow({ row, at, model, format, tabIndexOf, open, onToggle, onPick }: PivotTableRowProps) {
  const total = model.across.length * model.measures.length
  return (
    <Table.Tr className={onToggle ? classes.outer : ''}>
      <Table.Th
        scope="row"
        className={`${classes.name} ${row.depth > 0 ? classes.inner : ''}`}
        title={row.label}
        data-cell={`${at}:0`}
        tabIndex={tabIndexOf(at, 0)}
        data-act={onToggle && 'fold'}
      >
        {onToggle && (
          <IconButton
            icon={open ? IconChevronDown : IconChevronRight}
            iconSize={14}
            size={20}
            mr={4}
            tabIndex={-1}
            label={`${open ? 'Collapse' : 'Expand'} ${row.label}`}
            aria-expanded={open}
            onClick={onToggle}
          />
        )}
        {row.label}
      </Table.Th>
      {flattenPivotValues(row.figures, model).map((cell, index) => {
        const { row: source } = cell
        const pick = onPick && source !== null ? () => onPick(source) : undefined
        return (
          <Table.Td
            key={index}
            className={`${classes.figure} ${index >= total ? classes.total : ''} ${pick ? classes.pickable : ''}`}
            data-cell={`${at}:${index + 1}`}
            tabIndex={tabIndexOf(at, index + 1)}
            onClick={pick}
            data-act={pick && 'pick'}
          >
            {formatPivotCell(cell.value, index, { model, format })}
          </Table.Td>
        )
      })}
    </Table.Tr>
  )
}

const ARROW_KEY_MOVES: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** One cell of the grid is in the order of the Tab key; arrow keys lead to the others, Enter does what a click does. */
function useGridKeys() {
  const [at, setAt] = useState<readonly [number, number]>([0, 0])
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-cell]') : null
    if (!cell) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (cell.dataset['act'] === 'fold') cell.querySelector('button')?.click()
      if (cell.dataset['act'] === 'pick') cell.click()
      return
    }
    const step = ARROW_KEY_MOVES[event.key]
    if (!step) return
    const [row = 0, column = 0] = (cell.dataset['cell'] ?? '').split(':').map(Number)
    const next = [row + step[0], column + step[1]] as const
    const found = event.currentTarget.querySelector<HTMLElement>(`[data-cell="${next[0]}:${next[1]}"]`)
    event.preventDefault()
    if (!found) return
    setAt(next)
    found.focus()
  }
  return { onKeyDown, tabIndexOf: (row: number, column: number) => (row === at[0] && column === at[1] ? 0 : -1) }
}
