import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it, vi } from 'vitest'
import type { Insight } from '../../src/shared/insights.ts'
import type { Dataset } from '../../src/shared/data-sources/data-sources.ts'
import { Person } from '../http/person.ts'
import { loadTable, replaceTable } from '../http/tables.ts'
import { itLong } from '../long.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const EMAIL = 'walt.watch@example.com'
const MONTHS = 26
const PER_MONTH = 3
const address = inject('address')
const walt = new Person(address)

let browser: Browser
let page: Page
let complaints: string[]
let sales: Dataset
let insightId: string
const offences: string[] = []

/** Sales of 3 000 a month up to the running one, and `last` times as much in the month that ended last. */
function rows(last = 1): string[] {
  const now = new Date()
  const days = Array.from({ length: MONTHS * PER_MONTH }, (_, at) => {
    const ago = Math.floor(at / PER_MONTH)
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 10)
    return `${9000 + at};${day};${1000 * (ago === 1 ? last : 1)},00`
  })
  return ['ordernr;datum;belopp', ...days]
}
const keyOf = ({ columns }: Dataset, label: string): string =>
  columns.find((column) => column.label === label)?.key ?? ''
const sumOf = (dataset: Dataset) => ({
  ...{ v: 2, kind: 'aggregate', dataset: dataset.id, filters: [], dimensions: [] as object[] },
  measures: [{ kind: 'column', agg: 'sum', field: { dataset: dataset.id, column: keyOf(dataset, 'belopp') } }],
})
const makeInsight = async (name: string, plan: object, chart: string): Promise<string> =>
  (await walt.call<Insight>('POST', '/api/insights', { name, description: '', plan, viz: { chart } })).id

/** The link of the mail that asks whether the address is one's own. Alerts go to nobody who has not opened it. */
async function proofLink(): Promise<string | null> {
  const line = new RegExp(`<a href="([^"]+)"><strong>Confirm[^<]*</strong></a>\\s*<span>to ${EMAIL} `)
  const listed = async (): Promise<string> => {
    const path = line.exec(await (await fetch(`${address}/dev/mail`)).text())?.[1]
    if (path === undefined) throw new Error('The mail has not come.')
    return path
  }
  const path = await vi.waitFor(listed, { timeout: 60_000 })
  const mail = await (await fetch(`${address}${path}`)).text()
  return /<pre>[\s\S]*?href="([^"]+#[^"]+)"/.exec(mail)?.[1] ?? null
}

