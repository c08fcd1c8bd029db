import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { PASSWORD, Person } from '../http/person.ts'
import { loadTable } from '../http/tables.ts'
import { casesOf, itLong } from '../long.ts'
import { checkAppearance, openAs, openPage, putOnLine, sharedBrowser, watchPage } from './browser.ts'

const ROWS = [
  'ordernr;datum;belopp',
  ...Array.from({ length: 24 }, (_, at) => `${7000 + at};2024-0${1 + (at % 9)}-10;${at}`),
]
const EMAIL = 'asta.asked@example.com'
const WAIT = { timeout: 60_000 }
const address = inject('address')
const asta = new Person(address)

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  await asta.register(EMAIL)
  await asta.call('PUT', '/api/onboarding', { step: 'done' })
  const dataset = await loadTable(asta, 'Order', ROWS)
  await asta.call('POST', '/api/groupings', {
    ...{ name: 'Sizes', kind: 'values', target: { kind: 'column', dataset: dataset.id, column: 'c0' } },
  })
  const at = (column: string) => ({ field: { dataset: dataset.id, column } })
  const plan = {
    ...{ v: 2, kind: 'aggregate', dataset: dataset.id, filters: [] },
    dimensions: [{ ...at('c1'), grain: 'month' }],
    measures: [{ kind: 'column', agg: 'sum', ...at('c2') }],
  }
  await asta.call('POST', '/api/insights', { name: 'Orders', description: '', plan, viz: { chart: 'line' } })
  browser = await sharedBrowser()
})

