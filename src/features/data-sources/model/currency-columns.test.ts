import { describe, expect, it } from 'vitest'
import { applyColumnChange, addsCurrencyColumn } from './currency-columns'
import { columnsForLoad } from './columns'
import type { Column, UpdateDatasetInput } from '../../../shared/data-sources/data-sources'

const column = (key: Column['key'], given: Partial<Column> = {}): Column => ({
  ...{ key, label: key, type: 'text', role: 'dimension', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
  ...given,
})
const COLUMNS = [
  column('c0', { type: 'integer', role: 'measure', fileIndex: 0 }),
  column('c1', { role: 'currency', fileIndex: 1 }),
  column('c2', { type: 'number', scale: 2, role: 'measure', currencyColumn: 'c1', minorUnits: true, fileIndex: 2 }),
]
type Given = UpdateDatasetInput['columns'][number]
const given = (key: Column['key'], more: Partial<Given> = {}): Given => {
  const { label, role, format, hidden } = COLUMNS.find((each) => each.key === key) ?? column(key)
  return { key, label, role, format, hidden, ...more }
}
const after = (key: Column['key'], more: Partial<Given> = {}): Column =>
  applyColumnChange(COLUMNS.find((each) => each.key === key) ?? column(key), given(key, more), {
    columns: COLUMNS,
    index: 0,
  })

describe('money of a column', () => {
  it('stays as it is where nothing is said of it, goes with null, and comes with a column of texts', () => {
    expect(after('c2', { label: 'Total' })).toMatchObject({ label: 'Total', currencyColumn: 'c1', minorUnits: true })
    const none = after('c2', { currencyColumn: null })
    expect(none).not.toHaveProperty('currencyColumn')
    expect(none).not.toHaveProperty('minorUnits')
    expect(after('c0', { currencyColumn: 'c1', minorUnits: true })).toMatchObject({
      currencyColumn: 'c1',
      minorUnits: true,
    })
  })

  it('is refused for texts, for numbers as currencies, and for smallest units of nothing', () => {
    expect(() => after('c1', { currencyColumn: 'c1' })).toThrow()
    expect(() => after('c0', { currencyColumn: 'c2' })).toThrow()
    expect(() => after('c0', { currencyColumn: 'c9' })).toThrow()
    expect(() => after('c0', { minorUnits: true })).toThrow()
  })

  it('is new only where the pair is', () => {
    expect(addsCurrencyColumn(COLUMNS, [given('c2', { currencyColumn: 'c1' }), given('c0')])).toBe(false)
    expect(addsCurrencyColumn(COLUMNS, [given('c0', { currencyColumn: 'c1' })])).toBe(true)
    expect(addsCurrencyColumn(COLUMNS, [given('c2', { currencyColumn: null })])).toBe(false)
  })

  it('outlives another file in place of the rows', () => {
    const files = COLUMNS.map(({ label, type, role, format, scale }, index) => ({
      ...{ index, label, type, role, format, include: true },
      ...(scale === undefined ? {} : { scale }),
    }))
    const mapping = COLUMNS.map(({ key }, index) => ({ index, key }))
    const planned = columnsForLoad({
      mode: 'replace',
      existing: COLUMNS,
      columns: files,
      mapping,
      keyColumns: [],
      nextKey: 3,
    })
    expect(planned.columns[2]).toMatchObject({ currencyColumn: 'c1', minorUnits: true })
  })
})
