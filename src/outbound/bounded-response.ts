import { DoorError, type DoorResponse } from './doors'

/** What an answer may take: decompressed bytes, and the instant by which it must be read. */
export interface ResponseBounds {
  maxBytes: number
  signal: AbortSignal
}

const failureOf = (error: unknown, signal: AbortSignal): DoorError => {
  if (error instanceof DoorError) return error
  return new DoorError(signal.aborted ? 'timeout' : 'down', { cause: error })
}

/** Rejects when the time is over, however the other side drips. */
const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const fail = () => reject(new DoorError('timeout'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })

/** The same bytes, which end by an error past the cap or the deadline. Nothing is held. */
function boundedBody(
  body: ReadableStream<Uint8Array>,
  { maxBytes, signal }: ResponseBounds,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const over = whenAborted(signal)
  over.catch(() => undefined)
  let total = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await Promise.race([reader.read(), over])
        if (done) return controller.close()
        total += value.byteLength
        if (total > maxBytes) throw new DoorError('too_large')
        controller.enqueue(value)
      } catch (error) {
        controller.error(failureOf(error, signal))
        reader.cancel().catch(() => undefined)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** An answer whose body is bounded while it is read. @throws DoorError `too_large` where it says so beforehand */
export function boundedResponse(response: Response, url: string, bounds: ResponseBounds): DoorResponse {
  const announced = Number(response.headers.get('content-length') ?? '0')
  if (response.headers.get('content-encoding') === null && announced > bounds.maxBytes) {
    response.body?.cancel().catch(() => undefined)
    throw new DoorError('too_large')
  }
  const body = response.body ? boundedBody(response.body, bounds) : new Response(new Uint8Array(0)).body
  if (!body) throw new DoorError('down')
  const read = async (): Promise<Uint8Array<ArrayBuffer>> => {
    try {
      return new Uint8Array(await new Response(body).arrayBuffer())
    } catch (error) {
      throw failureOf(error, bounds.signal)
    }
  }
  const text = async (): Promise<string> => new TextDecoder().decode(await read())
  return {
    status: response.status,
    headers: response.headers,
    url,
    body,
    bytes: read,
    text,
    async json() {
      const parsed: unknown = parseJson(await text())
      return parsed
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DoorError('down', { cause: error })
  }
}
