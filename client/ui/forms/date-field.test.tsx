import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { DateField } from './date-field'
import { setSession } from '../../lib/session'
import { memberPageData } from '../../test/page-data'
import { renderWithProviders } from '../../test/render'

const said: string[] = []
function Form() {
  const [day, setDay] = useState('2026-11-20')
  const change = (next: string): void => {
    said.push(next)
    setDay(next)
  }
  return <DateField label="From" value={day} onChange={change} />
}

it('shows and reads a day in the person’s own notation, and tells of nothing that is no day', async () => {
  const data = memberPageData('owner')
  setSession({ ...data, user: data.user && { ...data.user, locale: 'en-GB' } })
  const { container } = await renderWithProviders(<Form />)
  const field = screen.getByRole('textbox', { name: 'From' })
  expect(field).toHaveValue('20/11/2026')
  await userEvent.clear(field)
  await userEvent.type(field, '31/2/2027')
  await userEvent.tab()
  expect(screen.getByText('Enter a date: DD/MM/YYYY')).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, '1/2/2027')
  await userEvent.tab()
  expect(field).toHaveValue('01/02/2027')
  expect(said.filter(Boolean)).toEqual(['2027-02-01'])
  expect((await axe.run(container)).violations).toEqual([])
})
