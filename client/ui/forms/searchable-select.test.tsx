import { Select } from '@mantine/core'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { MultiSelect } from './multi-select'
import { renderWithProviders } from '../../test/render'

function CountryForm({ onSubmit }: { onSubmit: (country: string) => void }) {
  const [country, setCountry] = useState('United States')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(country)
      }}
    >
      <Select
        label="Country"
        searchable
        data={['Sweden', 'Switzerland', 'United States']}
        value={country}
        onChange={(next) => setCountry(next ?? '')}
      />
      <button>Create</button>
    </form>
  )
}

it('takes the first match of what was typed at Enter, and does not send the form with the value from before', async () => {
  const person = userEvent.setup()
  const sent: string[] = []
  await renderWithProviders(<CountryForm onSubmit={(country) => void sent.push(country)} />)
  const field = await screen.findByRole('combobox', { name: 'Country' })
  await person.click(field)
  await person.clear(field)
  await person.type(field, 'Swe{Enter}')
  expect(sent).toEqual([])
  expect(field).toHaveProperty('value', 'Sweden')
  await person.click(screen.getByRole('button', { name: 'Create' }))
  expect(sent).toEqual(['Sweden'])
})

function CountriesForm({ onSubmit }: { onSubmit: (countries: string[]) => void }) {
  const [countries, setCountries] = useState<string[]>([])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(countries)
      }}
    >
      <MultiSelect
        label="Countries"
        searchable
        data={['Norway', 'Sweden', 'Switzerland']}
        value={countries}
        onChange={setCountries}
      />
      <button>Create</button>
    </form>
  )
}

it('takes the first match of several, and sends the form at Enter once nothing is typed', async () => {
  const person = userEvent.setup()
  const sent: string[][] = []
  await renderWithProviders(<CountriesForm onSubmit={(countries) => void sent.push(countries)} />)
  const field = await screen.findByRole('combobox', { name: 'Countries' })
  await person.click(field)
  await person.type(field, 'Sw{Enter}')
  expect(sent).toEqual([])
  await person.type(field, 'no{Enter}')
  await person.type(field, '{Enter}')
  expect(sent).toEqual([['Sweden', 'Norway']])
})
