import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { SearchDialog } from './search-dialog'
import { setSession } from '../../lib/session'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import type { Role } from '../../../src/shared/permissions'

const items = (...names: string[]) =>
  jsonResponse({ items: names.map((name) => ({ id: `id ${name}`, name })), nextCursor: null })
const ledgerColumn = (label: string, type: string) => ({
  key: `c${label.length}`,
  label,
  type,
  role: 'dimension',
  hidden: false,
})
const LEDGER_COLUMNS = [
  ...[ledgerColumn('konto', 'text'), ledgerColumn('datum ', 'date'), ledgerColumn('belopp  ', 'number')],
  ledgerColumn('verifikat', 'text'),
]
const source = { id: 'src_1', name: 'Ledger', datasets: [{ id: 'dst_1', name: 'Vouchers', columns: LEDGER_COLUMNS }] }

const server = () =>
  mockServer({
    'GET /api/insights': () => items('Sales by region', 'Margin'),
    'GET /api/metrics': () => items('Sales'),
    'GET /api/reports': () =>
      jsonResponse({ items: [{ id: 'rpt_1', name: 'Sales review', kind: 'legacy' }], nextCursor: null }),
    'GET /api/groupings': () => jsonResponse([{ id: 'grp_1', name: 'Sales regions' }]),
    'GET /api/forecasts': () => items('Presales next year'),
    'GET /api/alerts': () => items('Low sales'),
    'GET /api/members': () => jsonResponse({ items: [{ userId: 'usr_2', name: 'Sally Salestrom' }], nextCursor: null }),
    'GET /api/data-sources': () => jsonResponse({ items: [source], nextCursor: null }),
    'GET /api/datasets/dst_1': () =>
      jsonResponse({ name: 'Vouchers', columns: [{ key: 'c0', label: 'Sales amount', hidden: false }] }),
  })
const open = async (role: Role = 'owner') => {
  setSession(memberPageData(role))
  const calls = server()
  await renderWithProviders(
    <>
      <button type="button">Before</button>
      <SearchDialog />
    </>,
  )
  screen.getByRole('button', { name: 'Before' }).focus()
  await userEvent.keyboard('{Control>}k{/Control}')
  return { calls, box: await screen.findByRole('textbox', { name: /Search/ }) }
}
const shown = () => screen.getAllByRole('button', { hidden: false }).map((each) => each.textContent ?? '')

beforeEach(() => localStorage.clear())

it('finds everything with a name, the best match first', async () => {
  const { box } = await open()
  await userEvent.type(box, 'sales')
  await screen.findByText('Sales amount')
  const all = shown()
  expect(all.at(-1)).toBe('Ask “sales”')
  const found = all.slice(0, -1).filter((text) => /sales/i.test(text))
  expect(found[0]).toBe('SalesMetric')
  expect(found.slice(1).toSorted()).toEqual(
    [
      'Low salesAlert',
      'Presales next yearForecast',
      'Sales amountColumn in Vouchers',
      'Sales by regionInsight',
      'Sales regionsGrouping',
      'Sales reviewReport',
      'Sally SalestromMember',
    ].toSorted(),
  )
  expect(found.at(-1)).toBe('Presales next yearForecast')
})

it('asks for nothing that a person may not see', async () => {
  const { calls, box } = await open('client')
  await userEvent.type(box, 'sales')
  expect(await screen.findByText('Nothing matches “sales”')).toBeVisible()
  expect(calls).toEqual([])
})

it('gives the focus back to where it was', async () => {
  const { box } = await open()
  await userEvent.type(box, '{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Before' })).toHaveFocus())
})

it('finds the statements of a ledger by their names in either language', async () => {
  const { box } = await open()
  await userEvent.type(box, 'balansräkning')
  await screen.findByText('Balance sheet (Balansräkning)')
  expect(shown().filter((text) => /Statement in/.test(text))).toEqual([
    'Balance sheet (Balansräkning)Statement in Ledger',
  ])
})
