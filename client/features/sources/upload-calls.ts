import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import { sendPart } from './send-part'
import { uploadMemory } from './upload-memory'
import type { ImportEnvironment } from './upload-queue'
import type { OpenedUpload, Upload } from '../../../src/shared/files'

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

const cancelUpload = (id: string) => answer<{ id: string }>(api.api.uploads[':id'].$delete({ param: { id } }, once()))

const browserMemory = () => uploadMemory(sessionStorage, session().workspace?.id ?? '')

/** The uploader in a browser, against our own server. */
export const browserUploads = (): ImportEnvironment => ({
  create: (json) => answer<Upload>(api.api.uploads.$post({ json }, once())),
  get: (id) => answer<Upload>(api.api.uploads[':id'].$get({ param: { id } })),
  complete: (id) => answer<Upload>(api.api.uploads[':id'].complete.$post({ param: { id } }, once())),
  open: (id, signal) =>
    answer<OpenedUpload>(api.api.uploads[':id'].open.$post({ param: { id } }, { ...once(), init: { signal } })),
  discard: cancelUpload,
  sendPart,
  memory: browserMemory(),
  wait: pause,
  now: () => Date.now(),
  random: () => Math.random(),
})
