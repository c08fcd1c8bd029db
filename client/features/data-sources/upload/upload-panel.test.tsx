import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inspection, opened, source, upload, uploadTable } from '../data-sources.fixture'
import { sendPart } from './send-part'
import { UploadPanel } from './upload-panel'
import { NetworkError } from '../../../lib/api'
import { setSession } from '../../../lib/session'
import { memberPageData, visitorPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../../test/mock-server'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
vi.mock('./send-part', () => ({ sendPart: vi.fn(async () => undefined) }))

const CREATE = 'POST /api/uploads'
const COMPLETE = `POST /api/uploads/${upload.id}/complete`
const OPEN = `POST /api/uploads/${upload.id}/open`
const INSPECT = `POST /api/uploads/${upload.id}/inspect`
const LOAD = 'POST /api/data-sources'
const DROP = `DELETE /api/uploads/${upload.id}`
const done = { ...upload, state: 'complete' as const }
const file = (text = 'Kund;Belopp\nEk;1,5', name = 'fakturor.csv') => new File([text], name, { lastModified: 1 })
const arrives = {
  [CREATE]: () => jsonResponse(upload, 201),
  [COMPLETE]: () => jsonResponse(done),
  [OPEN]: () => jsonResponse(opened()),
}
const all = { ...arrives, [INSPECT]: () => jsonResponse(inspection()) }

const pick = (one: File) => userEvent.upload(screen.getByLabelText('Data files'), one)
const loadButton = () => screen.findByRole('button', { name: /^Import / })

beforeEach(() => {
  setSession(memberPageData())
  sessionStorage.clear()
  vi.mocked(sendPart).mockReset().mockResolvedValue(undefined)
})
afterEach(() => vi.unstubAllGlobals())

describe('adding a file', () => {
  it('sends the file in parts, shows how it is read, and loads it under its own name', async () => {
    const calls = mockServer({ ...all, [LOAD]: () => jsonResponse(source(), 201) })
    const onDone = vi.fn()
    await renderWithProviders(<UploadPanel onDone={onDone} />)
    await pick(file())
    await userEvent.click(await loadButton())
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(source().id))
    expect(vi.mocked(sendPart).mock.calls.map(([{ number }]) => number)).toEqual([1, 2])
    const body = calls.find(({ path, method }) => path === '/api/data-sources' && method === 'POST')?.body
    expect(body).toMatchObject({
      name: 'Fakturor',
      tables: [{ name: 'Fakturor', uploadId: upload.id, settings: { decimalMark: ',' } }],
    })
    expect(sessionStorage).toHaveLength(0)
  })

  it('proves on a cell of the file that the decimal comma is read rightly', async () => {
    mockServer(all)
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    expect(await screen.findByText('1 234,50', { selector: 'strong' })).toBeVisible()
    expect(screen.getByText('3 April 2026')).toBeVisible()
    expect(screen.getByRole('cell', { name: /1\s234,50/ })).toBeVisible()
    expect(await loadButton()).toHaveTextContent(/^Import 1\s234 rows$/)
  })

  it('imports nothing of a file without rows, and says why', async () => {
    const empty = inspection({
      ...{ rows: { count: 0, exact: true }, preview: [] },
      warnings: [{ code: 'empty_rows', message: 'Column names but no rows' }],
    })
    mockServer({ ...all, [INSPECT]: () => jsonResponse(empty) })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    expect(await screen.findByRole('button', { name: 'Import' })).toBeDisabled()
    expect(screen.getByText('No rows to import.')).toBeVisible()
    expect(screen.queryByText(/Column names but no rows/)).not.toBeInTheDocument()
  })

  it('marks a cell that cannot be read and counts it at its column', async () => {
    mockServer(all)
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    expect(await screen.findByText('1 invalid')).toBeVisible()
    expect(screen.getByText(/1 of the first 10 rows will be rejected/)).toBeVisible()
    expect(within(screen.getByRole('cell', { name: /n\/a/ })).getByLabelText('Invalid')).toBeInTheDocument()
  })

  it('loads what the person changed about a column', async () => {
    const calls = mockServer({ ...all, [LOAD]: () => jsonResponse(source(), 201) })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    await userEvent.click(await screen.findByRole('button', { name: /^Belopp/ }))
    const menu = await screen.findByRole('dialog')
    await userEvent.clear(within(menu).getByLabelText('Name'))
    // Escape closes the menu and leaves what was typed.
    await userEvent.type(within(menu).getByLabelText('Name'), 'Amount{Escape}')
    await userEvent.click(screen.getByRole('button', { name: /^Kund/ }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByLabelText('Import column'))
    await userEvent.keyboard('{Escape}')
    await userEvent.click(await loadButton())
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/data-sources')).toBe(true))
    expect(calls.at(-1)?.body).toMatchObject({
      tables: [{ columns: [{ include: false }, {}, { label: 'Amount' }] }],
    })
  })

  it('reads again with a corrected setting and never loads by an older reading', async () => {
    const calls = mockServer(all)
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    await loadButton()
    await userEvent.click(screen.getByRole('combobox', { name: 'Decimal separator' }))
    await userEvent.click(await screen.findByRole('option', { name: /Point/ }))
    expect(await loadButton()).toBeDisabled()
    await waitFor(() => expect(calls.at(-1)?.body).toEqual({ settings: { decimalMark: '.' } }))
    await waitFor(async () => expect(await loadButton()).toBeEnabled())
  })

  it('says what is wrong with an unreadable file, where, and takes another one', async () => {
    mockServer({
      ...arrives,
      [INSPECT]: () => errorResponse('file_unreadable', { reason: 'broken', line: 12 }),
      [DROP]: () => jsonResponse({}),
    })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    expect(await screen.findByRole('alert')).toHaveTextContent(/fakturor\.csv.*Line 12/)
    await userEvent.click(screen.getByRole('button', { name: 'Choose another file' }))
    expect(await screen.findByText('Drop files here')).toBeVisible()
  })

  it('refuses an empty file and one over the limit without sending a byte', async () => {
    const calls = mockServer({})
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file(''))
    expect(await screen.findByRole('alert')).toHaveTextContent('File has no rows')
    const huge = file()
    Object.defineProperty(huge, 'size', { value: 3 * 1024 ** 3 })
    await pick(huge)
    expect(await screen.findByText(/larger than 2.GB/)).toBeVisible()
    expect(calls).toHaveLength(0)
  })

  it('asks for another name beside the field when it is taken, and keeps everything else', async () => {
    mockServer({ ...all, [LOAD]: () => errorResponse('name_taken') })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    await userEvent.click(await loadButton())
    expect(await screen.findByText(/Name already in use/)).toBeVisible()
    expect(screen.getByLabelText('Source name')).toHaveValue('Fakturor')
  })

  it('says so when the plan has no room, with the way to the sources', async () => {
    mockServer({ ...all, [LOAD]: () => errorResponse('limit_reached', { limit: 'dataSources', used: 3, max: 3 }) })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    await userEvent.click(await loadButton())
    expect(await screen.findByText(/Data source limit reached \(3\)/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'View data sources' })).toBeVisible()
  })

  it('cancels an upload on its way and gives back what arrived', async () => {
    const calls = mockServer({ ...all, [DROP]: () => jsonResponse({}) })
    vi.mocked(sendPart).mockImplementation(() => new Promise(() => undefined))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    await waitFor(() => expect(sendPart).toHaveBeenCalled())
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Drop files here')).toBeVisible()
    await waitFor(() => expect(calls.at(-1)?.method).toBe('DELETE'))
    expect(sessionStorage).toHaveLength(0)
  })

  it('shows how files are read once all of a drop have come, so that nothing moves under the reader', async () => {
    const second = { ...upload, id: 'upl_00000000000000000002' }
    mockServer({
      ...all,
      [CREATE]: [() => jsonResponse(upload, 201), () => jsonResponse(second, 201)],
      [`POST /api/uploads/${second.id}/complete`]: () => jsonResponse({ ...second, state: 'complete' }),
      [`POST /api/uploads/${second.id}/open`]: () =>
        jsonResponse(opened(uploadTable({ uploadId: second.id, name: 'Länder' }))),
      [`POST /api/uploads/${second.id}/inspect`]: () => jsonResponse(inspection()),
    })
    const arrived = Promise.withResolvers<void>()
    vi.mocked(sendPart).mockImplementation(({ uploadId }) =>
      uploadId === second.id ? arrived.promise : Promise.resolve(),
    )
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await userEvent.upload(screen.getByLabelText('Data files'), [file(), file('Land;Namn\nSE;Sverige', 'länder.csv')])
    expect(await screen.findByRole('button', { name: 'Remove fakturor.csv' })).toBeVisible()
    expect(screen.queryByLabelText('Source name')).toBeNull()
    arrived.resolve()
    expect(await screen.findByLabelText('Source name')).toBeVisible()
  })

  it('says that it tries again when the connection drops', async () => {
    mockServer(all)
    vi.mocked(sendPart).mockRejectedValueOnce(new NetworkError('dropped'))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick(file())
    expect(await screen.findByText(/Connection lost/)).toBeVisible()
    expect(await loadButton()).toBeVisible()
  })

  it('tells a viewer who can add files instead of offering it', async () => {
    setSession(memberPageData('viewer'))
    mockServer({})
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    expect(screen.getByText(/Ask an owner, admin or analyst/)).toBeVisible()
    expect(screen.queryByLabelText('Data files')).toBeNull()
  })

  it('has nothing for axe to find, before and in the preview', async () => {
    mockServer(all)
    const { container } = await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    expect((await axe.run(container)).violations).toEqual([])
    await pick(file())
    await loadButton()
    expect((await axe.run(container)).violations).toEqual([])
  })
})

