import type { Deps } from '../deps'
import { sweepDigests } from '../features/digest/sweep'
import { newFindings } from '../features/findings/fresh'
import { looseValues } from '../features/groupings/recount'

/** Digests whose morning has come, with what was found and what came into no group. */
export const sendDigests = (deps: Deps): Promise<void> =>
  sweepDigests(deps, { findings: newFindings, loose: looseValues })
