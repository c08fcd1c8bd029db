import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { otherWorkspace, signedIn, visitor } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import type { ExportAnswerInput } from '../../shared/query/export-answer'
import type { QueryPlanInput } from '../../shared/query/plan'

const CITIES = ['Umeå', 'Luleå', 'Ängelholm', 'Boden', 'umeå hamn']

async function scene() {
  const me = await signedIn()
  const dataset = await loadedDataset(
    me.workspaceId,
    CITIES.map((text, i) => [text, i * 100 + 5]),
  )
  const records: QueryPlanInput = { v: 2, kind: 'rows', dataset, measures: [], dimensions: [], filters: [] }
  const field = (column: 'c0' | 'c1') => ({ dataset, column })
  const figures: QueryPlanInput = {
    ...{ v: 2, kind: 'aggregate', filters: [], totals: true },
    measures: [{ kind: 'column', agg: 'sum', field: field('c1') }],
    dimensions: [{ field: field('c0') }],
  }
  const ask = (input: Partial<ExportAnswerInput>, who: Pick<typeof me, 'fetch'> = me) =>
    who.fetch('/api/query/export', {
      method: 'POST',
      json: { plan: records, view: { sort: null, filters: [] }, name: 'Orders', format: 'csv', ...input },
    })
  return { me, records, figures, ask }
}

describe('a table as a file', () => {
  it('holds records as they are sorted and filtered on screen', async () => {
    const { ask } = await scene()
    const view: ExportAnswerInput['view'] = {
      sort: { column: 1, dir: 'desc' },
      filters: [{ column: 0, op: 'contains', value: 'umeå' }],
    }
    const response = await ask({ view })
    expect(response.headers.get('content-disposition')).toMatch(/filename="Orders \d{4}-\d\d-\d\d\.csv"/)
    expect((await response.text()).split('\r\n').slice(1)).toEqual(['umeå hamn;4,05', 'Umeå;0,05', ''])
  })
  it('holds groups as they are sorted and filtered on screen, and no total of what is not shown', async () => {
    const { ask, figures } = await scene()
    const range = { column: 1, op: 'range', from: 1, to: 3.05 } as const
    const filtered = await ask({ plan: figures, view: { sort: { column: 0, dir: 'desc' }, filters: [range] } })
    expect((await filtered.text()).split('\r\n').slice(1)).toEqual(['Ängelholm;2,05', 'Luleå;1,05', 'Boden;3,05', ''])
    expect(await (await ask({ plan: figures })).text()).toContain('Total;10,25')
  })
  it('holds the key of names in a column of its own beside them', async () => {
    const { ask, figures } = await scene()
    const [split] = figures.dimensions
    const field = split?.field
    const plan = field && { ...figures, v: 3 as const, dimensions: [{ field, label: field, topN: 2 }] }
    const written = await (await ask({ ...(plan ? { plan } : {}) })).text()
    expect(written.split('\r\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^\uFEFF?([^;]+);\1;/),
      'umeå hamn;umeå hamn;4,05',
      'Boden;Boden;3,05',
    ])
    expect(written).toMatch(/Other;;3,15\r\nTotal;;10,25/)
  })
  it('says in a second sheet of a workbook what the figures are', async () => {
    const { ask, me } = await scene()
    const book = await readXlsx(new Uint8Array(await (await ask({ format: 'xlsx' })).arrayBuffer()))
    const about = new Map(book.sheets[1]?.rows.map(([key, value]) => [key, value]))
    expect(about.get('Table')).toBe('Orders')
    expect(about.get('Rows')).toBe(CITIES.length)
    expect(about.has('Exported by')).toBe(true)
    expect(book.sheets[0]?.rows).toHaveLength(CITIES.length + 1)
    expect(me).toBeDefined()
  })
  it('is refused where somebody may not see the rows, and where a column cannot be sorted', async () => {
    const { ask } = await scene()
    expect((await ask({}, await visitor())).status).toBe(401)
    expect((await ask({}, await otherWorkspace())).status).toBeGreaterThanOrEqual(404)
    expect((await ask({ view: { sort: { column: 9, dir: 'asc' }, filters: [] } })).status).toBe(422)
  })
})
