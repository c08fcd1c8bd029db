import { ApiError, callHeaders, NetworkError } from '../../lib/api'
import type { PartToSend } from './uploader'
import type { ErrorBody } from '../../../src/shared/errors'

function bodyOf(text: string): ErrorBody {
  try {
    const body: ErrorBody = JSON.parse(text)
    return body
  } catch {
    return { code: 'internal', message: 'The server answered in a way we could not read.', requestId: '' }
  }
}

/** One part by XMLHttpRequest, because only that tells how many bytes have left. */
export function sendPart({ uploadId, number, bytes, onSent, signal }: PartToSend): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const done = () => signal.removeEventListener('abort', abort)
    request.open('PUT', `/files/uploads/${uploadId}/parts/${number}`)
    for (const [name, value] of Object.entries({ ...callHeaders(), 'content-type': 'application/octet-stream' }))
      request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => onSent(event.loaded)
    request.onload = () => {
      done()
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new ApiError(request.status, bodyOf(request.responseText)))
    }
    request.onerror = () => {
      done()
      reject(new NetworkError('The part was cut off.'))
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
