import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, NetworkError } from './api'
import { sendBytes } from './send-bytes'
import { setSession } from './session'
import { memberPageData } from '../test/page-data'

/** A request that a test answers by hand. */
class FakeRequest {
  static last: FakeRequest
  upload: { onprogress?: (event: { loaded: number }) => void } = {}
  onload = (): void => undefined
  onerror = (): void => undefined
  onabort = (): void => undefined
  status = 0
  responseText = ''
  opened: string[] = []
  sent: unknown
  readonly headers = new Map<string, string>()
  constructor() {
    FakeRequest.last = this
  }
  open(...how: string[]): void {
    this.opened = how
  }
  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value)
  }
  send(what: unknown): void {
    this.sent = what
  }
  abort(): void {
    this.onabort()
  }
  answer(status: number, text: string): void {
    Object.assign(this, { status, responseText: text })
    this.onload()
  }
}

const bytes = new Blob(['abc'])
const start = (signal = new AbortController().signal, onSent = vi.fn()) => ({
  onSent,
  done: sendBytes({ path: '/files/uploads/upl_1/parts/2', bytes, onSent, signal }),
})

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  setSession(memberPageData())
})
afterEach(() => vi.unstubAllGlobals())

describe('bytes', () => {
  it('go with the token and the workspace of every call, and say how many have left', async () => {
    const { onSent, done } = start()
    const { opened, headers, sent, upload } = FakeRequest.last
    const { csrfToken, workspace } = memberPageData()
    expect(opened).toEqual(['PUT', '/files/uploads/upl_1/parts/2'])
    expect(headers.get('x-csrf-token')).toBe(csrfToken)
    expect(headers.get('x-workspace')).toBe(workspace?.id)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(sent).toBe(bytes)
    upload.onprogress?.({ loaded: 2 })
    expect(onSent).toHaveBeenCalledWith(2)
    FakeRequest.last.answer(200, '{}')
    await expect(done).resolves.toBeUndefined()
  })

  it('are refused with the code of the server, and with internal when the answer is none of ours', async () => {
    const refused = start()
    FakeRequest.last.answer(410, '{"code":"expired","message":"Gone.","requestId":"r"}')
    await expect(refused.done).rejects.toMatchObject({ name: 'ApiError', status: 410, body: { code: 'expired' } })
    const strange = start()
    FakeRequest.last.answer(502, '<html>')
    await expect(strange.done).rejects.toMatchObject({ body: { code: 'internal' } })
    await expect(strange.done).rejects.toBeInstanceOf(ApiError)
  })

  it('tell silence from a refusal', async () => {
    const { done } = start()
    FakeRequest.last.onerror()
    await expect(done).rejects.toBeInstanceOf(NetworkError)
  })

  it('stop when they are cancelled, and do not leave when that was before', async () => {
    const controller = new AbortController()
    const { done } = start(controller.signal)
    controller.abort()
    await expect(done).rejects.toMatchObject({ name: 'AbortError' })
    const late = start(controller.signal)
    await expect(late.done).rejects.toMatchObject({ name: 'AbortError' })
    expect(FakeRequest.last.sent).toBeUndefined()
  })
})
