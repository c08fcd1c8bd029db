import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dataset, fileColumn, inspection, opened, run, source, upload, uploadTable } from '../data-sources.fixture'
import { sendPart } from '../upload/send-part'
import { UploadPanel } from '../upload/upload-panel'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer, type RecordedCall } from '../../../test/mock-server'
import type { ImportChoices, RememberedImport } from '../../../../src/shared/data-sources/import-choices'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
vi.mock('../upload/send-part', () => ({ sendPart: vi.fn(async () => undefined) }))

const SHAPE = 'a'.repeat(64)
const remembered = (choices: Partial<ImportChoices>, more: Partial<RememberedImport> = {}): RememberedImport => ({
  ...{ source: 'Fakturor', table: 'Fakturor', cleaning: [] },
  choices: { shape: SHAPE, omitted: [], settings: [], columns: [], targets: [], ...choices },
  ...more,
})
const CHOSEN = remembered({
  settings: [{ key: 'encoding', detected: 'windows-1252', chosen: 'macintosh' }],
  columns: [
    { of: 'Kund', role: 'id' },
    { of: 'Borta', include: false },
  ],
})
const hasSettings = (body: unknown): boolean => JSON.stringify(body).includes('macintosh')

/** One file, read with the corrected settings and without, of which this is remembered. */
function server(of: RememberedImport, more: Record<string, () => Response> = {}): RecordedCall[] {
  return mockServer({
    'POST /api/uploads': () => jsonResponse({ ...upload, partCount: 1 }, 201),
    [`POST /api/uploads/${upload.id}/complete`]: () => jsonResponse({ ...upload, state: 'complete' }),
    [`POST /api/uploads/${upload.id}/open`]: () => jsonResponse(opened()),
    [`POST /api/uploads/${upload.id}/inspect`]: ({ body }) => {
      const found = inspection({ shape: SHAPE })
      if (hasSettings(body)) return jsonResponse({ ...found, settings: { ...found.settings, encoding: 'macintosh' } })
      return jsonResponse({ ...found, remembered: of })
    },
    'POST /api/data-sources': () => jsonResponse(source(), 201),
    ...more,
  })
}
const pick = () => userEvent.upload(screen.getByLabelText(/^Data files?$/), new File(['x'], 'fakturor.csv'))
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const bodyOf = async (calls: RecordedCall[], path: string): Promise<unknown> => {
  await waitFor(() => expect(calls.some((call) => call.path === path)).toBe(true))
  return calls.find((call) => call.path === path)?.body
}

beforeEach(() => {
  setSession(memberPageData())
  sessionStorage.clear()
  vi.mocked(sendPart).mockReset().mockResolvedValue(undefined)
})
afterEach(() => vi.unstubAllGlobals())

