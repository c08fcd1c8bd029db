import { Temporal } from 'temporal-polyfill'
import { mailsOf } from './mail'
import type { Told } from './mail'
import { fresh, step } from './model/machine'
import { judge, periodsHeld } from './model/triggers'
import { lookAt } from './look'
import type { Trouble } from './look'
import type { Observation, Observed } from './observe'
import { alertStore } from './store'
import type { KeptGroup, StoredAlert } from './rows'
import type { EventInput, Remembered } from './store'
import { calendarOf } from '../../access/calendar'
import { rightsOf } from '../../access/rights'
import { memberKey } from '../../access/series'
import { standingMember } from '../../access/standing'
import type { Standing } from '../../access/standing'
import { findTracked } from '../../access/tracked'
import { commit } from '../../db/commit'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { isPassing, ProductError } from '../../shared/errors'
import type { Scope } from '../../access/scope'

/** Somebody else remembered something meanwhile: read and looked at again this often. */
const TRIES = 4
class Overtaken extends Error {}

/**
 * Evaluates one alert as its owner sees it, remembers what was found and orders the mails that follow, in one commit. Of
 * two evaluations at once one is written; the other looks again and finds nothing new.
 */
export async function evaluateAlert(deps: Deps, scope: Scope, id: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const alert = await alertStore(deps.db, scope).get(id)
    if (!alert?.active) return
    try {
      return await evaluate(deps, scope, alert)
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
    }
  }
}

async function evaluate(deps: Deps, scope: Scope, alert: StoredAlert): Promise<void> {
  const owner = await standingMember(deps, { workspaceId: alert.workspaceId, userId: alert.ownerId })
  if (!owner) return troubled(deps, scope, { alert, owner, trouble: OWNER_GONE })
  if (owner.entitlements.readOnly !== null) return troubled(deps, scope, { alert, owner, trouble: null })
  const found = await findTracked(deps, owner.scope, alert.subject)
  if (!found.ok) return troubled(deps, scope, { alert, owner, trouble: found.why === 'gone' ? SUBJECT_GONE : NO_DATE })
  try {
    const calendar = calendarOf(owner, deps.clock)
    const at = { deps, scope: owner.scope, calendar }
    const periods = alert.hold.of === 'periods' ? alert.hold.n : 1
    const watch = { tracked: found.tracked, rules: alert, periods, known: alert.kept }
    const looked = await lookAt(at, watch)
    if (!looked.ok) return await troubled(deps, scope, { alert, owner, trouble: looked.trouble })
    const { observation } = looked
    await remember(deps, scope, { alert, owner, observation, subjectName: found.name })
  } catch (error) {
    // What passes by itself is tried again.
    if (!(error instanceof ProductError) || isPassing(error)) throw error
    const { message } = error
    await troubled(deps, scope, { alert, owner, trouble: { code: 'refused', message } })
  }
}

const OWNER_GONE: Trouble = {
  code: 'owner_gone',
  message: 'Whoever made it has no seat here any more. Save it to take it over.',
}
const SUBJECT_GONE: Trouble = { code: 'subject_gone', message: 'What it is about was deleted.' }
const NO_DATE: Trouble = { code: 'no_date', message: 'What it is about has no date to follow it over.' }

/** Nothing could be judged: everything stays as it is, and it is said why. */
async function troubled(
  deps: Deps,
  scope: Scope,
  { alert, owner, trouble }: { alert: StoredAlert; owner: Standing | null; trouble: Trouble | null },
): Promise<void> {
  const now = deps.clock.now()
  const since = alert.trouble?.code === trouble?.code ? alert.trouble?.since : undefined
  const said = trouble && { ...trouble, since: since ?? new Date(now).toISOString() }
  const { kept, rights, format, datasets } = alert
  const to = { kept, rights, format, datasets, trouble: said, now, dueAt: dueAfter(alert, owner, now) }
  await alertStore(deps.db, scope).remember(alert, to).run()
}

