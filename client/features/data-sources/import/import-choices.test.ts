import { describe, expect, it } from 'vitest'
import { applyTargets, columnChoices, fitColumns, fitSettings, settingChoices, targetChoices } from './import-choices'
import { suggestTargets } from './column-mapping'
import { column, fileColumn, inspection } from '../data-sources.fixture'

const { settings, columns } = inspection()
const [kund = fileColumn(0), , belopp = fileColumn(2)] = columns

describe('settings that were chosen', () => {
  it('are those that were corrected and differ from what was detected, each with that', () => {
    const corrected = { delimiter: ',', dateOrder: 'dmy', skipLines: 3 } as const
    const chosen = { ...settings, ...corrected, decimalMark: '.' as const }
    expect(settingChoices(settings, chosen, corrected)).toEqual([
      { key: 'delimiter', detected: ';', chosen: ',' },
      { key: 'skipLines', detected: '0', chosen: '3' },
    ])
  })

  it('fit a file in which the same was detected, and are named where something else was', () => {
    const choices = [
      { key: 'delimiter', detected: ';', chosen: ',' },
      { key: 'encoding', detected: 'utf-8', chosen: 'macintosh' },
      // What was chosen then is detected now.
      { key: 'dateOrder', detected: 'mdy', chosen: 'dmy' },
    ] as const
    expect(fitSettings(settings, choices)).toEqual({ fitting: { delimiter: ',' }, leftOut: ['encoding'] })
  })
})

describe('columns that were changed', () => {
  it('are kept by their headings, a currency column too, and come back wherever they stand', () => {
    const edits = new Map([
      [0, { of: 'Kund', label: 'Customer', role: 'id' as const }],
      [2, { of: 'Belopp', currencyIndex: 0 }],
      // Made for another file, and nothing at all.
      [1, { of: 'Annat', include: false }],
    ])
    const choices = columnChoices(columns, edits)
    expect(choices).toEqual([
      { of: 'Kund', label: 'Customer', role: 'id' },
      { of: 'Belopp', currency: 'Kund' },
    ])
    const moved = inspection({
      columns: [
        { ...belopp, index: 0 },
        { ...kund, index: 1 },
      ],
    })
    expect(fitColumns(moved, choices)).toEqual({
      leftOut: [],
      fitting: new Map([
        [1, { of: 'Kund', label: 'Customer', role: 'id' }],
        [0, { of: 'Belopp', currencyIndex: 1 }],
      ]),
    })
  })

  it('are left out and named where a column is gone, or its cells are not of the type', () => {
    const choices = [
      { of: 'Borta', include: false },
      { of: 'Kund', type: 'integer' as const },
      { of: 'Datum', role: 'dimension' as const },
      { of: 'Belopp', currency: 'Valuta' },
    ]
    const { fitting, leftOut } = fitColumns(inspection(), choices)
    expect(leftOut).toEqual(['column “Borta”', 'type of “Kund”', 'column “Valuta”'])
    expect([...fitting.keys()]).toEqual([1, 2])
  })
})

describe('columns that went elsewhere', () => {
  const existing = [column('c0', { label: 'Kund' }), column('c7', { label: 'Notering' })]
  const headings = new Map(columns.map(({ label, index }) => [label, index]))
  const proposed = suggestTargets(columns, existing)

  it('are those that differ from the proposal, and go there again', () => {
    const chosen = new Map(proposed).set(0, { kind: 'column', key: 'c7' }).set(2, { kind: 'skip' })
    const choices = targetChoices(columns, chosen, proposed)
    expect(choices).toEqual([
      { of: 'Kund', to: 'c7' },
      { of: 'Belopp', to: 'skip' },
    ])
    expect(applyTargets(proposed, choices, { headings, existing })).toEqual(chosen)
  })

  it('are proposed as ever where either side is gone', () => {
    const choices = [
      { of: 'Kund', to: 'c9' as const },
      { of: 'Borta', to: 'c7' as const },
    ]
    expect(applyTargets(proposed, choices, { headings, existing })).toEqual(proposed)
  })
})
