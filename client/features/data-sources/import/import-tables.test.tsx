import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  column,
  dataset,
  fileColumn,
  inspection,
  opened,
  run,
  source,
  upload,
  uploadTable,
} from '../data-sources.fixture'
import { sendPart } from '../upload/send-part'
import { UploadPanel } from '../upload/upload-panel'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, errorResponse, mockServer, type RecordedCall, type MockReply } from '../../../test/mock-server'
import type { OpenedUpload, UploadTable } from '../../../../src/shared/data-sources/files'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
vi.mock('../upload/send-part', () => ({ sendPart: vi.fn(async () => undefined) }))

const id = (number: number) => `upl_0000000000000000000${number}`
const sheet = (number: number, name: string, over: Partial<UploadTable> = {}): UploadTable =>
  uploadTable({ uploadId: id(number), name, kind: 'xlsx', rowCount: number * 1000, ...over })

const LOAD = 'POST /api/data-sources'
const file = (name: string) => new File(['x'], name, { lastModified: 1 })
const pick = (...files: File[]) => userEvent.upload(screen.getByLabelText('Data files'), files)
const bodyOf = (calls: RecordedCall[], path: string): unknown =>
  calls.find((call) => call.method === 'POST' && call.path === path)?.body

/** Routes of uploads that arrive and open as these tables; each table → its number says. */
function arriving(
  files: Record<string, { as: string; opened: OpenedUpload | MockReply }>,
): Record<string, MockReply | MockReply[]> {
  const names = Object.keys(files)
  const routes: Record<string, MockReply | MockReply[]> = {
    'POST /api/uploads': ({ body }) => {
      const name = names.find((one) => JSON.stringify(body).includes(one)) ?? ''
      return jsonResponse({ ...upload, id: files[name]?.as, fileName: name, partCount: 1 }, 201)
    },
  }
  for (const [name, { as, opened: answer }] of Object.entries(files)) {
    routes[`POST /api/uploads/${as}/complete`] = () =>
      jsonResponse({ ...upload, id: as, fileName: name, state: 'complete' })
    routes[`POST /api/uploads/${as}/open`] = typeof answer === 'function' ? answer : () => jsonResponse(answer)
    if (typeof answer !== 'function')
      for (const table of answer.tables)
        routes[`POST /api/uploads/${table.uploadId}/inspect`] = () =>
          jsonResponse(inspection({ rows: { count: table.rowCount, exact: true } }))
  }
  return routes
}

const workbook = {
  'book.xlsx': {
    as: id(9),
    opened: opened(
      sheet(1, 'Orders'),
      sheet(2, 'Customers', { warnings: [{ code: 'merged_cells', message: 'Some cells were merged.' }] }),
      sheet(3, 'Notes', { optional: true }),
    ),
  },
}

beforeEach(() => {
  setSession(memberPageData())
  sessionStorage.clear()
  vi.mocked(sendPart).mockReset().mockResolvedValue(undefined)
})
afterEach(() => vi.unstubAllGlobals())

