import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'
import { NumberField } from './number-field'

it.each([
  ['sv-SE', '3\u00a0000,5'],
  ['en-US', '3,000.5'],
  ['de-DE', '3.000,5'],
])('writes and reads a number as the workspace does: %s', async (numberLocale, text) => {
  const page = memberPageData()
  const { workspace } = page
  setSession({
    ...page,
    workspace: workspace && {
      ...workspace,
      settings: { ...workspace.settings, numberLocale },
    },
  })
  const heard = vi.fn()
  await renderWithProviders(<NumberField label="Threshold" defaultValue="" onChange={heard} />)
  const field = screen.getByLabelText('Threshold')
  await userEvent.type(field, text.replaceAll('\u00a0', ''))
  expect(field).toHaveValue(text)
  expect(heard).toHaveBeenLastCalledWith(3000.5)
})
