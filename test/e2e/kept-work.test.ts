import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { Insight } from '../../src/shared/insights.ts'
import type { Metric } from '../../src/shared/metrics.ts'
import type { Note } from '../../src/shared/notes.ts'
import { PASSWORD, Person } from '../http/person.ts'
import { loadTable } from '../http/tables.ts'
import { casesOf, itLong } from '../long.ts'
import { confirmByMail } from './dev-mail.ts'
import { openAs, sharedBrowser, openPage, putOnLine, watchPage } from './browser.ts'

const EMAIL = 'kajsa.kept@example.com'
const ROWS = [
  'ordernr;datum;belopp',
  ...Array.from(
    { length: 48 },
    (_, at) => `${7000 + at};2024-${String(1 + (at % 12)).padStart(2, '0')}-10;${100 + at}`,
  ),
]
const WAIT = { timeout: 60_000 }
const address = inject('address')
const kajsa = new Person(address)

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]

beforeAll(async () => {
  await kajsa.register(EMAIL)
  await confirmByMail(kajsa, EMAIL)
  await kajsa.call('PUT', '/api/onboarding', { step: 'done' })
  await loadTable(kajsa, 'Order', ROWS)
  browser = await sharedBrowser()
  page = await openAs(browser, kajsa)
  context = page.context()
  complaints = watchPage(page)
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const nameField = (of = page) => of.getByRole('textbox', { name: 'Name', exact: true })
const restored = (of = page) => of.getByText(/^Unsaved changes from /)
const metrics = async () => (await kajsa.call<{ items: Metric[] }>('GET', '/api/metrics')).items
const insights = async () => (await kajsa.call<{ items: Insight[] }>('GET', '/api/insights')).items
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Waits until the builder shows a name of its own: only then has it begun. */
async function openBuilder(of = page): Promise<void> {
  await of.goto(`${address}/insights/new`)
  await expect.poll(() => nameField(of).inputValue(), WAIT).not.toBe('')
}

it('has a half-made insight after a reload, after leaving the page, and in another tab', async () => {
  await openBuilder()
  await nameField().fill('Half made')
  await page.reload()
  await restored().waitFor()
  expect(await nameField().inputValue()).toBe('Half made')
  await page.getByRole('link', { name: 'Data sources' }).first().click()
  await title('Data sources').waitFor()
  await page.goBack()
  await restored().waitFor()
  const second = await openPage(context)
  await openBuilder(second)
  await restored(second).waitFor()
  expect(await nameField(second).inputValue()).toBe('Half made')
  await second.close()
})

it('saves one insight by a double click, and has nothing left to offer', async () => {
  const before = (await insights()).length
  await button('Save insight').dblclick()
  await title('Half made').waitFor()
  expect(await insights()).toHaveLength(before + 1)
  await openBuilder()
  expect(await restored().count()).toBe(0)
})

itLong('posts one comment by a double click, also one that was left half written', async () => {
  const { id } = (await insights()).find(({ name }) => name === 'Half made') ?? { id: '' }
  const comment = page.getByRole('textbox', { name: /comment/i })
  await page.goto(`${address}/insights/${id}`)
  await button('Add note').click()
  await comment.fill('The fair was in May.')
  await page.goto(`${address}/metrics`)
  await page.goto(`${address}/insights/${id}`)
  await expect.poll(() => comment.inputValue(), WAIT).toBe('The fair was in May.')
  await button('Post comment').dblclick()
  await expect.poll(() => comment.inputValue(), WAIT).toBe('')
  const notes = await kajsa.call<{ items: Note[] }>('GET', `/api/insights/${id}/notes`)
  expect(notes.items.map(({ body }) => body)).toEqual(['The fair was in May.'])
})

it('keeps a metric through a lost connection and an ended session, and saves it once', async () => {
  await page.goto(`${address}/metrics/new`)
  await nameField().fill('Order value')
  await page.getByRole('textbox', { name: 'Formula' }).fill('sum([belopp])')
  await context.setOffline(true)
  await button('Create metric').click()
  await page
    .getByText(/No connection/)
    .first()
    .waitFor()
  expect(await nameField().inputValue()).toBe('Order value')
  await context.setOffline(false)
  const cookies = await context.cookies()
  await context.clearCookies()
  // Online again, the page may have asked by itself already: the press counts under the sign-in sheet too.
  await button('Create metric').dispatchEvent('click')
  await page.getByRole('dialog').waitFor()
  expect(cookies.length).toBeGreaterThan(0)
  await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
  await title('Order value').waitFor()
  expect((await metrics()).map(({ name }) => name)).toEqual(['Order value'])
})

/** A form whose unsaved work is kept: how one comes to it, what is entered, and what saving it makes. */
interface KeptForm {
  what: string
  open: (of: Page) => Promise<void>
  fill: (of: Page) => Promise<void>
  /** What was entered, as the form shows it. */
  entered: (of: Page) => Promise<string>
  /** The button's name where there is one of it. */
  submit: string | ((of: Page) => Locator)
  /** The button that leads from the form to what is saved, and Back from there. */
  review?: string
  /** What is stored of this kind: one more, or one version more, after one save. */
  stored: () => Promise<number>
}
const dialogOf = (of: Page) => of.getByRole('dialog')
const firstInsight = async (): Promise<string> => (await insights())[0]?.id ?? ''
type Listed = { id: string; version: number }
const listed = async (path: string): Promise<Listed[]> => {
  const answer = await kajsa.call<{ items: Listed[] } | Listed[]>('GET', path)
  return Array.isArray(answer) ? answer : answer.items
}

async function openOnInsight(of: Page, press: string | RegExp): Promise<void> {
  await of.goto(`${address}/insights/${await firstInsight()}`)
  await of.getByRole('button', { name: press }).first().click()
  await dialogOf(of).waitFor()
}
const targetCell = (of: Page) =>
  dialogOf(of)
    .getByRole('textbox', { name: /^Total, / })
    .first()
const groupField = (of: Page) => of.getByRole('textbox', { name: 'New group' })

async function openSettings(of: Page, page: 'workspace' | 'profile', label: string): Promise<void> {
  await of.goto(`${address}/settings/${page}`)
  await of.getByLabel(label).waitFor()
}

const KEPT_FORMS: KeptForm[] = [
  {
    what: 'a table of targets',
    open: (of) => openOnInsight(of, /^(Set|Edit) targets$/),
    fill: (of) => targetCell(of).fill('4321'),
    entered: (of) => targetCell(of).inputValue(),
    submit: 'Save targets',
    stored: async () =>
      (await kajsa.call<{ version: number }>('GET', `/api/insights/${await firstInsight()}/targets`)).version,
  },
  {
    what: 'an alert',
    open: (of) => openOnInsight(of, 'Add alert'),
    fill: async (of) => {
      await nameField(of).fill('Low value')
      await dialogOf(of).getByRole('combobox', { name: 'Condition' }).click()
      await of.getByRole('option', { name: 'Below' }).click()
      await dialogOf(of).getByRole('textbox', { name: 'Threshold' }).fill('1000')
    },
    entered: async (of) =>
      `${await nameField(of).inputValue()} ${await dialogOf(of).getByLabel('Threshold').inputValue()}`,
    submit: 'Create alert',
    stored: async () => (await listed('/api/alerts')).length,
  },
  {
    what: 'a calculated column',
    open: async (of) => {
      const [source] = await listed('/api/data-sources')
      await of.goto(`${address}/data-sources/${source?.id}?tab=columns`)
      await of.getByRole('button', { name: 'Add calculated column' }).click()
    },
    fill: async (of) => {
      await nameField(of).fill('Doubled')
      await dialogOf(of).getByRole('textbox', { name: 'Formula' }).fill('[belopp] * 2')
    },
    entered: async (of) =>
      `${await nameField(of).inputValue()} ${await dialogOf(of).getByRole('textbox', { name: 'Formula' }).inputValue()}`,
    submit: 'Add column',
    stored: async () => {
      const { items } = await kajsa.call<{ items: { datasets: { columns: unknown[] }[] }[] }>(
        'GET',
        '/api/data-sources',
      )
      return items[0]?.datasets[0]?.columns.length ?? 0
    },
  },
  {
    what: 'a grouping',
    open: async (of) => {
      const [grouping] = await listed('/api/groupings')
      await of.goto(`${address}/data-grouping/${grouping?.id}`)
      await groupField(of).waitFor()
    },
    fill: async (of) => {
      await groupField(of).fill('Large')
      await of.getByRole('button', { name: 'Add group', exact: true }).click()
    },
    entered: async (of) => ((await of.getByRole('button', { name: 'Edit Large' }).count()) === 1 ? 'Large' : ''),
    submit: 'Save grouping',
    stored: async () => (await listed('/api/groupings'))[0]?.version ?? 0,
  },
  {
    what: 'a forecast',
    open: async (of) => {
      await of.goto(`${address}/forecasts/new?insight=${await firstInsight()}&measure=0`)
      await expect.poll(() => nameField(of).inputValue(), WAIT).not.toBe('')
    },
    fill: (of) => nameField(of).fill('Next year'),
    entered: (of) => nameField(of).inputValue(),
    submit: 'Create forecast',
    stored: async () => (await listed('/api/forecasts')).length,
  },
  {
    what: 'a metric',
    open: async (of) => {
      await of.goto(`${address}/metrics/new`)
      await nameField(of).waitFor()
    },
    fill: async (of) => {
      await nameField(of).fill('Number of orders')
      await of.getByRole('textbox', { name: 'Formula' }).fill('count([ordernr])')
    },
    entered: (of) => nameField(of).inputValue(),
    submit: 'Create metric',
    stored: async () => (await metrics()).length,
  },
  {
    what: 'the settings of the workspace',
    open: (of) => openSettings(of, 'workspace', 'Company or workspace name'),
    fill: (of) => of.getByLabel('Company or workspace name').fill('Kept work AB'),
    entered: (of) => of.getByLabel('Company or workspace name').inputValue(),
    submit: 'Save workspace',
    stored: async () => (await kajsa.call<{ version: number }>('GET', '/api/workspace')).version,
  },
  {
    what: 'a profile',
    open: (of) => openSettings(of, 'profile', 'Job title'),
    fill: (of) => of.getByLabel('Job title').fill('Controller'),
    entered: (of) => of.getByLabel('Job title').inputValue(),
    submit: 'Save profile',
    stored: async () => ((await kajsa.call<{ job: string }>('GET', '/api/profile')).job === 'Controller' ? 1 : 0),
  },
]

/** Forms of settings and of the drawers beside a page. */
const FURTHER_FORMS: KeptForm[] = [
  {
    what: 'a word of the glossary',
    open: async (of) => {
      await of.goto(`${address}/insight-bot`)
      await of.getByRole('button', { name: 'Glossary', exact: true }).click()
      await of.getByRole('button', { name: 'Add term' }).click()
      await termField(of, 'Means').waitFor()
    },
    fill: async (of) => {
      await termField(of, 'Term').fill('Top line')
      await termField(of, 'Means').fill('sum([belopp])')
    },
    entered: async (of) => `${await termField(of, 'Term').inputValue()} ${await termField(of, 'Means').inputValue()}`,
    submit: (of) => of.getByRole('dialog', { name: 'Add term' }).getByRole('button', { name: 'Add term' }),
    stored: async () => (await listed('/api/bot/glossary')).length,
  },
  {
    what: 'a group of people',
    open: async (of) => {
      await of.goto(`${address}/settings/workspace/members?tab=groups`)
      await of.getByRole('button', { name: 'Create group' }).first().click()
      await nameField(of).waitFor()
    },
    fill: (of) => nameField(of).fill('Finance'),
    entered: (of) => nameField(of).inputValue(),
    submit: (of) => dialogOf(of).getByRole('button', { name: 'Create group' }),
    stored: async () => (await listed('/api/groups')).length,
  },
  {
    what: 'the billing details',
    open: async (of) => {
      await of.goto(`${address}/settings/workspace/subscription`)
      await of.getByLabel('Purchase order reference').waitFor()
    },
    fill: (of) => of.getByLabel('Purchase order reference').fill('PO 4711'),
    entered: (of) => of.getByLabel('Purchase order reference').inputValue(),
    submit: 'Save details',
    stored: async () =>
      (await kajsa.call<{ details: { poReference: string } }>('GET', '/api/subscription')).details.poReference === ''
        ? 0
        : 1,
  },
  {
    what: 'a report schedule',
    open: async (of) => {
      await of.goto(`${address}/reports/interactive/${await firstReport()}`)
      await of.getByRole('button', { name: /^More actions for/ }).click()
      await of.getByRole('menuitem', { name: 'Schedules' }).click()
      await dialogOf(of).getByRole('button', { name: 'New schedule' }).click()
      await dialogOf(of).getByRole('combobox', { name: 'Frequency' }).waitFor()
    },
    fill: async (of) => {
      await dialogOf(of).getByRole('combobox', { name: 'Frequency' }).click()
      await of.getByRole('option', { name: 'Monthly' }).click()
      await dayField(of).fill('17')
    },
    entered: async (of) => ((await dayField(of).count()) === 1 ? dayField(of).inputValue() : ''),
    submit: 'Create schedule',
    stored: async () => (await listed(`/api/reports/${await firstReport()}/schedules`)).length,
  },
]
/** Data access, invitations and sales: what is entered there goes to others. */
const FORMS_ABOUT_PEOPLE: KeptForm[] = [
  {
    what: 'invitations',
    open: async (of) => {
      await of.goto(`${address}/settings/workspace/members/invite`)
      await of.getByLabel('Email addresses').waitFor()
    },
    fill: (of) => of.getByLabel('Email addresses').fill('bo.invited@example.com'),
    entered: (of) => of.getByLabel('Email addresses').inputValue(),
    submit: 'Send invitation',
    stored: async () => (await listed('/api/invites')).length,
  },
  {
    what: 'a question to sales',
    open: async (of) => {
      await of.goto(`${address}/settings/workspace/subscription?show=plans`)
      await of.getByRole('button', { name: 'Contact us' }).first().click()
      await of.getByLabel('What you need').waitFor()
    },
    fill: (of) => of.getByLabel('What you need').fill('Twelve companies, one report'),
    entered: async (of) =>
      (await of.getByLabel('What you need').count()) === 1 ? of.getByLabel('What you need').inputValue() : '',
    submit: 'Send question',
    stored: async () =>
      (await kajsa.call<{ items: unknown[] }>('GET', '/api/audit?action=subscription.contact')).items.length,
  },
  {
    what: 'an attribute of people',
    open: (of) => openAccess(of, 'attributes', 'Create attribute'),
    fill: (of) => nameField(of).fill('Region'),
    entered: (of) => nameField(of).inputValue(),
    review: 'Review impact',
    submit: 'Save attribute',
    stored: async () => (await policy()).attributes.length,
  },
  {
    what: 'a rule of access',
    open: (of) => openAccess(of, 'rules', 'Create rule'),
    fill: async (of) => {
      await nameField(of).fill('All orders')
      await chooseIn(of, 'Applies to', 'Everyone')
      await chooseIn(of, 'Dataset', 'Order')
    },
    entered: async (of) =>
      `${await nameField(of).inputValue()} ${await dialogOf(of).getByRole('combobox', { name: 'Dataset', exact: true }).inputValue()}`,
    review: 'Review impact',
    submit: 'Save rule',
    stored: async () => (await policy()).rules.length,
  },
]
async function openAccess(of: Page, tab: string, press: string): Promise<void> {
  await of.goto(`${address}/settings/workspace/data-access?tab=${tab}`)
  // A rule that was being written is there again with its page.
  const isOpen = await of.evaluate(() => Object.keys(localStorage).some((key) => key.endsWith(':access-rule:new')))
  if (!isOpen) await of.getByRole('button', { name: press, exact: true }).first().click()
  await nameField(of).waitFor()
}
async function chooseIn(of: Page, name: string, option: string): Promise<void> {
  await dialogOf(of).getByRole('combobox', { name, exact: true }).click()
  await of.getByRole('option', { name: option, exact: true }).click()
}
type Policy = { attributes: unknown[]; rules: unknown[] }
const policy = async (): Promise<Policy> => (await kajsa.call<{ policy: Policy }>('GET', '/api/data-access')).policy

const termField = (of: Page, name: string) => of.getByRole('textbox', { name, exact: true })
const dayField = (of: Page) => dialogOf(of).getByRole('textbox', { name: 'Day of the month' })
const firstReport = async (): Promise<string> => (await listed('/api/reports'))[0]?.id ?? ''

const keptDrafts = (): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('insikt-draft')))

