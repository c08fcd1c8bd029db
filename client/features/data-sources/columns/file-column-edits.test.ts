import { describe, expect, it } from 'vitest'
import { applyColumnEdits, validateColumns, fileColumnsReducer, NO_FILE_COLUMN_EDITS } from './file-column-edits'
import type { FileColumnEdit } from './file-column-edits'
import { fileColumn } from '../data-sources.fixture'

const amount = fileColumn(2, { label: 'Belopp', type: 'number', role: 'measure', scale: 2, decimalMark: ',' })
const customer = fileColumn(0, { label: 'Kund' })
const edited = (...changes: FileColumnEdit[]) =>
  changes.reduce(
    (edits, edit) => fileColumnsReducer(edits, { kind: 'change', column: amount, edit }),
    NO_FILE_COLUMN_EDITS,
  )

describe('edits of columns before a load', () => {
  it('lays later edits over earlier ones and leaves other columns alone', () => {
    const [first, second] = applyColumnEdits([customer, amount], edited({ label: 'Sum' }, { role: 'dimension' }))
    expect(first).toBe(customer)
    expect(second).toEqual({ ...amount, label: 'Sum', role: 'dimension' })
  })

  it('gives a column of another type a role and format that fit, and drops the scale', () => {
    const money = fileColumnsReducer(edited({ format: { style: 'currency', currency: 'SEK' } }), {
      kind: 'change',
      column: amount,
      edit: { type: 'text' },
    })
    const [column] = applyColumnEdits([amount], money)
    expect(column).toMatchObject({ type: 'text', role: 'dimension', format: { style: 'plain' } })
    expect(column).not.toHaveProperty('scale')
  })

  it('reads whole numbers that are to be dates as day numbers, and texts as written dates', () => {
    const toDate = (column: typeof amount, edit: FileColumnEdit = { type: 'date' }) =>
      applyColumnEdits([column], fileColumnsReducer(NO_FILE_COLUMN_EDITS, { kind: 'change', column, edit }))[0]
    expect(toDate(fileColumn(0, { type: 'integer' }))).toMatchObject({ type: 'date', serialDates: true })
    expect(toDate(fileColumn(0, { type: 'text' }))).not.toHaveProperty('serialDates')
    const found = fileColumn(0, { type: 'date', role: 'time', serialDates: true })
    expect(toDate(found, { label: 'Day' })).toMatchObject({ serialDates: true })
    expect(toDate(found, { type: 'integer' })).not.toHaveProperty('serialDates')
  })

  it('keeps the scale that was found, and takes the counted one for a new number', () => {
    expect(applyColumnEdits([amount], edited({ label: 'Sum' }))[0]?.scale).toBe(2)
    const edits = fileColumnsReducer(NO_FILE_COLUMN_EDITS, {
      kind: 'change',
      column: customer,
      edit: { type: 'number', scale: 3 },
    })
    expect(applyColumnEdits([customer], edits)[0]).toMatchObject({ type: 'number', role: 'measure', scale: 3 })
  })

  it('can take a column’s own decimal mark away again', () => {
    expect(applyColumnEdits([amount], edited({ decimalMark: undefined }))[0]).not.toHaveProperty('decimalMark')
  })

  it('passes edits over when another reading put another column in that place', () => {
    const other = fileColumn(2, { label: 'Land' })
    expect(applyColumnEdits([other], edited({ label: 'Sum' }))[0]).toBe(other)
  })

  it('goes back to what was found', () => {
    expect(
      applyColumnEdits([amount], fileColumnsReducer(edited({ label: 'Sum' }), { kind: 'reset', index: 2 }))[0],
    ).toBe(amount)
  })

  it('says before the load why it would be refused', () => {
    expect(validateColumns([{ ...amount, include: false }])).toBe('Import at least one column.')
    expect(validateColumns([{ ...amount, label: ' ' }])).toBe('Enter a name for every imported column.')
    expect(validateColumns([customer, amount], [0, 30], 100)).toContain('“Belopp”')
    expect(validateColumns([customer, amount], [0, 20], 100)).toBeNull()
    expect(validateColumns([customer, { ...amount, include: false }], [0, 30], 100)).toBeNull()
  })
})
