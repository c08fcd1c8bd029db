import { useCallback, useEffect, useRef, useState } from 'react'
import { browserUploads, cancelUpload } from './upload-calls'
import { uploadFile } from './uploader'
import type { UploadEnvironment, UploadProgress } from './uploader'
import { ApiError } from '../../lib/api'
import { ERRORS } from '../../../src/shared/errors'
import type { Upload } from '../../../src/shared/files'
import { FILE_MAX_BYTES } from '../../../src/shared/limits'

export type UploadState =
  | { at: 'idle' }
  | { at: 'sending'; file: File; progress: UploadProgress }
  | { at: 'failed'; file: File; error: unknown }
  | { at: 'complete'; file: File; upload: Upload }

const atStart = (file: File): UploadProgress => ({
  sentBytes: 0,
  totalBytes: file.size,
  bytesPerSecond: null,
  waiting: false,
})

/** Refused before a byte leaves: the same refusals as the server's, without the wait. */
function refusalOf(file: File): ApiError | null {
  const refuse = (code: 'file_unreadable' | 'too_large', details: object) =>
    new ApiError(ERRORS[code].status, { code, message: '', requestId: '', ...details })
  if (file.size === 0) return refuse('file_unreadable', { reason: 'empty' })
  if (file.size > FILE_MAX_BYTES) return refuse('too_large', { what: 'file', max: FILE_MAX_BYTES, size: file.size })
  return null
}

/** One upload of this tab. Leaving the page stops it; the same file goes on from where it was. */
export function useUpload(environment: () => UploadEnvironment = browserUploads) {
  const [state, setState] = useState<UploadState>({ at: 'idle' })
  const abort = useRef<AbortController | null>(null)
  const current = useRef<File | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = useCallback(
    (file: File) => {
      abort.current?.abort()
      current.current = file
      const refusal = refusalOf(file)
      if (refusal) return setState({ at: 'failed', file, error: refusal })
      const controller = new AbortController()
      abort.current = controller
      const { signal } = controller
      const say = (next: UploadState) => {
        if (!signal.aborted) setState(next)
      }
      say({ at: 'sending', file, progress: atStart(file) })
      uploadFile(environment(), {
        file,
        signal,
        onProgress: (progress) => say({ at: 'sending', file, progress }),
      }).then(
        (upload) => say({ at: 'complete', file, upload }),
        (error: unknown) => say({ at: 'failed', file, error }),
      )
    },
    [environment],
  )

  /** Stops, and gives back what the server has of the file. */
  const cancel = useCallback(() => {
    abort.current?.abort()
    const { memory } = environment()
    const id = current.current && memory.find(current.current)
    if (current.current) memory.forget(current.current)
    // It expires by itself in a day, should this call not arrive.
    if (id !== null) cancelUpload(id).catch(() => undefined)
    current.current = null
    setState({ at: 'idle' })
  }, [environment])

  /** Forgets the file after a load has taken it over. */
  const finish = useCallback(() => {
    if (current.current) environment().memory.forget(current.current)
    current.current = null
    setState({ at: 'idle' })
  }, [environment])

  return { state, start, cancel, finish }
}
