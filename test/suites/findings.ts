import { env } from 'cloudflare:test'
import { z } from 'zod'
import { dayOfText, numberOf, rawTablesOf, type RawRecord, type RawTables } from './findings-raw'
import { untrue, type RawSet } from './findings-truth'
import { loadTable } from './load-tables'
import { csvFilesOf, type CsvFile } from './nlq-loaded'
import { preparedCheck, type Suite, type SuiteCase, type SuiteFiles } from './suite'
import { depsAt } from '../worker/deps'
import { signedIn } from '../worker/factories'
import { plainSentenceOf } from '../worker/finding-text'
import { rankStories, type RankedStory } from '../../src/features/findings/rank-stories'
import { analyzeDatasets } from '../../src/features/findings/analyze'
import { allFindings } from '../../src/features/findings/service'
import { systemIds } from '../../src/deps'
import { Scope } from '../../src/scope'
import type { CalendarContext } from '../../src/semantic/calendar'
import { FINDING_KINDS, type Finding } from '../../src/shared/findings'
import { warehouseClientFactory } from '../../src/warehouse/stub'

const figureSchema = z.strictObject({
  file: z.string(),
  /** Columns whose product is added up. */
  sum: z.array(z.string()),
  /** Per record, instead of in all. */
  avg: z.boolean().optional(),
  /** Divided by the sum of this column. */
  per: z.string().optional(),
  /** First and last day. */
  from: z.string().optional(),
  to: z.string().optional(),
  where: z.record(z.string(), z.union([z.string(), z.number(), z.strictObject({ from: z.number() })])).optional(),
})
const statementSchema = z.strictObject({
  /** What an analyst says first. */
  says: z.string(),
  figure: figureSchema,
  /** Worked out from the file by hand. */
  is: z.number(),
  /** How it is recognised among what the product tells. */
  told: z.strictObject({
    figure: z.string().optional(),
    kinds: z.array(z.enum(FINDING_KINDS)).optional(),
    sign: z.union([z.literal(1), z.literal(-1)]).optional(),
    /** Members and words that the sentence has. */
    names: z.array(z.string()).default([]),
    words: z.array(z.string()).default([]),
    /** Whether it may stand below the first of its story. */
    related: z.boolean().default(false),
  }),
})
type Statement = z.infer<typeof statementSchema>
const setSchema = z.strictObject({
  set: z.string(),
  source: z.string(),
  licence: z.string(),
  date: z.record(z.string(), z.string()),
  joins: z.array(z.tuple([z.string(), z.string(), z.string(), z.string()])).default([]),
  statements: z.array(statementSchema).min(8),
})
type StatementSet = z.infer<typeof setSchema>

/** What an analyst would say first of each set. */
const LISTS = Object.values(import.meta.glob<unknown>('./findings/*.json', { eager: true, import: 'default' })).map(
  (list) => setSchema.parse(list),
)

const NOW = Date.UTC(2026, 0, 15)
/** So many stories are looked at. */
const FIRST = 10

interface FoundSet {
  set: RawSet
  stories: RankedStory[]
}