/** A window for each form: what one of them left undone is not asked about in the next. */
beforeEach(async () => {
  page = await openAs(browser, asta)
  context = page.context()
  complaints = watchPage(page)
})
afterEach(() => context.close())

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
const question = () => dialog('Discard changes?')
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const menuItem = async (menu: string | RegExp, name: string): Promise<void> => {
  await page.getByRole('button', { name: menu }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const input = (name: string) => page.getByRole('textbox', { name, exact: true })
type Listed = { id: string; version: number; name: string }
const listed = async (path: string): Promise<Listed[]> => {
  const answer = await asta.call<{ items: Listed[] } | Listed[]>('GET', path)
  return Array.isArray(answer) ? answer : answer.items
}
const firstOf = async (path: string): Promise<Listed> => {
  const [first] = await listed(path)
  if (!first) throw new Error(`nothing at ${path}`)
  return first
}
const versionOf = async (path: string): Promise<number> => (await firstOf(path)).version

/** A form that no draft keeps: how one comes to it, what is entered, and what saving it makes. */
interface AskedForm {
  what: string
  /** Where it is. */
  at: () => Promise<string> | string
  /** Opens it there; a form of a page is there already. */
  open?: () => Promise<void>
  field: () => ReturnType<typeof input>
  text: string
  /** What comes between the text and its saving. */
  before?: () => Promise<void>
  /** Its dialog stays open after it, with a list. */
  hasList?: boolean
  /** Without a dialog around it, Escape closes nothing. */
  isOnPage?: boolean
  /** The button's name where there is one of it. */
  submit: string | RegExp | ((of: Page) => Locator)
  /** What is stored of this kind: one more, or one version more, after one save. */
  stored: () => Promise<number>
}

const FORMS: AskedForm[] = [
  {
    ...{ what: 'a category', at: () => '/insights', text: 'Logistics', submit: 'Create category', hasList: true },
    open: async () => {
      await button('Manage categories').click()
      await button('New category').click()
    },
    field: () => input('Name'),
    stored: async () => (await listed('/api/categories')).length,
  },
  {
    ...{ what: 'the name of a category', at: () => '/insights', text: 'Transport', submit: 'Save', hasList: true },
    open: async () => {
      await button('Manage categories').click()
      await page.getByRole('button', { name: /^Change / }).click()
    },
    field: () => input('Name'),
    stored: () => versionOf('/api/categories'),
  },
  {
    ...{ what: 'the name of an insight', text: 'Value of orders', submit: 'Save' },
    at: async () => `/insights/${(await firstOf('/api/insights')).id}`,
    open: () => menuItem('More actions', 'Rename and describe'),
    field: () => input('Name'),
    stored: () => versionOf('/api/insights'),
  },
  {
    ...{ what: 'the name of a source', text: 'Orders of 2024', submit: 'Rename source' },
    at: async () => `/data-sources/${(await firstOf('/api/data-sources')).id}`,
    open: () => menuItem(/^More actions for /, 'Rename'),
    field: () => input('Name'),
    stored: () => versionOf('/api/data-sources'),
  },
  {
    ...{ what: 'groups by a list', text: 'Large;7001', submit: 'Import groups' },
    at: async () => `/data-grouping/${(await firstOf('/api/groupings')).id}`,
    open: () => menuItem('Grouping actions', 'Import CSV'),
    field: () => input('Groups and values'),
    before: async () => {
      await button('Preview').dblclick()
      await button('Import groups').waitFor()
    },
    stored: () => versionOf('/api/groupings'),
  },
  {
    ...{ what: 'names of columns', text: 'Order number', submit: 'Save columns' },
    at: async () => `/data-sources/${(await firstOf('/api/data-sources')).id}?tab=columns`,
    field: () => page.getByRole('textbox', { name: /^Name of / }).first(),
    stored: async () => {
      const { datasets } = await asta.call<{ datasets: { version: number }[] }>(
        'GET',
        `/api/data-sources/${(await firstOf('/api/data-sources')).id}`,
      )
      return datasets[0]?.version ?? 0
    },
  },
  {
    ...{ what: 'members by a list', at: () => '/settings/workspace/members?tab=groups', submit: /^Add 1 person/ },
    text: `Team;${EMAIL}`,
    open: () => button('Import members').first().click(),
    // Under its preview it stays on the page, unseen.
    field: () => page.getByLabel('List', { exact: true }),
    before: async () => {
      await button('Preview import').dblclick()
      await button(/^Add 1 person/).waitFor()
    },
    stored: async () => (await listed('/api/groups')).length,
  },
  {
    ...{ what: 'a rate', at: () => '/settings/workspace/currency', text: '11', submit: 'Save rate' },
    open: () => button('Add rate').click(),
    field: () => input('Rate'),
    before: async () => {
      await input('Month').fill('2024-05')
      await input('Reason').fill('Hedged')
    },
    stored: async () => (await asta.call<{ own: unknown[] }>('GET', '/api/currencies')).own.length,
  },
  {
    ...{ what: 'ranges of accounts', at: () => '/settings/workspace/accounts', text: '1001', submit: 'Save accounts' },
    field: () => input('First account of range 1'),
    stored: async () => (await asta.call<{ version: number }>('GET', '/api/account-classes')).version,
  },
  {
    ...{ what: 'an access token', at: () => '/settings/profile/authentication', text: 'Laptop', hasList: true },
    open: () => button('Create token').click(),
    field: () => input('Name'),
    before: () => page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD),
    submit: (of) => of.getByRole('dialog').getByRole('button', { name: 'Create token' }),
    stored: async () => (await listed('/api/access-tokens')).length,
  },
  {
    ...{ what: 'another address', at: () => '/settings/profile/authentication', text: 'asta.new@example.com' },
    open: () => button('Change email').click(),
    field: () => input('New email'),
    isOnPage: true,
    before: () => page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD),
    submit: (of) => of.getByRole('button', { name: /^Send (both emails|email)$/ }),
    stored: async () => ((await asta.call<{ pending: unknown }>('GET', '/api/account/email')).pending === null ? 0 : 1),
  },
  {
    ...{ what: 'a source that programs send to', at: () => '/data-sources/new/push', text: 'Pushed orders' },
    field: () => input('Name'),
    isOnPage: true,
    submit: 'Create source',
    stored: async () => (await listed('/api/data-sources')).length,
  },
]

/** Comes to a form by Back, so that there is a page of the app on the way forward. */
async function start({ at, open, field, text }: AskedForm): Promise<void> {
  const path = await at()
  await page.goto(`${address}${path}`)
  await page.getByRole('link', { name: 'Metrics' }).first().click()
  await page.waitForURL(/\/metrics/)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === new URL(path, address).pathname)
  await open?.()
  await field().fill(text)
}

/** Another tab knows nothing of the text, and leaves it alone. */
async function openElsewhere({ at, open, field, text }: AskedForm): Promise<void> {
  const first = page
  page = await openPage(context)
  await page.goto(`${address}${await at()}`)
  await open?.()
  expect(await field().inputValue()).not.toBe(text)
  await page.close()
  page = first
  expect(await field().inputValue()).toBe(text)
}

