import type { LoadedDatabase } from './nlq-loaded'
import { compareRows, isAnotherOfTheTie, MILLIONTH, type ShownRows, type Tolerance, type WantedRows } from './nlq-rows'
import { clock } from './suite'
import { candidatesOf, encodedQuestion, interpret } from '../../src/features/bot/model/interpret'
import { definedOnly } from '../../src/lib/defined'
import type { LexiconMatch } from '../../src/features/bot/model/schema/lexicon'
import type { InterpretInput } from '../../src/features/bot/model/contract'
import type { BotInterpretation, BotReading } from '../../src/shared/bot/interpretation'
import type { Calendar } from '../../src/shared/dates'
import { QUERY_ROWS_MAX } from '../../src/shared/limits'
import type { QueryPlan } from '../../src/shared/query/plan'

/** A question and the rows that are right for it: any of `accepted`. */
export interface Question {
  text: string
  accepted: WantedRows[]
  /** What words mean, given beside the question. */
  definitions?: string | undefined
  /** Today, for whoever asks. */
  asOf?: string | undefined
  tolerance?: Tolerance
  /** How often it is read for the measurement of time; absent: five times. */
  readings?: number
}

/**
 * `right`: the rows that are wanted. `right+`: these, with further columns. `asked`: a question back; `declined`: a typed
 * refusal, or a way to another part of the product. `failed`: read, but the figures were refused. `WRONG`: other rows.
 */
export type Verdict = 'right' | 'right+' | 'asked' | 'declined' | 'failed' | 'WRONG'
export interface Judged {
  verdict: Verdict
  /** Of a question back: whether one of its choices is right. */
  hasRightChoice: boolean
  /** Interpretation alone, without the figures. */
  ms: number
  lines: string[]
}

/** So often a question is read for one measurement. */
const READINGS = 5
const DEFAULT_DAY = '2024-06-01'

export async function judgeQuestion(question: Question, loaded: LoadedDatabase): Promise<Judged> {
  const calendar = calendarOf(question)
  const { vocabulary, values } = loaded
  const { text, definitions } = question
  const input = { question: text, vocabulary, values, calendar, asOf: calendar.today, ...definedOnly({ definitions }) }
  try {
    const { interpretation, ms } = await timed(input, question.readings ?? READINGS)
    const outcome = await verdictOf(interpretation, { question, loaded, calendar })
    const isRight = outcome.verdict === 'right'
    return { ms, ...outcome, lines: isRight ? outcome.lines : [...outcome.lines, ...(await howRead(input))] }
  } catch (error) {
    return { verdict: 'failed', hasRightChoice: false, ms: 0, lines: [`not read: ${String(error)}`] }
  }
}

/** How the engine took a question apart, and what it holds against its likeliest readings. */
async function howRead(input: InterpretInput): Promise<string[]> {
  const { encoded, words } = await encodedQuestion(input)
  const columnOf = ({ ref }: LexiconMatch): string => {
    const table = 'dataset' in ref ? input.vocabulary.datasets.find(({ id }) => id === ref.dataset) : undefined
    const column = ref.kind === 'column' ? table?.columns.find(({ key }) => key === ref.column)?.label : undefined
    return [ref.kind === 'term' ? ref.entry.term : (table?.name ?? ref.kind), column ?? ''].join(' ').trim()
  }
  const names = encoded.mentions.map(({ words: said, matches }, i) => {
    const meant = matches.slice(0, MEANINGS_TOLD).map((match) => `${columnOf(match)} ${match.score.toFixed(2)}`)
    return `m${i} ${said}: ${meant.join(' | ')}`
  })
  const candidates = candidatesOf(encoded, words, input).slice(0, READINGS_TOLD)
  return [
    `read “${encoded.source}” (${names.join(', ')})`,
    ...candidates.map(({ score, against: held, home, context }) => {
      const against = held.map(({ factor, why }) => `${factor} ${why}`).join(', ')
      const table = context.schema.dataset(home)?.source.name ?? home
      return `  ${score.toFixed(2)} of ${table}, left “${context.ask.rest}”: ${against}`
    }),
  ]
}
const READINGS_TOLD = 2
const MEANINGS_TOLD = 2

const calendarOf = ({ asOf }: Question): Calendar => ({
  ...{ timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1 },
  today: asOf ?? DEFAULT_DAY,
})

