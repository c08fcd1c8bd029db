import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useReducer } from 'react'
import { expect, it } from 'vitest'
import { applyColumnEdits, fileColumnsReducer, NO_FILE_COLUMN_EDITS, type FileColumnEdit } from './file-column-edits'
import { CurrencySuggestion } from './currency-suggestion'
import { setSession } from '../../../lib/session'
import { pageDataOnPlan } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import type { FileColumn } from '../../../../src/shared/data-sources/files'

const text = { type: 'text', role: 'dimension', format: { style: 'plain' }, include: true } as const
const money = { ...text, type: 'number', role: 'measure', scale: 2 } as const
const FOUND: FileColumn[] = [
  { ...text, index: 0, label: 'Kund' },
  { ...money, index: 1, label: 'Belopp' },
  { ...money, index: 2, label: 'Moms' },
  { ...money, index: 3, label: 'Frakt (EUR)', format: { style: 'currency', currency: 'EUR' } },
  { ...text, index: 4, label: 'Valuta', role: 'currency' },
]

function Preview() {
  const [edits, act] = useReducer(fileColumnsReducer, NO_FILE_COLUMN_EDITS)
  const columns = applyColumnEdits(FOUND, edits)
  const change = (at: number, edit: FileColumnEdit) => {
    const column = FOUND[at]
    if (column) act({ kind: 'change', column, edit })
  }
  return (
    <>
      <CurrencySuggestion columns={columns} onEdit={change} />
      <output>{JSON.stringify(columns.map(({ currencyIndex, format }) => [currencyIndex ?? null, format]))}</output>
      <button onClick={() => change(4, { include: false })}>Exclude Valuta</button>
      <button onClick={() => change(1, { format: { style: 'currency', currency: 'SEK' }, currencyIndex: null })}>
        Belopp in SEK
      </button>
    </>
  )
}
const shown = (): [number | null, FileColumn['format']][] =>
  JSON.parse(document.querySelector('output')?.textContent ?? '[]')
const pairs = () => shown().map(([index]) => index)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('is only asked, taken by the person, changed for one amount, and taken back', async () => {
  setSession(pageDataOnPlan('analyst', 'professional'))
  await renderWithProviders(<Preview />)
  expect(await screen.findByText(/Use the currency in “Valuta” for Belopp and Moms/)).toBeVisible()
  expect(pairs()).toEqual([null, null, null, null, null])
  await press('Use row currency')
  expect(pairs()).toEqual([null, 4, 4, null, null])
  await press('Belopp in SEK')
  expect(pairs()).toEqual([null, null, 4, null, null])
  expect(shown()[1]?.[1]).toEqual({ style: 'currency', currency: 'SEK' })
  await press('Undo')
  expect(pairs()).toEqual([null, null, null, null, null])
})

it('ends with the column that names the currencies', async () => {
  setSession(pageDataOnPlan('analyst', 'professional'))
  await renderWithProviders(<Preview />)
  await press('Use row currency')
  await press('Exclude Valuta')
  expect(pairs()).toEqual([null, null, null, null, null])
  expect(screen.queryByText('Currencies')).toBeNull()
})

it('is not asked where the plan knows of one currency', async () => {
  setSession(pageDataOnPlan('analyst', 'standard'))
  await renderWithProviders(<Preview />)
  expect(screen.queryByText('Currencies')).toBeNull()
})
