import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderWithProviders } from '../../test/render'
import { SegmentedChoice } from './segmented-choice'

const STATES = ['Open 3', 'New 1', 'Read 0', 'Snoozed 12', 'All 33'].map((label) => ({ value: label, label }))
afterEach(() => vi.unstubAllGlobals())

async function drawn({ isSmall, count }: { isSmall: boolean; count: number }) {
  const heard = { addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', (media: string) => ({ ...heard, media, matches: isSmall && media.includes('max-width') }))
  const onChange = vi.fn()
  const options = STATES.slice(0, count)
  await renderWithProviders(<SegmentedChoice label="Show" value="Open 3" options={options} onChange={onChange} />)
  return onChange
}

it('of five states is a list in a small window, where none of its words is cut', async () => {
  const onChange = await drawn({ isSmall: true, count: 5 })
  expect(screen.queryByRole('radio')).toBeNull()
  await userEvent.click(screen.getByRole('combobox', { name: 'Show' }))
  await userEvent.click(screen.getByRole('option', { name: 'Snoozed 12' }))
  expect(onChange).toHaveBeenCalledWith('Snoozed 12')
})

it.each([
  ['five in a wide window', { isSmall: false, count: 5 }],
  ['three in a small one', { isSmall: true, count: 3 }],
])('has its states side by side: %s', async (_name, given) => {
  const onChange = await drawn(given)
  expect(screen.getAllByRole('radio')).toHaveLength(given.count)
  await userEvent.click(screen.getByText('New 1'))
  expect(onChange).toHaveBeenCalledWith('New 1')
})
