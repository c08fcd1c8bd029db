import { Group, Loader, Select, Text, Tooltip } from '@mantine/core'
import classes from './import-preview.module.css'
import { SETTING_FIELDS } from './format-words'
import type { CsvSettings } from '../../../src/shared/files'

export interface ReadBarProps {
  settings: CsvSettings
  /** True while the file is read again with what was changed. */
  reading: boolean
  onChange: (change: Partial<CsvSettings>) => void
}

/** How the file was understood, each guess in a select of its own. */
export function ReadBar({ settings, reading, onChange }: ReadBarProps) {
  return (
    <section aria-label="How we read it" className={classes.bar}>
      <Group gap="xs" mb={8}>
        <Text fw={600}>How we read it</Text>
        <Text size="xs" c="dimmed" role="status">
          {reading ? 'Reading again …' : 'Found from the file itself. Correct what is wrong.'}
        </Text>
        {reading && <Loader size={14} aria-hidden />}
      </Group>
      <div className={classes.fields}>
        {SETTING_FIELDS.map((field) => (
          <Tooltip key={field.key} label={field.hint} multiline maw={260}>
            <Select
              size="xs"
              label={field.label}
              data={field.choices}
              value={field.read(settings)}
              allowDeselect={false}
              onChange={(value) => value !== null && value !== field.read(settings) && onChange(field.write(value))}
            />
          </Tooltip>
        ))}
      </div>
    </section>
  )
}
