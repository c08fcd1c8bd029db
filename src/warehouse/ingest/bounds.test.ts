import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { column, warehouse, type TestLoad } from '../../../test/worker/warehouse-driver'
import { findDataset } from '../catalogue'
import { getTableSet } from '../tables'

const columns = [column(0, 'number:2'), column(1, 'integer'), column(2, 'text'), column(3, 'number'), column(4, 'date')]
const whole = fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 }))
const row = fc.tuple(whole, whole, fc.string(), fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 })), whole)

const boundsAfter = async (load: TestLoad) => {
  const w = warehouse()
  const { datasetId } = await w.load(load)
  return w.inside(({ context }) => getTableSet(context, findDataset(context, datasetId)?.tableSet ?? null).bounds)
}

/** Between which numbers a column's cells lie. */
const ends = (rows: readonly (readonly unknown[])[], at: number) => {
  const numbers = rows.flatMap((cells) => (typeof cells[at] === 'number' ? [cells[at]] : []))
  return numbers.length === 0
    ? { min: null, max: null }
    : { min: Math.min(...numbers) + 0, max: Math.max(...numbers) + 0 }
}

describe('bounds of a load', () => {
  it('are those of the rows', async () => {
    const rowSets = fc.array(row, { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(rowSets, async (rows) => {
        const found = await boundsAfter({ columns, rows, batchRows: 7 })
        expect(found).toEqual({ c0: ends(rows, 0), c1: ends(rows, 1), c3: ends(rows, 3), c4: ends(rows, 4) })
      }),
      { numRuns: 30 },
    )
  })

  it('hold where cells came outside their scale', async () => {
    const load = { columns: [column(0, 'number:2')], rows: [[100], [[9.1234]], [-250]] } satisfies TestLoad
    expect(await boundsAfter(load)).toEqual({ c0: { min: -25_000, max: 91_234 } })
  })
})
