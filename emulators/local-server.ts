import { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'

/**
 * Listens for this machine only; the server keeps no process alive.
 * @param port 0 (or one that is taken) picks a free one
 * @returns the port
 */
export async function listenLocally(server: Server, port = 0): Promise<number> {
  const attempt = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, '127.0.0.1', () => resolve())
    })
  await attempt(port).catch(() => attempt(0))
  server.unref()
  return portOf(server)
}

export function portOf(server: Server): number {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('the stand-in has no port')
  return at.port
}

export const stopServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    if (server instanceof HttpServer) server.closeAllConnections()
  })
