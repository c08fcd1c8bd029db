import { memo, useMemo, type ReactNode } from 'react'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react'
import type { Viz } from '../../../../src/shared/insights'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { PivotHead, PivotResults } from '../../../../src/shared/charts/pivot-model'
import { toNumber } from '../../../../src/shared/figures/cell-formatter'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { Chart } from '../../../ui/chart/chart'
import { buildChartSpec } from '../../../ui/chart/build-chart-spec'
import { withPercent, type ChosenMark } from '../../../../src/shared/charts/chart-model'
import { hasValues } from '../../../ui/chart/has-values'
import { changeVerdict, describeCompared, keyFigures } from '../../../../src/shared/charts/headline'
import { ResultTable } from '../../../ui/data-table/result-table'
import { PivotTable } from '../../../ui/pivot/pivot-table'
import classes from './blocks.module.css'
import { useFrozen } from './slots'
import { EmptyTile } from './tile-frame'

export interface ChartBodyProps {
  plan: QueryPlan
  result: QueryResult
  viz: Viz
  title: string
  height: number
  asTable: boolean
  /** Totals of a pivot, as they came with its answer; else they are asked for. */
  pivot?: PivotResults | undefined
  onPick?: ((mark: ChosenMark) => void) | undefined
  onMenu?: ((mark: ChosenMark) => void) | undefined
  /** Rows whose marks are chosen. */
  chosen?: ReadonlySet<number> | undefined
  /** A heading of a pivot was clicked. */
  onPickHead?: ((head: PivotHead) => void) | undefined
  isHeadPicked?: ((head: PivotHead) => boolean) | undefined
}
const NO_TOTALS: PivotResults = {}
/** For tables, whose marks are whole rows. */
const byRow = (onMark: ((mark: ChosenMark) => void) | undefined) => onMark && ((row: number): void => onMark({ row }))

/** An answer as its chart, its pivot, its figures or its table. Drawn again only when something of these is another. */
export const ChartBody = memo(function ChartBody(props: ChartBodyProps) {
  const { plan, viz, title, height, asTable, onPick, onMenu, chosen } = props
  const format = useCellFormatter()
  const isFrozen = useFrozen()
  const { percent, chart } = viz
  const result = useMemo(() => withPercent(props.result, percent), [props.result, percent])
  const drawing = useMemo(() => buildChartSpec(result, chart, { format }), [result, chart, format])
  if (!hasValues(result)) return <EmptyTile />
  if (drawing && !asTable)
    return (
      <Chart
        drawing={drawing}
        format={format}
        label={title}
        height={height}
        onPick={onPick}
        onMenu={onMenu}
        highlight={chosen}
      />
    )
  if (chart === 'number' && !asTable) return <BigFigures result={result} direction={viz.direction} />
  if (chart === 'pivot' && !asTable && plan.dimensions.length > 1)
    return (
      <TableBody height={height}>
        <PivotTable
          {...{ plan, result, percent, format }}
          onPick={byRow(onPick)}
          caption={title}
          // What is frozen asks for nothing of today.
          totals={props.pivot ?? (isFrozen ? NO_TOTALS : undefined)}
          onPickHead={props.onPickHead}
          isHeadPicked={props.isHeadPicked}
        />
      </TableBody>
    )
  return (
    <TableBody height={height}>
      <ResultTable
        plan={isFrozen ? null : plan}
        result={result}
        format={format}
        caption={title}
        percent={percent}
        {...(plan.dimensions.length > 0 ? { onPick: byRow(onPick), onMenu: byRow(onMenu) } : {})}
        picked={chosen}
      />
    </TableBody>
  )
})

const BAR_PX = 44
/** For style sheets: on paper, `--paper-height` lets a table stand at its full length. */
const tableHeight = (px: number): Record<`--${string}`, string> => ({
  '--table-height': `var(--paper-height, ${px}px)`,
})
const TableBody = ({ height, children }: { height: number; children: ReactNode }) => (
  <div style={tableHeight(Math.max(120, height - BAR_PX))}>{children}</div>
)

function BigFigures({ result, direction }: { result: QueryResult; direction: Viz['direction'] }) {
  const format = useCellFormatter()
  const compare = result.period?.compare
  return (
    <div className={`${classes.big} ${classes.sized}`}>
      {keyFigures(result).map((figure) => {
        const change = toNumber(figure.change)
        const verdict = changeVerdict(change, direction)
        const Arrow =
          change === null || change === 0 ? IconArrowRight : change > 0 ? IconArrowUpRight : IconArrowDownRight
        return (
          <div key={figure.column.key}>
            <div className="figure-large figure">{format.round(figure.value, figure.column)}</div>
            {compare && change !== null && (
              <div className={`${classes.kpiChange} ${classes[verdict]}`}>
                <Arrow size={15} aria-hidden />
                <span>
                  {format.change(
                    { now: figure.value, before: figure.previous, period: describeCompared(compare, format.day) },
                    figure.column,
                  )}
                </span>
              </div>
            )}
          </div>
        )
      })}
    </div>
  )
}
