import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { RetainedItemsPicker, describeSelection } from './retained-items-picker'
import { renderWithProviders } from '../../test/render'

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `id_${index}`, name: `Ledger ${index}`, note: '1 May 2026' }))

function Picker({ count, max, first }: { count: number; max: number; first: string[] }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <RetainedItemsPicker
        title="Data sources"
        sentence="The others stay readable."
        max={max}
        items={items(count)}
        value={value}
        onChange={setValue}
      />
      <output>{value.join(' ')}</output>
    </>
  )
}
const box = (name: string) => screen.getByRole('checkbox', { name })

it('never lets more be chosen than stay, and lets one be exchanged for another', async () => {
  const { container } = await renderWithProviders(<Picker count={3} max={1} first={['id_0']} />)
  expect(box('Ledger 1')).toBeDisabled()
  await userEvent.click(box('Ledger 0'))
  await userEvent.click(box('Ledger 2'))
  expect(box('Ledger 0')).toBeDisabled()
  expect(container.querySelector('output')).toHaveTextContent(/^id_2$/)
  expect((await axe.run(container)).violations).toEqual([])
})

it('lets nobody take out what stays anyway', async () => {
  await renderWithProviders(
    <RetainedItemsPicker
      title="People"
      sentence="The others cannot come in."
      max={1}
      items={items(3).map((item, at) => ({ ...item, fixed: at === 0 }))}
      value={[]}
      onChange={() => expect.unreachable()}
    />,
  )
  expect(box('Ledger 0')).toBeChecked()
  for (const one of screen.getAllByRole('checkbox')) expect(one).toBeDisabled()
  expect(screen.getByText('1 of 1 selected.')).toBeVisible()
})

it('finds a name among many, and keeps what is chosen out of sight', async () => {
  const { container } = await renderWithProviders(<Picker count={40} max={3} first={['id_0']} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Search data sources' }), '39')
  expect(within(screen.getByRole('list')).getAllByRole('listitem')).toHaveLength(1)
  await userEvent.click(box('Ledger 39'))
  expect(container.querySelector('output')).toHaveTextContent(/^id_0 id_39$/)
  expect(screen.getByText('2 of 3 selected. The oldest other item also stays.')).toBeVisible()
})

it('says what becomes of places that are left', () => {
  expect(describeSelection(3, 3)).toBe('3 of 3 selected.')
  expect(describeSelection(0, 2)).toBe('0 of 2 selected. The 2 oldest other items also stay.')
})
