import { Menu, useMantineColorScheme } from '@mantine/core'
import { parseTheme, toColorScheme, toTheme } from '../../ui/theme-cookie'

/** Light, dark or as the system; kept in the cookie `theme`. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Divider />
      <Menu.RadioGroup
        value={toTheme(colorScheme)}
        onChange={(value) => setColorScheme(toColorScheme(parseTheme(value)))}
      >
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioItem value="system">As the system</Menu.RadioItem>
        <Menu.RadioItem value="light">Light</Menu.RadioItem>
        <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
      </Menu.RadioGroup>
      <Menu.Divider />
    </>
  )
}
