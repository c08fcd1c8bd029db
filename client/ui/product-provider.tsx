import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { cssVariables, theme } from './theme'
import { toColorScheme, themeCookieManager } from './theme-cookie'
import type { Theme } from '../../src/shared/session'

/** The theme for everything below. `theme` is the person's choice as the page data has it. */
export function ThemeProvider({ theme: chosen, children }: { theme: Theme; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={themeCookieManager(chosen)}
      defaultColorScheme={toColorScheme(chosen)}
    >
      {children}
    </MantineProvider>
  )
}
