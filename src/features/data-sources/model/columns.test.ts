import { describe, expect, it } from 'vitest'
import { columnsForCreate, columnsForLoad, type LoadColumnsInput } from './columns'
import type { ProductError } from '../../../shared/errors'
import type { FileColumn } from '../../../shared/data-sources/files'
import type { Column } from '../../../shared/data-sources/data-sources'

const file = (index: number, label: string, more: Partial<FileColumn> = {}): FileColumn => ({
  index,
  label,
  type: 'text',
  role: 'dimension',
  format: { style: 'plain' },
  include: true,
  ...more,
})
const amount = { type: 'number', role: 'measure', scale: 2 } as const
const existing: Column[] = columnsForCreate({
  columns: [file(0, 'Day', { type: 'date', role: 'time' }), file(1, 'Amount', amount), file(2, 'Note')],
  keyColumns: [],
}).columns
const load = (input: Partial<LoadColumnsInput>) =>
  columnsForLoad({ mode: 'replace', existing, columns: [], mapping: [], keyColumns: [], nextKey: 3, ...input })
const fieldsOf = (work: () => unknown): string[] => {
  try {
    work()
  } catch (error) {
    return Object.keys((error as ProductError).details['fields'] ?? {})
  }
  return []
}

describe('the columns of a new dataset', () => {
  it('take their key from the file and leave out what is not included', () => {
    const plan = columnsForCreate({
      columns: [file(2, 'C'), file(0, 'A'), file(1, 'B', { include: false })],
      keyColumns: [2],
    })
    expect(plan.columns.map(({ key, label }) => [key, label])).toEqual([
      ['c0', 'A'],
      ['c2', 'C'],
    ])
    expect(plan.keyColumns).toEqual(['c2'])
  })

  it('read what stands for no value as empty, unless a person keeps it, and never in a key', () => {
    const columns = [
      file(0, 'Region', { emptyMarker: 'NULL' }),
      file(1, 'Kept', { emptyMarker: '-', keepsMarker: true }),
      file(2, 'Key', { emptyMarker: 'NULL' }),
    ]
    const markers = ({ files }: { files: ReturnType<typeof columnsForCreate>['files'] }): unknown[] =>
      files.map((each) => each?.emptyMarker)
    expect(markers(columnsForCreate({ columns, keyColumns: [2] }))).toEqual(['NULL', undefined, undefined])
    const known = columnsForCreate({ columns, keyColumns: [] }).columns
    const mapping = known.map(({ key }, index) => ({ index, key }))
    expect(markers(load({ mode: 'upsert', existing: known, columns, mapping, keyColumns: ['c2'] }))).toEqual([
      'NULL',
      undefined,
      undefined,
    ])
  })

  it('are refused twice at one place, none at all, or with a key that is not loaded', () => {
    expect(fieldsOf(() => columnsForCreate({ columns: [file(0, 'A'), file(0, 'B')], keyColumns: [] }))).toEqual([
      'columns.1.index',
    ])
    expect(fieldsOf(() => columnsForCreate({ columns: [file(0, 'A', { include: false })], keyColumns: [] }))).toEqual([
      'columns',
    ])
    expect(fieldsOf(() => columnsForCreate({ columns: [file(0, 'A')], keyColumns: [1] }))).toEqual(['keyColumns.0'])
  })
})

