import type { At } from './live-rows.ts'
import { REGIONS } from './orders.ts'
import { openRawSocket } from './raw-socket.ts'
import { reportOfTwelve, type Orders } from './report-rows.ts'
import { ms, p95, quantile, type Row } from './row.ts'
import { fieldOf, setRules } from './variant-rows.ts'
import { addVisitors, type Visitor } from './visitors.ts'
import type { Person } from '../http/person.ts'
import type { AccessRule } from '../../src/shared/data-access/rules.ts'
import { liveMessageSchema } from '../../src/shared/live.ts'
import type { TileAnswer, TilesEnd } from '../../src/shared/reports/tiles.ts'

const PEOPLE = 50
const PAGES_OF_ONE = 10
const TILES = 12
const HEARD_GOAL_MS = 1_000
/** Each viewer is of one of so many sets of rights. */
const RIGHTS = 3

interface Board {
  id: string
  workspaceId: string
  datasetId: string
}
interface PageTiming {
  /** Epoch ms at which the page heard of the new rows. */
  at: number
  /** Ms from hearing of them to the last tile. */
  figures: number
  /** Tiles that were worked out for this page, and those that another one's question had answered. */
  worked: string[]
  refused: number
}

/** The tiles of the board, as its viewer's page asks them. */
async function askBoard({ address }: At, who: Visitor, { id, workspaceId }: Board) {
  const answer = await fetch(`${address}/api/reports/${id}/tiles`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'x-workspace': workspaceId },
      ...{ 'x-csrf-token': who.csrf, cookie: who.cookie },
    },
    body: JSON.stringify({ of: 'published', page: 'page01', filters: [] }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`tiles: ${answer.status} ${text}`)
  const lines = text.trim().split('\n')
  const told = lines.map((line): TileAnswer | TilesEnd => JSON.parse(line))
  const charts = told.flatMap((line) => ('content' in line && line.content.kind === 'chart' ? [line] : []))
  const worked = charts.flatMap(({ block, content }) =>
    content.kind === 'chart' && !content.result.cached ? [block] : [],
  )
  return { worked, refused: TILES - charts.length }
}

interface OpenBoard {
  close: () => void
  told: Promise<PageTiming>
}

/** A page that hears of new rows and asks its tiles again once, in the moment that it is told. */
async function openBoard(at: At, who: Visitor, board: Board): Promise<OpenBoard> {
  const { promise: told, resolve, reject } = Promise.withResolvers<PageTiming>()
  let heard: number | null = null
  const hear = (text: string): void => {
    const { events, spread } = liveMessageSchema.parse(JSON.parse(text))
    if (heard !== null || !events.some((one) => one.kind === 'data' && one.datasetId === board.datasetId)) return
    const now = Date.now()
    heard = now
    const ask = async (): Promise<PageTiming> => {
      const asked = await askBoard(at, who, board)
      return { at: now, figures: Date.now() - now, ...asked }
    }
    setTimeout(() => void ask().then(resolve, reject), Math.random() * spread)
  }
  const headers = { cookie: who.cookie, origin: at.address }
  const { close } = await openRawSocket(`${at.address}/live?w=${board.workspaceId}`, { headers, onText: hear })
  return { close, told }
}

/** Everybody sees the rows of some regions: one of as many sets as there are rights, by who they are. */
const rulesOf = (people: readonly Visitor[], at: Orders): AccessRule[] =>
  people.map(({ id }, n): AccessRule => {
    const values = REGIONS.slice(0, REGIONS.length - (n % RIGHTS))
    return {
      ...{ id: `acr_${String(n).padStart(20, '0')}`, name: `Viewer ${n}`, effect: 'allow', rows: 'some', columns: [] },
      ...{ subject: { kind: 'member', id }, resource: { kind: 'dataset', id: at.dataset }, active: true },
      filters: [{ field: fieldOf(at, 'region'), any: [{ op: 'in', values }] }],
    }
  })

/** Appends a line to the orders. Answers when the new rows were there, epoch ms. */
async function appendOne(person: Person, at: Orders): Promise<number> {
  const head = at.columns.map(({ label }) => label).join(',')
  const last = (await person.query(lastRowOf(at))).rows[0] ?? []
  const line = last.map((cell) => (cell === null ? '' : String(cell).slice(0, 10))).join(',')
  const uploadId = await person.upload('more.csv', new Blob([`${head}\n${line}\n`]))
  const { settings, columns } = await person.inspect(uploadId)
  const included = columns.map((column) => ({ ...column, include: true }))
  const mapping = columns.map(({ index }) => ({ index, key: `c${index}` as const }))
  const begun = await person.load(at.dataset, { uploadId, mode: 'append', settings, columns: included, mapping })
  const run = await person.finished(begun.id)
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}: ${JSON.stringify(run.error)}`)
  return Date.parse(run.finishedAt ?? '')
}
const lastRowOf = (at: Orders) => ({
  ...{ v: 1 as const, kind: 'rows' as const, dataset: at.dataset, measures: [], dimensions: [], filters: [], limit: 1 },
  columns: at.columns.map(({ key }) => ({ dataset: at.dataset, column: key })),
})

/** L2: a line comes to a board of twelve tiles that 500 pages show, under three sets of rights. */
export async function liveBoardRows(person: Person, server: At, at: Orders): Promise<Row[]> {
  const workspaceId = person.headers()['x-workspace'] ?? ''
  const board = { id: await reportOfTwelve(person, at, ' on a live board'), workspaceId, datasetId: at.dataset }
  const people = await addVisitors(server, workspaceId, PEOPLE)
  await setRules(person, server, rulesOf(people, at))
  const pages: OpenBoard[] = []
  for (let n = 0; n < PAGES_OF_ONE; n += 1)
    pages.push(...(await Promise.all(people.map((who) => openBoard(server, who, board)))))
  const there = await appendOne(person, at)
  const told = await Promise.all(pages.map((page) => page.told))
  pages.forEach(({ close }) => close())
  await setRules(person, server, [])
  const last = Math.max(...told.map((one) => one.at)) - there
  const figures = told.map((one) => one.figures)
  const worked = told.reduce((sum, one) => sum + one.worked.length, 0)
  const refused = told.reduce((sum, one) => sum + one.refused, 0)
  const once = TILES * RIGHTS
  return [
    {
      ...{ id: 'L2', what: `new rows heard of by ${pages.length} viewers of a board over ${at.rows} rows, last` },
      ...{ ours: ms(last), reference: `${HEARD_GOAL_MS} ms (goal)`, ratio: (last / HEARD_GOAL_MS).toFixed(2) },
    },
    {
      id: 'L2',
      what: `questions worked out for ${pages.length * TILES} tiles under ${RIGHTS} sets of rights; refused`,
      ...{ ours: `${worked}; ${refused}`, reference: `${once} (once per rights)`, ratio: (worked / once).toFixed(2) },
    },
    {
      ...{ id: 'L2', what: 'each with its new tiles after hearing: median, p95, last' },
      ours: `${ms(quantile(figures, 0.5))}, ${ms(p95(figures))}, ${ms(Math.max(...figures))}`,
      ...{ reference: '–', ratio: '–' },
    },
  ]
}
