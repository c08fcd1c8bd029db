import { openAsBlob, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ms, p95, type Row } from './row.ts'
import type { Person } from '../http/person.ts'
import type { BotConversation } from '../../src/shared/bot/conversations.ts'

const ARTICLES = 100_000
const ANSWER_GOAL_MS = 150
const READY_GOAL_MS = 2_000
/** Fewer than a person may ask in a minute. */
const QUESTIONS: readonly string[] = [
  'total amount by region',
  'amount per month in 2024',
  'top 5 customers by amount',
  'number of customers by region',
  'amount in Skåne in 2025',
  'average amount by product group',
  'which region had the highest amount in 2024?',
  'amount of Tools by channel',
  'total amount for Customer 1234',
  'how many customers bought Paint in 2024?',
]

/** As many different names as a catalogue of a large wholesaler. */
function writeArticles(path: string): void {
  const line = (n: number): string => `Hinge ${n.toString(36)} type ${n % 977},${(n % 9973) / 10}`
  writeFileSync(path, `article,list price\n${Array.from({ length: ARTICLES }, (_, n) => line(n + 1)).join('\n')}\n`)
}

interface TimedAnswer {
  ms: number
  text: string
}
/** From the question to the end of its answer, as a page reads it. */
async function ask(person: Person, text: string): Promise<TimedAnswer> {
  const { id } = await person.call<BotConversation>('POST', '/api/bot/conversations', {})
  const started = performance.now()
  const body = JSON.stringify({ kind: 'text', text })
  const answer = await person.send('POST', `/api/bot/conversations/${id}/messages`, body)
  const told = await answer.text()
  if (!answer.ok) throw new Error(`${text}: ${answer.status} ${told}`)
  return { ms: performance.now() - started, text: told }
}

/** Q9 and Q10: answers in words by rules over a million rows and a hundred thousand names, and names of a new load. */
export async function botRows(person: Person, { folder, rows }: { folder: string; rows: number }): Promise<Row[]> {
  const file = join(folder, 'articles.csv')
  writeArticles(file)
  const uploadId = await person.upload('articles.csv', await openAsBlob(file))
  const { settings, columns } = await person.inspect(uploadId)
  const name = 'Articles'
  const source = await person.createSource({ name, tables: [{ name, uploadId, settings, columns }] })
  const run = await person.finished(source.lastRun?.id ?? '')
  if (run.state !== 'succeeded') throw new Error(`the load ${run.state}`)
  const ready = await ask(person, `list price of "Hinge ${(4242).toString(36)} type ${4242 % 977}"`)
  if (!/event: answer/.test(ready.text)) throw new Error(`not answered: ${ready.text.slice(0, 400)}`)
  const times: number[] = []
  const unanswered: string[] = []
  for (let turn = 0; turn < 2; turn += 1)
    for (const question of QUESTIONS) {
      const asked = await ask(person, question)
      if (/event: answer/.test(asked.text)) times.push(asked.ms)
      else unanswered.push(question)
    }
  if (unanswered.length > 0) console.log(`not answered: ${[...new Set(unanswered)].join('; ')}`)
  return [
    {
      ...{ id: 'B1', what: `${rows} rows, ${ARTICLES} names: a question in words, answered without a model, p95` },
      ...{ ours: ms(p95(times)), reference: `${ms(ANSWER_GOAL_MS)} (goal)` },
      ratio: (p95(times) / ANSWER_GOAL_MS).toFixed(2),
    },
    {
      ...{ id: 'B2', what: `${ARTICLES} new names: answered by one of them, from the end of the load` },
      ...{ ours: ms(ready.ms), reference: `${ms(READY_GOAL_MS)} (goal)` },
      ratio: (ready.ms / READY_GOAL_MS).toFixed(2),
    },
  ]
}
