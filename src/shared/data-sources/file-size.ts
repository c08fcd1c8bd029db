import { EXTRACTED_FILE_MAX_BYTES, FILE_MAX_BYTES } from '../limits'
import { endingPattern, FILE_ENDINGS } from './file-endings'

const { csv: _text, ...EXTRACTED_ENDINGS } = FILE_ENDINGS
/** What is taken apart into tables. */
const EXTRACTED_NAME = endingPattern(Object.values(EXTRACTED_ENDINGS).flat())
const EXTRACTED_MESSAGE =
  'Excel, OpenDocument, JSON, Parquet, SIE and zip files may be up to 200 MB. Save the table as CSV, which may be up to 2 GB.'

/** Why a file is refused for its size. */
export interface FileTooLarge {
  details: { what: 'file'; max: number; size: number }
  /** Absent: nothing beyond what the code says. */
  message?: string
}

/**
 * Null for a file that may come.
 * @param isExtracted whether it is taken apart into tables, where its bytes have told
 */
export function fileTooLarge(
  { name, size }: { name: string; size: number },
  isExtracted = EXTRACTED_NAME.test(name),
): FileTooLarge | null {
  if (isExtracted && size > EXTRACTED_FILE_MAX_BYTES)
    return { details: { what: 'file', max: EXTRACTED_FILE_MAX_BYTES, size }, message: EXTRACTED_MESSAGE }
  return size > FILE_MAX_BYTES ? { details: { what: 'file', max: FILE_MAX_BYTES, size } } : null
}
