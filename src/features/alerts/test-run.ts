import { initialState, transition } from './model/machine'
import { evaluateCondition, consecutivePeriodsMet } from './model/triggers'
import { observeForCondition } from './look'
import type { GroupObservation } from './observe'
import type { SeriesContext } from '../../access/series'
import { findMonitoredMetric } from '../../access/tracked'
import type { Deps } from '../../deps'
import { HOLD_MAX, TEST_PERIODS } from '../../shared/alerts'
import type { AlertRules, AlertTestReading, AlertTestRun } from '../../shared/alerts'
import { ProductError } from '../../shared/errors'

const GROUPS_SHOWN = 20
const TEST_NOTES: Partial<Record<AlertRules['condition']['kind'], AlertTestRun['note']>> = {
  finding: 'findings',
  band: 'bands',
}

/**
 * When an alert would have gone off over the last complete periods, each period evaluated once, with the figures as they
 * are known now. Asked with the rights of whoever asks.
 * @throws ProductError `not_found` when what it is about is gone, `invalid_input` when it has no date
 */
export async function runAlertTest(at: SeriesContext & { deps: Deps }, rules: AlertRules): Promise<AlertTestRun> {
  const found = await findMonitoredMetric(at.deps, at.scope, rules.subject)
  if (!found.ok && found.why === 'gone') throw new ProductError('not_found')
  if (!found.ok) throw noDateError()
  // The oldest of the twelve may be the last of a run of periods that held.
  const periods = TEST_PERIODS + HOLD_MAX - 1
  const watch = { tracked: found.monitoredMetric, rules, periods, known: [], isTrial: true }
  const looked = await observeForCondition(at, watch)
  if (!looked.ok) throw new ProductError('invalid_input', { fields: { condition: looked.trouble.message } })
  const { groups, format } = looked.observation
  const runs = groups.map((group) => ({ ...group, readings: replay(group, rules) }))
  const fires = ({ readings }: { readings: AlertTestReading[] }): number =>
    readings.filter(({ event }) => event === 'opened').length
  const shown = runs.toSorted((a, b) => fires(b) - fires(a)).slice(0, GROUPS_SHOWN)
  return {
    periods: runs[0]?.readings.map(({ period }) => period) ?? [],
    groups: shown.map(({ member, label, readings }) => ({ member, label, readings })),
    looked: runs.length,
    fired: runs.reduce((count, run) => count + fires(run), 0),
    format,
    note: TEST_NOTES[rules.condition.kind] ?? null,
  }
}

export const noDateError = (): ProductError =>
  new ProductError('invalid_input', { fields: { subject: 'This insight has no date to follow it over.' } })

function replay({ readings }: GroupObservation, rules: AlertRules): AlertTestReading[] {
  let state = initialState(0)
  const all = readings.map((reading, index): AlertTestReading => {
    const verdict = evaluateCondition(reading, rules.condition)
    const periods = consecutivePeriodsMet(readings.slice(0, index + 1), rules.condition)
    const quiet = { hold: rules.hold, reminderDays: null, mutedUntil: null }
    const { next, event } = transition(state, { verdict, periods, now: index }, quiet)
    state = next
    return { period: reading.period, value: reading.value, compared: reading.compared, met: verdict.met, event }
  })
  return all.slice(-TEST_PERIODS)
}
