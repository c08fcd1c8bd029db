import { beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLoadedSource, sales, SALES, SETTINGS, textColumn, uploadText } from '../../../test/worker/loads'
import type { Expr } from '../../shared/query/expression'
import type { QueryResult } from '../../shared/query/result'
import type { Column, Dataset } from '../../shared/data-sources/data-sources'

const app = createApp()
let me: SignedIn
let id = ''
beforeEach(async () => {
  me = await signedIn({ app })
  const rows: [string, number][] = [
    ['Ann', 10],
    ['Bo', 2.5],
  ]
  id = (await createLoadedSource(me, sales(rows))).datasetId
})

const field = (column: Column['key']): Expr => ({ kind: 'field', field: { dataset: id, column } })
const twice = (of: Column['key']): Expr => ({
  kind: 'binary',
  op: 'multiply',
  left: field(of),
  right: { kind: 'number', value: 2 },
})
const dataset = async (): Promise<Dataset> => (await me.fetch(`/api/datasets/${id}`)).json<Dataset>()
const make = async (label: string, expr: Expr) =>
  me.fetch(`/api/datasets/${id}/computed`, {
    method: 'POST',
    json: { label, expr, format: { style: 'plain' }, version: (await dataset()).version },
  })
const preview = async (): Promise<QueryResult> => (await me.fetch(`/api/datasets/${id}/preview`)).json<QueryResult>()

