// npm run bench [-- --rows 1000000 --only load,queries,reports,exports,variants,access,billed,fairness-queries,fairness-open,open-large,findings,bot,forecasts,requests,mixed,live-board,live,push,sign-in,browser --store]: our figures beside references
// measured in the same run on the same machine, and beside the table that was stored last; --store stores this one.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { accessRows } from './access-rows.ts'
import { billedTable } from './billed.ts'
import { boardBrowserRows } from './board-browser-rows.ts'
import { botRows } from './bot-rows.ts'
import { browserRows } from './browser-rows.ts'
import { liveBoardRows } from './live-board-rows.ts'
import { liveRows } from './live-rows.ts'
import { diskRows } from './disk-rows.ts'
import { exportRows } from './export-rows.ts'
import { fairnessRows } from './fairness-rows.ts'
import { findingsRows } from './findings-rows.ts'
import { forecastRows } from './forecast-rows.ts'
import { openLargeRows } from './large-file-rows.ts'
import { loadRows } from './load-rows.ts'
import { openingFairnessRows } from './open-rows.ts'
import { writeOrders } from './orders.ts'
import { mixedRows } from './mixed-rows.ts'
import { pushRows } from './push-rows.ts'
import { queryRows } from './query-rows.ts'
import { reportRows } from './report-rows.ts'
import { requestRows } from './request-rows.ts'
import type { Row } from './row.ts'
import { signInRows } from './sign-in-rows.ts'
import { relatedSegment, variantRows } from './variant-rows.ts'
import { comparedWithStored, storeTable } from './stored.ts'
import { PASSWORD, Person } from '../http/person.ts'
import { startServer, createStateDirectory, type RunningServer } from '../http/server.ts'

const EMAIL = 'bench@example.com'
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    store: { type: 'boolean', default: false },
  },
})
const rows = Number(values.rows)
/** Sizes whose loads are repeated: larger ones take minutes, smaller ones only show that the bench works. */
const FULL = [1_000_000, 2_000_000]
/**
 * Parts that bring their own files. Each has a server of its own: what they leave in memory is no part of what the others
 * begin with.
 */
const WITHOUT_ORDERS = ['fairness-open', 'open-large', 'push']
const wants = (part: string): boolean => values.only === '' || values.only.split(',').includes(part)

const folder = mkdtempSync(join(tmpdir(), 'insikt-bench-'))
const file = join(folder, 'orders.csv')
const onlyWithoutOrders = values.only !== '' && values.only.split(',').every((part) => WITHOUT_ORDERS.includes(part))
/** Written before the server stands: ten million lines hold this thread for longer than a server keeps a connection open. */
const totals = onlyWithoutOrders ? null : writeOrders(file, rows)
const state = createStateDirectory()
const server = await startServer(state.path)

async function newcomer(address: string): Promise<Person> {
  const person = new Person(address)
  await person.register(EMAIL)
  await person.call('PUT', '/api/onboarding', { step: 'done' })
  return person
}

/** Rows of a part that has a server of its own, whose data go with it. */
async function apart(part: string, rowsOf: (server: RunningServer) => Promise<Row[]>): Promise<Row[]> {
  if (!wants(part)) return []
  const own = createStateDirectory()
  const running = await startServer(own.path)
  try {
    return await rowsOf(running)
  } finally {
    await running.stop()
    own.remove()
  }
}

async function measure(): Promise<Row[]> {
  const table = await apart('fairness-open', ({ address }) => openingFairnessRows(address))
  const opened = await apart('open-large', async ({ address, pid }) =>
    openLargeRows(await newcomer(address), { folder, pid, rows }),
  )
  const pushed = await apart('push', async ({ address, pid }) => pushRows(await newcomer(address), pid))
  table.push(...opened, ...pushed)
  if (!totals) return table
  const person = await newcomer(server.address)
  const loaded = await loadRows(person, { file, totals, pid: server.pid, once: !wants('load') || !FULL.includes(rows) })
  if (wants('queries')) {
    const asked = await queryRows(person, { ...loaded, file, rows, pid: server.pid })
    console.table(asked.detail)
    table.push(...asked.rows)
  }
  if (wants('load')) table.push(...diskRows(state.path, rows * loaded.times))
  if (wants('reports')) table.push(...(await reportRows(person, { ...loaded, file, rows })))
  if (wants('exports')) table.push(...(await exportRows(person, { ...loaded, rows, pid: server.pid })))
  if (wants('boards') && process.env['CHROME_PATH'])
    table.push(...(await boardBrowserRows(person, { ...loaded, file, rows })))
  if (wants('variants') || wants('access')) {
    const segment = await relatedSegment(person, loaded, folder)
    if (wants('variants')) table.push(...(await variantRows(person, server, { ...loaded, segment })))
    if (wants('access')) table.push(...(await accessRows(person, server, { ...loaded, segment })))
  }
  if (wants('fairness-queries')) table.push(...(await fairnessRows(person, server, { ...loaded, rows })))
  if (wants('findings')) table.push(...(await findingsRows(person, { ...loaded, folder, rows })))
  if (wants('bot')) table.push(...(await botRows(person, { folder, rows })))
  if (wants('forecasts')) table.push(...(await forecastRows(person, loaded)))
  if (wants('load')) table.push(...loaded.rows)
  if (wants('requests')) table.push(...(await requestRows(person, loaded)))
  if (wants('mixed')) table.push(...(await mixedRows(server)))
  if (wants('live-board')) table.push(...(await liveBoardRows(person, server, { ...loaded, file, rows })))
  if (wants('live')) table.push(...(await liveRows(person, server)))
  if (wants('billed')) table.push(...billedTable())
  if (wants('sign-in')) table.push(...(await signInRows(server.address)))
  if (wants('browser') && process.env['CHROME_PATH'])
    table.push(...(await browserRows(server.address, { email: EMAIL, password: PASSWORD })))
  return table
}

try {
  const table = await measure()
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
  console.table(comparedWithStored(table, rows))
  if (values.store) storeTable(table, rows)
} finally {
  await server.stop()
  state.remove()
  rmSync(folder, { recursive: true, force: true })
}
