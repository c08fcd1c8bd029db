import { DAY_MS } from '../../../shared/dates'
import type { AlertCondition, ConditionOf, AlertRules, AlertState } from '../../../shared/alerts'
import type { FindingKind } from '../../../shared/findings'

/** What is known of one group in one period. */
export interface PeriodReading {
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
export interface ConditionResult {
  met: boolean
  clear: boolean
}
const UNKNOWN_RESULT: ConditionResult = { met: false, clear: false }

/** Whether a figure is beyond a limit, and whether it has come back past it by the band. */
const compareWithLimit = (value: number, limit: number, { up, band }: { up: boolean; band: number }): ConditionResult =>
  up ? { met: value > limit, clear: value <= limit - band } : { met: value < limit, clear: value >= limit + band }

/**
 * What can set an alert off: each a function of what is known and of the condition, nothing else. Something new that
 * sets alerts off is a kind of condition in `shared/alerts.ts` and a line here.
 */
export const CONDITION_EVALUATORS: {
  [K in AlertCondition['kind']]: (reading: PeriodReading, condition: ConditionOf<K>) => ConditionResult
} = {
  value: ({ value }, { op, limit, band }) =>
    value === null ? UNKNOWN_RESULT : compareWithLimit(value, limit, { up: op === 'above', band }),

  change: ({ value, compared }, { op, by, unit, band }) => {
    if (value === null || compared === null) return UNKNOWN_RESULT
    // Of nothing there is no per cent.
    if (unit === 'percent' && compared === 0) return UNKNOWN_RESULT
    const change = unit === 'percent' ? (value - compared) / Math.abs(compared) : value - compared
    const met = op === 'rises' ? change >= by : change <= -by
    // A band of 0: it ends as soon as it no longer holds.
    const clear = !met && (op === 'rises' ? change <= by - band : change >= band - by)
    return { met, clear }
  },

  finding: ({ findings }, { kinds }) => {
    if (findings === undefined) return UNKNOWN_RESULT
    const met = kinds.some((kind) => findings.includes(kind))
    return { met, clear: !met }
  },

  band: ({ value, band }, { side }) => {
    if (value === null || band === undefined) return UNKNOWN_RESULT
    const met = (side !== 'below' && value > band.upper) || (side !== 'above' && value < band.lower)
    return { met, clear: !met }
  },
}

/** Judges one reading by the trigger of its condition. */
export function evaluateCondition(reading: PeriodReading, condition: AlertCondition): ConditionResult {
  switch (condition.kind) {
    case 'value':
      return CONDITION_EVALUATORS.value(reading, condition)
    case 'change':
      return CONDITION_EVALUATORS.change(reading, condition)
    case 'finding':
      return CONDITION_EVALUATORS.finding(reading, condition)
    case 'band':
      return CONDITION_EVALUATORS.band(reading, condition)
  }
}

/** Periods in a row, up to the newest, in which the condition held. */
export function consecutivePeriodsMet(readings: readonly PeriodReading[], condition: AlertCondition): number {
  const broken = readings.toReversed().findIndex((reading) => !evaluateCondition(reading, condition).met)
  return broken < 0 ? readings.length : broken
}

/** What is remembered of one group between evaluations. Instants are epoch milliseconds. */
export interface AlertGroupState {
  state: AlertState
  since: number
  /** Evaluations in a row in which the condition held. */
  streak: number
  /** What receivers were last told: mails of opening and of its end alternate. */
  told: 'ok' | 'open'
  /** When they were last told. */
  toldAt: number | null
}
export const initialState = (now: number): AlertGroupState => ({
  state: 'ok',
  since: now,
  streak: 0,
  told: 'ok',
  toldAt: null,
})

export interface EvaluationInput {
  verdict: ConditionResult
  /** Periods in a row in which it held, the newest included. */
  periods: number
  now: number
}
export interface TransitionRules {
  hold: AlertRules['hold']
  reminderDays: number | null
  /** Until when nobody is to be told; null = not muted. */
  mutedUntil: number | null
}
export interface Transition {
  next: AlertGroupState
  /** What happened to the group, for its history. */
  event: 'opened' | 'resolved' | null
  /** What receivers are told. */
  notification: 'opened' | 'resolved' | 'reminded' | null
}

/**
 * One evaluation of one group. `ok → open` when the condition has held for long enough; `open` or `acknowledged → ok`
 * when it has come back past its band; nothing in between changes anything.
 */
export function transition(
  before: AlertGroupState,
  { verdict, periods, now }: EvaluationInput,
  rules: TransitionRules,
): Transition {
  const streak = verdict.met ? Math.min(before.streak + 1, 1_000) : verdict.clear ? 0 : before.streak
  const held = rules.hold.of === 'periods' ? periods : streak
  const moved = { ...before, streak }
  if (before.state === 'ok' && verdict.met && held >= rules.hold.n)
    return withNotification({ ...moved, state: 'open', since: now }, 'opened', { now, rules })
  if (before.state !== 'ok' && verdict.clear)
    return withNotification({ ...moved, state: 'ok', since: now, streak: 0 }, 'resolved', { now, rules })
  return withNotification(moved, null, { now, rules })
}

/** Whether anybody is to be told: of an opening once, of its end once, and in between only if a reminder is due. */
function withNotification(
  next: AlertGroupState,
  event: Transition['event'],
  at: { now: number; rules: TransitionRules },
): Transition {
  const { now, rules } = at
  if (rules.mutedUntil !== null && now < rules.mutedUntil) return { next, event, notification: null }
  if (next.state === 'open' && next.told === 'ok')
    return { next: { ...next, told: 'open', toldAt: now }, event, notification: 'opened' }
  if (next.state === 'ok' && next.told === 'open')
    return { next: { ...next, told: 'ok', toldAt: now }, event, notification: 'resolved' }
  const due = rules.reminderDays !== null && next.toldAt !== null && now - next.toldAt >= rules.reminderDays * DAY_MS
  if (next.state === 'open' && due) return { next: { ...next, toldAt: now }, event, notification: 'reminded' }
  return { next, event, notification: null }
}

/** Somebody has seen it: it stays open, and quiet until it ends. */
export const acknowledge = (before: AlertGroupState, now: number): AlertGroupState =>
  before.state === 'open' ? { ...before, state: 'acknowledged', since: now } : before

/** The worst of several. */
export function worstState(states: readonly AlertState[]): AlertState {
  if (states.includes('open')) return 'open'
  return states.includes('acknowledged') ? 'acknowledged' : 'ok'
}