/** Tables imported together, the relations that are proposed confirmed, and what the first screen tells of them. */
async function toldOf(list: StatementSet, tables: readonly CsvFile[]): Promise<FoundSet> {
  const me = await signedIn({ timeZone: 'UTC' })
  const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
  const warehouse = warehouseClientFactory(env.WAREHOUSE)(scope)
  const sourceId = systemIds.next('source')
  for (const table of tables) await loadTable(warehouse, { ...table, sourceId })
  for (const { id, version, state } of await warehouse.relations({}))
    if (state === 'proposed') await warehouse.updateRelation({ id, version, state: 'confirmed' })
  const context: CalendarContext = {
    deps: depsAt(NOW),
    scope,
    calendar: { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-01-15' },
  }
  const datasets = await warehouse.datasets()
  await analyzeDatasets(context, new Set(datasets.map(({ id }) => id)))
  const { findings } = await allFindings(context)
  return {
    set: { tables: rawTablesOf(tables, list.joins), datasets, dates: list.date },
    stories: rankStories(findings, { now: NOW, since: null, marks: new Map(), lessOf: new Set() }).slice(0, FIRST),
  }
}

function figureOf(tables: RawTables, dates: StatementSet['date'], figure: Statement['figure']): number {
  const { file, sum, per, from = '', to = '9999', where = {} } = figure
  const date = dates[file] ?? ''
  const isMeant = (record: RawRecord): boolean => {
    const day = dayOfText(record.get(date) ?? '')
    return (
      day >= from &&
      day <= to &&
      Object.entries(where).every(([column, want]) => {
        if (column === 'month') return Number(day.slice(5, 7)) === want
        if (typeof want === 'object') return numberOf(record, column) >= want.from
        return record.get(column) === String(want)
      })
    )
  }
  const records = (tables.get(file) ?? []).filter(isMeant)
  const product = (record: RawRecord): number => sum.reduce((all, column) => all * numberOf(record, column), 1)
  const all = records.reduce((one, record) => one + product(record), 0)
  if (figure.avg === true) return all / records.length
  return per === undefined ? all : all / records.reduce((one, record) => one + numberOf(record, per), 0)
}

function saysIt(finding: Finding, { told }: Statement): boolean {
  const sentence = plainSentenceOf(finding)
  if (told.figure !== undefined && finding.about.label !== told.figure) return false
  if (told.kinds && !told.kinds.includes(finding.kind)) return false
  if (told.sign !== undefined && Math.sign(Number(finding.effect.change)) !== told.sign) return false
  return [...told.names, ...told.words].every((each) => sentence.includes(each))
}

/** Whether the first stories say it, and that its own figure is what the file comes to. */
function checkStatement(statement: Statement, { set, stories }: FoundSet, dates: StatementSet['date']): string[] {
  const real = figureOf(set.tables, dates, statement.figure)
  const faults = Math.abs(real - statement.is) > 0.01 ? [`the file says ${String(real)}, the list ${statement.is}`] : []
  const all = stories.flatMap(({ lead, facets }) => (statement.told.related ? [lead, ...facets] : [lead]))
  return all.some((one) => saysIt(one, statement)) ? faults : [...faults, 'not among the first ten']
}

const untrueOf = ({ set, stories }: FoundSet): string[] =>
  stories.flatMap(({ lead, facets }) =>
    [lead, ...facets].flatMap((one) => untrue(set, one).map((fault) => `${plainSentenceOf(one)}: ${fault}`)),
  )

async function casesOf(list: StatementSet, files: SuiteFiles, show: (lines: string[]) => void): Promise<SuiteCase[]> {
  const load = async (): Promise<FoundSet> => {
    const told = await toldOf(list, await csvFilesOf(files, `${list.set}/`))
    show(told.stories.map(({ lead }, n) => `${list.set} ${n + 1}. [${lead.kind}] ${plainSentenceOf(lead)}`))
    return told
  }
  const loading = load()
  loading.catch(() => undefined)
  return [
    ...list.statements.map((statement) => ({
      name: `${list.set}: ${statement.says}`,
      ...preparedCheck(
        () => loading,
        (told) => checkStatement(statement, told, list.date),
      ),
    })),
    {
      name: `${list.set}: nothing of what is told is false`,
      ...preparedCheck(() => loading, untrueOf),
    },
  ]
}

/** What an analyst would say first of foreign files, and whether the first screen after the load says it. */
export const findingsSuite: Suite = {
  floor: 60,
  cases: async (files, atEnd) => {
    const lines: string[] = []
    atEnd(() => lines)
    const cases: SuiteCase[] = []
    for (const list of LISTS)
      if (await files.has(list.set)) cases.push(...(await casesOf(list, files, (some) => lines.push(...some))))
    return cases
  },
}
