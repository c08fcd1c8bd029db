import type { NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { NumberField } from '../../../ui/forms/number-field'
import { AMOUNT_MAX } from '../../../../src/shared/forecasts/forecasts'

interface AmountInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value: number
  onChange: (value: number) => void
}

/** A number that is always one: what is half typed stays in the field, and counts as what it is once it is a number. */
export function AmountInput({ value, onChange, onBlur, ...props }: AmountInputProps) {
  const [typed, setTyped] = useState<{ text: number | string; of: number }>({ text: value, of: value })
  const shown = typed.of === value ? typed.text : value
  return (
    <NumberField
      decimalScale={6}
      hideControls
      min={-AMOUNT_MAX}
      max={AMOUNT_MAX}
      {...props}
      value={shown}
      onChange={(text) => {
        const number = typeof text === 'number' ? text : Number(text)
        const isNumber = text !== '' && Number.isFinite(number)
        setTyped({ text, of: isNumber ? number : value })
        if (isNumber && number !== value) onChange(number)
      }}
      onBlur={(event) => {
        setTyped({ text: value, of: value })
        onBlur?.(event)
      }}
    />
  )
}
