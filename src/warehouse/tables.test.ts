import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../test/long'
import { column, warehouse } from '../../test/worker/warehouse-driver'
import { unwrap } from '../shared/errors'
import { anyText } from '../../test/worker/random/any-text'

describe('a wide dataset', () => {
  it.each([90, 91, 101, 250, 500])('of %i columns keeps every cell in its place', async (width) => {
    const w = warehouse()
    const columns = Array.from({ length: width }, (_, n) => column(n, n % 2 === 0 ? 'text' : 'integer'))
    const row = (r: number) => columns.map((_, n) => (n % 2 === 0 ? `r${r}c${n}` : r * 1000 + n))
    const rows = [row(0), row(1), row(2)]
    const { datasetId } = await w.load({ columns, rows, batchRows: 2 })
    expect(await w.rows(datasetId)).toEqual(rows)
  })

  it('appends, upserts and goes back over all its tables, growing into a new one', async () => {
    const w = warehouse()
    const columns = (width: number) => Array.from({ length: width }, (_, n) => column(n, 'integer'))
    const row = (width: number, r: number) => Array.from({ length: width }, (_, n) => r * 1000 + n)
    const { datasetId } = await w.load({ columns: columns(180), rows: [row(180, 1), row(180, 2)] })
    await w.load({ datasetId, mode: 'append', columns: columns(185), rows: [row(185, 3)] })
    const grown = (r: number) => [...row(180, r), null, null, null, null, null]
    expect(await w.rows(datasetId)).toEqual([grown(1), grown(2), row(185, 3)])
    const keyColumns = ['c0' as const, 'c179' as const]
    const twice = row(185, 2).map((cell, n) => (n === 184 ? 7 : cell))
    await w.load({ datasetId, mode: 'upsert', keyColumns, columns: columns(185), rows: [twice] })
    expect(await w.rows(datasetId)).toEqual([grown(1), row(185, 3), twice])
    unwrap(await w.stub().rollback(w.scope, { datasetId, dataVersion: 1, runId: 'run_wide' }))
    expect(await w.rows(datasetId)).toEqual([row(180, 1), row(180, 2)])
  })
})

const HOSTILE = [
  'a"; drop table x;--',
  ']',
  '\u0000',
  'rowid',
  'sqlite_x',
  '_cf_KV',
  'x'.repeat(500),
  '\u202eabc',
  'Name',
  'name',
  '__proto__',
  'r',
  't1',
  "'",
  '`',
]
const SCHEMA = [
  'datasets',
  'leases',
  'loads',
  'meta',
  'rejects',
  'schema_migrations',
  'segments',
  'table_sets',
  'versions',
]

describe('the text of a header', () => {
  it('only ever becomes a label: no name in the database comes from it, over 10 000 headers (INJ-1)', async () => {
    const header = fc.oneof(fc.constantFrom(...HOSTILE), anyText({ maxLength: 60 }), fc.string({ maxLength: 20 }))
    const headers = fc.array(header, { minLength: 400, maxLength: 400 })
    const w = warehouse()
    const check = async (labels: string[]): Promise<void> => {
      const columns = labels.map((label, n) => column(n, 'text', label))
      const { datasetId } = await w.load({ columns, rows: [labels] })
      const dataset = unwrap(await w.stub().dataset(w.scope, datasetId))
      expect(dataset.columns.map((c) => c.label)).toEqual(labels)
      const names = await w.inside((object) => {
        const { sql } = object.context
        const objects = sql.exec<{ name: string; type: string }>(
          "SELECT name, type FROM sqlite_master WHERE name NOT GLOB '_cf_*' AND type = 'table'",
        )
        const tables = objects.toArray().map((row) => row.name)
        const data = tables.filter((name) => /^t\d+(_\d+)?$/.test(name))
        const fields = data.flatMap((name) =>
          sql.exec<{ name: string }>('SELECT name FROM pragma_table_info(?)', name).toArray(),
        )
        return { others: tables.filter((name) => !data.includes(name)), fields: fields.map((field) => field.name) }
      })
      expect(names.others.filter((name) => !SCHEMA.includes(name) && !/^[a-z_]+$/.test(name))).toEqual([])
      expect(names.fields.filter((name) => !/^(r|c\d+)$/.test(name))).toEqual([])
      unwrap(await w.stub().deleteDataset(w.scope, { datasetId, purge: true }))
    }
    await fc.assert(fc.asyncProperty(headers, check), { numRuns: LONG ? 25 : 8 })
  })

  it('cannot come as a key', async () => {
    const w = warehouse()
    const spec = w.spec({ columns: [column(0)], rows: [] })
    const hostile: unknown = JSON.parse('"c0\\"; drop table datasets;--"')
    const columns = [Object.assign(column(0), { key: hostile })]
    expect(await w.stub().beginLoad(w.scope, { ...spec, columns })).toMatchObject({ error: { code: 'invalid_input' } })
  })
})
