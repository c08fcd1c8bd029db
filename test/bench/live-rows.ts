import { workerdMemory } from './memory.ts'
import { openRawSocket } from './raw-socket.ts'
import { MB, ms, p95, quantile, type Row } from './row.ts'
import type { Person } from '../http/person.ts'
import type { RunningServer } from '../http/server.ts'
import { liveMessageSchema } from '../../src/shared/live.ts'
import { addVisitors, type Visitor } from './visitors.ts'

const PEOPLE = 50
const PAGES_OF_ONE = 10
const GOAL_MS = 1_000

interface PageTiming {
  /** Epoch ms at which the page heard of the new rows. */
  at: number
  /** Ms from hearing of them to its new figures. */
  figures: number
}
interface On {
  workspaceId: string
  datasetId: string
}
export type At = Pick<RunningServer, 'address' | 'pid' | 'write'>

interface Page {
  close: () => void
  told: Promise<PageTiming>
}

/** A page that hears of new rows in the dataset and asks its figures again, as the client does. */
async function openPage(at: At, who: Visitor, on: On): Promise<Page> {
  const { promise: told, resolve, reject } = Promise.withResolvers<PageTiming>()
  const hear = (text: string): void => {
    const { events, spread } = liveMessageSchema.parse(JSON.parse(text))
    if (!events.some((event) => event.kind === 'data' && event.datasetId === on.datasetId)) return
    const heard = Date.now()
    const answered = (): void => resolve({ at: heard, figures: Date.now() - heard })
    setTimeout(() => void ask(at, who, on).then(answered, reject), Math.random() * spread)
  }
  const headers = { cookie: who.cookie, origin: at.address }
  const { close } = await openRawSocket(`${at.address}/live?w=${on.workspaceId}`, { headers, onText: hear })
  return { close, told }
}

async function ask({ address }: At, who: Visitor, on: On): Promise<void> {
  const plan = { v: 1, kind: 'aggregate', dataset: on.datasetId, measures: [{ kind: 'column', agg: 'count' }] }
  const answer = await fetch(`${address}/api/query`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-workspace': on.workspaceId,
      'x-csrf-token': who.csrf,
      cookie: who.cookie,
    },
    body: JSON.stringify({ plan: { ...plan, dimensions: [], filters: [] } }),
  })
  if (!answer.ok) throw new Error(`figures: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

async function orders(person: Person, count: number) {
  const lines = Array.from({ length: count }, (_, at) => `${at},${at % 7}`)
  const uploadId = await person.upload('small.csv', new Blob([['order,pieces', ...lines].join('\n')]))
  const { settings, columns } = await person.inspect(uploadId)
  return { name: 'Small', uploadId, settings, columns: columns.map((column) => ({ ...column, include: true })) }
}

/** L1: one load while 500 pages of one workspace are open: when each heard of it, when each had its figures, what they cost. */
export async function liveRows(person: Person, at: At): Promise<Row[]> {
  const source = await person.createSource({ name: 'Small', tables: [await orders(person, 100)] })
  const datasetId = source.datasets[0]?.id ?? ''
  await person.finished(source.lastRun?.id ?? '')
  const workspaceId = person.headers()['x-workspace'] ?? ''
  const on = { workspaceId, datasetId }
  const people = await addVisitors(at, workspaceId, PEOPLE)
  const memory = workerdMemory(at.pid)
  const before = memory()
  const pages: Page[] = []
  for (let n = 0; n < PAGES_OF_ONE; n++) pages.push(...(await Promise.all(people.map((who) => openPage(at, who, on)))))
  const connected = memory()
  const { uploadId, settings, columns } = await orders(person, 120)
  const mapping = columns.map(({ index }) => ({ index, key: `c${index}` as const }))
  const begun = await person.load(datasetId, { uploadId, mode: 'replace', settings, columns, mapping })
  const run = await person.finished(begun.id)
  const told = await Promise.all(pages.map((page) => page.told))
  pages.forEach(({ close }) => close())
  const heard = told.map((one) => one.at - Date.parse(run.finishedAt ?? ''))
  const last = Math.max(...heard)
  const figures = told.map((one) => one.figures)
  return [
    {
      id: 'L1',
      what: `new rows heard of by ${pages.length} open pages of one workspace: median, last`,
      ours: `${ms(quantile(heard, 0.5))}, ${ms(last)}`,
      reference: `${GOAL_MS} ms (goal)`,
      ratio: (last / GOAL_MS).toFixed(2),
    },
    {
      id: 'L1',
      what: 'each with its new figures after hearing: p95, last; memory of all sockets',
      ours: `${ms(p95(figures))}, ${ms(Math.max(...figures))}; ${((connected - before) / MB).toFixed(0)} MB`,
      reference: '–',
      ratio: '–',
    },
  ]
}
