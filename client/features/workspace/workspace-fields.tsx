import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMemo } from 'react'
import {
  countryChoices,
  currencyChoices,
  localeChoices,
  monthChoices,
  WEEK_CHOICES,
  zoneChoices,
} from '../../lib/region-choices'
import { changeCountry } from '../../lib/regions'
import type { WorkspaceSettings } from '../../../src/shared/workspaces'

/** The form's values; the fiscal-year start is a select's text. */
export type WorkspaceValues = Omit<WorkspaceSettings, 'fiscalYearStart' | 'weekStart'> & {
  name: string
  fiscalYearStart: string
  weekStart: string
  /** Of an existing workspace; a new one has none. */
  mailDomains: string[]
}
export type WorkspaceForm = UseFormReturnType<WorkspaceValues>

/** Name and country; choosing another country brings its usual currency, formats and calendar. */
export function WorkspaceBasics({ form, readOnly = false }: { form: WorkspaceForm; readOnly?: boolean }) {
  const countries = useMemo(() => countryChoices(), [])
  const move = (code: string | null) => {
    const settings = code === null ? null : changeCountry(code)
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
        onChange={move}
      />
    </>
  )
}

/** What figures and periods are shown by. */
export function WorkspaceFormats({ form, readOnly = false }: { form: WorkspaceForm; readOnly?: boolean }) {
  const { currency, numberLocale, timeZone } = form.values
  const currencies = useMemo(() => currencyChoices(currency), [currency])
  const locales = useMemo(() => localeChoices(numberLocale), [numberLocale])
  const zones = useMemo(() => zoneChoices(timeZone), [timeZone])
  const shared = { allowDeselect: false, readOnly, searchable: true } as const
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Select label="Currency" data={currencies} {...shared} {...form.getInputProps('currency')} />
      <Select label="Number format" data={locales} {...shared} {...form.getInputProps('numberLocale')} />
      <Select label="Time zone" data={zones} limit={500} {...shared} {...form.getInputProps('timeZone')} />
      <Select
        label="Fiscal year starts in"
        data={monthChoices()}
        {...shared}
        {...form.getInputProps('fiscalYearStart')}
      />
      <Select label="Week starts on" data={WEEK_CHOICES} {...shared} {...form.getInputProps('weekStart')} />
    </SimpleGrid>
  )
}