describe('files on their way', () => {
  const [first, second] = [file('a;b', 'one.csv'), file('c;d', 'two.csv')]
  const third = file('e;f', 'three.csv')
  /** Two files wait for their parts, the third for its turn. */
  async function underWay() {
    const calls = mockServer({ ...all, 'GET /api/session': () => jsonResponse({}) })
    const held = Promise.withResolvers<void>()
    vi.mocked(sendPart).mockImplementation(() => held.promise)
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await userEvent.upload(screen.getByLabelText('Data files'), [first, second, third])
    await waitFor(() => expect(calls.filter(({ path }) => path === '/api/uploads')).toHaveLength(2))
    return { calls, go: () => held.resolve() }
  }

  it('go on into the workspace that they were added in, wherever the tab is meanwhile', async () => {
    const { calls, go } = await underWay()
    const here = memberPageData()
    const own = here.workspace?.id
    const there = here.workspace && { ...here.workspace, id: 'wsp_elsewhere' }
    act(() => setSession({ ...here, workspace: there }))
    go()
    await waitFor(() => expect(calls.filter(({ path }) => path.endsWith('/open'))).toHaveLength(3))
    const uploads = calls.filter(({ path }) => path.startsWith('/api/uploads'))
    expect(new Set(uploads.map(({ headers }) => headers.get('x-workspace')))).toEqual(new Set([own]))
    expect(new Set(vi.mocked(sendPart).mock.calls.map(([, headers]) => headers['x-workspace']))).toEqual(new Set([own]))
  })

  it('stop at sign-out, and are never sent as another user', async () => {
    const { calls, go } = await underWay()
    const [sent, called] = [vi.mocked(sendPart).mock.calls, calls.length]
    const signals = sent.map(([{ signal }]) => signal)
    const before = sent.length
    act(() => setSession(visitorPageData()))
    const other = memberPageData()
    act(() => setSession({ ...other, user: other.user && { ...other.user, id: 'usr_other' } }))
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    go()
    // Whatever would still be sent goes out before these are answered.
    for (let n = 0; n < 10; n += 1) await act(() => fetch('/api/session'))
    expect(calls.slice(called).filter(({ path }) => path.startsWith('/api/uploads'))).toEqual([])
    expect(sent).toHaveLength(before)
  })
})
