import { Hono } from 'hono'
import { inspectUpload } from './inspect'
import { openUpload } from './open'
import { cancelUpload, completeUpload, createUpload, getUpload, putPart } from './service'
import { actorOf, scopeOf, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { createUploadSchema } from '../../shared/data-sources/files'
import { inspectUploadSchema } from '../../shared/data-sources/inspection'

/** Files on their way in: announce, send parts, complete, open, look inside. */
export const uploads = new Hono<AppEnv>()
  .post('/', may('create:upload'), jsonBody(createUploadSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'createUpload', key: actorOf(c).userId }])
    const command = {
      scope: scopeOf(c),
      input: c.req.valid('json'),
      reply: (answer: unknown) => toStoredReply(c, 201, answer),
    }
    return c.json(await createUpload(c.get('deps'), command), 201)
  })
  .get('/:id', may('create:upload'), async (c) =>
    c.json(await getUpload(c.get('deps'), scopeOf(c), pathId('upload', c.req.param('id'))), 200),
  )
  .delete('/:id', may('create:upload'), noBody(), async (c) => {
    const command = {
      id: pathId('upload', c.req.param('id')),
      reply: (answer: unknown) => toStoredReply(c, 200, answer),
    }
    return c.json(await cancelUpload(c.get('deps'), scopeOf(c), command), 200)
  })
  .post('/:id/complete', may('create:upload'), noBody(), async (c) => {
    const command = {
      id: pathId('upload', c.req.param('id')),
      reply: (answer: unknown) => toStoredReply(c, 200, answer),
    }
    return c.json(await completeUpload(c.get('deps'), scopeOf(c), command), 200)
  })
  .post('/:id/open', may('create:upload'), noBody(), async (c) => {
    await enforceRateLimits(c, [{ rate: 'openUpload', key: actorOf(c).userId }])
    const reply = (answer: unknown) => toStoredReply(c, 200, answer)
    const request = { scope: scopeOf(c), id: pathId('upload', c.req.param('id')), reply }
    return c.json(await openUpload(c.get('deps'), request), 200)
  })
  .post('/:id/inspect', may('create:upload'), jsonBody(inspectUploadSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'inspectUpload', key: actorOf(c).userId }])
    const request = { id: pathId('upload', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await inspectUpload(c.get('deps'), scopeOf(c), request), 200)
  })

/** The bytes of parts: no JSON, so outside `/api`. */
export const uploadFiles = new Hono<AppEnv>().put('/:id/parts/:number', may('create:upload'), async (c) => {
  const part = {
    uploadId: pathId('upload', c.req.param('id')),
    number: partNumber(c.req.param('number')),
    declared: declaredLength(c.req.header('content-length')),
    body: c.req.raw.body,
  }
  return c.json(await putPart(c.get('deps'), scopeOf(c), part), 200)
})

function partNumber(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new ProductError('not_found')
  return Number(text)
}

const declaredLength = (header: string | undefined): number | null =>
  header !== undefined && /^[0-9]{1,15}$/.test(header) ? Number(header) : null
