import { memo, type CSSProperties } from 'react'
import { GRID_COLUMNS, GRID_ROW_PX, type BlockKind, type ReportBlock } from '../../../../src/shared/reports/blocks'
import { BlockTools } from '../blocks/block-tools'
import tiles from '../blocks/blocks.module.css'
import { KpiFilesMenu } from '../blocks/kpi-tile'
import { ReportBlockView } from '../blocks/report-block'
import { selectionOf } from '../blocks/marks'
import { blockName } from '../../../../src/shared/reports/block-names'
import { readingOrder } from '../editor/layout'
import type { Selection } from './cross-filter'
import classes from './page-grid.module.css'

/** Whose height is that of their place also where they stand one below the other. */
const FIXED: ReadonlySet<BlockKind> = new Set(['insight', 'metric', 'forecast', 'statement', 'image'])

/** Blocks without a heading of their own. */
const BARE: ReadonlySet<BlockKind> = new Set(['kpis', 'text', 'observation', 'image'])

const styleOf = ({ place: { x, y, w, h } }: ReportBlock): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
  ...rowsVariable(h),
})
/** For style sheets. */
const rowsVariable = (rows: number): Record<`--${string}`, string> => ({ '--rows': String(rows) })
const rowVariable = (px: number): Record<`--${string}`, string> => ({ '--row': `${px}px` })

interface PageGridProps {
  blocks: readonly ReportBlock[]
  selections: readonly Selection[]
  rowPx?: number
  /** Statements and tables stand at their full length. */
  isPaper?: boolean
}

/** The blocks of a page in their places; where there is no room beside each other, as they are read. */
export const PageGrid = memo(function PageGrid({
  blocks,
  selections,
  rowPx = GRID_ROW_PX,
  isPaper = false,
}: PageGridProps) {
  const isColumn = isPaper && blocks.every(({ place }) => place.w === GRID_COLUMNS)
  return (
    <div
      className={classes.grid}
      style={rowVariable(rowPx)}
      data-paper={isPaper || undefined}
      data-column={isColumn || undefined}
    >
      {readingOrder(blocks).map((block) => (
        <div
          key={block.id}
          id={`block-${block.id}`}
          className={classes.cell}
          data-fixed={(FIXED.has(block.kind) && !(isPaper && block.kind === 'statement')) || undefined}
          style={styleOf(block)}
        >
          <ReportBlockView block={block} selection={selectionOf(selections, block.id)} rowPx={rowPx} />
          {BARE.has(block.kind) && (
            <div className={tiles.corner}>
              <BlockTools block={block.id} title={blockName(block)} />
              {block.kind === 'kpis' && <KpiFilesMenu block={block} />}
            </div>
          )}
        </div>
      ))}
    </div>
  )
})
