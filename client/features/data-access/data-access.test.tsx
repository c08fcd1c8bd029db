import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setSession } from '../../lib/session'
import { errorResponse, jsonResponse, type RecordedCall } from '../../test/mock-server'
import { memberPageData, pageDataOnPlan } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import {
  BO,
  dataAccess,
  EXPLANATION,
  FAILING_IMPACT,
  impact,
  ORDERS,
  OWN_REGION,
  POLICY,
  SALARY,
  SALES_GROUP,
  servedAccess,
} from './data-access.fixture'
import { DataAccessScreen } from './data-access-screen'
import { DatasetSensitiveColumns } from './sensitive-columns'

const open = (tab = '') => renderWithProviders(<DataAccessScreen />, tab === '' ? '' : `?tab=${tab}`)
const bodies = (calls: readonly RecordedCall[], method: string, path: string) =>
  calls.filter((call) => call.method === method && call.path === path).map(({ body }) => body)
const saved = (calls: readonly RecordedCall[]) => bodies(calls, 'PUT', '/api/data-access')
const click = async (name: string | RegExp, role = 'button'): Promise<void> => {
  const found = await screen.findByRole(role, { name })
  await waitFor(() => expect(found).toBeEnabled())
  fireEvent.click(found)
}
const choose = async (field: string, option: string): Promise<void> => {
  await click(field, 'combobox')
  await click(option, 'option')
}
const fill = async (field: string, value: string): Promise<void> =>
  void fireEvent.change(await screen.findByRole('textbox', { name: field }), { target: { value } })
const searchFor = async (field: string, value: string): Promise<void> =>
  void fireEvent.change(await screen.findByLabelText(field), { target: { value } })
/** One more value of a list of them. */
const addValue = async (field: string, value: string): Promise<void> =>
  userEvent.type(await screen.findByRole('combobox', { name: field }), `${value}{Enter}`)

beforeEach(() => {
  localStorage.clear()
  setSession(memberPageData('owner'))
})

