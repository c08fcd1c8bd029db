import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useFormat } from '../../lib/format'

/** A number as the workspace writes it: `3 000,5` in Sweden, `3,000.5` in America. A typed point or comma is the decimal mark. */
export function NumberField(props: NumberInputProps) {
  const { group, decimal } = useFormat().marks
  return (
    <NumberInput
      thousandSeparator={group}
      decimalSeparator={decimal}
      allowedDecimalSeparators={['.', ','].filter((mark) => mark !== group)}
      {...props}
    />
  )
}
