import type { Verdict } from './triggers'
import type { AlertRules, AlertState } from '../../../shared/alerts'

/** What is remembered of one group between evaluations. Instants are epoch milliseconds. */
export interface GroupState {
  state: AlertState
  since: number
  /** Evaluations in a row in which the condition held. */
  streak: number
  /** What receivers were last told: mails of opening and of its end alternate. */
  told: 'ok' | 'open'
  /** When they were last told. */
  toldAt: number | null
}
export const fresh = (now: number): GroupState => ({ state: 'ok', since: now, streak: 0, told: 'ok', toldAt: null })

export interface Step {
  verdict: Verdict
  /** Periods in a row in which it held, the newest included. */
  periods: number
  now: number
}
export interface StepRules {
  hold: AlertRules['hold']
  reminderDays: number | null
  /** Until when nobody is to be told; null = not muted. */
  mutedUntil: number | null
}
export interface Stepped {
  next: GroupState
  /** What happened to the group, for its history. */
  event: 'opened' | 'resolved' | null
  /** What receivers are told. */
  tell: 'opened' | 'resolved' | 'reminded' | null
}

const DAY_MS = 86_400_000

/**
 * One evaluation of one group. `ok → open` when the condition has held for long enough; `open` or `acknowledged → ok`
 * when it has come back past its band; nothing in between changes anything.
 */
export function step(before: GroupState, { verdict, periods, now }: Step, rules: StepRules): Stepped {
  const streak = verdict.met ? Math.min(before.streak + 1, 1_000) : verdict.clear ? 0 : before.streak
  const held = rules.hold.of === 'periods' ? periods : streak
  const moved = { ...before, streak }
  if (before.state === 'ok' && verdict.met && held >= rules.hold.n)
    return told({ ...moved, state: 'open', since: now }, 'opened', { now, rules })
  if (before.state !== 'ok' && verdict.clear)
    return told({ ...moved, state: 'ok', since: now, streak: 0 }, 'resolved', { now, rules })
  return told(moved, null, { now, rules })
}

/** Whether anybody is to be told: of an opening once, of its end once, and in between only if a reminder is due. */
function told(next: GroupState, event: Stepped['event'], at: { now: number; rules: StepRules }): Stepped {
  const { now, rules } = at
  if (rules.mutedUntil !== null && now < rules.mutedUntil) return { next, event, tell: null }
  if (next.state === 'open' && next.told === 'ok')
    return { next: { ...next, told: 'open', toldAt: now }, event, tell: 'opened' }
  if (next.state === 'ok' && next.told === 'open')
    return { next: { ...next, told: 'ok', toldAt: now }, event, tell: 'resolved' }
  const due = rules.reminderDays !== null && next.toldAt !== null && now - next.toldAt >= rules.reminderDays * DAY_MS
  if (next.state === 'open' && due) return { next: { ...next, toldAt: now }, event, tell: 'reminded' }
  return { next, event, tell: null }
}

/** Somebody has seen it: it stays open, and quiet until it ends. */
export const acknowledge = (before: GroupState, now: number): GroupState =>
  before.state === 'open' ? { ...before, state: 'acknowledged', since: now } : before

/** The worst of several. */
export function worstOf(states: readonly AlertState[]): AlertState {
  if (states.includes('open')) return 'open'
  return states.includes('acknowledged') ? 'acknowledged' : 'ok'
}
