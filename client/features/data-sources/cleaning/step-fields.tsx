import { ActionIcon, Button, Checkbox, Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { MultiSelect } from '../../../ui/forms/multi-select'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './cleaning.module.css'
import { splitColumn } from './step-drafts'
import { DECIMAL_MARK_LABELS } from '../import/import-settings'
import { NumberField } from '../../../ui/forms/number-field'
import {
  DATE_WRITINGS,
  DATE_WRITING_LABELS,
  LETTER_CASES,
  LETTER_CASE_LABELS,
  ROW_CONDITIONS,
  ROW_CONDITION_LABELS,
  takesValue,
  type CleaningStep,
} from '../../../../src/shared/data-sources/cleaning'
import { DECIMAL_MARKS } from '../../../../src/shared/data-sources/files'
import { HEADER_MAX_CHARS, MAPPED_VALUES_MAX, SPLIT_COLUMNS_MAX } from '../../../../src/shared/limits'

export interface StepFieldsProps<Step extends CleaningStep = CleaningStep> {
  step: Step
  /** Names of the columns before it. */
  columns: readonly string[]
  faults: Record<string, string>
  onChange: (step: CleaningStep) => void
}
type StepOf<Kind extends CleaningStep['kind']> = Extract<CleaningStep, { kind: Kind }>
type FieldsOf<Kind extends CleaningStep['kind']> = StepFieldsProps<StepOf<Kind>>

/** A name that the columns before a step no longer have stays visible, so that it can be replaced. */
const optionsOf = (columns: readonly string[], chosen: readonly string[]): string[] => [
  ...new Set([...columns, ...chosen]),
]

interface ColumnsFieldProps {
  label: string
  placeholder?: string
  columns: readonly string[]
  chosen: readonly string[]
  error: string | undefined
  onChange: (columns: string[]) => void
}

const ColumnsField = ({ label, placeholder, columns, chosen, error, onChange }: ColumnsFieldProps) => (
  <MultiSelect
    label={label}
    data={optionsOf(columns, chosen)}
    value={[...chosen]}
    onChange={onChange}
    error={error}
    searchable
    clearable
    {...(chosen.length === 0 ? { placeholder: placeholder ?? 'Choose columns' } : {})}
  />
)

/** The columns that a step works on, or the one. */
function StepColumns({ step, columns, faults, onChange }: StepFieldsProps) {
  if ('columns' in step)
    return (
      <ColumnsField
        label="Columns"
        {...(step.kind === 'trim' ? { placeholder: 'All columns' } : {})}
        columns={columns}
        chosen={step.columns}
        error={faults['columns']}
        onChange={(chosen) => onChange({ ...step, columns: chosen })}
      />
    )
  if (!('column' in step)) return null
  return (
    <Select
      label="Column"
      data={optionsOf(columns, step.column === '' ? [] : [step.column])}
      value={step.column}
      onChange={(column) =>
        column !== null && onChange(step.kind === 'split' ? splitColumn(step, column) : { ...step, column })
      }
      error={faults['column']}
      searchable
      allowDeselect={false}
    />
  )
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  labels: Readonly<Record<Value, string>>
  values: readonly Value[]
  value: Value
  onChange: (value: Value) => void
}

const ChoiceField = <Value extends string>({ label, labels, values, value, onChange }: ChoiceFieldProps<Value>) => (
  <Select
    label={label}
    data={values.map((each) => ({ value: each, label: labels[each] }))}
    value={value}
    onChange={(picked) => onChange(values.find((known) => known === picked) ?? value)}
    allowDeselect={false}
  />
)

interface TextFieldProps {
  label: string
  description?: string
  value: string
  maxLength: number
  error: string | undefined
  onChange: (value: string) => void
}

const TextField = ({ onChange, ...props }: TextFieldProps) => (
  <TextInput {...props} onChange={(event) => onChange(event.currentTarget.value)} />
)

interface CheckFieldProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

const CheckField = ({ onChange, ...props }: CheckFieldProps) => (
  <Checkbox {...props} onChange={(event) => onChange(event.currentTarget.checked)} />
)

function SplitFields({ step, faults, onChange }: FieldsOf<'split'>) {
  return (
    <>
      <TextField
        label="Delimiter"
        value={step.delimiter}
        maxLength={10}
        error={faults['delimiter']}
        onChange={(delimiter) => onChange({ ...step, delimiter })}
      />
      <TagsInput
        label="New columns"
        description="Press Enter after each name. The last takes the rest."
        value={step.into}
        maxTags={SPLIT_COLUMNS_MAX}
        splitChars={[]}
        acceptValueOnBlur
        error={faults['into']}
        onChange={(into) => onChange({ ...step, into })}
      />
      <CheckField
        label="Keep the original column"
        checked={step.keep}
        onChange={(keep) => onChange({ ...step, keep })}
      />
    </>
  )
}

function ParseDateFields({ step, faults, onChange }: FieldsOf<'parseDate'>) {
  const { year = '', ...rest } = step
  return (
    <>
      <ChoiceField
        label="Written as"
        values={DATE_WRITINGS}
        labels={DATE_WRITING_LABELS}
        value={step.writing}
        onChange={(writing) => onChange({ ...rest, writing })}
      />
      {step.writing === 'month' && (
        <NumberField
          label="Year"
          value={year}
          min={1900}
          max={2200}
          error={faults['year']}
          onChange={(given) => onChange(typeof given === 'number' ? { ...rest, year: given } : rest)}
        />
      )}
    </>
  )
}

function MappedValues({ step, onChange }: FieldsOf<'mapValues'>) {
  const set = (values: typeof step.values) => onChange({ ...step, values })
  const change = (at: number, pair: Partial<(typeof step.values)[number]>) =>
    set(step.values.map((held, place) => (place === at ? { ...held, ...pair } : held)))
  return (
    <Stack gap="xs">
      {step.values.map((pair, at) => (
        <Group key={at} gap="xs" wrap="nowrap" align="flex-end">
          <TextInput
            label={at === 0 ? 'Value' : undefined}
            aria-label={`Value ${at + 1}`}
            value={pair.from}
            onChange={(event) => change(at, { from: event.currentTarget.value })}
            className={classes.grow}
          />
          <TextInput
            label={at === 0 ? 'Replace with' : undefined}
            aria-label={`Replacement ${at + 1}`}
            placeholder="Empty"
            value={pair.to}
            onChange={(event) => change(at, { to: event.currentTarget.value })}
            className={classes.grow}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove value ${at + 1}`}
            disabled={step.values.length === 1}
            onClick={() => set(step.values.filter((_, place) => place !== at))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={step.values.length >= MAPPED_VALUES_MAX}
          onClick={() => set([...step.values, { from: '', to: '' }])}
        >
          Add value
        </Button>
      </Group>
    </Stack>
  )
}

function DropRowsFields({ step, faults, onChange }: FieldsOf<'dropRows'>) {
  return (
    <>
      <ChoiceField
        label="Condition"
        values={ROW_CONDITIONS}
        labels={ROW_CONDITION_LABELS}
        value={step.when}
        onChange={(when) => onChange({ ...step, when })}
      />
      {takesValue(step.when) && (
        <TextField
          label="Value"
          description="Ignores upper and lower case."
          value={step.value ?? ''}
          maxLength={1000}
          error={faults['value']}
          onChange={(value) => onChange({ ...step, value })}
        />
      )}
    </>
  )
}

function UnpivotFields({ step, columns, faults, onChange }: FieldsOf<'unpivot'>) {
  return (
    <>
      <ColumnsField
        label="Columns to keep"
        placeholder="None"
        columns={columns.filter((name) => !step.leaveOut.includes(name))}
        chosen={step.keep}
        error={faults['keep']}
        onChange={(keep) => onChange({ ...step, keep })}
      />
      <ColumnsField
        label="Columns to leave out"
        placeholder="None"
        columns={columns.filter((name) => !step.keep.includes(name))}
        chosen={step.leaveOut}
        error={faults['leaveOut']}
        onChange={(leaveOut) => onChange({ ...step, leaveOut })}
      />
      <TextField
        label="Column for names"
        description="All other columns become rows, also new ones."
        value={step.nameColumn}
        maxLength={HEADER_MAX_CHARS}
        error={faults['nameColumn']}
        onChange={(nameColumn) => onChange({ ...step, nameColumn })}
      />
      <TextField
        label="Column for values"
        value={step.valueColumn}
        maxLength={HEADER_MAX_CHARS}
        error={faults['valueColumn']}
        onChange={(valueColumn) => onChange({ ...step, valueColumn })}
      />
      <CheckField
        label="Skip empty cells"
        checked={step.dropEmpty}
        onChange={(dropEmpty) => onChange({ ...step, dropEmpty })}
      />
    </>
  )
}

/** The settings of one step, by its kind: its columns first. */
export function StepFields(props: StepFieldsProps): ReactNode {
  return (
    <>
      <StepColumns {...props} />
      <OwnFields {...props} />
    </>
  )
}

function OwnFields({ step, ...props }: StepFieldsProps): ReactNode {
  const { onChange } = props
  switch (step.kind) {
    case 'trim':
      return (
        <CheckField
          label="Also reduce repeated spaces to one"
          checked={step.inner}
          onChange={(inner) => onChange({ ...step, inner })}
        />
      )
    case 'case':
      return (
        <ChoiceField
          label="Case"
          values={LETTER_CASES}
          labels={LETTER_CASE_LABELS}
          value={step.to}
          onChange={(to) => onChange({ ...step, to })}
        />
      )
    case 'parseNumber':
      return (
        <ChoiceField
          label="Decimal separator"
          values={DECIMAL_MARKS}
          labels={DECIMAL_MARK_LABELS}
          value={step.decimalMark}
          onChange={(decimalMark) => onChange({ ...step, decimalMark })}
        />
      )
    case 'split':
      return <SplitFields step={step} {...props} />
    case 'parseDate':
      return <ParseDateFields step={step} {...props} />
    case 'mapValues':
      return <MappedValues step={step} {...props} />
    case 'dropRows':
      return <DropRowsFields step={step} {...props} />
    case 'unpivot':
      return <UnpivotFields step={step} {...props} />
    case 'dropTotals':
      return <Text size="sm">Removes rows whose first value is only a word for a total, such as Total or Summa.</Text>
    case 'fillDown':
      return null
  }
}
