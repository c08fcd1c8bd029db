import type { AbsoluteRange, RelativeRange } from '../../../src/shared/query'
import type { PeriodDraft, PresetId, RangeDraft } from './draft'

type Preset = Exclude<PresetId, 'kept'>
const last = (unit: RelativeRange['unit'], n: number, includeCurrent = false): RelativeRange => ({
  kind: 'relative',
  span: 'last',
  unit,
  n,
  includeCurrent,
})
const current = (unit: RelativeRange['unit']): RelativeRange => ({
  kind: 'relative',
  span: 'this',
  unit,
  n: 1,
  includeCurrent: false,
})

/** The periods a person picks by name, as the plan says them. */
export const PRESETS: Record<Preset, { label: string; range: RelativeRange; fiscal?: true }> = {
  last7Days: { label: 'Last 7 days', range: last('day', 7) },
  last30Days: { label: 'Last 30 days', range: last('day', 30) },
  last12Weeks: { label: 'Last 12 weeks', range: last('week', 12) },
  thisMonth: { label: 'This month', range: current('month') },
  lastMonth: { label: 'Last month', range: last('month', 1) },
  last3Months: { label: 'Last 3 months', range: last('month', 3) },
  last12Months: { label: 'Last 12 months', range: last('month', 12) },
  thisQuarter: { label: 'This quarter', range: current('quarter') },
  lastQuarter: { label: 'Last quarter', range: last('quarter', 1) },
  thisYear: { label: 'This year', range: current('year') },
  lastYear: { label: 'Last year', range: last('year', 1) },
  thisFiscalQuarter: { label: 'This fiscal quarter', range: current('fiscalQuarter'), fiscal: true },
  thisFiscalYear: { label: 'This fiscal year', range: current('fiscalYear'), fiscal: true },
  lastFiscalYear: { label: 'Last fiscal year', range: last('fiscalYear', 1), fiscal: true },
  all: { label: 'Whole history', range: { kind: 'relative', span: 'all', unit: 'year', n: 1, includeCurrent: false } },
}
export const PRESET_IDS = Object.keys(PRESETS).filter((id): id is Preset => id in PRESETS)

const same = (a: RelativeRange, b: RelativeRange): boolean =>
  a.span === b.span &&
  (a.span === 'all' ||
    (a.unit === b.unit && (a.span === 'this' || (a.n === b.n && a.includeCurrent === b.includeCurrent))))

/** The name of a stored range; one that no preset names is kept as it is. */
export function rangeDraft(range: AbsoluteRange | RelativeRange): Pick<PeriodDraft, 'range' | 'keptRange'> {
  if (range.kind === 'absolute') return { range: { preset: 'dates', from: range.from, to: range.to }, keptRange: null }
  const id = PRESET_IDS.find((preset) => same(PRESETS[preset].range, range))
  return id ? { range: { preset: id }, keptRange: null } : { range: { preset: 'kept' }, keptRange: range }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The plan's range, or the sentence that says what is missing. */
export function rangeOf(draft: PeriodDraft): AbsoluteRange | RelativeRange | string {
  const { range }: { range: RangeDraft } = draft
  if (range.preset === 'dates') {
    if (!DAY.test(range.from) || !DAY.test(range.to)) return 'Choose the first and the last day.'
    if (range.from > range.to) return 'The first day comes after the last day.'
    return { kind: 'absolute', from: range.from, to: range.to }
  }
  if (range.preset === 'kept') return draft.keptRange ?? 'Choose a period.'
  return PRESETS[range.preset].range
}

/** The period of a draft in words, before any answer has told its days. */
export function planPeriodWords(period: PeriodDraft | null): string {
  if (!period) return 'all time'
  const { range } = period
  if (range.preset === 'dates') return `${range.from} to ${range.to}`
  return range.preset === 'kept' ? 'its own period' : PRESETS[range.preset].label.toLowerCase()
}
