import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Dimension, QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import { queryClient } from '../../../lib/queries/query-client'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, mockServer, type RecordedCall } from '../../../test/mock-server'
import { answerOf, country, kronor, month, sales } from '../../../ui/chart/chart.fixture'
import { ChartPicker } from '../builder/chart-picker'
import { PivotTable } from '../../../ui/pivot/pivot-table'
import { field, MONTHLY } from '../insights.fixture'

vi.setConfig({ testTimeout: 20_000 })
const region = { ...country, key: 'd0', label: 'region' }
const town = { ...country, key: 'd1', label: 'town' }
const split = (column: `c${number}`, grain?: 'month'): Dimension => ({
  field: field(column),
  ...(grain ? { grain } : {}),
})
const PLAN: QueryPlan = { ...MONTHLY, dimensions: [split('c2'), split('c6'), split('c1', 'month')] }
const MAIN = answerOf(
  [region, town, { ...month, key: 'd2' }, sales],
  [
    ['North', 'Umeå', '2026-01-01', 10],
    ['South', 'Malmö', '2026-01-01', 5],
  ],
)
/** Totals that no adding up of the cells would give. */
const totals = (call: RecordedCall): QueryResult => {
  const { plan }: { plan: QueryPlan } = JSON.parse(JSON.stringify(call.body))
  const splits = plan.dimensions.map((one) => one.field.column).join()
  if (splits === 'c2,c6') return answerOf([region, town, sales], [['North', 'Umeå', 77]], { totals: [null, null, 99] })
  if (splits === 'c1') return answerOf([{ ...month, key: 'd0' }, sales], [['2026-01-01', 88]])
  if (splits === 'c2') return answerOf([region, sales], [['North', 66]])
  return answerOf([region, { ...month, key: 'd1' }, sales], [['North', '2026-01-01', 55]])
}
const pivot = (onPick?: (row: number) => void) => (
  <PivotTable
    plan={PLAN}
    result={MAIN}
    percent={undefined}
    format={kronor}
    caption="Sales"
    {...(onPick ? { onPick } : {})}
  />
)

beforeEach(() => setSession(memberPageData()))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe('pivot table', () => {
  it('shows totals as the server gave them, and has no accessibility offence', async () => {
    mockServer({ 'POST /api/query': (call) => jsonResponse(totals(call)) })
    const { container } = await renderWithProviders(pivot())
    for (const figure of [55, 66, 77, 88, 99])
      expect(await screen.findByText(new RegExp(`^${figure}\\skr$`))).toBeVisible()
    const { violations } = await axe.run(container, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    })
    expect(violations.map((one) => one.id)).toEqual([])
  })

  it('is walked by arrow keys, folded and opened by Enter', async () => {
    mockServer({ 'POST /api/query': (call) => jsonResponse(totals(call)) })
    const onPick = vi.fn()
    await renderWithProviders(pivot(onPick))
    const grid = await screen.findByRole('grid', { name: 'Sales' })
    await userEvent.tab()
    while (document.activeElement?.getAttribute('data-cell') === null) await userEvent.tab()
    expect(document.activeElement).toHaveTextContent('North')
    await userEvent.keyboard('{ArrowDown}{ArrowRight}{Enter}')
    expect(onPick).toHaveBeenCalledWith(0)
    await userEvent.keyboard('{ArrowLeft}{ArrowUp}{Enter}')
    expect(within(grid).queryByText('Umeå')).toBeNull()
    expect(within(grid).getByRole('button', { name: 'Expand North' })).toHaveAttribute('aria-expanded', 'false')
  })
})

const names = (): string[] => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

describe('the headings of a pivot', () => {
  const PLACES = answerOf(
    [region, town, { ...month, key: 'd2' }, sales],
    [
      ['North', 'Umeå', '2026-01-01', 10],
      ['North', 'Boden', '2026-01-01', 30],
      ['South', 'Malmö', '2026-01-01', 5],
    ],
  )
  const places = <PivotTable plan={PLAN} result={PLACES} percent={undefined} format={kronor} caption="Sales" />

  it('filter the innermost rows, keep those around them and the totals, and are copied as shown', async () => {
    const user = userEvent.setup()
    mockServer({ 'POST /api/query': (call) => jsonResponse(totals(call)) })
    await renderWithProviders(places)
    await screen.findByText(/^88\skr$/)
    await user.click(screen.getByRole('button', { name: /^Filter Jan 2026/ }))
    await user.type(await screen.findByLabelText('From'), '10{Enter}')
    await waitFor(() => expect(names()).toEqual(['North', 'Umeå', 'Boden', 'Total']))
    expect(screen.getByText('Totals include all rows')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('2 of 3 rows')
    await user.click(screen.getByRole('button', { name: /^Jan 2026/ }))
    expect(names()).toEqual(['North', 'Boden', 'Umeå', 'Total'])
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(screen.getByRole('button', { name: 'Copy table' }))
    const lines = copied.mock.calls[0]?.[0].split('\n').map((line) => line.split('\t').slice(0, 3)) ?? []
    expect(lines.slice(1)).toEqual([
      ...[
        ['North', 'Total', '55'],
        ['North', 'Boden', '30'],
        ['North', 'Umeå', '10'],
        ['Total', '', '88'],
      ],
    ])
  })

  it('find a row by the name of the one around it', async () => {
    mockServer({ 'POST /api/query': (call) => jsonResponse(totals(call)) })
    await renderWithProviders(places)
    await userEvent.click(await screen.findByRole('button', { name: 'Filter Region / Town' }))
    await userEvent.type(await screen.findByLabelText('Contains'), 'south{Enter}')
    await waitFor(() => expect(names()).toEqual(['South', 'Malmö', 'Total']))
  })
})

describe('choice of a chart', () => {
  it('says of a chart that does not fit why not, and does not take it', async () => {
    const onChart = vi.fn()
    const viz = { chart: 'line', direction: 'up' } as const
    await renderWithProviders(<ChartPicker shape={MONTHLY} viz={viz} onChart={onChart} onDirection={() => undefined} />)
    const heat = screen.getByRole('radio', { name: 'Heat map. A heat map needs two breakdowns.' })
    expect(heat).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(heat)
    expect(onChart).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('radio', { name: 'Area' }))
    expect(onChart).toHaveBeenCalledWith('area')
  })
})
