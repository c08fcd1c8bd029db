import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SuggestedRelationsCard } from './relation-suggestions'
import { RelationsPanel } from './relations-panel'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { Relation } from '../../../src/shared/relations'
import type { DataSource, Dataset } from '../../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../../src/shared/data-sources/files'

const ORDERS = 'ds_00000000000000000001'
const CUSTOMERS = 'ds_00000000000000000002'
const LIST = 'GET /api/relations'
const id = 'rel_00000000000000000001'
const ONE = `/api/relations/${id}`

const dataset = (own: string, name: string, labels: string[]): Dataset => ({
  ...{
    id: own,
    sourceId: 'src_1',
    name,
    rowCount: 100,
    bytes: 1,
    dataVersion: 1,
    keyColumns: [],
    cleaning: [],
    rowsRejected: 0,
    rowsDuplicate: 0,
    version: 1,
  },
  loadedAt: '2026-11-20T10:00:00.000Z',
  columns: labels.map((label, at) => {
    const key: ColumnKey = `c${at}`
    return { key, label, type: 'text', role: 'id', format: { style: 'plain' }, hidden: false, fileIndex: at }
  }),
})
const orders = dataset(ORDERS, 'Orders', ['Order', 'Customer no'])
const customers = dataset(CUSTOMERS, 'Customers', ['Customer no', 'Country'])
const source: DataSource = {
  ...{
    id: 'src_1',
    name: 'Shop',
    type: 'file',
    state: 'ready',
    frozen: false,
    sample: false,
    ownerId: 'usr_anna',
    version: 1,
  },
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...{ deletedAt: null, connection: null, lastRun: null, lastRuns: [], datasets: [orders, customers] },
}
const relation = (over: Partial<Relation> = {}): Relation => ({
  id,
  from: { datasetId: ORDERS, datasetName: 'Orders', key: 'c1', label: 'Customer no' },
  to: { datasetId: CUSTOMERS, datasetName: 'Customers', key: 'c0', label: 'Customer no' },
  state: 'proposed',
  proof: { fromRows: 1000, matchedRows: 992, toRows: 100, duplicateKeys: 0, checkedAt: '2026-11-20T10:00:00.000Z' },
  version: 3,
  ...over,
})
const listed =
  (...relations: Relation[]) =>
  () =>
    jsonResponse(relations)

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

describe('proposals', () => {
  it('say in words what belongs together and how well it fits, and are confirmed', async () => {
    const calls = mockServer({
      [LIST]: listed(relation()),
      [`PUT ${ONE}`]: () => jsonResponse(relation({ state: 'confirmed' })),
    })
    const { container } = await renderWithProviders(<SuggestedRelationsCard source={source} />)
    expect(await screen.findByText('Suggested relationships')).toBeVisible()
    const line = screen.getByRole('listitem')
    expect(line).toHaveTextContent(/Orders.*Customers.*by Customer no/)
    expect(line).toHaveTextContent(/99,2\s%\sof rows match; 8 rows unmatched/)
    expect((await axe.run(container)).violations).toEqual([])
    await userEvent.click(within(line).getByRole('button', { name: /^Confirm: Orders to Customers/ }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ state: 'confirmed', version: 3 })
  })

  it('say when they are followed in both directions', async () => {
    const proof = { ...relation().proof, oneToOne: true }
    mockServer({ [LIST]: listed(relation({ proof })) })
    await renderWithProviders(<SuggestedRelationsCard source={source} />)
    expect(await screen.findByRole('listitem')).toHaveTextContent(/shown as “Empty”; one-to-one\./)
  })

  it('are turned down as not related', async () => {
    const calls = mockServer({
      [LIST]: listed(relation()),
      [`PUT ${ONE}`]: () => jsonResponse(relation({ state: 'dismissed' })),
    })
    await renderWithProviders(<SuggestedRelationsCard source={source} />)
    await userEvent.click(await screen.findByRole('button', { name: /^Not related/ }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ state: 'dismissed', version: 3 }),
    )
  })

  it('never show a share below all rows as all of them', async () => {
    const proof = { ...relation().proof, fromRows: 1_000_000, matchedRows: 999_999 }
    mockServer({ [LIST]: listed(relation({ proof })) })
    await renderWithProviders(<SuggestedRelationsCard source={source} />)
    expect(await screen.findByText(/99,9\s%\sof rows match; 1 row unmatched/)).toBeVisible()
  })

  it('show the first ones and confirm all of them together', async () => {
    const many = Array.from({ length: 6 }, (_, at) => relation({ id: `rel_${at}` }))
    const puts = Object.fromEntries(many.map((one) => [`PUT /api/relations/${one.id}`, () => jsonResponse(one)]))
    const calls = mockServer({ [LIST]: listed(...many), ...puts })
    await renderWithProviders(<SuggestedRelationsCard source={source} />)
    expect(await screen.findAllByRole('listitem')).toHaveLength(4)
    await userEvent.click(screen.getByRole('button', { name: 'Show 2 more' }))
    expect(screen.getAllByRole('listitem')).toHaveLength(6)
    await userEvent.click(screen.getByRole('button', { name: 'Confirm all 6' }))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(6))
  })

  it('are silent when none is open for this source', async () => {
    const elsewhere = relation({
      from: { ...relation().from, datasetId: 'ds_x' },
      to: { ...relation().to, datasetId: 'ds_y' },
    })
    const calls = mockServer({ [LIST]: listed(relation({ state: 'confirmed' }), elsewhere) })
    await renderWithProviders(<SuggestedRelationsCard source={source} />)
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(screen.queryByText(/Insikt found/)).toBeNull()
  })
})

