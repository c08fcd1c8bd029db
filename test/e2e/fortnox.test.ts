import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { Person } from '../http/person.ts'
import { checkAppearance, closeWindows, openAs, sharedBrowser, watchPage } from './browser.ts'

const address = inject('address')
let page: Page
let complaints: string[]
const offences: string[] = []
const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))

beforeAll(async () => {
  const frida = new Person(address)
  await frida.register('frida.fort@example.com', { timeZone: 'Europe/Stockholm' })
  await frida.call('PUT', '/api/onboarding', { step: 'source' })
  page = await openAs(await sharedBrowser(), frida)
  complaints = watchPage(page)
})
afterAll(() => closeWindows())

it('leads from consent at Fortnox to a profit and loss', async () => {
  // Whose books lie in a service has no file: the last of the first steps leads there.
  await page.goto(`${address}/onboarding/source`)
  await page.getByRole('button', { name: 'Connect a database or service' }).click()
  await page.waitForURL('**/data-sources/new**')
  await page.getByRole('link', { name: 'Fortnox', exact: true }).click()
  await page.getByText('What it never does').waitFor()
  await look('connect-fortnox')
  await page.getByRole('button', { name: 'Sign in to Fortnox' }).click()
  await page.getByRole('heading', { name: /^Allow Insikt to read from Fortnox/ }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You didn’t give access to Fortnox').waitFor()
  await page.getByRole('button', { name: 'Sign in to Fortnox' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText(/^Connected to Nordviks Grossist/).waitFor()
  await look('connect-fortnox-streams')
  await page.getByRole('button', { name: 'Connect and import' }).click()
  await page.waitForURL('**/data-sources/src_*', { timeout: 60_000 })
  await page.getByRole('tab', { name: 'Statements' }).click({ timeout: 120_000 })
  await page
    .getByRole('row', { name: /Net sales/ })
    .first()
    .waitFor()
  await look('fortnox-profit-and-loss')
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
