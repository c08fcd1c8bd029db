import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateMapping, toMappingInput, missingColumns, suggestTargets, assignTarget } from './column-mapping'
import { column, fileColumn } from '../data-sources.fixture'

const existing = [
  column('c0', { label: 'Kund' }),
  column('c1', { label: 'Belopp', type: 'number', role: 'measure', scale: 2, fileIndex: 1 }),
]

describe('where the columns of a file go', () => {
  it('matches by name whatever the case and order', () => {
    const targets = suggestTargets([fileColumn(0, { label: 'BELOPP' }), fileColumn(1, { label: ' kund' })], existing)
    expect(targets.get(0)).toEqual({ kind: 'column', key: 'c1' })
    expect(targets.get(1)).toEqual({ kind: 'column', key: 'c0' })
  })

  it('matches a renamed column by its place and type, and adds what finds no partner', () => {
    const file = [
      fileColumn(0, { label: 'Customer' }),
      fileColumn(1, { label: 'Amount' }),
      fileColumn(2, { label: 'Land' }),
    ]
    const targets = suggestTargets(file, existing)
    expect(targets.get(0)).toEqual({ kind: 'column', key: 'c0' })
    expect(targets.get(1)).toEqual({ kind: 'new' })
    expect(targets.get(2)).toEqual({ kind: 'new' })
    expect(missingColumns(targets, existing).map(({ key }) => key)).toEqual(['c1'])
  })

  it('never uses a column of the dataset twice', () => {
    const labels = fc.constantFrom('Kund', 'kund', 'Belopp', 'Land', 'X')
    fc.assert(
      fc.property(fc.array(labels, { maxLength: 8 }), (names) => {
        const targets = suggestTargets(
          names.map((label, index) => fileColumn(index, { label })),
          existing,
        )
        const keys = [...targets.values()].flatMap((target) => (target.kind === 'column' ? [target.key] : []))
        expect(new Set(keys).size).toBe(keys.length)
        expect(targets.size).toBe(names.length)
      }),
    )
  })

  it('frees the column that held a target before', () => {
    const file = [fileColumn(0, { label: 'Kund' }), fileColumn(1, { label: 'Kund 2' })]
    const targets = assignTarget(suggestTargets(file, existing), 1, { kind: 'column', key: 'c0' })
    expect(targets.get(0)).toEqual({ kind: 'new' })
    expect(targets.get(1)).toEqual({ kind: 'column', key: 'c0' })
  })

  it('reads a matched column as the type that is there, unless all rows are replaced', () => {
    const file = [fileColumn(0, { label: 'Belopp', type: 'integer', role: 'measure' })]
    const targets = suggestTargets(file, existing)
    const append = toMappingInput({ mode: 'append', targets, file, existing })
    expect(append.columns[0]).toMatchObject({ type: 'number', scale: 2 })
    expect(append.mapping).toEqual([{ index: 0, key: 'c1' }])
    expect(toMappingInput({ mode: 'replace', targets, file, existing }).columns[0]?.type).toBe('integer')
  })

  it('leaves skipped columns out of the load', () => {
    const file = [fileColumn(0, { label: 'Kund' })]
    const { columns, mapping } = toMappingInput({
      mode: 'append',
      targets: assignTarget(suggestTargets(file, existing), 0, { kind: 'skip' }),
      file,
      existing,
    })
    expect(columns[0]?.include).toBe(false)
    expect(mapping).toEqual([])
  })

  it('says what is missing before an update by key', () => {
    const targets = suggestTargets([fileColumn(0, { label: 'Kund' })], existing)
    expect(validateMapping({ mode: 'upsert', targets, keyColumns: [] })).toContain('key columns')
    expect(validateMapping({ mode: 'upsert', targets, keyColumns: ['c1'] })).toContain('must have')
    expect(validateMapping({ mode: 'upsert', targets, keyColumns: ['c0'] })).toBeNull()
    expect(validateMapping({ mode: 'append', targets, keyColumns: [] })).toBeNull()
  })
})
