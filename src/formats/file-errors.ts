import { ProductError, type FileUnreadableReason } from '../shared/errors'

interface ErrorContext {
  line?: number
  cause?: unknown
}

/** Why a file cannot be read; the message says what to do about it. */
export function unreadableError(
  reason: FileUnreadableReason,
  message: string,
  { line, cause }: ErrorContext = {},
): ProductError {
  const details = line === undefined ? { reason } : { reason, line }
  return new ProductError('file_unreadable', details, message, cause === undefined ? undefined : { cause })
}
