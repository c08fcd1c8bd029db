import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startMailbox, type Mailbox } from '../http/mailbox.ts'
import { PASSWORD, Person, ApiError } from '../http/person.ts'
import { startServer, createStateDirectory, type RunningServer } from '../http/server.ts'
import { itLong } from '../long.ts'
import { checkAppearance, closeWindows, openAs, sharedBrowser, openPage, watchPage } from './browser.ts'

const OWNER = 'anna.owner@example.com'
const CIA = 'cia.dahl@example.com'
const NAME = 'Cia Dahl'

let browser: Browser
let mailbox: Mailbox
let state: { path: string; remove: () => void }
let server: RunningServer
let owner: Person
/** The owner's window. */
let page: Page
/** The newcomer's, in a browser of their own. */
let theirs: Page
const complaints: string[][] = []
const offences: string[] = []

const LOCALE = { locale: 'sv-SE', timezoneId: 'Europe/Stockholm' }
/** A window of somebody who is signed in already, or of nobody. */
async function newWindow(person?: Person): Promise<Page> {
  const opened = person ? await openAs(browser, person) : await openPage(await browser.newContext(LOCALE))
  complaints.push(watchPage(opened))
  return opened
}

/** Screenshots and axe in every look, and no page wider than a small window. */
async function look(shown: Page, name: string): Promise<void> {
  offences.push(...(await checkAppearance(shown, name)))
}
const open = async (shown: Page, path: string): Promise<void> => void (await shown.goto(`${server.address}${path}`))
const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
const choose = async (name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/** Moves on by Tab until something of this name has the focus. */
async function tabTo(name: string): Promise<void> {
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab')
    const words = await page.evaluate(() => {
      const at = document.activeElement
      return at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement
        ? (at.labels?.[0]?.textContent ?? '')
        : (at?.textContent ?? '')
    })
    if (words.startsWith(name)) return
  }
  throw new Error(`no way to “${name}” by keyboard`)
}

beforeAll(async () => {
  mailbox = await startMailbox()
  state = createStateDirectory(inject('unused'))
  server = await startServer(state.path, { settings: mailbox.settings, environment: mailbox.environment })
  owner = new Person(server.address)
  await owner.register(OWNER)
  await owner.confirmEmail(await mailbox.waitFor(OWNER, 'Confirm'))
  await owner.call('PUT', '/api/onboarding', { step: 'done' })
  browser = await sharedBrowser()
  page = await newWindow(owner)
  theirs = await newWindow()
  await open(page, '/settings/workspace/members')
  await page.getByText('Just you so far').waitFor()
})
afterAll(async () => {
  await closeWindows()
  await server.stop()
  state.remove()
  await mailbox.stop()
})

it('invites by keyboard alone, and says of each address what became of it', async () => {
  await look(page, 'members-alone')
  await page.getByRole('link', { name: 'Invite people' }).first().focus()
  await page.keyboard.press('Enter')
  // A new page takes the focus once, a moment after it stands.
  await page.locator('main:focus').waitFor()
  await tabTo('Email addresses')
  await page.keyboard.type(`${NAME} <${CIA}>, ${OWNER}; nonsense`)
  await page.getByText('2 addresses. Invalid: nonsense.').waitFor()
  await page.getByText(/^Uses 2 of \d+ free seats$/).waitFor()
  await look(page, 'invite')
  await page.getByLabel('Email addresses').focus()
  await tabTo('Viewer')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('radio', { name: /^Analyst/, checked: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('radio', { name: /^Viewer/, checked: true }).waitFor()
  await tabTo('Send 2 invitations')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '1 person invited, 1 address to check' }).waitFor()
  await page.getByText('Already a member').waitFor()
  expect(await page.getByLabel('Email addresses').inputValue()).toBe('nonsense')
  await look(page, 'invite-sent')
  await page.getByRole('link', { name: 'View invitations' }).click()
  await rowOf(CIA).getByText('Pending', { exact: true }).waitFor()
  await look(page, 'invitations')
})

