import { act, renderHook, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { memberPageData } from '../../../test/page-data'
import { setSession } from '../../../lib/session'
import { overLimitFixture } from './checkout.fixture'
import { useRetainedSelection } from './over-limit-section'

const items = [
  { id: 'ins_1', name: 'Sales', createdAt: '2026-05-02T08:00:00.000Z', stays: true },
  { id: 'ins_2', name: 'Costs', createdAt: '2026-06-01T08:00:00.000Z', stays: false },
]
const freezes = overLimitFixture({ insights: { max: 1, items } })

beforeEach(() => {
  localStorage.clear()
  setSession(memberPageData('owner'))
})

/** Somebody chooses what stays, and leaves the page. */
async function chooseAndLeave(): Promise<void> {
  const first = renderHook(() => useRetainedSelection(freezes))
  const { choice } = first.result.current
  if (!choice) throw new Error('Nothing is over the limit.')
  act(() => first.result.current.choose({ ...choice, insights: ['ins_2'] }))
  await waitFor(() => expect(localStorage).toHaveLength(1))
  first.unmount()
}

it('keeps what a person chose to stay over a reload, and forgets it once it is carried out', async () => {
  await chooseAndLeave()
  const again = renderHook(() => useRetainedSelection(freezes))
  expect(again.result.current).toMatchObject({ isChosen: true, choice: { insights: ['ins_2'] } })
  act(() => again.result.current.clear())
  again.unmount()
  expect(renderHook(() => useRetainedSelection(freezes)).result.current.isChosen).toBe(false)
})

it('does not lay the choice for one plan over another', async () => {
  await chooseAndLeave()
  const smaller = overLimitFixture({ insights: { max: 0, items } })
  expect(renderHook(() => useRetainedSelection(smaller)).result.current.isChosen).toBe(false)
})
