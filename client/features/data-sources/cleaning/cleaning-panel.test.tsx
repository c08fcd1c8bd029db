import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BeforePreview } from './before-preview'
import { CleaningPanel, type CleanedTable } from './cleaning-panel'
import { fileColumn, inspection, opened, source, upload, uploadTable } from '../data-sources.fixture'
import { useState } from 'react'
import { sendPart } from '../upload/send-part'
import { UploadPanel } from '../upload/upload-panel'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer } from '../../../test/mock-server'
import type { CleaningReport, CleaningStep, StepEffect } from '../../../../src/shared/data-sources/cleaning'
import { inspectUploadSchema, type UploadInspection } from '../../../../src/shared/data-sources/inspection'

// Files share modules: what was imported by an earlier one would not be replaced.
vi.hoisted(() => vi.resetModules())
vi.mock('../upload/send-part', () => ({ sendPart: vi.fn(async () => undefined) }))

const HEADER = ['Region', 'Jan', 'Feb']
const UNPIVOT: CleaningStep = {
  ...{ kind: 'unpivot', keep: ['Region'], leaveOut: [], nameColumn: 'Month', valueColumn: 'Value', dropEmpty: true },
}
const effect = (over: Partial<StepEffect>): StepEffect => ({
  ...{ rowsIn: 100, rowsOut: 100, cells: 300, cellsChanged: 12, cellsUnread: 0 },
  ...over,
})
const TRIM: CleaningStep = { kind: 'trim', columns: [], inner: false }
/** What the server answers to a recipe: a step on a column `Gone` does not fit. */
function report(steps: CleaningStep[]): CleaningReport {
  const broken = steps.findIndex((step) => JSON.stringify(step).includes('Gone'))
  return {
    steps,
    effects: steps.map(({ kind }) => (kind === 'unpivot' ? effect({ rowsOut: 190 }) : effect({}))),
    columns: [HEADER, ...steps.map(() => HEADER)],
    problem: broken < 0 ? null : { step: broken, message: 'Column “Gone” not found.' },
    ...{ rowsRead: 100, exact: true, before: [['north', '1', '2']] },
    suggestions: steps.length === 0 ? [{ steps: [UNPIVOT], effect: TURNED, sampled: null }] : [],
  }
}

function serve() {
  return mockServer({
    'POST /api/uploads': () => jsonResponse({ ...upload, partCount: 1 }, 201),
    [`POST /api/uploads/${upload.id}/complete`]: () => jsonResponse({ ...upload, state: 'complete' }),
    [`POST /api/uploads/${upload.id}/open`]: () => jsonResponse(opened(uploadTable({ rowCount: 100 }))),
    [`POST /api/uploads/${upload.id}/inspect`]: ({ body }) => {
      const { cleaning = [] } = inspectUploadSchema.parse(body)
      const isUnpivoted = cleaning.some(({ kind }) => kind === 'unpivot')
      const names = isUnpivoted ? ['Region', 'Month', 'Value'] : HEADER
      return jsonResponse(
        inspection({
          columns: names.map((label, index) => fileColumn(index, { label })),
          preview: [['North', 'Jan', '1']],
          typedPreview: [['North', 'Jan', '1']],
          rows: { count: isUnpivoted ? 190 : 100, exact: true },
          cleaning: report(cleaning),
        }),
      )
    },
    'POST /api/data-sources': () => jsonResponse(source(), 201),
  })
}
async function review() {
  const calls = serve()
  await renderWithProviders(<UploadPanel onDone={vi.fn()} />)
  await userEvent.upload(screen.getByLabelText('Data files'), new File(['x'], 'sales.csv', { lastModified: 1 }))
  return calls
}
const button = (name: RegExp | string) => screen.findByRole('button', { name })

beforeEach(() => {
  setSession(memberPageData())
  sessionStorage.clear()
  vi.mocked(sendPart).mockReset().mockResolvedValue(undefined)
})
afterEach(() => vi.unstubAllGlobals())

