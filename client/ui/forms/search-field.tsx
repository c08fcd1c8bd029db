import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

export interface SearchFieldProps extends Pick<
  TextInputProps,
  'maxLength' | 'style' | 'className' | 'mb' | 'mt' | 'maw' | 'size'
> {
  label: string
  placeholder?: string
  value: string
  onChange: (text: string) => void
}

/** Narrows a list by what is typed. */
export function SearchField({ label, placeholder = label, onChange, ...input }: SearchFieldProps) {
  return (
    <TextInput
      {...input}
      aria-label={label}
      data-transient
      placeholder={placeholder}
      leftSection={<IconSearch size={input.size === 'xs' ? 14 : 16} aria-hidden />}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

export interface DebouncedSearchFieldProps extends Omit<SearchFieldProps, 'value' | 'onChange'> {
  initial: string
  /** Milliseconds after the last key. */
  delay?: number
  onSearch: (text: string) => void
}

/** What is typed: at once on screen, a moment later in the address. */
export function DebouncedSearchField({ initial, delay = 250, onSearch, ...field }: DebouncedSearchFieldProps) {
  const [text, setText] = useState(initial)
  const search = useDebouncedCallback(onSearch, delay)
  return (
    <SearchField
      {...field}
      value={text}
      onChange={(next) => {
        setText(next)
        search(next.trim())
      }}
    />
  )
}
