import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { beforeEach, expect, it } from 'vitest'
import { statement } from './statements.fixture'
import { StatementsPanel } from './statements-panel'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { errorResponse, jsonResponse, mockServer } from '../../test/mock-server'
import type { Statement } from '../../../src/shared/statements/statements'

const SOURCE = statement().source.id
const GET = `GET /api/statements/${SOURCE}`
const ROWS = 'POST /api/query'
const shown = (more: Partial<Statement> = {}) => ({ [GET]: () => jsonResponse(statement(more)) })
/** Entries as the drill asks for them: date, account, series, number, voucher key, amount, text. */
const entries = (...rows: unknown[][]) =>
  jsonResponse({ kind: 'rows', columns: [], rows, rowCount: rows.length, datasets: [] })
const SOLD = ['2026-01-15', '3010', 'A', '1', 'key 1', '-1250.00', 'Sold']

beforeEach(() => setSession(memberPageData('analyst')))

it('shows lines with their figures, and the accounts of one on demand', async () => {
  mockServer(shown())
  const { container } = await renderWithProviders(<StatementsPanel source={SOURCE} />)
  const row = await screen.findByRole('row', { name: /Net sales/ })
  expect(within(row).getByRole('button', { name: /Net sales: 1\s250,00/ })).toBeVisible()
  expect(screen.queryByText('3010 Sales')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show accounts of Net sales' }))
  expect(screen.getByText('3010 Sales')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Classify accounts' })).toHaveAttribute(
    'href',
    '/settings/workspace/accounts',
  )
  const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
  expect(violations.map(({ id }) => id)).toEqual([])
})

it('leads from a figure to its accounts, their entries and the whole voucher', async () => {
  const calls = mockServer({
    ...shown(),
    [ROWS]: [() => entries(SOLD), () => entries(SOLD, ['2026-01-15', '1930', 'A', '1', 'key 1', '1250.00', 'Sold'])],
  })
  await renderWithProviders(<StatementsPanel source={SOURCE} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Net sales: 1/ }))
  await screen.findByText('Sum of entries of accounts 3000–3799, credit shown as positive')
  await userEvent.click(screen.getByRole('button', { name: 'Entries of 3010' }))
  await userEvent.click(await screen.findByRole('button', { name: 'A 1' }))
  const voucher = await screen.findByRole('region', { name: 'Voucher entries' })
  expect(within(voucher).getByText('1930')).toBeVisible()
  const filters = calls.filter(({ path }) => path === '/api/query').map(({ body }) => JSON.stringify(body))
  expect(filters[0]).toContain('"from":"2026-01-01","to":"2026-01-31"')
  expect(filters[1]).toContain('"value":"key 1"')
})

it('takes a sum apart into the lines that it adds up', async () => {
  mockServer(shown())
  await renderWithProviders(<StatementsPanel source={SOURCE} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Net profit/ }))
  const lines = await screen.findByRole('table', { name: 'Lines' })
  expect(within(lines).getByRole('row')).toHaveTextContent(/^Net sales1\s250,00$/)
})

it('goes from figure to figure by arrow keys, one of them reached by Tab', async () => {
  mockServer(shown())
  await renderWithProviders(<StatementsPanel source={SOURCE} />)
  const first = await screen.findByRole('button', { name: /^Net sales: 1/ })
  expect(first).toHaveAttribute('tabindex', '0')
  first.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('button', { name: /^Net profit/ })).toHaveFocus()
})

it('passes over figures that are not known by Tab and by arrow keys', async () => {
  const [sales, profit] = statement().rows
  if (!sales || !profit) throw new Error('two lines')
  const rows = [
    { ...profit, key: 'first', label: { en: 'First', sv: 'First' }, values: [null, '1.00'] },
    { ...sales, values: ['1250.00', null] },
    profit,
    { ...profit, key: 'last', label: { en: 'Last', sv: 'Last' }, values: ['2.00', '3.00'] },
  ]
  mockServer(shown({ rows }))
  await renderWithProviders(<StatementsPanel source={SOURCE} />)
  const first = await screen.findByRole('button', { name: 'First: 1,00' })
  expect(first).toHaveAttribute('tabindex', '0')
  first.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('button', { name: 'Last: 3,00' })).toHaveFocus()
})

it('says of an account’s figure that is no sum of entries that it has no vouchers', async () => {
  const [sales] = statement().rows
  const [actual, lastYear] = statement().columns
  if (!sales || !actual || !lastYear) throw new Error('a line of two columns')
  const columns = [actual, lastYear, { ...actual, key: '0.lastYearChange', kind: 'lastYearChange' as const }]
  const accounts = [{ account: '3010', name: 'Sales', values: ['1250.00', '1000.00', '250.00'] }]
  mockServer(shown({ columns, rows: [{ ...sales, values: ['1250.00', '1000.00', '250.00'], accounts }] }))
  await renderWithProviders(<StatementsPanel source={SOURCE} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Show accounts of Net sales' }))
  await userEvent.click(screen.getByRole('button', { name: /^3010 Sales: 250/ }))
  await screen.findByText('No vouchers for this figure.')
})

it('names lines in Swedish, and writes negative amounts with a minus there', async () => {
  mockServer(shown())
  await renderWithProviders(<StatementsPanel source={SOURCE} />, '?language=sv')
  expect(await screen.findByRole('button', { name: /^Net profit \(sv\): −50,00/ })).toBeVisible()
  expect(screen.getByText('Konton utan rad i rapporten: 9010.')).toBeVisible()
})

it('asks for no vouchers where only balances are known', async () => {
  const year = { ...statement().year, detail: 'year' as const }
  mockServer(shown({ year, years: [year] }))
  await renderWithProviders(<StatementsPanel source={SOURCE} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Net sales: 1/ }))
  await screen.findByText('No vouchers for this figure.')
  expect(screen.queryByRole('button', { name: 'Entries of 3010' })).toBeNull()
})

it('says why it failed, and lets a viewer look and classify nothing', async () => {
  setSession(memberPageData('viewer'))
  mockServer({ [GET]: [() => errorResponse('busy'), () => jsonResponse(statement())] })
  await renderWithProviders(<StatementsPanel source={SOURCE} />)
  await userEvent.click(await screen.findByRole('button', { name: /try again|retry/i }))
  await screen.findByText('Accounts on no statement line: 9010.')
  expect(screen.queryByRole('link', { name: 'Classify accounts' })).toBeNull()
})
