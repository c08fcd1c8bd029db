import type { ColumnFormat } from '../../../src/shared/files'
import type { Contribution } from '../../../src/shared/findings'
import type { ResultColumn } from '../../../src/shared/query-result'
import { numeric } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'
import type { Step, WaterfallModel } from '../../ui/chart/waterfall-model'
import { memberName } from './sentence'

/** A change taken apart: from one figure to another, by the values of one column. */
export interface Change {
  label: string
  format: ColumnFormat
  scale: number | null
  /** Decimal text; null where there is no figure. */
  previous: string | null
  value: string | null
  /** What the two ends are called. */
  before: string
  now: string
}

export const lineName = (line: Contribution, format: FigureFormat): string =>
  line.others === undefined ? memberName(line.member ?? null, format) : `${format.count(line.others)} others`

export const changeColumn = ({ label, format, scale }: Change): ResultColumn => ({
  ...{ key: 'm0', label, kind: 'measure', type: 'number', format },
  ...(scale === null ? {} : { scale }),
})

/** The largest rise first, then what falls; the others last of their kind. */
const order = (a: Contribution, b: Contribution): number => {
  const [x, y] = [numeric(a.change) ?? 0, numeric(b.change) ?? 0]
  const falls = Number(x < 0) - Number(y < 0)
  return falls || Number(a.others !== undefined) - Number(b.others !== undefined) || Math.abs(y) - Math.abs(x)
}

/** Contributions as the steps that lead from the figure before to the figure now. */
export function contributionSteps(
  change: Change,
  lines: readonly Contribution[],
  format: FigureFormat,
): WaterfallModel {
  const level = (label: string, to: number): Step => ({
    ...{ label, kind: 'level', from: 0, to, other: false, incomplete: false, row: null },
  })
  const start = numeric(change.previous) ?? 0
  let reached = start
  const parts = lines.toSorted(order).map((line): Step => {
    const from = reached
    reached += numeric(line.change) ?? 0
    const other = line.others !== undefined
    return { label: lineName(line, format), kind: 'part', from, to: reached, other, incomplete: false, row: null }
  })
  const column = changeColumn(change)
  return {
    ...{ axis: column, column, time: false, change: true, notes: [] },
    steps: [level(change.before, start), ...parts, level(change.now, numeric(change.value) ?? reached)],
  }
}
