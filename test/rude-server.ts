import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { constants, deflateRawSync } from 'node:zlib'

/** A server that answers as no decent one does, for the doors that lead out of the house. */
interface RudeServer {
  http: number
  tcp: number
  /** Connections that are still open, and bytes that were handed to the network, of both. */
  seen: { open: number; sent: number }
}

const ZEROS = Buffer.alloc(64 * 1024)
const DRIP_MS = 5
/** Compressed zeros, a thousandth of what they become; any number of them may follow each other. */
const PACKED = deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH })
const GZIP_HEAD = Buffer.from('1f8b0800000000000003', 'hex')

/** Writes the same again for as long as somebody takes it. */
async function pour(into: ServerResponse, chunk: Buffer, seen: RudeServer['seen']): Promise<void> {
  const closed = once(into, 'close')
  while (!into.destroyed) {
    seen.sent += chunk.length
    if (!into.write(chunk)) await Promise.race([once(into, 'drain'), closed])
  }
}

const drip = (into: Socket | ServerResponse): void => {
  const timer = setInterval(() => into.write('x'), DRIP_MS)
  into.once('close', () => clearInterval(timer))
}

const ANSWERS: Record<string, (answer: ServerResponse, seen: RudeServer['seen']) => unknown> = {
  /** Bytes that become a thousand times as many. */
  '/bomb': (answer, seen) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' }).write(GZIP_HEAD)
    return pour(answer, PACKED, seen)
  },
  '/endless': (answer, seen) => pour(answer.writeHead(200), ZEROS, seen),
  '/announced': (answer) => answer.writeHead(200, { 'content-length': 10 ** 12 }).flushHeaders(),
  '/drip': (answer) => drip(answer.writeHead(200)),
  /** Nothing at all, not even a status. */
  '/silent': () => undefined,
  /** Less than it announces. */
  '/short': (answer) => answer.writeHead(200, { 'content-length': 100 }).write('0123456789', () => answer.destroy()),
  '/page': (answer) => answer.writeHead(200, { 'content-type': 'application/json' }).end('<html>Not JSON'),
  '/wide': (answer) => answer.writeHead(200, { 'x-wide': 'x'.repeat(1024 ** 2) }).end('ok'),
}

async function startRude(): Promise<RudeServer> {
  const seen = { open: 0, sent: 0 }
  const count = (socket: Socket): void => {
    seen.open += 1
    socket.once('close', () => (seen.open -= 1))
    socket.on('error', () => undefined)
  }
  const http = createHttpServer({ maxHeaderSize: 4 * 1024 ** 2 }, (request, answer) => {
    answer.on('error', () => undefined)
    answer.shouldKeepAlive = false
    const say = ANSWERS[request.url ?? '']
    if (say) void say(answer, seen)
    else answer.writeHead(404).end()
  })
  http.on('connection', count)
  // A status line and then, one letter at a time, a header that has no end.
  const tcp = createTcpServer((socket) => {
    count(socket)
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
      drip(socket)
    })
  })
  await Promise.all([http, tcp].map((server) => once(server.listen(0, '127.0.0.1').unref(), 'listening')))
  const portOf = (address: AddressInfo | string | null): number =>
    typeof address === 'object' && address !== null ? address.port : 0
  return { http: portOf(http.address()), tcp: portOf(tcp.address()), seen }
}

/** Resident memory of the runtimes that this process started, bytes. */
function runtimeMemory(): number {
  const statusOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8')
    } catch {
      return ''
    }
  }
  const numberOf = (status: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const own = pids
    .map(statusOf)
    .filter((status) => numberOf(status, 'PPid') === process.pid && status.includes('workerd'))
  return own.reduce((sum, status) => sum + numberOf(status, 'VmRSS') * 1024, 0)
}

let started: Promise<RudeServer> | null = null

/** The way to it from tests in the Worker: where it listens, and what it has seen so far. It is started by the first who asks. */
export async function rudeDoor(): Promise<Response> {
  started ??= startRude()
  return Response.json({ ...(await started), memory: runtimeMemory() })
}
