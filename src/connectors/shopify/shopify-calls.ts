import { z } from 'zod'
import { accessRefused, callStore, SHOPIFY } from './shopify-store'
import { issueToken, tokenOf } from './shopify-token'
import { SourceError, type ConnectorContext } from '../contract'
import { assertAnswered, retryAfterOf, WAIT_MAX_MS } from '../failures'
import { jsonOf, unexpectedAnswer } from '../vendor-calls'
import type { DoorResponse } from '../../outbound/doors'

/** Objects and their fields are those of this version; it is supported for a year, and a newer one answers after that. */
export const API_VERSION = '2026-07'
/** A query that would cost more than this many points is refused whatever is left. */
const QUERY_COST_MAX = 1_000
const USUAL_WAIT_MS = 2_000

/** The token has no right to read this object. */
export class MissingScopeError extends SourceError {}
/** A query asks for more at once than one may: a smaller page of the same is let through. */
export class QueryTooCostlyError extends SourceError {}

const costSchema = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
})
const answerSchema = z.object({
  data: z.looseObject({}).nullish(),
  errors: z.array(z.object({ extensions: z.object({ code: z.string() }).partial().optional() })).optional(),
  extensions: z.object({ cost: costSchema.optional() }).optional(),
})
type Answer = z.output<typeof answerSchema>
type Cost = z.output<typeof costSchema>

export interface StoreAnswer {
  data: Readonly<Record<string, unknown>>
  /** How long until a query of the same cost has room, ms. */
  waitMs: number
}

/** Points come back at a steady rate: how long until there are enough for a query of this cost. */
function waitFor(cost: Cost | undefined): number | null {
  if (!cost) return null
  const { currentlyAvailable, restoreRate } = cost.throttleStatus
  const wait = Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1_000)
  return Math.min(WAIT_MAX_MS, Math.max(0, wait))
}

/**
 * One query of the store's Admin API. Refusals of a query come in the body of a success.
 * @throws SourceError in words; {@link MissingScopeError}; {@link QueryTooCostlyError}
 */
export async function askStore(
  context: ConnectorContext,
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<StoreAnswer> {
  const token = tokenOf(context) ?? (await issueToken(context)).accessToken
  const response = await callStore(context, {
    path: `/admin/api/${API_VERSION}/graphql.json`,
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': token },
    body: JSON.stringify({ query, variables }),
  })
  await assertStore(context, response)
  const parsed = answerSchema.safeParse(await jsonOf(response, SHOPIFY))
  if (!parsed.success) throw unexpectedAnswer(SHOPIFY)
  assertNoErrors(parsed.data)
  if (!parsed.data.data) throw unexpectedAnswer(SHOPIFY)
  return { data: parsed.data.data, waitMs: waitFor(parsed.data.extensions?.cost) ?? 0 }
}

async function assertStore(context: ConnectorContext, response: DoorResponse): Promise<void> {
  const { status } = response
  if (status >= 200 && status < 300) return
  await response.body.cancel().catch(() => undefined)
  if (status === 401 || status === 403) throw accessRefused()
  if (status === 404)
    throw new SourceError('down', { message: 'No store has this address.', mend: 'Check the store’s address.' })
  if (status === 402 || status === 423)
    throw new SourceError('down', {
      message: 'The store is frozen or locked at Shopify.',
      mend: 'Open it in Shopify first.',
    })
  if (status === 429 || status === 430)
    throw throttled(retryAfterOf(response.headers, context.clock.now()) ?? USUAL_WAIT_MS)
  assertAnswered(response, SHOPIFY, context.clock.now())
}

const throttled = (retryAfterMs: number): SourceError =>
  new SourceError('down', {
    message: 'Shopify allows no more calls at the moment.',
    mend: 'We’ll go on when there is room.',
    retryAfterMs,
  })

function assertNoErrors({ errors = [], extensions }: Answer): void {
  const codes = errors.map((error) => error.extensions?.code ?? '')
  if (codes.length === 0) return
  if (codes.includes('THROTTLED')) throw throttled(waitFor(extensions?.cost) ?? USUAL_WAIT_MS)
  if (codes.includes('MAX_COST_EXCEEDED'))
    throw new QueryTooCostlyError('too_large', {
      message: `Shopify refused a query of more than ${QUERY_COST_MAX} points.`,
      mend: 'Choose fewer streams.',
    })
  if (codes.includes('ACCESS_DENIED'))
    throw new MissingScopeError('auth', {
      message: 'The app has no right to read this.',
      mend: 'Give it the read scope in Shopify, or remove the stream.',
    })
  if (codes.includes('SHOP_INACTIVE'))
    throw new SourceError('down', { message: 'The store is closed at Shopify.', mend: 'Open it in Shopify first.' })
  throw unexpectedAnswer(SHOPIFY)
}
