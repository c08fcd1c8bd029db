import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { Insight } from '../../src/shared/insights.ts'
import type { Metric } from '../../src/shared/metrics.ts'
import type { Note } from '../../src/shared/notes.ts'
import { PASSWORD, Person } from '../http/person.ts'
import { loadTable } from '../http/tables.ts'
import { itLong } from '../long.ts'
import { openAs, sharedBrowser, openPage, watchPage } from './browser.ts'

const EMAIL = 'kajsa.kept@example.com'
const ROWS = [
  'ordernr;datum;belopp',
  ...Array.from(
    { length: 48 },
    (_, at) => `${7000 + at};2024-${String(1 + (at % 12)).padStart(2, '0')}-10;${100 + at}`,
  ),
]
const WAIT = { timeout: 15_000 }
const address = inject('address')
const kajsa = new Person(address)

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  await kajsa.register(EMAIL)
  await kajsa.call('PUT', '/api/onboarding', { step: 'done' })
  await loadTable(kajsa, 'Order', ROWS)
  browser = await sharedBrowser()
  page = await openAs(browser, kajsa)
  context = page.context()
  complaints = watchPage(page)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const nameField = (of = page) => of.getByRole('textbox', { name: 'Name', exact: true })
const restored = (of = page) => of.getByText(/^Unsaved changes from /)
const metrics = async () => (await kajsa.call<{ items: Metric[] }>('GET', '/api/metrics')).items
const insights = async () => (await kajsa.call<{ items: Insight[] }>('GET', '/api/insights')).items
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Waits until the builder shows a name of its own: only then has it begun. */
async function openBuilder(of = page): Promise<void> {
  await of.goto(`${address}/insights/new`)
  await expect.poll(() => nameField(of).inputValue(), WAIT).not.toBe('')
}

it('has a half-made insight after a reload, after leaving the page, and in another tab', async () => {
  await openBuilder()
  await nameField().fill('Half made')
  await page.reload()
  await restored().waitFor()
  expect(await nameField().inputValue()).toBe('Half made')
  await page.getByRole('link', { name: 'Data sources' }).first().click()
  await title('Data sources').waitFor()
  await page.goBack()
  await restored().waitFor()
  const second = await openPage(context)
  await openBuilder(second)
  await restored(second).waitFor()
  expect(await nameField(second).inputValue()).toBe('Half made')
  await second.close()
})

it('saves one insight by a double click, and has nothing left to offer', async () => {
  const before = (await insights()).length
  await button('Save insight').dblclick()
  await title('Half made').waitFor()
  expect(await insights()).toHaveLength(before + 1)
  await openBuilder()
  expect(await restored().count()).toBe(0)
})

itLong('posts one comment by a double click, also one that was left half written', async () => {
  const { id } = (await insights()).find(({ name }) => name === 'Half made') ?? { id: '' }
  const comment = page.getByRole('textbox', { name: /comment/i })
  await page.goto(`${address}/insights/${id}`)
  await button('Add note').click()
  await comment.fill('The fair was in May.')
  await page.goto(`${address}/metrics`)
  await page.goto(`${address}/insights/${id}`)
  await expect.poll(() => comment.inputValue(), WAIT).toBe('The fair was in May.')
  await button('Post comment').dblclick()
  await expect.poll(() => comment.inputValue(), WAIT).toBe('')
  const notes = await kajsa.call<{ items: Note[] }>('GET', `/api/insights/${id}/notes`)
  expect(notes.items.map(({ body }) => body)).toEqual(['The fair was in May.'])
})

it('keeps a metric through a lost connection and an ended session, and saves it once', async () => {
  await page.goto(`${address}/metrics/new`)
  await nameField().fill('Order value')
  await page.getByRole('textbox', { name: 'Formula' }).fill('sum([belopp])')
  await context.setOffline(true)
  await button('Create metric').click()
  await page
    .getByText(/No connection/)
    .first()
    .waitFor()
  expect(await nameField().inputValue()).toBe('Order value')
  await context.setOffline(false)
  const cookies = await context.cookies()
  await context.clearCookies()
  // Online again, the page may have asked by itself already: the press counts under the sign-in sheet too.
  await button('Create metric').dispatchEvent('click')
  await page.getByRole('dialog').waitFor()
  expect(cookies.length).toBeGreaterThan(0)
  await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
  await title('Order value').waitFor()
  expect((await metrics()).map(({ name }) => name)).toEqual(['Order value'])
})

it('leaves nothing unsaved on the machine after a sign-out', async () => {
  await openBuilder()
  await nameField().fill('Secret plans')
  await page.reload()
  await restored().waitFor()
  await page
    .getByRole('button', { name: /Account|Kajsa|account/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login/)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('insikt-draft')))).toEqual(
    [],
  )
  expect(complaints).toEqual([])
})
