import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { itLong } from '../long.ts'
import { checkAppearance, sharedBrowser, openPage, watchPage } from './browser.ts'

const address = inject('address')
const QUESTIONS = [
  'Sales by month',
  'Gross margin by product group',
  'Top 10 customers by sales',
  'Profit after financial items by month',
  'Costs by month and account',
]

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
const offences: string[] = []

beforeAll(async () => {
  browser = await sharedBrowser()
  context = await browser.newContext({ locale: 'sv-SE', timezoneId: 'Europe/Stockholm' })
  page = await openPage(context)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))

it('lets a newcomer in without an account, to sources that say they are a sample', async () => {
  await page.goto(`${address}/login`)
  await page.getByRole('button', { name: 'Explore demo data' }).click()
  await page.waitForURL('**/data-sources**')
  await page.getByRole('button', { name: 'Remove sample' }).waitFor({ timeout: 90_000 })
  for (const name of ['orders', 'customers', 'ledger'])
    await page.getByRole('link', { name: `Nordviks Grossist: ${name}` }).waitFor()
  await page.getByText('0 of 10 sources').waitFor()
  await look('sample-sources')
})

it('shows the company’s story in five insights', async () => {
  await page.goto(`${address}/insights`)
  for (const question of QUESTIONS) await page.getByRole('link', { name: question }).waitFor()
  await page
    .locator('canvas')
    .nth(QUESTIONS.length - 2)
    .waitFor()
  // One is a table: its card names the customers.
  await look('sample-insights')
  await page.getByRole('link', { name: QUESTIONS[1] ?? '' }).click()
  // The list has canvases too: the page is another one when it wears the question as its heading.
  await page.getByRole('heading', { level: 1, name: QUESTIONS[1] ?? '' }).waitFor()
  await page.locator('canvas').first().waitFor()
  await look('sample-margin')
  await page.goto(`${address}/insights`)
  await page.getByRole('link', { name: QUESTIONS[2] ?? '' }).click()
  // Its card names the customer too.
  await page.getByRole('heading', { level: 1, name: QUESTIONS[2] ?? '' }).waitFor()
  await page.getByText('Bygghörnan Mälardalen AB').first().waitFor()
})

it('lets no text become markup, and draws the tooltip of a chart all the same', async () => {
  await page.goto(`${address}/insights`)
  await page
    .getByRole('main')
    .getByRole('link', { name: QUESTIONS[0] ?? '' })
    .click()
  const chart = page.getByRole('application').first()
  await chart.locator('canvas').waitFor()
  await chart.press('End')
  await chart.locator('div > b').first().waitFor()
  const refused = page.waitForEvent('console', (message) => message.text().includes("requires 'TrustedHTML'"))
  const markup = page.evaluate(() => {
    const place = document.createElement('div')
    try {
      place.innerHTML = '<img src="x" onerror="alert(1)">'
    } catch (error) {
      return error instanceof TypeError ? 'refused' : String(error)
    }
    return place.innerHTML
  })
  expect(await markup).toBe('refused')
  // The page's complaint about this attempt is the point of it.
  complaints.splice(complaints.indexOf((await refused).text()), 1)
  expect(await page.evaluate(() => window.crossOriginIsolated)).toBe(true)
})

const region = (name: string) => page.getByRole('region', { name, exact: true })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const pick = async (menu: string, item: string): Promise<void> => {
  await button(menu).first().press('Enter')
  await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
}

