import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { parseTheme, schemeOf, themeOf } from '../../ui/theme-cookie'

/** Light, dark or as the system; kept in the cookie `theme`. */
export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      my={4}
      mx={8}
      aria-label="Theme"
      value={themeOf(colorScheme)}
      onChange={(value) => setColorScheme(schemeOf(parseTheme(value)))}
      data={[
        { value: 'system', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  )
}
