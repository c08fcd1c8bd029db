import type { Person } from '../http/person.ts'
import { ms, quantile, type Row } from './row.ts'
import type { ForecastInput } from '../../src/shared/forecasts/result.ts'
import type { Forecast, ForecastSettingsInput } from '../../src/shared/forecasts/forecasts.ts'
import type { Insight } from '../../src/shared/insights.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'

const TIMES = 3
const LOOK_AGAIN_MS = 20
const GOAL_MS = 3_000

/** Ten series and the rest: what a split by thousands of articles keeps. */
const SERIES = 11

async function insightOf(
  person: Person,
  at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[] },
): Promise<{ insight: Insight; by: ForecastSettingsInput['by'] }> {
  const field = (label: string) => {
    const column = at.columns.find((one) => one.label === label)?.key
    if (!column) throw new Error(`no column ${label}`)
    return { dataset: at.dataset, column }
  }
  const insight = await person.call<Insight>('POST', '/api/insights', {
    name: 'Sales to forecast',
    plan: {
      ...{ v: 1, kind: 'aggregate', filters: [] },
      measures: [{ kind: 'column', agg: 'sum', field: field('amount') }],
      dimensions: [{ field: field('ordered_at'), grain: 'month' }],
    },
    viz: { chart: 'line' },
  })
  return { insight, by: { field: field('item') } }
}

/** Milliseconds from saving a forecast until its first run stands, and of what was between its begin and end. */
async function ran(person: Person, settings: ForecastSettingsInput): Promise<number> {
  const started = performance.now()
  const made = await person.call<Forecast>('POST', '/api/forecasts', { ...settings, name: `In ${settings.horizon}` })
  for (;;) {
    const now = await person.call<Forecast>('GET', `/api/forecasts/${made.id}`)
    if (now.state !== 'queued' && now.state !== 'running') {
      const parts = now.ready?.result?.parts.length
      if (parts !== SERIES) throw new Error(`${now.state}: ${parts} series ${JSON.stringify(now.lastRun?.trouble)}`)
      const taken = performance.now() - started
      await person.call('DELETE', `/api/forecasts/${made.id}?version=${now.version}`)
      return taken
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** F1: a whole forecast of eleven series with their backtests, from saving it until it stands. */
export async function forecastRows(
  person: Person,
  at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[] },
): Promise<Row[]> {
  const { insight, by } = await insightOf(person, at)
  const rows: Row[] = []
  for (const grain of ['month', 'week', 'day'] as const) {
    const settings = { subject: { kind: 'insight', id: insight.id }, by, grain } as const
    const runs: number[] = []
    const asked: number[] = []
    for (let time = 0; time < TIMES; time++) {
      const horizon = 12 + time
      const started = performance.now()
      await person.call<ForecastInput>('POST', '/api/forecasts/preview', { ...settings, horizon })
      asked.push(performance.now() - started)
      runs.push(await ran(person, { ...settings, horizon }))
    }
    const [first = Number.NaN, ...later] = runs
    rows.push({
      id: 'F1',
      what: `forecast of ${SERIES} series by ${grain} with backtests, until it stands (first; figures of it alone)`,
      ours: `${ms(quantile(later, 0.5))} (${ms(first)}; ${ms(quantile(asked, 0.5))})`,
      reference: ms(GOAL_MS),
      ratio: (Math.max(...runs) / GOAL_MS).toFixed(2),
    })
  }
  return rows
}
