import { renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { useSingleFlight } from './query-client'

describe('a write', () => {
  it('is made once by two clicks, again once it has ended, and beside another one', async () => {
    const answers = [1, 2, 3].map(() => Promise.withResolvers<string>())
    const write = vi.fn<(input: { name: string }) => Promise<string>>()
    for (const { promise } of answers) write.mockReturnValueOnce(promise)
    const { result } = renderHook(() => useSingleFlight(write))
    const both = [result.current({ name: 'a' }), result.current({ name: 'a' })]
    expect(write).toHaveBeenCalledTimes(1)
    answers[0]?.resolve('made')
    expect(await Promise.all(both)).toEqual(['made', 'made'])
    const refused = result.current({ name: 'a' })
    answers[1]?.reject(new Error('refused'))
    await expect(refused).rejects.toThrow('refused')
    const again = result.current({ name: 'a' })
    answers[2]?.resolve('made again')
    expect(await again).toBe('made again')
    expect(write).toHaveBeenCalledTimes(3)
  })
})
