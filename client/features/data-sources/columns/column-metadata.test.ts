import { describe, expect, it } from 'vitest'
import type { ColumnMetadataEdit } from './column-metadata'
import {
  changedColumns,
  withMetadataEdits,
  columnMetadataReducer,
  hasMetadataChanges,
  NO_METADATA_EDITS,
} from './column-metadata'
import { suggestCurrencyColumn } from '../../../../src/shared/currencies'
import type { Column } from '../../../../src/shared/data-sources/data-sources'

const column = (key: Column['key'], given: Partial<Column>): Column => ({
  ...{ key, label: key, type: 'text', role: 'dimension', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
  ...given,
})
const COLUMNS = [
  column('c0', { type: 'number', scale: 2, role: 'measure' }),
  column('c1', { role: 'currency' }),
  column('c2', { type: 'integer', role: 'measure', currencyColumn: 'c1', minorUnits: true }),
]
const edit = (key: Column['key'], change: ColumnMetadataEdit) =>
  columnMetadataReducer(NO_METADATA_EDITS, { kind: 'change', key, edit: change })

describe('money of a column', () => {
  it('is proposed for plain amounts beside a currency column, and for nothing else', () => {
    expect(COLUMNS.map((each) => suggestCurrencyColumn(each, COLUMNS))).toEqual(['c1', null, null])
    const priced = column('c0', { type: 'number', role: 'measure', format: { style: 'currency', currency: 'SEK' } })
    expect(suggestCurrencyColumn(priced, COLUMNS)).toBeNull()
    expect(suggestCurrencyColumn(column('c0', { type: 'integer', role: 'id' }), COLUMNS)).toBeNull()
    for (const label of ['Antal', 'quantity', 'order_qty', 'Rabatt %', 'Valutakurs'])
      expect(suggestCurrencyColumn(column('c0', { label, type: 'integer', role: 'measure' }), COLUMNS)).toBeNull()
  })

  it('is sent only where it was changed', () => {
    expect(changedColumns(COLUMNS, edit('c0', { currencyColumn: 'c1' }))).toMatchObject([
      { key: 'c0', currencyColumn: 'c1' },
    ])
    const renamed = changedColumns(COLUMNS, edit('c2', { label: 'Total' }))[0]
    expect(renamed).not.toHaveProperty('currencyColumn')
    expect(renamed).not.toHaveProperty('minorUnits')
  })

  it('goes when the amounts are in one currency or in none, and its smallest unit with the latter', () => {
    const none = edit('c2', { currencyColumn: null, format: { style: 'plain' } })
    expect(withMetadataEdits(COLUMNS, none)[2]).not.toHaveProperty('currencyColumn')
    expect(withMetadataEdits(COLUMNS, none)[2]).not.toHaveProperty('minorUnits')
    expect(changedColumns(COLUMNS, none)).toMatchObject([{ currencyColumn: null, minorUnits: false }])
    const fixed = edit('c2', { currencyColumn: null, format: { style: 'currency', currency: 'SEK' } })
    expect(withMetadataEdits(COLUMNS, fixed)[2]).toMatchObject({ minorUnits: true })
    expect(hasMetadataChanges(COLUMNS, edit('c2', { minorUnits: false }))).toBe(true)
    expect(hasMetadataChanges(COLUMNS, edit('c2', { minorUnits: true }))).toBe(false)
  })
})
