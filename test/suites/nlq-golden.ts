import { z } from 'zod'
import { csvFilesOf, loadDatabase, type LoadedDatabase } from './nlq-loaded'
import { judgeQuestion, type Judged, type Question } from './nlq-judge'
import { answersBySqlite, parseCsv, type TextTable } from './nlq-sqlite'
import { nlqTotals } from './nlq-totals'
import type { Suite, SuiteCase, SuiteFiles } from './suite'
import { customerRows } from '../../src/sample/customers'
import { generateCompany, ordersFile } from '../../src/sample/sample-company'

/**
 * The project's own golden questions: `open.json` and `held-out.json`, halves of one set, and `shapes.json`, written later
 * for shapes of questions; over `tables/<db>/*.csv`, and over the sample company. What is right is said as statements, which SQLite answers over the same tables.
 */
const goldenSchema = z.object({
  as_of: z.iso.date(),
  items: z.array(
    z.object({
      id: z.string(),
      db: z.string(),
      /** What kind of question it is: how failures of the held-out half are told. */
      class: z.string(),
      question: z.string(),
      given_definitions: z.string().optional(),
      /** Each answers it as well as the first. */
      sql: z.array(z.string()).default([]),
      /** `not_answered`: it must be asked back or declined, in whatever words. */
      expect: z.literal('not_answered').optional(),
      /** A question back is as good as an answer. */
      may_ask: z.boolean().default(false),
    }),
  ),
})
export type GoldenItem = z.infer<typeof goldenSchema>['items'][number]
export type GoldenSet = 'open' | 'held-out' | 'shapes'

/** The sample company's books end on the day that questions are asked. */
const SAMPLE = 'sample'

interface GoldenDatabase {
  loaded: Promise<LoadedDatabase>
  tables: TextTable[]
}
export interface GoldenOutcome {
  item: GoldenItem
  half: GoldenSet
  judged: Judged
  /** As it should be: the rows, or no answer where none is right. */
  isRight: boolean
  /** Figures that are not what was asked. */
  isWrong: boolean
}

/** Asks the questions of some sets; each database is loaded once. */
export async function askGolden(files: SuiteFiles, halves: readonly GoldenSet[]): Promise<GoldenOutcome[]> {
  const asked: { item: GoldenItem; half: GoldenSet; asOf: string }[] = []
  for (const half of halves) {
    const { items, as_of: asOf } = await files.json(`${half}.json`, goldenSchema)
    asked.push(...items.map((item) => ({ item, half, asOf })))
  }
  const outcomes: GoldenOutcome[] = []
  for (const db of new Set(asked.map(({ item }) => item.db))) {
    const own = asked.filter(({ item }) => item.db === db)
    const { loaded, tables } = await goldenDatabase(files, { db, asOf: own[0]?.asOf ?? '' })
    const statements = own.flatMap(({ item }) => item.sql)
    const wanted = await answersBySqlite(tables, statements)
    for (const { item, half, asOf } of own) {
      const accepted = wanted.filter(({ sql }) => item.sql.includes(sql ?? ''))
      const question = questionOf(item, { accepted, asOf })
      outcomes.push({ half, ...(await outcomeOf(item, { question, loaded: await loaded })) })
    }
  }
  return outcomes
}

const questionOf = (item: GoldenItem, at: Pick<Question, 'accepted' | 'asOf'>): Question => ({
  ...at,
  text: item.question,
  definitions: item.given_definitions,
  readings: 1,
})

async function outcomeOf(
  item: GoldenItem,
  at: { question: Question; loaded: LoadedDatabase },
): Promise<Omit<GoldenOutcome, 'half'>> {
  const judged = await judgeQuestion(at.question, at.loaded)
  const { verdict } = judged
  const isUnanswered = verdict === 'asked' || verdict === 'declined'
  if (item.expect === 'not_answered') return { item, judged, isRight: isUnanswered, isWrong: !isUnanswered }
  return { item, judged, isRight: verdict === 'right' || (item.may_ask && isUnanswered), isWrong: verdict === 'WRONG' }
}

async function goldenDatabase(files: SuiteFiles, { db, asOf }: { db: string; asOf: string }): Promise<GoldenDatabase> {
  if (db === SAMPLE) return sampleDatabase(asOf)
  const csv = await csvFilesOf(files, `tables/${db}/`)
  const tables = csv.map(({ name, bytes }) => ({
    name: name.replace(/\.csv$/, ''),
    lines: parseCsv(new TextDecoder().decode(bytes)),
  }))
  return { loaded: loadDatabase(csv), tables }
}

