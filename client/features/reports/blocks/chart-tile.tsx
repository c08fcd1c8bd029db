import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useContext, useMemo, useRef, useState, type PointerEvent } from 'react'
import type { BlockOf } from '../../../../src/shared/reports/blocks'
import type { TileContent } from '../../../../src/shared/reports/tiles'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { isMarkOf, markFilters, markLabel, rowsOfMarks, splitNames } from '../../../lib/marks/mark-filters'
import { planResultQuery } from '../../../lib/plan-result'
import type { ChosenMark } from '../../../../src/shared/charts/chart-model'
import type { PivotHead } from '../../../../src/shared/charts/pivot-model'
import { describeResultPeriod } from '../../../../src/shared/charts/headline'
import { QueryView } from '../../../ui/query-view'
import type { Selection } from '../view/cross-filter'
import { useTile } from '../tiles/use-tiles'
import classes from './blocks.module.css'
import { ChartBody } from './chart-body'
import { ChartTileMenu, MarkItems, type MarkOrigin } from './chart-menu'
import { MarkActionsContext, type DrillDown } from './marks'
import { useFrozen, useTileSlots } from './slots'
import { TileFrame, TileSkeleton } from './tile-frame'

type ChartContent = Extract<TileContent, { kind: 'chart' }>
type ChartBlock = BlockOf<'insight'> | BlockOf<'metric'>

interface ChartTileProps {
  block: ChartBlock
  height: number
  selection: Selection | undefined
}

/** An insight or a metric as a chart, a table or a pivot. */
export function ChartTile({ block, height, selection }: ChartTileProps) {
  const state = useTile(block.id)
  const content = state.content?.kind === 'chart' ? state.content : null
  const title = block.title || content?.name || (block.kind === 'insight' ? 'Insight' : 'Metric')
  return content ? (
    <KnownChart block={block} content={content} title={title} height={height} selection={selection} />
  ) : (
    <TileFrame title={title} block={block.id} state={state}>
      {null}
    </TileFrame>
  )
}

interface KnownChartProps extends ChartTileProps {
  content: ChartContent
  title: string
}

function KnownChart({ block, content, title, height, selection }: KnownChartProps) {
  const { plan, result, viz, pivot } = content
  const state = useTile(block.id)
  const format = useCellFormatter()
  const [asTable, setAsTable] = useState(false)
  const [drill, setDrill] = useState<DrillDown | null>(null)
  const [records, setRecords] = useState<ChosenMark | null>(null)
  const slots = useTileSlots()
  const isFrozen = useFrozen()
  const chosen = useMemo(
    () =>
      selection &&
      rowsOfMarks(
        { plan, result },
        selection.marks.map(({ filters }) => filters),
      ),
    [selection, plan, result],
  )
  const marks = useMarks({ block, content, selection })
  const chosenMark = selection && chosen ? markOfSelection({ plan, result }, selection, chosen) : null
  const origin: MarkOrigin = { content, block, onDrill: setDrill, onRecords: setRecords }
  return (
    <div style={{ height: '100%' }} onPointerDownCapture={marks.onPointer} onKeyDownCapture={marks.onKey}>
      <TileFrame
        title={title}
        subtitle={drill?.title ?? describeResultPeriod(result, format.day) ?? undefined}
        state={state}
        context={content}
        block={block.id}
        isChosen={selection !== undefined}
        menu={
          !isFrozen && (
            <ChartTileMenu
              origin={origin}
              mark={chosenMark}
              title={title}
              asTable={asTable}
              onAsTable={() => setAsTable(!asTable)}
              {...(drill ? {} : { files: { block: block.id, content, title } })}
            />
          )
        }
      >
        {drill ? (
          <DrilledChart drill={drill} height={height} onBack={() => setDrill(null)} />
        ) : (
          <ChartBody
            {...{ plan, result, viz, pivot, title, height, asTable, chosen }}
            onPick={marks.onPick}
            onPickHead={marks.onPick}
            isHeadPicked={marks.isHeadPicked}
            onMenu={marks.onMenu}
          />
        )}
      </TileFrame>
      <Menu
        opened={marks.menu !== null}
        onChange={(open) => !open && marks.closeMenu()}
        position="bottom-start"
        withinPortal
      >
        <Menu.Target>
          <span aria-hidden="true" style={{ position: 'fixed', left: marks.menu?.x ?? 0, top: marks.menu?.y ?? 0 }} />
        </Menu.Target>
        <Menu.Dropdown>
          {marks.menu && <MarkItems origin={origin} mark={marks.menu.mark} onFilter={marks.onPick} />}
        </Menu.Dropdown>
      </Menu>
      {records && slots.records({ plan, result, mark: records, onClose: () => setRecords(null) })}
    </div>
  )
}