it('tells what changed before anybody asks, to be pinned, rated and hidden for oneself', async () => {
  await page.goto(`${address}/insights`)
  const told = region('Findings').getByRole('listitem')
  // Which part of the story stands first depends on the day of the year.
  const story = told.filter({ hasText: /Bygghörnan Mälardalen AB|Paint|Reparation och underhåll av lokaler/ })
  await story.first().waitFor({ timeout: 60_000 })
  const menu = 'Finding actions'
  await pick(menu, 'Pin')
  await told.first().getByText('Pinned · ').waitFor()
  await pick(menu, 'Useful')
  await button(menu).first().press('Enter')
  await page.getByRole('menuitem', { name: 'Useful ✓' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await told.first().getByRole('link', { name: 'View insight' }).press('Enter')
  await page.waitForURL('**/insights/ins_*')
  await region('Findings').getByText('Pinned · ').waitFor()
  await button('View records').first().press('Enter')
  const records = page.getByRole('dialog')
  await records.getByRole('grid').waitFor()
  await records.getByRole('button', { name: 'Close' }).press('Enter')
  await records.waitFor({ state: 'detached' })
  await page.goto(`${address}/insights`)
  await story.first().waitFor()
  const last = told.last()
  const sentence = (await last.getByRole('paragraph').first().textContent()) ?? ''
  await last.getByRole('button', { name: menu }).press('Enter')
  await page.getByRole('menuitem', { name: 'Hide for me' }).press('Enter')
  await region('Findings').getByText(sentence).waitFor({ state: 'detached' })
})

const SALES = QUESTIONS[0] ?? ''
const SAID = 'Two customers moved their orders here.'

itLong('says of an insight what accounts for its change, and keeps what people say of it', async () => {
  await page.goto(`${address}/insights`)
  await page.getByRole('main').getByRole('link', { name: SALES }).press('Enter')
  await title(SALES).waitFor()
  await page
    .getByText(/^Sales .* vs .*\.$/)
    .first()
    .waitFor()
  const drivers = region('Contribution to change')
  await drivers.getByRole('radio', { name: 'Chart' }).press('ArrowRight')
  await drivers.getByRole('columnheader', { name: 'Contribution' }).waitFor()
  await button('Add note').press('Enter')
  const talk = region('Notes and comments')
  await talk.getByLabel('Your comment').fill(SAID)
  await talk.getByRole('combobox', { name: 'About' }).click()
  await page.getByRole('option').nth(1).click()
  await button('Pin note').press('Enter')
  await talk.getByRole('listitem').filter({ hasText: SAID }).waitFor()
  await talk.getByLabel('Your comment').fill('Let us look at it on Monday.')
  await button('Post comment').press('Enter')
  await talk.getByRole('listitem').filter({ hasText: 'Monday' }).waitFor()
  const chart = region('Answer').getByRole('application')
  await chart.press('End')
  await chart.locator('[aria-live]', { hasText: SAID }).waitFor({ state: 'attached' })
  await button('Follow').press('Enter')
  await button('Following').waitFor()
  await pick('More actions', 'Verify figures')
  await page.getByText(/^Verified by /).waitFor()
  await look('insight-talked-about')
})

itLong('keeps every version of an insight, brings one back, and copies it', async () => {
  await pick('More actions', 'Rename and describe')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Sales, year by year')
  await dialog.getByLabel('Name').press('Enter')
  await title('Sales, year by year').waitFor()
  await pick('More actions', 'History')
  await dialog.getByText('Version 2, saved by').waitFor()
  await look('insight-history')
  await dialog.getByRole('button', { name: 'View version 1' }).press('Enter')
  await dialog.getByRole('button', { name: 'Restore version' }).press('Enter')
  await title(SALES).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await pick('More actions', 'Duplicate')
  await title(`${SALES} copy`).waitFor()
  await pick('More actions', 'Delete insight')
  await dialog.getByRole('button', { name: 'Delete insight' }).press('Enter')
  await title('Insights').waitFor()
})

itLong('puts insights into categories', async () => {
  await button('Manage categories').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'New category' }).press('Enter')
  await dialog.getByLabel('Name').fill('The board')
  await dialog.getByLabel('Name').press('Enter')
  await dialog.getByText('0 insights').waitFor()
  await look('categories')
  await dialog.getByRole('button', { name: 'Close' }).press('Enter')
  await page.getByRole('main').getByRole('link', { name: SALES }).press('Enter')
  await title(SALES).waitFor()
  await pick('More actions', 'Category and findings')
  await dialog.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'The board' }).click()
  await dialog.getByRole('button', { name: 'Save' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('main').getByText('The board').waitFor()
})

it('goes with one click, and offers itself again', async () => {
  await page.goto(`${address}/insights`)
  await page.getByRole('button', { name: 'Remove sample' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove sample' }).click()
  await page.getByRole('button', { name: 'Explore demo data' }).waitFor()
  await look('sample-removed')
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
