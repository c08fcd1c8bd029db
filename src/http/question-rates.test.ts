import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { signedIn } from '../../test/worker/factories'
import { systemIds } from '../deps'
import { sha256Hex } from '../lib/hash'

/** Calls that ask many questions, or work long for one: how many an hour, and by whom they are counted. */
const CALLS = [
  ['askDrivers', 1200, 'person', '/api/findings/drivers'],
  ['previewForecast', 1200, 'person', '/api/forecasts/preview'],
  ['testAlert', 240, 'person', `/api/alerts/${systemIds.next('alert')}/test`],
  ['suggestGroups', 240, 'person', `/api/groupings/${systemIds.next('grouping')}/suggest`],
  ['refreshFindings', 30, 'workspace', '/api/findings/refresh'],
  ['runForecast', 300, 'workspace', `/api/forecasts/${systemIds.next('forecast')}/run`],
] as const

const DATASET = systemIds.next('dataset')
const BODIES: Partial<Record<(typeof CALLS)[number][0], object>> = {
  askDrivers: {
    plan: {
      v: 2,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'count', dataset: DATASET }],
      dimensions: [],
      filters: [],
    },
  },
  previewForecast: { subject: { kind: 'insight', id: systemIds.next('insight'), measure: 0 } },
  suggestGroups: {},
  refreshFindings: {},
}

it.each(CALLS)('refuses for a while who does it too often: %s, %i an hour and %s', async (rate, max, by, path) => {
  const [me, other] = [await signedIn(), await signedIn()]
  const counted = env.RATE_LIMITER.getByName(await sha256Hex(`${rate} ${by === 'person' ? me.userId : me.workspaceId}`))
  await counted.take(Date.now(), max, 3_600_000, max - 1)
  const ask = (who: typeof me) => who.fetch(path, { method: 'POST', json: BODIES[rate] })
  const first = await ask(me)
  expect([await first.clone().text(), first.status]).not.toEqual([expect.anything(), 429])
  const answer = await ask(me)
  expect([await answer.clone().text(), answer.status]).toEqual([expect.anything(), 429])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_500)
  expect((await ask(other)).status).not.toBe(429)
})
