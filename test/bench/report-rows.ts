import { duckdbTimes } from './duckdb.ts'
import { GROUPS, REGIONS } from './orders.ts'
import { questionsOf } from './query-rows.ts'
import { ms, p95, type Row } from './row.ts'
import type { Person } from '../http/person.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'
import type { Insight } from '../../src/shared/insights.ts'
import type { FieldFilter } from '../../src/shared/query/plan.ts'
import type { Report } from '../../src/shared/reports/reports.ts'
import type { TileAnswer, TilesEnd } from '../../src/shared/reports/tiles.ts'

export interface Orders {
  dataset: string
  columns: Pick<Column, 'key' | 'label'>[]
  file: string
  rows: number
}
const DRAWN = { v: 1, period: { range: null, compare: 'none' }, filters: [] }

/** A published report of a page on which each of the twelve questions is a tile. @param named what its names end with */
export async function reportOfTwelve(person: Person, at: Orders, named = ''): Promise<string> {
  const blocks: object[] = []
  for (const [n, question] of questionsOf(at).entries()) {
    const { plan } = question
    const own = `${question.name}${named}`
    const insight = await person.call<Insight>('POST', '/api/insights', { name: own, plan, viz: { chart: 'table' } })
    const place = { x: (n % 3) * 4, y: Math.floor(n / 3) * 8, w: 4, h: 8 }
    blocks.push({ id: `tile${String(n).padStart(2, '0')}`, kind: 'insight', insight: insight.id, place })
  }
  const made = { kind: 'interactive', name: `Twelve tiles${named}` }
  const { id, name } = await person.call<Report>('POST', '/api/reports', made)
  const content = { ...DRAWN, pages: [{ id: 'page01', name: 'Page', blocks }] }
  const { version } = await person.call<Report>('PUT', `/api/reports/${id}`, { name, content, version: 1 })
  await person.call('POST', `/api/reports/${id}/publish`, { version })
  return id
}

/** Milliseconds until every tile of the page is there. */
async function allTiles(person: Person, id: string, filter: FieldFilter): Promise<number> {
  const body = JSON.stringify({ of: 'published', page: 'page01', filters: [filter] })
  const started = performance.now()
  const answer = await person.send('POST', `/api/reports/${id}/tiles`, body)
  const lines = (await answer.text()).trim().split('\n')
  const taken = performance.now() - started
  const told = lines.map((line): TileAnswer | TilesEnd => JSON.parse(line))
  const cold = told.filter((line) => 'content' in line && line.content.kind === 'chart' && !line.content.result.cached)
  if (cold.length !== 12) throw new Error(`only ${cold.length} tiles were answered anew: ${lines.join().slice(0, 300)}`)
  return taken
}

/**
 * Q8: a report of twelve tiles after a mark was clicked: every question with a filter that was never asked, all tiles answered in one
 * request over HTTP, against the sum of the same questions asked of native DuckDB one after the other.
 */
export async function reportRows(person: Person, at: Orders): Promise<Row[]> {
  const id = await reportOfTwelve(person, at)
  const click = (label: string, value: string) => {
    const key = at.columns.find((column) => column.label === label)?.key
    if (!key) throw new Error(`no column ${label}`)
    return allTiles(person, id, { field: { dataset: at.dataset, column: key }, any: [{ op: 'in', values: [value] }] })
  }
  const [first = '', ...regions] = REGIONS
  await click('region', first)
  const sample: number[] = []
  for (const region of regions) sample.push(await click('region', region))
  for (const group of GROUPS) sample.push(await click('product_group', group))
  const clicked = questionsOf(at).map((question) => ({
    ...question,
    sql: question.sql.replace('FROM o', `FROM (SELECT * FROM o WHERE region = '${regions[0]}') o`),
  }))
  const native = (await duckdbTimes(at.file, clicked, 3)).map((times) => p95(times)).reduce((sum, one) => sum + one, 0)
  return [
    {
      id: 'Q8',
      what: `a report of 12 tiles, ${at.rows} rows, new filter: all tiles answered, p95`,
      ours: ms(p95(sample)),
      reference: `${ms(native)} (DuckDB, one after the other)`,
      ratio: (p95(sample) / native).toFixed(2),
    },
  ]
}
