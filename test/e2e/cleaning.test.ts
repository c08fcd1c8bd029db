import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { createXlsxStream } from '../../src/formats/workbook/xlsx-writer.ts'
import { Person } from '../http/person.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const address = inject('address')
let browser: Browser
let page: Page
let complaints: string[]
const offences: string[] = []

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'maj', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dec']
const REGIONS = ['Norr', 'Mitt', 'Syd']
const ACCOUNTS = ['Försäljning varor', 'Försäljning tjänster', 'Frakt']
/** A budget as people keep it: months side by side, each region written once, totals below. */
const rows = [
  ...REGIONS.flatMap((region, r) =>
    ACCOUNTS.map((account, a) => {
      const figures = MONTHS.map((_, m) => 1000 * (r + 1) + 100 * a + 10 * m)
      return [a === 0 ? region : null, account, ...figures, figures.reduce((sum, figure) => sum + figure, 0)]
    }),
  ),
  ['Totalt alla regioner', null, ...MONTHS.map(() => 99_999), 1],
]
const workbook = async () => ({
  name: 'Budget 2026.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: Buffer.from(
    await new Response(
      createXlsxStream([
        { name: 'Budget', columns: ['Region', 'Konto', ...MONTHS, 'Summa'].map((head) => ({ head })), rows },
      ]),
    ).arrayBuffer(),
  ),
})
const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const button = (name: string | RegExp) => page.getByRole('button', { name })
const cleaning = () => page.getByRole('region', { name: 'Cleaning' })

beforeAll(async () => {
  const eva = new Person(address)
  await eva.register('eva.lind@example.com', { timeZone: 'Europe/Stockholm' })
  await eva.call('PUT', '/api/onboarding', { step: 'done' })
  browser = await sharedBrowser()
  page = await openAs(browser, eva)
  complaints = watchPage(page)
})

it('turns a workbook with months in columns into rows by three presses, and loads them', async () => {
  await page.goto(`${address}/data-sources/new`)
  await page.getByText('Drop files here').waitFor()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await workbook())
  await button(/^Apply: Unpivot columns into “Month” and “Value”, then read “Month” as date/).waitFor()
  await look('import-cleaning-proposals')
  await button(/^Apply: Remove rows where “Region” starts with “Totalt”/).click()
  await button(/^Apply: Fill down “Region”/).click()
  await button(/^Apply: Unpivot/).click()
  await cleaning().getByText('Turned 9 rows into 108').waitFor()
  await page.getByRole('gridcell', { name: '1 Jan 2026' }).first().waitFor()
  await look('import-cleaning')
  await button('Import 108 rows').click()
  await page.waitForURL('**/data-sources/src_*')
  await page.getByText('108 rows imported').waitFor()
})

it('keeps the recipe with the table, where it is changed on the stored file', async () => {
  await page.getByRole('tab', { name: 'Cleaning' }).click()
  await page.getByText('4. Read “Month” as date (Jan 2026)').waitFor()
  await look('source-cleaning')
  await button('Edit steps').click()
  await cleaning().getByText('Turned 9 rows into 108').waitFor()
  await button('Add step').click()
  await page.getByRole('menuitem', { name: 'Change case' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change case' })
  await dialog.getByLabel('Columns').first().click()
  await page.getByRole('option', { name: 'Region' }).click()
  await page.keyboard.press('Escape')
  await look('cleaning-step')
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await cleaning().getByText('5. Change “Region” to Title Case').waitFor()
  await button('Edit step 5').click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Case' }).click()
  await page.getByRole('option', { name: 'UPPER CASE' }).click()
  await button('Save step').click()
  await page.getByRole('gridcell', { name: 'NORR' }).first().waitFor()
  await button(/^Match columns for 108 rows$/).click()
  await button('Import 108 rows').click()
  await page.getByText('108 rows imported').last().waitFor()
  await page.getByText('5. Change “Region” to UPPER CASE').waitFor()
})

it('answers a question about it', async () => {
  await page.getByRole('link', { name: 'Create insight' }).first().click()
  await page.waitForURL('**/insights/new**')
  await page.getByRole('region', { name: 'Preview' }).locator('canvas').waitFor()
  await look('insight-of-unpivoted')
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
