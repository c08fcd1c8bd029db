import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { InvoiceView, SubscriptionView } from '../../src/shared/billing/subscription.ts'
import type { DataSource } from '../../src/shared/data-sources/data-sources.ts'
import type { CreateInvitesResult } from '../../src/shared/invites.ts'
import type { ListPage as Listed } from '../../src/shared/field-schemas.ts'
import { startMailbox, type Mailbox } from '../http/mailbox.ts'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory, type RunningServer } from '../http/server.ts'
import { itLong } from '../long.ts'
import { checkAppearance, closeWindows, drawScreen, openAs, sharedBrowser, watchPage } from './browser.ts'

const HERE = '/settings/workspace/subscription'
const PLANS = `${HERE}?show=plans`
const BY_CARD = 'anna.card@example.com'
const BY_INVOICE = 'bo.invoice@example.com'

let browser: Browser
let mailbox: Mailbox
let state: { path: string; remove: () => void }
let server: RunningServer
/** Pays by card. */
let anna: Person
/** Pays by invoice. */
let bo: Person
/** Anna's window, then Bo's. */
let page: Page
const complaints: string[][] = []
const offences: string[] = []

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const open = async (path: string): Promise<void> => void (await page.goto(`${server.address}${path}`))
const button = (name: string | RegExp) => page.getByRole('button', { name })
const subscriptionOf = (person: Person) => person.call<SubscriptionView>('GET', '/api/subscription')

/** Opens the page of the subscription as this person, in a browser of their own. */
async function enter(person: Person): Promise<void> {
  page = await openAs(browser, person)
  complaints.push(watchPage(page))
  await open(HERE)
  await page.getByRole('heading', { name: 'Subscription', exact: true }).waitFor()
}

