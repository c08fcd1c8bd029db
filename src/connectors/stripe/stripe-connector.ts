import { z } from 'zod'
import { STRIPE_LISTS, type StripeList } from './stripe-lists'
import { SourceError, type Connector, type ConnectorContext, type Cursor, type ReadPage } from '../contract'
import { declared, rowOf } from '../records'
import { callVendor, jsonOf, unexpectedAnswer } from '../vendor-calls'
import type { DoorResponse } from '../../outbound/doors'
import type { ConnectorDescription, SourceStream } from '../../shared/data-sources/connectors'

const STRIPE = 'Stripe'
const DAY_SECONDS = 86_400
const PAGE_MAX = 100
/** Half of what a sandbox allows, and a single list of a live account: the wizard and a sync may ask at the same time. */
const RATE = { calls: 12, perMs: 1_000, of: 'connection' } as const
/** Lists and their properties are those of this version. */
const API_VERSION = '2025-03-31.basil'
const KEY = /^(rk|sk)_(test|live)_\w+$/

const DESCRIPTION: ConnectorDescription = {
  kind: 'stripe',
  title: 'Stripe',
  summary: 'Payments, fees, payouts, invoices and subscriptions from Stripe',
  group: 'sales',
  auth: 'secrets',
  fields: [
    {
      ...{ key: 'key', label: 'Restricted key', control: 'password', required: true, secret: true, maxLength: 300 },
      hint: 'Stripe: Developers, API keys. Read rights only.',
      placeholder: 'rk_live_…',
    },
  ],
  reads: [
    'Balance transactions with fees, charges, refunds and payouts',
    'Invoices, subscriptions and customers, where the key allows',
  ],
  never: ['Moves money or changes anything in Stripe', 'Reads card numbers'],
  delivery: 'pull',
  rate: RATE,
}

class MissingRightError extends SourceError {}

async function stripeGet(
  context: ConnectorContext,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { key = '' } = context.connection.secrets
  const call = {
    origin: 'api',
    path: `/v1/${path}?${new URLSearchParams(query).toString()}`,
    headers: { authorization: `Bearer ${key}`, 'stripe-version': API_VERSION },
  }
  const read = ({ status }: DoorResponse): SourceError | undefined => {
    if (status === 401)
      return new SourceError('auth', {
        message: 'Stripe no longer accepts this key.',
        mend: 'Enter a new restricted key.',
      })
    return status === 403
      ? new MissingRightError('auth', {
          message: 'The key has no right to read this.',
          mend: 'Give the key read rights in Stripe, or remove the stream.',
        })
      : undefined
  }
  return jsonOf(await callVendor(context, call, { vendor: STRIPE, windowMs: RATE.perMs, read }), STRIPE)
}

const pageSchema = z.object({ has_more: z.boolean(), data: z.array(z.looseObject({ id: z.string() })) })

async function pageOf(context: ConnectorContext, list: StripeList, query: Readonly<Record<string, string>>) {
  const parsed = pageSchema.safeParse(await stripeGet(context, list.key, { ...list.query, ...query }))
  if (!parsed.success) throw unexpectedAnswer(STRIPE)
  return parsed.data
}

/** Whether the key may read a list. */
async function mayRead(context: ConnectorContext, list: StripeList): Promise<boolean> {
  try {
    await pageOf(context, list, { limit: '1' })
    return true
  } catch (error) {
    if (error instanceof MissingRightError) return false
    throw error
  }
}

const streamOf = ({ key, label, columns, windowDays }: StripeList): SourceStream => ({
  ...{ key, label, columns: declared(columns), keyColumns: ['id'] },
  incrementalColumn: windowDays === null ? null : 'created',
  modes: windowDays === null ? ['replace'] : ['upsert', 'replace'],
  proposed: true,
})

const accountSchema = z.object({ business_profile: z.object({ name: z.string().nullable() }).nullish() })
/** What the account is called, where the key may know. */
async function accountName(context: ConnectorContext): Promise<string | null> {
  try {
    return accountSchema.safeParse(await stripeGet(context, 'account', {})).data?.business_profile?.name ?? null
  } catch (error) {
    if (error instanceof MissingRightError) return null
    throw error
  }
}

/** Between pages: behind which object, since when (epoch seconds), and when the sync began (epoch ms). */
function positionOf(cursor: Cursor | null, now: number): { after: string | null; since: number; began: number } {
  const [after, since, began] = [cursor?.['after'], cursor?.['since'], cursor?.['began']]
  return {
    after: typeof after === 'string' ? after : null,
    since: typeof since === 'number' ? since : 0,
    began: typeof began === 'number' ? began : now,
  }
}

async function readList(
  context: ConnectorContext,
  list: StripeList,
  { mode, cursor, budget }: Parameters<Connector['read']>[1],
): Promise<ReadPage> {
  const { after, since: known, began } = positionOf(cursor, context.clock.now())
  const since = mode === 'upsert' ? known : 0
  const found = await pageOf(context, list, {
    limit: String(Math.min(PAGE_MAX, budget.maxRows)),
    ...(since > 0 ? { 'created[gte]': String(since) } : {}),
    ...(after === null ? {} : { starting_after: after }),
  })
  const last = found.data.at(-1)
  // A page that ends where the one before did would go on for ever.
  if (found.has_more && (!last || last.id === after)) throw unexpectedAnswer(STRIPE)
  const rows = found.data.map((object) => rowOf(object, list.columns))
  if (found.has_more && last) return { kind: 'rows', rows, cursor: { after: last.id, since, began }, done: false }
  const { windowDays } = list
  const next = windowDays === null ? null : { since: Math.floor(began / 1000) - windowDays * DAY_SECONDS }
  return { kind: 'rows', rows, cursor: next, done: true }
}

export const stripeConnector: Connector = {
  describe: () => DESCRIPTION,

  async test(context) {
    const { key = '' } = context.connection.secrets
    if (!KEY.test(key))
      throw new SourceError('auth', { message: 'That’s no key of Stripe.', mend: 'Enter a restricted key, rk_live_…' })
    const readable = await Promise.all(STRIPE_LISTS.map((list) => mayRead(context, list)))
    const missing = STRIPE_LISTS.filter((_list, at) => readable[at] !== true).map(({ label }) => label)
    if (missing.length === STRIPE_LISTS.length)
      throw new SourceError('auth', { message: 'The key has no read rights.', mend: 'Give it read rights in Stripe.' })
    const account = await accountName(context)
    const warnings = [
      ...(key.startsWith('sk_') ? ['This key can do more than read. Use a restricted key.'] : []),
      ...(key.includes('_test_') ? ['This key is of test mode: no real payments.'] : []),
      ...(missing.length > 0 ? [`The key can’t read: ${missing.join(', ')}.`] : []),
    ]
    return { ...(account === null ? {} : { account }), warnings }
  },

  async discover(context) {
    const streams: SourceStream[] = []
    for (const list of STRIPE_LISTS) if (await mayRead(context, list)) streams.push(streamOf(list))
    return streams
  },

  read(context, request) {
    const list = STRIPE_LISTS.find(({ key }) => key === request.stream.key)
    if (list) return readList(context, list, request)
    throw new SourceError('drift', { message: 'This stream no longer exists.', mend: 'Remove it from the source.' })
  },
}
