import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { DataSource } from '../../src/shared/data-sources/data-sources.ts'
import type { Insight } from '../../src/shared/insights.ts'
import { Person } from '../http/person.ts'
import { itLong } from '../long.ts'
import { checkAppearance, closeWindows, openAs, sharedBrowser, watchPage } from './browser.ts'

const address = inject('address')
/** Ports after the server's own: the stand-ins of vendors, and a PostgreSQL. */
const port = Number(new URL(address).port)
const paula = new Person(address)
const FAILED = 'The database refused the user name or password'
let page: Page
let complaints: string[]
let insight: string
const offences: string[] = []
const look = async (name: string): Promise<void> => void offences.push(...(await checkAppearance(page, name)))

async function simulate(what: string, body: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port + 4}/_sim/postgres/${what}`, { method: 'POST', body })
  expect(response.status).toBe(200)
}
const setPassword = (password: string): Promise<void> => simulate('password', JSON.stringify({ password }))
const write = async (statement: string): Promise<void> => {
  await fetch(inject('writer'), { method: 'POST', body: JSON.stringify([statement]) })
}
/** As if its last sync had been an hour ago: people may ask for the next one. */
const letSync = (id: string): Promise<void> =>
  write(`UPDATE connections SET synced_at = synced_at - 3600000 WHERE source_id = '${id}'`)
/** As if half of the rows were read by now: a table of the test is read sooner than anybody sees it. */
async function lookAmidSync(id: string): Promise<void> {
  await write(`UPDATE syncs SET state = 'running', rows_read = 2500 WHERE source_id = '${id}'`)
  await page.reload()
  await page
    .getByRole('status')
    .getByText(/2\s500 rows read/)
    .waitFor()
  await look('postgres-syncing')
  await write(`UPDATE syncs SET state = 'succeeded', rows_read = 5000 WHERE source_id = '${id}'`)
}
const sourceOf = async (): Promise<DataSource> => {
  const { items } = await paula.call<{ items: DataSource[] }>('GET', '/api/data-sources')
  const [source] = items
  if (!source) throw new Error('There is no source.')
  return source
}

beforeAll(async () => {
  // It takes a moment to start.
  await simulate('run', 'SELECT 1')
  await paula.register('paula.postgres@example.com', { timeZone: 'Europe/Stockholm' })
  await paula.call('PUT', '/api/onboarding', { step: 'done' })
  page = await openAs(await sharedBrowser(), paula)
  complaints = watchPage(page)
})
afterAll(() => closeWindows())

it('leads from a host and a password to figures of a database', async () => {
  await page.goto(`${address}/data-sources/new/postgresql`)
  const enter = (name: string, value: string): Promise<void> => page.getByRole('textbox', { name }).fill(value)
  await enter('Host', 'localhost')
  await enter('Port', String(port + 5))
  await enter('Database', 'postgres')
  await enter('User', 'reader')
  const password = page.getByRole('textbox', { name: 'Password' })
  await password.fill('another one')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByRole('alert').getByText(FAILED).waitFor()
  await look('connect-postgres-refused')
  await password.fill('reader-of-test')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('Connected to postgres at localhost').waitFor()
  await page.getByRole('checkbox', { name: 'orders' }).check()
  await page.getByRole('cell', { name: 'returned' }).first().waitFor()
  await look('connect-postgres-tables')
  await page.getByRole('button', { name: 'Connect and import' }).click()
  await page.waitForURL('**/data-sources/src_*')
  await page.getByRole('row', { name: /Synced First sync 5\s000 5\s000 0/ }).waitFor()
  const { id, datasets } = await sourceOf()
  await lookAmidSync(id)
  const [orders] = datasets
  const amount = orders?.columns.find(({ label }) => label === 'amount')
  if (!orders || !amount) throw new Error('The table is not there.')
  const field = { dataset: orders.id, column: amount.key }
  const plan = {
    ...{ v: 2, kind: 'aggregate', dataset: orders.id, filters: [], dimensions: [] },
    measures: [{ kind: 'column', agg: 'sum', field }],
  }
  const body = { name: 'Order value', description: '', plan, viz: { chart: 'number' } }
  insight = `${address}/insights/${(await paula.call<Insight>('POST', '/api/insights', body)).id}`
  await page.goto(insight)
  await page
    .getByText(/2\s749\s625/)
    .first()
    .waitFor()
})

it('says in plain words that a password is wrong, on the source and on the chart, until it is mended', async () => {
  const { id } = await sourceOf()
  await setPassword('changed-at-the-source')
  await letSync(id)
  await page.goto(`${address}/data-sources/${id}`)
  await page.getByRole('button', { name: 'Sync now' }).click()
  await page.getByRole('alert').getByText(FAILED).waitFor()
  await look('postgres-failed')
  await page.goto(insight)
  await page.getByText(/import of postgres at localhost failed/).waitFor()
  await page
    .getByText(/2\s749\s625/)
    .first()
    .waitFor()
  await look('insight-of-failed-source')
  await page.goto(`${address}/data-sources/${id}`)
  await page.getByRole('button', { name: 'Replace credentials' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('changed-at-the-source')
  await dialog.getByRole('button', { name: 'Test and save' }).click()
  await page.getByRole('row', { name: /(Synced|No changes) Manual/ }).waitFor()
  await page.getByRole('alert').getByText(FAILED).waitFor({ state: 'detached' })
  await look('postgres-recovered')
  await page.goto(insight)
  await page
    .getByText(/2\s749\s625/)
    .first()
    .waitFor()
  expect(await page.getByText(/import of .* failed/).count()).toBe(0)
})

itLong('asks the database itself once a table is to stay there', async () => {
  const { id } = await sourceOf()
  await letSync(id)
  await page.goto(`${address}/data-sources/${id}`)
  await page.getByRole('button', { name: 'Edit selection' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'How rows of orders are added' }).click()
  await page.getByRole('option', { name: 'Query live' }).click()
  await dialog.getByText(/^Rows stay in your database/).waitFor()
  await look('choose-live')
  await dialog.getByRole('button', { name: 'Save selection' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('orders: query live').waitFor()
  await page.getByRole('row', { name: /Synced Manual 5\s000 0 0/ }).waitFor()
  await simulate('run', 'UPDATE orders SET amount = amount + 1000000 WHERE id = 1')
  await page.goto(insight)
  await page
    .getByText(/3\s749\s625/)
    .first()
    .waitFor()
  await look('insight-of-live-table')
})

it('leaves axe and the browser nothing to complain about', () => {
  expect(offences).toEqual([])
  expect(complaints).toEqual([])
})
