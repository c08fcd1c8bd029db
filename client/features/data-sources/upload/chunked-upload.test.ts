import { describe, expect, it, vi } from 'vitest'
import { uploadFile, uploadMemory } from './chunked-upload'
import type { UploadPart, UploadEnvironment, UploadProgress } from './chunked-upload'
import { ApiError, NetworkError } from '../../../lib/api'
import { ERRORS, type ErrorCode } from '../../../../src/shared/errors'
import type { Upload } from '../../../../src/shared/data-sources/files'

const refusal = (code: ErrorCode, details = {}) =>
  new ApiError(ERRORS[code].status, { code, message: ERRORS[code].message, requestId: 'r', ...details })
const file = (text = '0123456789abcdefghijklmno', name = 'orders.csv') => new File([text], name, { lastModified: 7 })

function storage() {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  }
}

/** A server that keeps parts of ten bytes, and an environment whose waiting takes no time. */
function world() {
  const uploads = new Map<string, { size: number; fileName: string; parts: Map<number, string>; done: boolean }>()
  const log: string[] = []
  const waits: number[] = []
  let made = 0
  const view = (id: string): Upload => {
    const one = uploads.get(id)
    if (!one) throw refusal('not_found')
    return {
      id,
      fileName: one.fileName,
      size: one.size,
      partBytes: 10,
      partCount: Math.ceil(one.size / 10),
      received: [...one.parts.keys()],
      state: one.done ? 'complete' : 'receiving',
      expiresAt: '2026-12-01T00:00:00.000Z',
    }
  }
  const store = storage()
  const env: UploadEnvironment = {
    create: async ({ fileName, size }) => {
      const id = `upl_${++made}`
      uploads.set(id, { size, fileName, parts: new Map(), done: false })
      log.push(`create ${id}`)
      return view(id)
    },
    get: async (id) => {
      log.push(`get ${id}`)
      return view(id)
    },
    sendPart: async ({ uploadId, number, bytes, onSent }) => {
      log.push(`part ${number}`)
      onSent(bytes.size)
      uploads.get(uploadId)?.parts.set(number, await bytes.text())
    },
    complete: async (id) => {
      log.push(`complete ${id}`)
      const one = uploads.get(id)
      if (one) one.done = true
      return view(id)
    },
    memory: uploadMemory(store, 'ws_one'),
    wait: async (ms) => void waits.push(ms),
    now: () => 0,
    random: () => 0.5,
  }
  const content = (id: string) =>
    [...(uploads.get(id)?.parts ?? [])].toSorted(([a], [b]) => a - b).reduce((text, [, part]) => text + part, '')
  return { env, uploads, log, waits, content, store }
}

const job = (over: Partial<Parameters<typeof uploadFile>[1]> = {}) => ({
  file: file(),
  signal: new AbortController().signal,
  onProgress: () => undefined,
  ...over,
})

