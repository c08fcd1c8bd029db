import type { RelativeRange } from '../../../src/shared/query/date-range'

const lastUnits = (unit: RelativeRange['unit'], n: number, includeCurrent = false): RelativeRange => ({
  kind: 'relative',
  span: 'last',
  unit,
  n,
  includeCurrent,
})
const currentUnit = (unit: RelativeRange['unit']): RelativeRange => ({
  kind: 'relative',
  span: 'this',
  unit,
  n: 1,
  includeCurrent: false,
})

/** The periods a person picks by name, as the plan says them. */
export const PERIOD_PRESETS = {
  last7Days: { label: 'Last 7 days', range: lastUnits('day', 7) },
  last30Days: { label: 'Last 30 days', range: lastUnits('day', 30) },
  last12Weeks: { label: 'Last 12 weeks', range: lastUnits('week', 12) },
  thisMonth: { label: 'This month', range: currentUnit('month') },
  lastMonth: { label: 'Last month', range: lastUnits('month', 1) },
  last3Months: { label: 'Last 3 months', range: lastUnits('month', 3) },
  last12Months: { label: 'Last 12 months', range: lastUnits('month', 12) },
  thisQuarter: { label: 'This quarter', range: currentUnit('quarter') },
  lastQuarter: { label: 'Last quarter', range: lastUnits('quarter', 1) },
  thisYear: { label: 'This year', range: currentUnit('year') },
  lastYear: { label: 'Last year', range: lastUnits('year', 1) },
  thisFiscalQuarter: { label: 'This fiscal quarter', range: currentUnit('fiscalQuarter') },
  thisFiscalYear: { label: 'This fiscal year', range: currentUnit('fiscalYear') },
  lastFiscalYear: { label: 'Last fiscal year', range: lastUnits('fiscalYear', 1) },
  all: { label: 'All time', range: { kind: 'relative', span: 'all', unit: 'year', n: 1, includeCurrent: false } },
} satisfies Record<string, { label: string; range: RelativeRange }>
export type PeriodPreset = keyof typeof PERIOD_PRESETS
export const PERIOD_PRESET_IDS = Object.keys(PERIOD_PRESETS).filter((id): id is PeriodPreset => id in PERIOD_PRESETS)

export const isSameRange = (a: RelativeRange, b: RelativeRange): boolean =>
  a.span === b.span &&
  (a.span === 'all' ||
    (a.unit === b.unit && (a.span === 'this' || (a.n === b.n && a.includeCurrent === b.includeCurrent))))

const UNIT_WORDS: Record<RelativeRange['unit'], string> = {
  ...{ day: 'day', week: 'week', month: 'month', quarter: 'quarter', year: 'year' },
  ...{ fiscalQuarter: 'fiscal quarter', fiscalYear: 'fiscal year' },
}
/** What a range is called: two that differ are never called the same. */
export function relativeRangeLabel(range: RelativeRange): string {
  const preset = presetOf(range)
  if (preset !== undefined) return PERIOD_PRESETS[preset].label
  const unit = UNIT_WORDS[range.unit]
  if (range.span === 'this') return `This ${unit}`
  const last = range.n === 1 ? `Last ${unit}` : `Last ${range.n} ${unit}s`
  return range.includeCurrent ? `${last} + this ${unit}` : last
}

/** The preset of a range; undefined where none names it. */
export const presetOf = (range: RelativeRange): PeriodPreset | undefined =>
  PERIOD_PRESET_IDS.find((id) => isSameRange(PERIOD_PRESETS[id].range, range))