describe('who may see it', () => {
  it('is only who manages data access', async () => {
    setSession(memberPageData('analyst'))
    const calls = servedAccess()
    await open()
    expect(screen.getByRole('heading', { name: 'Only for owners and admins' })).toBeVisible()
    expect(calls).toEqual([])
  })

  it('is told what plan changes rules, which stay readable and enforced', async () => {
    setSession(pageDataOnPlan('owner', 'standard'))
    servedAccess({ 'GET /api/data-access': () => jsonResponse(dataAccess({ mayEdit: false })) })
    await open('rules')
    expect(await screen.findByText('Existing rules stay enforced but can’t be changed.')).toBeVisible()
    expect(screen.getByRole('link', { name: /Professional/ })).toBeVisible()
    expect(await screen.findByText('Own region')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Create rule' })).toBeNull()
    expect(screen.queryByRole('switch')).toBeNull()
  })

  it.each(['', 'rules', 'attributes', 'tests', 'history'])('meets axe on %s', async (tab) => {
    servedAccess({ 'GET /api/data-access/suggestions': () => jsonResponse([SALARY]) })
    const { container } = await open(tab)
    await screen.findByRole('tab', { selected: true })
    await waitFor(() => expect(container.querySelector('.mantine-Skeleton-root')).toBeNull())
    expect((await axe.run(container)).violations).toEqual([])
  })
})

describe('who sees what', () => {
  it('says of each person what is limited, and why on demand', async () => {
    const calls = servedAccess()
    await open()
    expect(await screen.findByText('Sees all data')).toBeVisible()
    await click(/Bo Ek.*1 dataset limited · 1 hidden · 1 metric hidden/)
    const table = within(await screen.findByRole('table', { name: 'Access of Bo Ek' }))
    expect(table.getByRole('row', { name: /Orders.*120 rows.*Salary: empty/ })).toBeVisible()
    expect(table.getByRole('row', { name: /Customers.*Restricted.*No access/ })).toBeVisible()
    fireEvent.click(table.getByRole('button', { name: 'Why: Orders' }))
    const why = within(await screen.findByRole('dialog'))
    expect(await why.findByText('Applies: group Sales, but no value of Region')).toBeVisible()
    expect(why.getByRole('row', { name: 'Salary Empty Own region' })).toBeVisible()
    expect(bodies(calls, 'POST', '/api/data-access/inspect')).toEqual([{ userId: BO, dataset: ORDERS }])
  })

  it('says from which group a value is, and whom a rule of others is for; of what isn’t seen no columns', async () => {
    const [rule] = EXPLANATION.rules
    const others = { ...rule, matches: null, missing: [] }
    const answer = {
      ...{ ...EXPLANATION, rules: [others], view: { rows: 'none', count: 0, masked: [], hidden: [] } },
      attributes: [{ key: 'region', label: 'Region', values: ['South'], from: 'groups' }],
    }
    servedAccess({ 'POST /api/data-access/inspect': () => jsonResponse(answer) })
    await open()
    await click(/Bo Ek/)
    await click('Why: Orders')
    const why = within(await screen.findByRole('dialog'))
    expect(await why.findByText('Doesn’t apply: only for Sales')).toBeVisible()
    expect(await why.findByText('from Sales')).toBeVisible()
    expect(why.queryByRole('table', { name: 'Columns' })).toBeNull()
  })

  it('asks about one row by the value of a column', async () => {
    const [rule] = EXPLANATION.rules
    const answer = { ...EXPLANATION, row: { found: 1, seen: 0 }, rules: [{ ...rule, rowsOfRule: 0 }] }
    const calls = servedAccess({
      'POST /api/data-access/inspect': [() => jsonResponse(EXPLANATION), () => jsonResponse(answer)],
    })
    await open()
    await click(/Bo Ek/)
    await click('Why: Orders')
    await choose('Row where', 'Order no')
    await userEvent.type(screen.getByRole('textbox', { name: 'Is' }), '17{Enter}')
    await waitFor(() =>
      expect(bodies(calls, 'POST', '/api/data-access/inspect').at(-1)).toEqual({
        ...{ userId: BO, dataset: ORDERS, row: { column: 'c0', value: 17 } },
      }),
    )
    expect(await screen.findByText('Doesn’t see this row')).toBeVisible()
    expect(screen.getByText(/Doesn’t match this row$/)).toBeVisible()
  })

  it('finds people by their group, and lists datasets with their default', async () => {
    const calls = servedAccess()
    await open()
    await searchFor('Search people, groups or datasets', 'sales')
    expect(await screen.findByText('Bo Ek')).toBeVisible()
    expect(screen.queryByText('Anna Lindqvist')).toBeNull()
    await searchFor('Search people, groups or datasets', '')
    await click('By dataset', 'radio')
    await click(/Orders.*1 all rows · 1 some rows$/)
    await click('Restricted', 'radio')
    await click('Restrict dataset')
    await waitFor(() => expect(saved(calls)).toHaveLength(1))
    expect(saved(calls)[0]).toMatchObject({
      ...{ revision: 3, force: false, policy: { restricted: [...POLICY.restricted, { kind: 'dataset', id: ORDERS }] } },
    })
  })
})

describe('rules', () => {
  it('are in words, and found by any of them', async () => {
    servedAccess()
    await open('rules')
    expect(await screen.findByText('Allow rows where Region is one of {Region}')).toBeVisible()
    expect(screen.getByText('Sales · Orders')).toBeVisible()
    expect(screen.getByText('Salary: Empty')).toBeVisible()
    await searchFor('Search rules', 'ledger')
    expect(await screen.findByText('No rules match “ledger”')).toBeVisible()
  })

  it('are written by clicking, shown with their impact, and saved whole against their revision', async () => {
    const calls = servedAccess()
    await open('rules')
    await click('Create rule')
    await fill('Name', 'South only')
    await click('Review impact')
    expect(await screen.findByText('Choose who the rule is for.')).toBeVisible()
    await choose('Group', 'Sales')
    await choose('Dataset', 'Orders')
    await click('Rows where…', 'radio')
    await choose('Condition column', 'Region')
    await addValue('Values', 'South')
    await click('Add column')
    await choose('Column', 'Salary')
    await choose('What is shown', 'Last four characters')
    await click('Review impact')
    expect(await screen.findByRole('row', { name: /Bo Ek.*Orders.*All rows.*120 rows · 1 masked/ })).toBeVisible()
    await click('Save rule')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const rule = {
      ...{ name: 'South only', effect: 'allow', rows: 'some', active: true },
      subject: { kind: 'group', id: SALES_GROUP },
      resource: { kind: 'dataset', id: ORDERS },
      filters: [{ field: { dataset: ORDERS, column: 'c2' }, any: [{ op: 'in', values: ['South'] }] }],
      columns: [{ key: 'c3', grant: 'lastFour' }],
    }
    expect(bodies(calls, 'POST', '/api/data-access/impact')).toEqual([
      { policy: { ...POLICY, rules: [OWN_REGION, rule] } },
    ])
    expect(saved(calls)).toEqual([{ policy: { ...POLICY, rules: [OWN_REGION, rule] }, revision: 3, force: false }])
  })

  it('can’t be saved where the answer refuses them', async () => {
    servedAccess({
      'POST /api/data-access/impact': () =>
        jsonResponse(impact({ refusal: 'Keep at least one owner who sees all data.' })),
    })
    await open('rules')
    await click('Own region active', 'switch')
    expect(await screen.findByText('Keep at least one owner who sees all data.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Turn off rule' })).toBeDisabled()
  })

  it('say what is wrong with them where the server takes them for a mistake', async () => {
    servedAccess({
      'POST /api/data-access/impact': () =>
        errorResponse('invalid_input', { fields: { 'rules.0.subject': 'No longer exists. Choose another.' } }),
    })
    await open('rules')
    await click('Own region active', 'switch')
    expect(await screen.findByText('No longer exists. Choose another.')).toBeVisible()
  })

  it('that break a test ask first, and are saved by force', async () => {
    const calls = servedAccess({ 'POST /api/data-access/impact': () => jsonResponse(FAILING_IMPACT) })
    await open('rules')
    await click('Actions for Own region')
    await click('Delete', 'menuitem')
    expect(await screen.findByText('Sales doesn’t see Salary: sees everything')).toBeVisible()
    await click('Save anyway')
    await waitFor(() => expect(saved(calls)).toEqual([{ policy: { ...POLICY, rules: [] }, revision: 3, force: true }]))
  })

  it('that the server finds to break a test ask as well', async () => {
    const calls = servedAccess({
      'PUT /api/data-access': [
        () =>
          errorResponse('in_use', {
            dependents: [{ type: 'accessTest', id: 'act_1', name: 'Sales doesn’t see Salary' }],
          }),
        () => jsonResponse(dataAccess()),
      ],
    })
    await open('rules')
    await click('Own region active', 'switch')
    await click('Turn off rule')
    expect(await screen.findByText('Sales doesn’t see Salary')).toBeVisible()
    await click('Save anyway')
    await waitFor(() => expect(saved(calls)).toMatchObject([{ force: false }, { force: true }]))
  })

  it('that somebody else saved first are applied to the newest', async () => {
    const theirs = { ...OWN_REGION, id: 'acr_00000000000000000002', name: 'Theirs' }
    const newest = dataAccess({ revision: 7, policy: { ...POLICY, rules: [OWN_REGION, theirs] } })
    const calls = servedAccess({
      'GET /api/data-access': [() => jsonResponse(dataAccess()), () => jsonResponse(newest)],
      'PUT /api/data-access': [
        () => errorResponse('version_conflict', { current: newest }),
        () => jsonResponse(dataAccess()),
      ],
    })
    await open('rules')
    await click('Own region active', 'switch')
    await click('Turn off rule')
    await click('Use mine')
    await waitFor(() => expect(screen.queryByText('Someone else saved this first')).toBeNull())
    await click('Turn off rule')
    await waitFor(() => expect(saved(calls)).toHaveLength(2))
    expect(saved(calls)[1]).toMatchObject({
      revision: 7,
      policy: {
        rules: [
          { id: OWN_REGION.id, active: false },
          { name: 'Theirs', active: true },
        ],
      },
    })
  })

  it('keep the focus where it was on the way there and back, and off the cross', async () => {
    servedAccess()
    await open('rules')
    await click('Actions for Own region')
    await click('Edit', 'menuitem')
    await click('Review impact')
    await click('Back')
    expect(await screen.findByRole('button', { name: 'Review impact' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await click('Own region active', 'switch')
    await screen.findByRole('row', { name: /Bo Ek/ })
    await waitFor(() => expect(document.activeElement).toHaveAttribute('data-autofocus'))
  })

  it('ask for their impact again where it failed', async () => {
    servedAccess({
      'POST /api/data-access/impact': [() => errorResponse('internal'), () => jsonResponse(impact())],
    })
    await open('rules')
    await click('Own region active', 'switch')
    await click('Try again')
    expect(await screen.findByRole('row', { name: /Bo Ek/ })).toBeVisible()
  })

  it('keep what was not saved yet', async () => {
    servedAccess()
    const first = await open('rules')
    await click('Create rule')
    await fill('Name', 'Half written')
    first.unmount()
    await open('rules')
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Half written')
  })
})

describe('sensitive columns', () => {
  it('are masked for everyone but owners and one group, by a rule each', async () => {
    const calls = servedAccess({ 'GET /api/data-access/suggestions': () => jsonResponse([SALARY]) })
    await open('rules')
    await click(/^Mask for everyone except….*Salary/)
    await choose('Except', 'HR')
    await click('Review impact')
    await click('Create rules')
    await waitFor(() => expect(saved(calls)).toHaveLength(1))
    expect(saved(calls)[0]).toMatchObject({
      policy: {
        rules: [
          OWN_REGION,
          { subject: { kind: 'everyone' }, rows: 'unchanged', columns: [{ key: 'c3', grant: 'bucket' }] },
          { subject: { kind: 'group' }, rows: 'unchanged', columns: [{ key: 'c3', grant: 'show' }] },
          { subject: { kind: 'role', role: 'owner' }, rows: 'unchanged', columns: [{ key: 'c3', grant: 'show' }] },
        ],
      },
    })
  })

  it('are asked for one dataset on its page, and of nobody who may not mask them', async () => {
    const calls = servedAccess({ 'GET /api/data-access/suggestions': () => jsonResponse([SALARY]) })
    await renderWithProviders(<DatasetSensitiveColumns dataset={ORDERS} />)
    expect(await screen.findByText('in Orders · Salaries')).toBeVisible()
    expect(calls.find(({ path }) => path.endsWith('/suggestions'))?.search).toBe(`?dataset=${ORDERS}`)
    setSession(memberPageData('viewer'))
    const others = servedAccess()
    await renderWithProviders(<DatasetSensitiveColumns dataset={ORDERS} />)
    expect(others).toEqual([])
  })
})

describe('attributes', () => {
  it('say which rules ask them, and can’t be deleted meanwhile', async () => {
    servedAccess()
    await open('attributes')
    expect(await screen.findByText('Used by Own region')).toBeVisible()
    await click('Actions for Region')
    expect(await screen.findByRole('menuitem', { name: /Delete/ })).toHaveAttribute('data-disabled', 'true')
  })

  it('take values of groups and members, of their type', async () => {
    const path = '/api/data-access/attributes/atr_00000000000000000001/values'
    const calls = servedAccess({ [`PUT ${path}`]: () => jsonResponse(dataAccess()) })
    await open('attributes')
    await click(/^Values of Region/)
    await addValue('Values of Bo Ek', 'North')
    await click('Save values')
    await waitFor(() =>
      expect(bodies(calls, 'PUT', path)).toEqual([
        { values: [{ holder: { kind: 'member', id: BO }, values: ['North'] }] },
      ]),
    )
  })

  it('get a key from their name', async () => {
    const calls = servedAccess()
    await open('attributes')
    await click('Create attribute')
    await fill('Name', 'Säljande region')
    expect(screen.getByRole('textbox', { name: 'Key' })).toHaveValue('saljandeRegion')
    await click('Review impact')
    await click('Save attribute')
    await waitFor(() => expect(saved(calls)).toHaveLength(1))
    expect(saved(calls)[0]).toMatchObject({
      policy: { attributes: [POLICY.attributes[0], { key: 'saljandeRegion', label: 'Säljande region', defaults: [] }] },
    })
  })

  it('close when they are saved, though the newest rules hold their key already', async () => {
    const added = {
      id: 'uat_00000000000000000009',
      key: 'team',
      label: 'Team',
      type: 'text' as const,
      multiple: true,
      defaults: [],
    }
    let isSaved = false
    let tellRest = (): void => undefined
    const rest = new Promise<Response>((tell) => (tellRest = () => tell(jsonResponse([]))))
    servedAccess({
      // Whatever is slower than the rules.
      'GET /api/data-access/suggestions': () => (isSaved ? rest : jsonResponse([])),
      'GET /api/data-access': () =>
        jsonResponse(
          isSaved ? dataAccess({ policy: { ...POLICY, attributes: [...POLICY.attributes, added] } }) : dataAccess(),
        ),
      'PUT /api/data-access': () => {
        isSaved = true
        return jsonResponse(dataAccess({ revision: 4 }))
      },
    })
    const page = (
      <>
        <DataAccessScreen />
        <DatasetSensitiveColumns dataset={ORDERS} />
      </>
    )
    await renderWithProviders(page, '?tab=attributes')
    await click('Create attribute')
    await fill('Name', 'Team')
    await click('Review impact')
    await click('Save attribute')
    await screen.findByText('Team')
    tellRest()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('tests', () => {
  it('say what was found instead of what was expected', async () => {
    const failed = { testId: 'act_00000000000000000001', passes: false, found: 'everything' as const }
    servedAccess({ 'GET /api/data-access': () => jsonResponse(dataAccess({ tests: [failed] })) })
    await open('tests')
    expect(await screen.findByText('Failed: sees everything')).toBeVisible()
    expect(screen.getByText('1 test failed')).toBeVisible()
  })

  it('are run before they are saved', async () => {
    const calls = servedAccess()
    await open('tests')
    await click('Create test')
    await fill('Name', 'Bo sees orders')
    await choose('Who', 'Member')
    await choose('Member', 'Bo Ek')
    await choose('Dataset', 'Orders')
    await choose('Expected', 'Sees something')
    await click('Run test')
    expect(await within(await screen.findByRole('dialog')).findByText('Passed')).toBeVisible()
    await click('Save test')
    await waitFor(() => expect(saved(calls)).toHaveLength(1))
    expect(saved(calls)[0]).toMatchObject({
      policy: {
        tests: [
          POLICY.tests[0],
          { subject: { kind: 'member', id: BO }, dataset: ORDERS, column: null, expect: 'something' },
        ],
      },
    })
  })
})

describe('history', () => {
  it('restores rules of before against the newest', async () => {
    const path = '/api/data-access/restore'
    const calls = servedAccess({ [`POST ${path}`]: () => jsonResponse(dataAccess()) })
    await open('history')
    expect(await screen.findByText('Changed rule “Own region”')).toBeVisible()
    await click(/^Restore rules of 19 Nov/)
    await click('Restore rules')
    await waitFor(() => expect(bodies(calls, 'POST', path)).toEqual([{ revision: 2, current: 3 }]))
  })
})

describe('viewing as', () => {
  it('begins with a group, and reads every page anew', async () => {
    const assign = vi.fn()
    vi.stubGlobal('location', { assign })
    const path = '/api/data-access/view-as'
    const calls = servedAccess({ [`POST ${path}`]: () => jsonResponse(null) })
    await open()
    await click('View as')
    await choose('View as', 'Group')
    await choose('Group', 'Sales')
    await click('Start viewing')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/insights?w=ws_one'))
    expect(bodies(calls, 'POST', path)).toEqual([{ subject: { kind: 'group', id: SALES_GROUP } }])
    vi.unstubAllGlobals()
  })
})
