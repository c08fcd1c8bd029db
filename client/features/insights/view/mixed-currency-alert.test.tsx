import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { MixedCurrencyAlert } from './mixed-currency-alert'
import { mixedCurrencyLines } from '../../../lib/error-details'
import { ORDERS } from '../insights.fixture'
import { ApiError } from '../../../lib/api'
import { setSession } from '../../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer } from '../../../test/mock-server'
import type { QueryPlan } from '../../../../src/shared/query/plan'

const LINES = [
  { measure: 0, currency: 'EUR', amount: '66367.54', rows: 128 },
  { measure: 0, currency: null, amount: '12', rows: 1 },
]
const PLAN: QueryPlan = {
  ...{ v: 1, kind: 'aggregate', dataset: ORDERS.id, dimensions: [], filters: [] },
  measures: [{ kind: 'column', agg: 'sum', field: { dataset: ORDERS.id, column: 'c1' } }],
}
const SETTINGS = { settings: { code: 'NOK', mode: 'closing', version: 1 } }

it('shows amounts of several currencies apart, and converts them at one press as the workspace does', async () => {
  setSession(memberPageData('analyst'))
  mockServer({
    'GET /api/currencies': () => jsonResponse(SETTINGS),
    [`GET /api/datasets/${ORDERS.id}`]: () => jsonResponse(ORDERS),
  })
  const pressed: unknown[] = []
  await renderWithProviders(
    <MixedCurrencyAlert plan={PLAN} lines={LINES} onConvert={(currency) => pressed.push(currency)} />,
  )
  await screen.findByText(/66\s367,54 EUR/)
  screen.getByText('128 rows')
  screen.getByText('12 without a currency')
  await userEvent.click(await screen.findByRole('button', { name: 'Convert to NOK' }))
  expect(pressed).toEqual([{ code: 'NOK', mode: 'closing' }])
})

it('names the plan that converts where this one does not', async () => {
  setSession(pageDataOnPlan('owner', 'standard'))
  mockServer({ [`GET /api/datasets/${ORDERS.id}`]: () => jsonResponse(ORDERS) })
  await renderWithProviders(<MixedCurrencyAlert plan={PLAN} lines={LINES} onConvert={() => undefined} />)
  await screen.findByText(/66\s367,54 EUR/)
  expect(screen.queryByRole('button', { name: /Convert/ })).toBeNull()
})

it('knows the refusal by its code alone', () => {
  const refusal = (body: object) => new ApiError(422, { code: 'mixed_currency', message: '', requestId: '', ...body })
  expect(mixedCurrencyLines(refusal({ currencies: ['EUR'], lines: LINES }))).toEqual(LINES)
  expect(mixedCurrencyLines(refusal({ currencies: ['EUR', 'SEK'] }))).toEqual([])
  expect(mixedCurrencyLines(new Error('other'))).toBeNull()
})
