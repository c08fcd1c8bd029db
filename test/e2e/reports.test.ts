import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { Sample } from '../../src/shared/sample.ts'
import { Person } from '../http/person.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'
import { confirmByMail, mailPage } from './dev-mail.ts'

const address = inject('address')
const EMAIL = 'amanda.reports@example.com'
const NAME = 'Our Monday board'
const TABLE = 'Top 10 customers by sales'
const CUSTOMER = 'Snickeri & Bygg Umeå AB'
const TWO_MINUTES = 120_000

let browser: Browser
let page: Page
let complaints: string[]
let reportId = ''
let begun = 0
const offences: string[] = []
const amanda = new Person(address)

beforeAll(async () => {
  browser = await sharedBrowser()
  await amanda.register(EMAIL)
  await confirmByMail(amanda, EMAIL)
  await amanda.call('PUT', '/api/onboarding', { step: 'done' })
  // A sample company of one's own: another journey takes that of the demo away.
  await amanda.call('POST', '/api/sample')
  page = await openAs(browser, amanda)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const region = (name: string) => page.getByRole('article', { name, exact: true }).last()
const chip = () => page.getByRole('group', { name: 'Filtered by' })

it('makes a board of the sample from a template', async () => {
  const sample = async (): Promise<string> => (await amanda.call<Sample>('GET', '/api/sample')).state
  await expect.poll(sample, { timeout: 90_000, interval: 250 }).toBe('ready')
  begun = performance.now()
  await page.goto(`${address}/data-sources`)
  await page.getByRole('link', { name: 'Reports', exact: true }).click()
  await page.getByRole('heading', { name: 'No reports yet' }).waitFor()
  await look('reports-empty')
  await button(/^Monday board/).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(NAME)
  await button('Create report').click()
  await page.waitForURL('**/reports/interactive/*')
  reportId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
})

it('adds blocks by search, moves one by keyboard, saves by itself and publishes', async () => {
  for (const name of ['Sales by month', TABLE]) {
    await button('Add block').first().click()
    const dialog = page.getByRole('dialog', { name: 'Add block' })
    await dialog.getByRole('textbox').fill(name)
    await dialog.getByRole('button', { name, exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  await page.getByText(CUSTOMER).first().waitFor({ timeout: 60_000 })
  const added = page.getByRole('group', { name: /^Insight, / }).last()
  await added.press('Shift+ArrowDown')
  await page.getByText(/^Insight: Columns/).waitFor({ state: 'attached' })
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  await look('report-editor')
  await button('Publish').click()
  await page.getByRole('dialog').getByRole('textbox').fill('First one')
  await button('Publish report').click()
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
})

it('is built within two minutes, is filtered by a click on a customer and on a bar, and takes that back', async () => {
  // The template has a table of this name, too; each is called so once its figures have come.
  await page.getByRole('article', { name: TABLE, exact: true }).nth(1).waitFor()
  const row = region(TABLE).getByRole('row', { name: new RegExp(CUSTOMER) })
  await row.waitFor()
  expect(performance.now() - begun).toBeLessThan(TWO_MINUTES)
  await region('Sales by month').locator('canvas').first().waitFor()
  await row.getByText(CUSTOMER).click()
  await chip().getByText(CUSTOMER).waitFor()
  await expect.poll(() => row.getAttribute('data-picked'), { timeout: 60_000 }).toBe('true')
  await look('report-filtered')
  expect(page.url()).toContain('marks=')
  await page.keyboard.press('Escape')
  await chip().waitFor({ state: 'detached' })
  // Near the ground of the newest whole month: on its bar, or beside it where it is low.
  const drawn = await region('Sales by month').locator('canvas').first().boundingBox()
  if (!drawn) throw new Error('Nothing is drawn.')
  await page.mouse.click(drawn.x + drawn.width / 2, drawn.y + drawn.height * 0.75)
  await chip()
    .getByText(/20\d\d/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await chip().waitFor({ state: 'detached' })
})

it('is presented on the whole screen, and ends with Esc', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await button('Present').click()
  const screen = page.getByRole('dialog', { name: `${NAME}, presenting` })
  await screen.getByText(CUSTOMER).first().waitFor()
  await screen.press('Escape')
  await screen.waitFor({ state: 'detached' })
})

it('keeps a view of it as a bookmark, and each publication in its history', async () => {
  await page.goto(`${address}/reports/interactive/${reportId}?period=this-year`)
  await button('Bookmarks').click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('This year')
  await button('Save bookmark').click()
  await page.goto(`${address}/reports/interactive/${reportId}`)
  await button('Bookmarks').click()
  await page.getByRole('menuitem', { name: 'This year' }).click()
  await page.waitForURL(/period=this-year/)
  await button(/^More actions for/).click()
  await page.getByRole('menuitem', { name: 'History' }).click()
  await page.getByRole('dialog').getByText('First one').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
})

it('is sent on a schedule, first to oneself as a test', async () => {
  await button(/^More actions for/).click()
  await page.getByRole('menuitem', { name: 'Schedules' }).click()
  const drawer = page.getByRole('dialog', { name: 'Schedules' })
  await drawer.getByRole('button', { name: 'New schedule' }).click()
  const form = page.getByRole('dialog', { name: 'New schedule' })
  await form.getByText('PDF', { exact: true }).click()
  // Three dates, a week apart.
  await form.getByText(/^Next: [^·]+·[^·]+·[^·]+$/).waitFor()
  await look('report-schedule-form')
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await drawer.getByText('Mondays at 07:00').waitFor()
  await look('report-schedules')
  await drawer.getByRole('button', { name: /^More actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Send a test to me' }).click()
  await page.getByText('Test email on its way').waitFor({ timeout: 60_000 })
  await drawer.getByRole('button', { name: /^More actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delivery log' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^(Sending|Sent)$/)
    .waitFor()
  await look('report-deliveries')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  const mail = await mailPage(address, EMAIL, `Test: ${NAME}`)
  expect(mail.text).toContain(`${NAME}`)
  const file = await fetch(`${address}${mail.path}/attachment`)
  expect(new TextDecoder().decode((await file.arrayBuffer()).slice(0, 5))).toBe('%PDF-')
})

it('is asked about at a tile, until that is settled', async () => {
  await page.goto(`${address}/reports/interactive/${reportId}`)
  await region(TABLE).getByText(CUSTOMER).waitFor()
  await region(TABLE)
    .getByRole('button', { name: `Comments on ${TABLE}` })
    .press('Enter')
  const drawer = page.getByRole('dialog', { name: `Comments on ${TABLE}` })
  await drawer.getByRole('textbox', { name: 'Your comment' }).fill('Who buys most?')
  await page.keyboard.press('Control+Enter')
  await drawer.getByRole('listitem').filter({ hasText: 'Who buys most?' }).waitFor()
  await look('report-comments')
  await drawer.getByRole('button', { name: 'Resolve' }).press('Enter')
  await drawer.getByRole('button', { name: 'Show 1 resolved comment' }).waitFor()
  await page.keyboard.press('Escape')
})

it('is subscribed to at a tile, by the week', async () => {
  await region(TABLE)
    .getByRole('button', { name: `Subscribe to ${TABLE}` })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Every week' }).click()
  await page.getByText('Subscribed by email').waitFor()
  await region(TABLE)
    .getByRole('button', { name: `Subscription to ${TABLE}` })
    .waitFor()
  await page.goto(`${address}/alerts`)
  const line = page.getByRole('listitem').filter({ hasText: `${NAME} · Every week` })
  await line.waitFor()
  await look('report-subscriptions')
  await line.getByRole('button', { name: 'Unsubscribe' }).click()
  await line.waitFor({ state: 'detached' })
})

it('is in the list, with its state', async () => {
  await page.goto(`${address}/reports`)
  await page.getByRole('listitem').filter({ hasText: NAME }).getByText('Published').waitFor()
  await look('reports')
})

let link = ''
it('is shared by a link with a passcode, which whoever makes it copies once', async () => {
  await page.goto(`${address}/reports/interactive/${reportId}`)
  await button(/^More actions for/).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  await button('New link').click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('For the bank')
  await dialog.getByRole('textbox', { name: 'Passcode' }).fill('fika klockan tre')
  await dialog.getByRole('switch', { name: 'Viewers can change the period' }).check({ force: true })
  await look('share-new')
  await button('Create link').click()
  link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toMatch(/\/shared\/[0-9a-f]{40}$/)
  await button('Done').click()
  await dialog.getByRole('listitem').filter({ hasText: 'For the bank' }).getByText('Not viewed yet').waitFor()
  await look('share-links')
})

it('is read by somebody who is signed out, on a telephone, until the link is revoked', async () => {
  const outside = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage()
  const outsideComplaints = watchPage(outside)
  await outside.goto(link)
  await outside.getByRole('textbox', { name: 'Passcode' }).fill('fika klockan fyra')
  await outside.getByRole('button', { name: 'Open report' }).click()
  await outside.getByText('Wrong passcode').waitFor()
  offences.push(...(await checkAppearance(outside, 'shared-passcode')))
  await outside.getByRole('textbox', { name: 'Passcode' }).fill('fika klockan tre')
  await outside.getByRole('button', { name: 'Open report' }).click()
  await outside.getByText(CUSTOMER).first().waitFor({ timeout: 60_000 })
  await outside.getByRole('article', { name: 'Sales by month', exact: true }).last().locator('canvas').first().waitFor()
  offences.push(...(await checkAppearance(outside, 'shared-report')))
  expect(await outside.getByRole('link').count()).toBe(1)
  const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'For the bank' })
  await row.getByRole('button', { name: 'Revoke' }).click()
  await button('Revoke link').click()
  await row.getByText('Ended', { exact: true }).waitFor()
  await outside.reload()
  await outside.getByRole('heading', { name: 'This link isn’t available' }).waitFor()
  offences.push(...(await checkAppearance(outside, 'shared-gone')))
  complaints.push(...outsideComplaints)
  await outside.context().close()
})

it('has nothing for axe to find, nothing wider than the screen, and no complaint of the browser', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
