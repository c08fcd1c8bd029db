import { canonicalJson } from '../../lib/hash'
import type { CalendarContext } from '../../semantic/calendar'
import type { MetricDefinitions } from '../../semantic/metric-definitions'
import { queryService } from '../../semantic/query-service'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import { TILE_QUESTIONS_MAX } from '../../shared/reports/tiles'

/** So many questions of a page are with the warehouse at once: whoever else asks has their turn between them. */
const QUESTIONS_AT_ONCE = 6

/** Where the questions of a page are asked. */
export interface PageQuestions {
  /** @throws ProductError what the plan is refused for; `query_too_complex` beyond what one page may ask */
  answer(plan: QueryPlan): Promise<QueryResult>
  /** The same for questions that one statement is made of: they are not counted. */
  answerPart(plan: QueryPlan): Promise<QueryResult>
  /** The oldest data of all answers so far. */
  dataAsOf(): string | null
}

/** How many different questions may be asked, and what is said beyond. */
export interface QuestionsLimit {
  max: number
  message: string
}
export const PAGE_QUESTIONS: QuestionsLimit = {
  max: TILE_QUESTIONS_MAX,
  message: 'Too many figures on one page. Split it.',
}

/** Equal questions are asked once, and no more than a few at a time, in their order. */
export function pageQuestions(
  { deps, scope, calendar }: CalendarContext,
  { definitions, signal, limit }: { definitions: MetricDefinitions; signal: AbortSignal; limit: QuestionsLimit },
): PageQuestions {
  const figures = queryService(deps, { scope, calendar, definitions, ofPage: true })
  const inTurn = turns(QUESTIONS_AT_ONCE)
  const asked = new Map<string, Promise<QueryResult>>()
  const ages = new Set<string>()
  const ask = async (plan: QueryPlan): Promise<QueryResult> =>
    inTurn(async () => {
      signal.throwIfAborted()
      const result = await figures.answer(plan)
      if (result.dataAsOf !== null) ages.add(result.dataAsOf)
      return result
    })
  let counted = 0
  const count = (): void => {
    counted += 1
    if (counted > limit.max) throw new ProductError('query_too_complex', { max: limit.max }, limit.message)
  }
  const shared = async (plan: QueryPlan, isCounted: boolean): Promise<QueryResult> => {
    const key = canonicalJson(plan)
    const known = asked.get(key)
    if (known) return known
    if (isCounted) count()
    const answer = ask(plan)
    asked.set(key, answer)
    return answer
  }
  return {
    answer: (plan) => shared(plan, true),
    answerPart: (plan) => shared(plan, false),
    dataAsOf: () => [...ages].toSorted()[0] ?? null,
  }
}

/** Lets `count` works go on at once; the others wait in the order in which they came. */
function turns(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
