import { useEffect, useState, useSyncExternalStore } from 'react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { keptUploads, type KeptFile } from './kept-uploads'
import { UploadQueue, type FileJob, type UploadQueueEnvironment } from './upload-queue'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import { session } from '../../../lib/session'
import { sendPart } from './send-part'
import { uploadMemory } from './chunked-upload'
import type { OpenedUpload, Upload } from '../../../../src/shared/data-sources/files'

export interface Uploads {
  jobs: readonly FileJob[]
  queue: UploadQueue
  /** Files of an earlier visit that can be taken up again. */
  kept: readonly KeptFile[]
  /** They are not wanted any more. */
  forgetKept: () => void
}

/** Queues of the pages that were left, by whose files they are and what for: coming back finds them as they were. */
const queuesOf = new WeakMap<QueryClient, Map<string, UploadQueue>>()

function queueFor(client: QueryClient, purpose: string): UploadQueue {
  const queues = queuesOf.get(client) ?? new Map<string, UploadQueue>()
  queuesOf.set(client, queues)
  const queue = queues.get(purpose) ?? new UploadQueue(browserUploadEnvironment)
  queues.set(purpose, queue)
  return queue
}

/**
 * The files of this screen, by what they are for. They stay when the page is left, and go on being sent; after a reload
 * those that had been opened are offered, as long as the server has them.
 */
export function useUploads(target: string): Uploads {
  const client = useQueryClient()
  const { user, workspace } = session()
  const purpose = `${user?.id ?? ''} ${workspace?.id ?? ''} ${target}`
  const [queue] = useState(() => queueFor(client, purpose))
  const [memory] = useState(() => keptUploads(sessionStorage, purpose))
  const [offered, setOffered] = useState(() => (queue.jobs().length === 0 ? memory.read() : []))
  useEffect(
    () =>
      queue.subscribe(() => {
        memory.write(queue.kept())
        setOffered([])
      }),
    [queue, memory],
  )
  const jobs = useSyncExternalStore(queue.subscribe, queue.jobs)
  const forgetKept = () => {
    for (const { uploadId } of offered) cancelUpload(uploadId).catch(() => undefined)
    memory.write([])
    setOffered([])
  }
  return { jobs, queue, kept: offered, forgetKept }
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
