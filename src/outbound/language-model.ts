import { operatorFetch, type Fetcher } from './operator-fetch'
import { ProductError } from '../shared/errors'

/** What a model is given: instructions, then turns. */
export interface ModelMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}
export interface ModelAnswer {
  text: string
  /** Tokens, as the endpoint counts them; 0 where it does not. */
  tokens: number
}
/** Asks a language model once. @throws ProductError `ai_unavailable` for whatever is no answer */
export type LanguageModel = (messages: readonly ModelMessage[]) => Promise<ModelAnswer>

/** An OpenAI-compatible endpoint, as the operator configured it. */
export interface ModelEndpoint {
  /** With its path, such as `https://api.example.com/v1`. */
  baseUrl: string
  model: string
  apiKey: string | undefined
}
/** The platform's own models. */
export interface ModelBinding {
  run(model: string, input: { messages: readonly ModelMessage[]; max_tokens: number }): Promise<unknown>
}

/** A plan is short. */
const ANSWER_MAX_TOKENS = 900
const ANSWER_MAX_BYTES = 64 * 1024
const DEADLINE_MS = 10_000

const unavailable = (cause: unknown): ProductError => new ProductError('ai_unavailable', {}, undefined, { cause })

/** @throws ProductError `ai_unavailable` after the deadline, for refusals and for more than an answer can be */
export function endpointModel({ baseUrl, model, apiKey }: ModelEndpoint, fetcher?: Fetcher): LanguageModel {
  const { origin, pathname } = new URL(baseUrl)
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  const path = `${pathname.replace(/\/$/, '')}/chat/completions`
  return (messages) =>
    inTime(async () => {
      const body = JSON.stringify({
        ...{ model, messages, temperature: 0, max_tokens: ANSWER_MAX_TOKENS, stream: false },
        response_format: { type: 'json_object' },
      })
      const answer = await operatorFetch({ origin, headers }, { path, method: 'POST', body }, fetcher)
      if (answer.status !== 200) {
        await answer.body?.cancel()
        throw new Error(`status ${answer.status}`)
      }
      return completionOf(JSON.parse(await boundedText(answer)))
    })
}

/** @throws ProductError `ai_unavailable` */
export const boundModel =
  (binding: ModelBinding, model: string): LanguageModel =>
  (messages) =>
    inTime(async () => completionOf(await binding.run(model, { messages, max_tokens: ANSWER_MAX_TOKENS })))

async function inTime(work: () => Promise<ModelAnswer>): Promise<ModelAnswer> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), DEADLINE_MS)
  })
  try {
    return await Promise.race([work(), late])
  } catch (error) {
    throw unavailable(error)
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
}

/** The whole text, as long as it is not longer than an answer can be. */
async function boundedText({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) return text + decoder.decode()
    size += next.value.byteLength
    if (size > ANSWER_MAX_BYTES) {
      await reader?.cancel()
      throw new Error('answer too long')
    }
    text += decoder.decode(next.value, { stream: true })
  }
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

/** The text of an answer as such endpoints, and the platform's models, write it. */
function completionOf(answer: unknown): ModelAnswer {
  const choices = memberOf(answer, 'choices')
  const message = Array.isArray(choices) ? memberOf(choices[0], 'message') : answer
  const content = memberOf(message, 'content') ?? memberOf(message, 'response')
  const text = typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content)
  if (text === '' || text.length > ANSWER_MAX_BYTES) throw new Error('no text in the answer')
  const tokens = memberOf(memberOf(answer, 'usage'), 'total_tokens')
  return { text, tokens: typeof tokens === 'number' && Number.isFinite(tokens) ? Math.max(0, Math.round(tokens)) : 0 }
}