it('leads the mail’s link through registration into the workspace, in the role it names', async () => {
  const { link, to } = await mailbox.waitFor(CIA, 'invit')
  expect(to).toEqual([CIA])
  expect(link).toMatch(/\/invitation#inv_[0-9a-z]{20}\.[0-9a-f]{64}$/)
  await theirs.goto(link ?? '')
  await theirs.getByRole('heading', { name: 'Join Test AB' }).waitFor()
  await theirs.waitForFunction(() => window.location.hash === '')
  await look(theirs, 'invitation-visitor')
  await theirs.getByRole('link', { name: 'Create account' }).click()
  await theirs.getByLabel('Name').fill(NAME)
  expect(await theirs.getByLabel('Work email').inputValue()).toBe(CIA)
  await theirs.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await theirs.getByRole('checkbox').check()
  await theirs.getByRole('button', { name: 'Create account' }).click()
  await theirs.waitForURL('**/invitation')
  await theirs.getByRole('button', { name: 'Join Test AB' }).waitFor()
  await look(theirs, 'invitation-ready')
  await theirs.getByRole('button', { name: 'Join Test AB' }).click()
  await theirs.waitForURL('**/insights**')
  await open(theirs, '/data-sources')
  await theirs.getByText('No data yet').waitFor()
  expect(await theirs.getByRole('link', { name: 'Connect source' }).count()).toBe(0)
  await open(theirs, '/settings/workspace/members')
  await theirs.getByRole('list', { name: 'Members' }).waitFor()
  await look(theirs, 'members-viewer')
})

itLong('tells somebody who is signed in with another address, and a member, what the link is to them', async () => {
  await open(page, '/settings/workspace/members/invite')
  await page.getByLabel('Email addresses').fill('dan@example.com')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByRole('heading', { name: '1 person invited' }).waitFor()
  const { link } = await mailbox.waitFor('dan@example.com', 'invit')
  const stranger = new Person(server.address)
  await stranger.register('stranger@example.com')
  await stranger.call('PUT', '/api/onboarding', { step: 'done' })
  const other = await newWindow(stranger)
  await other.goto(link ?? '')
  await other.getByText('stranger@example.com').waitFor()
  await look(other, 'invitation-other-account')
  await other.getByRole('button', { name: 'Sign out and continue as dan@example.com' }).click()
  await other.waitForURL('**/login**')
  expect(await other.getByLabel('Email').inputValue()).toBe('dan@example.com')
  await other.context().close()
  await theirs.goto(link ?? '')
  await theirs.getByRole('button', { name: 'Open Test AB' }).waitFor()
  await look(theirs, 'invitation-member')
})

itLong('revokes an invitation, whose link is dead at once', async () => {
  await open(page, '/settings/workspace/members?tab=invitations')
  await page.getByRole('button', { name: 'Resend dan@example.com' }).click()
  const { link } = await mailbox.waitFor('dan@example.com', 'invit')
  await page.getByRole('button', { name: 'Revoke dan@example.com' }).click()
  await page.getByRole('button', { name: 'Revoke invitation' }).click()
  await rowOf('dan@example.com').getByText('Revoked').waitFor()
  const other = await newWindow()
  await other.goto(link ?? '')
  await other.getByText('Invitation no longer valid').waitFor()
  await look(other, 'invitation-dead')
  await other.context().close()
})

itLong('offers ownership with proof, and takes it back', async () => {
  await open(page, '/settings/workspace/members')
  await rowOf(NAME).waitFor()
  await look(page, 'members')
  const dialog = await choose(NAME, 'Transfer ownership')
  await dialog.getByLabel('Your password').fill('not this one')
  await page.keyboard.press('Enter')
  await dialog.getByText('Incorrect password').waitFor()
  await look(page, 'ownership-offer')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const withdraw = page.getByRole('button', { name: 'Withdraw offer' })
  await page
    .getByRole('alert')
    .filter({ hasText: `Ownership offered to ${NAME}` })
    .filter({ has: withdraw })
    .waitFor()
  await open(theirs, '/settings/workspace/members')
  await theirs.getByRole('button', { name: 'Accept ownership' }).waitFor()
  await look(theirs, 'ownership-mine')
  await withdraw.click()
  await withdraw.waitFor({ state: 'detached' })
})

it('changes a role and asks who takes over, removes, and refuses the next request', async () => {
  const cia = new Person(server.address)
  await cia.signIn(CIA)
  await open(page, '/settings/workspace/members')
  let dialog = await choose(NAME, 'Change role')
  await dialog.getByRole('radio', { name: /^Analyst/ }).check()
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await rowOf(NAME).getByRole('cell', { name: 'Analyst' }).waitFor()
  const uploadId = await cia.upload('orders.csv', new Blob(['no;amount\n1;10\n2;20\n']))
  const { settings, columns } = await cia.inspect(uploadId)
  const source = await cia.createSource({ name: 'Orders', tables: [{ name: 'Orders', uploadId, settings, columns }] })
  dialog = await choose(NAME, 'Change role')
  await look(page, 'member-role')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  dialog = await choose(NAME, 'Remove from workspace')
  await dialog.getByRole('combobox', { name: 'Transfer 1 data source to' }).waitFor()
  await look(page, 'member-remove')
  await dialog.getByRole('button', { name: 'Remove member', exact: true }).click()
  await rowOf(NAME).waitFor({ state: 'detached' })
  const refused = await cia.call('GET', '/api/members').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ status: 404 })
  const { ownerId } = await owner.call<{ ownerId: string }>('GET', `/api/data-sources/${source.id}`)
  expect(ownerId).not.toBe(source.ownerId)
  await open(theirs, '/settings/workspace/members')
  await theirs.waitForURL('**/no-workspace**')
  await theirs.getByText('You were removed from Test AB').waitFor()
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints.flat()).toEqual([])
})
