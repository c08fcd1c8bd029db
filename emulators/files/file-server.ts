/** A server of files that can be changed and broken while others read it: what a person's own server may do. */
export interface FileServer {
  answer(request: Request): Promise<Response>
  /** Puts a file, or a new one in its place. */
  put(path: string, body: string | Uint8Array<ArrayBuffer>, type?: string): void
  remove(path: string): void
  /** From now on it answers like this; `null` = as it should. `after`: bytes of a file that come before it breaks off. */
  breakAs(how: FileServerFault | null, after?: number): void
  /** Calls so far, newest last. */
  readonly calls: readonly { method: string; path: string; status: number }[]
}
export type FileServerFault = 'down' | 'auth' | 'hang' | 'cut' | 'stall'

interface StoredFile {
  body: Uint8Array<ArrayBuffer>
  type: string
  etag: string
  modified: Date
}

/** `key`: what the header `X-Api-Key` must hold; absent = every call is let in. */
export function createFileServer({
  key,
  now = () => Date.now(),
}: { key?: string; now?: () => number } = {}): FileServer {
  const files = new Map<string, StoredFile>()
  const calls: { method: string; path: string; status: number }[] = []
  let fault: FileServerFault | null = null
  let breaksAfter: number | undefined
  let version = 0

  const serve = (request: Request): Response | Promise<Response> => {
    if (fault === 'down') return new Response('Internal: db01.internal refused', { status: 500 })
    if (fault === 'hang') return new Promise<Response>(() => undefined)
    if (fault === 'auth' || (key !== undefined && request.headers.get('x-api-key') !== key))
      return new Response('no such key', { status: 401 })
    const file = files.get(new URL(request.url).pathname)
    if (!file) return new Response('not here', { status: 404 })
    const headers = { etag: file.etag, 'last-modified': file.modified.toUTCString(), 'content-type': file.type }
    if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
    if (request.method === 'HEAD') return new Response(null, { headers })
    if (fault === 'cut' || fault === 'stall')
      return new Response(brokenStream(file.body.slice(0, breaksAfter ?? file.body.length / 2), fault), { headers })
    return new Response(file.body, { headers })
  }
  return {
    calls,
    put(path, body, type = 'text/csv') {
      version += 1
      const bytes = typeof body === 'string' ? Uint8Array.from(new TextEncoder().encode(body)) : body
      files.set(path, { body: bytes, type, etag: `"v${version}"`, modified: new Date(now()) })
    },
    remove: (path) => void files.delete(path),
    breakAs: (how, after) => {
      fault = how
      breaksAfter = after
    },
    async answer(request) {
      const response = await serve(request)
      calls.push({ method: request.method, path: new URL(request.url).pathname, status: response.status })
      return response
    },
  }
}

/** The beginning of a file, and then an end that is none, or nothing more. */
function brokenStream(
  beginning: Uint8Array<ArrayBuffer>,
  how: 'cut' | 'stall',
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = beginning.length === 0
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (sent) return how === 'cut' ? controller.error(new Error('connection lost')) : new Promise(() => undefined)
      sent = true
      controller.enqueue(beginning)
    },
  })
}
