import { QUESTIONS_AT_ONCE } from '../../../src/shared/limits'

interface WaitingQuestion {
  start: () => void
}

/** A queue of calls, a few on their way at a time, in the order in which a page asks. */
export function createQuestionQueue(atOnce = QUESTIONS_AT_ONCE) {
  const waiting: WaitingQuestion[] = []
  let running = 0

  const startNext = (): void => {
    while (running < atOnce) {
      const next = waiting.shift()
      if (!next) return
      running += 1
      next.start()
    }
  }

  /** Resolves when it is this call's turn. Rejects when nobody wants its answer any more, as an aborted `fetch` does. */
  const turn = (signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      waiting.splice(waiting.indexOf(question), 1)
      reject(abortError())
    }
    const question: WaitingQuestion = {
      start: () => {
        signal.removeEventListener('abort', leave)
        resolve()
      },
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(question)
    startNext()
    return promise
  }

  return async <T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw abortError()
    await turn(signal)
    try {
      return await call()
    } finally {
      running -= 1
      startNext()
    }
  }
}

const abortError = (): DOMException => new DOMException('Nobody waits for the answer.', 'AbortError')

/** The queue of this tab. */
export const inQuestionQueue = createQuestionQueue()
