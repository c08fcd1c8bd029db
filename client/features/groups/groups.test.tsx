import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { GroupDetailView } from './group-detail'
import { GroupsList } from './groups-list'
import { readListFile } from './import-members-dialog'
import { setSession } from '../../lib/session'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { jsonResponse, errorResponse, mockServer } from '../../test/mock-server'
import type { UserGroup, UserGroupDetail, UserGroupMember } from '../../../src/shared/groups'

const ID = 'grp_00000000000000000001'
const SALES: UserGroup = {
  id: ID,
  name: 'Sales',
  description: '',
  color: 'teal',
  autoRule: { kind: 'role', value: 'analyst' },
  memberCount: 2,
  decidesAccess: false,
  mayManage: true,
  version: 4,
}
const person = (userId: string, name: string, marks: Partial<UserGroupMember> = {}): UserGroupMember => ({
  ...{ userId, name, avatar: null, isMember: false, isManager: false, automatic: false },
  ...marks,
})
const DETAIL: UserGroupDetail = {
  ...SALES,
  members: [
    person('usr_a', 'Ann Berg', { isMember: true }),
    person('usr_b', 'Bo Ek', { automatic: true }),
    person('usr_c', 'Cia Holm', { isManager: true }),
  ],
  unlocks: [{ kind: 'invite', id: 'inv_1', label: 'ny@firm.se' }],
}
const LIST = 'GET /api/groups'
const ONE = `GET /api/groups/${ID}`
const SET = `PUT /api/groups/${ID}/members`
const PEOPLE = 'GET /api/members'
const served = (over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    [LIST]: () => jsonResponse([SALES]),
    [ONE]: () => jsonResponse(DETAIL),
    [PEOPLE]: () =>
      jsonResponse({
        items: [
          { userId: 'usr_d', name: 'Dan Frid', email: 'dan@firm.se' },
          { userId: 'usr_b', name: 'Bo Ek', email: null },
        ],
        nextCursor: null,
      }),
    ...over,
  })

beforeEach(() => setSession(memberPageData('owner')))

