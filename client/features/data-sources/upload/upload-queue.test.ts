import { describe, expect, it, vi } from 'vitest'
import { opened, upload } from '../data-sources.fixture'
import { FILES_IN_FLIGHT, UploadQueue, type UploadQueueEnvironment } from './upload-queue'
import { ApiError } from '../../../lib/api'
import { EXTRACTED_FILE_MAX_BYTES, FILE_MAX_BYTES } from '../../../../src/shared/limits'

const file = (name: string, text = 'a;b') => new File([text], name, { lastModified: 1 })
const refused = new ApiError(422, { code: 'file_unreadable', message: '', requestId: '', reason: 'encrypted' })

/** Uploads take the file's name for their id; `open` answers when the test lets it. */
function world(over: Partial<UploadQueueEnvironment> = {}) {
  const known = new Map<string, string>()
  const doors = new Map<string, () => void>()
  const env: UploadQueueEnvironment = {
    create: async ({ fileName }) => ({ ...upload, id: fileName, fileName, partCount: 0 }),
    get: async (id) => ({ ...upload, id }),
    sendPart: async () => undefined,
    complete: async (id) => ({ ...upload, id, state: 'complete' }),
    open: (id) =>
      new Promise((resolve, reject) =>
        doors.set(id, () => (id.startsWith('locked') ? reject(refused) : resolve(opened()))),
      ),
    discard: vi.fn(async () => undefined),
    memory: {
      find: ({ name }) => known.get(name) ?? null,
      keep: ({ name }, id) => void known.set(name, id),
      forget: ({ name }) => void known.delete(name),
    },
    wait: async () => undefined,
    now: () => 0,
    random: () => 0,
    ...over,
  }
  const queue = new UploadQueue(() => env)
  const states = () => Object.fromEntries(queue.jobs().map(({ file: { name }, state }) => [name, state.at]))
  const open = async (name: string) => {
    await vi.waitFor(() => expect(doors.has(name)).toBe(true))
    doors.get(name)?.()
  }
  return { queue, states, open, env, known }
}

describe('several files', () => {
  it('sends two at once and the next when one is done', async () => {
    const { queue, states, open } = world()
    queue.add([file('a.csv'), file('b.csv'), file('c.csv')])
    expect(FILES_IN_FLIGHT).toBe(2)
    await vi.waitFor(() => expect(states()).toEqual({ 'a.csv': 'opening', 'b.csv': 'opening', 'c.csv': 'waiting' }))
    await open('a.csv')
    await vi.waitFor(() => expect(states()).toEqual({ 'a.csv': 'opened', 'b.csv': 'opening', 'c.csv': 'opening' }))
  })

  it('refuses one that is too large before a byte leaves, and says how large a CSV may be', async () => {
    const { queue, open } = world()
    const sized = (name: string, size: number) => Object.defineProperty(file(name), 'size', { value: size })
    queue.add([sized('big.xlsx', EXTRACTED_FILE_MAX_BYTES + 1), sized('big.csv', FILE_MAX_BYTES + 1)])
    const refusals = queue.jobs().map(({ state }) => (state.at === 'failed' ? state.error : null))
    expect(refusals).toMatchObject([
      { body: { code: 'too_large', max: EXTRACTED_FILE_MAX_BYTES, message: expect.stringMatching(/as CSV/) } },
      { body: { code: 'too_large', max: FILE_MAX_BYTES, message: '' } },
    ])
    queue.add([sized('large.csv', EXTRACTED_FILE_MAX_BYTES + 1)])
    await open('large.csv')
  })

  it('goes on when one of them cannot be read', async () => {
    const { queue, states, open } = world()
    queue.add([file('locked.xlsx'), file('empty.csv', ''), file('c.csv')])
    await open('locked.xlsx')
    await open('c.csv')
    await vi.waitFor(() =>
      expect(states()).toEqual({ 'locked.xlsx': 'failed', 'empty.csv': 'failed', 'c.csv': 'opened' }),
    )
  })

  it('takes one away, gives back what the server has of it, and lets the others be', async () => {
    const { queue, states, open, env } = world()
    queue.add([file('a.csv'), file('b.csv'), file('c.csv')])
    await vi.waitFor(() => expect(states()['a.csv']).toBe('opening'))
    queue.remove(queue.jobs()[0]?.key ?? 0)
    expect(env.discard).toHaveBeenCalledWith('a.csv')
    await open('b.csv')
    await open('c.csv')
    await vi.waitFor(() => expect(states()).toEqual({ 'b.csv': 'opened', 'c.csv': 'opened' }))
  })

  it('says nothing more of a file that was taken away', async () => {
    const { queue, open, states } = world()
    queue.add([file('a.csv')])
    await vi.waitFor(() => expect(states()['a.csv']).toBe('opening'))
    queue.removeAll()
    await open('a.csv')
    expect(queue.jobs()).toEqual([])
  })

  it('tries a failed one again', async () => {
    const open = vi.fn<UploadQueueEnvironment['open']>().mockRejectedValueOnce(refused).mockResolvedValue(opened())
    const { queue, states } = world({ open })
    queue.add([file('a.csv')])
    await vi.waitFor(() => expect(states()['a.csv']).toBe('failed'))
    queue.retry(queue.jobs()[0]?.key ?? 0)
    await vi.waitFor(() => expect(states()['a.csv']).toBe('opened'))
  })

  it('asks for tables again while others are first, as late as it is told, and no more when the file is refused', async () => {
    const busy = new ApiError(503, { code: 'busy', message: '', requestId: '', retryAfter: 10 })
    const open = vi.fn<UploadQueueEnvironment['open']>().mockRejectedValueOnce(busy).mockRejectedValueOnce(refused)
    const wait = vi.fn(async () => undefined)
    const { queue, states } = world({ open, wait })
    queue.add([file('a.csv')])
    await vi.waitFor(() => expect(states()['a.csv']).toBe('failed'))
    expect(wait.mock.calls).toEqual([[10_000, expect.any(AbortSignal)]])
    expect(open).toHaveBeenCalledTimes(2)
  })

  it('forgets what this tab remembers once a load has taken the files over, and deletes nothing', async () => {
    const { queue, states, open, env, known } = world()
    queue.add([file('a.csv')])
    await open('a.csv')
    await vi.waitFor(() => expect(states()['a.csv']).toBe('opened'))
    queue.finish()
    expect(known.size).toBe(0)
    expect(env.discard).not.toHaveBeenCalled()
  })
})
