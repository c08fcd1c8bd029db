import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { Insight } from '../../src/shared/insights.ts'
import type { Dataset } from '../../src/shared/data-sources/data-sources.ts'
import { Person } from '../http/person.ts'
import { loadTable, replaceTable } from '../http/tables.ts'
import { itLong } from '../long.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const MONTHS = 40
const DAYS = [3, 12, 21, 27]
const address = inject('address')
const freja = new Person(address)

let browser: Browser
let page: Page
let complaints: string[]
let bank: Dataset
let insightId: string
const offences: string[] = []

/** The first day of the month so many months ago. */
const monthAgo = (ago: number): Date => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1))
}
/** Payments of about −10 000 a month, dearer in winter, up to the month `until` months ago; `last` times as much in that one. */
function rows(until: number, last = 1): string[] {
  const lines = Array.from({ length: MONTHS }, (_, at) => at + until).flatMap((ago) => {
    const month = monthAgo(ago)
    const season = 1 + 0.3 * Math.cos((2 * Math.PI * month.getUTCMonth()) / 12)
    const noise = 1 + 0.04 * Math.sin(ago * 12.9898)
    const amount = (-10_000 / DAYS.length) * season * noise * (ago === until ? last : 1)
    return DAYS.map((day) => {
      const date = new Date(month.getTime() + (day - 1) * 86_400_000).toISOString().slice(0, 10)
      return `V${ago}-${day};${date};${amount.toFixed(2).replace('.', ',')}`
    })
  })
  return ['verifikat;datum;belopp', ...lines]
}

beforeAll(async () => {
  await freja.register('freja.forecast@example.com')
  await freja.call('PUT', '/api/onboarding', { step: 'done' })
  bank = await loadTable(freja, 'Bank', rows(2))
  const key = (label: string): string => bank.columns.find((column) => column.label === label)?.key ?? ''
  const plan = {
    ...{ v: 2, kind: 'aggregate', dataset: bank.id, filters: [] },
    dimensions: [{ field: { dataset: bank.id, column: key('datum') }, grain: 'month' }],
    measures: [{ kind: 'column', agg: 'sum', field: { dataset: bank.id, column: key('belopp') } }],
  }
  const made = { name: 'Cash movements', description: '', plan, viz: { chart: 'line' } }
  insightId = (await freja.call<Insight>('POST', '/api/insights', made)).id
  browser = await sharedBrowser()
  page = await openAs(browser, freja)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const tab = (name: string) => page.getByRole('tab', { name, exact: true })

it('shows what would come of an insight while it is set up, as the balance of the bank', async () => {
  await page.goto(`${address}/insights/${insightId}`)
  await page.getByRole('link', { name: 'Add forecast' }).press('Enter')
  await title('New forecast').waitFor()
  const preview = region('Preview')
  await preview.getByText(/^Cash movements: .* expected for /).waitFor()
  await page.getByRole('checkbox', { name: 'Show as balance' }).check()
  await page.getByRole('textbox', { name: 'Opening balance' }).fill('60000')
  await preview.getByText(/^Balance: 60\s000/).waitFor()
  await look('forecast-new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Cash')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await title('Cash').waitFor()
  // A run in the background has no hurry on a busy machine.
  await region('Summary').waitFor({ timeout: 60_000 })
})

const levels = () => page.getByRole('list', { name: 'Thresholds' })
const scenarios = () => page.getByRole('list', { name: 'Scenarios', exact: true })
/** The month in which a line says that the balance falls under the floor. */
const monthOf = (text: string | null): string => /[A-Z][a-z]{2} 20\d\d/.exec(text ?? '')?.[0] ?? ''
const timeOf = (month: string): number => Date.parse(`1 ${month}`)

it('tells when the balance falls below minimum cash, and how much later it would with one large order', async () => {
  await button('Add minimum cash').press('Enter')
  const expected = levels().getByText(/^First below in /)
  await expected.filter({ hasText: /[A-Z][a-z]{2} 20\d\d/ }).waitFor()
  const base = monthOf(await expected.textContent())
  await button('Add scenario').press('Enter')
  await page.getByRole('menuitem', { name: 'One large order' }).press('Enter')
  await page.getByRole('textbox', { name: 'Amount' }).fill('20000')
  await page.getByRole('textbox', { name: 'Amount' }).press('Tab')
  const order = scenarios().getByRole('listitem', { name: 'One large order', exact: true })
  await expect
    .poll(async () => timeOf(monthOf(await order.getByText(/^Minimum cash: /).textContent())))
    .toBeGreaterThan(timeOf(base))
  await look('forecast-ahead')
  await button('Save scenarios').press('Enter')
  await page.getByText('Unsaved changes, visible only to you.').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Forecasts', exact: true }).first().press('Enter')
  await title('Forecasts').waitFor()
  await page.getByRole('article', { name: 'Cash' }).getByText(`Minimum cash: first below in ${base}`).waitFor()
  await look('forecasts')
})

itLong('holds every forecast against what came, and tells of a month that left the band', async () => {
  await page.getByRole('link', { name: 'Cash', exact: true }).press('Enter')
  await region('Summary').waitFor()
  await button('Add alert').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Cash leaves its band')
  await dialog.getByLabel('Name').press('Enter')
  const line = page.getByRole('list', { name: 'Alerts on this forecast' })
  await line.getByText('Cash leaves its band').waitFor()
  await tab('Forecast vs actual').press('Enter')
  await page.getByText(/^No actuals for forecast months? yet/).waitFor()
  await replaceTable(freja, bank, rows(1, 3))
  await page.getByText(/^1 actual compared/).waitFor({ timeout: 60_000 })
  await line.getByText('Open').waitFor({ timeout: 60_000 })
  await look('forecast-accuracy')
})

itLong('is changed where it was set up, and computed anew', async () => {
  await button('Edit').press('Enter')
  await title('Edit Cash').waitFor()
  await page.getByRole('textbox', { name: 'Forecast length' }).fill('6')
  await region('Preview')
    .getByText(/expected for/)
    .first()
    .waitFor()
  await look('forecast-edit')
  await button('Save forecast').press('Enter')
  await page.getByText('Forecast saved').waitFor()
  await title('Cash').waitFor()
  await tab('Runs').press('Enter')
  await look('forecast-runs')
  await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(3).waitFor({ timeout: 60_000 })
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
