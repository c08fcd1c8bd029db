import { describe, expect, it } from 'vitest'
import { dateExample, decimalExample, namesMonths } from './parsed-examples'
import { fileColumn, inspection } from '../data-sources.fixture'

const input = { ...inspection(), locale: 'sv-SE', dateLocale: null }

describe('proof of how a file is read', () => {
  it('writes an amount as the workspace does, with every decimal of the file', () => {
    expect(decimalExample(input)).toEqual({
      column: 'Belopp',
      raw: '1 234,50',
      words: '1\u00a0234,50',
    })
  })

  it('reads a date out with its month by name', () => {
    expect(dateExample(input)).toEqual({ column: 'Datum', raw: '03.04.2026', words: '3 April 2026' })
    expect(dateExample({ ...input, dateLocale: 'sv-SE' })?.words).toBe('3 april 2026')
  })

  it('knows dates that name their month, whose order is not asked', () => {
    const dated = (...dates: string[]) => namesMonths({ ...input, preview: dates.map((date) => ['', date]) })
    expect(dated('03 Apr 2021', '4-maj-2021')).toBe(true)
    for (const dates of [['03 Apr 2021', '2021-04-04'], ['Mon 03/04/2021'], ['03.04.2026'], []])
      expect(dated(...dates), dates.join()).toBe(false)
  })

  it('follows the order of a column before that of the file', () => {
    const columns = [fileColumn(1, { label: 'Datum', type: 'date', role: 'time', dateOrder: 'mdy' })]
    expect(dateExample({ ...input, columns })?.words).toBe('4 March 2026')
  })

  it('says nothing about whole numbers, left-out columns and cells it cannot read', () => {
    const amounts = fileColumn(0, { type: 'number', role: 'measure' })
    const at = (raw: string, over = {}) =>
      decimalExample({ ...input, columns: [{ ...amounts, ...over }], preview: [[raw]] })
    expect(at('1 234')).toBeNull()
    expect(at('12,00')).toBeNull()
    expect(at('n/a')).toBeNull()
    expect(at('12,50', { include: false })).toBeNull()
    expect(at('-0,5')?.words).toBe('−0,5')
    expect(at('3,01')?.words).toBe('3,01')
  })
})
