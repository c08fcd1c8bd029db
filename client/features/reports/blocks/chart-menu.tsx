import { Menu } from '@mantine/core'
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
export function MarkItems({ origin, mark: chosen, onFilter }: MarkItemsProps) {
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

interface ChartTileMenuProps {
  origin: MarkOrigin
  /** The mark that is chosen in it. */
  mark: ChosenMark | null
  title: string
  asTable: boolean
  onAsTable: () => void
  /** What of it can be taken along; absent while something else is shown in its place. */
  files?: TileFilesProps
}

export function ChartTileMenu({ origin, mark, title, asTable, onAsTable, files }: ChartTileMenuProps) {
  const { chart } = origin.content.viz
  return (
    <MoreMenuFrame label={`Options for ${title}`}>
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
    </MoreMenuFrame>
  )
}
