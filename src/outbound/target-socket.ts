import { connect } from 'cloudflare:sockets'
import { DoorError, type DoorSocket, type SocketTarget } from './doors'
import { resolvePublic, type Resolver } from './resolve-name'
import { checkServer, type TargetRules } from './target-rules'

const DEADLINE_MS = 10_000

export interface SocketNetwork {
  rules: TargetRules
  resolve: Resolver
}

function doorSocket(socket: Socket, serverName: string | null, isLocal: boolean): DoorSocket {
  return {
    ...(isLocal ? { isLocal } : {}),
    readable: socket.readable,
    writable: socket.writable,
    startTls() {
      const secured = serverName === null ? socket.startTls() : socket.startTls({ expectedServerHostname: serverName })
      return doorSocket(secured, serverName, isLocal)
    },
    close: async () => {
      await socket.close().catch(() => undefined)
    },
  }
}

/**
 * Opens a connection to the address that was checked, not to the name: it cannot point elsewhere by then. The certificate
 * is verified for the name all the same.
 * @throws DoorError
 */
export async function targetSocket(network: SocketNetwork, asked: SocketTarget): Promise<DoorSocket> {
  const target = checkServer(asked, network.rules)
  if (asked.tls === 'off' && !target.isAllowed) throw new DoorError('not_allowed')
  const timeout = AbortSignal.timeout(asked.deadlineMs ?? DEADLINE_MS)
  const over = aborted(timeout)
  over.catch(() => undefined)
  const [address] = await Promise.race([resolvePublic(target, network.resolve), over])
  if (address === undefined) throw new DoorError('down')
  const hostname = address.replace(/^\[|\]$/g, '')
  const isLiteral = hostname !== target.host
  const secureTransport = asked.tls === 'off' ? 'off' : 'starttls'
  try {
    const socket = connect({ hostname, port: target.port }, { secureTransport, allowHalfOpen: false })
    await Promise.race([socket.opened, over])
    const door = doorSocket(socket, isLiteral ? target.host : null, target.isAllowed)
    return asked.tls === 'direct' ? door.startTls() : door
  } catch (error) {
    if (error instanceof DoorError) throw error
    throw new DoorError('down', { cause: error })
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new DoorError('timeout'))
    else signal.addEventListener('abort', () => reject(new DoorError('timeout')), { once: true })
  })
