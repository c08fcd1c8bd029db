import type { Deps } from '../deps'
import { sendDueDigests } from '../features/digest/sweep'
import { newFindings } from '../features/findings/fresh'
import { ungroupedValues } from '../features/groupings/recount'

/** Digests whose morning has come, with what was found and what came into no group. */
export const sendDigests = (deps: Deps): Promise<void> =>
  sendDueDigests(deps, { findings: newFindings, ungroupedValues: ungroupedValues })
