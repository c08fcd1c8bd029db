import { Menu } from '@mantine/core'
import { IconFilter, IconListSearch, IconTable, IconZoomIn } from '@tabler/icons-react'
import { useRef, useState, type ReactNode } from 'react'
import type { ChosenMark } from '../../../../src/shared/charts/chart-model'
import { TERMS } from '../../../../src/shared/terms'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { Field } from '../../../../src/shared/query/field'
import { datasetIdsOf, measuredDataset } from '../../../../src/shared/query/plan-fields'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { ChartKind } from '../../../../src/shared/insights'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { useDatasets } from '../../../lib/queries/data-source-queries'
import { useCatalogue } from '../../../lib/query-builder/catalogue'
import { breakDownMark, filterToMark, isBrokenDownBy, zoomToMark } from '../../../lib/marks/explore-plan'
import { drillTitle } from '../../../lib/marks/drill-title'
import { DrillDrawer } from './records-drawer'

/** A question that a mark led to, on the screen only. */
export interface Exploration {
  plan: QueryPlan
  title: string
  chart?: ChartKind
}

interface MarkMenuProps {
  plan: QueryPlan
  result: QueryResult
  onExplore: (exploration: Exploration) => void
  /** The picture or table, which hands over what was chosen in it. */
  children: (onPick: (mark: ChosenMark) => void) => ReactNode
}

interface PlacedMark {
  mark: ChosenMark
  x: number
  y: number
}

/** Beside what has the keyboard, where nothing was pointed at. */
function focusedPlace(): { x: number; y: number } {
  const box = document.activeElement?.getBoundingClientRect()
  return { x: (box?.left ?? 0) + 16, y: (box?.top ?? 0) + Math.min(box?.height ?? 0, 48) }
}

/** A menu on the mark that was clicked, or chosen by keyboard: filter to it, break it down, zoom, view its records. */
export function MarkMenu({ plan, result, onExplore, children }: MarkMenuProps) {
  const [placed, setPlaced] = useState<PlacedMark | null>(null)
  const [records, setRecords] = useState<ChosenMark | null>(null)
  const pointed = useRef<{ x: number; y: number } | null>(null)
  const onPick = (mark: ChosenMark): void => setPlaced({ mark, ...(pointed.current ?? focusedPlace()) })
  return (
    <div
      onPointerDownCapture={(event) => {
        pointed.current = { x: event.clientX, y: event.clientY }
      }}
      onKeyDownCapture={() => {
        pointed.current = null
      }}
    >
      <MarkedResult render={children} onPick={onPick} />
      <Menu opened={placed !== null} onChange={(open) => !open && setPlaced(null)} position="bottom-start" withinPortal>
        <Menu.Target>
          <span aria-hidden="true" style={{ position: 'fixed', left: placed?.x ?? 0, top: placed?.y ?? 0 }} />
        </Menu.Target>
        <Menu.Dropdown>
          {placed && <MarkActions {...{ plan, result, onExplore }} mark={placed.mark} onRecords={setRecords} />}
        </Menu.Dropdown>
      </Menu>
      <DrillDrawer plan={plan} result={result} mark={records} onClose={() => setRecords(null)} />
    </div>
  )
}

/** A component of its own: what happens on a choice is a handler of it, nothing that drawing reads. */
function MarkedResult({ render, onPick }: { render: MarkMenuProps['children']; onPick: (mark: ChosenMark) => void }) {
  return render(onPick)
}

type MarkActionsProps = Pick<MarkMenuProps, 'plan' | 'result' | 'onExplore'> & {
  mark: ChosenMark
  onRecords: (mark: ChosenMark) => void
}

function MarkActions({ plan, result, mark: chosen, onExplore, onRecords }: MarkActionsProps) {
  const format = useCellFormatter()
  const { catalogue } = useCatalogue()
  const title = drillTitle({ result, ...chosen }, format)
  const mark = { plan, result, catalogue, ...chosen }
  const [filtered, zoomed] = [filterToMark(mark), zoomToMark(mark)]
  return (
    <>
      <Menu.Label>{title}</Menu.Label>
      {filtered && (
        <Menu.Item leftSection={<IconFilter size={16} />} onClick={() => onExplore({ plan: filtered, title })}>
          Filter to this
        </Menu.Item>
      )}
      <BreakDownChoices
        plan={plan}
        onChoose={(field, label) => {
          const next = breakDownMark(mark, field)
          if (next) onExplore({ plan: next, title: `${title} by ${label}`, chart: 'bar' })
        }}
      />
      {zoomed && (
        <Menu.Item leftSection={<IconZoomIn size={16} />} onClick={() => onExplore({ plan: zoomed, title })}>
          Zoom in
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconListSearch size={16} />} onClick={() => onRecords(chosen)}>
        {TERMS.viewRecords}
      </Menu.Item>
    </>
  )
}

/** The columns of the measured dataset that tell its rows apart. */
function BreakDownChoices({ plan, onChoose }: { plan: QueryPlan; onChoose: (field: Field, label: string) => void }) {
  const datasets = useDatasets(datasetIdsOf(plan))
  const dataset = datasets.find(({ id }) => id === measuredDataset(plan))
  const choices = (dataset?.columns ?? []).flatMap((column) => {
    const field = { dataset: dataset?.id ?? '', column: column.key }
    const offered = column.role === 'dimension' && !column.hidden && !isBrokenDownBy(plan, field)
    return offered ? [{ field, label: column.label }] : []
  })
  if (choices.length === 0) return null
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconTable size={16} />}>{TERMS.breakDownBy}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {choices.map(({ field, label }) => (
          <Menu.Item key={field.column} onClick={() => onChoose(field, label)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