/** The panel alone, over a server that answers at once. */
async function panelOf(first: CleaningStep[], file: UploadInspection | null = null) {
  const clean = vi.fn()
  function Panel() {
    const [cleaning, setCleaning] = useState<readonly CleaningStep[]>(first)
    clean.mockImplementation(setCleaning)
    const found: CleanedTable = { inspection: file, reading: false, undoClean: undefined, cleaning, clean }
    return <CleaningPanel found={found} report={report([...cleaning])} />
  }
  const { container } = await renderWithProviders(<Panel />)
  return { clean, container }
}

const TURNED = { kind: 'turnColumns', period: 'Month', columns: 2, rows: 1000, into: 1900 } as const

describe('cleaning before an import', () => {
  it('takes a proposal by one press, shows its figures and both sides, and is sent with the import', async () => {
    const calls = await review()
    expect(await screen.findByText(/^2 month columns: 1\s000 rows become 1\s900\.$/)).toBeVisible()
    await userEvent.click(await screen.findByLabelText(/^Apply: Unpivot columns into/))
    expect(await screen.findByText('Turned 100 rows into 190')).toBeVisible()
    await userEvent.click(screen.getByText('Undo'))
    await userEvent.click(await screen.findByLabelText(/^Apply: Unpivot columns into/))
    expect(await screen.findByText('Turned 100 rows into 190')).toBeVisible()
    await userEvent.click(screen.getByText('Before cleaning'))
    expect(await screen.findByText('north')).toBeVisible()
    await userEvent.click(screen.getByText('Import 190 rows'))
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/data-sources')).toBe(true))
    expect(calls.find(({ path }) => path === '/api/data-sources')?.body).toMatchObject({
      tables: [
        { cleaning: { header: HEADER, steps: [UNPIVOT] }, columns: [{ label: 'Region' }, { label: 'Month' }, {}] },
      ],
    })
  })

  it('adds, moves and removes steps', async () => {
    const { clean, container } = await panelOf([TRIM])
    expect((await axe.run(container)).violations).toEqual([])
    expect(screen.getByText('Changed 12 of 300 cells')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Add step' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove rows' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove rows' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add step' }))
    const drop: CleaningStep = { kind: 'dropRows', column: 'Region', when: 'isEmpty' }
    expect(clean).toHaveBeenLastCalledWith([TRIM, drop])
    expect(await screen.findByText('2. Remove rows where “Region” is empty')).toBeVisible()
    await userEvent.click(await button('Move step 2 up'))
    expect(clean).toHaveBeenLastCalledWith([drop, TRIM])
    expect(screen.getByRole('button', { name: 'Move step 1 down' })).toHaveFocus()
    await userEvent.click(await button('Remove step 1'))
    expect(clean).toHaveBeenLastCalledWith([TRIM])
  })

  it('shows all columns of the file before its steps, some at a time', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `Column ${at}`)
    await renderWithProviders(<BeforePreview names={names} rows={[names.map((_, at) => `cell ${at}`)]} />)
    expect(screen.queryByText('cell 39')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Next columns' }))
    expect(await screen.findByText('Columns 31–40 of 40')).toBeVisible()
    expect(screen.getByText('Column 39')).toBeVisible()
    expect(screen.getByText('cell 39')).toBeVisible()
  })

  it('begins a step that reads numbers with the decimal separator of the file', async () => {
    const settings = { ...inspection().settings, decimalMark: '.' as const }
    const { clean } = await panelOf([], inspection({ settings }))
    await userEvent.click(screen.getByRole('button', { name: 'Add step' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Read as number' }))
    const dialog = await screen.findByRole('dialog', { name: 'Read as number' })
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Columns' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Jan' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add step' }))
    expect(clean).toHaveBeenLastCalledWith([{ kind: 'parseNumber', columns: ['Jan'], decimalMark: '.' }])
  })

  it('says what a step lacks before it is added, and which one no longer fits', async () => {
    await panelOf([])
    await userEvent.click(screen.getByRole('button', { name: 'Add step' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Split column' }))
    const dialog = await screen.findByRole('dialog', { name: 'Split column' })
    const delimiter = within(dialog).getByLabelText('Delimiter')
    await userEvent.clear(delimiter)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add step' }))
    expect(await within(dialog).findByText('Enter a delimiter.')).toBeVisible()
    fireEvent.change(delimiter, { target: { value: 'Gone' } })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add step' }))
    expect(await screen.findByText('Column “Gone” not found. Edit or remove this step.')).toBeVisible()
  })
})
