import { render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { usePrintLight } from './print-light'

const SCHEME = 'data-mantine-color-scheme'
function Paper() {
  usePrintLight()
  return null
}
afterEach(() => document.documentElement.removeAttribute(SCHEME))

it('prints in the colours of the light theme, and goes back to those that were on screen', () => {
  const scheme = () => document.documentElement.getAttribute(SCHEME)
  document.documentElement.setAttribute(SCHEME, 'dark')
  const { unmount } = render(<Paper />)
  window.dispatchEvent(new Event('beforeprint'))
  expect(scheme()).toBe('light')
  window.dispatchEvent(new Event('afterprint'))
  expect(scheme()).toBe('dark')
  // Left while it is printed.
  window.dispatchEvent(new Event('beforeprint'))
  unmount()
  expect(scheme()).toBe('dark')
  window.dispatchEvent(new Event('beforeprint'))
  expect(scheme()).toBe('dark')
})
