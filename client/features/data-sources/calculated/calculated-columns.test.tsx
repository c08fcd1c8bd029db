import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CalculatedColumns } from './calculated-columns'
import { formulaPreviewPlan } from './calculated-column-preview'
import { column, dataset } from '../data-sources.fixture'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../../test/mock-server'
import type { Expr } from '../../../../src/shared/query/expression'

const field = (key: `c${number}`): Expr => ({ kind: 'field', field: { dataset: dataset().id, column: key } })
const total: Expr = { kind: 'binary', op: 'multiply', left: field('c0'), right: field('c1') }
const table = dataset({
  columns: [
    column('c0', { label: 'Price', type: 'number', scale: 2, role: 'measure' }),
    column('c1', { label: 'Quantity', type: 'integer', role: 'measure' }),
    column('c2', { label: 'Sent', type: 'date', role: 'time' }),
  ],
})
const computed = column('c9', { label: 'Total', type: 'number', role: 'measure', fileIndex: -1, computed: total })
const withTotal = { ...table, columns: [...table.columns, computed] }
const ADD = `/api/datasets/${table.id}/computed`
const answered = () =>
  jsonResponse({
    columns: [
      { key: 'd0', label: 'Price', kind: 'dimension', type: 'number', scale: 2, format: { style: 'plain' } },
      { key: 'd1', label: 'Quantity', kind: 'dimension', type: 'integer', format: { style: 'plain' } },
      { key: 'm0', label: 'Result', kind: 'measure', type: 'number', scale: 2, format: { style: 'plain' } },
    ],
    rows: [[12.5, 3, 37.5]],
  })

beforeEach(() => setSession(memberPageData()))
afterEach(() => vi.unstubAllGlobals())

const formulaIn = (form: HTMLElement) => within(form).getByRole('textbox', { name: /Formula/ })

