import { Hono } from 'hono'
import { finishConsent } from './consent'
import { authorizedSource, ingestBatch } from './ingest'
import { actorOf, backgroundTasksOf, type AppEnv } from '../../http/context'
import { publicAccess, signedIn } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { readBodyText, signedBody } from '../../http/validate'
import { ProductError } from '../../shared/errors'

const BODY_MAX_BYTES = 1024 * 1024
const KEY = /^[\x21-\x7e]{1,100}$/

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
    const sent = { sourceKey: c.req.param('sourceKey'), authorization: c.req.header('authorization') }
    const giveBack = await enforceRateLimits(c, [{ rate: 'refusedPushFromAddress' }])
    const source = await authorizedSource(deps, sent)
    await giveBack()
    await enforceRateLimits(c, [{ rate: 'pushToSource', key: source.sourceId }])
    const body = await readBodyText(c.req.raw, BODY_MAX_BYTES)
    const isNdjson = /ndjson|jsonl/i.test(c.req.header('content-type') ?? '')
    const { answer, after } = await ingestBatch(deps, source, { ...sent, idempotencyKey, isNdjson, body })
    backgroundTasksOf(c).waitUntil(after().catch((error: unknown) => deps.reporter.report(error, { route: 'push' })))
    return c.json(answer, 202)
  },
)

/** `/files/connectors/callback`: where vendors lead people back to after their consent. */
const callback = new Hono<AppEnv>().get('/callback', signedIn(), async (c) =>
  c.redirect(await finishConsent(c.get('deps'), actorOf(c).userId, c.req.query()), 303),
)

export const ingestRoutes = new Hono<AppEnv>().route('/api/ingest', ingest).route('/files/connectors', callback)
