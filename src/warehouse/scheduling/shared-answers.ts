import { queryCancelled } from './query-scheduler'
import { ProductError } from '../../shared/errors'
import type { QueryResult } from '../../shared/query/result'

/** Who asks what, as far as it decides with whom an answer can be shared. */
interface SharedQuestion {
  /** Equal questions of equal rights have equal identities. */
  identity: string
  isBackground: boolean
  person: string
  ticket: string | undefined
}

/**
 * Equal questions that come while one of them is answered wait for its answer: of five hundred pages that hear of new
 * rows one asks.
 */
export class SharedAnswers {
  readonly #running = new Map<string, { isBackground: boolean; answer: Promise<QueryResult> }>()
  /** Ends the waiting of a question that nobody waits for any more. */
  readonly #waiting = new Map<string, () => void>()

  /** Others may wait for this answer until it is there. */
  add({ identity, isBackground }: SharedQuestion, answer: Promise<QueryResult>): Promise<QueryResult> {
    const own = { isBackground, answer }
    this.#running.set(identity, own)
    const end = (): void => {
      if (this.#running.get(identity) === own) this.#running.delete(identity)
    }
    answer.then(end, end)
    return answer
  }

  /**
   * What to wait for; null: no equal question is answered now. What is answered in the background is not waited for at a
   * screen.
   */
  find({ identity, isBackground }: SharedQuestion): Promise<QueryResult> | null {
    const running = this.#running.get(identity)
    return running && (isBackground || !running.isBackground) ? running.answer : null
  }

  /**
   * Waits for the answer to an equal question; null: it was cancelled there, or came at a bad time, so that who waited asks.
   * @throws ProductError what the plan is refused for; `busy` when nobody waits any more
   */
  async join(question: SharedQuestion, answer: Promise<QueryResult>): Promise<QueryResult | null> {
    try {
      return { ...(await this.#untilCancelled(question, answer)), cached: true }
    } catch (error) {
      if (error instanceof Cancelled) throw queryCancelled()
      if (error instanceof ProductError && error.code === 'busy') return null
      throw error
    }
  }

  cancel(person: string, ticket: string): void {
    this.#waiting.get(`${person} ${ticket}`)?.()
  }

  async #untilCancelled({ person, ticket }: SharedQuestion, answer: Promise<QueryResult>): Promise<QueryResult> {
    if (ticket === undefined) return answer
    const key = `${person} ${ticket}`
    const { promise, reject } = Promise.withResolvers<never>()
    this.#waiting.set(key, () => reject(new Cancelled('busy', {})))
    try {
      return await Promise.race([answer, promise])
    } finally {
      this.#waiting.delete(key)
    }
  }
}

/** Of the one who waits, not of the one who asks. */
class Cancelled extends ProductError {}
