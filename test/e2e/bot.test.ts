import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { loadTable } from '../http/tables.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const address = inject('address')
const bea = new Person(address)
const REGIONS = ['North', 'South', 'West']
const MONTHS = 26

let browser: Browser
let page: Page
let complaints: string[]
const offences: string[] = []

/** Orders of some regions and products, each month the same, up to the one that ended last. */
function rows(): string[] {
  const now = new Date()
  const lines = Array.from({ length: MONTHS * REGIONS.length }, (_, at) => {
    const ago = 1 + Math.floor(at / REGIONS.length)
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 28)).toISOString().slice(0, 10)
    const region = REGIONS[at % REGIONS.length] ?? ''
    return `${9000 + at};${day};${region};${at % 2 === 0 ? 'Chair' : 'Table'};${1000 * (1 + (at % REGIONS.length))},00;${at % 7}`
  })
  return ['ordernr;order date;region;product;amount;quantity', ...lines]
}

beforeAll(async () => {
  await bea.register('bea.bot@example.com')
  await bea.call('PUT', '/api/onboarding', { step: 'done' })
  await loadTable(bea, 'Orders', rows())
  browser = await sharedBrowser()
  page = await openAs(browser, bea)
  complaints = watchPage(page)
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const answers = () => page.getByRole('article')
const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))

/** Types a question, and waits for what comes of it. */
async function ask(question: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Question' })
  await field.fill(question)
  await field.press('Enter')
  await page.getByText(question, { exact: true }).last().waitFor()
  await button('Ask').waitFor()
}

it('offers questions of the data, and answers one by its figures', async () => {
  await page.goto(`${address}/insight-bot`)
  await page.getByRole('group', { name: 'Suggestions' }).getByRole('button').first().waitFor()
  await look('bot-new')
  await ask('total amount by region')
  const answer = answers().first()
  await answer.getByText(/South/).first().waitFor()
  // What a screen reader is told.
  await page
    .getByRole('status')
    .filter({ hasText: /highest first: .*West/ })
    .waitFor({ state: 'attached' })
  await answer.getByRole('group', { name: 'How it was read' }).getByRole('button').first().waitFor()
  await look('bot-answer')
})

it('goes on from an answer twice: another split, then only some rows', async () => {
  await ask('by product')
  await answers().nth(1).getByText(/Chair/).first().waitFor()
  await ask('only North')
  await answers().nth(2).getByText(/North/).first().waitFor()
})

it('changes a part of the plan by its chip, and answers again', async () => {
  const last = answers().last()
  await last.getByRole('group', { name: 'How it was read' }).getByRole('button', { name: /North/ }).click()
  await page.getByRole('menuitem', { name: 'Remove filter' }).click()
  await answers().nth(3).waitFor()
  expect(await answers().nth(3).getByRole('group', { name: 'How it was read' }).getByText(/North/).count()).toBe(0)
})

it('declines politely, and says what it can answer instead', async () => {
  await ask('will it rain tomorrow in Paris')
  await page.getByRole('group', { name: 'Try instead' }).getByRole('button').first().waitFor()
  await look('bot-declined')
})

it('verifies an answer: its wording is answered by it from then on', async () => {
  await answers()
    .first()
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Verify answer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Question').fill('how do the regions compare')
  await dialog.getByRole('button', { name: 'Verify answer' }).click()
  await page.getByText('Answer verified').waitFor()
  await ask('How do the regions compare?')
  await answers().last().getByText('Verified').waitFor()
})

it('saves an answer as an insight', async () => {
  await answers()
    .last()
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Save as insight' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Insight name').fill('Regions by bot')
  await dialog.getByRole('button', { name: 'Save insight' }).click()
  await page.getByText('Insight saved: Regions by bot').waitFor()
})

it('asks from the search', async () => {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search names, pages and actions').fill('total quantity by region')
  await page.getByText('Ask “total quantity by region”').click()
  await answers()
    .first()
    .getByText(/quantity/i)
    .first()
    .waitFor()
  expect(await answers().count()).toBe(1)
})

it('has no offence of access and no complaint of the browser', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
