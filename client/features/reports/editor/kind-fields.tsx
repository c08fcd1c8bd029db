import { TextInput } from '@mantine/core'
import type { ReportBlock } from '../../../../src/shared/reports/blocks'

/** What the settings of every kind of block are given. */
export interface KindProps<B extends ReportBlock> {
  block: B
  onChange: (block: B) => void
}

interface TitleFieldProps {
  value: string
  placeholder: string
  onChange: (title: string) => void
}
export const TitleField = ({ value, placeholder, onChange }: TitleFieldProps) => (
  <TextInput
    label="Title"
    placeholder={placeholder}
    value={value}
    maxLength={120}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