describe('a workbook', () => {
  it('lists its sheets, loads the ordinary ones under their names, and makes one source of them', async () => {
    const calls = mockServer({ ...arriving(workbook), [LOAD]: () => jsonResponse(source(), 201) })
    const { container } = await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('book.xlsx'))
    const list = await screen.findByRole('navigation', { name: 'Tables' })
    expect(within(list).getByRole('button', { name: /Customers.*2\s000 rows.*1 note/ })).toBeVisible()
    expect(within(list).getByRole('checkbox', { name: 'Import Notes' })).not.toBeChecked()
    await userEvent.click(await screen.findByRole('button', { name: /^Import 2 tables, 3\s000 rows$/ }))
    await waitFor(() => expect(bodyOf(calls, '/api/data-sources')).toBeDefined())
    expect(bodyOf(calls, '/api/data-sources')).toMatchObject({
      name: 'Book',
      tables: [
        { name: 'Orders', uploadId: id(1) },
        { name: 'Customers', uploadId: id(2) },
      ],
    })
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('keeps what was decided about one sheet while another is looked at', async () => {
    const calls = mockServer({ ...arriving(workbook), [LOAD]: () => jsonResponse(source(), 201) })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('book.xlsx'))
    const list = await screen.findByRole('navigation', { name: 'Tables' })
    const name = () => screen.findByLabelText('Table name')
    await userEvent.clear(await name())
    await userEvent.type(await name(), 'Sales')
    await userEvent.click(within(list).getByRole('button', { name: /^Customers/ }))
    expect(await name()).toHaveValue('Customers')
    await userEvent.click(screen.getByRole('checkbox', { name: 'Import this table' }))
    await userEvent.click(within(list).getByRole('button', { name: /^Sales/ }))
    expect(await name()).toHaveValue('Sales')
    await userEvent.click(await screen.findByRole('button', { name: /^Import 1 table, 1\s000 rows$/ }))
    await waitFor(() =>
      expect(bodyOf(calls, '/api/data-sources')).toMatchObject({ tables: [{ name: 'Sales', uploadId: id(1) }] }),
    )
  })

  it('says where on its sheet each of several tables stands', async () => {
    const [whole, part] = [sheet(1, 'Sales', { optional: true }), sheet(2, 'Rates', { range: 'E3:G40' })]
    mockServer(arriving({ 'book.xlsx': { as: id(9), opened: opened(part, whole) } }))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('book.xlsx'))
    const list = await screen.findByRole('navigation', { name: 'Tables' })
    expect(within(list).getByRole('button', { name: /^Rates.*3 columns · E3:G40$/ })).toBeVisible()
    expect(within(list).getByRole('button', { name: /^Sales.*3 columns$/ })).toBeVisible()
    expect(within(list).getByRole('checkbox', { name: 'Import Sales' })).not.toBeChecked()
  })

  it('asks for at least one table', async () => {
    mockServer(arriving(workbook))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('book.xlsx'))
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Import Orders' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Import Customers' }))
    expect(await screen.findByText('Choose at least one table.')).toBeVisible()
  })

  it('offers of a sheet only what was guessed of it', async () => {
    mockServer(arriving(workbook))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('book.xlsx'))
    expect(await screen.findByRole('combobox', { name: 'Skip rows' })).toBeVisible()
    expect(screen.queryByRole('combobox', { name: 'Letters' })).toBeNull()
  })
})

describe('several files', () => {
  const two = {
    'orders.csv': { as: id(4), opened: opened(uploadTable({ uploadId: id(4), name: 'orders.csv', rowCount: 10 })) },
    'locked.xlsx': { as: id(5), opened: () => errorResponse('file_unreadable', { reason: 'encrypted' }) },
  }

  it('go into one source; one that cannot be read says why and stops no other', async () => {
    const calls = mockServer({ ...arriving(two), [LOAD]: () => jsonResponse(source(), 201) })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('orders.csv'), file('locked.xlsx'))
    expect(await screen.findByRole('alert')).toHaveTextContent(/password-protected.*Upload a copy/)
    await userEvent.click(await screen.findByRole('button', { name: /^Import 10 rows$/ }))
    await waitFor(() =>
      expect(bodyOf(calls, '/api/data-sources')).toMatchObject({ name: 'Orders', tables: [{ name: 'Orders' }] }),
    )
  })

  it('are taken away one by one', async () => {
    mockServer({ ...arriving(two), [`DELETE /api/uploads/${id(5)}`]: () => jsonResponse({}) })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('orders.csv'), file('locked.xlsx'))
    await userEvent.click(await screen.findByRole('button', { name: 'Remove locked.xlsx' }))
    await waitFor(() => expect(screen.queryByText('locked.xlsx')).toBeNull())
    expect(screen.getByRole('button', { name: /^Import 10 rows$/ })).toBeVisible()
  })

  it('come from the clipboard as well: cells become a pasted table', async () => {
    const pasted = uploadTable({ uploadId: id(6), name: 'Pasted table.txt', rowCount: 2 })
    mockServer(arriving({ 'Pasted table.txt': { as: id(6), opened: opened(pasted) } }))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Kund\tBelopp\nEk\t1,5')
    fireEvent.paste(document.body, { clipboardData })
    expect(await screen.findByLabelText('Source name')).toHaveValue('Pasted table')
  })
})

