import { ActionIcon, Button, Checkbox, Group, MultiSelect, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './cleaning.module.css'
import { splitColumn } from './step-drafts'
import { DECIMAL_SEPARATOR_OPTIONS } from '../import/import-settings'
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
type FieldsOf<Kind extends CleaningStep['kind']> = StepFieldsProps<Extract<CleaningStep, { kind: Kind }>>

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

interface ColumnFieldProps {
  columns: readonly string[]
  chosen: string
  error: string | undefined
  onChange: (column: string) => void
}

const ColumnField = ({ columns, chosen, error, onChange }: ColumnFieldProps) => (
  <Select
    label="Column"
    data={optionsOf(columns, chosen === '' ? [] : [chosen])}
    value={chosen}
    onChange={(column) => column !== null && onChange(column)}
    error={error}
    searchable
    allowDeselect={false}
  />
)

function TrimFields({ step, columns, faults, onChange }: FieldsOf<'trim'>) {
  return (
    <>
      <ColumnsField
        label="Columns"
        placeholder="All columns"
        columns={columns}
        chosen={step.columns}
        error={faults['columns']}
        onChange={(chosen) => onChange({ ...step, columns: chosen })}
      />
      <Checkbox
        label="Also reduce repeated spaces to one"
        checked={step.inner}
        onChange={(event) => onChange({ ...step, inner: event.currentTarget.checked })}
      />
    </>
  )
}

function CaseFields({ step, columns, faults, onChange }: FieldsOf<'case'>) {
  return (
    <>
      <ColumnsField
        label="Columns"
        columns={columns}
        chosen={step.columns}
        error={faults['columns']}
        onChange={(chosen) => onChange({ ...step, columns: chosen })}
      />
      <Select
        label="Case"
        data={LETTER_CASES.map((value) => ({ value, label: LETTER_CASE_LABELS[value] }))}
        value={step.to}
        onChange={(to) => onChange({ ...step, to: LETTER_CASES.find((known) => known === to) ?? step.to })}
        allowDeselect={false}
      />
    </>
  )
}

function SplitFields({ step, columns, faults, onChange }: FieldsOf<'split'>) {
  return (
    <>
      <ColumnField
        columns={columns}
        chosen={step.column}
        error={faults['column']}
        onChange={(column) => onChange(splitColumn(step, column))}
      />
      <TextInput
        label="Delimiter"
        value={step.delimiter}
        maxLength={10}
        error={faults['delimiter']}
        onChange={(event) => onChange({ ...step, delimiter: event.currentTarget.value })}
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
      <Checkbox
        label="Keep the original column"
        checked={step.keep}
        onChange={(event) => onChange({ ...step, keep: event.currentTarget.checked })}
      />
    </>
  )
}

function ParseNumberFields({ step, columns, faults, onChange }: FieldsOf<'parseNumber'>) {
  return (
    <>
      <ColumnsField
        label="Columns"
        columns={columns}
        chosen={step.columns}
        error={faults['columns']}
        onChange={(chosen) => onChange({ ...step, columns: chosen })}
      />
      <Select
        label="Decimal separator"
        data={DECIMAL_SEPARATOR_OPTIONS}
        value={step.decimalMark}
        onChange={(mark) =>
          onChange({ ...step, decimalMark: DECIMAL_MARKS.find((known) => known === mark) ?? step.decimalMark })
        }
        allowDeselect={false}
      />
    </>
  )
}

function ParseDateFields({ step, columns, faults, onChange }: FieldsOf<'parseDate'>) {
  const setWriting = (picked: string | null) => {
    const writing = DATE_WRITINGS.find((known) => known === picked) ?? step.writing
    const { year: _year, ...rest } = step
    onChange({ ...rest, writing })
  }
  const setYear = (year: number | string) => {
    const { year: _year, ...rest } = step
    onChange(typeof year === 'number' ? { ...rest, year } : rest)
  }
  return (
    <>
      <ColumnsField
        label="Columns"
        columns={columns}
        chosen={step.columns}
        error={faults['columns']}
        onChange={(chosen) => onChange({ ...step, columns: chosen })}
      />
      <Select
        label="Written as"
        data={DATE_WRITINGS.map((value) => ({ value, label: DATE_WRITING_LABELS[value] }))}
        value={step.writing}
        onChange={setWriting}
        allowDeselect={false}
      />
      {step.writing === 'month' && (
        <NumberField
          label="Year"
          value={step.year ?? ''}
          min={1900}
          max={2200}
          error={faults['year']}
          onChange={setYear}
        />
      )}
    </>
  )
}

function MapValuesFields({ step, columns, faults, onChange }: FieldsOf<'mapValues'>) {
  const set = (values: typeof step.values) => onChange({ ...step, values })
  const change = (at: number, pair: Partial<(typeof step.values)[number]>) =>
    set(step.values.map((held, place) => (place === at ? { ...held, ...pair } : held)))
  return (
    <>
      <ColumnsField
        label="Columns"
        columns={columns}
        chosen={step.columns}
        error={faults['columns']}
        onChange={(chosen) => onChange({ ...step, columns: chosen })}
      />
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
    </>
  )
}

function DropRowsFields({ step, columns, faults, onChange }: FieldsOf<'dropRows'>) {
  return (
    <>
      <ColumnField
        columns={columns}
        chosen={step.column}
        error={faults['column']}
        onChange={(column) => onChange({ ...step, column })}
      />
      <Select
        label="Condition"
        data={ROW_CONDITIONS.map((value) => ({ value, label: ROW_CONDITION_LABELS[value] }))}
        value={step.when}
        onChange={(when) => onChange({ ...step, when: ROW_CONDITIONS.find((known) => known === when) ?? step.when })}
        allowDeselect={false}
      />
      {takesValue(step.when) && (
        <TextInput
          label="Value"
          description="Ignores upper and lower case."
          value={step.value ?? ''}
          maxLength={1000}
          error={faults['value']}
          onChange={(event) => onChange({ ...step, value: event.currentTarget.value })}
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
      <TextInput
        label="Column for names"
        description="All other columns become rows, also new ones."
        value={step.nameColumn}
        maxLength={HEADER_MAX_CHARS}
        error={faults['nameColumn']}
        onChange={(event) => onChange({ ...step, nameColumn: event.currentTarget.value })}
      />
      <TextInput
        label="Column for values"
        value={step.valueColumn}
        maxLength={HEADER_MAX_CHARS}
        error={faults['valueColumn']}
        onChange={(event) => onChange({ ...step, valueColumn: event.currentTarget.value })}
      />
      <Checkbox
        label="Skip empty cells"
        checked={step.dropEmpty}
        onChange={(event) => onChange({ ...step, dropEmpty: event.currentTarget.checked })}
      />
    </>
  )
}

function FillDownFields({ step, columns, faults, onChange }: FieldsOf<'fillDown'>) {
  return (
    <ColumnsField
      label="Columns"
      columns={columns}
      chosen={step.columns}
      error={faults['columns']}
      onChange={(chosen) => onChange({ ...step, columns: chosen })}
    />
  )
}

/** The settings of one step, by its kind. */
export function StepFields({ step, ...props }: StepFieldsProps): ReactNode {
  switch (step.kind) {
    case 'trim':
      return <TrimFields step={step} {...props} />
    case 'case':
      return <CaseFields step={step} {...props} />
    case 'split':
      return <SplitFields step={step} {...props} />
    case 'parseNumber':
      return <ParseNumberFields step={step} {...props} />
    case 'parseDate':
      return <ParseDateFields step={step} {...props} />
    case 'mapValues':
      return <MapValuesFields step={step} {...props} />
    case 'fillDown':
      return <FillDownFields step={step} {...props} />
    case 'dropRows':
      return <DropRowsFields step={step} {...props} />
    case 'unpivot':
      return <UnpivotFields step={step} {...props} />
  }
}
