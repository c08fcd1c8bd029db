import {
  addSample,
  bytesPerSecond,
  missingParts,
  PART_TRIES_MAX,
  partRange,
  PARTS_IN_FLIGHT,
  receivedBytes,
  RETRY_AFTER_MAX_MS,
  retryDelayMs,
} from './upload-parts'
import type { RateSample } from './upload-parts'
import { ApiError, NetworkError } from '../../../lib/api'
import type { Upload } from '../../../../src/shared/data-sources/files'

export interface UploadPart {
  uploadId: string
  number: number
  bytes: Blob
  onSent: (bytes: number) => void
  signal: AbortSignal
}

/** What an upload needs of the outside. */
export interface UploadEnvironment {
  create: (file: { fileName: string; size: number }) => Promise<Upload>
  get: (id: string) => Promise<Upload>
  sendPart: (part: UploadPart) => Promise<void>
  complete: (id: string) => Promise<Upload>
  memory: UploadMemory
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  now: () => number
  random: () => number
}

export interface UploadProgress {
  sentBytes: number
  totalBytes: number
  bytesPerSecond: number | null
  /** True while a part waits for its next try. */
  waiting: boolean
}
export interface UploadRequest {
  file: File
  signal: AbortSignal
  onProgress: (progress: UploadProgress) => void
}

const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  'busy',
  'rate_limited',
  'internal',
  'unauthenticated',
  'csrf_invalid',
])
const isRetryable = (error: unknown): boolean =>
  error instanceof NetworkError || (error instanceof ApiError && RETRYABLE_CODES.has(error.body.code))
/** Others are first, or the connection broke while they were: the file itself was not refused. */
const isTurnRefusal = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof ApiError && (error.body.code === 'busy' || error.body.code === 'rate_limited'))
const isNotFoundError = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'not_found'

interface Retries {
  env: Pick<UploadEnvironment, 'wait' | 'random'>
  signal: AbortSignal
  /** Whether it may be tried again. */
  again?: (error: unknown) => boolean
  onWait?: (waiting: boolean) => void
}

/** Asks for a file's tables, and again while others are first. */
export const openWithRetries = <T>(retries: Pick<Retries, 'env' | 'signal'>, open: () => Promise<T>): Promise<T> =>
  withRetries({ ...retries, again: isTurnRefusal }, open)

/**
 * Repeats what failed for a passing reason, with growing pauses or those that the server asks for. Throws the last
 * refusal, or at once any other and one that asks for a long pause.
 */
async function withRetries<T>(
  { env, signal, again = isRetryable, onWait }: Retries,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !again(error) || attempt >= PART_TRIES_MAX) throw error
      const pause = retryWaitMs(error, attempt, env.random())
      if (pause > RETRY_AFTER_MAX_MS) throw error
      onWait?.(true)
      await env.wait(pause, signal)
      onWait?.(false)
    }
  }
}

function retryWaitMs(error: unknown, attempt: number, random: number): number {
  const asked = error instanceof ApiError ? error.body['retryAfter'] : undefined
  return Math.max(retryDelayMs(attempt, random), typeof asked === 'number' ? asked * 1000 : 0)
}

/** The upload this file was being sent to, or a new one. */
async function resumeOrCreateUpload(env: UploadEnvironment, file: File): Promise<Upload> {
  const known = env.memory.find(file)
  if (known !== null) {
    try {
      return await env.get(known)
    } catch (error) {
      if (!isNotFoundError(error)) throw error
      env.memory.forget(file)
    }
  }
  const upload = await env.create({ fileName: file.name, size: file.size })
  env.memory.keep(file, upload.id)
  return upload
}

