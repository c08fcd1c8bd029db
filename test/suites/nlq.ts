import { z } from 'zod'
import { goldenSchema, setsOf } from './business'
import { csvFilesOf, loadDatabase, type LoadedDatabase } from './nlq-loaded'
import { judgeQuestion, type Judged, type Question } from './nlq-judge'
import type { Tolerance } from './nlq-rows'
import { nlqTotals } from './nlq-totals'
import { preparedCheck, type Suite, type SuiteCase } from './suite'

const cellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
const rowsSchema = z.object({
  sql: z.string().optional(),
  columns: z.array(z.string()),
  rows: z.array(z.array(cellSchema)),
  ordered: z.boolean().default(false),
})
const questionsSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      db: z.string(),
      question: z.string(),
      gold: rowsSchema,
      also_accepted: z.array(rowsSchema).default([]),
      given_definitions: z.string().nullish(),
      as_of: z.string().nullish(),
    }),
  ),
})
type Item = z.infer<typeof questionsSchema>['items'][number]

const questionOf = (item: Item): Question => ({
  text: item.question,
  accepted: [item.gold, ...item.also_accepted],
  definitions: item.given_definitions ?? undefined,
  asOf: item.as_of ?? undefined,
})

/** A case that says how a question was answered; what is right, asked back or declined is no fault. */
export function questionCase(
  at: { id: string; question: Question; loading: Promise<LoadedDatabase> },
  judged: Judged[],
): SuiteCase {
  let last: Judged | null = null
  // Every question of the database says so; an unhandled refusal would end the run instead.
  at.loading.catch(() => undefined)
  return {
    name: `${at.id}: ${at.question.text}`,
    verdict: () => last?.verdict ?? 'FAILED',
    ...preparedCheck(
      () => at.loading,
      async (loaded) => {
        last = await judgeQuestion(at.question, loaded)
        judged.push(last)
        return last.lines
      },
    ),
    isRight: () => last?.verdict === 'right',
  }
}

/** Cents and four decimals are as exact as the golden answers of business questions are written. */
const BUSINESS_TOLERANCE: Tolerance = { relative: 1e-6, absolute: 0.005 }

/** The golden questions of `business` in their own words: `<set>/golden.json` beside the set's tables. */
export const nlqBusinessSuite: Suite = {
  floor: 0,
  cases: async (files, atEnd) => {
    const cases: SuiteCase[] = []
    const judged: Judged[] = []
    for (const folder of await setsOf(files)) {
      const { items } = await files.json(`${folder}golden.json`, goldenSchema)
      const loading = csvFilesOf(files, folder).then(loadDatabase)
      for (const { id, question: text, as_of: asOf, ...wanted } of items) {
        const rows = { ...wanted, columns: wanted.columns ?? wanted.rows[0]?.map((_, i) => String(i + 1)) ?? [] }
        const question = { text, accepted: [rows], asOf: asOf ?? '2026-01-01', tolerance: BUSINESS_TOLERANCE }
        cases.push(questionCase({ id, question, loading }, judged))
      }
    }
    atEnd(() => nlqTotals(judged, cases.length))
    return cases
  },
}

/** Questions in words, answered by the bot without a model: `questions.json`, `tables/<db>/*.csv`. */
export const nlqSuite: Suite = {
  floor: 0,
  cases: async (files, atEnd) => {
    const { items } = await files.json('questions.json', questionsSchema)
    const databases = new Map<string, Promise<LoadedDatabase>>()
    const loadingOf = (db: string): Promise<LoadedDatabase> => {
      const loading = databases.get(db) ?? csvFilesOf(files, `tables/${db}/`).then(loadDatabase)
      databases.set(db, loading)
      return loading
    }
    const judged: Judged[] = []
    atEnd(() => nlqTotals(judged, items.length))
    return items.map((item) =>
      questionCase({ id: item.id, question: questionOf(item), loading: loadingOf(item.db) }, judged),
    )
  },
}
