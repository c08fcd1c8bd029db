import { unreadableError } from '../file-errors'
import { ProductError } from '../../shared/errors'

/** What can be wrong with a workbook, in words that say what to do. */
export const workbookDamagedError = (what: string, cause?: unknown): ProductError =>
  unreadableError(
    'broken',
    `The workbook is damaged: ${what}. Open it in Excel, save it again and upload the new file.`,
    { cause },
  )

export const workbookUnsafeError = (what: string): ProductError =>
  unreadableError('unsafe', `Couldn’t read the workbook: ${what}. Save it again as .xlsx and upload it.`)

export const workbookUnsupportedError = (what: string): ProductError => unreadableError('unsupported', what)

export const workbookEncryptedError = (): ProductError =>
  unreadableError(
    'encrypted',
    'This workbook is password-protected. Remove the password in Excel (File, Info, Protect workbook), save it and upload it again.',
  )

export const workbookTooLargeError = (what: string, max: number): ProductError =>
  new ProductError(
    'too_large',
    { what, max },
    `The workbook has more ${what} than allowed. Save the sheet as CSV and upload that.`,
  )
