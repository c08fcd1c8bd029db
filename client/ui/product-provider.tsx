import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { themeManager } from './theme-cookie'
import { cssVariables, theme } from './theme'
import type { Theme } from '../../src/shared/session'

/** Theme, dialogs and messages for everything below. `theme` is the person's choice as the page data has it. */
export function ProductProvider({ theme: chosen, children }: { theme: Theme; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={themeManager(chosen)}
      defaultColorScheme={chosen === 'system' ? 'auto' : chosen}
    >
      <ModalsProvider labels={{ confirm: 'Continue', cancel: 'Cancel' }}>
        <Notifications position="bottom-right" autoClose={6000} limit={3} />
        {children}
      </ModalsProvider>
    </MantineProvider>
  )
}
