import { CLOSED_DOORS } from './doors'
import type { Doors, DoorSocket } from '../../../src/outbound/doors'

/** What a server that is scripted may do: hear what it is told, and say what it likes. */
export interface ScriptedTurn {
  /** The next bytes of the client; null: it hung up. */
  hear: () => Promise<Uint8Array | null>
  say: (...bytes: (Uint8Array | readonly number[] | string)[]) => Promise<void>
}

const bytesOf = (part: Uint8Array | readonly number[] | string): Uint8Array =>
  typeof part === 'string' ? new TextEncoder().encode(part) : Uint8Array.from(part)

/** Doors to a server that keeps to no protocol but its script. */
export function scriptedDoors(script: (turn: ScriptedTurn) => Promise<void>): Doors & { secured: () => number } {
  let secured = 0
  const doors = {
    ...CLOSED_DOORS,
    secured: () => secured,
    connect(): Promise<DoorSocket> {
      const toServer = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, { highWaterMark: 100 })
      const toClient = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, { highWaterMark: 100 })
      const [reader, writer] = [toServer.readable.getReader(), toClient.writable.getWriter()]
      const turn: ScriptedTurn = {
        hear: async () => (await reader.read()).value ?? null,
        say: async (...parts) => {
          for (const part of parts) await writer.write(bytesOf(part))
        },
      }
      void script(turn).catch(() => undefined)
      const socket: DoorSocket = {
        readable: toClient.readable,
        writable: toServer.writable,
        startTls() {
          secured += 1
          return socket
        },
        close: () => Promise.resolve(),
      }
      return Promise.resolve(socket)
    },
  }
  return doors
}
