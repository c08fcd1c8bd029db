import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it, vi } from 'vitest'
import { Person } from '../http/person.ts'
import { loadTable } from '../http/tables.ts'
import { itLong } from '../long.ts'
import { writeRows } from './rows.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const EMAIL = 'bea.briefing@example.com'
const address = inject('address')
const bea = new Person(address)

let browser: Browser
let page: Page
let complaints: string[]
const offences: string[] = []
const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const region = (name: string) => page.getByRole('region', { name, exact: true })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

const REGIONS = ['North', 'South', 'East', 'West'] as const
/** Three years of four regions that ended with 2022; in their last quarter two of them earn less than nothing. */
const LINES = [
  'order date;region;sales;profit',
  ...Array.from({ length: 36 }, (_, month) => month).flatMap((month) =>
    [4, 12, 20, 28].flatMap((date) =>
      REGIONS.map((name, at) => {
        const day = new Date(Date.UTC(2020, month, date)).toISOString().slice(0, 10)
        const noise = (Math.sin(month * 12.9898 + date * 78.233 + at * 37.719) * 43_758.5453) % 1
        const sales = 10_000 + 900 * noise
        const margin = month < 33 || at === 0 || at === 3 ? 0.2 + 0.02 * noise : name === 'East' ? -0.15 : -0.06
        return `${day};${name};${sales.toFixed(2)};${(sales * margin).toFixed(2)}`.replaceAll('.', ',')
      }),
    ),
  ),
]

/** Subjects of the mails to Bea, the newest first. */
const subjects = async (): Promise<string[]> => {
  const shown = await (await fetch(`${address}/dev/mail`)).text()
  return [...shown.matchAll(/<strong>([^<]*)<\/strong><\/a>\s*<span>to ([^ ]*)/g)].flatMap(([, subject = '', to]) =>
    to === EMAIL ? [subject] : [],
  )
}

/** The link of the mail that asks whether the address is hers: nothing is mailed to one that is not proven. */
async function proofLink(): Promise<string | null> {
  const line = new RegExp(`<a href="([^"]+)"><strong>Confirm[^<]*</strong></a>\\s*<span>to ${EMAIL} `)
  const path = await vi.waitFor(
    async () => {
      const found = line.exec(await (await fetch(`${address}/dev/mail`)).text())?.[1]
      if (found === undefined) throw new Error('The mail has not come.')
      return found
    },
    { timeout: 60_000 },
  )
  const mail = await (await fetch(`${address}${path}`)).text()
  return /<pre>[\s\S]*?href="([^"]+#[^"]+)"/.exec(mail)?.[1] ?? null
}

beforeAll(async () => {
  await bea.register(EMAIL)
  await bea.confirmEmail({ link: await proofLink() })
  await bea.call('PUT', '/api/onboarding', { step: 'done' })
  browser = await sharedBrowser()
  page = await openAs(browser, bea)
  complaints = watchPage(page)
})

it('tells the biggest loss on the open landing page once a first file is loaded, and nothing before', async () => {
  const connected = page.waitForEvent('websocket')
  await page.goto(`${address}/data-sources`)
  await page.getByRole('heading', { level: 1, name: 'Data sources' }).waitFor()
  await connected
  expect(await region('Briefing').count()).toBe(0)
  await loadTable(bea, 'Orders', LINES)
  const first = region('Briefing').getByRole('listitem').first()
  await first.filter({ hasText: /Profit for East turned to a loss/ }).waitFor({ timeout: 60_000 })
  await region('Briefing').getByText('Data to 28 Dec 2022').waitFor()
  await look('landing-briefing')
})

it('leads to the whole briefing, where one is put off and one is read', async () => {
  await region('Briefing').getByRole('link', { name: 'See all' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Pilot' }).waitFor()
  const stories = page.getByRole('list', { name: 'Findings' }).getByRole('listitem')
  await stories
    .first()
    .filter({ hasText: /East turned to a loss/ })
    .waitFor()
  await look('pilot')
  await stories.nth(1).getByRole('button', { name: 'Snooze' }).press('Enter')
  await page.getByRole('menuitem', { name: '1 week' }).press('Enter')
  await page.getByText('Snoozed 1', { exact: true }).waitFor()
  await stories.first().getByRole('button', { name: 'Mark as read' }).press('Enter')
  await page.getByText('Read 1', { exact: true }).waitFor()
  await page.getByText('Snoozed 1', { exact: true }).click()
  await stories.getByText(/Snoozed until/).waitFor()
  await button('End snooze').press('Enter')
  await page.getByText('Snoozed 0', { exact: true }).waitFor()
  await page.getByText('Read 1', { exact: true }).click()
  await button('Mark as unread').press('Enter')
  await page.getByText('Read 0', { exact: true }).waitFor()
})

it('lets a person take part in early access, say what they think, and leave', async () => {
  const feature = page
    .getByRole('list', { name: 'Features in early access' })
    .getByRole('listitem')
    .filter({ hasText: 'Voice input' })
  await feature.getByRole('button', { name: 'Turn on for me' }).press('Enter')
  await feature.getByRole('button', { name: 'Give feedback' }).press('Enter')
  await feature.getByRole('radio', { name: '4' }).check()
  await look('pilot-feedback')
  await feature.getByRole('button', { name: 'Send feedback' }).press('Enter')
  await feature.getByRole('button', { name: 'Change feedback (4 of 5)' }).waitFor()
  await feature.getByRole('button', { name: 'Turn off for me' }).press('Enter')
  await feature.getByRole('button', { name: 'Turn on for me' }).waitFor()
})

// The round that sends mails comes each minute.
itLong('sends the same by mail, led by the figure', async () => {
  await bea.call('PUT', '/api/digest', { cadence: 'daily' })
  await writeRows("UPDATE digests SET last_period = '2026-01-01', due_at = 0")
  await expect
    .poll(subjects, { timeout: 100_000, interval: 2_000 })
    .toContainEqual(expect.stringMatching(/: Profit for East turned to a loss: −?-?\S+/))
})

it('has no accessibility offence and no complaint of the browser on the way', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
