import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject } from 'vitest'
import { Person } from '../http/person.ts'
import { itLong } from '../long.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'
import { writeRows } from './rows.ts'

const EMAIL = 'grace.groups@example.com'
const MEMBERS = '/settings/workspace/members'

let browser: Browser
let page: Page
let complaints: string[]
const offences: string[] = []
const address = inject('address')

/** Colleagues are written as rows: inviting them is another journey. */
const WORKSPACE = `(SELECT workspace_id FROM members JOIN users ON id = user_id WHERE email = '${EMAIL}')`
const person = (key: string, name: string, proven: boolean): string[] => {
  const id = `usr_0000000000000000gr${key}`
  const email = `${name.split(' ')[0]?.toLowerCase()}@nordtra.se`
  return [
    `INSERT INTO users (id, email, email_proven_at, name, onboarding, terms_accepted_at, created_at)
      VALUES ('${id}', '${email}', ${proven ? 1 : 'NULL'}, '${name}', 'done', 1, 1)`,
    `INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (${WORKSPACE}, '${id}', 'viewer', 1)`,
  ]
}

beforeAll(async () => {
  const grace = new Person(address)
  await grace.register(EMAIL)
  await grace.call('PUT', '/api/onboarding', { step: 'done' })
  await writeRows(
    ...person('a0', 'Bo Ek', true),
    ...person('b0', 'Disa Lund', true),
    ...person('c0', 'Edvin Ström', false),
  )
  browser = await sharedBrowser()
  page = await openAs(browser, grace)
  complaints = watchPage(page)
})

/** Screenshots and axe in every look, and no page wider than a small window. */
async function look(name: string): Promise<void> {
  offences.push(...(await checkAppearance(page, name)))
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const people = () => page.getByRole('list', { name: 'Members of the group' }).getByRole('listitem')

itLong('makes a group with a rule, whose people are there at once', async () => {
  await page.goto(`${address}${MEMBERS}?tab=groups`)
  await page.getByRole('heading', { name: 'No groups yet' }).waitFor()
  await look('groups-empty')
  await button('Create group').click()
  await page.getByLabel('Name').fill('Sawmill')
  await page.getByLabel('Description').fill('Everybody who works with timber.')
  await page.getByRole('radio', { name: 'Green' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('combobox', { name: 'Membership' }).click()
  await page.getByRole('option', { name: /By email domain/ }).click()
  await page.getByLabel('Domain').fill('nordtra')
  await button('Create group').last().click()
  await page.getByText('Enter a domain like company.com.').waitFor()
  await page.getByLabel('Domain').fill('nordtra.se')
  await look('group-new')
  await page.keyboard.press('Enter')
  const line = page.getByRole('list', { name: 'Groups' }).getByRole('listitem')
  await line.getByText('2 people').waitFor()
  await look('groups')
  await line.getByRole('link', { name: 'Sawmill' }).click()
  await people().first().waitFor()
  expect(await people().count()).toBe(2)
  expect(await people().filter({ hasText: 'By rule: @nordtra.se' }).count()).toBe(2)
})

itLong('adds somebody by hand, makes a manager, and takes somebody out', async () => {
  await page.getByRole('combobox', { name: 'Add member' }).fill('Edvin')
  await page.getByRole('option', { name: /Edvin Ström/ }).click()
  await people().filter({ hasText: 'Edvin' }).waitFor()
  await page.getByRole('button', { name: 'Actions for Bo Ek' }).click()
  await page.getByRole('menuitem', { name: 'Make manager' }).click()
  await people().filter({ hasText: 'Bo Ek' }).getByText('Manager', { exact: true }).waitFor()
  await look('group')
  await page.getByRole('button', { name: 'Actions for Edvin Ström' }).click()
  await page.getByRole('menuitem', { name: 'Remove from group' }).click()
  await people().filter({ hasText: 'Edvin' }).waitFor({ state: 'detached' })
  expect(await people().count()).toBe(2)
})

itLong('shows what every line of a list would do, then adds the people', async () => {
  await page.getByRole('link', { name: 'All groups' }).click()
  await button('Import members').click()
  const list = ['Group;Email', 'Harbour;bo@nordtra.se', 'Harbour;disa@nordtra.se', 'sawmill;bo@nordtra.se']
  await page.getByLabel('List').fill([...list, 'Harbour;nobody@nordtra.se', 'Harbour;no address'].join('\n'))
  await look('groups-import')
  await button('Preview import').click()
  await page.getByText('2 members to add, 1 new group, 2 lines skipped').waitFor()
  await look('groups-import-checked')
  await button('Add 2 people').click()
  await page.getByRole('link', { name: 'Harbour' }).waitFor()
})

itLong('deletes a group that an invitation names only after asking what takes its place', async () => {
  await writeRows(`INSERT INTO invites (id, workspace_id, email, role, group_ids, invited_by, created_at, sent_at, expires_at)
    SELECT 'inv_0000000000000000gra0', workspace_id, 'ny@nordtra.se', 'viewer', json_array(id), 'usr_0000000000000000gra0', 1, 1, 2
    FROM user_groups WHERE name = 'Harbour' AND workspace_id = ${WORKSPACE}`)
  await page.getByRole('link', { name: 'Harbour' }).click()
  await page.getByText('ny@nordtra.se').waitFor()
  await button('Delete group').click()
  await button('Delete group').last().click()
  await page.getByRole('alert').filter({ hasText: 'ny@nordtra.se' }).waitFor()
  await look('group-delete')
  await page.getByRole('combobox', { name: 'Replace with' }).click()
  await page.getByRole('option', { name: 'Sawmill' }).click()
  await button('Delete group').last().click()
  await page.getByRole('link', { name: 'Harbour' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Sawmill' }).click()
  await page.getByText('ny@nordtra.se').waitFor()
})

itLong('finds all of it in the audit log, in words, and takes it along', async () => {
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Anna Test deleted user group' }).waitFor()
  await look('audit')
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'User groups' }).click()
  await page.waitForURL(/action=group\./)
  await page.getByText('created the workspace').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /Details: Anna Test deleted user group/ }).press('Enter')
  await button('Copy hash before').waitFor()
  await look('audit-details')
  const download = page.waitForEvent('download')
  await button('Export CSV').click()
  const file = readFileSync(await (await download).path(), 'utf8')
  expect(file).toMatch(/deleted user group “[^”]+”,group\.delete,group,grp_/)
  expect(file).not.toContain('workspace.create')
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByRole('heading', { name: 'No activity matches' }).waitFor()
  await look('audit-nothing')
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
  await page.getByRole('listitem').filter({ hasText: 'exported the audit log' }).waitFor()
})

itLong('shows below the plan what groups do, and those that are in force, without a way to change them', async () => {
  await writeRows(`UPDATE subscriptions SET state = 'active', plan_id = 'personal', trial_ends_at = NULL
    WHERE workspace_id = ${WORKSPACE}`)
  await page.goto(`${address}${MEMBERS}?tab=groups`)
  await page.getByText('User groups aren’t in your plan').waitFor()
  await look('groups-locked')
  await page.getByRole('link', { name: 'Sawmill' }).click()
  await people().first().waitFor()
  expect(await button('Edit group').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
})

itLong('had nothing that axe or the browser found wrong', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
