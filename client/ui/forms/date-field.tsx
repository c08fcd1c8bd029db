import { TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { dateNotation, readDay, writeDay } from './date-notation'
import { useSession } from '../../lib/session'
import { IconButton } from '../buttons/icon-button'
import classes from './date-field.module.css'

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  /** ISO, or empty. */
  value?: string
  /** Called with a day (ISO) or with nothing; not while something that is no day yet stands there. */
  onChange: (day: string) => void
}

/** A day in the person's own notation, typed or picked from the browser's calendar. */
export function DateField({ value = '', onChange, error, disabled, onBlur, ...props }: DateFieldProps) {
  const { user, workspace } = useSession()
  const notation = dateNotation(user?.locale ?? workspace?.settings.numberLocale ?? 'en-GB')
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const text = typed ?? writeDay(value, notation)
  const isWrong = typed !== null && typed.trim() !== '' && readDay(typed, notation) === null
  const type = (next: string): void => {
    setTyped(next)
    setLeft(false)
    const day = next.trim() === '' ? '' : readDay(next, notation)
    if (day !== null && day !== value) onChange(day)
  }
  return (
    <TextInput
      {...props}
      {...(disabled === undefined ? {} : { disabled })}
      value={text}
      placeholder={notation.pattern}
      inputMode="numeric"
      autoComplete="off"
      error={left && isWrong ? `Enter a date: ${notation.pattern}` : error}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={(event) => {
        setLeft(true)
        if (!isWrong) setTyped(null)
        onBlur?.(event)
      }}
      rightSection={
        <>
          <IconButton
            icon={IconCalendar}
            label="Open calendar"
            {...(disabled === true ? { disabled } : {})}
            onClick={() => picker.current?.showPicker()}
          />
          <input
            ref={picker}
            type="date"
            className={classes.picker}
            tabIndex={-1}
            aria-hidden
            value={value}
            onChange={(event) => {
              setTyped(null)
              onChange(event.currentTarget.value)
            }}
          />
        </>
      }
    />
  )
}
