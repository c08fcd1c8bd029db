import type { SyncRun } from './data-sources'
import type { ErrorCode } from '../errors'

const FIX_FILE = 'Correct the file, or import it again with other settings.'
const ADD_AGAIN = 'The file is no longer stored. Upload it again.'
const ASK_EDITOR = 'Ask someone who can edit this source to import it again.'

const ADVICE_BY_ERROR_CODE: Partial<Record<ErrorCode, string>> = {
  file_unreadable: FIX_FILE,
  invalid_input: FIX_FILE,
  too_large: 'Split the file, for example by year, and import each part.',
  limit_reached: 'Delete sources you don’t need, or upgrade your plan.',
  expired: ADD_AGAIN,
  not_found: ADD_AGAIN,
  forbidden: ASK_EDITOR,
  read_only: ASK_EDITOR,
}

/** What to do about a load that did not end well. */
export function loadErrorAdvice({ state, error }: Pick<SyncRun, 'state' | 'error'>): string {
  if (state === 'interrupted') return 'Retry to import the same file again.'
  return (error && ADVICE_BY_ERROR_CODE[error.code]) ?? 'Retry. If it fails again, upload the file again.'
}
