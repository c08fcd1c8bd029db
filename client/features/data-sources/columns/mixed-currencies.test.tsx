import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { MixedCurrencies } from './mixed-currencies'
import { column, dataset } from '../data-sources.fixture'
import { setSession } from '../../../lib/session'
import { jsonResponse, mockServer } from '../../../test/mock-server'
import { pageDataOnPlan } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'

const AMOUNT = column('c0', { label: 'Belopp', type: 'number', role: 'measure', scale: 2 })
const CURRENCY = column('c1', { label: 'Valuta', role: 'currency' })
const answers = (...codes: (string | null)[]) =>
  mockServer({
    'POST /api/query': () => jsonResponse({ rows: codes.map((code) => [code, 3]), columns: [], datasets: [] }),
  })
const show = (amount = AMOUNT) =>
  renderWithProviders(<MixedCurrencies dataset={dataset({ columns: [amount, CURRENCY] })} />)

it('says which currencies are added as if they were one, and what mends it', async () => {
  setSession(pageDataOnPlan('analyst', 'professional'))
  answers('SEK', 'EUR', null)
  await show()
  expect(await screen.findByText(/^Belopp: EUR and SEK are added without conversion\. Set “Valuta” as/)).toBeVisible()
})

it('says nothing where all rows are in one currency, and asks nothing where amounts are in those of their rows', async () => {
  setSession(pageDataOnPlan('analyst', 'standard'))
  const calls = answers('SEK', null)
  const one = await show()
  await waitFor(() => expect(calls).toHaveLength(1))
  expect(screen.queryByText('Different currencies added')).toBeNull()
  one.unmount()
  await show({ ...AMOUNT, currencyColumn: 'c1' })
  expect(calls).toHaveLength(1)
})
