import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { itLong } from '../long.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const address = inject('address')
let browser: Browser
let page: Page
let complaints: string[]
const offences: string[] = []

const text = (name: string, lines: string[]) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(`${lines.join('\r\n')}\r\n`),
})
const COUNTRIES = ['Sverige', 'Norge', 'Danmark']
const customers = text('kunder.csv', [
  'kundnr;land',
  ...Array.from({ length: 30 }, (_, at) => `K${100 + at};${COUNTRIES[at % 3]}`),
])
const orders = text('order.csv', [
  'ordernr;kundnr;antal;pris',
  ...Array.from({ length: 90 }, (_, at) => `${5000 + at};K${100 + (at % 30)};${1 + (at % 4)};${10 + (at % 7)},50`),
])
/** Books of one year with one voucher that is an öre off. */
const books = (year: number) =>
  text(`bok${year}.se`, [
    '#FLAGGA 0',
    '#PROGRAM "Test" 1.0',
    '#FORMAT PC8',
    '#GEN 20260101',
    '#SIETYP 4',
    '#ORGNR 556000-0001',
    '#FNAMN "Nordstrand Test AB"',
    `#RAR 0 ${year}0101 ${year}1231`,
    '#KONTO 1930 Bank',
    '#KONTO 3001 Sales',
    ...['100.00', '250.50', '75.25'].flatMap((amount, at) => [
      `#VER A ${at + 1} ${year}0${at + 1}15 "Sale"`,
      '{',
      `#TRANS 1930 {} ${amount}`,
      `#TRANS 3001 {} -${at === 2 ? '75.24' : amount}`,
      '}',
    ]),
  ])

const load = () => page.getByRole('button', { name: /^Import / })
const drop = async (...files: ReturnType<typeof text>[]) => {
  await page.goto(`${address}/data-sources/new`)
  await page.getByText('Drop files here').waitFor()
  await page.locator('input[type=file]').first().setInputFiles(files)
}
const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))

beforeAll(async () => {
  const bo = new Person(address)
  await bo.register('bo.ek@example.com', { timeZone: 'Europe/Stockholm' })
  await bo.call('PUT', '/api/onboarding', { step: 'done' })
  browser = await sharedBrowser()
  page = await openAs(browser, bo)
  complaints = watchPage(page)
})

it('loads two files as one source and finds how they belong together', async () => {
  await drop(customers, orders)
  await page.getByRole('button', { name: /^Import 2 tables, 120 rows$/ }).waitFor()
  await look('import-several')
  await load().click()
  await page.waitForURL('**/data-sources/src_*')
  await page.getByText(/2 tables imported, 120 rows/).waitFor()
  await page.getByText('Suggested relationships').waitFor()
  await look('source-several')
  await page.getByRole('button', { name: /^Confirm: Order to Kunder/ }).click()
  await page.getByRole('tab', { name: 'Relationships' }).click()
  await page.getByText('Checked at every import').waitFor()
  await look('relations')
})

it('works out a column from others and shows its values before it is kept', async () => {
  await page
    .getByRole('navigation', { name: 'Tables' })
    .getByRole('button', { name: /^Order/ })
    .click()
  await page.getByRole('tab', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Add calculated column' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Radsumma')
  await form.getByRole('textbox', { name: 'Formula' }).fill('[antal] * [pris]')
  // A preview of the half-made formula stays in sight, marked as busy, until that of the whole one has come.
  await form.locator('[aria-busy="false"]').getByRole('columnheader', { name: 'pris' }).waitFor()
  await form.getByRole('gridcell').nth(2).waitFor()
  const [amount = 0, price = 0, total] = (await form.getByRole('gridcell').allInnerTexts())
    .slice(0, 3)
    .map((cell) => Number(cell.replace(',', '.')))
  expect(total).toBeCloseTo(amount * price, 6)
  await look('computed-column')
  await form.getByRole('button', { name: 'Add column' }).click()
  // The form writes the formula too until it has closed.
  await form.waitFor({ state: 'hidden' })
  await page.getByText('antal × pris').waitFor()
})

itLong('tells books in words and brings two years into one set of tables', async () => {
  await drop(books(2024), books(2025))
  await page
    .getByRole('heading', { name: /Nordstrand Test AB/ })
    .first()
    .waitFor()
  await page
    .getByText(/imbalance|does not add up/i)
    .first()
    .waitFor()
  await look('import-books')
  await load().click()
  await page.waitForURL('**/data-sources/src_*', { timeout: 60_000 })
  await page.getByText(/tables imported/).waitFor()
  await page.getByRole('tab', { name: 'Tables' }).click()
  const tables = page.getByRole('navigation', { name: 'Tables' })
  await tables.getByRole('button', { name: /^Ledger entries 12 rows/ }).waitFor()
  await tables.getByRole('button', { name: /^Fiscal years 2 rows/ }).waitFor()
})

itLong('takes cells that are pasted', async () => {
  await page.goto(`${address}/data-sources/new`)
  await page.getByText('Drop files here').waitFor()
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Kund\tBelopp\r\nEk\t1 234,50\r\nÖst\t99,00\r\n')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByRole('button', { name: 'Import 2 rows' }).waitFor()
  expect(await page.getByLabel('Source name').inputValue()).toBe('Pasted table')
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
