import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { Dataset } from '../../src/shared/data-sources/data-sources.ts'
import { Person } from '../http/person.ts'
import { loadTable, replaceTable } from '../http/tables.ts'
import { itLong } from '../long.ts'
import { checkAppearance, openAs, sharedBrowser, openPage, watchPage } from './browser.ts'

const EMAIL = 'liv.live@example.com'
const address = inject('address')
/** From the swap to the new figure on screen; the goal is a second, the rest is for a busy machine. */
const SEEN_WITHIN_MS = 3_000

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
let orders: Dataset
let insightId: string
const liv = new Person(address)
const sockets: string[] = []

const rows = (count: number): string[] => [
  'ordernr;antal',
  ...Array.from({ length: count }, (_, at) => `${5000 + at};${1 + (at % 4)}`),
]
/** Another file in place of the rows that are there, by somebody who is not on the page. */
const reload = (count: number): Promise<void> => replaceTable(liv, orders, rows(count))

beforeAll(async () => {
  await liv.register(EMAIL)
  await liv.call('PUT', '/api/onboarding', { step: 'done' })
  orders = await loadTable(liv, 'Orders', rows(90))
  const plan = {
    ...{ v: 1, kind: 'aggregate', dataset: orders.id, dimensions: [], filters: [] },
    measures: [{ kind: 'column', agg: 'count' }],
  }
  const made = await liv.call<{ id: string }>('POST', '/api/insights', {
    ...{ name: 'Order lines', description: '', plan, viz: { chart: 'number' } },
  })
  insightId = made.id
  browser = await sharedBrowser()
  page = await openAs(browser, liv)
  context = page.context()
  page.on('websocket', (socket) => void sockets.push(socket.url()))
  complaints = watchPage(page)
})

const figure = (target: Page, text: string) => target.locator('#main .figure', { hasText: text }).first()

it('shows new rows on an open page as soon as they stand, without a reload', async () => {
  const connected = page.waitForEvent('websocket')
  await page.goto(`${address}/insights/${insightId}`)
  await figure(page, '90').waitFor()
  await connected
  await page.evaluate(() => void (document.body.dataset['loadedOnce'] = 'yes'))
  await reload(120)
  const stood = performance.now()
  await figure(page, '120').waitFor()
  const seen = performance.now() - stood
  console.log(`New rows were on the page ${Math.round(seen)} ms after the load had ended.`)
  expect(seen).toBeLessThan(SEEN_WITHIN_MS)
  expect(await page.evaluate(() => document.body.dataset['loadedOnce'])).toBe('yes')
  await page.getByText(/^Updated \d\d:\d\d$/).waitFor()
})

it('may connect to its own origin alone', async () => {
  const { headers } = await fetch(`${address}/login`)
  const own = address.replace(/^http/, 'ws')
  expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${own};`)
})

it('has one socket for all tabs of a browser, which all learn of new rows', async () => {
  const second = await openPage(context)
  second.on('websocket', (socket) => void sockets.push(socket.url()))
  await second.goto(`${address}/insights`)
  const card = second.getByRole('link', { name: 'Order lines' })
  await card.getByText('120').waitFor()
  await reload(75)
  await Promise.all([card.getByText('75').waitFor(), figure(page, '75').waitFor()])
  expect(new Set(sockets).size).toBe(1)
  expect(sockets.length).toBeLessThanOrEqual(2)
  await second.close()
})

it('catches up on what happened while there was no connection', async () => {
  await context.setOffline(true)
  await page.getByText(/^Updated .* · offline/).waitFor()
  await reload(60)
  await context.setOffline(false)
  await figure(page, '60').waitFor()
})

itLong('says how fresh figures are wherever they stand, for everybody', async () => {
  const fresh = page.getByText(/^Updated \d\d:\d\d/)
  await page.goto(`${address}/insights`)
  await fresh.waitFor()
  await page.goto(`${address}/insights/new`)
  await fresh.waitFor()
  await page.goto(`${address}/data-sources`)
  await page.getByRole('link', { name: 'Orders' }).first().click()
  await fresh.waitFor()
})

it('leaves axe and the browser nothing to complain about', async () => {
  expect(await checkAppearance(page, 'live')).toEqual([])
  expect(complaints).toEqual([])
})
