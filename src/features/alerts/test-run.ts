import { fresh, step } from './model/machine'
import { judge, periodsHeld } from './model/triggers'
import { lookAt } from './look'
import type { Observed } from './observe'
import type { SeriesDeps } from '../../access/series'
import { findTracked } from '../../access/tracked'
import type { Deps } from '../../deps'
import { HOLD_MAX, TEST_PERIODS } from '../../shared/alerts'
import type { AlertRules, TestReading, TestRun } from '../../shared/alerts'
import { ProductError } from '../../shared/errors'

const GROUPS_SHOWN = 20
const NOTES: Partial<Record<AlertRules['condition']['kind'], TestRun['note']>> = { finding: 'findings', band: 'bands' }

/**
 * When an alert would have gone off over the last complete periods, each period evaluated once, with the figures as they
 * are known now. Asked with the rights of whoever asks.
 * @throws ProductError `not_found` when what it is about is gone, `invalid_input` when it has no date
 */
export async function testRun(at: SeriesDeps & { deps: Deps }, rules: AlertRules): Promise<TestRun> {
  const found = await findTracked(at.deps, at.scope, rules.subject)
  if (!found.ok && found.why === 'gone') throw new ProductError('not_found')
  if (!found.ok) throw noDate()
  // The oldest of the twelve may be the last of a run of periods that held.
  const periods = TEST_PERIODS + HOLD_MAX - 1
  const watch = { tracked: found.tracked, rules, periods, known: [], isTrial: true }
  const looked = await lookAt(at, watch)
  if (!looked.ok) throw new ProductError('invalid_input', { fields: { condition: looked.trouble.message } })
  const { groups, format } = looked.observation
  const runs = groups.map((group) => ({ ...group, readings: replay(group, rules) }))
  const fires = ({ readings }: { readings: TestReading[] }): number =>
    readings.filter(({ event }) => event === 'opened').length
  const shown = runs.toSorted((a, b) => fires(b) - fires(a)).slice(0, GROUPS_SHOWN)
  return {
    periods: runs[0]?.readings.map(({ period }) => period) ?? [],
    groups: shown.map(({ member, label, readings }) => ({ member, label, readings })),
    looked: runs.length,
    fired: runs.reduce((count, run) => count + fires(run), 0),
    format,
    note: NOTES[rules.condition.kind] ?? null,
  }
}

export const noDate = (): ProductError =>
  new ProductError('invalid_input', { fields: { subject: 'This insight has no date to follow it over.' } })

function replay({ readings }: Observed, rules: AlertRules): TestReading[] {
  let state = fresh(0)
  const all = readings.map((reading, index): TestReading => {
    const verdict = judge(reading, rules.condition)
    const periods = periodsHeld(readings.slice(0, index + 1), rules.condition)
    const quiet = { hold: rules.hold, reminderDays: null, mutedUntil: null }
    const { next, event } = step(state, { verdict, periods, now: index }, quiet)
    state = next
    return { period: reading.period, value: reading.value, compared: reading.compared, met: verdict.met, event }
  })
  return all.slice(-TEST_PERIODS)
}
