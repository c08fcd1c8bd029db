import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { CurrencyScreen } from './currency-screen'
import { rangeToMonth, monthToRange, describeDayRange } from './describe-rates'
import { setSession } from '../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { OwnRate, RatesOverview } from '../../../src/shared/currencies'

const GET = 'GET /api/currencies'
const DAYS = 'GET /api/currencies/days'
const RATE: OwnRate = {
  ...{ id: 'fxr_00000000000000000000', kind: 'override', base: 'EUR', quote: 'SEK' },
  ...{ from: '2026-03-01', to: '2026-03-31', rate: '11.5', reason: 'As in the contract', byName: 'Anna' },
  ...{ updatedAt: '2026-04-01T10:00:00Z', version: 2 },
}
const OVERVIEW: RatesOverview = {
  settings: { code: 'SEK', mode: 'automatic', version: 0 },
  currencies: ['EUR', 'SEK', 'USD'],
  ...{ first: '2019-01-02', last: '2026-03-05', source: 'ecb', fetchedAt: null, failingSince: null, fetching: true },
  gaps: [],
  own: [RATE],
}
const PAGE = { days: [{ day: '2026-03-05', rate: '11.3', source: 'ecb', reason: null }], next: null }

beforeEach(() => setSession(memberPageData('admin')))

describe('currencies of a workspace', () => {
  it('show rates by day, what was entered manually with why and by whom, and the source', async () => {
    mockServer({ [GET]: () => jsonResponse(OVERVIEW), [DAYS]: () => jsonResponse(PAGE) })
    await renderWithProviders(<CurrencyScreen />)
    const own = await screen.findByRole('grid', { name: 'Custom rates' })
    for (const words of ['1 EUR in SEK', '11,5', 'March 2026', 'As in the contract']) within(own).getByText(words)
    within(own).getByText(/^Anna/)
    await screen.findByText('11,3000')
    screen.getByText(/Source: European Central Bank/)
    expect(screen.queryByText('Missing rates')).toBeNull()
  })

  it('say which days have no rates and that fetching fails', async () => {
    const gaps = [{ from: '2025-01-02', to: '2025-02-03', days: 32 }]
    mockServer({
      [GET]: () => jsonResponse({ ...OVERVIEW, gaps, failingSince: '2026-03-06T16:00:00Z' }),
      [DAYS]: () => jsonResponse(PAGE),
    })
    await renderWithProviders(<CurrencyScreen />)
    await screen.findByText(/2 Jan 2025 – 3 Feb 2025: no rates for 32 days/)
    screen.getByText(/Couldn’t update rates since/)
  })

  it('take a rate for a month with its reason, and say what is wrong beside its field', async () => {
    const made = { ...RATE, id: 'fxr_00000000000000000001' }
    const calls = mockServer({
      [GET]: () => jsonResponse(OVERVIEW),
      [DAYS]: () => jsonResponse(PAGE),
      'POST /api/currencies/rates': () => jsonResponse(made, 201),
    })
    await renderWithProviders(<CurrencyScreen />)
    await userEvent.click(await screen.findByRole('button', { name: 'Add rate' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Save rate' }))
    dialog.getByText(/Enter a rate above 0/)
    dialog.getByText('Enter a reason.')
    const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
    fill(dialog.getByRole('textbox', { name: 'Rate' }), '11,5')
    fill(dialog.getByLabelText('Month'), '2026-02')
    fill(dialog.getByRole('textbox', { name: 'Reason' }), 'Hedged')
    await userEvent.click(dialog.getByRole('button', { name: 'Save rate' }))
    await screen.findByRole('button', { name: 'Add rate' })
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ kind: 'override', base: 'EUR', quote: 'SEK', from: '2026-02-01', to: '2026-02-28', rate: '11,5' },
      reason: 'Hedged',
    })
  })

  it('are read by whoever may not set rates, and locked below the plan without a call', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [GET]: () => jsonResponse(OVERVIEW), [DAYS]: () => jsonResponse(PAGE) })
    const view = await renderWithProviders(<CurrencyScreen />)
    await screen.findByRole('grid', { name: 'Custom rates' })
    expect(screen.queryByRole('button', { name: /Add|Save|Edit|Remove/ })).toBeNull()
    view.unmount()
    setSession(pageDataOnPlan('owner', 'standard'))
    const calls = mockServer({})
    await renderWithProviders(<CurrencyScreen />)
    await screen.findByText('Convert currencies')
    expect(calls).toEqual([])
  })

  it('offer another try when they cannot be read', async () => {
    mockServer({ [GET]: [() => errorResponse('busy'), () => jsonResponse(OVERVIEW)], [DAYS]: () => jsonResponse(PAGE) })
    await renderWithProviders(<CurrencyScreen />)
    await userEvent.click(await screen.findByRole('button', { name: /again/i }))
    await screen.findByRole('grid', { name: 'Custom rates' })
  })
})

it('names stretches of days', () => {
  expect(monthToRange('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(rangeToMonth({ from: '2024-02-01', to: '2024-02-28' })).toBeNull()
  const date = (day: string) => day
  expect(describeDayRange({ from: '2024-12-01', to: '2024-12-31' }, date)).toBe('December 2024')
  expect(describeDayRange({ from: '2024-12-05', to: '2024-12-05' }, date)).toBe('2024-12-05')
  expect(describeDayRange({ from: '2024-12-05', to: '2025-01-05' }, date)).toBe('2024-12-05 – 2025-01-05')
})
