import { Hono } from 'hono'
import { putAvatar, removeAvatar } from './service'
import { actorOf, type AppEnv } from '../../http/context'
import { publicAccess, signedIn } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { readPicture } from '../../http/picture-upload'
import { enforceRateLimits } from '../../http/rate-limit'
import { noBody } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { PICTURE_KEY } from '../../shared/pictures'

/** Pictures of people and workspaces. Whoever knows the random key may see one: pages of many people show it. */
const pictures = new Hono<AppEnv>().get('/:key', publicAccess('the random key is the permission'), async (c) => {
  const key = c.req.param('key')
  const object = PICTURE_KEY.test(key) ? await readPicture(c.get('deps'), key) : null
  if (!object) throw new ProductError('not_found')
  return c.body(object.body, 200, {
    'Content-Type': object.httpMetadata?.contentType ?? 'application/octet-stream',
    'Content-Length': String(object.size),
    'Content-Disposition': 'inline',
    // Opened on its own, a picture is a document: one that may do nothing.
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    // A key never shows another picture.
    'Cache-Control': 'private, max-age=31536000, immutable',
  })
})

/** The signed-in person's own picture. */
const profileFiles = new Hono<AppEnv>()
  .put('/avatar', signedIn(), async (c) => {
    const person = actorOf(c)
    await enforceRateLimits(c, [{ rate: 'changePicture', key: person.userId }])
    return c.json(await putAvatar(c.get('deps'), person, c.req.raw), 200)
  })
  .delete('/avatar', signedIn(), noBody(), async (c) => {
    const removed = { avatar: null }
    return c.json(await removeAvatar(c.get('deps'), actorOf(c), toStoredReply(c, 200, removed)), 200)
  })

/** The calls of this feature. */
export const pictureRoutes = new Hono<AppEnv>().route('/files/profile', profileFiles).route('/files/pictures', pictures)
