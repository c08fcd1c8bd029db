import { expect, it } from 'vitest'
import { pairAmounts } from './row-currencies'
import { applyColumnEdits } from '../columns/file-column-edits'
import type { FileColumn } from '../../../../src/shared/data-sources/files'

const text = { type: 'text', role: 'dimension', format: { style: 'plain' }, include: true } as const
const number = { ...text, type: 'number', role: 'measure', scale: 2 } as const
const whole = { ...text, type: 'integer', role: 'measure' } as const
const currency = { ...text, index: 0, label: 'Currency', role: 'currency' } as const
const pairsOf = (columns: readonly FileColumn[]) =>
  columns.flatMap(({ label, currencyIndex }) => (currencyIndex === undefined ? [] : [label]))

it('puts amounts in the currencies that their rows name, and neither counts nor sizes', () => {
  const found: FileColumn[] = [
    currency,
    { ...whole, index: 1, label: 'Days' },
    { ...number, index: 2, label: 'Rental fee' },
    { ...number, index: 3, label: 'Deposit paid' },
    { ...number, index: 4, label: 'Length' },
    { ...whole, index: 5, label: 'Deck number' },
    { ...number, index: 6, label: 'Fee (EUR)', format: { style: 'currency', currency: 'EUR' } },
  ]
  expect(pairsOf(pairAmounts(found))).toEqual(['Rental fee', 'Deposit paid'])
})

it('leaves amounts that are named by nothing to the person', () => {
  expect(pairsOf(pairAmounts([currency, { ...number, index: 1, label: 'Temperature' }]))).toEqual([])
})

it('is taken back by the person', () => {
  const found = pairAmounts([currency, { ...number, index: 1, label: 'Amount' }])
  expect(pairsOf(applyColumnEdits(found, new Map([[1, { of: 'Amount', currencyIndex: null }]])))).toEqual([])
})

it('ends where the column of currencies is left out', () => {
  const found = pairAmounts([currency, { ...number, index: 1, label: 'Amount' }])
  expect(pairsOf(applyColumnEdits(found, new Map([[0, { of: 'Currency', include: false }]])))).toEqual([])
})
