import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { cssVariables, theme } from './theme'
import { schemeOf, themeManager } from './theme-cookie'
import type { Theme } from '../../src/shared/session'

/** The theme for everything below. `theme` is the person's choice as the page data has it. */
export function ProductProvider({ theme: chosen, children }: { theme: Theme; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={themeManager(chosen)}
      defaultColorScheme={schemeOf(chosen)}
    >
      {children}
    </MantineProvider>
  )
}