async function timed(
  input: InterpretInput,
  readings: number,
): Promise<{ interpretation: BotInterpretation; ms: number }> {
  const interpretation = await interpret(input)
  const from = await clock()
  const between = await clock()
  for (let i = 0; i < readings; i += 1) await interpret(input)
  const to = await clock()
  // The door's own way is taken off.
  return { interpretation, ms: Math.max(0, to - between - (between - from)) / readings }
}

interface At {
  question: Question
  loaded: LoadedDatabase
  calendar: Calendar
}
type Outcome = Omit<Judged, 'ms'>

async function verdictOf(read: BotInterpretation, at: At): Promise<Outcome> {
  switch (read.kind) {
    case 'answer': {
      const { verdict, lines } = await judgeReading(read, at)
      return { verdict, hasRightChoice: false, lines: [describeReading(read), ...lines] }
    }
    case 'clarify': {
      const choices: Awaited<ReturnType<typeof judgeReading>>[] = []
      for (const choice of read.choices) choices.push(await judgeReading(choice, at))
      const lines = read.choices.map(({ label }, i) => `${i + 1} (${choices[i]?.verdict ?? ''}) ${label}`)
      const hasRightChoice = choices.some(({ verdict }) => verdict === 'right')
      return { verdict: 'asked', hasRightChoice, lines: [read.question, ...lines] }
    }
    case 'refuse':
      return { verdict: 'declined', hasRightChoice: false, lines: [`${read.code}: ${read.message}`] }
    case 'way':
      return { verdict: 'declined', hasRightChoice: false, lines: [`way to ${read.way}: ${read.words}`] }
  }
}

const describeReading = ({ score, words, assumptions }: BotReading): string =>
  [`${score.toFixed(2)} ${words}`, ...assumptions].join(' · ')

/** The figures of a reading beside those that are right. */
async function judgeReading(reading: BotReading, at: At): Promise<{ verdict: Verdict; lines: string[] }> {
  const { accepted, tolerance = MILLIONTH } = at.question
  try {
    const answer = await figuresOf(reading, reading.plan, at)
    const compared = accepted.map((wanted) => compareRows(answer, wanted, tolerance))
    if (compared.some(({ kind }) => kind === 'same')) return { verdict: 'right', lines: [] }
    if (compared.some(({ kind }) => kind === 'more')) return { verdict: 'right+', lines: wantedLine(at) }
    if (reading.plan.limit !== undefined) {
      const whole = await figuresOf(reading, { ...reading.plan, limit: QUERY_ROWS_MAX }, at)
      if (accepted.some((wanted) => isAnotherOfTheTie({ answer, whole }, wanted, tolerance)))
        return { verdict: 'right', lines: ['another row of a tie that was cut'] }
    }
    const why = compared.flatMap((each) => (each.kind === 'different' ? each.why : []))
    return { verdict: 'WRONG', lines: [why[0] ?? '', ...wantedLine(at), ...gotLines(answer, reading.plan)] }
  } catch (error) {
    return { verdict: 'failed', lines: [`no figures: ${String(error)}`, JSON.stringify(reading.plan)] }
  }
}

async function figuresOf(reading: BotReading, plan: QueryPlan, { loaded, calendar }: At): Promise<ShownRows> {
  const { columns, rows } = await loaded.warehouse.query({ plan, calendar })
  const by = plan.sort?.[0]?.by
  const key =
    by === undefined
      ? ''
      : 'measure' in by
        ? `m${by.measure}`
        : 'dimension' in by
          ? `d${by.dimension}`
          : `c${by.column}`
  const sortedBy = columns.findIndex((column) => column.key === key)
  return { columns, rows, shown: reading.shown, ...(sortedBy < 0 ? {} : { sortedBy }) }
}

const ROWS_TOLD = 3
const wantedLine = ({ question }: At): string[] =>
  question.accepted.slice(0, 1).map(({ columns, rows, ordered }) => {
    const some = JSON.stringify(rows.slice(0, ROWS_TOLD))
    return `wanted ${rows.length}${ordered ? ' in order' : ''}: ${columns.join(', ')} ${some}`
  })
const gotLines = ({ rows, columns, shown }: ShownRows, plan: QueryPlan): string[] => [
  `got ${rows.length}: ${columns.map(({ label }) => label).join(', ')} ${JSON.stringify(rows.slice(0, ROWS_TOLD))}`,
  `shown ${shown?.join(', ') ?? 'all'}; plan ${JSON.stringify(plan)}`,
]
