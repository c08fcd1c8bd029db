import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TilesRequest } from '../../../src/shared/reports/tiles'
import { ERRORS } from '../../../src/shared/errors'
import { queryClient } from '../../lib/queries/query-client'
import { setSession } from '../../lib/session'
import { jsonResponse, errorResponse, mockServer, type MockReply, type RecordedCall } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import type { TileSlots } from './blocks/slots'
import { ReportsScreen } from './list/reports-screen'
import { answerOf, compared, sales } from '../../ui/chart/chart.fixture'
import {
  BY_COUNTRY,
  chartAnswer,
  CONTENT,
  END,
  figureTile,
  KPIS,
  kpiAnswer,
  ndjson,
  OTHER,
  REPORT,
} from './reports.fixture'
import { ReportScreen } from './view/report-screen'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())

const ONE = `/api/reports/${REPORT.id}`
const TILES = `POST ${ONE}/tiles`
const SAVE = `PUT ${ONE}`
const none: MockReply = () => jsonResponse({ items: [], nextCursor: null })
const AROUND: Record<string, MockReply> = {
  [`GET ${ONE}`]: () => jsonResponse(REPORT),
  [`GET ${ONE}/bookmarks`]: none,
  [`GET ${ONE}/publications`]: none,
  'GET /api/data-sources': none,
  'GET /api/metrics': none,
  'GET /api/block-subscriptions': none,
  'GET /api/insights': none,
  'GET /api/forecasts': none,
  'GET /api/groupings': () => jsonResponse([]),
}
const SLOTS: TileSlots = {
  forecast: () => null,
  records: () => null,
  figure: () => null,
  commentButton: ({ block, title, onOpen }) => <button onClick={() => onOpen(block)}>Talk of {title}</button>,
  comments: ({ title, onClose }) => (
    <div role="dialog">
      Said of {title} <button onClick={onClose}>Done</button>
    </div>
  ),
}
const questionOf = ({ body }: RecordedCall): TilesRequest => JSON.parse(JSON.stringify(body))
const questions = (calls: readonly RecordedCall[]): TilesRequest[] =>
  calls.filter(({ path }) => path === `${ONE}/tiles`).map(questionOf)
const allTiles: MockReply = () => ndjson(kpiAnswer(), chartAnswer(BY_COUNTRY.id), chartAnswer(OTHER.id), END)
const refusal = (code: 'busy' | 'forbidden') => ({ code, message: ERRORS[code].message, requestId: 'r' })
const tile = (name: string) => screen.findByRole('article', { name })
const accessible = async (element: HTMLElement): Promise<void> => {
  const { violations } = await axe.run(element, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  })
  expect(violations.map((one) => [one.id, one.nodes.map((node) => node.html)])).toEqual([])
}
const open = (search = '') =>
  renderWithProviders(<ReportScreen id={REPORT.id} slots={SLOTS} />, search, `/reports/interactive/${REPORT.id}`)

