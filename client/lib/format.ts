import { createContext, useContext, useMemo } from 'react'
import { useSession } from './session'
import { createFormatter, type Formatter, type FormatSettings } from '../../src/shared/figures/formatter'

const DEFAULT_FORMAT_SETTINGS: FormatSettings = { numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' }

/** Where there is no workspace: how the report that is shown writes figures. */
export const FormatSettingsContext = createContext<FormatSettings>(DEFAULT_FORMAT_SETTINGS)

/** The formatter of this tab's workspace, with dates as the person writes them. */
export function useFormat(): Formatter {
  const { workspace, user } = useSession()
  const outside = useContext(FormatSettingsContext)
  const settings = workspace?.settings ?? outside
  const dateLocale = user?.locale ?? null
  return useMemo(() => createFormatter({ ...settings, dateLocale }), [settings, dateLocale])
}