/** What only the stand-in can do. */
async function sim(path: string, body: object): Promise<void> {
  const response = await fetch(`${server.billing}/_sim/${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}
/** Trials are ours and their clock stands still here: everybody has had theirs. */
const endTrials = (): Promise<void> => server.write('UPDATE subscriptions SET trial_ends_at = 1')
const daysPass = (advanceDays: number): Promise<void> => sim('clock', { advanceDays })

/** Waits until the server's own picture of the subscription is this; events are on their way meanwhile. */
async function becomes(person: Person, is: (view: SubscriptionView) => boolean): Promise<SubscriptionView> {
  for (let tries = 1; ; tries++) {
    const view = await subscriptionOf(person)
    if (is(view)) return view
    if (tries === 100) throw new Error(`the subscription stays ${JSON.stringify({ ...view, meters: [] })}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
const invoicesOf = async (person: Person): Promise<InvoiceView[]> =>
  (await person.call<Listed<InvoiceView>>('GET', '/api/subscription/invoices?limit=50')).items

async function addSource(person: Person, name: string): Promise<string> {
  const uploadId = await person.upload(`${name}.csv`, new Blob(['no;amount\n1;10\n2;20\n']))
  const { settings, columns } = await person.inspect(uploadId)
  const { id } = await person.createSource({ name, tables: [{ name, uploadId, settings, columns }] })
  return id
}
const frozenOf = async (person: Person, id: string): Promise<boolean> =>
  (await person.call<DataSource>('GET', `/api/data-sources/${id}`)).frozen

beforeAll(async () => {
  mailbox = await startMailbox()
  state = createStateDirectory(inject('unused'))
  server = await startServer(state.path, { settings: mailbox.settings, environment: mailbox.environment })
  ;[anna, bo] = [new Person(server.address), new Person(server.address)]
  for (const [person, email] of [
    [anna, BY_CARD],
    [bo, BY_INVOICE],
  ] as const) {
    await person.register(email)
    await person.confirmEmail(await mailbox.waitFor(email, 'Confirm'))
    await person.call('PUT', '/api/onboarding', { step: 'done' })
  }
  browser = await sharedBrowser()
  await enter(anna)
})
afterAll(async () => {
  await closeWindows()
  await server.stop()
  state.remove()
  await mailbox.stop()
})

it('grants nothing to whoever opens the address after a payment without having paid (BIL-8)', async () => {
  await page.getByText('Test billing').first().waitFor()
  await look('subscription-trial')
  await open(`${HERE}?checkout=done`)
  await page.getByText('Confirming payment').waitFor()
  expect(await subscriptionOf(anna)).toMatchObject({ state: 'trialing', planId: null, interval: null })
})

it('leads from the trial through a checkout by card to an active plan; a declined card changes nothing', async () => {
  await open(PLANS)
  await page.getByRole('link', { name: 'Choose Personal' }).click()
  await button(/^Add a card, pay/).waitFor()
  await look('checkout')
  await button(/^Add a card, pay/).click()
  await page.waitForURL(`${server.billing}/checkout/**`)
  await page.getByText('Test billing — no money moves').waitFor()
  await drawScreen(page, 'stand-in-checkout-wide-light')
  await page.getByRole('link', { name: 'Leave without paying' }).click()
  await page.getByText('Checkout cancelled').waitFor()
  await page.goBack()
  await page.getByLabel(/is declined/).check()
  await button('Subscribe').click()
  await page.getByRole('alert').getByText('declined').waitFor()
  expect((await subscriptionOf(anna)).state).toBe('trialing')
  await page.getByLabel(/that works/).check()
  await button('Subscribe').click()
  await page.getByText('Personal is active').waitFor()
  expect(await subscriptionOf(anna)).toMatchObject({ state: 'active', planId: 'personal', method: 'card' })
})

itLong('lets the 11th person in with a 10-user pack, and not the 12th', async () => {
  const emails = Array.from({ length: 10 }, (_, at) => `person-${at}@example.com`)
  const outcomes = async (addresses: string[]): Promise<string[]> => {
    const { lines } = await anna.call<CreateInvitesResult>('POST', '/api/invites', {
      emails: addresses,
      role: 'viewer',
    })
    return lines.map(({ outcome }) => outcome)
  }
  expect(await outcomes(['early@example.com'])).toEqual(['no_seat'])
  await open(PLANS)
  await page.getByRole('link', { name: 'Add 10-user pack' }).click()
  await button(/^Change now/).click()
  await page.waitForURL(`**${HERE}`)
  await page
    .getByText(/10-user pack/)
    .first()
    .waitFor()
  expect(await outcomes([...emails, 'late@example.com'])).toEqual([...emails.map(() => 'sent'), 'no_seat'])
  const eleventh = new Person(server.address)
  await eleventh.register(emails[9] ?? '')
  const { link } = await mailbox.waitFor(emails[9] ?? '', 'invites you to')
  await eleventh.call('POST', '/api/invites/accept', { token: link?.split('#')[1] })
  await open(HERE)
  await page.getByText('11 of 11').waitFor()
})

itLong('ends with the period what was cancelled in the portal', async () => {
  await endTrials()
  await open(HERE)
  await button('Open payment portal').click()
  await page.getByRole('heading', { name: 'Your billing' }).waitFor()
  await drawScreen(page, 'stand-in-portal-wide-light')
  await button('Cancel subscription').click()
  await page.getByText(/Ends on/).waitFor()
  await page.getByRole('link', { name: 'Go back' }).click()
  await button('Resume subscription').waitFor()
  expect(await becomes(anna, ({ cancelAt }) => cancelAt !== null)).toMatchObject({ state: 'active' })
  await daysPass(45)
  await becomes(anna, (view) => view.state === 'canceled')
  await open(HERE)
  await page.getByText('Subscription ended').waitFor()
})

it('sells by invoice, and is active while it waits and when the transfer has come', async () => {
  await endTrials()
  await page.context().close()
  await enter(bo)
  await page.getByText('Trial ended').first().waitFor()
  await open(PLANS)
  await page.getByRole('link', { name: 'Choose Standard' }).click()
  await page.getByRole('radio', { name: 'Invoice by bank transfer' }).click()
  await page.getByLabel('Company name').fill('Bo & Co AB')
  await page.getByLabel('Invoice email').fill(BY_INVOICE)
  await page.getByLabel('Purchase order reference').fill('PO 4711')
  await look('checkout-invoice')
  await button('Order by invoice').click()
  await page.waitForURL(`${server.billing}/invoices/**`)
  for (const words of ['Bo & Co AB', 'PO 4711', 'IBAN']) await page.getByText(words).first().waitFor()
  await drawScreen(page, 'stand-in-invoice-wide-light', true)
  await becomes(bo, (view) => view.state === 'invoice_pending')
  const [invoice] = await invoicesOf(bo)
  const pdf = await fetch(invoice?.pdf ?? '')
  expect(new TextDecoder('latin1').decode(await pdf.arrayBuffer())).toMatch(/^%PDF-1\.4[^]*EUR 450\.00[^]*%%EOF\n$/)
  await button('Let the transfer arrive').click()
  await page.getByText('Paid', { exact: true }).first().waitFor()
  expect(await becomes(bo, (view) => view.state === 'active')).toMatchObject({ planId: 'standard', method: 'invoice' })
})

itLong(
  'freezes on a downgrade what there is no room for, from the end of the period, and thaws it on an upgrade',
  async () => {
    const first = await addSource(bo, 'Orders')
    const second = await addSource(bo, 'Returns')
    await open(PLANS)
    await page.getByRole('link', { name: 'Change to Personal' }).click()
    await page.getByRole('heading', { name: 'What stays' }).waitFor()
    await look('checkout-downgrade')
    await button(/^Change on/).click()
    await page.getByText(/Personal, billed monthly, from/).waitFor()
    expect(await frozenOf(bo, second)).toBe(false)
    await daysPass(32)
    await becomes(bo, (view) => view.planId === 'personal')
    expect([await frozenOf(bo, first), await frozenOf(bo, second)]).toEqual([false, true])
    await open(HERE)
    await page.getByText('Over plan limits').waitFor()
    await look('subscription-frozen')
    await open(PLANS)
    await page.getByRole('link', { name: 'Change to Standard' }).click()
    await button(/^Change now for/).click()
    await page.waitForURL(`**${HERE}`)
    expect(await becomes(bo, (view) => view.planId === 'standard')).toMatchObject({ frozen: null })
    expect(await frozenOf(bo, second)).toBe(false)
  },
)

itLong(
  'restricts what stays unpaid for 14 days after it was due, and gives all of it back with the payment',
  async () => {
    await daysPass(31)
    await becomes(bo, (view) => view.state === 'past_due')
    await addSource(bo, 'While past due')
    await daysPass(15)
    await open(HERE)
    await button('Check payment').click()
    await page.getByText('Read-only', { exact: true }).first().waitFor()
    expect((await subscriptionOf(bo)).state).toBe('restricted')
    await expect(addSource(bo, 'While restricted')).rejects.toMatchObject({ body: { code: 'read_only' } })
    await look('subscription-restricted')
    for (const { id, state: standing } of await invoicesOf(bo))
      if (standing === 'open') await sim('bank-transfer', { invoice: id })
    await button('Check payment').click()
    await page.getByText(/^Renews/).waitFor()
    expect(await subscriptionOf(bo)).toMatchObject({ state: 'active', planId: 'standard', cancelAt: null })
  },
)

it('has no accessibility offence, no complaint of the browser and no screen wider than a small window', () => {
  expect(offences).toEqual([])
  expect(complaints.flat()).toEqual([])
})