interface Work {
  alert: StoredAlert
  owner: Standing
  observation: Observation
  subjectName: string
}

async function remember(deps: Deps, scope: Scope, { alert, owner, observation, subjectName }: Work): Promise<void> {
  const now = deps.clock.now()
  const { format, datasets } = observation
  const rights = rightsOf(owner.scope)
  const { kept, events, told } = stepAll(alert, observation.groups, { now, newId: () => deps.ids.next('audit') })
  const to: Remembered = { kept, rights, format, datasets, trouble: null, now, dueAt: dueAfter(alert, owner, now) }
  const store = alertStore(deps.db, scope)
  const noted = store.note(
    alert.id,
    events.map((event) => ({ ...event, rights })),
    { now, by: null },
  )
  await commit(deps, {
    change: [store.remember(alert, to), ...noted],
    audit: auditOf(alert, events),
    outbox: await mailsOf(deps, { alert, owner, subjectName, format, told }),
    expect: { onMissed: overtaken },
  })
}
const overtaken = (): never => {
  throw new Overtaken('Something else was remembered meanwhile.')
}

/** Every group one step on. Groups of which nothing is known stay as they are. */
function stepAll(
  alert: StoredAlert,
  groups: readonly Observed[],
  { now, newId }: { now: number; newId: () => string },
): { kept: KeptGroup[]; events: EventInput[]; told: Told[] } {
  const before = new Map(alert.kept.map((one) => [memberKey(one.member), one]))
  const events: EventInput[] = []
  const told: Told[] = []
  const judged = groups.flatMap(({ member, label, readings, isGone }): KeptGroup[] => {
    const reading = readings.at(-1)
    const kept = before.get(memberKey(member)) ?? {
      ...fresh(now),
      member,
      label,
      period: null,
      value: null,
      compared: null,
    }
    before.delete(memberKey(member))
    if (!reading) return [kept]
    const at = { verdict: judge(reading, alert.condition), periods: periodsHeld(readings, alert.condition), now }
    const rules = { hold: alert.hold, reminderDays: alert.reminderDays, mutedUntil: alert.mutedUntilMs }
    const { next, event, tell } = step(kept, at, rules)
    const { period, value, compared } = reading
    const group: KeptGroup = { ...next, member, label, period, value, compared }
    // Of what is gone and quiet nothing is remembered: members come and go without end.
    const isOver = isGone && !event && !tell && next.state === 'ok' && next.told === 'ok' && next.streak === 0
    if (event) events.push({ id: newId(), kind: event, label, period, value })
    if (tell === 'reminded') events.push({ id: newId(), kind: 'reminded', label, period, value })
    if (tell) told.push({ kind: tell, group })
    return isOver ? [] : [group]
  })
  return { kept: [...judged, ...before.values()], events, told }
}

const WORDS = { opened: 'alert.open', resolved: 'alert.resolve' } as const

/** One line for each thing that happened, by the product itself. */
function auditOf(alert: StoredAlert, events: readonly EventInput[]): AuditEntry[] {
  const kinds = new Set(events.map(({ kind }) => kind))
  return (['opened', 'resolved'] as const).flatMap((kind) =>
    kinds.has(kind)
      ? [{ workspaceId: alert.workspaceId, actorId: null, action: WORDS[kind], entity: 'alert', entityId: alert.id }]
      : [],
  )
}

/** An hour into the next day of the workspace: periods have ended, and what is open may be due for a reminder. */
const DUE_HOUR = 1
const DAY_MS = 86_400_000

function dueAfter(alert: StoredAlert, owner: Standing | null, now: number): number {
  const timeZone = owner?.settings.timeZone ?? 'UTC'
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const next = today.add({ days: 1 }).toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(DUE_HOUR) })
  const tomorrow = Math.min(next.epochMilliseconds, now + 2 * DAY_MS)
  const { mutedUntilMs } = alert
  return mutedUntilMs !== null && mutedUntilMs > now ? Math.min(tomorrow, mutedUntilMs) : tomorrow
}