describe('calculated columns', () => {
  it('are typed as a formula with completion, and mistakes are marked where they are', async () => {
    const calls = mockServer({ [`POST ${ADD}`]: () => jsonResponse(withTotal, 201), 'POST /api/query': answered })
    await renderWithProviders(<CalculatedColumns dataset={table} editable />)
    await userEvent.click(screen.getByRole('button', { name: 'Add calculated column' }))
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText('Name'), 'Total')
    const formula = within(form).getByRole('textbox', { name: /Formula/ })
    await userEvent.type(formula, '[[Pri')
    await screen.findByRole('option', { name: /^Price/ })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
    expect(form).toBeVisible()
    await userEvent.type(formula, 'c')
    await screen.findByRole('option', { name: /^Price/ })
    await userEvent.keyboard('{Enter}')
    expect(formula).toHaveValue('[Price]')
    await userEvent.type(formula, ' * [[Quantty]')
    expect(within(form).getByText(/Column Quantty not found/)).toBeVisible()
    expect(form.querySelector('mark')).toHaveTextContent('[Quantty]')
    await userEvent.click(within(form).getByRole('button', { name: 'Use [Quantity]' }))
    expect(formula).toHaveValue('[Price] * [Quantity]')
    await userEvent.click(within(form).getByRole('button', { name: 'Add column' }))
    await waitFor(() => expect(calls.find(({ path }) => path === ADD)?.body).toMatchObject({ expr: total }))
  })

  it('are written from columns, shown for some rows, and added', async () => {
    const calls = mockServer({ [`POST ${ADD}`]: () => jsonResponse(withTotal, 201), 'POST /api/query': answered })
    await renderWithProviders(<CalculatedColumns dataset={table} editable />)
    await userEvent.click(screen.getByRole('button', { name: 'Add calculated column' }))
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText('Name'), 'Total')
    await userEvent.type(formulaIn(form), '[[Price] * [[Quantity]')
    expect(await within(form).findByRole('cell', { name: '37,50' })).toBeVisible()
    expect(within(form).getByText('Preview: decimal number, 2 decimals')).toBeVisible()
    expect((await axe.run(form)).violations).toEqual([])
    await userEvent.click(within(form).getByRole('button', { name: 'Add column' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.find(({ path }) => path === ADD)?.body).toEqual({
      ...{ label: 'Total', expr: total, format: { style: 'plain' }, version: table.version },
    })
  })

  it('are helped with: what functions do, the one that is written, and what does not fit its place', async () => {
    mockServer({ 'POST /api/query': answered })
    await renderWithProviders(<CalculatedColumns dataset={table} editable />)
    await userEvent.click(screen.getByRole('button', { name: 'Add calculated column' }))
    const form = await screen.findByRole('dialog')
    await userEvent.click(within(form).getByRole('button', { name: 'Show functions' }))
    expect(within(form).queryByRole('button', { name: /^sum/ })).toBeNull()
    await userEvent.click(await within(form).findByRole('button', { name: /^if\(condition, a, b\)/ }))
    expect(formulaIn(form)).toHaveValue('if(')
    await userEvent.type(formulaIn(form), '[[Price] > 10, ')
    expect(
      within(form).getByText(/a where the condition is true, otherwise b, or empty/, { selector: 'p' }),
    ).toBeVisible()
    await userEvent.type(formulaIn(form), 'year([[Price]))')
    expect(within(form).getByText('Enter a date column.')).toBeVisible()
    expect(within(form).getByRole('button', { name: 'Add column' })).toBeDisabled()
  })

  it('that are dates or conditions have no number format and keep what they are used as', async () => {
    const isLarge: Expr = { kind: 'compare', op: 'gt', left: field('c0'), right: { kind: 'number', value: 10 } }
    const large = column('c9', { label: 'Large', type: 'boolean', role: 'id', fileIndex: -1, computed: isLarge })
    const stored = { ...table, columns: [...table.columns, large] }
    const calls = mockServer({ [`PUT ${ADD}/c9`]: () => jsonResponse(stored), 'POST /api/query': answered })
    await renderWithProviders(<CalculatedColumns dataset={stored} editable />)
    expect(screen.getByText('Price > 10')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Edit Large' }))
    const form = await screen.findByRole('dialog')
    expect(formulaIn(form)).toHaveValue('[Price] > 10')
    expect(within(form).queryByText('Format')).toBeNull()
    await userEvent.click(within(form).getByRole('button', { name: 'Save column' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ expr: isLarge, role: 'id' }),
    )
  })

  it('are told by their formula and changed', async () => {
    const calls = mockServer({ [`PUT ${ADD}/c9`]: () => jsonResponse(withTotal), 'POST /api/query': answered })
    await renderWithProviders(<CalculatedColumns dataset={withTotal} editable />)
    expect(screen.getByText('Price × Quantity')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Edit Total' }))
    const form = await screen.findByRole('dialog')
    expect(formulaIn(form)).toHaveValue('[Price] * [Quantity]')
    await userEvent.clear(formulaIn(form))
    await userEvent.type(formulaIn(form), '[[Price] + [[Quantity]')
    await userEvent.click(within(form).getByRole('button', { name: 'Save column' }))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
        expr: { op: 'add' },
        role: 'measure',
        version: table.version,
      }),
    )
  })

  it('say in the server’s own words why one cannot be worked out', async () => {
    const fields = { expr: 'Calculations need numbers.' }
    mockServer({ [`PUT ${ADD}/c9`]: () => errorResponse('invalid_input', { fields }), 'POST /api/query': answered })
    await renderWithProviders(<CalculatedColumns dataset={withTotal} editable />)
    await userEvent.click(screen.getByRole('button', { name: 'Edit Total' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Save column' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Calculations need numbers.')
  })

  it('name the insights that use one before it is removed', async () => {
    const dependents = [{ type: 'insight', id: 'ins_1', name: 'Sales by month' }]
    const calls = mockServer({
      [`DELETE ${ADD}/c9`]: [() => errorResponse('in_use', { dependents }), () => jsonResponse(table)],
    })
    await renderWithProviders(<CalculatedColumns dataset={withTotal} editable />)
    await userEvent.click(screen.getByRole('button', { name: 'Delete Total' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete column' }))
    expect(await screen.findByText('Sales by month')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Delete anyway' }))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2))
  })

  it('show a viewer their formulas and nothing to change', async () => {
    await renderWithProviders(<CalculatedColumns dataset={withTotal} editable={false} />)
    expect(screen.getByText('Price × Quantity')).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('values of a formula that is not stored', () => {
  it('are asked for once for each combination of the columns it reads', () => {
    expect(formulaPreviewPlan(table.id, total)).toMatchObject({
      dimensions: [{ field: { column: 'c0' } }, { field: { column: 'c1' } }],
      measures: [{ kind: 'expression', agg: 'min', row: total }],
    })
  })

  it('are asked of groups of one row when there are more columns than splits', () => {
    const wide: Expr = { kind: 'concat', items: [field('c0'), field('c1'), field('c2'), field('c3')] }
    const plan = formulaPreviewPlan(table.id, wide)
    expect(plan.dimensions).toHaveLength(3)
    expect(plan.having).toEqual([{ measure: 1, op: 'eq', value: 1 }])
  })
})
