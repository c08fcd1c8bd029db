import { useEffect, useState, useSyncExternalStore } from 'react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { keptUploads, type KeptFile } from './kept-uploads'
import { UploadQueue, type FileJob, type UploadQueueEnvironment } from './upload-queue'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import { session, subscribeToSession } from '../../../lib/session'
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

/** Whose files they are, and where they go, wherever the tab is meanwhile. */
interface UploadOwner {
  userId: string
  workspaceId: string
}

/** Queues of the pages that were left, by whose files they are and what for: coming back finds them as they were. */
const queuesOf = new WeakMap<QueryClient, Map<string, UploadQueue>>()

function queueFor(client: QueryClient, purpose: string, owner: UploadOwner): UploadQueue {
  const queues = queuesOf.get(client) ?? new Map<string, UploadQueue>()
  queuesOf.set(client, queues)
  const known = queues.get(purpose)
  if (known) return known
  const queue = new UploadQueue(() => browserUploadEnvironment(owner))
  queues.set(purpose, queue)
  const unsubscribe = subscribeToSession(() => {
    if (session().user?.id === owner.userId) return
    unsubscribe()
    queues.delete(purpose)
    queue.end()
  })
  return queue
}

/**
 * The files of this screen, by what they are for. They stay when the page is left, and go on being sent; after a reload
 * those that had been opened are offered, as long as the server has them.
 */
export function useUploads(target: string): Uploads {
  const client = useQueryClient()
  const { user, workspace } = session()
  const owner = { userId: user?.id ?? '', workspaceId: workspace?.id ?? '' }
  const purpose = `${owner.userId} ${owner.workspaceId} ${target}`
  const [queue] = useState(() => queueFor(client, purpose, owner))
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

const cancelUpload = (id: string, headers: Record<string, string> = {}) =>
  readJson<{ id: string }>(
    api.api.uploads[':id'].$delete({ param: { id } }, { headers: { ...headers, ...withIdempotencyKey().headers } }),
  )

/** The uploader in a browser, against our own server. */
function browserUploadEnvironment({ workspaceId }: UploadOwner): UploadQueueEnvironment {
  const headers = { 'x-workspace': workspaceId }
  const write = () => ({ headers: { ...headers, ...withIdempotencyKey().headers } })
  return {
    create: (json) => readJson<Upload>(api.api.uploads.$post({ json }, write())),
    get: (id) => readJson<Upload>(api.api.uploads[':id'].$get({ param: { id } }, { headers })),
    complete: (id) => readJson<Upload>(api.api.uploads[':id'].complete.$post({ param: { id } }, write())),
    open: (id, signal) =>
      readJson<OpenedUpload>(api.api.uploads[':id'].open.$post({ param: { id } }, { ...write(), init: { signal } })),
    discard: (id) => cancelUpload(id, headers),
    sendPart: (part) => sendPart(part, headers),
    memory: uploadMemory(sessionStorage, workspaceId),
    wait: waitForRetry,
    now: () => Date.now(),
    random: () => Math.random(),
  }
}
