import { describe, expect, it } from 'vitest'
import { changeCountry, COUNTRIES, guessCountry, settingsFor, settingsOf } from './regions'
import { countryChoices, currencyChoices, localeChoices, zoneChoices } from './region-choices'
import { workspaceSettingsSchema } from '../../src/shared/workspaces'

describe('regions', () => {
  it('gives every country settings that the contract takes', () => {
    for (const country of COUNTRIES) expect(workspaceSettingsSchema.parse(settingsOf(country)).country).toBe(country)
  })
  it('finds the country by zone before language', () => {
    expect(guessCountry({ timeZone: 'Europe/Helsinki', languages: ['sv-SE'] })).toBe('FI')
    expect(guessCountry({ timeZone: 'Asia/Kathmandu', languages: ['en', 'de-AT'] })).toBe('AT')
    expect(guessCountry({ timeZone: 'UTC', languages: ['en'] })).toBe('SE')
  })
  it('keeps the browser’s own zone inside a country with several', () => {
    const settings = settingsFor({ timeZone: 'America/Chicago', languages: ['en-US'] })
    expect(settings).toMatchObject({ country: 'US', currency: 'USD', timeZone: 'America/Chicago', weekStart: 'sunday' })
  })
  it('uses the capital’s zone where the browser hides its own', () => {
    expect(settingsFor({ timeZone: 'UTC', languages: ['nb-NO'] }).timeZone).toBe('Europe/Oslo')
  })
  it('refuses a country it does not know', () => {
    expect(changeCountry('XX')).toBeNull()
  })
  it('offers every choice by name, the current one included', () => {
    expect(countryChoices().find(({ value }) => value === 'SE')?.label).toBe('Sweden')
    expect(currencyChoices('SEK').some(({ value }) => value === 'SEK')).toBe(true)
    expect(localeChoices('sv-SE').find(({ value }) => value === 'sv-SE')?.label).toMatch(/567,89 \(Sweden\)/)
    expect(zoneChoices('Etc/GMT+5').some(({ value }) => value === 'Etc/GMT+5')).toBe(true)
  })
})
