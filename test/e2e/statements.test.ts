import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { checkAppearance, closeWindows, openAs, sharedBrowser, watchPage } from './browser.ts'

const address = inject('address')
let page: Page
let complaints: string[]
const offences: string[] = []

/** A year of sales and rent, the year before it by its vouchers too, and a budget of this one. */
const year = (of: number, number: number): string[] =>
  Array.from({ length: 12 }, (_, at) => [
    `#VER A ${at + 1} ${of}${String(at + 1).padStart(2, '0')}15 "Invoice ${at + 1}"`,
    '{',
    ...[`#TRANS 1930 {} ${number + at}.50`, `#TRANS 3010 {1 10} -${number + at}.50`],
    '}',
  ]).flat()
const books = (of: number): { name: string; mimeType: string; buffer: Buffer } => ({
  ...{ name: `books${of}.se`, mimeType: 'text/plain' },
  buffer: Buffer.from(
    [
      ...['#FLAGGA 0', '#FORMAT PC8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Nordstrand Test AB"'],
      ...[`#RAR 0 ${of}0101 ${of}1231`, '#KONTO 1930 "Bank"', '#KONTO 3010 "Sales"', '#DIM 1 "Cost centre"'],
      ...['#OBJEKT 1 10 "North"', `#IB 0 1930 0`, ...year(of, of === 2025 ? 2000 : 1000)],
      ...(of === 2025 ? ['#PBUDGET 0 202501 3010 {} -1800'] : []),
    ].join('\r\n'),
  ),
})
const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))

beforeAll(async () => {
  const bo = new Person(address)
  await bo.register('bo.bok@example.com', { timeZone: 'Europe/Stockholm' })
  await bo.call('PUT', '/api/onboarding', { step: 'done' })
  page = await openAs(await sharedBrowser(), bo)
  complaints = watchPage(page)
})
afterAll(() => closeWindows())

it('leads from SIE files to a profit and loss by month with last year and budget beside it, and down to a voucher', async () => {
  await page.goto(`${address}/data-sources/new`)
  await page.getByText('Drop files here').waitFor()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([books(2024), books(2025)])
  await page.getByRole('button', { name: /^Import / }).click()
  await page.waitForURL('**/data-sources/src_*', { timeout: 60_000 })
  await page.getByRole('tab', { name: 'Statements' }).waitFor()
  await page.getByRole('button', { name: /^Net sales: 2.?000,50$/ }).waitFor()
  await page.getByText('Last year', { exact: true }).click()
  await page.getByText('Budget', { exact: true }).click()
  // January: actual, budget, the year before.
  const sales = page.getByRole('row', { name: /Net sales/ }).first()
  const cell = (at: number, figure: RegExp) => sales.getByRole('cell').nth(at).getByRole('button', { name: figure })
  await cell(1, /: 1.?800,00$/).waitFor()
  await cell(2, /: 1.?000,50$/).waitFor()
  await sales.getByRole('button', { name: /: 2.?000,50$/ }).click()
  await page.getByRole('button', { name: 'Entries of 3010' }).click()
  await page.getByRole('button', { name: 'A 1', exact: true }).click()
  const voucher = page.getByRole('region', { name: 'Voucher entries' })
  await voucher.getByText('1930 Bank').waitFor()
  expect(await voucher.getByRole('row').count()).toBe(3)
  await look('statement-voucher')
  await page.getByRole('button', { name: 'Close' }).click()
})

it('shows the other statements of the same books, in Swedish too', async () => {
  await look('statement-income')
  await page.getByText('Balance sheet', { exact: true }).click()
  await page.getByRole('row', { name: /Total equity and liabilities/ }).waitFor()
  await page.getByText('SV', { exact: true }).click()
  await page.getByRole('row', { name: /Summa eget kapital och skulder/ }).waitFor()
  await look('statement-balance')
  await page.getByText('Kassaflödesanalys', { exact: true }).click()
  await page.getByRole('row', { name: /Likvida medel vid periodens slut/ }).waitFor()
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
