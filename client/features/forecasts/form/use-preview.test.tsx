import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ForecastSettingsInput } from '../../../../src/shared/forecasts/forecasts'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { jsonResponse, errorResponse, mockServer } from '../../../test/mock-server'
import type { PreviewResponse, PreviewRequest } from './preview-worker'
import { resultOf } from '../forecasts.fixture'
import { usePreview, type PreviewWorker } from './use-preview'

const PREVIEW = 'POST /api/forecasts/preview'
const asked = (horizon: number): ForecastSettingsInput => ({
  ...{ subject: { kind: 'metric', id: 'met_00000000000000000001' }, horizon },
})

/** Workers that answer when they are told to. */
class FakeWorker implements PreviewWorker {
  onmessage: PreviewWorker['onmessage'] = null
  onerror: PreviewWorker['onerror'] = null
  asks: PreviewRequest[] = []
  isEnded = false
  postMessage(ask: PreviewRequest): void {
    this.asks.push(ask)
  }
  terminate(): void {
    this.isEnded = true
  }
  answer(computed: PreviewResponse['computed']): void {
    act(() => this.onmessage?.(new MessageEvent('message', { data: { computed } })))
  }
  fail(): void {
    act(() => this.onerror?.(new ErrorEvent('error')))
  }
}

function previewing(first: ForecastSettingsInput | null) {
  const workers: FakeWorker[] = []
  const start = (): PreviewWorker => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker
  }
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const hook = renderHook(({ settings }) => usePreview(settings, start), { wrapper, initialProps: { settings: first } })
  return {
    ...hook,
    workers,
    worker: async (at: number) => waitFor(() => workers[at] ?? Promise.reject(new Error('none'))),
  }
}
const found = { ok: true as const, result: resultOf() }

beforeEach(() => setSession(memberPageData('owner')))

describe('a preview', () => {
  it('asks nothing while nothing is chosen', () => {
    const calls = mockServer({})
    const { result, workers } = previewing(null)
    expect(result.current).toMatchObject({ computed: null, busy: false, error: null })
    expect([calls.length, workers.length]).toEqual([0, 0])
  })

  it('shows what the worker computed until the next is computed, and ends it when something newer is asked', async () => {
    mockServer({ [PREVIEW]: ({ body }) => jsonResponse({ of: body }) })
    const { result, rerender, worker, workers } = previewing(asked(6))
    const first = await worker(0)
    expect(result.current.busy).toBe(true)
    first.answer(found)
    expect(result.current).toMatchObject({ computed: found, busy: false })
    rerender({ settings: asked(9) })
    expect(result.current).toMatchObject({ computed: found, busy: true })
    const second = await worker(1)
    expect(first.isEnded).toBe(true)
    expect(second.asks[0]?.settings.horizon).toBe(9)
    rerender({ settings: asked(12) })
    const third = await worker(2)
    expect([second.isEnded, third.isEnded, workers.length]).toEqual([true, false, 3])
    third.answer({ ok: true, result: resultOf({ asked: 12 }) })
    expect(result.current.busy).toBe(false)
  })

  it('hands on why there is none: too little history, a refusal of the server, a browser that cannot', async () => {
    mockServer({
      [PREVIEW]: [() => jsonResponse({ at: 1 }), () => errorResponse('not_found'), () => jsonResponse({ at: 2 })],
    })
    const { result, rerender, worker } = previewing(asked(6))
    const short = { ok: false as const, trouble: { code: 'too_short', message: 'Too short.', have: 3, need: 8 } }
    ;(await worker(0)).answer(short)
    expect(result.current).toMatchObject({ computed: short, busy: false, error: null })
    rerender({ settings: asked(7) })
    await waitFor(() => expect(result.current.busy).toBe(false))
    expect(result.current.error).toMatchObject({ body: { code: 'not_found' } })
    act(() => result.current.retry())
    ;(await worker(1)).fail()
    expect(result.current).toMatchObject({ computed: null, busy: false, error: { message: /Couldn't compute/ } })
  })

  it('ends its worker when the page is left', async () => {
    mockServer({ [PREVIEW]: () => jsonResponse({}) })
    const { unmount, worker } = previewing(asked(6))
    const only = await worker(0)
    unmount()
    expect(only.isEnded).toBe(true)
  })
})
