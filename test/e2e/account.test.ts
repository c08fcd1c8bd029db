import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startMailbox, type Mailbox } from '../http/mailbox.ts'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory, type RunningServer } from '../http/server.ts'
import { itLong, LONG } from '../long.ts'
import { checkAppearance, closeWindows, sharedBrowser, openPage, watchPage } from './browser.ts'

const EMAIL = 'anna.account@example.com'
const NEW_EMAIL = 'anna.moved@example.com'
const NEW_PASSWORD = 'en helt annan mening'
/** In the short run nobody moves. */
const LAST_EMAIL = LONG ? NEW_EMAIL : EMAIL
const LAST_PASSWORD = 'och en tredje mening'

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
let mailbox: Mailbox
let state: { path: string; remove: () => void }
let server: RunningServer
/** Somebody else's way in: the session of before. */
let phone: Person
const offences: string[] = []

beforeAll(async () => {
  mailbox = await startMailbox()
  state = createStateDirectory(inject('unused'))
  server = await startServer(state.path, {
    settings: { ...mailbox.settings, EMAIL_LINK: '1' },
    environment: mailbox.environment,
  })
  phone = new Person(server.address)
  await phone.register(EMAIL)
  await phone.confirmEmail(await mailbox.waitFor(EMAIL, 'Confirm'))
  await phone.call('PUT', '/api/onboarding', { step: 'done' })
  browser = await sharedBrowser()
  context = await browser.newContext({ locale: 'sv-SE', timezoneId: 'Europe/Stockholm', acceptDownloads: true })
  page = await openPage(context)
  complaints = watchPage(page)
})
afterAll(async () => {
  await closeWindows()
  await server.stop()
  state.remove()
  await mailbox.stop()
})

/** Screenshots and axe in every look, and no page wider than a small window. */
async function look(name: string): Promise<void> {
  offences.push(...(await checkAppearance(page, name)))
}
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const open = async (path: string): Promise<void> => void (await page.goto(`${server.address}${path}`))
const linkTo = async (address: string, part: string): Promise<string> => {
  const { link } = await mailbox.waitFor(address, part)
  expect(link).toMatch(/#lnk_[0-9a-z]{20}\.[0-9a-f]{64}$/)
  return link ?? ''
}
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

/** A picture that a browser can draw. */
function png(side: number): Buffer {
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from([20, 130, 150]))])
  const rows = Buffer.concat(Array.from({ length: side }, () => row))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

it('says the same to every address that forgot its password, by keyboard', async () => {
  await open('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).focus()
  await press('Enter')
  await heading('Reset password').waitFor()
  await look('reset-ask')
  const words: string[] = []
  for (const address of ['nobody@example.com', EMAIL]) {
    await page.getByLabel('Email').fill(address)
    await press('Enter')
    const status = page.getByRole('status').filter({ hasText: 'Check your inbox' })
    await status.waitFor()
    words.push(((await status.textContent()) ?? '').replace(address, 'ADDRESS'))
    if (address !== EMAIL) await page.getByRole('button', { name: 'Use another address' }).click()
  }
  await look('reset-sent')
  expect(words[0]).toBe(words[1])
})

it('takes the token out of the address, sets the new password, and ends the session of before', async () => {
  const link = await linkTo(EMAIL, '/reset')
  await page.goto(link)
  await heading('Set a new password').waitFor()
  await page.waitForFunction(() => window.location.hash === '')
  await look('reset-new')
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD)
  await press('Enter')
  await page.waitForURL('**/data-sources**')
  expect((await phone.send('GET', '/api/profile')).status).toBe(401)
  await page.goto(link)
  await page.getByText('Link no longer valid').waitFor()
  if (LONG) await look('reset-dead')
  await page.getByRole('button', { name: 'Request new link' }).click()
  await heading('Reset password').waitFor()
})

it('takes a picture, a name and a way of writing dates', async () => {
  await open('/settings/profile')
  const input = page.getByLabel('Picture file')
  await input.setInputFiles({ name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(3 * 1024 * 1024) })
  await page.getByRole('alert').filter({ hasText: 'huge.png' }).waitFor()
  await input.setInputFiles({ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  await page.getByRole('alert').filter({ hasText: 'drawing.svg' }).waitFor()
  if (LONG) await look('profile-refused')
  await input.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png(900) })
  await page.getByText('Preview', { exact: true }).waitFor()
  if (LONG) await look('profile-preview')
  await page.getByRole('button', { name: 'Save picture' }).click()
  const shown = page.getByRole('button', { name: /account menu/ }).locator('img')
  await shown.waitFor()
  const picture = await page.request.get(`${server.address}${await shown.getAttribute('src')}`)
  expect(picture.headers()['content-type']).toBe('image/webp')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Anna Ny')
  await page.getByRole('combobox', { name: 'Date format' }).click()
  await page.getByRole('option', { name: /American|United States/ }).click()
  await page.getByRole('checkbox', { name: /new device/ }).uncheck()
  await name.focus()
  await press('Enter')
  await page.getByText('Profile saved').waitFor()
  await look('profile')
  await page.reload()
  await page.getByRole('button', { name: 'Anna Ny, account menu' }).waitFor()
  expect(await page.getByRole('checkbox', { name: /new device/ }).isChecked()).toBe(false)
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await shown.waitFor({ state: 'detached' })
})

