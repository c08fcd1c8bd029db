import { Checkbox, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { ConnectorField } from '../../../src/shared/data-sources/connectors'

/** What is entered, by field; secrets and settings alike. */
export type FieldValues = Record<string, string>

interface ConnectorFieldsProps {
  fields: readonly ConnectorField[]
  values: FieldValues
  errors: Record<string, string>
  /** Keys of secrets that are stored: they may stay empty. */
  stored?: readonly string[]
  onChange: (values: FieldValues) => void
}

/** Every field as it begins. */
export const initialValues = (
  fields: readonly ConnectorField[],
  settings: Readonly<Record<string, string>> = {},
): FieldValues =>
  Object.fromEntries(fields.map(({ key, initial = '', secret }) => [key, secret ? '' : (settings[key] ?? initial)]))

export const isFieldShown = ({ when }: ConnectorField, values: FieldValues): boolean =>
  when === undefined || values[when.field] === when.is

/** What was entered, as a call takes it: what is empty, or not asked for, is left out. */
export function splitValues(
  fields: readonly ConnectorField[],
  values: FieldValues,
): { settings: Record<string, string>; secrets: Record<string, string> } {
  const settings: Record<string, string> = {}
  const secrets: Record<string, string> = {}
  for (const field of fields) {
    const { [field.key]: value = '' } = values
    if (value !== '' && isFieldShown(field, values)) (field.secret ? secrets : settings)[field.key] = value
  }
  return { settings, secrets }
}

/** The form of a kind, drawn from its description. */
export function ConnectorFields({ fields, values, errors, stored = [], onChange }: ConnectorFieldsProps) {
  const set = (key: string, value: string): void => onChange({ ...values, [key]: value })
  const shown = fields.filter((field) => isFieldShown(field, values))
  if (shown.length === 0) return null
  return (
    <Stack gap="md">
      {shown.map((field) => (
        <Field
          key={field.key}
          field={field}
          value={values[field.key] ?? ''}
          error={errors[field.key]}
          isStored={stored.includes(field.key)}
          onChange={(value) => set(field.key, value)}
        />
      ))}
    </Stack>
  )
}

interface FieldProps {
  field: ConnectorField
  value: string
  error: string | undefined
  isStored: boolean
  onChange: (value: string) => void
}

function Field({ field, value, error, isStored, onChange }: FieldProps) {
  const { control, label, hint, required, options = [] } = field
  const common = {
    label,
    description: hint,
    error,
    required: required && !isStored,
    placeholder: isStored ? '••••••••' : field.placeholder,
    maxLength: field.maxLength,
    autoComplete: field.secret ? 'new-password' : 'off',
    spellCheck: false,
  }
  if (control === 'toggle')
    return (
      <Checkbox
        label={label}
        description={hint}
        error={error}
        checked={value === '1'}
        onChange={(event) => onChange(event.currentTarget.checked ? '1' : '')}
      />
    )
  if (control === 'choice')
    return (
      <Select
        label={label}
        description={hint}
        error={error}
        required={required}
        allowDeselect={false}
        data={options.map((option) => ({ value: option.value, label: option.label }))}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  if (control === 'lines' || control === 'sql')
    return (
      <Textarea
        {...common}
        autosize
        minRows={control === 'sql' ? 5 : 3}
        maxRows={14}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  if (control === 'password')
    return <PasswordInput {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  return (
    <TextInput
      {...common}
      inputMode={control === 'number' ? 'numeric' : control === 'url' ? 'url' : 'text'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
