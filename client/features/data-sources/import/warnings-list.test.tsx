import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderWithProviders } from '../../../test/render'
import type { FileWarning } from '../../../../src/shared/data-sources/files'
import { WarningsList } from './warnings-list'

const late = (line: number): FileWarning => ({ code: 'late_entry', message: `Voucher ${line} is late.`, line })

it('shows the first notes of each kind, and the rest when asked', async () => {
  const notes: FileWarning[] = [...[1, 2, 3, 4, 5].map(late), { code: 'checksum', message: 'No checksum.' }]
  await renderWithProviders(<WarningsList warnings={notes} />)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    ...[1, 2, 3].map((line) => `Voucher ${line} is late. Line ${line}.`),
    'No checksum.',
  ])
  await userEvent.setup().click(screen.getByRole('button', { name: 'Show 2 more' }))
  expect([screen.getAllByRole('listitem').length, screen.queryByRole('button')]).toEqual([6, null])
})