it('lists where one is signed in, and signs one of them out', async () => {
  const elsewhere = await browser.newContext()
  const other = await openPage(elsewhere)
  await other.goto(`${server.address}/login`)
  await other.getByLabel('Email').fill(EMAIL)
  await other.getByRole('textbox', { name: 'Password' }).fill(NEW_PASSWORD)
  await other.keyboard.press('Enter')
  await other.waitForURL('**/data-sources**')
  await open('/settings/profile/authentication')
  await page.getByText('This device').waitFor()
  await look('authentication')
  await page
    .getByRole('button', { name: /^Sign out \w/ })
    .first()
    .click()
  await page.getByText(/ signed out$/).waitFor()
  await other.goto(`${server.address}/data-sources`)
  await other.waitForURL('**/login**')
  await elsewhere.close()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ])
  expect(readFileSync(await download.path(), 'utf8')).toContain(EMAIL)
})

itLong('changes the address when both sides have confirmed, by keyboard', async () => {
  await page.getByRole('button', { name: 'Change email' }).focus()
  await press('Enter')
  await page.getByLabel('New email').fill(NEW_EMAIL)
  await page.getByRole('textbox', { name: 'Your password' }).fill('not the password')
  await press('Enter')
  await page.getByText('Incorrect password').waitFor()
  await page.getByRole('textbox', { name: 'Your password' }).fill(NEW_PASSWORD)
  await press('Enter')
  await page.getByText('Pending').first().waitFor()
  await look('authentication-pending')
  await page.goto(await linkTo(EMAIL, '/auth/email'))
  await look('email-confirm')
  await page.getByRole('button', { name: 'Confirm change' }).click()
  await page.getByText('One address confirmed').waitFor()
  await look('email-half')
  await page.goto(await linkTo(NEW_EMAIL, '/auth/email'))
  await page.getByRole('button', { name: 'Confirm change' }).click()
  await page.getByText('Email address changed').waitFor()
  await page.getByRole('link', { name: 'Go to settings' }).click()
  await page.getByText(NEW_EMAIL).first().waitFor()
})

it('changes the password, with the one of today as proof, by keyboard', async () => {
  await page.getByRole('textbox', { name: 'Current password' }).fill('not the password')
  await page.getByRole('textbox', { name: 'New password' }).fill(LAST_PASSWORD)
  await press('Enter')
  await page.getByText('Incorrect password').waitFor()
  await page.getByRole('textbox', { name: 'Current password' }).fill(NEW_PASSWORD)
  await press('Enter')
  await page.getByText(/Password changed/).waitFor()
})

it('deletes the account with a typed word and proof, and takes it back by the mail', async () => {
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Test AB').waitFor()
  await look('account-delete')
  await dialog.getByLabel(/to confirm/).fill(LAST_EMAIL)
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(LAST_PASSWORD)
  await press('Enter')
  await heading('Account deleted').waitFor()
  if (LONG) await look('account-deleted')
  await page.goto(await linkTo(LAST_EMAIL, '/auth/undelete'))
  await look('undelete')
  await page.getByRole('button', { name: 'Restore account' }).click()
  await page.getByText('Account restored').waitFor()
})

itLong('signs in by a link, which nothing but the button uses up', async () => {
  await open('/login')
  await look('login-link')
  await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
  await heading('Sign in by email').waitFor()
  await look('link-ask')
  await page.getByLabel('Email').fill(NEW_EMAIL)
  await press('Enter')
  await page.getByText('Check your inbox').waitFor()
  const link = await linkTo(NEW_EMAIL, '/auth/link')
  for (let opened = 0; opened < 2; opened++) await page.goto(link)
  await page.reload()
  await page.goto(link)
  await look('link-enter')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/data-sources**')
})

itLong('leaves nobody before a closed door where links are switched off', async () => {
  // A page that is still open would ask for its socket without a session.
  await page.goto('about:blank')
  await context.clearCookies()
  await page.goto(`${inject('address')}/auth/link`)
  await page.getByText('Not enabled here').waitFor()
  await look('link-off')
  await page.getByRole('link', { name: 'Sign in another way' }).click()
  await heading('Sign in').waitFor()
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
