import { ProductError } from '../../shared/errors'
import type { FileUnreadableReason } from '../../shared/errors'

const refuse = (reason: FileUnreadableReason, message: string, cause?: unknown): ProductError =>
  new ProductError('file_unreadable', { reason }, message, cause === undefined ? undefined : { cause })

export const brokenArchive = (cause?: unknown): ProductError =>
  refuse('broken', 'The compressed file is damaged or was cut off. Save or download it again, then upload it.', cause)

export const unsafeArchive = (what: string): ProductError =>
  refuse('unsafe', `This compressed file is not opened: ${what}. Upload the files inside it by themselves.`)

export const encryptedArchive = (): ProductError =>
  refuse(
    'encrypted',
    'The file is protected by a password. Remove the password where it was made, then upload it again.',
  )

export const unsupportedArchive = (): ProductError =>
  refuse(
    'unsupported',
    'The file is compressed in a way that is not read. Compress it as an ordinary zip, or upload the files inside it by themselves.',
  )
