import { describe, expect, it } from 'vitest'
import { column, warehouse, type Cell } from '../../../test/worker/warehouse-driver'
import { unwrap } from '../../shared/errors'

const amount = [column(0, 'number:2')]
const single = (...cells: Cell[]): Cell[][] => cells.map((cell) => [cell])
describe('a number column', () => {
  it('keeps its values as they came', async () => {
    const w = warehouse()
    const columns = [column(0, 'number'), column(1, 'integer'), column(2, 'text'), column(3, 'number:2')]
    const { datasetId } = await w.load({
      columns,
      rows: [
        [5, 7, '0012', 1250],
        [null, null, '', null],
      ],
    })
    expect(await w.rows(datasetId)).toEqual([
      [5, 7, '0012', 1250],
      [null, null, '', null],
    ])
  })

  it('widens its scale when later values have up to four decimals, exactly', async () => {
    const w = warehouse()
    const { datasetId, columns } = await w.load({
      columns: amount,
      rows: single(1250, [1.0055], null, [-0.3], -100),
    })
    expect(columns[0]?.scale).toBe(4)
    expect(await w.rows(datasetId)).toEqual(single(125000, 10055, null, -3000, -10000))
  })

  it('becomes floating point as a whole when a value has more than four decimals', async () => {
    const w = warehouse()
    const { datasetId, columns } = await w.load({
      columns: amount,
      rows: single(1999, [1.23456], 100),
    })
    expect(columns[0]).not.toHaveProperty('scale')
    expect(await w.rows(datasetId)).toEqual(single(19.99, 1.23456, 1))
  })

  it('becomes floating point when a scaled value would not be an exact integer', async () => {
    const w = warehouse()
    const big = 900_000_000_000_000
    const { datasetId, columns } = await w.load({
      columns: amount,
      rows: single(big, [1.125]),
    })
    expect(columns[0]?.scale).toBe(3)
    expect(await w.rows(datasetId)).toEqual(single(big * 10, 1125))
    const wide = await w.load({
      columns: amount,
      rows: single(big, [90_000_000_000_000_000]),
    })
    expect(wide.columns[0]).not.toHaveProperty('scale')
    expect(await w.rows(wide.datasetId)).toEqual(single(big / 100, 90_000_000_000_000_000))
  })

  it('widens the dataset when an appended file has more decimals, and the file when it has fewer', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns: amount, rows: single(1250) })
    await w.load({ datasetId, mode: 'append', columns: [column(0, 'number:3')], rows: single(1125) })
    expect(await w.rows(datasetId)).toEqual(single(12500, 1125))
    const last = await w.load({ datasetId, mode: 'append', columns: [column(0, 'number:1')], rows: single(5) })
    expect(last.columns[0]?.scale).toBe(3)
    expect(await w.rows(datasetId)).toEqual(single(12500, 1125, 500))
  })

  it('turns to floating point in the dataset when the file does, and has its decimals again after a rollback', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns: amount, rows: single(1250, 10) })
    await w.load({
      datasetId,
      mode: 'append',
      columns: amount,
      rows: single([0.12345]),
    })
    expect(await w.rows(datasetId)).toEqual(single(12.5, 0.1, 0.12345))
    unwrap(await w.stub().rollback(w.scope, { datasetId, dataVersion: 1, runId: 'run_back' }))
    expect(await w.rows(datasetId)).toEqual(single(1250, 10))
    expect(unwrap(await w.stub().dataset(w.scope, datasetId)).columns[0]?.scale).toBe(2)
  })

  it('matches keys of an upsert across scales, and goes back to the scale of then', async () => {
    const w = warehouse()
    const columns = [column(0, 'number:1'), column(1, 'text')]
    const { datasetId } = await w.load({
      columns,
      rows: [
        [15, 'one and a half'],
        [20, 'two'],
      ],
    })
    const keyColumns = ['c0' as const]
    await w.load({
      datasetId,
      mode: 'upsert',
      keyColumns,
      columns: [column(0, 'number:2'), column(1)],
      rows: [[150, 'new']],
    })
    expect(await w.rows(datasetId)).toEqual([
      [200, 'two'],
      [150, 'new'],
    ])
    await w.load({ datasetId, mode: 'append', columns: [column(0, 'number:3'), column(1)], rows: [[1, 'tiny']] })
    unwrap(await w.stub().rollback(w.scope, { datasetId, dataVersion: 1, runId: 'run_back_2' }))
    expect(await w.rows(datasetId)).toEqual([
      [15, 'one and a half'],
      [20, 'two'],
    ])
  })
})

describe('the bounds of a column', () => {
  it('hold every value, in storage units', async () => {
    const w = warehouse()
    const columns = [column(0, 'number:2'), column(1, 'date'), column(2, 'text')]
    await w.load({
      columns,
      rows: [
        [-150, 20000, 'x'],
        [300, 19000, 'y'],
        [null, null, null],
      ],
    })
    const bounds = await w.inside(
      (object) => object.context.sql.exec<{ bounds: string }>('SELECT bounds FROM table_sets').one().bounds,
    )
    expect(JSON.parse(bounds)).toEqual({ c0: { min: -150, max: 300 }, c1: { min: 19000, max: 20000 } })
  })
})