describe('another file into the dataset', () => {
  it('keeps key, label, role and format of a mapped column when it replaces, and takes the type of the file', () => {
    const edited = existing.map((column) => ({ ...column, label: `My ${column.label}`, hidden: true }))
    const plan = load({
      existing: edited,
      columns: [file(0, 'Belopp', { ...amount, scale: 3 }), file(1, 'Dag', { type: 'date', role: 'time' })],
      mapping: [
        { index: 0, key: 'c1' },
        { index: 1, key: 'c0' },
      ],
    })
    expect(plan.columns).toMatchObject([
      { key: 'c0', label: 'My Day', type: 'date', hidden: true, fileIndex: 1 },
      { key: 'c1', label: 'My Amount', type: 'number', scale: 3, hidden: true, fileIndex: 0 },
    ])
    expect(plan.files.map((place) => place?.index)).toEqual([1, 0])
    expect(plan.lost).toEqual(['c2'])
  })

  it('gives a new column a key that no column ever had', () => {
    const plan = load({ mode: 'append', columns: [file(0, 'Extra')], nextKey: 9 })
    expect(plan.columns.map(({ key }) => key)).toEqual(['c0', 'c1', 'c2', 'c9'])
    expect(plan.files.map((place) => place?.index ?? null)).toEqual([null, null, null, 0])
    expect(plan.lost).toEqual([])
  })

  it('counts a column whose type changes as lost', () => {
    const plan = load({ columns: [file(0, 'Amount')], mapping: [{ index: 0, key: 'c1' }] })
    expect(plan.lost).toEqual(['c0', 'c1', 'c2'])
  })

  it('refuses another type on append and upsert with the column it stands in, but lets text take all and numbers whole ones', () => {
    const input = {
      mode: 'append' as const,
      columns: [file(0, 'Amount'), file(1, 'Day', { type: 'datetime' })],
      mapping: [
        { index: 0, key: 'c1' as const },
        { index: 1, key: 'c0' as const },
      ],
    }
    expect(fieldsOf(() => load(input)).toSorted()).toEqual(['columns.0.type', 'columns.1.type'])
    const fits = load({
      mode: 'append',
      columns: [file(0, 'Amount', { type: 'integer' }), file(1, 'Note', { type: 'date' })],
      mapping: [
        { index: 0, key: 'c1' },
        { index: 1, key: 'c2' },
      ],
    })
    expect(fits.columns.map(({ type, scale }) => [type, scale])).toEqual([
      ['date', undefined],
      ['number', 2],
      ['text', undefined],
    ])
  })

  it('refuses mappings to nowhere, from nowhere and twice, and upsert without a key that the file has', () => {
    const columns = [file(0, 'A'), file(1, 'B')]
    expect(fieldsOf(() => load({ columns, mapping: [{ index: 5, key: 'c0' }] }))).toEqual(['mapping.0.index'])
    expect(fieldsOf(() => load({ columns, mapping: [{ index: 0, key: 'c7' }] }))).toEqual(['mapping.0.key'])
    const twice = [
      { index: 0, key: 'c2' as const },
      { index: 1, key: 'c2' as const },
    ]
    expect(fieldsOf(() => load({ columns, mapping: twice }))).toEqual(['mapping.1'])
    expect(fieldsOf(() => load({ mode: 'upsert', columns }))).toEqual(['keyColumns'])
    expect(fieldsOf(() => load({ mode: 'upsert', columns, keyColumns: ['c0'] }))).toEqual(['keyColumns.0'])
  })
})

describe('amounts in the currency of their row', () => {
  const money = (currencyIndex: number, more: Partial<FileColumn> = {}) => ({ ...amount, currencyIndex, ...more })
  const code = (index: number) => file(index, 'Valuta', { role: 'currency' })
  const pairs = ({ columns }: { columns: Column[] }) => columns.map(({ key, currencyColumn }) => [key, currencyColumn])

  it('are so from the first load, wherever the file has its columns', () => {
    const plan = columnsForCreate({ columns: [code(4), file(2, 'Belopp', money(4)), file(0, 'A')], keyColumns: [] })
    expect(pairs(plan)).toEqual([
      ['c0', undefined],
      ['c2', 'c4'],
      ['c4', undefined],
    ])
  })

  it('are refused of texts, and by columns that are left out, no texts or not there', () => {
    const of = (...columns: FileColumn[]) => fieldsOf(() => columnsForCreate({ columns, keyColumns: [] }))
    expect(of(code(0), file(1, 'A', { currencyIndex: 0 }))).toEqual(['columns.1.currencyIndex'])
    for (const other of [file(0, 'V', { include: false }), file(0, 'V', amount)])
      expect(of(other, file(1, 'A', money(0)))).toEqual(['columns.1.currencyIndex'])
    expect(of(file(1, 'A', money(9)))).toEqual(['columns.0.currencyIndex'])
  })

  it('come with a column that another file adds, and never in place of what was said before', () => {
    const columns = [file(0, 'Amount', money(1)), code(1)]
    const added = load({ mode: 'append', columns, mapping: [] })
    expect(pairs(added).slice(-2)).toEqual([
      ['c3', 'c4'],
      ['c4', undefined],
    ])
    const said = existing.map((column): Column =>
      column.key === 'c1' ? { ...column, format: { style: 'currency', currency: 'SEK' } } : column,
    )
    const kept = load({ mode: 'append', existing: said, columns, mapping: [{ index: 0, key: 'c1' }] })
    expect(kept.columns[1]).toMatchObject({ key: 'c1', format: { style: 'currency', currency: 'SEK' } })
    expect(kept.columns[1]).not.toHaveProperty('currencyColumn')
  })
})
