import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { schemeOf, themeOf } from '../../ui/theme-cookie'
import type { Theme } from '../../../src/shared/session'

const CHOICES = [
  { theme: 'system', label: 'As the system', icon: IconDeviceDesktop },
  { theme: 'light', label: 'Light', icon: IconSun },
  { theme: 'dark', label: 'Dark', icon: IconMoon },
] as const satisfies readonly { theme: Theme; label: string; icon: typeof IconSun }[]

/** Light, dark or as the system; kept in the cookie `theme`. */
export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = themeOf(colorScheme)
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Theme</Menu.Label>
      {CHOICES.map(({ theme, label, icon: Icon }) => (
        <Menu.Item
          key={theme}
          role="menuitemradio"
          aria-checked={theme === current}
          closeMenuOnClick={false}
          leftSection={<Icon size={16} aria-hidden />}
          rightSection={theme === current ? <IconCheck size={16} aria-hidden /> : null}
          onClick={() => setColorScheme(schemeOf(theme))}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  )
}
