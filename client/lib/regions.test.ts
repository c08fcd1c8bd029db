import { describe, expect, it } from 'vitest'
import {
  settingsForCountryCode,
  COUNTRIES,
  guessCountry,
  settingsForBrowser,
  settingsForCountry,
  countryOptions,
  isCountrySearched,
  currencyNameOptions,
  numberLocaleOptions,
  timeZoneOptions,
} from './regions'
import { workspaceSettingsSchema } from '../../src/shared/workspaces/workspaces'

describe('regions', () => {
  it('gives every country settings that the contract takes', () => {
    for (const country of COUNTRIES)
      expect(workspaceSettingsSchema.parse(settingsForCountry(country)).country).toBe(country)
  })
  it('finds the country by zone before language', () => {
    expect(guessCountry({ timeZone: 'Europe/Helsinki', languages: ['sv-SE'] })).toBe('FI')
    expect(guessCountry({ timeZone: 'Asia/Kathmandu', languages: ['en', 'de-AT'] })).toBe('AT')
    expect(guessCountry({ timeZone: 'UTC', languages: ['en'] })).toBe('SE')
  })
  it('keeps the browser’s own zone inside a country with several', () => {
    const settings = settingsForBrowser({ timeZone: 'America/Chicago', languages: ['en-US'] })
    expect(settings).toMatchObject({ country: 'US', currency: 'USD', timeZone: 'America/Chicago', weekStart: 'sunday' })
  })
  it('uses the capital’s zone where the browser hides its own', () => {
    expect(settingsForBrowser({ timeZone: 'UTC', languages: ['nb-NO'] }).timeZone).toBe('Europe/Oslo')
  })
  it('refuses a country it does not know', () => {
    expect(settingsForCountryCode('XX')).toBeNull()
  })
  it('offers every choice by name, the current one included', () => {
    expect(countryOptions().find(({ value }) => value === 'SE')?.label).toBe('Sweden')
    expect(currencyNameOptions('SEK').some(({ value }) => value === 'SEK')).toBe(true)
    expect(numberLocaleOptions('sv-SE').find(({ value }) => value === 'sv-SE')?.label).toMatch(/567,89 \(Sweden\)/)
    expect(timeZoneOptions('Etc/GMT+5').some(({ value }) => value === 'Etc/GMT+5')).toBe(true)
  })
})

it('finds a country by its name in English and by what it is called there', () => {
  const of = (search: string): string[] =>
    countryOptions()
      .filter((option) => isCountrySearched(option, search))
      .map(({ value }) => value)
  expect([of('swed'), of('sverige'), of('Deutsch')]).toEqual([['SE'], ['SE'], ['DE']])
  expect(of('')).toHaveLength(COUNTRIES.length)
})
