import { Group, SegmentedControl, Select } from '@mantine/core'
import { memo } from 'react'
import type { ReportPeriod, ReportRange } from '../../../../src/shared/reports/reports'
import {
  PERIOD_PRESET_IDS,
  PERIOD_PRESETS,
  presetOf,
  relativeRangeLabel,
} from '../../../lib/query-builder/period-presets'
import { DateField } from '../../../ui/forms/date-field'

const OWN = 'own'
const DATES = 'dates'
const KEPT = 'kept'

/** The name of a period among the choices. */
const choiceOf = (range: ReportRange | null): string => {
  if (range === null) return OWN
  if (range.kind === 'absolute') return DATES
  return presetOf(range) ?? KEPT
}

/** A period in words. */
export function rangeLabel(range: ReportRange | null, day: (iso: string) => string): string {
  if (range === null) return 'Each block’s own period'
  if (range.kind === 'absolute') return `${day(range.from)} – ${day(range.to)}`
  return relativeRangeLabel(range)
}

/** From New Year to today: what dates begin with. */
function thisYear(): ReportRange {
  const to = new Date().toISOString().slice(0, 10)
  return { kind: 'absolute', from: `${to.slice(0, 4)}-01-01`, to }
}

interface PeriodControlProps {
  period: ReportPeriod
  onChange: (change: Partial<ReportPeriod>) => void
  size?: 'xs' | 'sm'
  /** One below the other. */
  isStacked?: boolean
}

/** The period of a whole report and what it is held against. */
export const PeriodControl = memo(function PeriodControl(props: PeriodControlProps) {
  const { period, onChange, size = 'xs', isStacked = false } = props
  const { range, compare } = period
  const choose = (value: string | null): void => {
    const preset = PERIOD_PRESET_IDS.find((id) => id === value)
    if (preset) onChange({ range: PERIOD_PRESETS[preset].range })
    if (value === OWN) onChange({ range: null })
    if (value === DATES) onChange({ range: thisYear() })
  }
  const kept = choiceOf(range) === KEPT
  return (
    <Group gap="xs">
      <Select
        size={size}
        w={isStacked ? '100%' : 215}
        aria-label="Period"
        value={choiceOf(range)}
        onChange={choose}
        data={[
          { value: OWN, label: 'Each block’s own' },
          ...(kept && range?.kind === 'relative' ? [{ value: KEPT, label: relativeRangeLabel(range) }] : []),
          ...PERIOD_PRESET_IDS.map((id) => ({ value: id, label: PERIOD_PRESETS[id].label })),
          { value: DATES, label: 'Choose dates' },
        ]}
      />
      {range?.kind === 'absolute' && (
        <>
          <DateField
            size={size}
            w={150}
            aria-label="First day"
            value={range.from}
            onChange={(from) => from !== '' && onChange({ range: { ...range, from } })}
          />
          <DateField
            size={size}
            w={150}
            aria-label="Last day"
            value={range.to}
            onChange={(to) => to !== '' && onChange({ range: { ...range, to } })}
          />
        </>
      )}
      {/* Blocks that keep their own period keep their own comparison. */}
      {range !== null && (
        <SegmentedControl
          size={size}
          fullWidth={isStacked}
          orientation={isStacked ? 'vertical' : 'horizontal'}
          {...(isStacked ? { w: '100%' } : {})}
          aria-label="Compare with"
          value={compare}
          data={[
            { value: 'none', label: 'No comparison' },
            { value: 'previous', label: 'Previous period' },
            { value: 'year', label: 'Previous year' },
          ]}
          onChange={(value) => onChange({ compare: value })}
        />
      )}
    </Group>
  )
})