describe('a file like one that was imported before', () => {
  it('is read with what was chosen then, says so and what does not fit, and hands the choices on', async () => {
    const calls = server(CHOSEN)
    const { container } = await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick()
    expect(await screen.findByText('Settings from the last import of “Fakturor” are used.')).toBeVisible()
    expect(screen.getByText('Not used: column “Borta”.')).toBeVisible()
    expect(screen.getByRole('combobox', { name: 'Encoding' })).toHaveValue('Mac Roman')
    expect((await axe.run(container)).violations).toEqual([])
    await press(/^Import 1.234 rows$/)
    expect(await bodyOf(calls, '/api/data-sources')).toMatchObject({
      tables: [
        {
          settings: { encoding: 'macintosh' },
          columns: [{ label: 'Kund', role: 'id' }, {}, {}],
          choices: {
            ...{ shape: SHAPE, columns: [{ of: 'Kund', role: 'id' }] },
            settings: [{ key: 'encoding', detected: 'windows-1252', chosen: 'macintosh' }],
          },
        },
      ],
    })
  })

  it('is read as it is detected by one press, and as before by another', async () => {
    const calls = server(CHOSEN)
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick()
    await press('Use detected settings')
    const encoding = (label: string) =>
      waitFor(() => expect(screen.getByRole('combobox', { name: 'Encoding' })).toHaveValue(label))
    await encoding('Windows-1252')
    await press('Use settings from “Fakturor”')
    await encoding('Mac Roman')
    await press('Use detected settings')
    await encoding('Windows-1252')
    await press(/^Import 1.234 rows$/)
    expect(await bodyOf(calls, '/api/data-sources')).toMatchObject({
      tables: [{ settings: { encoding: 'windows-1252' }, choices: { settings: [], columns: [] } }],
    })
  })

  it('goes through the steps of then', async () => {
    const calls = server(remembered({}, { source: 'Bok', table: 'Blad1', cleaning: [{ kind: 'dropTotals' }] }))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick()
    expect(await screen.findByText('Settings from the last import of “Bok: Blad1” are used.')).toBeVisible()
    expect(screen.getByText('1. Remove total rows')).toBeVisible()
    const asked = calls.filter(({ path }) => path.endsWith('/inspect')).map(({ body }) => body)
    expect(asked).toEqual([
      { settings: {}, remember: {} },
      { settings: {}, cleaning: [{ kind: 'dropTotals' }] },
    ])
  })

  it('says nothing where there is nothing to use, and that nothing fits where that is so', async () => {
    server(remembered({ table: 'fakturor' }))
    const { unmount } = await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick()
    await screen.findByRole('button', { name: /^Import 1.234 rows$/ })
    expect(screen.queryByText(/last import/)).toBeNull()
    unmount()
    sessionStorage.clear()
    server(remembered({ columns: [{ of: 'Borta', include: false }] }))
    await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
    await pick()
    expect(await screen.findByText('Settings from the last import of “Fakturor” don’t fit.')).toBeVisible()
  })
})

describe('the next file of a table', () => {
  const { id } = dataset()
  const target = { kind: 'dataset', datasetId: id, mode: 'replace' } as const

  it('is asked for with the table, and its columns go where they went', async () => {
    const calls = server(remembered({ targets: [{ of: 'Kund', to: 'skip' }] }), {
      [`GET /api/datasets/${id}`]: () => jsonResponse(dataset()),
      [`POST /api/datasets/${id}/loads`]: () => jsonResponse(run(), 201),
    })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} target={target} />)
    await pick()
    await press(/^Match columns for/)
    expect(screen.getByRole('combobox', { name: 'Dataset column for Kund' })).toHaveValue('Exclude')
    await press(/^Import /)
    expect(await bodyOf(calls, `/api/datasets/${id}/loads`)).toMatchObject({
      mapping: [
        { index: 1, key: 'c1' },
        { index: 2, key: 'c2' },
      ],
      choices: { targets: [{ of: 'Kund', to: 'skip' }] },
    })
    expect(await bodyOf(calls, `/api/uploads/${upload.id}/inspect`)).toEqual({
      settings: {},
      remember: { dataset: id },
    })
  })

  it('is the sheet that went into it before, whatever the table is called', async () => {
    const sheet = (number: number, name: string) =>
      uploadTable({ uploadId: `upl_0000000000000000000${number}`, name, kind: 'xlsx' })
    const of = (heading: string) =>
      jsonResponse(
        inspection({
          ...{ kind: 'xlsx', columns: [fileColumn(0, { label: heading })], preview: [['x']], typedPreview: [['x']] },
          remembered: remembered({ table: 'Blad2', omitted: ['Blad1'] }),
        }),
      )
    server(CHOSEN, {
      [`GET /api/datasets/${id}`]: () => jsonResponse(dataset()),
      [`POST /api/uploads/${upload.id}/open`]: () => jsonResponse(opened(sheet(7, 'Blad1'), sheet(8, 'Blad2'))),
      'POST /api/uploads/upl_00000000000000000007/inspect': () => of('Första'),
      'POST /api/uploads/upl_00000000000000000008/inspect': () => of('Andra'),
    })
    await renderWithProviders(<UploadPanel onDone={vi.fn()} target={target} />)
    await pick()
    expect(await screen.findByText('Andra')).toBeVisible()
  })
})
