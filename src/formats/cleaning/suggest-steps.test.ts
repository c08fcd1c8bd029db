import { describe, expect, it } from 'vitest'
import { inspectCleaned } from './inspect-cleaned'
import { inspectCsv } from '../inference/inspect-csv'
import type { CleaningStep, CleaningSuggestion } from '../../shared/data-sources/cleaning'

const inspected = (lines: readonly string[], steps: CleaningStep[] = []) => {
  const head = new TextEncoder().encode([...lines, ''].join('\n'))
  const sample = { fileName: 'sales.csv', head, size: head.length }
  return inspectCleaned({ sample, found: inspectCsv(sample, {}), table: null, steps, given: {} }).cleaning
}
const offeredBy = (lines: readonly string[], kind: CleaningStep['kind']): CleaningSuggestion | undefined =>
  inspected(lines).suggestions.find(({ steps }) => steps[0]?.kind === kind)
const repeated = (lines: readonly string[], times: number): string[] =>
  Array.from({ length: times }, () => lines).flat()

describe('a step that is offered', () => {
  it('trims as many cells as it says, those of figures among them', () => {
    const lines = ['Customer;Amount', 'Alfa ;1,50 ', ' Beta;2,25', '\u200bGamma;3,75 ', 'Delta;4,00']
    const offered = offeredBy(lines, 'trim')
    expect(offered?.effect).toEqual({ kind: 'changeCells', cells: 5 })
    expect(inspected(lines, offered?.steps).effects).toMatchObject([{ cellsChanged: 5 }])
    expect(offeredBy(['Customer;Amount', 'Alfa;1,50 ', 'Beta;2,25'], 'trim')).toBeUndefined()
  })

  it('removes totals and no row that only starts as they do', () => {
    const rows = ['North;Chair;1', 'South;Table;2', 'West;Chair;3', 'East;Table;4', 'Mid;Chair;5', 'Far;Chair;6']
    const named = [...rows, 'Summaform AB;Chair;7', 'Summa\u00e5s;Chair;7', 'Summa;;21']
    const removes = (count: number) => ({ effect: { kind: 'removeRows', rows: count }, sampled: null })
    expect(offeredBy(['Region;Product;Amount', ...named], 'dropTotals')).toEqual({
      ...{ steps: [{ kind: 'dropTotals' }], ...removes(1) },
    })
    const begun = [...rows, 'Summaform AB;Chair;7', 'Summa nord;;21']
    expect(offeredBy(['Region;Product;Amount', ...begun], 'dropRows')).toEqual({
      steps: [{ kind: 'dropRows', column: 'Region', when: 'is', value: 'Summa nord' }],
      ...removes(1),
    })
    const plain = [...rows, 'Summa nord;;3', 'summa;;21']
    expect(offeredBy(['Region;Product;Amount', ...plain], 'dropRows')).toEqual({
      steps: [{ kind: 'dropRows', column: 'Region', when: 'startsWith', value: 'Summa' }],
      ...removes(2),
    })
    expect(offeredBy(['Region;Product;Amount', ...rows, 'Summa\u00e5s;Chair;7'], 'dropRows')).toBeUndefined()
  })

  it('changes the case of a column only where it is right for all values, and else what is written otherwise', () => {
    const cased = ['City;Amount', ...repeated(['Lund;1', 'Kiruna;2', 'Lund;3', 'Kiruna;3'], 2), 'LUND;5', 'kiruna;6']
    expect(offeredBy(cased, 'case')).toEqual({
      steps: [{ kind: 'case', columns: ['City'], to: 'title' }],
      ...{ effect: { kind: 'mergeSpellings', column: 'City', spellings: 4, values: 2 }, sampled: null },
    })
    const firms = ['Customer;Amount', ...repeated(['Alfa AB;1', 'Bo Ek;2'], 4), 'ALFA AB;5', 'alfa ab;6', 'bo ek;7']
    const offered = offeredBy(firms, 'mapValues')
    const values = [
      { from: 'ALFA AB', to: 'Alfa AB' },
      { from: 'alfa ab', to: 'Alfa AB' },
      { from: 'bo ek', to: 'Bo Ek' },
    ]
    expect([offeredBy(firms, 'case'), offered]).toEqual([
      undefined,
      {
        steps: [{ kind: 'mapValues', columns: ['Customer'], values }],
        ...{ effect: { kind: 'mergeSpellings', column: 'Customer', spellings: 5, values: 2 }, sampled: null },
      },
    ])
    expect(inspected(firms, offered?.steps)).toMatchObject({ suggestions: [], effects: [{ cellsChanged: 3 }] })
  })

  it('says of which rows its figures are where they are not all', () => {
    const lines = (times: number) => ['City;Amount', ...repeated(['Lund ;1', 'Umeå;2'], times)]
    const trimmed = { effect: { kind: 'changeCells', cells: 2500 } }
    expect(offeredBy(lines(2500), 'trim')).toMatchObject({ ...trimmed, sampled: null })
    expect(inspected(lines(2500))).toMatchObject({ rowsRead: 5000, exact: true })
    expect(offeredBy(lines(2501), 'trim')).toMatchObject({ ...trimmed, sampled: 5000 })
    expect(inspected(lines(2501))).toMatchObject({ rowsRead: 5000, exact: false })
    const wide = (times: number) => ['City;2026-01;2026-02', ...repeated(['Lund;1;2', 'Umeå;2;3'], times)]
    expect(offeredBy(wide(3000), 'unpivot')).toMatchObject({
      effect: { kind: 'turnColumns', period: 'Month', columns: 2, rows: 5000, into: 10_000 },
      sampled: 5000,
    })
  })
})
