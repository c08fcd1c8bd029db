/** A server of files that can be changed and broken while others read it: what a person's own server may do. */
export interface FileServer {
  answer(request: Request): Promise<Response>
  /** Puts a file, or a new one in its place. */
  put(path: string, body: string | Uint8Array<ArrayBuffer>, type?: string): void
  remove(path: string): void
  /** From now on it answers like this; `null` = as it should. */
  breakAs(how: FileServerFault | null): void
  /** Calls so far, newest last. */
  readonly calls: readonly { method: string; path: string; status: number }[]
}
export type FileServerFault = 'down' | 'auth' | 'hang' | 'cut' | 'bomb'

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
    if (fault === 'cut') return new Response(cutStream(file.body), { headers })
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
    breakAs: (how) => {
      fault = how
    },
    async answer(request) {
      const response = await serve(request)
      calls.push({ method: request.method, path: new URL(request.url).pathname, status: response.status })
      return response
    },
  }
}

/** The first half of a file, and then an end that is none. */
function cutStream(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = false
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (sent) return controller.error(new Error('connection lost'))
      sent = true
      controller.enqueue(body.slice(0, Math.ceil(body.byteLength / 2)))
    },
  })
}
