import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine, neutralizeFormula } from './csv-line'

describe('writing CSV', () => {
  it('keeps numbers as numbers, negative ones too, and leaves nothing for nothing', () => {
    expect(csvLine([1, -2.5, null, 'a'])).toBe('1,-2.5,,a\r\n')
  })

  it.each([
    '=1+1',
    '+46',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    '"=1',
    ';=1',
    ', "-1',
    '\u0001=1',
    '\u007f\u0085+1',
    '\uffff=1',
  ])('shows %j as text', (text) => {
    expect(neutralizeFormula(text)).toMatch(/^'/)
  })

  it('shows what follows a line break as text too', () => {
    expect(neutralizeFormula('a\n=1\r\n"+2')).toBe(`a\n'=1\r\n'"+2`)
    expect(neutralizeFormula('a\n\u0002=1')).toBe(`a\n'\u0002=1`)
  })

  it('leaves plain text alone and quotes what would break the record', () => {
    expect(csvLine(['Åsa', 'a,b', 'say "hi"', 'two\nlines', 'x;y'])).toBe(
      'Åsa,"a,b","say ""hi""","two\nlines","x;y"\r\n',
    )
  })

  it('lets no text begin a cell as a formula, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (cells) => {
        for (const cell of cells) expect(neutralizeFormula(cell)).not.toMatch(/(^|[\n\r])[\s";,]*[=+\-@＝＋－＠]/)
      }),
    )
  })
})
