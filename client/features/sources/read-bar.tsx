import { Group, Loader, Select, Text } from '@mantine/core'
import classes from './import-preview.module.css'
import { IMPORT_SETTING_FIELDS } from './format-words'
import type { SettingsLevel } from './file-kinds'
import type { ImportSettingField } from './format-words'
import type { CsvSettings } from '../../../src/shared/files'

export interface ImportSettingsBarProps {
  /** How much was guessed, and can be corrected. */
  settingsLevel: SettingsLevel
  /** What the file is read with; null while it could not be read at all. */
  settings: CsvSettings | null
  /** What the person corrected so far. */
  corrected: Partial<CsvSettings>
  /** True while the file is read again with what was changed. */
  reading: boolean
  onChange: (change: Partial<CsvSettings>) => void
}

/** How the file was understood, each guess in a select of its own. */
export function ImportSettingsBar({ settingsLevel, settings, corrected, reading, onChange }: ImportSettingsBarProps) {
  if (settingsLevel === 'given') return null
  const fields = settingsLevel === 'text' ? IMPORT_SETTING_FIELDS : SHEET_SETTING_FIELDS
  const title = settings ? 'How we read it' : 'Read it another way'
  const hint = settings ? 'Found by itself. Correct what is wrong.' : 'What is left open is found by itself.'
  return (
    <section aria-label={title} className={classes.bar}>
      <Group gap="xs" mb={8}>
        <Text fw={600}>{title}</Text>
        <Text size="xs" c="dimmed" role="status">
          {reading ? 'Reading again …' : hint}
        </Text>
        {reading && <Loader size={14} aria-hidden />}
      </Group>
      <div className={classes.fields}>
        {fields.map((field) => (
          <SettingSelect
            key={field.key}
            field={field}
            value={
              field.key in corrected || settings ? field.read({ ...UNKNOWN_SETTINGS, ...settings, ...corrected }) : null
            }
            onPick={(value) => onChange(field.write(value))}
          />
        ))}
      </div>
    </section>
  )
}

/** A sheet has cells and types of its own: only where its names stand was guessed, and which rows are totals. */
const SHEET_SETTING_FIELDS: readonly ImportSettingField[] = IMPORT_SETTING_FIELDS.flatMap((field) =>
  field.key === 'skipLines'
    ? [{ ...field, label: 'Skip rows' }]
    : field.key === 'header' || field.key === 'leaveOutTotals'
      ? [field]
      : [],
)

/** Stands for what is not known while a file cannot be read; never sent. */
const UNKNOWN_SETTINGS: CsvSettings = {
  ...{ encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', header: true, skipLines: 0 },
  ...{ decimalMark: '.', dateOrder: 'ymd' },
}

interface SettingSelectProps {
  field: ImportSettingField
  value: string | null
  onPick: (value: string) => void
}

function SettingSelect({ field, value, onPick }: SettingSelectProps) {
  return (
    <Select
      size="xs"
      label={field.label}
      labelProps={{ title: field.hint }}
      data={field.choices}
      value={value}
      placeholder="Find it"
      allowDeselect={false}
      rightSectionWidth={24}
      onChange={(picked) => picked !== null && picked !== value && onPick(picked)}
    />
  )
}
