import type { ColumnFormat } from '../../../src/shared/files'
import type { Contribution } from '../../../src/shared/findings'
import type { ResultColumn } from '../../../src/shared/query-result'
import { toNumber } from '../../ui/chart/figure-format'
import type { CellFormatter } from '../../ui/chart/figure-format'
import type { WaterfallStep, WaterfallModel } from '../../ui/chart/waterfall-model'
import { formatMember } from './sentence'

/** A change taken apart: from one figure to another, by the values of one column. */
export interface ChangeSummary {
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

export const contributionLabel = (line: Contribution, format: CellFormatter): string =>
  line.others === undefined ? formatMember(line.member ?? null, format) : `${format.count(line.others)} others`

export const changeColumn = ({ label, format, scale }: ChangeSummary): ResultColumn => ({
  ...{ key: 'm0', label, kind: 'measure', type: 'number', format },
  ...(scale === null ? {} : { scale }),
})

/** The largest rise first, then what falls; the others last of their kind. */
const byContribution = (a: Contribution, b: Contribution): number => {
  const [x, y] = [toNumber(a.change) ?? 0, toNumber(b.change) ?? 0]
  const falls = Number(x < 0) - Number(y < 0)
  return falls || Number(a.others !== undefined) - Number(b.others !== undefined) || Math.abs(y) - Math.abs(x)
}

/** Contributions as the steps that lead from the figure before to the figure now. */
export function contributionWaterfall(
  changeSummary: ChangeSummary,
  lines: readonly Contribution[],
  format: CellFormatter,
): WaterfallModel {
  const levelStep = (label: string, to: number): WaterfallStep => ({
    ...{ label, kind: 'level', from: 0, to, other: false, incomplete: false, row: null },
  })
  const start = toNumber(changeSummary.previous) ?? 0
  let reached = start
  const parts = lines.toSorted(byContribution).map((line): WaterfallStep => {
    const from = reached
    reached += toNumber(line.change) ?? 0
    const other = line.others !== undefined
    return {
      label: contributionLabel(line, format),
      kind: 'part',
      from,
      to: reached,
      other,
      incomplete: false,
      row: null,
    }
  })
  const column = changeColumn(changeSummary)
  return {
    ...{ axis: column, column, time: false, change: true, notes: [] },
    steps: [
      levelStep(changeSummary.before, start),
      ...parts,
      levelStep(changeSummary.now, toNumber(changeSummary.value) ?? reached),
    ],
  }
}
