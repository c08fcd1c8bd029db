import { describe, expect, it } from 'vitest'
import { compareColumns, driftSentence, type TableDrift } from './table-drift'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey, ColumnType, FileColumn } from '../../shared/data-sources/files'

const EXISTING: Column[] = (
  [
    ['c0', 'id', 'integer'],
    ['c1', 'amount', 'number'],
    ['c2', 'note', 'text'],
    ['c3', 'day', 'date'],
  ] as const
).map(([key, label, type], fileIndex) => ({
  key,
  label,
  type,
  fileIndex,
  role: 'dimension',
  format: { style: 'plain' },
  hidden: false,
}))
const KNOWN: Record<string, ColumnKey> = { id: 'c0', amount: 'c1', note: 'c2', day: 'c3' }
const AS_IT_WAS: [string, ColumnType][] = [
  ['id', 'integer'],
  ['amount', 'number'],
  ['note', 'text'],
  ['day', 'date'],
]

function driftTo(now: [string, ColumnType][], over: Partial<Parameters<typeof compareColumns>[0]> = {}): TableDrift {
  const columns = now.map(([label, type], index): FileColumn => ({
    ...{ index, label, type, role: 'dimension', format: { style: 'plain' }, include: true },
  }))
  const names = now.map(([label]) => label)
  return compareColumns({ existing: EXISTING, known: KNOWN, columns, names, widens: true, keepsTypes: false, ...over })
}
const changed = (name: string, type: ColumnType): [string, ColumnType][] =>
  AS_IT_WAS.map(([known, before]) => [known, known === name ? type : before])
const told = (drift: TableDrift): object => ({
  added: drift.added,
  gone: drift.gone.map(({ label }) => label),
  retyped: drift.retyped.map(({ label }) => label),
})

describe('a table at its source', () => {
  it('is the same whatever the order and the capitals of its columns are', () => {
    const drift = driftTo([...AS_IT_WAS].reverse().map(([name, type]) => [name.toUpperCase(), type]))
    expect(told(drift)).toEqual({ added: [], gone: [], retyped: [] })
    expect(drift.mapping.map(({ key }) => key)).toEqual(['c3', 'c2', 'c1', 'c0'])
    expect(driftSentence(drift, 'Orders')).toBeNull()
  })
  it('keeps columns apart that differ by capitals alone, in any order', () => {
    const now: [string, ColumnType][] = [['Note', 'text'], ...AS_IT_WAS]
    expect(told(driftTo(now))).toEqual({ added: ['Note'], gone: [], retyped: [] })
    expect(driftTo(now).mapping.find(({ key }) => key === 'c2')?.index).toBe(3)
    const known: Record<string, ColumnKey> = { ...KNOWN, Note: 'c4' }
    const more = { key: 'c4', label: 'Note', type: 'text', fileIndex: 4, role: 'dimension', hidden: false } as const
    const existing: Column[] = [...EXISTING, { ...more, format: { style: 'plain' } }]
    expect(driftTo(now, { known, existing }).mapping.map(({ index, key }) => [index, key])).toEqual([
      ...[
        [0, 'c4'],
        [1, 'c0'],
        [2, 'c1'],
        [3, 'c2'],
        [4, 'c3'],
      ],
    ])
  })
  it('may get columns without anything being stopped', () => {
    const drift = driftTo([...AS_IT_WAS, ['colour', 'text']])
    expect(told(drift)).toEqual({ added: ['colour'], gone: [], retyped: [] })
    expect(driftSentence(drift, 'Orders')).toBeNull()
  })
  it('is said to have lost a column, and what that may be called now', () => {
    const [, ...rest] = AS_IT_WAS
    expect(driftSentence(driftTo(rest), 'Orders')).toBe('“id” no longer in Orders.')
    const renamed = driftTo([['order_id', 'integer'], ...rest])
    expect(told(renamed)).toEqual({ added: ['order_id'], gone: ['id'], retyped: [] })
    expect(driftSentence(renamed, 'Orders')).toBe('“id” no longer in Orders. It may now be called “order_id”.')
  })
  it.each([
    ['amount', 'integer', null],
    ['note', 'date', null],
    ['id', 'number', null],
    ['id', 'text', '“id” in Orders held whole numbers and now holds text.'],
    ['day', 'text', '“day” in Orders held dates and now holds text.'],
    ['day', 'datetime', '“day” in Orders held dates and now holds times.'],
  ] as const)('keeps the type of %s where its values are %s and fit, else says so', (name, type, sentence) => {
    expect(driftSentence(driftTo(changed(name, type)), 'Orders')).toBe(sentence)
  })
  it('takes no decimals into whole numbers beside rows that stay', () => {
    expect(told(driftTo(changed('id', 'number'), { widens: false }))).toMatchObject({ retyped: ['id'] })
  })
  it('says nothing of types while it has no rows', () => {
    expect(told(driftTo(changed('day', 'text'), { keepsTypes: true }))).toMatchObject({ retyped: [] })
  })
})
