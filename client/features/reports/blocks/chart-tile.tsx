import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useCallback, useContext, useMemo, useRef, useState, type PointerEvent } from 'react'
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
import { useTileContent } from '../tiles/use-tiles'
import classes from './blocks.module.css'
import { ChartBody } from './chart-body'
import { ChartTileContext, ChartTileMenu, MarkMenu, type ChartTileChoices, type MarkMenuPlace } from './chart-menu'
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

/**
 * An insight or a metric as a chart, a table or a pivot. Its frame stays when its figures come: what the frame asked for
 * would be let go of and asked again.
 */
export function ChartTile({ block, height, selection }: ChartTileProps) {
  const told = useTileContent(block.id)
  const content = told?.kind === 'chart' ? told : null
  const title = block.title || content?.name || (block.kind === 'insight' ? 'Insight' : 'Metric')
  const format = useCellFormatter()
  const [asTable, setAsTable] = useState(false)
  const [drill, setDrill] = useState<DrillDown | null>(null)
  const [records, setRecords] = useState<ChosenMark | null>(null)
  const slots = useTileSlots()
  const isFrozen = useFrozen()
  const chosen = useChosenRows(content, selection)
  const marks = useMarks({ block, content, selection })
  const choices: ChartTileChoices | null = content && {
    origin: { content, block, onDrill: setDrill, onRecords: setRecords },
    mark: selection && chosen ? markOfSelection(content, selection, chosen) : null,
    asTable,
    onAsTable: () => setAsTable(!asTable),
    onFilter: marks.onPick,
    files: drill ? null : { block: block.id, content, title },
  }
  const period = content && describeResultPeriod(content.result, format.day)
  return (
    <ChartTileContext value={choices}>
      <div style={{ height: '100%' }} onPointerDownCapture={marks.onPointer} onKeyDownCapture={marks.onKey}>
        <TileFrame
          title={title}
          subtitle={drill?.title ?? period ?? undefined}
          context={content ?? undefined}
          block={block.id}
          isChosen={content !== null && selection !== undefined}
          menu={content && !isFrozen && <ChartTileMenu title={title} />}
        >
          {drill ? (
            <DrilledChart drill={drill} height={height} onBack={() => setDrill(null)} />
          ) : (
            content && <FiguresOf {...{ content, title, height, asTable, chosen, marks }} />
          )}
        </TileFrame>
        <MarkMenu at={marks.menu} onClose={marks.closeMenu} />
        {content && records && slots.records({ ...content, mark: records, onClose: () => setRecords(null) })}
      </div>
    </ChartTileContext>
  )
}

interface FiguresProps extends Pick<ChartTileProps, 'height'> {
  content: ChartContent
  title: string
  asTable: boolean
  chosen: ReadonlySet<number> | undefined
  marks: ReturnType<typeof useMarks>
}

const FiguresOf = ({ content: { plan, result, viz, pivot }, title, height, asTable, chosen, marks }: FiguresProps) => (
  <ChartBody
    {...{ plan, result, viz, pivot, title, height, asTable, chosen }}
    onPick={marks.onPick}
    onPickHead={marks.onPick}
    isHeadPicked={marks.isHeadPicked}
    onMenu={marks.onMenu}
  />
)

/** Rows of the answer whose marks are chosen. */
function useChosenRows(content: ChartContent | null, selection: Selection | undefined) {
  const { plan, result } = content ?? NOTHING
  return useMemo(
    () =>
      selection && plan && result
        ? rowsOfMarks(
            { plan, result },
            selection.marks.map(({ filters }) => filters),
          )
        : undefined,
    [selection, plan, result],
  )
}
const NOTHING = { plan: null, result: null }

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
}: { block: ChartBlock; content: ChartContent | null } & Pick<ChartTileProps, 'selection'>) {
  const actions = useContext(MarkActionsContext)
  const format = useCellFormatter()
  const [menu, setMenu] = useState<MarkMenuPlace | null>(null)
  const closeMenu = useCallback(() => setMenu(null), [])
  const pointed = useRef<{ x: number; y: number } | null>(null)
  const adds = useRef(false)
  const { plan, result } = content ?? NOTHING
  // The same as long as the answer is, so that a chart does not listen anew.
  const handlers = useMemo(() => {
    const isSplit = plan !== null && plan.dimensions.length > 0 && plan.kind === 'aggregate'
    if (!actions || !isSplit || !result) return { onPick: undefined, onMenu: undefined }
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
  }, [actions, plan, result, format, block.id])
  const isHeadPicked = useMemo(() => {
    if (!selection || !plan || !result) return undefined
    const keys = new Set(selection.marks.map(({ filters }) => JSON.stringify(filters)))
    return (head: PivotHead): boolean => keys.has(JSON.stringify(markFilters({ plan, result, ...head })))
  }, [selection, plan, result])
  return {
    ...handlers,
    isHeadPicked,
    menu,
    closeMenu,
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