beforeEach(() => {
  setSession(memberPageData())
  localStorage.clear()
  // Fields that grow with their text wait for fonts, which there are none of here.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
})
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a report', () => {
  it('asks for a page in one question and shows figures, period and filters, without offence', async () => {
    const calls = mockServer({ ...AROUND, [TILES]: allTiles })
    const { container } = await open()
    expect(await screen.findByText('500 kr')).toBeVisible()
    expect(within(await tile('Sales by country')).getByText('Sweden')).toBeVisible()
    expect(await tile('Other tile')).toBeVisible()
    expect(questions(calls)).toEqual([
      { of: 'published', page: 'page0001', period: CONTENT.period, filters: [], sources: [] },
    ])
    expect(screen.getByRole('button', { name: 'Region: All' })).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Details' })).toBeVisible()
    await accessible(container)
  })

  it('keeps the frame of a tile when its figures come, and asks once for what the frame shows', async () => {
    const told = Promise.withResolvers<Response>()
    const subscriptions = Promise.withResolvers<Response>()
    const calls = mockServer({
      ...AROUND,
      'GET /api/block-subscriptions': () => subscriptions.promise,
      [TILES]: () => told.promise,
    })
    await open()
    const frame = await tile('Other tile')
    expect(frame).toHaveAttribute('aria-busy', 'true')
    told.resolve(ndjson(kpiAnswer(), chartAnswer(BY_COUNTRY.id), chartAnswer(OTHER.id), END))
    expect(await within(frame).findByText('Sweden')).toBeVisible()
    expect(await tile('Other tile')).toBe(frame)
    subscriptions.resolve(jsonResponse({ items: [], nextCursor: null }))
    expect(await within(frame).findByRole('button', { name: 'Subscribe to Other tile' })).toBeInTheDocument()
    expect(calls.filter(({ path }) => path === '/api/block-subscriptions')).toHaveLength(1)
  })

  it('leads from each block to what is said of it, and not from those that may not be seen', async () => {
    const calls = mockServer({
      ...AROUND,
      [`PUT ${ONE}/subscriptions`]: none,
      [TILES]: () =>
        ndjson(kpiAnswer(), chartAnswer(BY_COUNTRY.id), { block: OTHER.id, error: refusal('forbidden') }, END),
    })
    await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Talk of Sales by country' }))
    expect(await screen.findByText('Said of Sales by country')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('button', { name: /^Talk of Other/ })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Subscribe to Sales by country' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Every week' }))
    await waitFor(() =>
      expect(calls.find(({ path }) => path === `${ONE}/subscriptions`)?.body).toEqual({
        ...{ block: BY_COUNTRY.id, cadence: 'weekly' },
      }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Present' }))
    expect(screen.queryByRole('button', { name: /^(Talk of|Subscribe)/ })).toBeNull()
  })

  it('shows each tile as its line arrives', async () => {
    let more: ReadableStreamDefaultController<Uint8Array> | null = null
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (more = controller) })
    mockServer({ ...AROUND, [TILES]: () => new Response(body) })
    await open()
    const send = (line: unknown) => more?.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`))
    await act(async () => send(chartAnswer(BY_COUNTRY.id)))
    expect(await screen.findByText('Sweden')).toBeVisible()
    expect(within(await tile('Other tile')).getByRole('status', { name: 'Loading' })).toBeVisible()
    await act(async () => {
      send(chartAnswer(OTHER.id))
      send(kpiAnswer())
      send(END)
      more?.close()
    })
    expect(within(await tile('Other tile')).getByText('Sweden')).toBeVisible()
  })

  it('says of each tile that it may not be seen, that it failed, and asks for that one again', async () => {
    const calls = mockServer({
      ...AROUND,
      [TILES]: [
        () =>
          ndjson(
            kpiAnswer(),
            { block: BY_COUNTRY.id, error: refusal('forbidden') },
            { block: OTHER.id, error: refusal('busy') },
            END,
          ),
        () => ndjson(chartAnswer(OTHER.id), END),
      ],
    })
    await open()
    expect(await screen.findByText('No access')).toBeVisible()
    const failed = await tile('Other tile')
    expect(within(failed).getByRole('alert')).toHaveTextContent('Server busy')
    await userEvent.click(within(failed).getByRole('button', { name: 'Try again' }))
    await waitFor(async () => expect(within(await tile('Other tile')).getByText('Sweden')).toBeVisible())
    expect(questions(calls).at(-1)?.blocks).toEqual([OTHER.id])
  })

  it('keeps what came when the answer breaks off, and says so of the rest', async () => {
    mockServer({ ...AROUND, [TILES]: () => ndjson(chartAnswer(BY_COUNTRY.id)) })
    queryClient.setDefaultOptions({ queries: { retry: false } })
    await open()
    expect(await screen.findByText('Sweden')).toBeVisible()
    expect(within(await tile('Other tile')).getByRole('alert')).toHaveTextContent('No connection')
  })

  it('filters the other tiles by a click on a row, says which do not follow, and takes it back', async () => {
    const filtered: MockReply = () =>
      ndjson(kpiAnswer(310), chartAnswer(BY_COUNTRY.id), chartAnswer(OTHER.id, [0]), END)
    const calls = mockServer({ ...AROUND, [TILES]: [allTiles, filtered, allTiles] })
    await open()
    const clicked = await tile('Sales by country')
    await userEvent.click(within(clicked).getByText('Sweden'))
    expect(await screen.findByText('310 kr')).toBeVisible()
    expect(within(screen.getByRole('group', { name: 'Filtered by' })).getByText('Country: Sweden')).toBeVisible()
    expect(questions(calls)[1]).toMatchObject({
      filters: [{ any: [{ op: 'eq', value: 'Sweden' }] }],
      sources: [{ block: BY_COUNTRY.id, filter: 0 }],
    })
    expect(within(clicked).getByText('Sweden').closest('tr')).toHaveAttribute('data-picked')
    expect(within(await tile('Other tile')).getByRole('img', { name: 'Not filtered by Country' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter Country: Sweden' }))
    expect(await screen.findByText('500 kr')).toBeVisible()
    expect(screen.queryByRole('group', { name: 'Filtered by' })).toBeNull()
  })

  it('asks for the figures of a click once, before the page is drawn for it, and shows none of a click that another one follows', async () => {
    const late = Promise.withResolvers<Response>()
    const told = (figure: number) => ndjson(kpiAnswer(figure), chartAnswer(BY_COUNTRY.id), chartAnswer(OTHER.id), END)
    const isDrawn: boolean[] = []
    const calls = mockServer({
      ...AROUND,
      [TILES]: (call) => {
        isDrawn.push(screen.queryByRole('group', { name: 'Filtered by' }) !== null)
        const asked = JSON.stringify(questionOf(call).filters)
        return asked.includes('Sweden') ? late.promise : told(asked.includes('Norway') ? 310 : 500)
      },
    })
    await open()
    const clicked = await tile('Sales by country')
    fireEvent.click(within(clicked).getByText('Sweden'))
    fireEvent.click(within(clicked).getByText('Norway'))
    expect(await screen.findByText('310 kr')).toBeVisible()
    late.resolve(told(777))
    await act(() => new Promise((passed) => setTimeout(passed, 50)))
    expect(screen.queryByText('777 kr')).toBeNull()
    expect(screen.getByText('310 kr')).toBeVisible()
    expect(questions(calls).filter(({ filters }) => JSON.stringify(filters).includes('Norway'))).toHaveLength(1)
    expect(isDrawn).not.toContain(true)
  })

  it('says below the change of a key figure which filters it does not follow', async () => {
    const period = { from: '2026-01-01', to: '2026-03-31', label: 'Jan–Mar 2026', incomplete: false }
    const compare = { ...period, label: 'Jan–Mar 2025' }
    const figure = figureTile(310)
    const result = answerOf([sales, ...compared.slice(1, 3)], [[310, 300, 10]], { period: { ...period, compare } })
    const kpis = { block: KPIS.id, content: { kind: 'kpis', figures: [{ ...figure, result, unfiltered: [0] }] } }
    const filtered: MockReply = () => ndjson(kpis, chartAnswer(BY_COUNTRY.id), chartAnswer(OTHER.id), END)
    mockServer({ ...AROUND, [TILES]: [allTiles, filtered] })
    await open()
    await userEvent.click(within(await tile('Sales by country')).getByText('Sweden'))
    const aside = await screen.findByText('Not filtered by Country')
    expect(aside.closest('div')).not.toHaveTextContent('vs Jan–Mar 2025')
    expect(screen.getByText('vs Jan–Mar 2025')).toBeVisible()
  })

  it('says in words which tiles keep a period of their own', async () => {
    const own = chartAnswer(OTHER.id)
    const apart = { ...own, content: { ...('content' in own ? own.content : {}), period: false } }
    const answer: MockReply = () => ndjson(kpiAnswer(), chartAnswer(BY_COUNTRY.id), apart, END)
    mockServer({ ...AROUND, [TILES]: answer })
    await open()
    expect(within(await tile('Other tile')).getByText('All time · own period')).toBeVisible()
    expect(within(await tile('Sales by country')).queryByText(/own period/)).toBeNull()
  })

  it('offers no edit to a viewer, and what is not published is not there for them', async () => {
    setSession(memberPageData('viewer'))
    mockServer({ ...AROUND, [TILES]: allTiles, [`GET ${ONE}`]: () => jsonResponse({ ...REPORT, draft: null }) })
    const shown = await open()
    expect(await screen.findByText('500 kr')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /More actions/ }))
    const offered = await screen.findAllByRole('menuitem')
    expect(offered.map(({ textContent }) => textContent)).toEqual(['Download PDF', 'Download Excel workbook'])
    shown.unmount()
    mockServer({
      ...AROUND,
      [`GET ${ONE}`]: () => jsonResponse({ ...REPORT, draft: null, published: null, status: 'draft' }),
    })
    await open()
    expect(await screen.findByRole('heading', { name: 'Not published yet' })).toBeVisible()
  })
})

describe('the editor', () => {
  const block = (name: RegExp) => screen.findByRole('group', { name })
  const saved: MockReply = ({ body }) => {
    const { version, content, name }: typeof REPORT & { content: typeof CONTENT } = JSON.parse(JSON.stringify(body))
    return jsonResponse({ ...REPORT, name, draft: content, changed: true, version: version + 1 })
  }
  const saves = (calls: readonly RecordedCall[]) => calls.filter(({ method }) => method === 'PUT')

  it('moves and resizes a block by keyboard, says where it is, saves it, and takes it back', async () => {
    const calls = mockServer({ ...AROUND, [TILES]: allTiles, [SAVE]: saved })
    const { container } = await open('?edit=true')
    const first = await block(/^Key figures, /)
    await accessible(container)
    first.focus()
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
    expect(await screen.findByText('Key figures: Columns 1 to 12, rows 1 to 5')).toBeInTheDocument()
    expect(await screen.findByText('Saved', {}, { timeout: 3000 })).toBeVisible()
    await waitFor(() => expect(saves(calls)).toHaveLength(1))
    expect(saves(calls)[0]?.body).toMatchObject({
      version: 3,
      content: { pages: [{ blocks: [{ place: { h: 5 } }, { place: { y: 5 } }, { place: { y: 5 } }] }, {}] },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await block(/^Key figures, Columns 1 to 12, rows 1 to 4$/)).toBeVisible()
    await waitFor(() => expect(saves(calls).at(-1)?.body).toMatchObject({ version: 4 }), { timeout: 3000 })
  })

  it('shows both versions when somebody else saved first, and saves one’s own over theirs', async () => {
    const theirs = { ...REPORT, name: 'Their board', version: 7 }
    const calls = mockServer({
      ...AROUND,
      [TILES]: allTiles,
      [SAVE]: [() => errorResponse('version_conflict', { current: theirs }), saved],
    })
    await open('?edit=true')
    await userEvent.type(await screen.findByRole('textbox', { name: 'Report name' }), '!')
    const dialog = await screen.findByRole('dialog', {}, { timeout: 3000 })
    expect(dialog).toHaveTextContent('Their board')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save mine' }))
    await waitFor(() => expect(saves(calls).at(-1)?.body).toMatchObject({ name: 'Monday board!', version: 7 }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('saves what is typed while a save is on its way, and keeps what could not be saved', async () => {
    const first = Promise.withResolvers<Response>()
    const calls = mockServer({
      ...AROUND,
      [TILES]: allTiles,
      [SAVE]: [() => first.promise, () => errorResponse('internal'), () => errorResponse('internal')],
    })
    await open('?edit=true')
    const name = await screen.findByRole('textbox', { name: 'Report name' })
    await userEvent.type(name, '!')
    await waitFor(() => expect(saves(calls)).toHaveLength(1), { timeout: 3000 })
    await userEvent.type(name, '!')
    first.resolve(jsonResponse({ ...REPORT, name: 'Monday board!', draft: CONTENT, version: 4 }))
    await waitFor(() => expect(saves(calls).at(-1)?.body).toMatchObject({ name: 'Monday board!!', version: 4 }))
    await userEvent.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(saves(calls).length).toBeGreaterThan(2))
    const kept = (): string[] => Object.keys(localStorage).map((key) => localStorage.getItem(key) ?? '')
    // It is kept a moment after each change.
    await waitFor(() => expect(kept().join('\n')).toContain('Monday board!!'), { timeout: 3000 })
    localStorage.clear()
  })

  it('says what stands in the way of publishing, and leads to the block', async () => {
    mockServer({
      ...AROUND,
      [TILES]: allTiles,
      [`GET ${ONE}`]: () => jsonResponse({ ...REPORT, changed: true }),
      [`POST ${ONE}/publish`]: () =>
        errorResponse('invalid_input', { fields: {}, problems: [{ block: KPIS.id, message: 'Metric not found.' }] }),
    })
    await open('?edit=true')
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    await userEvent.click(screen.getByRole('button', { name: 'Publish report' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Metric not found.' }))
    expect(await block(/^Key figures, /)).toHaveAttribute('data-selected')
    expect(screen.getByRole('complementary', { name: 'Block settings' })).toBeVisible()
  })
})

describe('the list', () => {
  it('teaches by its templates where there is nothing, and makes a report of one', async () => {
    const calls = mockServer({
      ...AROUND,
      'GET /api/reports': none,
      'POST /api/reports': () => jsonResponse(REPORT, 201),
    })
    const { container } = await renderWithProviders(<ReportsScreen />)
    await userEvent.click(await screen.findByRole('button', { name: /^Sales review/ }))
    await accessible(container)
    await userEvent.click(screen.getByRole('button', { name: 'Create report' }))
    await waitFor(() => expect(calls.at(-1)?.method).not.toBe('GET'))
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ kind: 'interactive', template: 'sales', name: 'Sales review' },
    })
  })

  it('says of each report its state and owner, and deletes with a way back', async () => {
    const calls = mockServer({
      ...AROUND,
      'GET /api/reports': () => jsonResponse({ items: [{ ...REPORT, changed: true }], nextCursor: null }),
      [`DELETE ${ONE}`]: () => jsonResponse(REPORT),
    })
    await renderWithProviders(<ReportsScreen />)
    const row = (await screen.findByRole('link', { name: 'Monday board' })).closest('li')
    expect(row).toHaveTextContent(/Changed.*Anna Lindqvist/)
    await userEvent.click(screen.getByRole('button', { name: 'More actions for Monday board' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete report' }))
    await waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'DELETE', search: '?version=3' }))
  })
})
