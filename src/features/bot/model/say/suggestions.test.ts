import { expect, it } from 'vitest'
import { starterQuestions } from './suggestions'
import type { VocabularyColumn } from '../contract'

const column = (label: string, type: 'date' | 'text' | 'number', role: VocabularyColumn['role']): VocabularyColumn => ({
  ...{ key: `c${label.length}`, label, type, role, distinct: 12, format: { style: 'plain' } },
})
const starters = (amount: string): string[] =>
  starterQuestions({
    datasets: [
      {
        ...{ id: 'ds_00000000000000000000', name: 'Order', rowCount: 900 },
        columns: [
          column('Datum', 'date', 'time'),
          column('Kund', 'text', 'dimension'),
          column(amount, 'number', 'measure'),
        ],
      },
    ],
    ...{ relations: [], metrics: [], groupings: [], things: [], glossary: [], verified: [] },
  })
it('suggests totals of amounts, and never of what one piece costs', () => {
  expect(starters('Belopp')).toContain('Total belopp by month')
  expect(starters('Á-pris').filter((each) => each.startsWith('Total'))).toEqual([])
})
