import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { Report } from '../../src/shared/reports/reports.ts'
import type { Insight } from '../../src/shared/insights.ts'
import type { Dataset } from '../../src/shared/data-sources/data-sources.ts'
import { Person } from '../http/person.ts'
import { loadTable, replaceTable } from '../http/tables.ts'
import { checkAppearance, openAs, openPage, sharedBrowser, watchPage } from './browser.ts'
import { writeRows } from './rows.ts'

const address = inject('address')
const EMAIL = 'amanda.editions@example.com'
const amanda = new Person(address)

let browser: Browser
let page: Page
let complaints: string[]
let report: Report
let orders: Dataset
const offences: string[] = []

const rows = (): string[] => [
  'Order no;Region;Amount',
  ...Array.from({ length: 60 }, (_, at) => `${7000 + at};${['North', 'South', 'East'][at % 3]};${(at * 37) % 900},50`),
]

/** A published pack: a text with a figure of its own, and sales by region as a chart and as a table. */
async function publishPack(): Promise<Report> {
  orders = await loadTable(amanda, 'Orders', rows())
  const dataset = orders.id
  const field = (column: string) => ({ dataset, column })
  const plan = {
    ...{ v: 2, kind: 'aggregate', filters: [], totals: true },
    measures: [{ kind: 'column', agg: 'sum', field: field('c2') }],
    dimensions: [{ field: field('c1') }],
  }
  const viz = { chart: 'bar', direction: 'up' }
  const insight = await amanda.call<Insight>('POST', '/api/insights', { name: 'Sales by region', plan, viz })
  const made = await amanda.call<Report>('POST', '/api/reports', { kind: 'legacy', name: 'Month-end pack' })
  const place = (x: number, y: number, w: number, h: number) => ({ x, y, w, h })
  const blocks = [
    { id: 'words1', kind: 'text', place: place(0, 0, 12, 3), text: '# Sales\n\nChecked against the ledger.' },
    { id: 'chart1', kind: 'insight', insight: insight.id, place: place(0, 3, 6, 9) },
    { id: 'table1', kind: 'insight', insight: insight.id, chart: 'table', place: place(6, 3, 6, 9) },
  ]
  const content = {
    ...{ v: 1, period: { range: null, compare: 'none' }, filters: [] },
    pages: [{ id: 'page01', name: 'Pack', blocks }],
  }
  const draft = { name: made.name, content, version: made.version }
  const { version } = await amanda.call<Report>('PUT', `/api/reports/${made.id}`, draft)
  return amanda.call<Report>('POST', `/api/reports/${made.id}/publish`, { version })
}

beforeAll(async () => {
  await amanda.register(EMAIL)
  await writeRows(`UPDATE users SET email_proven_at = 1 WHERE email = '${EMAIL}'`)
  await amanda.call('PUT', '/api/onboarding', { step: 'done' })
  report = await publishPack()
  browser = await sharedBrowser()
  page = await openAs(browser, amanda)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const button = (name: string) => page.getByRole('button', { name, exact: true })

it('freezes a report as an edition that is signed off', async () => {
  await page.goto(`${address}/reports/legacy`)
  await page.getByRole('link', { name: 'Month-end pack' }).click()
  await page.getByText('No editions yet').waitFor()
  await look('editions-none')
  await button('Publish edition').click()
  await page.getByRole('radio', { name: /Everyone who can open the report/ }).click()
  await look('editions-publish')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish edition' }).click()
  await page.getByText('Checked against the ledger.').waitFor()
  await button('Sign off').click()
  await button('Sign off').waitFor({ state: 'detached' })
  await look('edition')
})

it('makes the next one a correction, and says which figures differ', async () => {
  await replaceTable(amanda, orders, [...rows(), '7060;North;1000,00'])
  await page.getByRole('link', { name: 'All editions' }).click()
  await button('Publish edition').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish edition' }).click()
  await dialog.getByText('Enter a note: what does this correction change?').waitFor()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('A late invoice')
  await dialog.getByRole('button', { name: 'Publish edition' }).click()
  await page.getByText('A late invoice').waitFor()
  await page.getByRole('combobox', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: 'Edition 1' }).click()
  const differences = page.getByRole('grid', { name: 'Differences' })
  await differences.getByRole('row', { name: /North/ }).first().waitFor()
  expect(await differences.getByRole('row', { name: /East|South/ }).count()).toBe(0)
  await look('edition-compared')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download edition 2' }).click()
  await page.getByRole('menuitem', { name: 'PDF' }).click()
  expect((await download).suggestedFilename()).toBe('Month-end pack edition 2.pdf')
})

it('is shared as the edition that it is, and read by somebody who is signed out', async () => {
  await page.goto(`${address}/reports/legacy/${report.id}`)
  await page.getByRole('button', { name: /^More actions for Month-end pack/ }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog')
  await button('New link').click()
  await dialog.getByRole('combobox', { name: 'Edition' }).click()
  await page.getByRole('option', { name: /^Edition 1/ }).click()
  await button('Create link').click()
  const outside = await openPage(await browser.newContext())
  complaints.push(...watchPage(outside))
  await outside.goto(await dialog.getByRole('textbox', { name: 'Link' }).inputValue())
  await outside.getByText('Checked against the ledger.').waitFor()
  await outside.getByText('Edition 1').first().waitFor()
  offences.push(...(await checkAppearance(outside, 'shared-edition')))
})

it('leaves no complaint behind and reads well', () => {
  expect(report.kind).toBe('legacy')
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
