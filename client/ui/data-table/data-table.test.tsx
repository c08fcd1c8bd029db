import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { setSession } from '../../lib/session'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { answerOf, country, kronor, sales } from '../chart/chart.fixture'
import { PagedTable } from './paged-table'
import { ResultTable } from './result-table'

const QUERY = 'POST /api/query'
const plan: QueryPlan = { v: 2, kind: 'rows', measures: [], dimensions: [], filters: [] }
const three = answerOf(
  [country, sales],
  [
    ['Norway', 20],
    ['Sweden', 100],
    ['Denmark', 3.5],
  ],
)
const table = (result: QueryResult) => <ResultTable plan={null} result={result} format={kronor} caption="Sales" />
const rows = (): string[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent ?? '')

/** The frame is as high as so many pixels: without a layout it would be none, and no row in sight. */
const withFrameHeight = (px: number): void => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(px)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(800)
}
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a table of which every row is here', () => {
  it('sorts by a header, figures from the largest, and says so to screen readers', async () => {
    setSession(memberPageData('owner'))
    const { container } = await renderWithProviders(table(three))
    const header = screen.getByRole('columnheader', { name: /Sales/ })
    await userEvent.click(within(header).getByRole('button', { name: /^Sales/ }))
    expect(header).toHaveAttribute('aria-sort', 'descending')
    expect(rows()).toEqual(['Sweden', 'Norway', 'Denmark'])
    await userEvent.click(within(header).getByRole('button', { name: /^Sales/ }))
    expect(rows()).toEqual(['Denmark', 'Norway', 'Sweden'])
    await userEvent.click(within(header).getByRole('button', { name: /^Sales/ }))
    expect(header).not.toHaveAttribute('aria-sort')
    expect(rows()).toEqual(['Norway', 'Sweden', 'Denmark'])
    expect((await axe.run(container)).violations).toEqual([])
  })

  it('is one of no more groups than the question wants: the first three of twelve', async () => {
    setSession(memberPageData('owner'))
    const top: QueryPlan = { ...plan, kind: 'aggregate', limit: 3 }
    await renderWithProviders(
      <ResultTable plan={top} result={{ ...three, rowCount: 12, truncated: true }} format={kronor} caption="Sales" />,
    )
    expect(rows()).toEqual(['Norway', 'Sweden', 'Denmark'])
    expect(screen.getByRole('status')).toHaveTextContent(/^3 rows$/)
  })

  it('counts what is left of all others beside the rows', async () => {
    setSession(memberPageData('owner'))
    await renderWithProviders(table({ ...three, otherRow: 2 }))
    expect(screen.getByRole('status')).toHaveTextContent(/^2 rows and Other$/)
  })

  it('keeps its order when other rows of the same columns come, and not when the columns are others', async () => {
    setSession(memberPageData('owner'))
    const fewer = answerOf(
      [country, sales],
      [
        ['Finland', 1],
        ['Iceland', 7],
      ],
    )
    const other = answerOf(
      [country, { ...sales, label: 'Cost' }],
      [
        ['Finland', 1],
        ['Iceland', 7],
      ],
    )
    function Changing() {
      const [shown, setShown] = useState<QueryResult>(three)
      return (
        <>
          <button onClick={() => setShown({ ...fewer, hash: 'fewer' })}>Fewer</button>
          <button onClick={() => setShown({ ...other, hash: 'other' })}>Other</button>
          {table(shown)}
        </>
      )
    }
    await renderWithProviders(<Changing />)
    await userEvent.click(screen.getByRole('button', { name: /^Sales/ }))
    expect(rows()).toEqual(['Sweden', 'Norway', 'Denmark'])
    await userEvent.click(screen.getByRole('button', { name: 'Fewer' }))
    expect(rows()).toEqual(['Iceland', 'Finland'])
    await userEvent.click(screen.getByRole('button', { name: 'Other' }))
    expect(rows()).toEqual(['Finland', 'Iceland'])
  })

  it('filters by column, announces how many rows are left, and leads back', async () => {
    setSession(memberPageData('owner'))
    await renderWithProviders(table(three))
    await userEvent.click(screen.getByRole('button', { name: 'Filter Country' }))
    await userEvent.type(await screen.findByLabelText('Contains'), 'den{Enter}')
    await waitFor(() => expect(rows()).toEqual(['Sweden', 'Denmark']))
    expect(screen.getByRole('status')).toHaveTextContent('2 of 3 rows')
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(rows()).toHaveLength(3)
  })

  it('blames no filter where there is none', async () => {
    setSession(memberPageData('owner'))
    await renderWithProviders(table({ ...three, rows: [], rowCount: 0 }))
    expect(screen.getByText('No rows')).toBeInTheDocument()
    expect(screen.queryByText(/filters/)).not.toBeInTheDocument()
  })

  it('copies the cells that keys select, and the whole table with its headings', async () => {
    setSession(memberPageData('owner'))
    const user = userEvent.setup()
    await renderWithProviders(table(three))
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(screen.getByRole('cell', { name: 'Norway' }))
    screen.getByRole('cell', { name: 'Norway' }).focus()
    await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{/Shift}{Control>}c{/Control}')
    expect(copied).toHaveBeenLastCalledWith('Norway\t20\nSweden\t100')
    await user.keyboard('{ArrowUp}')
    await user.click(screen.getByRole('button', { name: 'Copy table' }))
    expect(copied).toHaveBeenLastCalledWith('Country\tSales\nNorway\t20\nSweden\t100\nDenmark\t3,5')
  })

  it('copies no heading that a spreadsheet would work out', async () => {
    setSession(memberPageData('owner'))
    const user = userEvent.setup()
    await renderWithProviders(table({ ...three, columns: [{ ...country, label: '=HYPERLINK("x")' }, sales] }))
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(screen.getByRole('button', { name: 'Copy table' }))
    expect(copied.mock.lastCall?.[0]).toMatch(/^"'=HYPERLINK/)
  })

  it('draws of 5 000 rows only those in sight, and counts all of them', async () => {
    withFrameHeight(400)
    setSession(memberPageData('owner'))
    const many = answerOf(
      [country, sales],
      Array.from({ length: 5000 }, (_, at) => [`Place ${at}`, at]),
    )
    await renderWithProviders(table(many))
    expect(screen.getByRole('grid')).toHaveAttribute('aria-rowcount', '5001')
    expect(screen.getAllByRole('row').length).toBeLessThan(80)
    expect(screen.getByRole('status')).toHaveTextContent(/5\s000 rows/)
  })
})

