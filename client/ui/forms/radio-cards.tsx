import { Radio, SimpleGrid, Stack, Text, type SimpleGridProps } from '@mantine/core'
import { MutedText } from '../muted-text'
import classes from './radio-cards.module.css'

interface RadioCardsProps<Value extends string> {
  label: string
  choices: readonly { value: Value; label: string; note: string }[]
  value: Value
  cols: NonNullable<SimpleGridProps['cols']>
  onChange: (value: Value) => void
}

/** One of a few ways, each with what it does. */
export function RadioCards<Value extends string>({ label, choices, value, cols, onChange }: RadioCardsProps<Value>) {
  const pick = (text: string): void => {
    const known = choices.find((choice) => choice.value === text)
    if (known) onChange(known.value)
  }
  return (
    <Radio.Group label={label} value={value} onChange={pick}>
      <SimpleGrid cols={cols} mt="xs">
        {choices.map((choice) => (
          <Radio.Card key={choice.value} value={choice.value} className={classes.card}>
            <Stack gap={2}>
              <Text fw={600}>{choice.label}</Text>
              <MutedText>{choice.note}</MutedText>
            </Stack>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
