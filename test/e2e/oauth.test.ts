import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { itLong } from '../long.ts'
import { checkAppearance, sharedBrowser, openPage, watchPage } from './browser.ts'
import { Person } from '../http/person.ts'

let browser: Browser
/** What each browser complained about, filled while it runs. */
const complaints: string[][] = []
const offences: string[] = []
const address = inject('address')

beforeAll(async () => {
  browser = await sharedBrowser()
})

/** Somebody else's browser, without any cookie. */
async function newcomer(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await openPage(context)
  complaints.push(watchPage(page))
  return page
}

async function choose(page: Page, provider: 'Google' | 'Microsoft', persona: RegExp): Promise<void> {
  await page.getByRole('button', { name: `Continue with ${provider}` }).click()
  await page.getByRole('heading', { name: `Sign in with ${provider} (stand-in)` }).waitFor()
  await page.getByRole('button', { name: persona }).click()
}
const userOf = async (page: Page): Promise<{ id: string; email: string | null }> => {
  const answer = await page.request.get(`${address}/api/session`)
  return (await answer.json()).user
}

it('signs in with Google by the keyboard alone, makes the first steps, and is the same person the next time', async () => {
  const page = await newcomer()
  await page.goto(`${address}/insights`)
  await page.getByRole('button', { name: 'Continue with Google' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /stand-in/ }).waitFor()
  await page.getByRole('button', { name: /Anna Lind/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/onboarding/workspace**')
  await page.getByLabel('Company or workspace name').fill('Lind AB')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.waitForURL('**/onboarding/profile**')
  expect((await userOf(page)).email).toBe('anna.lind@example.com')
  const again = await newcomer()
  await again.goto(`${address}/login`)
  await choose(again, 'Google', /Anna Lind/)
  await again.waitForURL(/\/onboarding\/(profile|source)/)
  expect((await userOf(again)).id).toBe((await userOf(page)).id)
})

itLong(
  'signs in with Microsoft, and makes two accounts of two tenants with one unproven address (AUTH-10)',
  async () => {
    const people = []
    for (const persona of [/Lo Ek at Alfa/, /Lo Ek at Beta/, /Mia Dahl/]) {
      const page = await newcomer()
      await page.goto(`${address}/register`)
      await choose(page, 'Microsoft', persona)
      await page.waitForURL('**/onboarding/workspace**')
      people.push(await userOf(page))
    }
    expect(people.map(({ email }) => email)).toEqual([null, null, 'mia@gamma.example'])
    expect(new Set(people.map(({ id }) => id)).size).toBe(3)
  },
)

itLong('lets nobody in to an account by its address, and says how to connect the provider (AUTH-8)', async () => {
  await new Person(address).register('erik.holm@example.com')
  const page = await newcomer()
  await page.goto(`${address}/login?return=%2Finsights`)
  await choose(page, 'Google', /Erik Holm/)
  await page.getByText('then connect Google under Sign-in and security').waitFor()
  offences.push(...(await checkAppearance(page, 'login-account-exists')))
  expect(await userOf(page)).toBeNull()
  await page.waitForURL(`${address}/login?return=%2Finsights`)
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('This email already has an account').count()).toBe(0)
})

itLong('says that the sign-in was cancelled, and lets the person try again', async () => {
  const page = await newcomer()
  await page.goto(`${address}/login`)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Couldn’t sign in with Google.').waitFor()
  await choose(page, 'Google', /Ulla Berg/)
  await page.waitForURL('**/onboarding/workspace**')
})

it('leaves neither accessibility offences nor complaints of the browser behind', () => {
  expect(offences).toEqual([])
  expect(complaints.flat()).toEqual([])
})
