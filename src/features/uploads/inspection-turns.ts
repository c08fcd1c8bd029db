import { OpeningTurns } from './opening-turns'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'

/** A page looks into every table that it shows at once, and several people of a workspace may. */
const WAITING_MAX = 200
const MAX_WAIT_MS = 60_000
const POLL_MS = 15
/** Of one isolate: two files that are looked into are held at a time, one of a workspace. */
const inspectionTurns = new OpeningTurns({ waitingMax: WAITING_MAX })

/**
 * Looks into a file when it is its workspace's turn: what was read of it is held in memory that all requests of the isolate
 * share.
 * @throws ProductError `busy` when those before it take too long
 */
export async function inInspectionTurn<T>(
  { clock }: Pick<Deps, 'clock'>,
  workspaceId: string,
  work: () => Promise<T>,
): Promise<T> {
  const giveUpAt = clock.now() + MAX_WAIT_MS
  const ticket = inspectionTurns.join(workspaceId, 'small', clock.now())
  if (!ticket) throw inspectionBusyError()
  try {
    while (!inspectionTurns.acquire(ticket, clock.now())) {
      if (clock.now() >= giveUpAt) throw inspectionBusyError()
      await scheduler.wait(POLL_MS)
    }
    return await work()
  } finally {
    inspectionTurns.leave(ticket, clock.now())
  }
}

const inspectionBusyError = (): ProductError =>
  new ProductError('busy', { retryAfter: 10 }, 'Server busy. Try again shortly.')
