import { describe, expect, it } from 'vitest'
import { complete, completionsAt, type Completion } from './completion'

const ALL: Completion[] = [
  { kind: 'function', name: 'sum', text: 'sum(', about: '' },
  { kind: 'function', name: 'safe_divide', text: 'safe_divide(', about: '' },
  { kind: 'column', name: 'Net amount', text: '[Net amount]', about: '' },
  { kind: 'column', name: 'Amount', text: '[Amount]', about: '' },
  { kind: 'metric', name: 'Sales', text: '[Sales]', about: '' },
]
const at = (marked: string) => {
  const caret = marked.indexOf('|')
  const formula = marked.replace('|', '')
  const list = completionsAt(formula, caret, ALL)
  return { formula, list, names: list?.items.map(({ name }) => name) ?? [] }
}
/** The formula with the first suggestion taken. */
const taken = (marked: string): string => {
  const { formula, list } = at(marked)
  const [first] = list?.items ?? []
  if (!list || !first) return formula
  const done = complete(formula, list, first.text)
  return `${done.formula.slice(0, done.caret)}|${done.formula.slice(done.caret)}`
}

describe('completion of a formula', () => {
  it('offers functions and names that begin as the word at the caret, then those with a later word that does', () => {
    expect(at('s|').names).toEqual(['sum', 'safe_divide', 'Sales'])
    expect(at('sum(am|').names).toEqual(['Amount', 'Net amount'])
  })
  it('offers names only within brackets, and replaces what is begun', () => {
    expect(at('sum([s|').names).toEqual(['Sales'])
    expect(taken('sum([am|])')).toBe('sum([Amount]|)')
    expect(taken('1 + su|')).toBe('1 + sum(|')
  })
  it('is silent within texts, after signs and where the word is written out', () => {
    expect(at('concat("am|').list).toBeNull()
    expect(at('[Amount] * |').list).toBeNull()
    expect(at('sum([Sales]|').list).toBeNull()
  })
})
