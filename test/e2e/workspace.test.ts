import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { PASSWORD, Person } from '../http/person.ts'
import { itLong, LONG } from '../long.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const EMAIL = 'wilma.workspace@example.com'
const SETTINGS = '/settings/workspace'
/** One violet pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let browser: Browser
let page: Page
let complaints: string[]
const offences: string[] = []
const address = inject('address')
const wilma = new Person(address)

beforeAll(async () => {
  await wilma.register(EMAIL)
  await wilma.call('PUT', '/api/onboarding', { step: 'done' })
  browser = await sharedBrowser()
  page = await openAs(browser, wilma)
  complaints = watchPage(page)
})

/** Screenshots and axe in every look, and no page wider than a small window. */
async function look(name: string): Promise<void> {
  offences.push(...(await checkAppearance(page, name)))
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const domains = () => page.getByLabel('Allowed email domains').first()

/** Deletes the open workspace by its name, with the keyboard. */
async function deleteWorkspace(name: string): Promise<void> {
  await page.goto(`${address}${SETTINGS}${new URL(page.url()).search}`)
  await button('Delete workspace').press('Enter')
  const confirm = page.getByRole('dialog')
  const typed = confirm.getByLabel(/to confirm/)
  await confirm.getByLabel('Your password').fill(PASSWORD)
  await typed.fill('another name')
  expect(await confirm.getByRole('button', { name: 'Delete workspace' }).isDisabled()).toBe(true)
  await typed.fill(name)
  await look('workspace-delete')
  await typed.press('Enter')
  await page.getByText(`${name} deleted`).waitFor()
}

it('leads to its pages by one navigation', async () => {
  await page.goto(`${address}${SETTINGS}`)
  await heading('Workspace').waitFor()
  const links = page.getByRole('list', { name: 'Workspace settings' }).getByRole('link')
  expect(await links.allTextContents()).toEqual(expect.arrayContaining(['Workspace', 'Members', 'Recently deleted']))
  expect(await page.locator('nav[aria-label="Settings"] [aria-current="page"]').textContent()).toBe('Workspace')
})

it('keeps a logo, which stands in the switcher from then on', async () => {
  await page.getByLabel('Logo file').setInputFiles({ name: 'mark.txt', mimeType: 'text/plain', buffer: PIXEL })
  await page.getByText('mark.txt isn’t a PNG, JPEG or WebP image.').waitFor()
  await page.getByLabel('Logo file').setInputFiles({ name: 'mark.png', mimeType: 'image/png', buffer: PIXEL })
  await page.locator('header img[src^="/files/pictures/"]').waitFor()
  await button('Remove logo').waitFor()
})

it('says whose addresses may be invited, and warns when the own one is not among them', async () => {
  await domains().fill('no-domain')
  await domains().press('Enter')
  await page.getByText(/isn’t a domain/).waitFor()
  await domains().fill('Nordtra.se')
  await domains().press('Enter')
  await page.getByText('Your own domain, example.com, isn’t listed').waitFor()
  await look('workspace-settings')
  await button('Save workspace').press('Enter')
  await page.getByText('Workspace saved').waitFor()
  await page.reload()
  await page.getByText('nordtra.se', { exact: true }).waitFor()
})

itLong('hands out everything as an archive', async () => {
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export workspace' }).click()
  const download = await coming
  expect(download.suggestedFilename()).toMatch(/\.zip$/)
  const bytes = readFileSync(await download.path())
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  for (const name of ['README.txt', 'workspace.json', 'insights.json']) expect(bytes.includes(name)).toBe(true)
})

it('brings a deleted thing back from one place', async () => {
  await page.goto(`${address}${SETTINGS}/deleted`)
  await page.getByRole('heading', { name: 'No deleted items' }).waitFor()
  if (LONG) await look('deleted-empty')
  const group = await wilma.call<{ id: string }>('POST', '/api/groups', { name: 'Sawmill' })
  await wilma.call('DELETE', `/api/groups/${group.id}?version=1`)
  await page.reload()
  await page.getByText(/Can be restored until .*30 days left/).waitFor()
  await look('deleted')
  await wilma.call('POST', '/api/groups', { name: 'Sawmill' })
  await button('Restore Sawmill').press('Enter')
  await page.getByText(/Another user group is named “Sawmill”/).waitFor()
  if (LONG) await look('deleted-name-taken')
})

it('deletes the only workspace, and brings it back where one is made', async () => {
  const { workspaces } = await wilma.call<{ workspaces: { name: string }[] }>('GET', '/api/session')
  const name = workspaces[0]?.name ?? ''
  await deleteWorkspace(name)
  await page.getByText('Restore a deleted workspace').waitFor()
  await look('workspace-none-left')
  await button(`Restore ${name}`).press('Enter')
  await page.getByText(`${name} restored`).waitFor()
  await page.waitForURL(/data-sources/)
  await page.goto(`${address}${SETTINGS}`)
  await page.getByText('nordtra.se', { exact: true }).waitFor()
})

itLong('leaves the person in another workspace, and brings the deleted one back by the switcher', async () => {
  await button(/Switch workspace/).click()
  await page.getByRole('menuitem', { name: 'Create workspace' }).click()
  // The page before it has a field of this name too, and stays until the next one is there.
  await heading('Name your workspace').waitFor()
  await page.getByLabel('Company or workspace name').fill('Second company')
  await button('Create workspace').click()
  // A further workspace begins with its plan.
  await page.waitForURL(/settings\/workspace\/subscription\?w=/)
  await button(/Second company.*Switch workspace/).waitFor()
  await deleteWorkspace('Second company')
  await page.waitForURL(/data-sources/)
  await button(/Switch workspace/).click()
  await page.getByRole('menuitem', { name: 'Deleted workspaces' }).click()
  await button('Restore Second company').waitFor()
  await look('workspaces-deleted')
  await button('Restore Second company').click()
  await page.getByText('Second company restored').waitFor()
  await button(/Second company.*Switch workspace/).waitFor()
})

it('looked well in every look, and the browser had nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
