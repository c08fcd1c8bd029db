import { useEffect, useState, useSyncExternalStore } from 'react'
import { UploadQueue, type FileJob, type UploadQueueEnvironment } from './upload-queue'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import { session } from '../../../lib/session'
import { sendPart } from './send-part'
import { uploadMemory } from './chunked-upload'
import type { OpenedUpload, Upload } from '../../../../src/shared/data-sources/files'

/** The files of this screen. Leaving the page stops them; the same file goes on from where it was. */
export function useUploads(environment: () => UploadQueueEnvironment = browserUploadEnvironment): {
  jobs: readonly FileJob[]
  queue: UploadQueue
} {
  const [queue] = useState(() => new UploadQueue(environment))
  useEffect(() => queue.stopAll, [queue])
  return { jobs: useSyncExternalStore(queue.subscribe, queue.jobs), queue }
}

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

const cancelUpload = (id: string) =>
  readJson<{ id: string }>(api.api.uploads[':id'].$delete({ param: { id } }, withIdempotencyKey()))

const browserMemory = () => uploadMemory(sessionStorage, session().workspace?.id ?? '')

/** The uploader in a browser, against our own server. */
const browserUploadEnvironment = (): UploadQueueEnvironment => ({
  create: (json) => readJson<Upload>(api.api.uploads.$post({ json }, withIdempotencyKey())),
  get: (id) => readJson<Upload>(api.api.uploads[':id'].$get({ param: { id } })),
  complete: (id) => readJson<Upload>(api.api.uploads[':id'].complete.$post({ param: { id } }, withIdempotencyKey())),
  open: (id, signal) =>
    readJson<OpenedUpload>(
      api.api.uploads[':id'].open.$post({ param: { id } }, { ...withIdempotencyKey(), init: { signal } }),
    ),
  discard: cancelUpload,
  sendPart,
  memory: browserMemory(),
  wait: waitForRetry,
  now: () => Date.now(),
  random: () => Math.random(),
})
