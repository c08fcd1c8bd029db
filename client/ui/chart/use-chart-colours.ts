import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { chartColours } from './chart-colours'
import type { ChartColours } from './chart-colours'

/** The theme's chart colours, read again when the page turns light or dark. */
export function useChartColours(): ChartColours {
  const scheme = useComputedColorScheme('light')
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement)
    return chartColours((name) => style.getPropertyValue(name), scheme === 'dark')
  }, [scheme])
}
