import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { makeStaffSql } from '../http/server.ts'
import { LONG } from '../long.ts'
import { checkAppearance, drawScreen, sharedBrowser, openPage, watchPage } from './browser.ts'
import { writeRows } from './rows.ts'

const FILE = 'test/fixtures/derived__nordic_cp1252_semicolon.csv'
const EMAIL = 'anna.berg@example.com'
const OF_OTHER_JOURNEYS = [
  ['insights', '/insights'],
  ['settings-workspace', '/settings/workspace'],
  ['settings-profile', '/settings/profile'],
] as const
const PASSWORD = 'en riktigt lång mening'

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
/** Accessibility offences of every screen looked at on the way. */
const offences: string[] = []
const address = inject('address')

beforeAll(async () => {
  browser = await sharedBrowser()
  context = await browser.newContext({ locale: 'sv-SE', timezoneId: 'Europe/Stockholm', acceptDownloads: true })
  page = await openPage(context)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first()

it('registers a person and takes the first two steps', async () => {
  await page.goto(`${address}/insights`)
  await page.waitForURL('**/login?return=%2Finsights')
  await heading('Sign in').waitFor()
  await look('login')
  await page.goto(`${address}/register`)
  await page.getByLabel('Name').fill('Anna Berg')
  await page.getByLabel('Work email').fill(EMAIL)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('checkbox').check()
  await look('register')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/onboarding/workspace**')
  await page.getByLabel('Company or workspace name').fill('Nordiska Varor AB')
  await look('onboarding-workspace')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.waitForURL('**/onboarding/profile**')
  await heading('About you').waitFor()
  await look('onboarding-profile')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/onboarding/source**')
})

it('reads a foreign file, shows how, and loads every row', async () => {
  await page.locator('input[type=file]').setInputFiles(FILE)
  await page.getByRole('button', { name: 'Import 213 rows' }).waitFor()
  await page.getByRole('gridcell', { name: /^1\s814,40$/ }).waitFor()
  await look('import-preview')
  await page.getByRole('button', { name: 'Import 213 rows' }).click()
  await page.getByText('213 rows imported').waitFor()
  await page.waitForURL('**/data-sources/src_*')
  await page
    .getByRole('status')
    .filter({ hasText: /^213 rows$/ })
    .waitFor()
  await look('source')
  await page.goto(`${address}/data-sources`)
  await page
    .getByRole('link', { name: /nordic/i })
    .first()
    .waitFor()
  await look('sources')
})

it('makes an insight that says what changed, and opens the rows behind a figure', async () => {
  await page
    .getByRole('link', { name: /nordic/i })
    .first()
    .click()
  await page.waitForURL('**/data-sources/src_*')
  await page.getByRole('link', { name: 'Create insight' }).first().click()
  await page.waitForURL('**/insights/new**')
  await page.getByRole('region', { name: 'Preview' }).locator('canvas').waitFor()
  await page.getByText('Previous period', { exact: true }).click()
  await page.getByText(/ vs /).first().waitFor()
  await look('insight-new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Belopp per månad')
  await page.getByRole('button', { name: 'Save insight' }).click()
  await page.waitForURL('**/insights/ins_*')
  await page.getByRole('heading', { level: 1, name: 'Belopp per månad' }).waitFor()
  await page.locator('canvas').first().waitFor()
  await look('insight')
  await page.getByText('Calculation details').click()
  await page.keyboard.press('t')
  await page.getByRole('grid').first().waitFor()
  await look('insight-table')
  await page
    .getByRole('button', { name: /^View records/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'View records' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('grid').waitFor()
  await drawScreen(page, 'insight-drill-wide-light')
  await drawer.getByRole('button', { name: 'Close' }).click()
})

it('exports the whole answer as CSV', async () => {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /csv/i }).first().click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  expect(download.suggestedFilename()).toContain('Belopp per månad')
  expect(text).toMatch(/^\uFEFFDatum;Belopp;/)
  expect(text.split('\n').length).toBeGreaterThan(10)
})

it('shows the remaining routes, an unknown one with status 404, and complains about nothing', async () => {
  for (const [name, path] of [
    // Other journeys look at these in the short run.
    ...(LONG ? OF_OTHER_JOURNEYS : []),
    ['source-new', '/data-sources/new'],
    ['terms', '/terms'],
  ] as const) {
    await page.goto(`${address}${path}`)
    await look(name)
  }
  const answer = await page.goto(`${address}/no-such-page`)
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await look('not-found')
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})

it('shows the administration to staff, and to nobody else', async () => {
  expect((await page.goto(`${address}/admin/workspaces`))?.status()).toBe(404)
  await writeRows(makeStaffSql(EMAIL))
  expect((await page.goto(`${address}/admin/workspaces`))?.status()).toBe(200)
  await page.getByText('Nordiska Varor AB').waitFor()
  offences.length = 0
  await look('admin-workspaces')
  expect(offences).toEqual([])
})

it('signs out everywhere in the browser, and the old cookie is refused', async () => {
  const other = await context.newPage()
  await other.goto(`${address}/insights`)
  await other.getByRole('heading', { level: 1 }).first().waitFor()
  const old = await context.cookies()
  // A page behind another one is hardly ever drawn, and waits for its pictures.
  await page.bringToFront()
  await page.goto(`${address}/data-sources`)
  await page.getByRole('button', { name: /anna berg|account|person/i }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login**')
  await other.waitForURL('**/login**')
  const cookie = old.map(({ name, value }) => `${name}=${value}`).join('; ')
  const replayed = await fetch(`${address}/api/workspace`, { headers: { cookie, accept: 'application/json' } })
  expect(replayed.status).toBe(401)
})
