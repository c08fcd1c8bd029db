import { closeSync, openAsBlob, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Person } from '../http/person.ts'
import { askAgain, askCold, firstAsks, questionsOf } from './query-rows.ts'
import { ms, p95, quantile, type Row } from './row.ts'
import { DAY_MS } from '../../src/shared/dates.ts'
import type { FindingPage } from '../../src/shared/findings.ts'
import type { Column } from '../../src/shared/data-sources/data-sources.ts'

/** How many values each of the eight splits has. */
const SPLITS = [3, 4, 8, 9, 12, 20, 50, 120]
const DAYS = 3 * 365
/** What looking may take before it counts as given up. */
const PATIENCE_MS = 120_000
const LOOK_AGAIN_MS = 100
const CALM_TIMES = 3
const CHUNK_CHARS = 1_000_000

/** Order lines of the three years before today with eight splits, the same on every machine that day. */
function writeLines(path: string, rows: number): void {
  const file = openSync(path, 'w')
  const first = Math.floor(Date.now() / DAY_MS) - DAYS
  const days = Array.from({ length: DAYS }, (_, n) => new Date((first + n) * DAY_MS).toISOString().slice(0, 10))
  let state = 7
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let chunk = `ordered_at,${SPLITS.map((_, n) => `split ${'ABCDEFGH'.charAt(n)}`).join(',')},amount,cost\n`
  for (let n = 0; n < rows; n += 1) {
    const amount = 500 + next(60_000)
    const splits = SPLITS.map((values, at) => `${'ABCDEFGH'.charAt(at)} value ${next(values)}`)
    chunk += `${days[next(DAYS)] ?? ''},${splits.join(',')},${(amount / 100).toFixed(2)},${(amount / 160).toFixed(2)}\n`
    if (chunk.length > CHUNK_CHARS) {
      writeSync(file, chunk)
      chunk = ''
    }
  }
  writeSync(file, chunk)
  closeSync(file)
}

/** Waits until what was found in a dataset's rows stands. */
export async function untilAnalyzed(person: Person, dataset: string): Promise<void> {
  const started = performance.now()
  while (performance.now() - started < PATIENCE_MS) {
    const page = await person.call<FindingPage>('GET', `/api/findings?dataset=${dataset}`)
    if (!page.behind && page.lookedAt !== null) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

interface FindingsTiming {
  seconds: number
  /** Milliseconds of the dashboard's questions, and of the cheapest one, meanwhile. */
  cold: number[]
  cheap: number[]
}

/** From the swap until what was found stands, with a dashboard asked all the while. */
async function looked(
  person: Person,
  at: { path: string; ask: (n: number) => Promise<number>; cheap: () => Promise<number> },
): Promise<FindingsTiming> {
  const uploadId = await person.upload('lines.csv', await openAsBlob(at.path))
  const { settings, columns } = await person.inspect(uploadId)
  const source = await person.createSource({ name: 'Lines', tables: [{ name: 'Lines', uploadId, settings, columns }] })
  const dataset = source.datasets[0]?.id ?? ''
  const run = await person.finished(source.lastRun?.id ?? '')
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}: ${JSON.stringify(run.error)}`)
  const started = performance.now()
  const found: FindingsTiming = { seconds: Number.NaN, cold: [], cheap: [] }
  let open = true
  const dashboard = async (): Promise<void> => {
    for (let n = 1; open; n += 1) found.cold.push(await at.ask(n))
  }
  const probe = async (): Promise<void> => {
    while (open) found.cheap.push(await at.cheap())
  }
  const looking = async (): Promise<void> => {
    await untilAnalyzed(person, dataset)
    found.seconds = (performance.now() - started) / 1000
    open = false
  }
  await Promise.all([looking(), dashboard(), probe()])
  return found
}

/** S1: findings over one more table of as many rows and eight splits, and what they cost a dashboard meanwhile. */
export async function findingsRows(
  person: Person,
  at: { dataset: string; columns: Pick<Column, 'key' | 'label'>[]; folder: string; rows: number },
): Promise<Row[]> {
  const path = join(at.folder, 'lines.csv')
  writeLines(path, at.rows)
  const list = questionsOf(at)
  await firstAsks(person, list)
  const ask = async (n: number): Promise<number> => {
    const question = list[n % list.length]
    return question ? askCold(person, question) : Number.NaN
  }
  const [first] = list
  if (!first) throw new Error('no questions')
  await person.query(first.plan)
  const cheap = (): Promise<number> => askAgain(person, first)
  const calm: number[] = []
  const calmCheap: number[] = []
  for (let n = 0; n < CALM_TIMES * list.length; n += 1) {
    const [one, other] = await Promise.all([ask(n), cheap()])
    calm.push(one)
    calmCheap.push(other)
  }
  const found = await looked(person, { path, ask, cheap })
  const [longest, usual] = [Math.max(...found.cheap), quantile(calmCheap, 0.5)]
  const hold = longest - usual
  const base = p95(calm)
  return [
    {
      id: 'S1',
      what: `findings over ${at.rows} rows × ${SPLITS.length} splits, from the swap`,
      ours: `${found.seconds.toFixed(1)} s`,
      reference: '1.5 s (goal)',
      ratio: (found.seconds / 1.5).toFixed(2),
    },
    {
      id: 'S1',
      what: `the same: longest of ${found.cheap.length} kept answers, over what one takes beside a dashboard before`,
      ours: `${ms(hold)} (${ms(longest)} over ${ms(usual)})`,
      reference: '100 ms (goal)',
      ratio: (hold / 100).toFixed(2),
    },
    {
      id: 'S1',
      what: `the same: 12 questions meanwhile, cold, p95 of ${found.cold.length}`,
      ours: ms(p95(found.cold)),
      reference: `${ms(base)} (calm); goal 1.5 × + 200 ms`,
      ratio: (p95(found.cold) / base).toFixed(2),
    },
  ]
}