/** The mark that was chosen first in a tile, among the rows it stands for: a whole row, or one of its splits. */
function markOfSelection(
  { plan, result }: Pick<ChartContent, 'plan' | 'result'>,
  { marks: [first] }: Selection,
  rows: ReadonlySet<number>,
): ChosenMark | null {
  if (!first) return null
  const splits = plan.dimensions.map((_, at) => at)
  const kinds = [splits, ...splits.map((at) => [at])]
  for (const row of rows)
    for (const dimensions of kinds)
      if (isMarkOf({ plan, result, row, dimensions }, first.filters)) return { row, dimensions }
  return null
}

/** Beside what has the keyboard, where nothing was pointed at. */
function focusedPlace(): { x: number; y: number } {
  const box = document.activeElement?.getBoundingClientRect()
  return { x: (box?.left ?? 0) + 16, y: (box?.top ?? 0) + Math.min(box?.height ?? 0, 48) }
}

/** What a click on a mark does: it filters the other tiles; with Ctrl beside what is chosen; its menu is on the other button. */
function useMarks({
  block,
  content,
  selection,
}: { block: ChartBlock; content: ChartContent } & Pick<ChartTileProps, 'selection'>) {
  const actions = useContext(MarkActionsContext)
  const format = useCellFormatter()
  const [menu, setMenu] = useState<{ mark: ChosenMark; x: number; y: number } | null>(null)
  const pointed = useRef<{ x: number; y: number } | null>(null)
  const adds = useRef(false)
  const { plan, result } = content
  const isSplit = plan.dimensions.length > 0 && plan.kind === 'aggregate'
  // The same as long as the answer is, so that a chart does not listen anew.
  const handlers = useMemo(() => {
    if (!actions || !isSplit) return { onPick: undefined, onMenu: undefined }
    const pick = (meant: ChosenMark): void => {
      const filters = markFilters({ plan, result, ...meant })
      if (filters.length === 0) return
      const mark = { label: markLabel({ result, ...meant }, format), filters }
      actions.toggle({ block: block.id, name: splitNames(result, meant.dimensions), mark, add: adds.current })
    }
    return {
      onPick: pick,
      onMenu: (mark: ChosenMark): void => setMenu({ mark, ...(pointed.current ?? focusedPlace()) }),
    }
  }, [actions, isSplit, plan, result, format, block.id])
  const isHeadPicked = useMemo(() => {
    if (!selection) return undefined
    const keys = new Set(selection.marks.map(({ filters }) => JSON.stringify(filters)))
    return (head: PivotHead): boolean => keys.has(JSON.stringify(markFilters({ plan, result, ...head })))
  }, [selection, plan, result])
  return {
    ...handlers,
    isHeadPicked,
    menu,
    closeMenu: () => setMenu(null),
    onPointer: (event: PointerEvent): void => {
      pointed.current = { x: event.clientX, y: event.clientY }
      adds.current = event.ctrlKey || event.metaKey
    },
    onKey: (event: { ctrlKey: boolean; metaKey: boolean }): void => {
      pointed.current = null
      adds.current = event.ctrlKey || event.metaKey
    },
  }
}

function DrilledChart({ drill, height, onBack }: { drill: DrillDown; height: number; onBack: () => void }) {
  const answer = useQuery(planResultQuery(drill.plan))
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        onClick={onBack}
        className={classes.back ?? ''}
      >
        Back
      </Button>
      <QueryView query={answer} skeleton={<TileSkeleton />}>
        {(result) => (
          <ChartBody
            plan={drill.plan}
            result={result}
            viz={{ chart: 'bar', direction: 'none' }}
            title={drill.title}
            height={height - 28}
            asTable={false}
          />
        )}
      </QueryView>
    </>
  )
}