/** Orders as its shop gives them, and the sheet of customers; for SQLite the same rows under names in snake case. */
function sampleDatabase(asOf: string): GoldenDatabase {
  const company = generateCompany(asOf)
  const sheet = customerRows(company.customers).map((row) =>
    row.map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell))),
  )
  const customers = sheet.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
  const orders = ordersFile(company).bytes
  const records = new TextDecoder('latin1').decode(orders).trimEnd().split('\r\n')
  const lines = records.map((record) => record.split(';').map((text) => text.replace(/^(-?\d+),(\d+)$/, '$1.$2')))
  const csv = [
    { name: 'Orders.csv', bytes: orders },
    { name: 'Customers.csv', bytes: new TextEncoder().encode(customers) },
  ]
  const snaked = ([header = [], ...rows]: string[][]): string[][] => [
    header.map((label) => label.toLowerCase().replaceAll(' ', '_')),
    ...rows,
  ]
  const tables = [
    { name: 'orders', lines: snaked(lines) },
    { name: 'customers', lines: snaked(sheet) },
  ]
  return { loaded: loadDatabase(csv), tables }
}

const caseOf = ({ item, judged, isRight }: GoldenOutcome): SuiteCase => ({
  name: `${item.id} (${item.class}): ${item.question}`,
  prepare: () => Promise.resolve(),
  check: () => Promise.resolve(isRight && judged.verdict === 'right' ? [] : judged.lines),
  verdict: () => (isRight ? `ok ${judged.verdict}` : `NOT ${judged.verdict}`),
  isRight: () => isRight,
})

/** How often each class came out right, worst first; no question is named. */
function classLines(outcomes: readonly GoldenOutcome[]): string[] {
  const classes = [...new Set(outcomes.map(({ item }) => item.class))].map((name) => {
    const own = outcomes.filter(({ item }) => item.class === name)
    const count = (test: (outcome: GoldenOutcome) => boolean): number => own.filter(test).length
    const [right, wrong] = [count(({ isRight }) => isRight), count(({ isWrong }) => isWrong)]
    const verdicts = [...new Set(own.filter(({ isRight }) => !isRight).map(({ judged }) => judged.verdict))].join(', ')
    return {
      share: right / own.length,
      line: `${right}/${own.length} ${name}, ${wrong} wrong (${verdicts || 'all right'})`,
    }
  })
  return classes.toSorted((a, b) => a.share - b.share).map(({ line }) => line)
}

function goldenTotals(half: GoldenSet, outcomes: readonly GoldenOutcome[]): string[] {
  const right = outcomes.filter(({ isRight }) => isRight).length
  const wrong = outcomes.filter(({ isWrong }) => isWrong).length
  const answered = outcomes.filter(({ item }) => item.expect === undefined).map(({ judged }) => judged)
  return [
    '',
    `${half}: ${right} of ${outcomes.length} as they should be, ${wrong} confident and wrong; of those that have an answer:`,
    ...nlqTotals(answered, answered.length).slice(1),
  ]
}

/** The open half and the shapes question by question; of the other half only classes. */
export const nlqGoldenSuite: Suite = {
  floor: 0,
  cases: async (files, atEnd) => {
    const all = await askGolden(files, ['open', 'shapes', 'held-out'])
    const [open = [], shapes = [], heldOut = []] = (['open', 'shapes', 'held-out'] as const).map((half) =>
      all.filter((each) => each.half === half),
    )
    atEnd(() => [
      ...goldenTotals('open', open),
      ...goldenTotals('shapes', shapes),
      ...goldenTotals('held-out', heldOut),
      '',
      ...classLines(heldOut),
    ])
    return [...open, ...shapes].map(caseOf)
  },
}

/** The held-out half question by question: not for whoever works on the engine. */
export const nlqHeldOutSuite: Suite = {
  floor: 0,
  cases: async (files, atEnd) => {
    const outcomes = await askGolden(files, ['held-out'])
    atEnd(() => [...goldenTotals('held-out', outcomes), '', ...classLines(outcomes)])
    return outcomes.map(caseOf)
  },
}