describe('a table of which a part is here', () => {
  const column: ResultColumn = {
    ...{ key: 'c0', label: 'Place', kind: 'column', type: 'text', format: { style: 'plain' } },
    field: { dataset: 'dst_1', column: 'c0' },
  }
  const page = (from: number, count: number, rowCount: number): QueryResult => ({
    ...answerOf(
      [column],
      Array.from({ length: count }, (_, at) => [`Place ${from + at}`]),
    ),
    ...{ kind: 'rows', rowCount, truncated: true },
  })

  it('asks for further rows as its end comes into sight, never for those that are here, and for another order by its headers', async () => {
    withFrameHeight(400)
    setSession(memberPageData('owner'))
    const calls = mockServer({ [QUERY]: () => jsonResponse(page(0, 10, 40)) })
    await renderWithProviders(<PagedTable plan={plan} first={page(0, 10, 40)} format={kronor} caption="Records" />)
    const asked = () => calls.flatMap(({ body }) => (body ? [(body as { plan: QueryPlan }).plan] : []))
    await waitFor(() => expect(asked().map(({ offset }) => offset)).toContain(10))
    expect(asked().map(({ offset }) => offset)).not.toContain(0)
    await userEvent.click(screen.getByRole('button', { name: /^Place/ }))
    const sort = [{ by: { column: 0 }, dir: 'asc' }]
    await waitFor(() => expect(asked()).toContainEqual(expect.objectContaining({ offset: 0, sort })))
    expect(screen.getByRole('button', { name: 'Export table' })).toBeVisible()
  })

  it('offers no file to those who may not take figures along', async () => {
    const data = memberPageData('viewer')
    const workspace = data.workspace && {
      ...data.workspace,
      permissions: data.workspace.permissions.filter((one) => one !== 'export:data'),
    }
    setSession({ ...data, workspace })
    mockServer({ [QUERY]: () => jsonResponse(page(0, 2, 2)) })
    await renderWithProviders(<PagedTable plan={plan} first={page(0, 2, 2)} format={kronor} caption="Records" />)
    expect(await screen.findByRole('button', { name: 'Copy table' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Export table' })).toBeNull()
  })
})
