import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { GroupingScreen } from './grouping-screen'
import { GroupingsScreen } from './groupings-screen'
import { setSession } from '../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { Grouping, GroupedValuesPage } from '../../../src/shared/groupings/groupings'

const ID = 'gpg_00000000000000000001'
const NORDICS = 'gpm_00000000000000000001'
const DATASET = 'ds_00000000000000000001'
const GROUPING: Grouping = {
  ...{ id: ID, name: 'Regions', description: '', kind: 'values', version: 3 },
  target: { kind: 'column', dataset: DATASET, column: 'c0' },
  fallback: { kind: 'ungrouped', name: 'Ungrouped' },
  ...{ frozen: false, groupCount: 1, memberCount: 1, eraCount: 1, ownerId: 'usr_anna', ownerName: 'Anna' },
  unmatched: { values: 2, rows: 30, at: '2026-01-01T00:00:00.000Z' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
  eras: [
    {
      from: null,
      groups: [
        {
          ...{ id: NORDICS, parentId: null, name: 'Nordics', color: 'blue', order: 0 },
          rules: [{ kind: 'in', values: ['Sweden'] }],
        },
      ],
    },
  ],
}
const VALUES: GroupedValuesPage = {
  items: [
    { value: 'Norway', member: 'Norway', groupId: null, rows: 20, amount: 200 },
    { value: 'Chile', member: 'Chile', groupId: null, rows: 10, amount: 50 },
    { value: null, member: null, groupId: null, rows: 1, amount: 1 },
  ],
  nextCursor: null,
  count: 3,
  dataset: { id: DATASET, name: 'Orders' },
  column: { key: 'c0', label: 'Country' },
  amount: { key: 'c1', label: 'Amount', format: { style: 'plain' } },
}
const PREVIEW = {
  lines: [{ groupId: NORDICS, name: 'Nordics', before: 100, after: 300 }],
  label: 'Amount',
  format: { style: 'plain' },
  total: { before: 350, after: 350 },
}
const one = `/api/groupings/${ID}`
const served = (over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    [`GET ${one}`]: () => jsonResponse(GROUPING),
    [`GET ${one}/unmatched`]: () => jsonResponse(VALUES),
    [`POST ${one}/preview`]: () => jsonResponse(PREVIEW),
    'GET /api/data-sources': () => jsonResponse({ items: [], nextCursor: null }),
    ...over,
  })
const button = (name: string) => screen.getByRole('button', { name })
const puts = (calls: ReturnType<typeof mockServer>) => calls.filter(({ method }) => method === 'PUT')

/** Chooses Norway and moves it to what this option says. */
async function moveNorway(typed: string, option: string | RegExp): Promise<void> {
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Norway' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Move to group' }), typed)
  await userEvent.click(await screen.findByRole('option', { name: option, hidden: true }))
}

beforeEach(() => {
  localStorage.clear()
  setSession(memberPageData('analyst'))
})

