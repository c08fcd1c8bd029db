import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import type { ListPage as Listed } from '../../src/shared/field-schemas.ts'
import type { InvoiceView, SubscriptionView } from '../../src/shared/billing/subscription.ts'
import { startMailbox, type Mailbox } from '../http/mailbox.ts'
import { PASSWORD, Person } from '../http/person.ts'
import { createStateDirectory, startServer, type RunningServer } from '../http/server.ts'
import { itLong } from '../long.ts'
import { closeWindows, openAs, openPage, putOnLine, sharedBrowser, watchPage } from './browser.ts'

const EMAIL = 'kassa.checkout@example.com'
const HERE = '/settings/workspace/subscription'
const CHECKOUT = `${HERE}/checkout?plan=standard&interval=monthly`
const WAIT = { timeout: 60_000 }

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
let mailbox: Mailbox
let state: { path: string; remove: () => void }
let server: RunningServer
let kassa: Person

beforeAll(async () => {
  mailbox = await startMailbox()
  state = createStateDirectory(inject('unused'))
  server = await startServer(state.path, { settings: mailbox.settings, environment: mailbox.environment })
  kassa = new Person(server.address)
  await kassa.register(EMAIL)
  await kassa.confirmEmail(await mailbox.waitFor(EMAIL, 'Confirm'))
  await kassa.call('PUT', '/api/onboarding', { step: 'done' })
  // Trials are ours and their clock stands still here: this one is over, and an order takes effect at once.
  await server.write('UPDATE subscriptions SET trial_ends_at = 1')
  browser = await sharedBrowser()
  page = await openAs(browser, kassa)
  context = page.context()
  complaints = watchPage(page)
})
afterAll(async () => {
  await closeWindows()
  await server.stop()
  state.remove()
  await mailbox.stop()
})

const button = (name: string | RegExp) => page.getByRole('button', { name })
const field = (name: string | RegExp, of = page) => of.getByRole('textbox', { name })
const open = async (path: string, of = page): Promise<void> => void (await of.goto(`${server.address}${path}`))
const subscription = () => kassa.call<SubscriptionView>('GET', '/api/subscription')
const invoices = async (): Promise<InvoiceView[]> =>
  (await kassa.call<Listed<InvoiceView>>('GET', '/api/subscription/invoices?limit=50')).items

async function enterDetails(): Promise<void> {
  await page.getByRole('radio', { name: 'Invoice by bank transfer' }).click()
  await field(/Company name/).fill('Kassa & Co AB')
  await field(/Invoice email/).fill('invoices@example.com')
  await field('Purchase order reference').fill('PO 4711')
}
async function expectDetails(of = page): Promise<void> {
  await expect.poll(() => field('Purchase order reference', of).inputValue(), WAIT).toBe('PO 4711')
  expect(await field(/Company name/, of).inputValue()).toBe('Kassa & Co AB')
  expect(await field(/Invoice email/, of).inputValue()).toBe('invoices@example.com')
}

/** Calls that reached the server to order, by the page that was answered. */
function watchOrders(): { pages: Set<string>; answered: number[] } {
  const seen = { pages: new Set<string>(), answered: new Array<number>() }
  page.on('response', (answer) => {
    if (!answer.url().endsWith('/api/stripe/checkout')) return
    seen.answered.push(answer.status())
    void answer.json().then(
      ({ url }: { url?: string }) => url !== undefined && seen.pages.add(url),
      () => undefined,
    )
  })
  return seen
}

async function signInAgain(): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Sign in to continue', exact: true })
  await sheet.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Sign in' }).click()
  await sheet.waitFor({ state: 'detached' })
}

itLong('keeps what is chosen and entered over a reload, Back, another page and another tab', async () => {
  await open(CHECKOUT)
  await page.getByRole('button', { name: /^Pay / }).waitFor()
  await button('Add one Extra data source').click()
  await page.waitForURL(/extra_source/)
  await enterDetails()
  await page.reload()
  await expectDetails()
  expect(await field('Extra data source quantity').inputValue()).toBe('1')
  await page.getByRole('link', { name: 'Metrics' }).first().click()
  await page.waitForURL(/\/metrics/)
  await page.goBack()
  await expectDetails()
  const second = await openPage(context)
  await second.goto(page.url())
  await expectDetails(second)
  await second.close()
})

itLong('sends nothing without a connection, and says so', async () => {
  await context.setOffline(true)
  await button('Order by invoice').click()
  await page
    .getByText(/No connection/)
    .first()
    .waitFor()
  await expectDetails()
  await context.setOffline(false)
  await expect
    .poll(
      () =>
        page.evaluate(() =>
          fetch('/health').then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      WAIT,
    )
    .toBe(true)
  expect((await subscription()).planId).toBeNull()
})

itLong('orders once by a double click over a slow line in a session that has ended', async () => {
  const seen = watchOrders()
  const backToFast = await putOnLine(page, 'slow')
  await context.clearCookies()
  const order = button('Order by invoice')
  await order.dispatchEvent('click')
  await order.dispatchEvent('click')
  await signInAgain()
  await page.waitForURL(`${server.billing}/invoices/**`, WAIT)
  await backToFast()
  expect(seen.answered.filter((status) => status < 300)).toHaveLength(1)
  expect(await invoices()).toHaveLength(1)
  expect(await subscription()).toMatchObject({
    ...{ state: 'invoice_pending', planId: 'standard', method: 'invoice', addOns: { extra_source: 1 } },
    details: { companyName: 'Kassa & Co AB', billingEmail: 'invoices@example.com', poReference: 'PO 4711' },
  })
})

itLong('neither orders again by Back and a reload, nor offers what is saved', async () => {
  await page.goBack()
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByText(/^Unsaved changes from /).count()).toBe(0)
  expect(await invoices()).toHaveLength(1)
})

itLong('changes the plan once by a double click, with a reload in between', async () => {
  await open(`${HERE}/checkout?plan=professional&interval=monthly`)
  const change = button(/^Change now/)
  await change.waitFor()
  const before = (await invoices()).length
  await change.dblclick()
  await page.waitForURL(`**${HERE}`)
  await page.reload()
  await page.getByRole('heading', { name: 'Subscription', exact: true }).waitFor()
  expect(await subscription()).toMatchObject({ planId: 'professional', method: 'invoice' })
  expect((await invoices()).length - before).toBeLessThanOrEqual(1)
})

itLong('had no complaint of the browser', () => {
  expect(complaints).toEqual([])
})