/** Stays, and finds the text as it was. */
async function keep({ field, text }: AskedForm): Promise<void> {
  await question().waitFor()
  await button('Keep editing').click()
  await question().waitFor({ state: 'detached' })
  expect(await field().inputValue()).toBe(text)
}

async function signInAgain(): Promise<void> {
  const sheet = dialog('Sign in to continue')
  await sheet.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Sign in' }).click()
  await sheet.waitFor({ state: 'detached' })
}

/** A reload or a closed tab: the browser asks, and the person stays. */
async function stayOnReload(): Promise<void> {
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => window.location.reload()))
  const native = await asked
  expect(native.type()).toBe('beforeunload')
  await native.dismiss()
}

const isConnected = (): Promise<boolean> =>
  page.evaluate(() =>
    fetch('/health').then(
      ({ ok }) => ok,
      () => false,
    ),
  )

it.each(casesOf(FORMS, ...FORMS.slice(0, 1)))('asks before $what is lost, and saves it once', async (form) => {
  const { field, text, before, submit, stored, open } = form
  const save = typeof submit === 'function' ? submit(page) : button(submit)
  await start(form)
  if (open && form.isOnPage !== true) await page.keyboard.press('Escape').then(() => keep(form))
  await page.evaluate(() => window.history.forward())
  await keep(form)
  expect(new URL(page.url()).pathname).toBe(new URL(await form.at(), address).pathname)
  await stayOnReload()
  expect(await field().inputValue()).toBe(text)
  await openElsewhere(form)
  // Without a connection nothing is sent, and nothing lost.
  await before?.()
  const had = await stored()
  await context.setOffline(true)
  await save.click()
  await page
    .getByText(/No connection/)
    .first()
    .waitFor()
  expect(await field().inputValue()).toBe(text)
  await context.setOffline(false)
  await expect.poll(isConnected, WAIT).toBe(true)
  // The session has ended, and the line is slow: a double click waits for the sign-in, and makes one.
  await context.clearCookies()
  const backToFast = await putOnLine(page, 'slow')
  await save.dispatchEvent('click')
  await save.dispatchEvent('click')
  await signInAgain()
  await expect.poll(stored, WAIT).toBe(had + 1)
  await backToFast()
  if (form.hasList) await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Metrics' }).first().click()
  await page.waitForURL(/\/metrics/)
  expect(await stored()).toBe(had + 1)
  expect(complaints).toEqual([])
})

itLong('asks before a new password is lost, and changes it once', async () => {
  const petra = new Person(address)
  await petra.register('petra.password@example.com')
  await petra.call('PUT', '/api/onboarding', { step: 'done' })
  await context.close()
  page = await openAs(browser, petra)
  context = page.context()
  const form: AskedForm = {
    ...{ what: 'a password', at: () => '/settings/profile/authentication', text: 'another long sentence' },
    field: () => input('New password'),
    submit: 'Change password',
    stored: async () => 0,
  }
  await start(form)
  await page.evaluate(() => window.history.forward())
  await keep(form)
  await stayOnReload()
  await openElsewhere(form)
  await input('Current password').fill(PASSWORD)
  await context.setOffline(true)
  await button('Change password').click()
  await page
    .getByText(/No connection/)
    .first()
    .waitFor()
  expect(await form.field().inputValue()).toBe(form.text)
  await context.setOffline(false)
  await expect.poll(isConnected, WAIT).toBe(true)
  await context.clearCookies()
  const backToFast = await putOnLine(page, 'slow')
  const changes: number[] = []
  page.on('response', (answer) => answer.url().endsWith('/account/password') && changes.push(answer.status()))
  await button('Change password').dispatchEvent('click')
  await button('Change password').dispatchEvent('click')
  await signInAgain()
  await page.getByText('Password changed').waitFor()
  await backToFast()
  expect(changes.filter((status) => status === 200)).toEqual([200])
  expect(await form.field().inputValue()).toBe('')
})

it('looks as it should, and gives the place back to what opened the dialog', async () => {
  const [form] = FORMS
  if (!form) throw new Error('no form')
  await start(form)
  await page.keyboard.press('Escape')
  await question().waitFor()
  expect(await checkAppearance(page, 'discard-question')).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await question().waitFor({ state: 'detached' })
  await expect.poll(() => button('Manage categories').evaluate((each) => each === document.activeElement)).toBe(true)
  expect(complaints).toEqual([])
})
