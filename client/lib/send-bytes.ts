import { ApiError, requestHeaders, parseErrorBody, NetworkError } from './api'

export interface SendBytesRequest {
  path: string
  bytes: Blob
  /** In place of those of every call. */
  headers?: Record<string, string>
  /** Told how many bytes have left so far. */
  onSent: (bytes: number) => void
  signal: AbortSignal
}

/**
 * One PUT of bytes by XMLHttpRequest, because only that tells how many have left.
 * Throws {@link ApiError} for a refusal, {@link NetworkError} for silence, `AbortError` when it was cancelled.
 */
export function sendBytes({ path, bytes, headers, onSent, signal }: SendBytesRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const done = () => signal.removeEventListener('abort', abort)
    request.open('PUT', path)
    const all = { ...requestHeaders(), ...headers, 'content-type': 'application/octet-stream' }
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => onSent(event.loaded)
    request.onload = () => {
      done()
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new ApiError(request.status, parseErrorBody(request.responseText)))
    }
    request.onerror = () => {
      done()
      reject(new NetworkError('The bytes were cut off.'))
    }
    request.onabort = () => {
      done()
      reject(new DOMException('Cancelled.', 'AbortError'))
    }
    if (signal.aborted) {
      request.onabort(new ProgressEvent('abort'))
      return
    }
    signal.addEventListener('abort', abort)
    request.send(bytes)
  })
}
