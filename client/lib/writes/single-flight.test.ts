import { describe, expect, it, vi } from 'vitest'
import { DOUBLE_CLICK_MS, singleFlight } from './single-flight'

const POST: RequestInit = { method: 'POST', body: '{"name":"Sales"}', headers: { 'idempotency-key': 'one' } }
let paths = 0

/** A server that counts, at a path of its own, with a clock that is moved by hand. */
function server(answer: () => Promise<Response> = async () => new Response('{"id":1}')) {
  paths += 1
  const path = `/api/things-${paths}`
  const clock = { now: 0 }
  const send = vi.fn(answer)
  const call = (init: RequestInit = POST, to = path, workspace = 'ws_one') =>
    singleFlight(to, init, { workspace, send, now: () => clock.now })
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
    const { call, send } = server(() => Promise.reject(new Error('refused')))
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
