import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ProviderMark } from './provider-mark'

it.each([
  ['google', ['#EA4335', '#4285F4', '#FBBC05', '#34A853']],
  ['microsoft', ['#F25022', '#7FBA00', '#00A4EF', '#FFB900']],
] as const)('draws the mark of %s in its own colours, silent to readers', (provider, colours) => {
  const { container } = render(<ProviderMark provider={provider} />)
  expect([...container.querySelectorAll('path')].map((path) => path.getAttribute('fill'))).toEqual(colours)
  expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true')
})
