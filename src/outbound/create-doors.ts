import { boundedResponse } from './bounded-response'
import { DoorError, type Doors, type DoorResponse, type OperatorCall, type TargetCall } from './doors'
import type { Fetcher } from './operator-fetch'
import { targetFetch, TARGET_DEADLINE_MS, TARGET_MAX_BYTES, type TargetNetwork } from './target-fetch'
import { targetSocket } from './target-socket'

/** Takes one call out of the budget that the vendor allows; answers how long to wait where there is none left, ms. */
export type TakeCall = () => Promise<number | null>

export interface DoorOptions {
  network: TargetNetwork
  /** Addresses of the installation's configuration, by name. */
  origins: Readonly<Record<string, string>>
  /** Absent: nothing is counted. */
  takeCall?: TakeCall
  pool: Doors['pool']
}

/** A wait this short is waited here; a longer one is told, and the work goes on later. */
const WAIT_HERE_MAX_MS = 5_000

async function countCall(takeCall: TakeCall | undefined): Promise<void> {
  const wait = (await takeCall?.()) ?? null
  if (wait === null) return
  if (wait > WAIT_HERE_MAX_MS) throw new DoorError('busy', { retryAfterMs: wait })
  await scheduler.wait(wait)
  const again = (await takeCall?.()) ?? null
  if (again !== null) throw new DoorError('busy', { retryAfterMs: again })
}

async function operatorDoor(options: DoorOptions, call: OperatorCall): Promise<DoorResponse> {
  const origin = options.origins[call.origin]
  if (origin === undefined) throw new DoorError('not_allowed')
  const url = new URL(call.path, origin)
  if (url.origin !== new URL(origin).origin) throw new DoorError('not_allowed')
  const signal = AbortSignal.timeout(call.deadlineMs ?? TARGET_DEADLINE_MS)
  const { method = 'GET', headers = {}, body } = call
  try {
    const request = new Request(url, {
      method,
      headers: { ...headers },
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    })
    const send: Fetcher = options.network.fetcher ?? ((asked) => fetch(asked))
    return boundedResponse(await send(request), url.href, { maxBytes: call.maxBytes ?? TARGET_MAX_BYTES, signal })
  } catch (error) {
    if (error instanceof DoorError) throw error
    throw new DoorError(signal.aborted ? 'timeout' : 'down', { cause: error })
  }
}

/** The ways out for one connection. */
export function createDoors(options: DoorOptions): Doors {
  const counted = async <T>(go: () => Promise<T>): Promise<T> => {
    await countCall(options.takeCall)
    return go()
  }
  return {
    http: (call: TargetCall) => counted(() => targetFetch(options.network, call)),
    operator: (call) => counted(() => operatorDoor(options, call)),
    connect: (target) => targetSocket(options.network, target),
    pool: options.pool,
  }
}