describe('a grouping', () => {
  it('takes a value into a group, shows what that changes, and stores it only when it is saved', async () => {
    const calls = served({ [`PUT ${one}`]: () => jsonResponse({ ...GROUPING, version: 4 }) })
    await renderWithProviders(<GroupingScreen id={ID} />)
    await moveNorway('nord', 'Nordics')
    await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Norway' })).toBeNull())
    expect(puts(calls)).toHaveLength(0)
    await screen.findByText('Preview')
    expect(await screen.findByText('After saving')).toBeDefined()
    await userEvent.click(button('Save grouping'))
    await waitFor(() => expect(puts(calls)).toHaveLength(1))
    expect(puts(calls)[0]?.body).toMatchObject({
      version: 3,
      eras: [{ groups: [{ id: NORDICS, rules: [{ kind: 'in', values: ['Sweden', 'Norway'] }] }] }],
    })
  })

  it('makes a new group of what is typed, and takes that back', async () => {
    served()
    await renderWithProviders(<GroupingScreen id={ID} />)
    await moveNorway('Fjords', /New group/)
    const groups = await screen.findByRole('region', { name: 'Groups' })
    await within(groups).findByText('Fjords')
    await userEvent.click(button('Undo'))
    await waitFor(() => expect(within(groups).queryByText('Fjords')).toBeNull())
    await screen.findByRole('checkbox', { name: 'Norway' })
  })

  it('says at its field that an expression is wrong, and cannot be saved with it', async () => {
    served()
    await renderWithProviders(<GroupingScreen id={ID} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Nordics' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Add rule' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Matches regex' }))
    const field = await screen.findByRole('textbox', { name: 'Regular expression' })
    await userEvent.type(field, '(')
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription(/^Invalid regex/)
    expect(screen.getByRole('button', { name: 'Save grouping', hidden: true })).toBeDisabled()
    await userEvent.type(field, ')')
    expect(field).toBeValid()
  })

  it('asks which version stays when somebody else saved first', async () => {
    const theirs = { ...GROUPING, name: 'Markets', version: 5 }
    const calls = served({
      [`PUT ${one}`]: [
        () => errorResponse('version_conflict', { current: theirs }),
        () => jsonResponse({ ...GROUPING, version: 6 }),
      ],
    })
    await renderWithProviders(<GroupingScreen id={ID} />)
    await moveNorway('nord', 'Nordics')
    await userEvent.click(button('Save grouping'))
    await userEvent.click(await screen.findByRole('button', { name: 'Keep mine' }))
    await waitFor(() => expect(puts(calls)[1]?.body).toMatchObject({ version: 5, name: 'Regions' }))
  })

  it('is only looked at by viewers', async () => {
    setSession(memberPageData('viewer'))
    served()
    await renderWithProviders(<GroupingScreen id={ID} />)
    await screen.findByText('Norway')
    for (const name of [/Suggest/, /Add group/, /Edit Nordics/])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})

describe('a list of groups', () => {
  it('is imported by a press of its own, not by the second click of a double click on its preview', async () => {
    const outcome = { dryRun: true, errors: [], lines: 1, added: 1, moved: 0, groupsMade: 1, grouping: null }
    const calls = served({ [`POST ${one}/import`]: [() => jsonResponse(outcome), () => errorResponse('internal')] })
    await renderWithProviders(<GroupingScreen id={ID} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Grouping actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Import CSV' }))
    await userEvent.type(await screen.findByRole('textbox', { name: 'Groups and values' }), 'Large;7001')
    await userEvent.click(button('Preview'))
    fireEvent.click(await screen.findByRole('button', { name: 'Import groups' }), { detail: 2 })
    await userEvent.click(button('Import groups'))
    // A refusal leaves the preview, so that trying again is one press.
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(button('Import groups')).toBeVisible()
    const imports = calls.filter(({ path }) => path === `${one}/import`)
    expect(imports.map(({ body }) => Object(body).dryRun)).toEqual([true, false])
  })
})

describe('a frozen grouping', () => {
  it('says why it cannot be changed, and can be taken along and deleted', async () => {
    setSession(pageDataOnPlan('analyst', 'personal'))
    served({
      [`GET ${one}`]: () => jsonResponse({ ...GROUPING, frozen: true }),
      'GET /api/groupings': () => jsonResponse([GROUPING]),
    })
    await renderWithProviders(<GroupingScreen id={ID} />)
    expect(await screen.findByText(/Your plan includes 10 groupings\./)).toBeVisible()
    await screen.findByText('Norway')
    for (const name of [/Suggest/, /Add group/, /Edit Nordics/])
      expect(screen.queryByRole('button', { name })).toBeNull()
    await userEvent.click(button('Grouping actions'))
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items).toEqual(['Export CSV', 'Delete grouping'])
  })
})

describe('the list of groupings', () => {
  it('says of each how many values have no group', async () => {
    served({ 'GET /api/groupings': () => jsonResponse([GROUPING]) })
    await renderWithProviders(<GroupingsScreen />)
    await screen.findByText('2 ungrouped')
  })

  it('teaches what it is for when there is none', async () => {
    served({ 'GET /api/groupings': () => jsonResponse([]) })
    await renderWithProviders(<GroupingsScreen />)
    await screen.findByRole('heading', { name: 'No groupings yet' })
    expect(button('New grouping')).toBeDefined()
  })
})