describe('books', () => {
  const text = (rows: string[][], ...labels: string[]) =>
    inspection({
      columns: labels.map((label, at) => fileColumn(at, { label })),
      preview: rows,
      typedPreview: rows,
      rows: { count: rows.length, exact: true },
    })
  const tables = opened(
    sheet(1, 'companies', { kind: 'sie', ledger: 'companies', rowCount: 1 }),
    sheet(2, 'fiscal_years', { kind: 'sie', ledger: 'fiscal_years', rowCount: 1 }),
    sheet(3, 'vouchers', { kind: 'sie', ledger: 'vouchers', rowCount: 120 }),
  )
  const unbalanced = { code: 'unbalanced_voucher' as const, message: 'Voucher A 12 is 1,00 off.', line: 340 }
  const ledger = { ...tables, warnings: [unbalanced] }
  const routes = {
    ...arriving({ 'bok.se': { as: id(8), opened: ledger } }),
    [`POST /api/uploads/${id(1)}/inspect`]: () =>
      jsonResponse(text([['5560000001', 'Nordträ AB']], 'org_number', 'name')),
    [`POST /api/uploads/${id(2)}/inspect`]: () =>
      jsonResponse(text([['5560000001', '2026-01-01', '2026-12-31']], 'org_number', 'start', 'end')),
    [`POST /api/uploads/${id(3)}/inspect`]: () =>
      jsonResponse(text([['5560000001', '2026-01-01', 'A', '12']], 'org_number', 'fiscal_year', 'series', 'number')),
  }

  it('are told in words: whose, which years, how much, and what does not balance', async () => {
    mockServer(routes)
    const { container } = await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('bok.se'))
    expect(await screen.findByRole('heading', { name: /Nordträ AB.*5560000001/ })).toBeVisible()
    expect(screen.getByText(/1 Jan 2026 – 31 Dec 2026/)).toBeVisible()
    expect(screen.getByText('120 vouchers')).toBeVisible()
    expect(screen.getByLabelText('Source name')).toHaveValue('Nordträ AB')
    expect(screen.getByText(/Voucher A 12 is 1,00 off\. Line 340\./)).toBeVisible()
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('say when their fiscal year begins in another month than the workspace’s', async () => {
    mockServer({
      ...routes,
      [`POST /api/uploads/${id(2)}/inspect`]: () =>
        jsonResponse(text([['5560000001', '2025-07-01', '2026-06-30']], 'org_number', 'start', 'end')),
    })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file('bok.se'))
    expect(await screen.findByText(/^They start in July, this workspace’s in January\./)).toBeVisible()
  })

  it('of several files become one set of tables: the first makes them, the others wait and add their years', async () => {
    const years = [5, 6, 7].map((at) => `upl_0000000000000000001${at}`)
    const second = { ...ledger, tables: ledger.tables.map((one, at) => ({ ...one, uploadId: years[at] ?? '' })) }
    const files = { 'bok.se': { as: id(8), opened: ledger }, 'fjol.se': { as: id(7), opened: second } }
    const voucher = ['org_number', 'fiscal_year', 'series', 'number']
    const [one = '', two = '', three = ''] = years
    const there = source({
      datasets: [
        dataset({ name: 'Vouchers', columns: voucher.map((label, at) => column(`c${at}`, { label })) }),
        dataset({ id: 'ds_2', name: 'Companies', columns: [column('c0', { label: 'org_number', role: 'id' })] }),
        dataset({ id: 'ds_3', name: 'Fiscal years', columns: [column('c0', { label: 'org_number', role: 'id' })] }),
      ],
    })
    const LOADS = `/api/datasets/${dataset().id}/loads`
    const calls = mockServer({
      ...arriving(files),
      ...routes,
      'POST /api/uploads': arriving(files)['POST /api/uploads'] ?? [],
      [`POST /api/uploads/${one}/inspect`]: () => jsonResponse(text([['556']], 'org_number')),
      [`POST /api/uploads/${two}/inspect`]: () => jsonResponse(text([['556']], 'org_number')),
      [`POST /api/uploads/${three}/inspect`]: () => jsonResponse(text([['556', '2025', 'A', '1']], ...voucher)),
      [LOAD]: () => jsonResponse({ ...there, lastRuns: [run({ state: 'running' })] }, 201),
      [`GET /api/data-sources/${there.id}`]: [
        () => jsonResponse({ ...there, lastRuns: [run({ state: 'running' })] }),
        () => jsonResponse(there),
      ],
      [`POST ${LOADS}`]: () => jsonResponse(run(), 201),
      'POST /api/datasets/ds_2/loads': () => jsonResponse(run(), 201),
      'POST /api/datasets/ds_3/loads': () => jsonResponse(run(), 201),
    })
    const onDone = vi.fn()
    await renderWithProviders(<UploadPanel onDone={onDone} />)
    await pick(file('bok.se'), file('fjol.se'))
    expect(await screen.findByText('Several ledger files')).toBeVisible()
    await userEvent.click(await screen.findByRole('button', { name: /^Import 3 tables, 244 rows/ }))
    expect(await screen.findByText('Importing fjol.se')).toBeVisible()
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(there.id))
    expect(bodyOf(calls, '/api/data-sources')).toMatchObject({
      tables: [{ name: 'Vouchers' }, { name: 'Companies' }, { name: 'Fiscal years' }],
    })
    const loads = calls.filter(({ path }) => path.endsWith('/loads')).map(({ body }) => body)
    expect(loads).toMatchObject([{ mode: 'append' }, { mode: 'upsert' }, { mode: 'upsert' }])
  })

  it('of another year go into the books that are there, replacing only that year, and earlier ones if the person says so', async () => {
    const there = [
      dataset({
        id: 'ds_00000000000000000003',
        name: 'Vouchers',
        columns: ['org_number', 'fiscal_year', 'series', 'number'].map((label, at) => column(`c${at}`, { label })),
      }),
    ]
    const LOADS = `/api/datasets/${there[0]?.id ?? ''}/loads`
    // Balances make it a whole year: a batch of vouchers alone would come beside.
    const balances = sheet(4, 'balances', { kind: 'sie', ledger: 'balances', rowCount: 2, optional: true })
    const comparisonYears = [{ year: '2024', rows: 1 }]
    const compared = tables.tables.map((one) => (one.ledger === 'vouchers' ? { ...one, comparisonYears } : one))
    const calls = mockServer({
      ...routes,
      ...arriving({ 'bok.se': { as: id(8), opened: opened(...compared, balances) } }),
      [`POST /api/uploads/${id(4)}/inspect`]: () => jsonResponse(text([], 'org_number', 'fiscal_year')),
      [`POST ${LOADS}`]: () => jsonResponse(run(), 201),
      [`POST /api/data-sources/${source().id}/datasets`]: () => jsonResponse(source(), 201),
    })
    const onDone = vi.fn()
    await renderWithProviders(
      <UploadPanel target={{ kind: 'source', source: source({ datasets: there }) }} onDone={onDone} />,
    )
    await pick(file('bok.se'))
    const earlier = await screen.findByRole('radiogroup', { name: 'Years without transactions in the file: 2024' })
    expect(within(earlier).getByRole('radio', { name: /^Keep years with transactions/ })).toBeChecked()
    await userEvent.click(within(earlier).getByRole('radio', { name: /^Replace these years/ }))
    await userEvent.click(await screen.findByRole('button', { name: /^Import 3 tables/ }))
    await waitFor(() => expect(onDone).toHaveBeenCalled())
    expect(bodyOf(calls, LOADS)).toMatchObject({
      replaceComparison: true,
      mode: 'replacePart',
      keyColumns: ['c0', 'c1'],
      uploadId: id(3),
    })
    expect(bodyOf(calls, `/api/data-sources/${source().id}/datasets`)).toMatchObject({
      tables: [{ uploadId: id(1) }, { uploadId: id(2) }],
    })
  })
})
