import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { figureColumn, type ItemColumn } from './item-column'
import { ItemTable } from './item-table'

interface Run {
  name: string
  day: string
  rows: number | null
}
const RUNS: Run[] = [
  { name: 'b.csv', day: '2026-03-02', rows: 5 },
  { name: '=a.csv', day: '2026-03-03', rows: 1234.5 },
  { name: 'c.csv', day: '2026-03-01', rows: null },
]
const COLUMNS: ItemColumn<Run>[] = [
  { label: 'File', value: ({ name }) => name, filter: true, draw: ({ name }) => <strong>{name}</strong> },
  { label: 'Day', kind: 'date', value: ({ day }) => day, text: ({ day }) => `on ${day}` },
  figureColumn(
    'Rows',
    ({ rows }) => rows,
    (rows) => `${rows} rows`,
  ),
]
const runs = (items: readonly Run[] = RUNS) => (
  <ItemTable caption="Imports" items={items} itemKey={({ name }) => name} columns={COLUMNS} />
)
const names = (): string[] => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

/** What is downloaded, as text. */
function downloads(): string[] {
  const files: string[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) void file.text().then((text) => files.push(text))
    return 'blob:file'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined)
  return files
}

beforeEach(() => setSession(memberPageData('owner')))
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a table of things', () => {
  it('sorts by every header, what has no figure last, and names its rows', async () => {
    const { container } = await renderWithProviders(runs())
    await userEvent.click(screen.getByRole('button', { name: 'Rows' }))
    expect(names()).toEqual(['=a.csv', 'b.csv', 'c.csv'])
    await userEvent.click(screen.getByRole('button', { name: 'Rows' }))
    expect(names()).toEqual(['b.csv', '=a.csv', 'c.csv'])
    await userEvent.click(screen.getByRole('button', { name: 'Day' }))
    expect(names()).toEqual(['c.csv', 'b.csv', '=a.csv'])
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('copies and exports what it shows: filtered, in order, figures bare, no text as a formula', async () => {
    const user = userEvent.setup()
    await renderWithProviders(runs([...RUNS, { name: 'other.txt', day: '2026-03-04', rows: 1 }]))
    await user.click(screen.getByRole('button', { name: 'Filter File' }))
    await user.type(await screen.findByLabelText('Contains'), 'csv{Enter}')
    await waitFor(() => expect(names()).toHaveLength(3))
    await user.click(screen.getByRole('button', { name: 'Day' }))
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(screen.getByRole('button', { name: 'Copy table' }))
    expect(copied).toHaveBeenLastCalledWith(
      "File\tDay\tRows\nc.csv\ton 2026-03-01\t\nb.csv\ton 2026-03-02\t5\n'=a.csv\ton 2026-03-03\t1234,5",
    )
    const files = downloads()
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(files).toHaveLength(1))
    expect(files[0]?.replace('\ufeff', '').trim().split('\r\n')).toEqual([
      ...['File;Day;Rows', 'c.csv;on 2026-03-01;', 'b.csv;on 2026-03-02;5', "'=a.csv;on 2026-03-03;1234,5"],
    ])
  })

  it('offers no file to those who may not take figures along', async () => {
    const data = memberPageData('viewer')
    const permissions = data.workspace?.permissions.filter((one) => one !== 'export:data') ?? []
    setSession({ ...data, workspace: data.workspace && { ...data.workspace, permissions } })
    await renderWithProviders(runs())
    expect(screen.getByRole('button', { name: 'Copy table' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull()
  })
})

/** A list that comes in pages of one. */
function PagedRuns() {
  const [count, setCount] = useState(1)
  return (
    <ItemTable
      caption="Imports"
      items={RUNS.slice(0, count)}
      itemKey={({ name }) => name}
      columns={COLUMNS}
      paged={{
        hasNextPage: count < RUNS.length,
        isFetchingNextPage: false,
        isFetchNextPageError: false,
        fetchNextPage: () => Promise.resolve(setCount((now) => now + 1)),
        readAll: () => Promise.resolve(RUNS),
      }}
    />
  )
}

describe('a table of things that come in pages', () => {
  it('says that there are more, and reads all of them before it sorts', async () => {
    await renderWithProviders(<PagedRuns />)
    expect(screen.getByRole('status')).toHaveTextContent('First 1 row')
    expect(screen.getByRole('button', { name: 'Show more' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Day' }))
    await waitFor(() => expect(names()).toEqual(['c.csv', 'b.csv', '=a.csv']))
    expect(screen.getByRole('status')).toHaveTextContent('3 rows')
    expect(within(document.body).queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('exports all of them', async () => {
    const files = downloads()
    await renderWithProviders(<PagedRuns />)
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(files[0]?.split('\r\n')).toHaveLength(5))
  })
})