/** The browser says that it is connected again before its calls get through. */
const isConnected = (): Promise<boolean> =>
  page.evaluate(() =>
    fetch('/health').then(
      ({ ok }) => ok,
      () => false,
    ),
  )

/** Signs in again in the sheet that opens over the page. */
async function signInAgain(): Promise<void> {
  const sheet = page.getByRole('dialog').filter({ has: page.getByRole('textbox', { name: 'Password' }) })
  await sheet.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Sign in' }).click()
  await sheet.waitFor({ state: 'detached' })
}

/** The forms of the short run: the others are held by the long one. */
const SHORT_FORMS = casesOf([...KEPT_FORMS, ...FURTHER_FORMS, ...FORMS_ABOUT_PEOPLE], ...KEPT_FORMS.slice(0, 1))

it.each(SHORT_FORMS)('loses nothing of $what, and saves it once', async (form) => {
  const { open, fill, entered, submit, stored, review } = form
  const save = typeof submit === 'string' ? button(submit) : submit(page)
  const dataset = (await kajsa.call<{ items: { datasets: { id: string }[] }[] }>('GET', '/api/data-sources')).items[0]
    ?.datasets[0]?.id
  if ((await listed('/api/groupings')).length === 0)
    await kajsa.call('POST', '/api/groupings', {
      ...{ name: 'Sizes', kind: 'values', target: { kind: 'column', dataset, column: 'c0' } },
    })
  if ((await listed('/api/reports')).length === 0) {
    const { id, version } = await kajsa.call<Listed>('POST', '/api/reports', { kind: 'interactive', name: 'Orders' })
    await kajsa.call('POST', `/api/reports/${id}/publish`, { version })
  }
  const before = await stored()
  const others = await keptDrafts()
  await open(page)
  await fill(page)
  const text = await entered(page)
  expect(text).not.toBe('')
  const shows = (of = page): Promise<void> => expect.poll(() => entered(of), WAIT).toBe(text)
  // A reload, another page and Back, another tab.
  await page.reload()
  await open(page)
  await shows()
  await page.goto(`${address}/metrics`)
  await page.goBack()
  await open(page)
  await shows()
  const second = await openPage(context)
  await open(second)
  await shows(second)
  await second.close()
  // Without a connection nothing is sent, and nothing lost.
  const readyToSave = async (): Promise<void> => {
    if (review !== undefined) await button(review).click()
    await expect.poll(() => save.isEnabled(), WAIT).toBe(true)
  }
  await readyToSave()
  await context.setOffline(true)
  await save.click()
  await page
    .getByText(/No connection/)
    .first()
    .waitFor()
  if (review !== undefined) await button('Back').click()
  expect(await entered(page)).toBe(text)
  await context.setOffline(false)
  await expect.poll(isConnected, WAIT).toBe(true)
  await readyToSave()
  // The session has ended, and the line is slow: a double click waits for the sign-in, and makes one.
  await context.clearCookies()
  const backToFast = await putOnLine(page, 'slow')
  await save.dispatchEvent('click')
  await save.dispatchEvent('click')
  await signInAgain()
  await expect.poll(stored, WAIT).toBe(before + 1)
  await backToFast()
  await expect.poll(keptDrafts, WAIT).toEqual(others)
  await open(page)
  expect(await restored().count()).toBe(0)
  expect(await stored()).toBe(before + 1)
})

it('leaves nothing unsaved on the machine after a sign-out', async () => {
  await openBuilder()
  await nameField().fill('Secret plans')
  await page.reload()
  await restored().waitFor()
  await page
    .getByRole('button', { name: /Account|Kajsa|account/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login/)
  expect(await keptDrafts()).toEqual([])
  expect(complaints).toEqual([])
})
