import { describe, expect, it, vi } from 'vitest'
import { DOUBLE_CLICK_MS, singleFlight, UNANSWERED_MS } from './single-flight'

const POST: RequestInit = { method: 'POST', body: '{"name":"Sales"}', headers: { 'idempotency-key': 'one' } }
const REFUSAL = new Error('refused')
let paths = 0

/** A server that counts, at a path of its own, with a clock that is moved by hand. */
function server(answer: (init: RequestInit) => Promise<Response> = async () => new Response('{"id":1}')) {
  paths += 1
  const path = `/api/things-${paths}`
  const clock = { now: 0 }
  const send = vi.fn(answer)
  const call = (init: RequestInit = POST, to = path, workspace = 'ws_one') =>
    singleFlight(to, init, { workspace, send, now: () => clock.now, isRefusal: (error) => error === REFUSAL })
  return { call, send, clock, path }
}

describe('a double click', () => {
  it('writes once, and both halves read the answer', async () => {
    const { call, send } = server()
    const answers = await Promise.all([call(), call({ ...POST, headers: { 'idempotency-key': 'two' } })])
    expect(await Promise.all(answers.map((each) => each.json()))).toEqual([{ id: 1 }, { id: 1 }])
    expect(send).toHaveBeenCalledOnce()
  })

  it('writes once also when the first was answered before the second', async () => {
    const { call, send, clock } = server()
    await call()
    clock.now += DOUBLE_CLICK_MS - 1
    expect(await (await call()).json()).toEqual({ id: 1 })
    expect(send).toHaveBeenCalledOnce()
    clock.now += 1
    await call()
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('tries again after a refusal', async () => {
    const { call, send } = server(() => Promise.reject(REFUSAL))
    const both = await Promise.allSettled([call(), call()])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(send).toHaveBeenCalledOnce()
    await expect(call()).rejects.toThrow('refused')
    expect(send).toHaveBeenCalledTimes(2)
  })
})

describe('every other call is made', () => {
  it('with another body, another address, or in another workspace', async () => {
    const { call, send, path } = server()
    await Promise.all([call(), call({ ...POST, body: '{}' }), call(POST, `${path}/2`), call(POST, path, 'ws_two')])
    expect(send).toHaveBeenCalledTimes(4)
  })

  it('when a write came in between: following, unfollowing, following again', async () => {
    const { call, send } = server()
    await call({ method: 'PUT' })
    await call({ method: 'DELETE' })
    await call({ method: 'PUT' })
    expect(send).toHaveBeenCalledTimes(3)
  })

  it('when it reads: a question asked again may have another answer', async () => {
    const { call, send } = server()
    await Promise.all([call({}), call({})])
    const { signal } = new AbortController()
    await Promise.all([call({ ...POST, signal }), call({ ...POST, signal })])
    await call({ method: 'POST', body: '{"plan":1}' })
    await call({ method: 'POST', body: '{"plan":1}' })
    expect(send).toHaveBeenCalledTimes(6)
  })
})

describe('a write that got no answer', () => {
  const SILENCE = new Error('no connection')
  const under = (key: string, init: RequestInit = POST) => ({ ...init, headers: { 'idempotency-key': key } })

  /** A server that does not answer the first call, nor any other that it is told not to. */
  function silentServer(isSilent = (call: number): boolean => call === 0) {
    let calls = 0
    const made = server(() => (isSilent(calls++) ? Promise.reject(SILENCE) : Promise.resolve(new Response('{}'))))
    const keys = () => made.send.mock.calls.map(([init]) => new Headers(init.headers).get('idempotency-key'))
    return { ...made, keys }
  }

  it('goes under its first key when it is tried again, as often as it takes, and no longer once it was answered', async () => {
    const { call, keys, clock } = silentServer((at) => at < 2)
    await expect(call(under('one'))).rejects.toBe(SILENCE)
    await expect(call(under('two'))).rejects.toBe(SILENCE)
    await call(under('three'))
    clock.now += DOUBLE_CLICK_MS
    await call(under('four'))
    expect(keys()).toEqual(['one', 'one', 'one', 'four'])
  })

  it('is one of its own with another body, after another write, and minutes later', async () => {
    const { call, keys } = silentServer()
    await expect(call(under('one'))).rejects.toBe(SILENCE)
    await call(under('two', { ...POST, body: '{"name":"Costs"}' }))
    await call(under('three'))
    expect(keys()).toEqual(['one', 'two', 'three'])
    const late = silentServer()
    await expect(late.call(under('one'))).rejects.toBe(SILENCE)
    late.clock.now += UNANSWERED_MS
    await late.call(under('two'))
    expect(late.keys()).toEqual(['one', 'two'])
  })

  it('keeps its key when trying again is refused: too many calls say nothing of whether the first was written', async () => {
    const answers = [SILENCE, REFUSAL]
    const refusing = server(() => {
      const next = answers.shift()
      return next ? Promise.reject(next) : Promise.resolve(new Response('{}'))
    })
    await expect(refusing.call(under('one'))).rejects.toBe(SILENCE)
    await expect(refusing.call(under('two'))).rejects.toBe(REFUSAL)
    await refusing.call(under('three'))
    const keys = refusing.send.mock.calls.map(([init]) => new Headers(init.headers).get('idempotency-key'))
    expect(keys).toEqual(['one', 'one', 'one'])
  })

  it('keeps its key while others elsewhere that got none either are tried again', async () => {
    const { call, keys, path } = silentServer((at) => at < 2)
    const other = (key: string) => call(under(key), `${path}-beside`)
    await expect(call(under('one'))).rejects.toBe(SILENCE)
    await expect(other('two')).rejects.toBe(SILENCE)
    await other('three')
    await call(under('four'))
    expect(keys()).toEqual(['one', 'two', 'two', 'one'])
  })

  it.each([
    ['another value', (path: string) => [path, { method: 'POST', body: '{"on":false}' }] as const],
    ['another method', (path: string) => [path, { method: 'DELETE' }] as const],
    ['a part of it', (path: string) => [`${path}/restore?w=1`, { method: 'POST', body: '' }] as const],
  ])('is one of its own after %s went to its place, which got no answer either', async (_what, another) => {
    const { call, keys, path } = silentServer((at) => at < 2)
    const [to, init] = another(path)
    await expect(call(under('on'))).rejects.toBe(SILENCE)
    await expect(call(under('off', init), to)).rejects.toBe(SILENCE)
    await call(under('off again', init), to)
    await call(under('on again'))
    expect(keys().at(-1)).toBe('on again')
  })

  it('means what it says each time where it states nothing', async () => {
    const { call, keys } = silentServer()
    const pause: RequestInit = { method: 'POST', body: '' }
    await expect(call(under('one', pause))).rejects.toBe(SILENCE)
    await call(under('two', pause))
    expect(keys()).toEqual(['one', 'two'])
  })
})
