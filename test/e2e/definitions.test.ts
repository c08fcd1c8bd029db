import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import type { GroupingSummary } from '../../src/shared/groupings/groupings.ts'
import type { Insight } from '../../src/shared/insights.ts'
import type { Metric } from '../../src/shared/metrics.ts'
import type { Dataset } from '../../src/shared/data-sources/data-sources.ts'
import { Person } from '../http/person.ts'
import { loadTable } from '../http/tables.ts'
import { itLong } from '../long.ts'
import { checkAppearance, openAs, sharedBrowser, watchPage } from './browser.ts'

const COUNTRIES = ['Sverige', 'Norge', 'Danmark', 'Finland', 'Tyskland', 'Estland']
const address = inject('address')
const mira = new Person(address)

let browser: Browser
let page: Page
let complaints: string[]
let orders: Dataset
const offences: string[] = []

/** Six orders a month, one from each country, over two years that are over. */
const rows = (): string[] => {
  const year = new Date().getUTCFullYear() - 2
  return [
    'ordernr;datum;land;antal;belopp',
    ...Array.from({ length: 24 * COUNTRIES.length }, (_, at) => {
      const month = Math.floor(at / COUNTRIES.length)
      const day = new Date(Date.UTC(year, month, 10 + (at % COUNTRIES.length))).toISOString().slice(0, 10)
      return `${7000 + at};${day};${COUNTRIES[at % COUNTRIES.length]};${1 + (at % 3)};${100 + (at % 7)},50`
    }),
  ]
}

beforeAll(async () => {
  await mira.register('mira.metrics@example.com')
  await mira.call('PUT', '/api/onboarding', { step: 'done' })
  orders = await loadTable(mira, 'Order', rows())
  browser = await sharedBrowser()
  page = await openAs(browser, mira)
  complaints = watchPage(page)
})

const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const verified = () => page.getByRole('main').getByText('Verified', { exact: true })

it('makes a suggested figure a metric, and says what is wrong with a formula until it is right', async () => {
  await page.goto(`${address}/metrics`)
  await button('Add belopp').press('Enter')
  await page.getByRole('list', { name: 'Metrics' }).getByRole('link', { name: 'belopp', exact: true }).waitFor()
  await look('metrics')
  await page.getByRole('link', { name: 'Create metric' }).press('Enter')
  await title('New metric').waitFor()
  await page.getByRole('textbox', { name: 'Formula' }).fill('sum([belop]) / count(*)')
  await page.getByRole('status', { name: 'Formula errors' }).getByText(/belop/).waitFor()
  await look('metric-mistake')
  await page.getByRole('textbox', { name: 'Formula' }).fill('[belopp] / count(*)')
  await region('Definition')
    .getByText(/^(All time|Total|\d.*|.* – .*): /)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Order value')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await title('Order value').waitFor()
  await region('Used by').getByText('Not used yet').waitFor()
})

itLong(
  'shows what uses a metric before it changes, and is no longer verified once it means something else',
  async () => {
    const { items } = await mira.call<{ items: Metric[] }>('GET', '/api/metrics')
    const id = items.find(({ name }) => name === 'Order value')?.id ?? ''
    const plan = {
      ...{ v: 2, kind: 'aggregate', dataset: orders.id, dimensions: [], filters: [] },
      measures: [{ kind: 'metric', id }],
    }
    await mira.call<Insight>('POST', '/api/insights', {
      ...{ name: 'What is an order worth?', description: '', plan, viz: { chart: 'number' } },
    })
    await page.reload()
    await region('Used by').getByRole('link', { name: 'What is an order worth?' }).waitFor()
    await button('Verify metric').press('Enter')
    await verified().waitFor()
    await page.getByRole('textbox', { name: 'Formula' }).fill('[belopp] / sum([antal])')
    await page.getByText(/removes verification/).waitFor()
    await look('metric')
    await button('Save metric').press('Enter')
    await verified().waitFor({ state: 'detached' })
    await page.goto(`${address}/metrics`)
    await page.getByRole('list', { name: 'Metrics' }).getByRole('link', { name: 'Order value' }).waitFor()
    expect(await verified().count()).toBe(0)
  },
)

