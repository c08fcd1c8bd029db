import { periodDays } from './period-days'
import { bucketLabel } from '../../shared/figures/cell-formatter'
import type { Calendar } from '../../shared/dates'
import type { ReportBlock } from '../../shared/reports/blocks'
import type { ReportRange } from '../../shared/reports/reports'
import type { TileContent } from '../../shared/reports/tiles'
import { dayRangeLabel } from '../../warehouse/query/time/resolve-period'

const GUIDE_KINDS = ['kpis', 'metric', 'statement'] as const

/** The block whose figures say which days a page's period turned out to be; null: none follows it for sure. */
export function periodGuide(blocks: readonly ReportBlock[]): ReportBlock | null {
  for (const kind of GUIDE_KINDS) {
    const found = blocks.find((block) => block.kind === kind)
    if (found) return found
  }
  return null
}

/** The periods that figures are of, as they are written beside them. */
export function periodLabels(content: TileContent): string[] {
  if (content.kind === 'statement') return [bucketLabel(`${content.statement.through}-01`, 'month')]
  const results =
    content.kind === 'chart'
      ? [content.result]
      : content.kind === 'kpis'
        ? content.figures.flatMap((figure) => ('result' in figure ? [figure.result] : []))
        : []
  return results.flatMap(({ period }) => (period ? [period.label] : []))
}

/**
 * "Jan–Mar 2026": a page's period as its figures have it, which count back from the newest data. Where their data end
 * apart from each other, its length is said instead of days that only some of them are of, and that it is not counted from today.
 */
export function toldPeriod(range: ReportRange | null, labels: readonly string[], calendar: Calendar): string {
  if (!range) return 'All time'
  const [label, ...others] = new Set(labels)
  if (label !== undefined && others.length === 0) return label
  if (label !== undefined && range.kind === 'relative' && range.span === 'last')
    return `${lengthOf(range)}, to each figure’s newest data`
  const days = periodDays(range, calendar)
  return days ? dayRangeLabel(days) : 'All time'
}

const UNIT_WORDS: Partial<Record<string, string>> = { fiscalQuarter: 'fiscal quarter', fiscalYear: 'fiscal year' }

function lengthOf({ n, unit, includeCurrent }: { n: number; unit: string; includeCurrent: boolean }): string {
  const word = UNIT_WORDS[unit] ?? unit
  const last = n === 1 ? `Last ${word}` : `Last ${n} ${word}s`
  return includeCurrent ? `${last} + this ${word}` : last
}