/** Counts bytes over the parts that were there before, are done, and are on their way. */
function trackProgress(env: UploadEnvironment, job: UploadRequest, upload: Upload) {
  const sent = new Map<number, number>()
  const waiting = new Set<number>()
  const already = receivedBytes(upload)
  let samples: RateSample[] = []
  const tell = () => {
    const bytes = [...sent.values()].reduce((sum, part) => sum + part, already)
    samples = addSample(samples, { at: env.now(), bytes })
    job.onProgress({
      sentBytes: Math.min(bytes, upload.size),
      totalBytes: upload.size,
      bytesPerSecond: bytesPerSecond(samples),
      waiting: waiting.size > 0,
    })
  }
  return {
    tell,
    sent(number: number, bytes: number) {
      sent.set(number, bytes)
      tell()
    },
    waits(number: number, is: boolean) {
      if (is) waiting.add(number)
      else waiting.delete(number)
      tell()
    },
  }
}

/** Sends the parts that are missing, some at once. The first lasting refusal stops all of them. */
async function sendMissingParts(env: UploadEnvironment, job: UploadRequest, upload: Upload): Promise<void> {
  const queue = missingParts(upload)
  const count = trackProgress(env, job, upload)
  const stop = new AbortController()
  const signal = AbortSignal.any([job.signal, stop.signal])
  count.tell()
  const sendOne = async (number: number): Promise<void> => {
    const { from, to } = partRange(upload, number)
    const onSent = (bytes: number) => count.sent(number, bytes)
    const attempt = async () => {
      try {
        await env.sendPart({ uploadId: upload.id, number, bytes: job.file.slice(from, to), onSent, signal })
      } catch (error) {
        onSent(0)
        // Asking for the upload opens the sign-in sheet when the session has ended.
        if (error instanceof ApiError && error.body.code === 'unauthenticated') await env.get(upload.id)
        throw error
      }
    }
    await withRetries({ env, signal, onWait: (is) => count.waits(number, is) }, attempt)
    onSent(to - from)
  }
  const worker = async (): Promise<void> => {
    for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
      signal.throwIfAborted()
      await sendOne(number)
    }
  }
  try {
    await Promise.all(Array.from({ length: PARTS_IN_FLIGHT }, worker))
  } catch (error) {
    stop.abort()
    throw error
  }
}

/**
 * Brings a file to the server in parts and answers the complete upload. What the server already has of this file
 * is not sent again.
 * @throws ApiError what the server refused for good; NetworkError after the last try; AbortError when cancelled.
 */
export async function uploadFile(env: UploadEnvironment, job: UploadRequest): Promise<Upload> {
  const { signal } = job
  const upload = await withRetries({ env, signal }, () => resumeOrCreateUpload(env, job.file))
  if (upload.state === 'complete') return upload
  await sendMissingParts(env, job, upload)
  signal.throwIfAborted()
  return withRetries({ env, signal }, () => env.complete(upload.id))
}

/** What tells one file from another without reading it. */
type FileIdentity = Pick<File, 'name' | 'size' | 'lastModified'>

/** Remembers which upload a file belongs to, so that it goes on after a reload of the page. */
export interface UploadMemory {
  find(file: FileIdentity): string | null
  keep(file: FileIdentity, uploadId: string): void
  forget(file: FileIdentity): void
}

const PREFIX = 'insikt-upload:'

/** Kept in this tab only, for the workspace the tab is in. A store that refuses (private mode) is no reason to stop. */
export function uploadMemory(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  workspaceId: string,
): UploadMemory {
  const key = ({ name, size, lastModified }: FileIdentity): string =>
    `${PREFIX}${JSON.stringify([workspaceId, name, size, lastModified])}`
  const ignoringErrors = <T>(work: () => T, otherwise: T): T => {
    try {
      return work()
    } catch {
      return otherwise
    }
  }
  return {
    find: (file) => ignoringErrors(() => storage.getItem(key(file)), null),
    keep: (file, uploadId) => ignoringErrors(() => storage.setItem(key(file), uploadId), undefined),
    forget: (file) => ignoringErrors(() => storage.removeItem(key(file)), undefined),
  }
}
