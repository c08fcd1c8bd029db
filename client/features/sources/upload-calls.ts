import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import { sendPart } from './send-part'
import { uploadMemory } from './upload-memory'
import type { UploadEnvironment } from './uploader'
import type { Upload } from '../../../src/shared/files'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** Resolves early when the upload is cancelled or the network comes back. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    addEventListener('online', done)
  })

export const cancelUpload = (id: string) =>
  answer<{ id: string }>(api.api.uploads[':id'].$delete({ param: { id } }, once()))

export const browserMemory = () => uploadMemory(sessionStorage, session().workspace?.id ?? '')

/** The uploader in a browser, against our own server. */
export const browserUploads = (): UploadEnvironment => ({
  create: (json) => answer<Upload>(api.api.uploads.$post({ json }, once())),
  get: (id) => answer<Upload>(api.api.uploads[':id'].$get({ param: { id } })),
  complete: (id) => answer<Upload>(api.api.uploads[':id'].complete.$post({ param: { id } }, once())),
  sendPart,
  memory: browserMemory(),
  wait: pause,
  now: () => Date.now(),
  random: () => Math.random(),
})
