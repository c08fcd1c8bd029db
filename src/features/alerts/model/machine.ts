import type { ConditionResult } from './triggers'
import type { AlertRules, AlertState } from '../../../shared/alerts'

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

const DAY_MS = 86_400_000

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