beforeAll(async () => {
  await walt.register(EMAIL)
  await walt.confirmEmail({ link: await proofLink() })
  await walt.call('PUT', '/api/onboarding', { step: 'done' })
  sales = await loadTable(walt, 'Sales', rows())
  const field = { dataset: sales.id, column: keyOf(sales, 'datum') }
  const range = { kind: 'relative', span: 'last', unit: 'month', n: 12 }
  const period = { field, range, compare: 'none', completeOnly: true }
  const plan = { ...sumOf(sales), dimensions: [{ field, grain: 'month' }], period }
  insightId = await makeInsight('Sales by month', plan, 'line')
  browser = await sharedBrowser()
  page = await openAs(browser, walt)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

it('spreads a sum over the year as a target, and tells how far the figures have come', async () => {
  await page.goto(`${address}/insights/${insightId}`)
  await button('Set targets').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Distribute annual total').fill('48 000')
  await dialog.getByRole('button', { name: 'Distribute evenly' }).press('Enter')
  const cells = dialog.getByRole('textbox', { name: /^Total, / })
  const each = Array.from({ length: 12 }, () => expect.stringMatching(/^4\s?000$/))
  await expect
    .poll(async () => Promise.all((await cells.all()).map((cell) => cell.inputValue())), { timeout: 60_000 })
    .toEqual(each)
  await look('targets')
  await dialog.getByRole('button', { name: 'Save targets' }).press('Enter')
  await region('Targets')
    .getByText(/of 4\s000/)
    .first()
    .waitFor()
  await region('Targets').getByRole('progressbar').first().waitFor()
})

it('tries an alert on the last twelve months before it is made', async () => {
  await button('Add alert').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Low sales')
  await dialog.getByRole('combobox', { name: 'Condition' }).click()
  await page.getByRole('option', { name: 'Below' }).click()
  await dialog.getByRole('textbox', { name: 'Threshold' }).fill('5000')
  await dialog.getByRole('status').filter({ hasText: 'Already triggered before these months' }).waitFor()
  await dialog.getByRole('textbox', { name: 'Threshold' }).fill('2000')
  await dialog.getByRole('status').filter({ hasText: 'Wouldn’t have triggered in the last 12 months.' }).waitFor()
  await look('alert-new')
  await dialog.getByLabel('Name').press('Enter')
  const line = page.getByRole('list', { name: 'Alerts of this insight' }).getByRole('link', { name: /Low sales/ })
  await line.getByText('OK').waitFor()
  await line.press('Enter')
  await title('Low sales').waitFor()
  await region('Current status').getByText('OK').waitFor()
})

/** What was sent about the alert, the newest first. */
const letters = async (): Promise<string[]> => {
  const shown = await (await fetch(`${address}/dev/mail`)).text()
  return [...shown.matchAll(/<strong>([^<]*)<\/strong><\/a>\s*<span>to ([^ ]*)/g)].flatMap(([, subject = '', to]) =>
    to === EMAIL && subject.includes('Low sales') ? [subject] : [],
  )
}
/** Waits until so many were sent. */
async function lettersBy(count: number): Promise<string[]> {
  await expect.poll(async () => (await letters()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  return letters()
}

/** What follows a load has no hurry on a busy machine. */
const stands = (state: string): Promise<void> =>
  region('Current status').getByText(state, { exact: true }).waitFor({ timeout: 60_000 })

it('opens with a load, in the open page too, and sends one mail', async () => {
  await replaceTable(walt, sales, rows(0.1))
  await stands('Open')
  expect(await lettersBy(1)).toEqual(['Alert: Low sales (Test AB)'])
  await look('alert-open')
  await button('Acknowledge').press('Enter')
  await region('Current status').getByText('Acknowledged').waitFor()
  await region('History').getByText('Acknowledged').waitFor()
})

itLong('is over with the next load, and says so in one more mail', async () => {
  await replaceTable(walt, sales, rows())
  await stands('OK')
  await region('History').getByText('Resolved').waitFor()
  expect(await lettersBy(2)).toEqual(['Resolved: Low sales (Test AB)', 'Alert: Low sales (Test AB)'])
  await page.goto(`${address}/alerts`)
  await page
    .getByRole('list', { name: 'Alerts', exact: true })
    .getByRole('link', { name: /Low sales/ })
    .waitFor()
  await look('alerts')
})

const MONEY = ['datum;belopp;valuta', '2024-03-15;1000,00;SEK', '2024-03-15;100,00;EUR', '2024-03-18;50,00;EUR']

itLong(
  'shows amounts of two currencies by currency instead of their sum, and converts them by rates it names',
  async () => {
    // Rates come with the clock of the server, which strikes once a minute.
    expect((await fetch(`${address}/cdn-cgi/local/scheduled`)).ok).toBe(true)
    const money = await loadTable(walt, 'Invoices', MONEY)
    const id = await makeInsight('Invoiced', sumOf(money), 'number')
    await page.goto(`${address}/data-sources`)
    await page.getByRole('link', { name: 'Invoices' }).first().press('Enter')
    await page.waitForURL('**/data-sources/src_*')
    await page.getByRole('tab', { name: 'Columns' }).press('Enter')
    await button(/^Yes, use the currency in valuta for belopp/).press('Enter')
    await button('Save columns').press('Enter')
    await page.getByText('Columns saved').waitFor()
    await page.goto(`${address}/insights/${id}`)
    const lines = page.getByRole('table', { name: 'Amounts by currency' })
    for (const amount of [/1\s000 SEK/, /150 EUR/]) await lines.getByRole('row', { name: amount }).waitFor()
    await look('mixed-currencies')
    await button('Convert to SEK').press('Enter')
    await lines.waitFor({ state: 'detached' })
    await button('Rates').press('Enter')
    await page.getByText(/^1 EUR in SEK: .*15 Mar 2024 – 18 Mar 2024 \(European Central Bank\)$/).waitFor()
    await look('converted')
  },
)

itLong('takes a rate entered manually, with its reason, in place of the published one', async () => {
  const converted = page.url()
  await page.goto(`${address}/settings/workspace/currency`)
  await button('Add rate').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Rate' }).fill('20')
  await dialog.getByLabel('Month', { exact: true }).fill('2024-03')
  await dialog.getByRole('button', { name: 'Save rate' }).press('Enter')
  await dialog.getByLabel('Reason').and(page.locator('[aria-invalid="true"]')).waitFor()
  await dialog.getByLabel('From currency').click()
  await page.getByRole('option', { name: /^EUR/ }).click()
  await dialog.getByLabel('Reason').fill('Fixed by the contract')
  await dialog.getByRole('button', { name: 'Save rate' }).press('Enter')
  const row = page.getByRole('grid', { name: 'Custom rates' }).getByRole('row', { name: /1 EUR in SEK/ })
  await row.getByText('Fixed by the contract').waitFor()
  await look('currencies')
  await page.goto(converted)
  await button('Convert to SEK').press('Enter')
  await page
    .locator('#main .figure', { hasText: /4\s000/ })
    .first()
    .waitFor()
  await button('Rates').press('Enter')
  await page.getByText(/^1 EUR in SEK: 20, .*\(entered manually\)$/).waitFor()
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
