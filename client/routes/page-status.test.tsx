import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RouteAnnouncer } from './page-status'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const Page = ({ path }: { path: string }) => (
  <>
    <a href="#there">There</a>
    <main tabIndex={-1}>
      <input aria-label="Name" key={path} />
    </main>
    <RouteAnnouncer path={path} />
  </>
)
const rest = (): void => act(() => void vi.runAllTimers())

it('moves the focus to the content of the page that a link led to', () => {
  const { getByText, getByRole, rerender } = render(<Page path="/a" />)
  getByText('There').focus()
  rerender(<Page path="/b" />)
  rest()
  expect(document.activeElement).toBe(getByRole('main'))
})

it('leaves the focus where somebody already types on the new page', () => {
  const { getByLabelText, rerender } = render(<Page path="/a" />)
  rerender(<Page path="/b" />)
  getByLabelText('Name').focus()
  rest()
  expect(document.activeElement).toBe(getByLabelText('Name'))
})
