import { TextInput } from '@mantine/core'
import { useState } from 'react'

const parseDecimal = (text: string): number | null => {
  const plain = text
    .replaceAll(/[\s\u00a0]/g, '')
    .replace(',', '.')
    .replace('−', '-')
  const number = plain === '' ? Number.NaN : Number(plain)
  return Number.isFinite(number) ? number : null
}

/** A fixed number of a formula; decimals with comma or point. What is no number is marked and not taken. */
export function DecimalField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [text, setText] = useState(String(value).replace('.', ','))
  return (
    <TextInput
      aria-label="Number"
      inputMode="decimal"
      w={92}
      style={{ flex: 'none' }}
      value={text}
      error={parseDecimal(text) === null}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        const number = parseDecimal(next)
        if (number !== null) onChange(number)
      }}
    />
  )
}
