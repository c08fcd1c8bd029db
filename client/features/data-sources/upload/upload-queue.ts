import { openWithRetries, uploadFile, type UploadEnvironment, type UploadProgress } from './chunked-upload'
import type { KeptFile } from './kept-uploads'
import { fileTooLarge } from '../../../../src/shared/data-sources/file-size'
import type { OpenedUpload, Upload } from '../../../../src/shared/data-sources/files'
import { ApiError } from '../../../lib/api'
import { ERRORS } from '../../../../src/shared/errors'

/** Files on their way at the same time. */
export const FILES_IN_FLIGHT = 2

/** What a queue of files needs of the outside. */
export interface UploadQueueEnvironment extends UploadEnvironment {
  /** Takes a complete upload apart into its tables. */
  open: (uploadId: string, signal: AbortSignal) => Promise<OpenedUpload>
  /** Gives back what the server holds of a file. */
  discard: (uploadId: string) => Promise<unknown>
}

export type FileState =
  | { at: 'waiting' }
  | { at: 'sending'; progress: UploadProgress }
  | { at: 'opening'; upload: Upload }
  | { at: 'failed'; error: unknown }
  | { at: 'opened'; upload: Upload; opened: OpenedUpload }
/** What is known of a file, also when its bytes are with the server only. */
export type FileFacts = Pick<File, 'name' | 'size' | 'lastModified'>

export interface FileJob {
  /** Tells the jobs of this queue apart. */
  key: number
  file: FileFacts
  /** Null: of an earlier visit; its bytes are with the server, as this upload. */
  content: File | null
  uploadId: string | null
  state: FileState
}
export interface OpenedFile {
  file: FileFacts
  upload: Upload
  opened: OpenedUpload
}

export const isInProgress = ({ state: { at } }: FileJob): boolean =>
  at === 'waiting' || at === 'sending' || at === 'opening'
export const openedFiles = (jobs: readonly FileJob[]): OpenedFile[] =>
  jobs.flatMap(({ file, state }) =>
    state.at === 'opened' ? [{ file, upload: state.upload, opened: state.opened }] : [],
  )

const initialProgress = (file: FileFacts): UploadProgress => ({
  sentBytes: 0,
  totalBytes: file.size,
  bytesPerSecond: null,
  waiting: false,
})

const initialState = (file: FileFacts): FileState => {
  const refusal = validateFile(file)
  return refusal ? { at: 'failed', error: refusal } : { at: 'waiting' }
}

/**
 * Sends files, some at once, and opens each as it arrives. One that fails stops no other. Listeners are told after every
 * change; `jobs` answers the same array until then.
 */
export class UploadQueue {
  readonly #environment: () => UploadQueueEnvironment
  readonly #listeners = new Set<() => void>()
  readonly #running = new Map<number, AbortController>()
  #jobs: readonly FileJob[] = []
  #lastKey = 0

  constructor(environment: () => UploadQueueEnvironment) {
    this.#environment = environment
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  readonly jobs = (): readonly FileJob[] => this.#jobs

  readonly add = (files: readonly File[]): void => {
    const jobs = files.map((file) => ({
      key: ++this.#lastKey,
      file,
      content: file,
      uploadId: null,
      state: initialState(file),
    }))
    this.#set([...this.#jobs, ...jobs])
    this.#pump()
  }

  /** Files of an earlier visit, which the server still has: opened again, without sending a byte. */
  readonly restore = (files: readonly KeptFile[]): void => {
    const jobs = files.map(({ name, size, uploadId }) => ({
      key: ++this.#lastKey,
      file: { name, size, lastModified: 0 },
      content: null,
      uploadId,
      state: { at: 'waiting' as const },
    }))
    this.#set([...this.#jobs, ...jobs])
    this.#pump()
  }

  readonly retry = (key: number): void => {
    this.#stop(key)
    this.#set(this.#jobs.map((job) => (job.key === key ? { ...job, state: initialState(job.file) } : job)))
    this.#pump()
  }

  /** Stops one file, forgets it and gives back what the server has of it. */
  readonly remove = (key: number): void => {
    this.#stop(key)
    for (const job of this.#jobs) if (job.key === key) this.#giveBack(job)
    this.#set(this.#jobs.filter((job) => job.key !== key))
    this.#pump()
  }

  readonly removeAll = (): void => {
    for (const job of this.#jobs) {
      this.#stop(job.key)
      this.#giveBack(job)
    }
    this.#set([])
  }

  /** A load has taken the files over: only what this tab remembers of them goes. */
  readonly finish = (): void => {
    const { memory } = this.#environment()
    for (const { file } of this.#jobs) memory.forget(file)
    this.#set([])
  }

  /** What the server holds of this drop, as a later visit may take it up again. */
  readonly kept = (): KeptFile[] =>
    this.#jobs.flatMap(({ file: { name, size }, state }) =>
      state.at === 'opened' ? [{ uploadId: state.upload.id, name, size }] : [],
    )

  /** Whose files they are is gone: nothing more of them leaves this browser. What has arrived expires by itself in a day. */
  readonly end = (): void => {
    const jobs = this.#jobs
    this.#jobs = []
    for (const { key } of jobs) this.#stop(key)
  }

  #set(jobs: readonly FileJob[]): void {
    this.#jobs = jobs
    this.#listeners.forEach((listener) => listener())
  }

  #stop(key: number): void {
    this.#running.get(key)?.abort()
    this.#running.delete(key)
  }

  /** The upload expires by itself in a day, should the call not arrive. */
  #giveBack({ file, uploadId }: FileJob): void {
    const { memory, discard } = this.#environment()
    const id = uploadId ?? memory.find(file)
    memory.forget(file)
    if (id !== null) discard(id).catch(() => undefined)
  }

  #pump(): void {
    for (const job of this.#jobs) {
      if (this.#running.size >= FILES_IN_FLIGHT) return
      if (job.state.at !== 'waiting' || this.#running.has(job.key)) continue
      const controller = new AbortController()
      this.#running.set(job.key, controller)
      void this.#run(job, controller.signal).finally(() => {
        if (this.#running.get(job.key) === controller) this.#running.delete(job.key)
        this.#pump()
      })
    }
  }

  async #run({ key, file, content, uploadId }: FileJob, signal: AbortSignal): Promise<void> {
    const env = this.#environment()
    const tell = (state: FileState): void => {
      if (!signal.aborted) this.#set(this.#jobs.map((job) => (job.key === key ? { ...job, state } : job)))
    }
    tell({ at: 'sending', progress: initialProgress(file) })
    try {
      const upload =
        content === null
          ? await env.get(uploadId ?? '')
          : await uploadFile(env, {
              file: content,
              signal,
              onProgress: (progress) => tell({ at: 'sending', progress }),
            })
      tell({ at: 'opening', upload })
      const opened = await openWithRetries({ env, signal }, () => env.open(upload.id, signal))
      tell({ at: 'opened', upload, opened })
    } catch (error) {
      tell({ at: 'failed', error })
    }
  }
}

/** Refused before a byte leaves: the same refusals as the server's, without the wait. */
function validateFile(file: Pick<File, 'name' | 'size'>): ApiError | null {
  const refuse = (code: 'file_unreadable' | 'too_large', details: object, message = '') =>
    new ApiError(ERRORS[code].status, { code, message, requestId: '', ...details })
  if (file.size === 0) return refuse('file_unreadable', { reason: 'empty' })
  const large = fileTooLarge(file)
  return large && refuse('too_large', large.details, large.message)
}
