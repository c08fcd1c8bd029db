import { memo, useState, type ComponentProps } from 'react'
import { IconPhoto } from '@tabler/icons-react'
import { GRID_ROW_PX, type BlockOf, type ReportBlock } from '../../../../src/shared/reports/blocks'
import { picturePath } from '../../../../src/shared/pictures'
import { STATEMENT_NAMES } from '../../../../src/shared/statements/statements'
import { whoseFigures } from '../../../../src/shared/statements/words'
import { LinkAnchor } from '../../../ui/buttons/links'
import { StatementTable, type ChosenFigure } from '../../../ui/statement/statement-table'
import { useTileContent } from '../tiles/use-tiles'
import type { Selection } from '../view/cross-filter'
import classes from './blocks.module.css'
import { ChartTile } from './chart-tile'
import { KpiTile } from './kpi-tile'
import { useFrozen, useTileSlots } from './slots'
import { ObservationTile, TextTile } from './text-tile'
import { TileFilesMenu } from './tile-files'
import { TileFrame, TileSkeleton } from './tile-frame'

/** Between two tiles, px. */
export const TILE_GAP_PX = 12
const HEAD_PX = 54
const FOOT_PX = 14
/** What a tile of so many rows has for its picture. */
export const bodyHeight = (rows: number, rowPx: number): number =>
  Math.max(80, rows * rowPx - TILE_GAP_PX - HEAD_PX - FOOT_PX)

export interface ReportBlockProps {
  block: ReportBlock
  selection?: Selection | undefined
  rowPx?: number
  isEditing?: boolean
}

/** A block of a page with its figures. Drawn again only when it, its figures or what is chosen in it changes. */
export const ReportBlockView = memo(function ReportBlockView(props: ReportBlockProps) {
  const { block, selection, rowPx = GRID_ROW_PX, isEditing = false } = props
  const height = bodyHeight(block.place.h, rowPx)
  switch (block.kind) {
    case 'kpis':
      return <KpiTile block={block} />
    case 'insight':
    case 'metric':
      return <ChartTile block={block} height={height} selection={selection} />
    case 'forecast':
      return <ForecastTileView block={block} height={height} />
    case 'statement':
      return <StatementTile block={block} height={height} />
    case 'text':
      return <TextTile block={block} isEditing={isEditing} />
    case 'observation':
      return <ObservationTile block={block} isEditing={isEditing} />
    case 'image':
      return <ImageTile block={block} isEditing={isEditing} />
    case 'divider':
      return <hr className={classes.divider} />
    case 'pageBreak':
      return isEditing ? <div className={classes.line}>Page break when printed</div> : null
  }
})

function ForecastTileView({ block, height }: { block: BlockOf<'forecast'>; height: number }) {
  const told = useTileContent(block.id)
  const slots = useTileSlots()
  const isFrozen = useFrozen()
  const content = told?.kind === 'forecast' ? told : null
  const title = block.title || content?.name || 'Forecast'
  return (
    <TileFrame
      title={title}
      subtitle={content?.run.summary}
      block={block.id}
      menu={
        content &&
        !isFrozen && (
          <>
            <LinkAnchor to="/forecasts/$id" params={{ id: content.run.id }} size="xs" px={6} py={3}>
              Open
            </LinkAnchor>
            <TileFilesMenu block={block.id} title={title} />
          </>
        )
      }
    >
      {content && slots.forecast({ run: content.run, grain: content.grain, name: title, height })}
    </TileFrame>
  )
}

/** A figure opens what is behind it, over the report. */
function OpenStatement({
  block,
  ...shown
}: Omit<ComponentProps<typeof StatementTable>, 'onChoose'> & { block: BlockOf<'statement'> }) {
  const slots = useTileSlots()
  const [figure, setFigure] = useState<ChosenFigure | null>(null)
  const { statement, language } = shown
  return (
    <>
      <StatementTable {...shown} onChoose={setFigure} />
      {slots.figure({ statement, language, choice: block.query, figure, onClose: () => setFigure(null) })}
    </>
  )
}

function StatementTile({ block, height }: { block: BlockOf<'statement'>; height: number }) {
  const told = useTileContent(block.id)
  const isFrozen = useFrozen()
  const content = told?.kind === 'statement' ? told : null
  const name = STATEMENT_NAMES[block.query.statement][block.language]
  const title = block.title || name
  const shown = content && {
    ...{ statement: content.statement, language: content.language, withAccounts: content.accounts, name: title },
  }
  return (
    <TileFrame
      title={title}
      subtitle={content ? whoseFigures(content.statement) : undefined}
      block={block.id}
      // On a phone nothing else gives it a height before its figures come.
      skeleton={
        <div style={{ height }}>
          <TileSkeleton />
        </div>
      }
      menu={
        content &&
        !isFrozen && (
          <>
            <LinkAnchor
              to="/data-sources/$id"
              params={{ id: block.source }}
              search={{ statement: block.query.statement }}
              size="xs"
              px={6}
              py={3}
              aria-label={`Open ${title} in its data source`}
            >
              Open
            </LinkAnchor>
            <TileFilesMenu block={block.id} title={title} />
          </>
        )
      }
    >
      {shown && (
        <div className={classes.statement}>
          {isFrozen ? <StatementTable {...shown} /> : <OpenStatement block={block} {...shown} />}
        </div>
      )}
    </TileFrame>
  )
}

function ImageTile({ block, isEditing }: { block: BlockOf<'image'>; isEditing: boolean }) {
  const path = picturePath(block.picture)
  if (path !== null) return <img src={path} alt={block.alt} className={classes.picture} />
  if (!isEditing) return null
  return (
    <div className={`${classes.tile} ${classes.message}`}>
      <IconPhoto size={24} aria-hidden />
      Choose an image in its settings
    </div>
  )
}
