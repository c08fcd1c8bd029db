import { Hono } from 'hono'
import { finishConsent } from './consent'
import { actorOf, type AppEnv } from '../../http/context'
import { publicAccess, signedIn } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { readBodyText, signedBody } from '../../http/validate'
import { sha256Hex } from '../../lib/hash'
import { ProductError, unwrap } from '../../shared/errors'
import type { PushInboxRpc } from '../../connectors/push/push-inbox'

const BODY_MAX_BYTES = 1024 * 1024
const KEY = /^[\x21-\x7e]{1,100}$/

/** Digests of sources with tokens that were let in lately: their tries are not counted as guesses. The inbox still decides. */
const LET_IN = new Set<string>()
const LET_IN_MAX = 1_000

/** `/api/ingest/:sourceKey`: rows that programs send; who they are is said by a token, and by no cookie. */
const ingest = new Hono<AppEnv>().post(
  '/:sourceKey',
  publicAccess('says by its token which one source it may send rows to'),
  signedBody(),
  async (c) => {
    const deps = c.get('deps')
    const idempotencyKey = c.req.header('idempotency-key') ?? null
    if (idempotencyKey !== null && !KEY.test(idempotencyKey))
      throw new ProductError('invalid_input', { fields: { 'Idempotency-Key': 'Up to 100 printable characters.' } })
    const sourceKey = c.req.param('sourceKey')
    const [, token = ''] = /^Bearer ([0-9a-f]{64})$/.exec(c.req.header('authorization') ?? '') ?? []
    const tokenHash = await sha256Hex(token)
    const pair = `${sourceKey} ${tokenHash}`
    const guess = [{ rate: 'refusedPushFromAddress' as const }]
    const giveBack = LET_IN.has(pair) ? null : await enforceRateLimits(c, guess)
    const body = await readBodyText(c.req.raw, BODY_MAX_BYTES)
    const isNdjson = /ndjson|jsonl/i.test(c.req.header('content-type') ?? '')
    const batch = { tokenHash, idempotencyKey, isNdjson, body }
    const inbox: Pick<PushInboxRpc, 'receive'> = deps.pushInbox.getByName(sourceKey)
    const received = await inbox.receive(sourceKey, batch)
    if (!received.ok && received.error.code === 'unauthenticated') {
      LET_IN.delete(pair)
      if (giveBack === null) await enforceRateLimits(c, guess)
    } else if (giveBack !== null) {
      if (LET_IN.size >= LET_IN_MAX) LET_IN.clear()
      LET_IN.add(pair)
      await giveBack()
    }
    return c.json(unwrap(received), 202)
  },
)

/** `/files/connectors/callback`: where vendors lead people back to after their consent. */
const callback = new Hono<AppEnv>().get('/callback', signedIn(), async (c) =>
  c.redirect(await finishConsent(c.get('deps'), actorOf(c).userId, c.req.query()), 303),
)

export const ingestRoutes = new Hono<AppEnv>().route('/api/ingest', ingest).route('/files/connectors', callback)
