import { MantineProvider, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core'
import type { ReactNode } from 'react'
import { cssVariables, theme } from './theme'
import { pageNonce } from '../lib/page-nonce'
import { THEMES, type Theme } from '../../src/shared/session'

/** The theme for everything below. `theme` is the person's choice as the page data has it. */
export function ThemeProvider({ theme: chosen, children }: { theme: Theme; children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={themeCookieManager(chosen)}
      defaultColorScheme={toColorScheme(chosen)}
      getStyleNonce={pageNonce}
    >
      {children}
    </MantineProvider>
  )
}

const YEAR_S = 365 * 24 * 60 * 60

export const toColorScheme = (theme: Theme): MantineColorScheme => (theme === 'system' ? 'auto' : theme)
export const toTheme = (scheme: MantineColorScheme): Theme => (scheme === 'auto' ? 'system' : scheme)
/** The value of a choice as a theme; anything else is `system`. */
export const parseTheme = (text: unknown): Theme => THEMES.find((name) => name === text) ?? 'system'

/** Keeps the choice in the cookie `theme`, which the server reads when it writes the page. */
function themeCookieManager(initial: Theme): MantineColorSchemeManager {
  return {
    get: () => toColorScheme(initial),
    set: (scheme) => {
      const secure = window.location.protocol === 'https:' ? '; Secure' : ''
      document.cookie = `theme=${toTheme(scheme)}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`
    },
    subscribe: () => undefined,
    unsubscribe: () => undefined,
    clear: () => {
      document.cookie = 'theme=; Path=/; Max-Age=0'
    },
  }
}
