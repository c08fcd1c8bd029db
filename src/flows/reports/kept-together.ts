import type { AskedQuery } from '../../warehouse/contract'
import type { QueryResult } from '../../shared/query/result'

/** So many kept answers travel in one call: each may be half a million characters. */
const ANSWERS_A_CALL = 24

interface WaitingQuestion {
  asked: AskedQuery
  tell: (answer: QueryResult | null) => void
}

/**
 * Looks for kept answers to the questions that come in one go by one call: five hundred pages of a board that hear of new
 * rows ask what one of them has asked. Null: it is to be asked by itself. A question that comes alone is not looked for.
 */
export function keptTogether(
  read: (asks: AskedQuery[]) => Promise<(QueryResult | null)[]>,
): (asked: AskedQuery) => Promise<QueryResult | null> {
  let waiting: WaitingQuestion[] = []
  const tellAll = async (questions: readonly WaitingQuestion[]): Promise<void> => {
    // Whatever went wrong goes wrong again for each by itself, which says it where it belongs.
    const answers =
      questions.length < 2 ? [] : await read(questions.map(({ asked }) => asked)).catch((): QueryResult[] => [])
    questions.forEach(({ tell }, at) => tell(answers[at] ?? null))
  }
  const flush = (): void => {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += ANSWERS_A_CALL) void tellAll(all.slice(from, from + ANSWERS_A_CALL))
  }
  return (asked) =>
    new Promise((tell) => {
      // All that a page asks comes before the next task begins, but for what has to read something first.
      if (waiting.length === 0) setTimeout(flush, 0)
      waiting.push({ asked, tell })
    })
}