describe('computed columns', () => {
  it('are shown, split and added up like any other, text and number', async () => {
    const doubled = await (await make('Double', twice('c2'))).json<Dataset>()
    expect(doubled.columns.at(-1)).toMatchObject({ label: 'Double', type: 'number', scale: 2, role: 'measure' })
    const words: Expr = { kind: 'concat', items: [field('c1'), { kind: 'text', value: ' on ' }, field('c0')] }
    const named = await (await make('Who', words)).json<Dataset>()
    const [, , , double, who] = named.columns
    expect((await preview()).rows[0]?.slice(3)).toEqual([20, 'Ann on 2026-01-01'])
    const plan = {
      v: 1,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'sum', field: { dataset: id, column: double?.key } }],
      dimensions: [{ field: { dataset: id, column: who?.key } }],
      filters: [{ field: { dataset: id, column: double?.key }, any: [{ op: 'ge', value: 5 }] }],
    }
    const answer = await (await me.fetch('/api/query', { method: 'POST', json: { plan } })).json<QueryResult>()
    expect(answer.rows).toEqual([
      ['Ann on 2026-01-01', 20],
      ['Bo on 2026-01-02', 5],
    ])
  })

  it('are conditions and dates, too, which split and filter like stored ones', async () => {
    const large: Expr = { kind: 'compare', op: 'gt', left: field('c2'), right: { kind: 'number', value: 5 } }
    const late: Expr = { kind: 'function', fn: 'if', items: [large, field('c0')] }
    await make('Large', large)
    const { columns } = await (await make('Late', late)).json<Dataset>()
    const [isLarge, day] = columns.slice(-2)
    expect([isLarge, day]).toMatchObject([
      { type: 'boolean', role: 'dimension' },
      { type: 'date', role: 'time' },
    ])
    expect((await preview()).rows.map((row) => row.slice(3))).toEqual([
      [true, '2026-01-01'],
      [false, null],
    ])
    const plan = {
      ...{ v: 1, kind: 'aggregate', measures: [{ kind: 'column', agg: 'count' }], dataset: id },
      dimensions: [{ field: { dataset: id, column: day?.key }, grain: 'month' }],
      filters: [{ field: { dataset: id, column: isLarge?.key }, any: [{ op: 'eq', value: true }] }],
      period: { field: { dataset: id, column: day?.key }, range: { kind: 'relative', span: 'all', unit: 'month' } },
    }
    const answer = await (await me.fetch('/api/query', { method: 'POST', json: { plan } })).json<QueryResult>()
    expect(answer).toMatchObject({ rows: [['2026-01-01', 1]], period: { from: '2026-01-01', to: '2026-01-02' } })
  })

  it('survive appending, replacing and going back', async () => {
    await make('Double', twice('c2'))
    const load = async (mode: string, text: string) => {
      const uploadId = await uploadText(me, text)
      const mapping = [0, 1, 2].map((index) => ({ index, key: `c${index}` }))
      const json = { uploadId, mode, settings: SETTINGS, columns: SALES, mapping }
      expect((await me.fetch(`/api/datasets/${id}/loads`, { method: 'POST', json })).status).toBe(201)
      await expect.poll(async () => (await dataset()).dataVersion, { timeout: 15_000 }).toBe(mode === 'append' ? 2 : 4)
    }
    const doubles = async () => (await preview()).rows.map((row) => row.at(-1))
    await load('append', sales([['Cy', 100]]))
    expect(await doubles()).toEqual([20, 5, 200])
    const wider = { uploadId: await uploadText(me, 'day,customer,amount,note\n2026-01-01,Eve,1,hi'), mode: 'append' }
    const columns = [...SALES, textColumn(3, 'note')]
    const mapping = [0, 1, 2].map((index) => ({ index, key: `c${index}` }))
    const json = { ...wider, settings: SETTINGS, columns, mapping }
    expect((await me.fetch(`/api/datasets/${id}/loads`, { method: 'POST', json })).status).toBe(201)
    await expect.poll(async () => (await dataset()).dataVersion, { timeout: 15_000 }).toBe(3)
    expect((await dataset()).columns.map(({ key }) => key)).toEqual(['c0', 'c1', 'c2', 'c3', 'c2000'])
    await load('replace', sales([['Di', 1.125]]))
    expect(await doubles()).toEqual([2.25])
    await me.fetch(`/api/datasets/${id}/rollback`, { method: 'POST', json: { dataVersion: 2 } })
    await expect.poll(doubles, { timeout: 15_000 }).toEqual([20, 5, 200])
    expect((await dataset()).columns.filter(({ computed }) => computed)).toHaveLength(1)
  })

  it('are not shown while a column they are made of is gone', async () => {
    await make('Double', twice('c2'))
    const uploadId = await uploadText(me, sales([['Ann', 1]]))
    const columns = SALES.map((column) => ({ ...column, include: column.index < 2 }))
    const mapping = [0, 1].map((index) => ({ index, key: `c${index}` }))
    const json = { uploadId, mode: 'replace', settings: SETTINGS, columns, mapping, acceptRemoved: true }
    expect((await me.fetch(`/api/datasets/${id}/loads`, { method: 'POST', json })).status).toBe(201)
    await expect.poll(async () => (await dataset()).dataVersion, { timeout: 15_000 }).toBe(2)
    expect((await preview()).rows).toEqual([['2026-01-01', 'Ann']])
    const { name, version, columns: all } = await dataset()
    const looks = all.map(({ key, label, role, format, hidden }) => ({ key, label, role, format, hidden }))
    const renamed = { method: 'PUT', json: { name, version, columns: looks } }
    expect((await me.fetch(`/api/datasets/${id}`, renamed)).status).toBe(200)
  })

  it('refuse circles, other data, and arithmetic with texts', async () => {
    const first = await (await make('First', twice('c2'))).json<Dataset>()
    const second = await (await make('Second', twice(first.columns.at(-1)?.key ?? 'c0'))).json<Dataset>()
    const [one, two] = second.columns.slice(-2)
    const change = (expr: Expr) =>
      me.fetch(`/api/datasets/${id}/computed/${one?.key}`, {
        method: 'PUT',
        json: { label: 'First', expr, format: { style: 'plain' }, version: second.version },
      })
    expect((await change(twice(two?.key ?? 'c0'))).status).toBe(422)
    expect((await change(twice('c1'))).status).toBe(422)
    const elsewhere: Expr = { kind: 'field', field: { dataset: 'ds_00000000000000000000', column: 'c2' } }
    expect((await change(elsewhere)).status).toBe(422)
    expect((await change(field('c2'))).status).toBe(200)
  })

  it('are not taken from an insight without a word, and take along what is made of them', async () => {
    const first = await (await make('First', twice('c2'))).json<Dataset>()
    const key = first.columns.at(-1)?.key ?? 'c0'
    const second = await (await make('Second', twice(key))).json<Dataset>()
    const measure = { kind: 'column', agg: 'sum', field: { dataset: id, column: second.columns.at(-1)?.key } }
    const plan = { v: 1, kind: 'aggregate', measures: [measure], dimensions: [], filters: [] }
    const insight = { name: 'Doubles', plan, viz: { chart: 'number' } }
    expect((await me.fetch('/api/insights', { method: 'POST', json: insight })).status).toBe(201)
    const remove = (force: string) =>
      me.fetch(`/api/datasets/${id}/computed/${key}?version=${second.version}${force}`, { method: 'DELETE' })
    const refused = await remove('')
    expect([refused.status, await refused.json()]).toMatchObject([409, { dependents: [{ name: 'Doubles' }] }])
    const left = await (await remove('&force=1')).json<Dataset>()
    expect(left.columns.filter(({ computed }) => computed)).toEqual([])
    expect((await preview()).columns).toHaveLength(3)
  })
})