describe('the list of groups', () => {
  it('says how many belong to each and by what rule, and offers nothing to change to viewers', async () => {
    setSession(memberPageData('viewer'))
    served()
    await renderWithProviders(<GroupsList />)
    const line = (await screen.findAllByRole('listitem'))[0]
    expect(line).toHaveTextContent('Sales')
    expect(line).toHaveTextContent('All analysts')
    expect(line).toHaveTextContent('2 people')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('says below the plan what groups do and which plan has them, and shows those that are in force', async () => {
    setSession(pageDataOnPlan('owner', 'personal'))
    served()
    await renderWithProviders(<GroupsList />)
    expect(await screen.findByRole('status')).toHaveTextContent(/keep working.*450,00\s€ per month/)
    expect(screen.getByRole('link', { name: 'Change to Standard' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Sales' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Create group' })).toBeNull()
  })

  it('without a group below the plan offers none', async () => {
    setSession(pageDataOnPlan('owner', 'personal'))
    served({ [LIST]: () => jsonResponse([]) })
    await renderWithProviders(<GroupsList />)
    expect(await screen.findByText(/Standard plan/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Change to Standard' })).toBeVisible()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('puts a taken name beside its field, keeps what was typed, and makes the group with its rule', async () => {
    const calls = served({ 'POST /api/groups': [() => errorResponse('name_taken'), () => jsonResponse(SALES, 201)] })
    await renderWithProviders(<GroupsList />)
    await userEvent.click(await screen.findByRole('button', { name: 'Create group' }))
    const name = await screen.findByLabelText('Name')
    await userEvent.type(name, 'Sales{Enter}')
    expect(await screen.findByText('Name already in use.')).toBeInTheDocument()
    await userEvent.type(name, ' north')
    await userEvent.click(screen.getByRole('radio', { name: 'Red' }))
    const dialog = within(screen.getByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Create group' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [, second] = calls.filter(({ method }) => method === 'POST')
    expect(second?.body).toEqual({ name: 'Sales north', description: '', color: 'red', autoRule: null })
  })

  it('says beside the field that a rule’s domain is none, and makes the group with the rule', async () => {
    const calls = served({ [LIST]: () => jsonResponse([]), 'POST /api/groups': () => jsonResponse(SALES, 201) })
    await renderWithProviders(<GroupsList />)
    expect(await screen.findByRole('heading', { name: 'No groups yet' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Create group' }))
    await userEvent.type(await screen.findByLabelText('Name'), 'Mill')
    await userEvent.click(screen.getByRole('combobox', { name: 'Membership' }))
    await userEvent.click(await screen.findByRole('option', { name: 'By email domain' }))
    const domain = screen.getByLabelText('Domain')
    await userEvent.type(domain, 'nordtra{Enter}')
    expect(domain).toHaveAccessibleDescription(/Enter a domain like company\.com\./)
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
    await userEvent.type(domain, '.se{Enter}')
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true))
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
      autoRule: { kind: 'domain', value: 'nordtra.se' },
    })
  })
})

describe('one group', () => {
  it('marks managers and who belongs to it by its rule, and says why', async () => {
    served()
    await renderWithProviders(<GroupDetailView id={ID} />)
    const [ann, bo, cia] = within(await screen.findByRole('list', { name: 'Members of the group' })).getAllByRole(
      'listitem',
    )
    expect(ann).toHaveTextContent(/Ann Berg$/)
    expect(bo).toHaveTextContent('By rule: analyst')
    expect(cia).toHaveTextContent('Manager, not a member')
    expect(screen.getByText('ny@firm.se')).toBeInTheDocument()
  })

  it('cannot take out who belongs to it by its rule', async () => {
    served()
    await renderWithProviders(<GroupDetailView id={ID} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Bo Ek' }))
    expect(await screen.findByRole('menuitem', { name: 'Make manager' })).toBeInTheDocument()
    expect(screen.queryByRole('menuitem', { name: /Remove member/ })).toBeNull()
  })

  it('sends both lists whole with the version that was read', async () => {
    const calls = served({ [SET]: () => jsonResponse(DETAIL) })
    await renderWithProviders(<GroupDetailView id={ID} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Ann Berg' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove from group' }))
    await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      memberIds: [],
      managerIds: ['usr_c'],
      version: 4,
    })
  })

  it('offers to a manager people to add and take out, but neither managers nor the group itself', async () => {
    setSession(memberPageData('viewer'))
    const calls = served({ [SET]: () => jsonResponse(DETAIL) })
    await renderWithProviders(<GroupDetailView id={ID} />)
    await userEvent.click(await screen.findByRole('combobox', { name: 'Add member' }))
    const options = await screen.findAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['Dan Frid (dan@firm.se)'])
    expect(screen.queryByRole('button', { name: 'Edit group' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Actions for Bo Ek' })).toBeNull()
    expect(screen.queryByText('Used by')).toBeNull()
    fireEvent.click(options[0] ?? document.body)
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ memberIds: ['usr_a', 'usr_d'] }),
    )
  })

  it('shows to others who is in it, and nothing to change', async () => {
    setSession(memberPageData('viewer'))
    served({ [ONE]: () => jsonResponse({ ...DETAIL, mayManage: false, unlocks: [] }) })
    await renderWithProviders(<GroupDetailView id={ID} />)
    expect(await screen.findByText('Ann Berg')).toBeInTheDocument()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('combobox')).toBeNull()
  })

  it('names what uses it before it is deleted, and asks what takes its place', async () => {
    const other = { ...SALES, id: 'grp_00000000000000000002', name: 'North' }
    const path = `DELETE /api/groups/${ID}`
    const calls = served({
      [LIST]: () => jsonResponse([SALES, other]),
      [path]: [
        () => errorResponse('in_use', { dependents: [{ type: 'invite', id: 'inv_1', name: 'ny@firm.se' }] }),
        () => jsonResponse(SALES),
      ],
    })
    await renderWithProviders(<GroupDetailView id={ID} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Delete group' }))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete group' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('ny@firm.se')
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Replace with' }))
    fireEvent.click(await screen.findByRole('option', { name: 'North' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete group' }))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(2))
  })

  it('names the rules of data access about it, with the way to them', async () => {
    const unlocks = [{ kind: 'accessRule' as const, id: 'acr_1', label: 'Own region' }]
    served({ [ONE]: () => jsonResponse({ ...DETAIL, unlocks }) })
    await renderWithProviders(<GroupDetailView id={ID} />)
    expect(await screen.findByText('1 data access rule')).toBeVisible()
    expect(screen.getByText('Own region')).toBeVisible()
    expect(screen.getByRole('link', { name: 'View rules' })).toBeVisible()
    expect(screen.queryByText(/invitation/)).toBeNull()
  })

  it('says that it is gone, with a way back', async () => {
    served({ [ONE]: () => errorResponse('not_found') })
    await renderWithProviders(<GroupDetailView id={ID} />)
    expect(await screen.findByRole('alert')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'All groups' })).toBeInTheDocument()
  })
})

describe('importing a list', () => {
  it('shows every line’s outcome first and adds nobody before it is said', async () => {
    const line = { line: 1, group: 'Sales', email: 'a@b.se', newGroup: false } as const
    const lines = [
      { ...line, outcome: 'added' },
      { ...line, line: 2, email: 'x', outcome: 'invalid' },
    ]
    const answer = { lines, added: 1, groupsMade: 0, dryRun: true }
    const calls = served({ 'POST /api/groups/import': () => jsonResponse(answer) })
    await renderWithProviders(<GroupsList />)
    await userEvent.click(await screen.findByRole('button', { name: 'Import members' }))
    fireEvent.change(await screen.findByLabelText('List'), { target: { value: 'Sales;a@b.se\nSales;x' } })
    await userEvent.click(screen.getByRole('button', { name: 'Preview import' }))
    expect(await screen.findByText('1 member to add, 1 line skipped')).toBeInTheDocument()
    expect(screen.getByText('Enter a group and a full address')).toBeInTheDocument()
    const posted = () => calls.filter(({ path }) => path.endsWith('/import')).map(({ body }) => body)
    expect(posted()).toMatchObject([{ dryRun: true }])
    await userEvent.click(screen.getByRole('button', { name: 'Add 1 person' }))
    await waitFor(() => expect(posted()).toMatchObject([{ dryRun: true }, { dryRun: false }]))
  })

  it('reads letters as the program wrote them', async () => {
    const file = (bytes: number[]) => ({ arrayBuffer: () => Promise.resolve(new Uint8Array(bytes).buffer) })
    expect(await readListFile(file([...new TextEncoder().encode('Försäljning')]))).toBe('Försäljning')
    expect(await readListFile(file([0x46, 0xf6, 0x72]))).toBe('För')
  })
})