describe('relations of a table', () => {
  it('are changed by nobody who sees only a part of it', async () => {
    mockServer({ [LIST]: listed(relation({ state: 'confirmed' })) })
    await renderWithProviders(<RelationsPanel dataset={{ ...orders, partial: true }} />)
    expect(await screen.findByRole('heading', { name: 'Relationships' })).toBeVisible()
    expect(screen.queryAllByRole('button')).toEqual([])
  })

  it('teach what a relation is when there is none, and take one by hand', async () => {
    const calls = mockServer({
      [LIST]: listed(),
      'GET /api/data-sources': () => jsonResponse({ items: [source], nextCursor: null }),
      'POST /api/relations': () => jsonResponse(relation({ state: 'confirmed' }), 201),
    })
    await renderWithProviders(<RelationsPanel dataset={orders} />)
    expect(await screen.findByText('No relationships yet')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Add relationship' }))
    const form = await screen.findByRole('dialog')
    const choose = async (label: string, option: string) => {
      await userEvent.click(await within(form).findByRole('combobox', { name: label }))
      await userEvent.click(await screen.findByRole('option', { name: option }))
    }
    await choose('Column', 'Customer no')
    await choose('Related table', 'Customers')
    await choose('Related column (unique)', 'Customer no')
    await userEvent.click(within(form).getByRole('button', { name: 'Add relationship' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
        from: { datasetId: ORDERS, key: 'c1' },
        to: { datasetId: CUSTOMERS, key: 'c0' },
      }),
    )
  })

  it('take a key of several columns by hand: pairs are added, removed, and chosen once each', async () => {
    const tables = [
      dataset(ORDERS, 'Entries', ['Company', 'Account', 'Sum']),
      dataset(CUSTOMERS, 'Accounts', ['Account', 'Company']),
    ]
    const calls = mockServer({
      [LIST]: listed(),
      'GET /api/data-sources': () => jsonResponse({ items: [{ ...source, datasets: tables }], nextCursor: null }),
      'POST /api/relations': () => jsonResponse(relation({ state: 'confirmed' }), 201),
    })
    const { container } = await renderWithProviders(<RelationsPanel dataset={tables[0] ?? orders} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Add relationship' }))
    const form = await screen.findByRole('dialog')
    const press = (name: string) => userEvent.click(within(form).getByRole('button', { name }))
    const choose = async (label: string, option: string) => {
      await userEvent.click(await within(form).findByRole('combobox', { name: label }))
      await userEvent.click(await screen.findByRole('option', { name: option }))
    }
    await choose('Related table', 'Accounts')
    await choose('Column', 'Company')
    await choose('Related column (unique)', 'Company')
    await press('Add column')
    expect(within(form).getByText(/Together, the related columns must be unique/)).toBeVisible()
    expect(within(form).getByRole('button', { name: 'Add relationship' })).toBeDisabled()
    await choose('Column 2', 'Company')
    expect(within(form).getByRole('status')).toHaveTextContent('Use each column once.')
    await choose('Column 2', 'Account')
    await press('Add column')
    await press('Remove column 3')
    await choose('Related column 2', 'Account')
    expect((await axe.run(container)).violations).toEqual([])
    await press('Add relationship')
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
        from: { datasetId: ORDERS, key: 'c0' },
        to: { datasetId: CUSTOMERS, key: 'c1' },
        further: [{ from: 'c1', to: 'c0' }],
      }),
    )
  })

  it('are told by all columns of their key', async () => {
    const further = (from: string, to: string): Partial<Relation> => ({
      further: [{ from: { key: 'c2', label: from }, to: { key: 'c3', label: to } }],
    })
    const broken = { ...relation().proof, duplicateKeys: 2 }
    mockServer({
      [LIST]: listed(
        relation({ state: 'broken', proof: broken, ...further('Line', 'line') }),
        relation({ id: 'rel_00000000000000000002', ...further('Line', 'Row') }),
      ),
    })
    await renderWithProviders(<RelationsPanel dataset={orders} />)
    expect(await screen.findByRole('group', { name: 'Orders to Customers by Customer no + line' })).toBeVisible()
    expect(screen.getByRole('group', { name: 'Orders to Customers Customer no + Line = Row' })).toBeVisible()
    expect(screen.getByText(/Customer no \+ line has 2 duplicate values in Customers/)).toBeVisible()
  })

  it('say what stands in the way of one', async () => {
    const fields = { 'to.key': '2 values are in several rows. Keys must be unique.' }
    mockServer({
      [LIST]: listed(relation()),
      [`PUT ${ONE}`]: () => errorResponse('invalid_input', { fields }),
    })
    await renderWithProviders(<RelationsPanel dataset={orders} />)
    await userEvent.click(await screen.findByRole('button', { name: /^Confirm: / }))
    expect(await screen.findByRole('alert')).toHaveTextContent('2 values are in several rows. Keys must be unique.')
  })

  it('say why a broken one is not used and how it is mended, and look again', async () => {
    const broken = relation({ state: 'broken', proof: { ...relation().proof, duplicateKeys: 3 } })
    const calls = mockServer({
      [LIST]: listed(broken),
      [`PUT ${ONE}`]: () => jsonResponse(relation({ state: 'confirmed' })),
    })
    const { container } = await renderWithProviders(<RelationsPanel dataset={customers} />)
    expect(await screen.findByText(/Customer no has 3 duplicate values in Customers/)).toBeVisible()
    expect(screen.getByText(/Import Customers without duplicates/)).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: /^Check again/ }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
  })

  it('name the insights that use one before it is removed', async () => {
    const dependents = [{ type: 'insight', id: 'ins_1', name: 'Sales by country' }]
    mockServer({
      [LIST]: listed(relation({ state: 'confirmed' })),
      [`DELETE ${ONE}`]: [() => errorResponse('in_use', { dependents }), () => jsonResponse({ id })],
    })
    await renderWithProviders(<RelationsPanel dataset={orders} />)
    await userEvent.click(await screen.findByRole('button', { name: /^Delete: / }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete relationship' }))
    expect(await screen.findByRole('link', { name: 'Sales by country' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Delete anyway' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('show a viewer what is used, and nothing to change', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ [LIST]: listed(relation({ state: 'confirmed' }), relation({ id: 'rel_2' })) })
    await renderWithProviders(<RelationsPanel dataset={orders} />)
    expect(await screen.findByText('Relationships')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByText('Suggested relationships')).toBeNull()
  })
})
