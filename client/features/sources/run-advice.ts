import type { ErrorCode } from '../../../src/shared/errors'
import type { SyncRun } from '../../../src/shared/sources'

const FIX_FILE = 'Mend that place in the file, or add the file again and correct how it is read.'
const ADD_AGAIN = 'The file is no longer kept. Add it again.'
const ASK_EDITOR = 'Somebody who may change this source has to load it again.'

const ADVICE_BY_ERROR_CODE: Partial<Record<ErrorCode, string>> = {
  file_unreadable: FIX_FILE,
  invalid_input: FIX_FILE,
  too_large: 'Split the file, by year for example, and load one part at a time.',
  limit_reached: 'Delete what is not needed, or move to a larger plan.',
  expired: ADD_AGAIN,
  not_found: ADD_AGAIN,
  forbidden: ASK_EDITOR,
  read_only: ASK_EDITOR,
}

/** What to do about a load that did not end well. */
export function loadErrorAdvice({ state, error }: Pick<SyncRun, 'state' | 'error'>): string {
  if (state === 'interrupted') return 'Retry starts it over with the same file.'
  return (error && ADVICE_BY_ERROR_CODE[error.code]) ?? 'Retry. If it fails again, add the file again.'
}
