import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'

/** A WebSocket that carries a cookie and an origin, which Node's own does not: it only hears, short texts. */
export interface RawSocket {
  close: () => void
}

export function openRawSocket(
  url: string,
  { headers, onText }: { headers: Record<string, string>; onText: (text: string) => void },
): Promise<RawSocket> {
  return new Promise((resolve, reject) => {
    const key = randomBytes(16).toString('base64')
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    }
    request(url, { headers: { ...headers, ...upgrade }, agent: false })
      .on('upgrade', (_answer, socket: Socket, head: Buffer) => {
        let waiting = head
        const take = (bytes: Buffer): void => {
          waiting = Buffer.concat([waiting, bytes])
          for (let frame = firstFrame(waiting); frame; frame = firstFrame(waiting)) {
            waiting = waiting.subarray(frame.bytes)
            if (frame.text !== null) onText(frame.text)
          }
        }
        socket.on('data', take)
        take(Buffer.alloc(0))
        resolve({ close: () => socket.destroy() })
      })
      .on('response', (answer) => reject(new Error(`no socket: ${answer.statusCode}`)))
      .on('error', reject)
      .end()
  })
}

const TEXT = 0x81

/** The first whole frame of what came; frames of a server are not masked. Null while there is none. */
function firstFrame(bytes: Buffer): { bytes: number; text: string | null } | null {
  if (bytes.length < 2) return null
  const short = bytes.readUInt8(1) & 0x7f
  const head = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < head) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < head + length) return null
  const text = bytes.readUInt8(0) === TEXT ? bytes.subarray(head, head + length).toString() : null
  return { bytes: head + length, text }
}
