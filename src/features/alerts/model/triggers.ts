import type { AlertCondition, ConditionOf } from '../../../shared/alerts'
import type { FindingKind } from '../../../shared/findings'

/** What is known of one group in one period. */
export interface Reading {
  /** First day of the period. */
  period: string
  /** Null: nothing is known, which sets off and ends nothing. */
  value: number | null
  /** The period that a change is measured from; what a forecast had said of this one. */
  compared: number | null
  /** Kinds of finding about the period. */
  findings?: readonly FindingKind[]
  /** Ends of the band that was forecast before the period was known; absent: none was. */
  band?: { lower: number; upper: number }
}

/** `met`: the condition holds. `clear`: it has come back past its band. Neither: within the band, or nothing is known. */
export interface Verdict {
  met: boolean
  clear: boolean
}
const UNKNOWN: Verdict = { met: false, clear: false }

/** Whether a figure is beyond a limit, and whether it has come back past it by the band. */
const beyond = (value: number, limit: number, { up, band }: { up: boolean; band: number }): Verdict =>
  up ? { met: value > limit, clear: value <= limit - band } : { met: value < limit, clear: value >= limit + band }

/**
 * What can set an alert off: each a function of what is known and of the condition, nothing else. Something new that
 * sets alerts off is a kind of condition in `shared/alerts.ts` and a line here.
 */
export const TRIGGERS: { [K in AlertCondition['kind']]: (reading: Reading, condition: ConditionOf<K>) => Verdict } = {
  value: ({ value }, { op, limit, band }) =>
    value === null ? UNKNOWN : beyond(value, limit, { up: op === 'above', band }),

  change: ({ value, compared }, { op, by, unit, band }) => {
    if (value === null || compared === null) return UNKNOWN
    // Of nothing there is no per cent.
    if (unit === 'percent' && compared === 0) return UNKNOWN
    const change = unit === 'percent' ? (value - compared) / Math.abs(compared) : value - compared
    const met = op === 'rises' ? change >= by : change <= -by
    // A band of 0: it ends as soon as it no longer holds.
    const clear = !met && (op === 'rises' ? change <= by - band : change >= band - by)
    return { met, clear }
  },

  finding: ({ findings }, { kinds }) => {
    if (findings === undefined) return UNKNOWN
    const met = findings.some((kind) => kinds.includes(kind))
    return { met, clear: !met }
  },

  band: ({ value, band }, { side }) => {
    if (value === null || band === undefined) return UNKNOWN
    const met = (side !== 'below' && value > band.upper) || (side !== 'above' && value < band.lower)
    return { met, clear: !met }
  },
}

/** Judges one reading by the trigger of its condition. */
export function judge(reading: Reading, condition: AlertCondition): Verdict {
  switch (condition.kind) {
    case 'value':
      return TRIGGERS.value(reading, condition)
    case 'change':
      return TRIGGERS.change(reading, condition)
    case 'finding':
      return TRIGGERS.finding(reading, condition)
    case 'band':
      return TRIGGERS.band(reading, condition)
  }
}

/** Periods in a row, up to the newest, in which the condition held. */
export function periodsHeld(readings: readonly Reading[], condition: AlertCondition): number {
  const broken = readings.toReversed().findIndex((reading) => !judge(reading, condition).met)
  return broken < 0 ? readings.length : broken
}
