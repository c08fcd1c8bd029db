import type { Settings } from '../env'
import type { Waiter } from '../deps'

/** Where unexpected errors go. Refusals (`ProductError`) are answers, not errors, and never come here. */
export interface Reporter {
  report(error: unknown, context: { requestId?: string; route?: string }): void
}

/** The reporter of this installation: silent unless monitoring is configured. */
export function createReporter(_settings: Settings, _waiter: Waiter): Reporter {
  return { report: () => undefined }
}
