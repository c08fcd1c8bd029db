import { act, renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { useSingleFlight } from './use-single-flight'

describe('a button that writes', () => {
  it('makes one call of two clicks in the same moment, and another when that has ended', () => {
    const action = vi.fn()
    const { result, rerender } = renderHook(({ busy }) => useSingleFlight(action, busy), {
      initialProps: { busy: false },
    })
    act(() => {
      result.current()
      result.current()
    })
    expect(action).toHaveBeenCalledTimes(1)
    rerender({ busy: true })
    result.current()
    expect(action).toHaveBeenCalledTimes(1)
    rerender({ busy: false })
    result.current()
    expect(action).toHaveBeenCalledTimes(2)
  })
})
