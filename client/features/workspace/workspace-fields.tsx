import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMemo } from 'react'
import {
  countryOptions,
  currencyNameOptions,
  numberLocaleOptions,
  monthOptions,
  WEEK_START_OPTIONS,
  timeZoneOptions,
} from '../../lib/region-choices'
import { settingsForCountryCode } from '../../lib/regions'
import type { WorkspaceSettings } from '../../../src/shared/workspaces'

/** The form's values; the fiscal-year start is a select's text. */
export type WorkspaceFormValues = Omit<WorkspaceSettings, 'fiscalYearStart' | 'weekStart'> & {
  name: string
  fiscalYearStart: string
  weekStart: string
  /** Of an existing workspace; a new one has none. */
  mailDomains: string[]
}
export type WorkspaceForm = UseFormReturnType<WorkspaceFormValues>

/** Name and country; choosing another country brings its usual currency, formats and calendar. */
export function WorkspaceBasicFields({ form, readOnly = false }: { form: WorkspaceForm; readOnly?: boolean }) {
  const countries = useMemo(() => countryOptions(), [])
  const changeCountryTo = (code: string | null) => {
    const settings = code === null ? null : settingsForCountryCode(code)
    if (settings) form.setValues({ ...settings, fiscalYearStart: String(settings.fiscalYearStart) })
  }
  return (
    <>
      <TextInput
        label="Company or workspace name"
        autoComplete="organization"
        readOnly={readOnly}
        {...form.getInputProps('name')}
      />
      <Select
        label="Country"
        description="Sets the usual currency, number format and calendar."
        data={countries}
        searchable
        allowDeselect={false}
        readOnly={readOnly}
        {...form.getInputProps('country')}
        onChange={changeCountryTo}
      />
    </>
  )
}

/** What figures and periods are shown by. */
export function WorkspaceFormatFields({ form, readOnly = false }: { form: WorkspaceForm; readOnly?: boolean }) {
  const { currency, numberLocale, timeZone } = form.values
  const currencies = useMemo(() => currencyNameOptions(currency), [currency])
  const locales = useMemo(() => numberLocaleOptions(numberLocale), [numberLocale])
  const zones = useMemo(() => timeZoneOptions(timeZone), [timeZone])
  const shared = { allowDeselect: false, readOnly, searchable: true } as const
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Select label="Currency" data={currencies} {...shared} {...form.getInputProps('currency')} />
      <Select label="Number format" data={locales} {...shared} {...form.getInputProps('numberLocale')} />
      <Select label="Time zone" data={zones} limit={500} {...shared} {...form.getInputProps('timeZone')} />
      <Select
        label="Fiscal year starts in"
        data={monthOptions()}
        {...shared}
        {...form.getInputProps('fiscalYearStart')}
      />
      <Select label="Week starts on" data={WEEK_START_OPTIONS} {...shared} {...form.getInputProps('weekStart')} />
    </SimpleGrid>
  )
}