const values = () => page.getByRole('list', { name: 'Values', exact: true })
const groups = () => page.getByRole('list', { name: 'Groups', exact: true })

/** Puts chosen values into a group by the keyboard: Space on each, then the name of the group. */
async function moveTo(group: string, members: string[]): Promise<void> {
  for (const member of members) await values().getByRole('checkbox', { name: member }).press('Space')
  const target = page.getByRole('textbox', { name: 'Move to group' })
  await target.fill(group)
  await page.getByRole('option').first().waitFor()
  await target.press('Enter')
  for (const member of members) await values().getByText(member).waitFor({ state: 'detached' })
}

it('puts values into groups by keyboard, and shows what is left and what would change', async () => {
  await page.goto(`${address}/data-grouping`)
  await button('New grouping').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Regions')
  await dialog.getByRole('combobox', { name: 'Column' }).fill('land')
  await page.getByRole('option', { name: 'land' }).click()
  await dialog.getByLabel('Name').press('Enter')
  await title('Regions').waitFor()
  await values()
    .getByRole('checkbox')
    .nth(COUNTRIES.length - 1)
    .waitFor()
  await moveTo('Nordics', ['Sverige', 'Norge', 'Danmark'])
  await groups().getByText('3 values').waitFor()
  expect(await values().getByRole('checkbox').count()).toBe(3)
  await button('Edit Nordics').press('Enter')
  const group = page.getByRole('dialog', { name: 'Nordics' })
  await group.getByRole('button', { name: 'Add rule' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Starts with' }).press('Enter')
  await group.getByRole('textbox', { name: 'Value starts with' }).fill('Fin')
  await group.getByRole('button', { name: 'Done' }).press('Enter')
  await button('Edit Nordics').and(page.locator(':focus')).waitFor()
  await values().getByText('Finland').waitFor({ state: 'detached' })
  await region('Preview')
    .getByRole('row', { name: /^Nordics/ })
    .waitFor()
  await look('grouping')
})

itLong('takes steps back one by one, saves, and reads back the list that it hands out', async () => {
  await button('Undo').press('Enter')
  await values().getByText('Finland').waitFor()
  await button('Undo').press('Enter')
  await groups().getByText('3 values', { exact: true }).waitFor()
  await button('Save grouping').press('Enter')
  await region('Unsaved changes').waitFor({ state: 'detached' })
  await button('Grouping actions').press('Enter')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).press('Enter'),
  ])
  const list = readFileSync(await download.path(), 'utf8')
  for (const member of ['Sverige', 'Norge', 'Danmark']) expect(list).toMatch(new RegExp(`Nordics.*${member}`))
  await button('Grouping actions').press('Enter')
  await page.getByRole('menuitem', { name: 'Import CSV' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Groups and values').fill(`${list.trimEnd()}\nBaltics,Estland`)
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  await dialog.getByText(/1 value added/).waitFor()
  await look('grouping-import')
  await dialog.getByRole('button', { name: 'Import groups' }).press('Enter')
  await groups().getByText('Baltics').waitFor()
  await page.goto(`${address}/data-grouping`)
  await page.getByRole('list', { name: 'Groupings' }).getByText('2 ungrouped').waitFor()
})

itLong('splits an insight by the groups', async () => {
  const all = await mira.call<GroupingSummary[]>('GET', '/api/groupings')
  const groupingId = all.find(({ name }) => name === 'Regions')?.id
  const land = orders.columns.find(({ label }) => label === 'land')?.key
  const plan = {
    ...{ v: 2, kind: 'aggregate', dataset: orders.id, measures: [{ kind: 'column', agg: 'count' }], filters: [] },
    dimensions: [{ field: { dataset: orders.id, column: land }, grouping: { id: groupingId } }],
  }
  const { id } = await mira.call<Insight>('POST', '/api/insights', {
    ...{ name: 'Orders by region', description: '', plan, viz: { chart: 'table' } },
  })
  await page.goto(`${address}/insights/${id}`)
  for (const [group, count] of [
    ['Nordics', 72],
    ['Ungrouped', 48],
    ['Baltics', 24],
  ] as const)
    await page.getByRole('row', { name: new RegExp(`^${group} ${count}`) }).waitFor()
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
