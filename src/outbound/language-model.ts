import { DoorError } from './doors'
import { operatorFetch, type Fetcher } from './operator-fetch'
import { targetFetch, type TargetNetwork } from './target-fetch'
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

/** An OpenAI-compatible endpoint, as the operator or a workspace configured it. */
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

/** What an endpoint answered instead of a completion. */
export class ModelStatus extends Error {
  readonly status: number
  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

interface ModelCall {
  url: URL
  headers: Record<string, string>
  body: string
}
function callOf({ baseUrl, model, apiKey }: ModelEndpoint, messages: readonly ModelMessage[]): ModelCall {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/chat/completions`
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
  const request = { model, messages, temperature: 0, max_tokens: ANSWER_MAX_TOKENS, stream: false }
  return {
    url,
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify({ ...request, response_format: { type: 'json_object' } }),
  }
}

async function readCompletion(answer: { status: number; body: ReadableStream<Uint8Array> | null }) {
  if (answer.status === 200) return completionOf(JSON.parse(await boundedText(answer)))
  await answer.body?.cancel()
  throw new ModelStatus(answer.status)
}

/**
 * The endpoint that the operator configured.
 * @throws ProductError `ai_unavailable` after the deadline, for refusals and for more than an answer can be
 */
export const endpointModel =
  (endpoint: ModelEndpoint, fetcher?: Fetcher): LanguageModel =>
  (messages) =>
    inTime(async () => {
      const { url, headers, body } = callOf(endpoint, messages)
      const path = url.pathname + url.search
      return readCompletion(
        await operatorFetch({ origin: url.origin, headers }, { path, method: 'POST', body }, fetcher),
      )
    })

/**
 * An endpoint that a workspace entered: reached by the rules for what people enter, and its key goes to no other origin.
 * @throws ProductError `ai_unavailable` as above; `target_not_allowed` for an address that the rules refuse
 */
export const workspaceModel =
  (endpoint: ModelEndpoint, network: TargetNetwork): LanguageModel =>
  (messages) =>
    inTime(async () => {
      const { url, headers, body } = callOf(endpoint, messages)
      const limits = { maxBytes: ANSWER_MAX_BYTES, deadlineMs: DEADLINE_MS }
      return readCompletion(await targetFetch(network, { url: url.href, method: 'POST', headers, body, ...limits }))
    })

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
    if (error instanceof DoorError && error.reason === 'not_allowed') throw new ProductError('target_not_allowed')
    throw unavailable(error)
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
}

/** The whole text, as long as it is not longer than an answer can be. */
async function boundedText({ body }: { body: ReadableStream<Uint8Array> | null }): Promise<string> {
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
