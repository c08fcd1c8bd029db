import type { AbsoluteRange, RelativeRange } from '../../../src/shared/query'
import type { PeriodDraft, PeriodPresetId, RangeDraft } from './draft'

type PeriodPreset = Exclude<PeriodPresetId, 'kept'>
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
export const PERIOD_PRESETS: Record<PeriodPreset, { label: string; range: RelativeRange; fiscal?: true }> = {
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
  thisFiscalQuarter: { label: 'This fiscal quarter', range: currentUnit('fiscalQuarter'), fiscal: true },
  thisFiscalYear: { label: 'This fiscal year', range: currentUnit('fiscalYear'), fiscal: true },
  lastFiscalYear: { label: 'Last fiscal year', range: lastUnits('fiscalYear', 1), fiscal: true },
  all: { label: 'Whole history', range: { kind: 'relative', span: 'all', unit: 'year', n: 1, includeCurrent: false } },
}
export const PERIOD_PRESET_IDS = Object.keys(PERIOD_PRESETS).filter((id): id is PeriodPreset => id in PERIOD_PRESETS)

const isSameRange = (a: RelativeRange, b: RelativeRange): boolean =>
  a.span === b.span &&
  (a.span === 'all' ||
    (a.unit === b.unit && (a.span === 'this' || (a.n === b.n && a.includeCurrent === b.includeCurrent))))

/** The name of a stored range; one that no preset names is kept as it is. */
export function toRangeDraft(range: AbsoluteRange | RelativeRange): Pick<PeriodDraft, 'range' | 'preservedRange'> {
  if (range.kind === 'absolute')
    return { range: { preset: 'dates', from: range.from, to: range.to }, preservedRange: null }
  const id = PERIOD_PRESET_IDS.find((preset) => isSameRange(PERIOD_PRESETS[preset].range, range))
  return id ? { range: { preset: id }, preservedRange: null } : { range: { preset: 'kept' }, preservedRange: range }
}

const ISO_DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/

/** The plan's range, or the sentence that says what is missing. */
export function toRange(draft: PeriodDraft): AbsoluteRange | RelativeRange | string {
  const { range }: { range: RangeDraft } = draft
  if (range.preset === 'dates') {
    if (!ISO_DAY_PATTERN.test(range.from) || !ISO_DAY_PATTERN.test(range.to))
      return 'Choose the first and the last day.'
    if (range.from > range.to) return 'The first day comes after the last day.'
    return { kind: 'absolute', from: range.from, to: range.to }
  }
  if (range.preset === 'kept') return draft.preservedRange ?? 'Choose a period.'
  return PERIOD_PRESETS[range.preset].range
}

/** The period of a draft in words, before any answer has told its days. */
export function describePeriodDraft(period: PeriodDraft | null): string {
  if (!period) return 'all time'
  const { range } = period
  if (range.preset === 'dates') return `${range.from} to ${range.to}`
  return range.preset === 'kept' ? 'its own period' : PERIOD_PRESETS[range.preset].label.toLowerCase()
}
