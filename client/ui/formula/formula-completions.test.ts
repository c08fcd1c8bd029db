import { describe, expect, it } from 'vitest'
import { formulaCompletions, functionAt, signatureOf } from './formula-completions'
import type { FormulaNames } from '../../../src/shared/formula/names'

const names: FormulaNames = {
  dataset: {
    id: 'ds_00000000000000000001',
    name: 'Orders',
    columns: [
      { key: 'c0', label: 'Net amount', type: 'number' },
      { key: 'c1', label: 'Twice', type: 'text' },
      { key: 'c2', label: 'Twice', type: 'text' },
    ],
  },
  related: [
    { id: 'ds_00000000000000000002', name: 'Customers', columns: [{ key: 'c0', label: 'Since', type: 'date' }] },
  ],
  metrics: [{ id: 'met_00000000000000000001', name: 'Revenue', synonyms: [] }],
}

describe('what a formula may hold', () => {
  it('is columns with their types, those of other tables and of one name told apart, and metrics', () => {
    const columns = formulaCompletions('figures', names).filter(({ kind }) => kind !== 'function')
    expect(columns.map(({ text, about }) => [text, about])).toEqual([
      ['[Net amount]', 'Decimal number'],
      ['[Twice#c1]', 'Text'],
      ['[Twice#c2]', 'Text'],
      ['[Customers.Since]', 'Date'],
      ['[Revenue]', 'Metric'],
    ])
  })
  it('is, for each row, no aggregate and no metric', () => {
    const offered = formulaCompletions('rows', names).map(({ name }) => name)
    expect(offered).toEqual(expect.arrayContaining(['if', 'days', 'round', 'min']))
    expect(offered.filter((name) => ['sum', 'prev', 'Revenue'].includes(name))).toEqual([])
  })
  it('names every function once', () => {
    const offered = formulaCompletions('figures', names).map(({ text }) => text)
    expect(new Set(offered).size).toBe(offered.length)
  })
})

describe('the function at the caret', () => {
  const at = (marked: string) => {
    const found = functionAt(marked.replace('|', ''), marked.indexOf('|'), 'figures')
    return found && signatureOf(found)
  }
  it('is the innermost that is open, whatever names and texts hold', () => {
    expect(at('if(round([a (b], |')).toBe('round(a, decimals)')
    expect(at('if(round([A], 2), |')).toBe('if(condition, a, b)')
    expect(at('if((1 + "sum(", |')).toBe('if(condition, a, b)')
    expect(at('round([A])|')).toBeNull()
    expect(at('sm([A|')).toBeNull()
  })
  it('is of values once there are two of them', () => {
    expect(at('min([A|')).toBe('min(a)')
    expect(at('min([A], |')).toBe('min(a, b, …)')
  })
})
