import { useMemo } from 'react'
import { useSession } from './session'
import { createFormatter, type Formatter, type FormatSettings } from '../../src/shared/figures/formatter'

const DEFAULT_FORMAT_SETTINGS: FormatSettings = { numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' }

/** The formatter of this tab's workspace, with dates as the person writes them. */
export function useFormat(): Formatter {
  const { workspace, user } = useSession()
  const settings = workspace?.settings ?? DEFAULT_FORMAT_SETTINGS
  const dateLocale = user?.locale ?? null
  return useMemo(() => createFormatter({ ...settings, dateLocale }), [settings, dateLocale])
}
