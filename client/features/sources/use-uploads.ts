import { useEffect, useState, useSyncExternalStore } from 'react'
import { browserUploadEnvironment } from './upload-calls'
import { UploadQueue } from './upload-queue'
import type { FileJob, UploadQueueEnvironment } from './upload-queue'

/** The files of this screen. Leaving the page stops them; the same file goes on from where it was. */
export function useUploads(environment: () => UploadQueueEnvironment = browserUploadEnvironment): {
  jobs: readonly FileJob[]
  queue: UploadQueue
} {
  const [queue] = useState(() => new UploadQueue(environment))
  useEffect(() => queue.stopAll, [queue])
  return { jobs: useSyncExternalStore(queue.subscribe, queue.jobs), queue }
}
