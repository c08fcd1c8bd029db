import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { UserGroup } from '../../src/shared/groups.ts'
import { Person } from '../http/person.ts'
import { loadTable } from '../http/tables.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'
import { writeRows } from './rows.ts'

const EMAIL = 'amanda.access@example.com'
const PAGE = '/settings/workspace/data-access'
const address = inject('address')
const amanda = new Person(address)

let browser: Browser
let page: Page
let complaints: string[]
const offences: string[] = []

/** Colleagues are written as rows: inviting them is another journey. */
const BO = 'usr_0000000000000000daa0'
const DISA = 'usr_0000000000000000dab0'
const colleague = (id: string, name: string): string[] => [
  `INSERT INTO users (id, email, email_proven_at, name, onboarding, terms_accepted_at, created_at)
    VALUES ('${id}', '${id}@example.com', 1, '${name}', 'done', 1, 1)`,
  `INSERT INTO members (workspace_id, user_id, role, created_at)
    VALUES ((SELECT workspace_id FROM members JOIN users ON id = user_id WHERE email = '${EMAIL}'), '${id}', 'viewer', 1)`,
]
const REGIONS = ['North', 'South', 'East']
const rows = (): string[] => [
  'Order no;Region;Salesperson;Salary',
  ...Array.from({ length: 30 }, (_, at) => `${7000 + at};${REGIONS[at % 3]};Person ${at % 5};${31000 + at * 100}`),
]

async function createGroup(name: string, member: string): Promise<void> {
  const { id, version } = await amanda.call<UserGroup>('POST', '/api/groups', { name })
  await amanda.call('PUT', `/api/groups/${id}/members`, { memberIds: [member], managerIds: [], version })
}

beforeAll(async () => {
  await amanda.register(EMAIL)
  await amanda.call('PUT', '/api/onboarding', { step: 'done' })
  await writeRows(...colleague(BO, 'Bo Ek'), ...colleague(DISA, 'Disa Lund'))
  await loadTable(amanda, 'Orders', rows())
  await createGroup('Sales', BO)
  await createGroup('HR', DISA)
  browser = await sharedBrowser()
  page = await openAs(browser, amanda)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const item = (list: string) => page.getByRole('list', { name: list, exact: true }).getByRole('listitem')
async function choose(name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

it('offers to mask a private column for everyone but one group', async () => {
  await page.goto(`${address}${PAGE}?tab=rules`)
  await page.getByRole('list', { name: 'Sensitive columns' }).getByText('Salaries').waitFor()
  await look('data-access-empty')
  await button(/^Mask for everyone except….*Salary/).click()
  // Owners are there already: somebody has to see all data.
  await choose('Except', 'Owners')
  await page.getByRole('option', { name: 'HR', exact: true }).click()
  await page.keyboard.press('Tab')
  await button('Review impact').click()
  await page.getByRole('row', { name: /Bo Ek.*All rows · 1 masked/ }).waitFor()
  await look('data-access-impact')
})

it('leaves someone who sees all data, whatever is asked, and masks it for all but owners', async () => {
  await page.getByText('Keep at least one owner or admin who sees all data.').waitFor()
  expect(await button('Create rules').isDisabled()).toBe(true)
  await button('Back').click()
  await choose('Except', 'Owners')
  await page.keyboard.press('Tab')
  await button('Review impact').click()
  await button('Create rules').click()
  await item('Rules').filter({ hasText: 'Mask Salary' }).getByText('Salary: Range or year').waitFor()
})

it('gives each person the rows of their own region, by an attribute of their group', async () => {
  await tab('Attributes').click()
  await button('Create attribute').click()
  await field('Name').fill('Region')
  await button('Review impact').click()
  await button('Save attribute').click()
  await button(/^Values of Region/).click()
  await page.getByRole('combobox', { name: 'Values of Sales' }).fill('South')
  await page.keyboard.press('Enter')
  await look('data-access-values')
  await button('Save values').click()
  await item('Attributes').getByText('Values for 1 member or group').waitFor()
  await tab('Rules').click()
  await button('Create rule').click()
  await field('Name').fill('Own region')
  await choose('Group', 'Sales')
  await choose('Dataset', 'Orders')
  await page.getByRole('radio', { name: 'Rows where…' }).click()
  await choose('Condition column', 'Region')
  await choose('Compare with', '{Region}')
  await look('data-access-rule')
  await button('Review impact').click()
  await page.getByRole('row', { name: /Bo Ek.*10 rows/ }).waitFor()
  await button('Save rule').click()
  await item('Rules')
    .filter({ hasText: 'Own region' })
    .getByText('Allow rows where Region is one of {Region}')
    .waitFor()
  await look('data-access-rules')
})

it('says who sees what, and why', async () => {
  await tab('Who sees what').click()
  await button(/Bo Ek.*1 dataset limited/).click()
  await page.getByRole('row', { name: /Orders.*10 rows.*Salary: range or year/ }).waitFor()
  await look('data-access-people')
  await button('Why: Orders').click()
  await page.getByText('Applies: group Sales').waitFor()
  await look('data-access-why')
  await page.keyboard.press('Escape')
})

it('shows the data as the person sees it, read-only', async () => {
  await button('View as Bo Ek').click()
  await button('Start viewing').click()
  await page.getByText('Viewing as Bo Ek').waitFor()
  await page.goto(`${address}/data-sources`)
  await page.getByText('Viewing as Bo Ek').waitFor()
  await page.getByRole('link', { name: 'Orders' }).first().click()
  await page.getByText('Based on data you may see').waitFor()
  await page.getByRole('img', { name: 'Masked: range or year' }).waitFor()
  expect(await page.getByRole('cell', { name: 'North', exact: true }).count()).toBe(0)
  await look('data-access-view-as')
  await button('Stop viewing').click()
  await page.getByRole('heading', { level: 1, name: 'Data access' }).waitFor()
  expect(await page.getByText('Viewing as').count()).toBe(0)
})

it('keeps a test that turns red when a rule is changed, which asks first', async () => {
  await tab('Tests').click()
  await button('Create test').click()
  await field('Name').fill('Sales doesn’t see Salary')
  await choose('Group', 'Sales')
  await choose('Dataset', 'Orders')
  await choose('Column', 'Salary')
  await choose('Expected', 'Sees masked values')
  await button('Run test').click()
  await button('Save test').click()
  await item('Tests').getByText('Passed').waitFor()
  await tab('Rules').click()
  await page.getByRole('switch', { name: 'Mask Salary active' }).press('Space')
  await page.getByText('Sales doesn’t see Salary: sees something').waitFor()
  await look('data-access-breaks')
  await button('Save anyway').click()
  await item('Rules').getByText('Inactive').waitFor()
  await tab('Tests').click()
  await item('Tests').getByText('Failed: sees something').waitFor()
  await look('data-access-tests')
})

it('takes the rules back to how they were', async () => {
  await tab('History').click()
  await item('History').first().getByText('Changed rule “Mask Salary”').waitFor()
  await look('data-access-history')
  await button(/^Restore rules of/)
    .first()
    .click()
  await button('Restore rules').click()
  await page.getByText('Rules restored').waitFor()
  await tab('Tests').click()
  await item('Tests').getByText('Passed').waitFor()
})

it('has met axe in every look, and no complaint of the browser', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
