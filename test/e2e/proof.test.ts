import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { itLong } from '../long.ts'
import { checkAppearance, closeWindows, openAs, sharedBrowser, openPage } from './browser.ts'
import { startMailbox, type Mailbox } from '../http/mailbox.ts'
import { PASSWORD, Person } from '../http/person.ts'
import { createStateDirectory, startServer, type RunningServer, type StateDirectory } from '../http/server.ts'

const SQUATTED = 'victim@example.com'
let mailbox: Mailbox
let state: StateDirectory
let server: RunningServer
let browser: Browser

beforeAll(async () => {
  mailbox = await startMailbox()
  state = createStateDirectory(inject('unused'))
  server = await startServer(state.path, { settings: mailbox.settings, environment: mailbox.environment })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await closeWindows()
  await server.stop()
  state.remove()
  await mailbox.stop()
})

const registered = async (email: string): Promise<Person> => {
  const person = new Person(server.address)
  await person.register(email)
  await person.call('PUT', '/api/onboarding', { step: 'done' })
  return person
}
const visit = async (link: string | null): Promise<Page> => {
  const page = await openPage(await browser.newContext({ locale: 'sv-SE' }))
  await page.goto(link ?? '')
  return page
}

itLong('asks for the proof above every screen, takes it by a button, and lets people be invited then', async () => {
  const email = 'pia@example.com'
  const pia = await registered(email)
  const page = await openAs(browser, pia)
  await page.goto(`${server.address}/settings/workspace/members/invite`)
  await page.getByText('Confirm your email first').waitFor()
  expect(await checkAppearance(page, 'email-unproven')).toEqual([])
  const { link } = await mailbox.waitFor(email, 'Confirm')
  const stranger = await visit(link)
  await stranger.getByText('Sign in to confirm').waitFor()
  expect(await checkAppearance(stranger, 'email-proof-visitor')).toEqual([])
  await page.goto(link ?? '')
  expect(await checkAppearance(page, 'email-proof')).toEqual([])
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  await page.getByText('Email address confirmed').waitFor()
  await page.goto(`${server.address}/settings/workspace/members/invite`)
  await page.getByLabel('Email addresses').fill('reader@example.com')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByRole('heading', { name: '1 person invited' }).waitFor()
  expect(await page.getByText('Confirm your email').count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Email not confirmed' }).count()).toBe(0)
})

itLong('lets the reader of an invitation report its sender', async () => {
  const { text } = await mailbox.waitFor('reader@example.com', 'invit')
  const page = await visit(/https?:\S+\/invitation\/report#\S+/.exec(text)?.[0] ?? null)
  await page.getByRole('button', { name: 'Report invitation' }).waitFor()
  expect(await checkAppearance(page, 'invitation-report')).toEqual([])
  await page.getByRole('button', { name: 'Report invitation' }).click()
  await page.getByText('Invitation reported').waitFor()
})

itLong('shows the owner of an address what somebody else made with it, and removes what is not theirs', async () => {
  const squatter = await registered(SQUATTED)
  await mailbox.waitFor(SQUATTED, 'Confirm')
  await squatter.call('POST', '/api/account/reset', { email: SQUATTED })
  const { link } = await mailbox.waitFor(SQUATTED, 'new password')
  const page = await visit(link)
  await page.getByRole('textbox', { name: 'New password' }).fill(`${PASSWORD} of mine`)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL('**/auth/earlier-use')
  await page.getByRole('checkbox', { name: 'Keep Test AB' }).waitFor()
  expect(await checkAppearance(page, 'earlier-use')).toEqual([])
  expect((await squatter.send('GET', '/api/account/sessions')).status).toBe(401)
  await page.getByLabel('Your password').fill(`${PASSWORD} of mine`)
  await page.getByRole('button', { name: 'Remove everything' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove everything' }).click()
  await page.waitForURL('**/no-workspace**')
})
