import { Menu } from '@mantine/core'
import { createContext, memo, useContext } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { IconExternalLink, IconFilter, IconListSearch, IconTable, IconZoomIn, IconChartBar } from '@tabler/icons-react'
import type { BlockOf } from '../../../../src/shared/reports/blocks'
import type { ChosenMark } from '../../../../src/shared/charts/chart-model'
import type { TileContent } from '../../../../src/shared/reports/tiles'
import type { Field } from '../../../../src/shared/query/field'
import { datasetIdsOf, measuredDataset } from '../../../../src/shared/query/plan-fields'
import { TERMS } from '../../../../src/shared/terms'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { breakDownMark, isBrokenDownBy, zoomToMark } from '../../../lib/marks/explore-plan'
import { markLabel } from '../../../lib/marks/mark-filters'
import { useDatasets } from '../../../lib/queries/data-source-queries'
import { humanizeLabel } from '../../../../src/shared/text'
import { useCatalogue } from '../../../lib/query-builder/catalogue'
import { MoreMenuFrame } from '../../../ui/buttons/more-menu'
import type { DrillDown } from './marks'
import { TileFileItems, type TileFilesProps } from './tile-files'

type ChartContent = Extract<TileContent, { kind: 'chart' }>

/** The tile that a mark is of, and where its choices lead. */
export interface MarkOrigin {
  content: ChartContent
  block: BlockOf<'insight'> | BlockOf<'metric'>
  onDrill: (drill: DrillDown) => void
  onRecords: (mark: ChosenMark) => void
}

interface MarkItemsProps {
  origin: MarkOrigin
  mark: ChosenMark
  onFilter?: ((mark: ChosenMark) => void) | undefined
}

/** What can be done with a mark: filter by it, break it down, look closer, see its records. */
function MarkItems({ origin, mark: chosen, onFilter }: MarkItemsProps) {
  const { content, onDrill, onRecords } = origin
  const { plan, result } = content
  const format = useCellFormatter()
  const { catalogue } = useCatalogue()
  const title = markLabel({ result, ...chosen }, format)
  const mark = { plan, result, catalogue, ...chosen }
  const zoomed = zoomToMark(mark)
  return (
    <>
      <Menu.Label>{title}</Menu.Label>
      {onFilter && (
        <Menu.Item leftSection={<IconFilter size={16} aria-hidden />} onClick={() => onFilter(chosen)}>
          Filter report
        </Menu.Item>
      )}
      <BreakDownItems
        content={content}
        onChoose={(field, label) => {
          const next = breakDownMark(mark, field)
          if (next) onDrill({ plan: next, title: `${title} by ${label}` })
        }}
      />
      {zoomed && (
        <Menu.Item leftSection={<IconZoomIn size={16} aria-hidden />} onClick={() => onDrill({ plan: zoomed, title })}>
          Zoom in
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconListSearch size={16} aria-hidden />} onClick={() => onRecords(chosen)}>
        {TERMS.viewRecords}
      </Menu.Item>
      <OpenItem block={origin.block} />
    </>
  )
}

/** The columns of the measured data that tell its rows apart. */
function BreakDownItems({
  content: { plan },
  onChoose,
}: {
  content: ChartContent
  onChoose: (field: Field, label: string) => void
}) {
  const datasets = useDatasets(datasetIdsOf(plan))
  const dataset = datasets.find(({ id }) => id === measuredDataset(plan))
  const choices = (dataset?.columns ?? []).flatMap((column) => {
    const field = { dataset: dataset?.id ?? '', column: column.key }
    const offered = column.role === 'dimension' && !column.hidden && !isBrokenDownBy(plan, field)
    return offered ? [{ field, label: humanizeLabel(column.label) }] : []
  })
  if (choices.length === 0) return null
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconTable size={16} aria-hidden />}>{TERMS.breakDownBy}</Menu.Sub.Item>
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

function OpenItem({ block }: Pick<MarkOrigin, 'block'>) {
  const navigate = useNavigate()
  const open = (): void =>
    void (block.kind === 'insight'
      ? navigate({ to: '/insights/$id', params: { id: block.insight } })
      : navigate({ to: '/metrics/$id', params: { id: block.metric } }))
  return (
    <Menu.Item leftSection={<IconExternalLink size={16} aria-hidden />} onClick={open}>
      {block.kind === 'insight' ? 'Open insight' : 'Open metric'}
    </Menu.Item>
  )
}

/** What the menus of a tile are about. */
export interface ChartTileChoices {
  origin: MarkOrigin
  /** The mark that is chosen in it. */
  mark: ChosenMark | null
  asTable: boolean
  onAsTable: () => void
  /** Filters the report by a mark; undefined where marks filter nothing. */
  onFilter: ((mark: ChosenMark) => void) | undefined
  /** What of it can be taken along; null while something else is shown in its place. */
  files: TileFilesProps | null
}
/**
 * Read by open menus only. A menu that is closed costs as much to draw as some rows of a table, and a page has two a tile:
 * they are not drawn again for each answer.
 */
export const ChartTileContext = createContext<ChartTileChoices | null>(null)

export const ChartTileMenu = memo(function ChartTileMenu({ title }: { title: string }) {
  return (
    <MoreMenuFrame label={`Options for ${title}`}>
      <ChartTileItems />
    </MoreMenuFrame>
  )
})

function ChartTileItems() {
  const choices = useContext(ChartTileContext)
  if (!choices) return null
  const { origin, mark, asTable, onAsTable, files } = choices
  const { chart } = origin.content.viz
  return (
    <>
      {chart !== 'table' && (
        <Menu.Item
          leftSection={asTable ? <IconChartBar size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
          onClick={onAsTable}
        >
          {asTable ? 'Show as chart' : 'Show as table'}
        </Menu.Item>
      )}
      {mark ? <MarkItems origin={origin} mark={mark} /> : <OpenItem block={origin.block} />}
      {files && <TileFileItems {...files} isBelow />}
    </>
  )
}

/** A mark whose menu is open, and where it was asked for, px of the window. */
export interface MarkMenuPlace {
  mark: ChosenMark
  x: number
  y: number
}

/** The menu of a mark; closed while there is none. */
export const MarkMenu = memo(function MarkMenu({ at, onClose }: { at: MarkMenuPlace | null; onClose: () => void }) {
  return (
    <Menu opened={at !== null} onChange={(open) => !open && onClose()} position="bottom-start" withinPortal>
      <Menu.Target>
        <span aria-hidden="true" style={{ position: 'fixed', left: at?.x ?? 0, top: at?.y ?? 0 }} />
      </Menu.Target>
      <Menu.Dropdown>{at && <MarkMenuItems mark={at.mark} />}</Menu.Dropdown>
    </Menu>
  )
})

function MarkMenuItems({ mark }: { mark: ChosenMark }) {
  const choices = useContext(ChartTileContext)
  return choices && <MarkItems origin={choices.origin} mark={mark} onFilter={choices.onFilter} />
}
