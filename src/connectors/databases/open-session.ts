import { SIGN_IN_MAX_MS, type DatabaseClient, type DatabaseLogin } from './client'
import { Wire } from './wire'
import type { Doors } from '../../outbound/doors'

/** A client that is connected and not let in yet. */
interface NewSession extends DatabaseClient {
  /** @param isSealed under TLS whose certificate is of the host; false: a server of this very machine */
  signIn(login: DatabaseLogin, isSealed: boolean): Promise<void>
}

/** Connects and signs in, in time for it; what fails leaves no connection open. @throws SourceError, DoorError */
export async function openSession(
  doors: Doors,
  login: DatabaseLogin,
  begin: (wire: Wire) => NewSession,
): Promise<DatabaseClient> {
  const tls = login.tls === 'off' ? 'off' : 'upgrade'
  const socket = await doors.connect({ host: login.host, port: login.port, tls })
  const wire = new Wire(socket, login.maxBytes)
  wire.within(SIGN_IN_MAX_MS)
  const session = begin(wire)
  try {
    await session.signIn(login, tls === 'upgrade' && !socket.isLocal)
    return session
  } catch (error) {
    await session.close()
    throw error
  }
}
