import { SegmentedControl, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

/** So many fit beside each other in a small window. */
const SMALL_SEGMENTS_MAX = 3

interface SegmentedChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}

/** One of several states, side by side; more of them than a small window holds are a list there, so that none is cut. */
export function SegmentedChoice<T extends string>({ label, value, options, onChange }: SegmentedChoiceProps<T>) {
  const isSmall = useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false })
  const choose = (text: string | null): void => {
    const chosen = options.find((option) => option.value === text)
    if (chosen) onChange(chosen.value)
  }
  if (isSmall && options.length > SMALL_SEGMENTS_MAX)
    return <Select size="xs" label={label} data={[...options]} value={value} onChange={choose} />
  return <SegmentedControl size="xs" aria-label={label} data={[...options]} value={value} onChange={choose} />
}