describe('uploading a file', () => {
  it('brings every byte over in order, whatever order the parts arrive in', async () => {
    const { env, content } = world()
    const send = env.sendPart
    env.sendPart = async (part) => {
      if (part.number === 1) await new Promise((resolve) => setTimeout(resolve, 10))
      return send(part)
    }
    const upload = await uploadFile(env, job())
    expect(upload.state).toBe('complete')
    expect(content(upload.id)).toBe('0123456789abcdefghijklmno')
  })

  it('has at most two parts on their way', async () => {
    const { env } = world()
    const send = env.sendPart
    let now = 0
    let most = 0
    env.sendPart = async (part) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      await send(part)
      now--
    }
    await uploadFile(env, job({ file: file('x'.repeat(95)) }))
    expect(most).toBe(2)
  })

  it('goes on after a reload with the parts that are missing', async () => {
    const { env, log, content, store } = world()
    const send = env.sendPart
    env.sendPart = async (part) => {
      if (part.number === 3) throw refusal('forbidden')
      return send(part)
    }
    await expect(uploadFile(env, job())).rejects.toThrow()
    env.sendPart = send
    log.length = 0
    const upload = await uploadFile({ ...env, memory: uploadMemory(store, 'ws_one') }, job())
    expect(log).toEqual(['get upl_1', 'part 3', 'complete upl_1'])
    expect(content(upload.id)).toBe('0123456789abcdefghijklmno')
  })

  it('sends nothing again when the file is already complete', async () => {
    const { env, log } = world()
    await uploadFile(env, job())
    log.length = 0
    await uploadFile(env, job())
    expect(log).toEqual(['get upl_1'])
  })

  it('does not take another workspace’s or another file’s upload for this one', async () => {
    const { env, log, store } = world()
    await uploadFile(env, job())
    log.length = 0
    await uploadFile({ ...env, memory: uploadMemory(store, 'ws_two') }, job())
    await uploadFile(env, job({ file: new File(['0123456789'], 'orders.csv', { lastModified: 7 }) }))
    expect(log.filter((line) => line.startsWith('create'))).toEqual(['create upl_2', 'create upl_3'])
  })

  it('starts over when the server has forgotten the upload', async () => {
    const { env, log, uploads } = world()
    await uploadFile(env, job())
    uploads.clear()
    log.length = 0
    await uploadFile(env, job())
    expect(log.slice(0, 2)).toEqual(['get upl_1', 'create upl_2'])
  })

  it('repeats a part that the network dropped, waiting longer each time, and says that it waits', async () => {
    const { env, waits, content } = world()
    const send = env.sendPart
    let drops = 3
    env.sendPart = async (part) => {
      if (part.number === 2 && drops-- > 0) throw new NetworkError('dropped')
      return send(part)
    }
    const seen: UploadProgress[] = []
    const upload = await uploadFile(env, job({ onProgress: (progress) => seen.push(progress) }))
    expect(content(upload.id)).toBe('0123456789abcdefghijklmno')
    expect(waits).toEqual([500, 1000, 2000])
    expect(seen.some(({ waiting }) => waiting)).toBe(true)
    expect(seen.at(-1)).toMatchObject({ sentBytes: 25, totalBytes: 25, waiting: false })
  })

  it('waits as long as the server asks', async () => {
    const { env, waits } = world()
    const send = env.sendPart
    let busy = 1
    env.sendPart = async (part) => {
      if (busy-- > 0) throw refusal('busy', { retryAfter: 7 })
      return send(part)
    }
    await uploadFile(env, job())
    expect(waits).toEqual([7000])
  })

  it('says that it has to wait instead of waiting for long without a word', async () => {
    const { env, waits } = world()
    env.create = async () => {
      throw refusal('rate_limited', { retryAfter: 1800 })
    }
    await expect(uploadFile(env, job())).rejects.toMatchObject({ body: { code: 'rate_limited', retryAfter: 1800 } })
    expect(waits).toEqual([])
  })

  it('gives up after eight tries and keeps what arrived', async () => {
    const { env, waits, store } = world()
    env.sendPart = async () => {
      throw new NetworkError('gone')
    }
    await expect(uploadFile(env, job())).rejects.toBeInstanceOf(NetworkError)
    expect(Math.max(...waits)).toBeLessThanOrEqual(25_000)
    expect(store.held.size).toBe(1)
  })

  it('asks for the upload when the session has ended, so that the sign-in sheet opens, then goes on', async () => {
    const { env, log } = world()
    const send = env.sendPart
    let ended = true
    env.sendPart = async (part) => {
      if (ended) {
        ended = false
        throw refusal('unauthenticated')
      }
      return send(part)
    }
    await uploadFile(env, job())
    expect(log).toContain('get upl_1')
    expect(log.at(-1)).toBe('complete upl_1')
  })

  it('stops the other part at once when one is refused for good', async () => {
    const { env } = world()
    const aborted = vi.fn()
    env.sendPart = ({ number, signal }: UploadPart) =>
      number === 1
        ? Promise.reject(refusal('too_large'))
        : new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted()
              reject(new DOMException('', 'AbortError'))
            })
          })
    await expect(uploadFile(env, job())).rejects.toMatchObject({ body: { code: 'too_large' } })
    expect(aborted).toHaveBeenCalledOnce()
  })

  it('sends no further part after a cancel', async () => {
    const { env, log } = world()
    const controller = new AbortController()
    const send = env.sendPart
    env.sendPart = async (part) => {
      await send(part)
      controller.abort()
    }
    await expect(uploadFile(env, job({ file: file('x'.repeat(95)), signal: controller.signal }))).rejects.toMatchObject(
      { name: 'AbortError' },
    )
    expect(log.filter((line) => line.startsWith('part')).length).toBeLessThanOrEqual(2)
    expect(log.some((line) => line.startsWith('complete'))).toBe(false)
  })
})

describe('memory of uploads', () => {
  it('is no reason to stop when the browser refuses to store', () => {
    const refuse = () => {
      throw new Error('no storage')
    }
    const memory = uploadMemory({ getItem: refuse, setItem: refuse, removeItem: refuse }, 'ws_one')
    memory.keep(file(), 'upl_1')
    expect(memory.find(file())).toBeNull()
  })
})
