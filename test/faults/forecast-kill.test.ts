import { afterAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory } from '../http/server.ts'
import type { Forecast } from '../../src/shared/forecasts/forecasts.ts'
import type { Insight } from '../../src/shared/insights.ts'

/** The long run waits for the round that comes every minute; the short one makes the run old and asks for the round. */
const LONG = process.env['LONG'] === '1'
const EMAIL = 'kill@example.com'
const state = createStateDirectory(inject('unused'))
afterAll(state.remove)

const table = (): Blob => {
  const lines = ['day,amount']
  for (let month = 0; month < 48; month++) {
    const day = new Date(Date.UTC(2022, 9 + month, 5)).toISOString().slice(0, 10)
    lines.push(`${day},${(10_000 + 40 * month + 2_000 * Math.sin((Math.PI * month) / 6)).toFixed(2)}`)
  }
  return new Blob([lines.join('\n')])
}

async function anInsight(person: Person): Promise<Insight> {
  const uploadId = await person.upload('sales.csv', table())
  const { settings, columns } = await person.inspect(uploadId)
  const source = await person.createSource({ name: 'Sales', tables: [{ name: 'Sales', uploadId, settings, columns }] })
  await person.finished(source.lastRun?.id ?? '')
  const dataset = source.datasets[0]?.id ?? ''
  const measures = [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }]
  const dimensions = [{ field: { dataset, column: 'c0' }, grain: 'month' }]
  return person.call('POST', '/api/insights', {
    ...{ name: 'Sales', plan: { v: 1, kind: 'aggregate', measures, dimensions, filters: [] } },
    viz: { chart: 'line', direction: 'up' },
  })
}

it('runs a forecast again whose process was killed, within two minutes', { timeout: 300_000 }, async () => {
  const server = await startServer(state.path)
  const first = new Person(server.address)
  await first.register(EMAIL)
  const { id: insight } = await anInsight(first)
  const made = await first.call<Forecast>('POST', '/api/forecasts', {
    ...{ name: 'Ahead', subject: { kind: 'insight', id: insight }, horizon: 3 },
  })
  // As if the work had begun: killed between two steps, nothing of it is left but this.
  await server.write(
    "UPDATE outbox SET delivered_at = 1, payload = '{}' WHERE kind = 'forecastRun'",
    `UPDATE forecast_runs SET state = 'running', claim = 'gone', started_at = unixepoch() * 1000, alive_at = unixepoch() * 1000,
       result = NULL, said = NULL, finished_at = NULL WHERE forecast_id = '${made.id}'`,
  )
  await server.kill()
  const killed = Date.now()

  const next = await startServer(state.path)
  const after = new Person(next.address)
  await after.signIn(EMAIL)
  expect((await after.call<Forecast>('GET', `/api/forecasts/${made.id}`)).state).toBe('running')
  if (!LONG) {
    await next.write('UPDATE forecast_runs SET alive_at = alive_at - 60000, created_at = created_at - 60000')
    expect((await fetch(`${next.address}/cdn-cgi/local/scheduled`)).ok).toBe(true)
  }
  for (;;) {
    const { state: now } = await after.call<Forecast>('GET', `/api/forecasts/${made.id}`)
    if (now === 'ready') break
    expect(now).toBe('running')
    expect(Date.now() - killed).toBeLessThan(120_000)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await next.stop()
})
