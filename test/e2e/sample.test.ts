import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { lookAt, openBrowser, openPage, watchPage } from './browser.ts'

const address = inject('address')
const QUESTIONS = [
  'How do sales compare with a year ago?',
  'Which product group is losing its margin?',
  'Which large customer has stopped buying?',
  'What did the company earn each month?',
  'Which cost stands out?',
]

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
const offences: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
  context = await browser.newContext({ locale: 'sv-SE', timezoneId: 'Europe/Stockholm' })
  page = await openPage(context)
  complaints = watchPage(page)
})
afterAll(() => browser.close())

const look = async (name: string): Promise<void> => void offences.push(...(await lookAt(page, name)))

it('lets a newcomer in without an account, to sources that say they are a sample', async () => {
  await page.goto(`${address}/login`)
  await page.getByRole('button', { name: 'Look around with the sample company' }).click()
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

it('goes with one click, and offers itself again', async () => {
  await page.goto(`${address}/insights`)
  await page.getByRole('button', { name: 'Remove sample' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove sample' }).click()
  await page.getByRole('button', { name: 'Try it with the sample company' }).waitFor()
  await look('sample-removed')
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
