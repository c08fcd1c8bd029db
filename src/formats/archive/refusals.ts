import { ProductError } from '../../shared/errors'
import type { FileUnreadableReason } from '../../shared/errors'

const zipError = (reason: FileUnreadableReason, message: string, cause?: unknown): ProductError =>
  new ProductError('file_unreadable', { reason }, message, cause === undefined ? undefined : { cause })

export const zipDamagedError = (cause?: unknown): ProductError =>
  zipError('broken', 'The compressed file is damaged or was cut off. Save or download it again, then upload it.', cause)

export const zipUnsafeError = (what: string): ProductError =>
  zipError('unsafe', `This compressed file is not opened: ${what}. Upload the files inside it by themselves.`)

export const zipEncryptedError = (): ProductError =>
  zipError(
    'encrypted',
    'The file is protected by a password. Remove the password where it was made, then upload it again.',
  )

export const zipUnsupportedError = (): ProductError =>
  zipError(
    'unsupported',
    'The file is compressed in a way that is not read. Compress it as an ordinary zip, or upload the files inside it by themselves.',
  )
