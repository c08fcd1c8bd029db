import { expect, it } from 'vitest'
import { signedIn } from '../../test/worker/factories'

const costsOf = async (who: Awaited<ReturnType<typeof signedIn>>, path: string, init = {}) =>
  (await who.fetch(path, init)).headers.get('server-timing')

it('says beside every answer in local mode what it cost, and the counts are those of the calls made', async () => {
  const me = await signedIn()
  expect(await costsOf(me, '/health')).toBe('d1;desc="1", objects;desc="0", rows-written;desc="0"')
  expect(await costsOf(me, '/api/profile')).toBe('d1;desc="2", objects;desc="0", rows-written;desc="0"')
  const written = await costsOf(me, '/api/onboarding', { method: 'PUT', json: { step: 'done' } })
  expect(written).toMatch(/^d1;desc="2", objects;desc="0", rows-written;desc="[1-9]\d*"$/)
  expect(await costsOf(me, '/api/query', { method: 'POST', json: { plan: rowsPlan } })).toContain('objects;desc="1"')
})

const rowsPlan = {
  v: 1,
  kind: 'aggregate',
  dataset: 'ds_00000000000000000000',
  measures: [{ kind: 'column', agg: 'count' }],
  dimensions: [],
  filters: [],
}
