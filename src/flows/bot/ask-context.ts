import type { Interpret, PreviousQuestion, Vocabulary } from '../../features/bot/model/contract'
import type { CalendarContext } from '../../semantic/calendar'
import type { BotInterpretation } from '../../shared/bot/interpretation'
import type { ErrorBody } from '../../shared/errors'
import type { CellFormatter } from '../../shared/figures/cell-formatter'

/** A question, and what it may go on from. */
export interface AskedQuestion {
  question: string
  /** Words explained beside it. */
  definitions?: string
  previous?: PreviousQuestion
  /** Earlier turns of the conversation, the oldest first: for a language model. */
  turns?: readonly { question: string; words: string }[]
}

/** How a language model read a question. `null` where it may not be asked, or gave nothing of use. */
export interface ModelReading {
  interpretation: BotInterpretation
  /** Tokens. */
  cost: number
  /** `rules`: theirs is the answer after all. */
  engine: 'llm' | 'rules'
}
/** What reads questions that the rules cannot. It is given what the asker may see, and answers a plan, never a figure. */
export interface BotModel {
  /** Whether one is set up for the workspace. */
  isConfigured: boolean
  read(
    context: AskContext,
    asked: AskedQuestion & { vocabulary: Vocabulary; refused: BotInterpretation },
  ): Promise<ModelReading | null>
}
/** Rules only. */
export const NO_MODEL: BotModel = { isConfigured: false, read: () => Promise.resolve(null) }

/** What asking for somebody takes. */
export interface AskContext extends CalendarContext {
  /** The rules engine. */
  interpret: Interpret
  model: BotModel
  /** In the notation of who reads the answer. */
  format: CellFormatter
  /** Any throw as the body of a refusal. */
  refusal: (thrown: unknown) => ErrorBody
}

/** Periods count back from the end of the data, where that has passed: "last month" is the last one with rows. */
export function calendarOfData({ calendar }: CalendarContext, { datasets }: Vocabulary): CalendarContext['calendar'] {
  const ends = datasets.flatMap(({ columns }) => columns.flatMap(({ to }) => to ?? []))
  const passed = ends.filter((day) => day <= calendar.today).toSorted()
  return ends.some((day) => day > calendar.today) ? calendar : { ...calendar, today: passed.at(-1) ?? calendar.today }
}
