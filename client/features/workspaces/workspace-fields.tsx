import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMemo } from 'react'
import { createWorkspaceSchema, updateWorkspaceSchema } from '../../../src/shared/workspaces/workspaces'
import type {
  CreateWorkspaceInput,
  UpdateWorkspaceInput,
  WorkspaceSettings,
} from '../../../src/shared/workspaces/workspaces'
import { formValidator } from '../../lib/validate-form'
import {
  countryOptions,
  isCountrySearched,
  currencyNameOptions,
  numberLocaleOptions,
  monthOptions,
  WEEK_START_OPTIONS,
  timeZoneOptions,
  settingsForCountryCode,
} from '../../lib/regions'

export const WORKSPACE_FIELDS = [
  'name',
  'country',
  'currency',
  'numberLocale',
  'timeZone',
  'fiscalYearStart',
  'weekStart',
] as const

/** Contract → form. */
export const toWorkspaceValues = (given: CreateWorkspaceInput & Partial<WorkspaceDomains>): WorkspaceFormValues => ({
  name: given.name,
  country: given.country,
  currency: given.currency,
  numberLocale: given.numberLocale,
  timeZone: given.timeZone,
  fiscalYearStart: String(given.fiscalYearStart),
  weekStart: given.weekStart,
  mailDomains: given.mailDomains ?? [],
  reportDomains: given.reportDomains ?? [],
})

const parseNumbers = ({ mailDomains: _later, reportDomains: _too, ...values }: WorkspaceFormValues) => ({
  ...values,
  fiscalYearStart: Number(values.fiscalYearStart),
})

/** Form → contract. @throws ZodError when the form was not checked before. */
export const toCreateInput = (values: WorkspaceFormValues): CreateWorkspaceInput =>
  createWorkspaceSchema.parse(parseNumbers(values))

/** Form → what is saved over this version. @throws ZodError when the form was not checked before. */
export const toUpdateInput = (values: WorkspaceFormValues, version: number): UpdateWorkspaceInput =>
  updateWorkspaceSchema.parse({
    ...parseNumbers(values),
    mailDomains: values.mailDomains,
    reportDomains: values.reportDomains,
    version,
  })

const check = formValidator(createWorkspaceSchema)
export const validateWorkspace = (values: WorkspaceFormValues): Record<string, string> => check(parseNumbers(values))

/** The form's values; the fiscal-year start is a select's text. */
export type WorkspaceFormValues = Omit<WorkspaceSettings, 'fiscalYearStart' | 'weekStart'> & {
  name: string
  fiscalYearStart: string
  weekStart: string
} & WorkspaceDomains
/** Of an existing workspace; a new one has none. */
interface WorkspaceDomains {
  mailDomains: string[]
  reportDomains: string[]
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
        description="Sets currency, formats and calendar"
        data={countries}
        searchable
        filter={({ options, search }) =>
          options.filter((option) => 'value' in option && isCountrySearched(option, search))
        }
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
  const shared = { readOnly, searchable: true } as const
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
