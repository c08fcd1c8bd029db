import { Button, Table, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { PLAIN_VIEW, type TableView } from '../../../src/shared/query/table-view'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { flattenPivotValues, formatPivotCell, pivotLines, TOTAL_LABEL } from '../../../src/shared/charts/pivot-cells'
import { IconButton } from '../buttons/icon-button'
import type { PivotHead, PivotModel, PivotRow } from '../../../src/shared/charts/pivot-model'
import { ColumnHeader } from '../data-table/column-header'
import { DataTableBar } from '../data-table/data-table-bar'
import frames from '../data-table/data-table.module.css'
import { useHiddenEdges } from '../data-table/hidden-edges'
import { useCsvDownload } from '../data-table/use-csv-download'
import { MutedText } from '../muted-text'
import classes from './pivot-table.module.css'
import { columnHeads, pivotCellText, pivotColumns, pivotRowsInView } from './pivot-text'

/** Unfolded at the start up to so many rows. */
const EXPANDED_ROWS_MAX = 40
const PIVOT_PAGE_ROWS = 300

interface PivotGridProps {
  model: PivotModel
  format: CellFormatter
  caption: string
  onPick?: ((row: number) => void) | undefined
  /** A heading was clicked. */
  onPickHead?: ((head: PivotHead) => void) | undefined
  /** Which headings are chosen. */
  isHeadPicked?: ((head: PivotHead) => boolean) | undefined
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

/** The pivot as it is looked at: sorted and filtered by its headings, folded, page by page. */
export function PivotGrid({ model: given, format, caption, ...picking }: PivotGridProps) {
  const [view, setView] = useState(PLAIN_VIEW)
  const model = useMemo(() => ({ ...given, rows: pivotRowsInView(given, view) }), [given, view])
  const collapsedRows = useCollapsedRows(model)
  const [count, setCount] = useState(PIVOT_PAGE_ROWS)
  const { onKeyDown, tabIndexOf } = useGridKeys()
  const frame = useRef<HTMLDivElement>(null)
  const { edges, onScroll } = useHiddenEdges(frame)
  const rows = collapsedRows.shown.slice(0, count)
  return (
    <div className={frames.own}>
      <PivotBar {...{ given, model, format, caption, view }} onView={setView} isWide={edges.left || edges.right}>
        {collapsedRows.nested && (
          <Button variant="subtle" size="compact-sm" onClick={collapsedRows.toggleAll}>
            {collapsedRows.allFolded ? 'Expand all' : 'Collapse all'}
          </Button>
        )}
      </PivotBar>
      <div className={frames.box} data-more-left={edges.left || undefined} data-more-right={edges.right || undefined}>
        <div ref={frame} className={classes.frame} onScroll={onScroll}>
          <Table
            className={classes.table}
            role="grid"
            aria-label={caption}
            aria-rowcount={model.rows.length + 1}
            onKeyDown={onKeyDown}
            verticalSpacing={5}
          >
            <PivotHeader model={model} view={view} onView={setView} picking={picking} />
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
                  {...picking}
                />
              ))}
            </Table.Tbody>
            <PivotFooter model={model} format={format} tabIndexOf={tabIndexOf} at={rows.length} />
          </Table>
        </div>
      </div>
      {view.filters.length > 0 && <MutedText size="xs">Totals include all rows</MutedText>}
      {collapsedRows.shown.length > count && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setCount(count + PIVOT_PAGE_ROWS)}>
          Show more
        </Button>
      )}
    </div>
  )
}

interface PivotViewProps {
  model: PivotModel
  view: TableView
  onView: (view: TableView) => void
}
interface PivotBarProps extends PivotViewProps {
  /** With every row, whatever the filters. */
  given: PivotModel
  format: CellFormatter
  caption: string
  isWide: boolean
  children: ReactNode
}

const innermostCount = ({ rows, downNames }: PivotModel): number =>
  rows.filter(({ depth }) => depth === downNames.length - 1).length

/** How many rows there are, and the pivot as it is looked at to take along: its order, its rows, its totals. */
function PivotBar({ given, model, format, caption, ...bar }: PivotBarProps) {
  const lines = pivotLines(model)
  const [head = [], ...body] = lines
  const save = useCsvDownload(caption)
  return (
    <DataTableBar
      {...bar}
      columns={head.map((label, at) => ({
        ...{ key: String(at), label: String(label), kind: 'text', sortable: false, filterable: false },
      }))}
      selected={null}
      loaded={body.length}
      rowCount={innermostCount(model)}
      allRows={innermostCount(given)}
      copiedText={(row, column) => pivotCellText(body[row]?.[column] ?? null, format)}
      exportAs={save && (() => Promise.resolve(save(lines)))}
      exportFormats={['csv']}
    />
  )
}

/** Headings that sort and filter by their column. */
function PivotHeader({ model, view, onView, picking }: PivotViewProps & { picking: HeadPicking }) {
  const heads = columnHeads(model)
  return (
    <Table.Thead>
      <Table.Tr>
        {pivotColumns(model).map((column, at) => {
          const head = heads[at - 1]
          const picked = head && picking.onPickHead && <HeadButton head={head} label={column.label} {...picking} />
          return (
            <ColumnHeader
              key={column.key}
              {...{ at, view, onView }}
              column={picked ? { ...column, head: picked } : column}
              className={at === 0 ? classes.corner : classes.figure}
            />
          )
        })}
      </Table.Tr>
    </Table.Thead>
  )
}

type HeadPicking = Pick<PivotGridProps, 'onPickHead' | 'isHeadPicked'>
/** A heading that can be chosen: it stands for all figures below or beside it. */
const HeadButton = (props: HeadPicking & { head: PivotHead; label: string; inGrid?: boolean }) => (
  <UnstyledButton
    className={classes.headButton}
    title={props.label}
    aria-pressed={props.isHeadPicked?.(props.head) ?? false}
    onClick={() => props.onPickHead?.(props.head)}
    {...(props.inGrid ? { tabIndex: -1, 'data-pick': true } : {})}
  >
    {props.label}
  </UnstyledButton>
)

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

interface PivotTableRowProps extends HeadPicking, Pick<PivotGridProps, 'model' | 'format' | 'onPick'> {
  row: PivotRow
  /** Place among the rows on screen. */
  at: number
  tabIndexOf: (row: number, column: number) => number
  open: boolean
  onToggle: (() => void) | undefined
}

function PivotTableRow(props: PivotTableRowProps) {
  const { row, at, model, format, tabIndexOf, open, onToggle, onPick, onPickHead } = props
  const total = model.across.length * model.measures.length
  return (
    <Table.Tr className={onToggle ? classes.outer : ''}>
      <Table.Th
        scope="row"
        className={`${classes.name} ${row.depth > 0 ? classes.inner : ''}`}
        title={row.label}
        data-cell={`${at}:0`}
        tabIndex={tabIndexOf(at, 0)}
        data-act={onPickHead && row.head ? 'head' : onToggle && 'fold'}
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
        {onPickHead && row.head ? <HeadButton {...props} head={row.head} label={row.label} inGrid /> : row.label}
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
      const act = cell.dataset['act']
      // Where a name can be chosen, Space folds what is below it.
      if (act === 'fold' || (act === 'head' && event.key === ' ')) cell.querySelector('button')?.click()
      else if (act === 'head') cell.querySelector<HTMLElement>('[data-pick]')?.click()
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
