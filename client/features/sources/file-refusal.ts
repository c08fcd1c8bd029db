import { ApiError } from '../../lib/api'
import { ERRORS } from '../../../src/shared/errors'
import { FILE_MAX_BYTES } from '../../../src/shared/limits'

/** Refused before a byte leaves: the same refusals as the server's, without the wait. */
export function validateFile(file: Pick<File, 'size'>): ApiError | null {
  const refuse = (code: 'file_unreadable' | 'too_large', details: object) =>
    new ApiError(ERRORS[code].status, { code, message: '', requestId: '', ...details })
  if (file.size === 0) return refuse('file_unreadable', { reason: 'empty' })
  if (file.size > FILE_MAX_BYTES) return refuse('too_large', { what: 'file', max: FILE_MAX_BYTES, size: file.size })
  return null
}
