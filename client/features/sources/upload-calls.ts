import { readJson, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import { sendPart } from './send-part'
import { uploadMemory } from './upload-memory'
import type { UploadQueueEnvironment } from './upload-queue'
import type { OpenedUpload, Upload } from '../../../src/shared/files'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** Resolves early when the upload is cancelled or the network comes back. */
const waitForRetry = (ms: number, signal: AbortSignal): Promise<void> =>
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

const cancelUpload = (id: string) => readJson<{ id: string }>(api.api.uploads[':id'].$delete({ param: { id } }, once()))

const browserMemory = () => uploadMemory(sessionStorage, session().workspace?.id ?? '')

/** The uploader in a browser, against our own server. */
export const browserUploadEnvironment = (): UploadQueueEnvironment => ({
  create: (json) => readJson<Upload>(api.api.uploads.$post({ json }, once())),
  get: (id) => readJson<Upload>(api.api.uploads[':id'].$get({ param: { id } })),
  complete: (id) => readJson<Upload>(api.api.uploads[':id'].complete.$post({ param: { id } }, once())),
  open: (id, signal) =>
    readJson<OpenedUpload>(api.api.uploads[':id'].open.$post({ param: { id } }, { ...once(), init: { signal } })),
  discard: cancelUpload,
  sendPart,
  memory: browserMemory(),
  wait: waitForRetry,
  now: () => Date.now(),
  random: () => Math.random(),
})
