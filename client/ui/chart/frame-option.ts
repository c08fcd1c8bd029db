import type { DrawSettings } from './drawing'
import type { ChartOption } from './engine-types'

/** What every picture has in common: type, legend on top, tooltip, description. */
export function frameOption(settings: DrawSettings, parts: { summary: string; legend: readonly string[] }) {
  const { colours, narrow, reducedMotion } = settings
  const legend = parts.legend.length > 1
  return {
    animation: !reducedMotion,
    animationDuration: 300,
    aria: { enabled: true, label: { description: parts.summary } },
    textStyle: { fontFamily: colours.font, color: colours.text },
    grid: {
      top: legend ? 44 : 16,
      right: 20,
      bottom: 8,
      left: 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    legend: {
      show: legend,
      top: 0,
      left: 0,
      type: 'scroll',
      icon: 'roundRect',
      itemWidth: 12,
      itemHeight: 8,
      textStyle: { color: colours.text, fontSize: 12, lineHeight: 18, width: narrow ? 110 : 200, overflow: 'truncate' },
      pageIconColor: colours.text,
      pageIconInactiveColor: colours.border,
      pageTextStyle: { color: colours.dimmed },
      data: [...parts.legend],
    },
    tooltip: {
      trigger: 'item',
      confine: true,
      backgroundColor: colours.surface,
      borderColor: colours.border,
      textStyle: { color: colours.text, fontSize: 13 },
      transitionDuration: reducedMotion ? 0 : 0.2,
    },
  } satisfies ChartOption
}

/** A picture on a card: nothing but the marks. */
export const bareOption = (summary: string) =>
  ({
    animation: false,
    aria: { enabled: true, label: { description: summary } },
    grid: { top: 4, right: 2, bottom: 2, left: 2, outerBoundsMode: 'none' },
  }) satisfies ChartOption

/** Diagonal lines over what is not complete yet. */
export const hatch = (colour: string) => ({
  symbol: 'rect' as const,
  dashArrayX: [1, 0],
  dashArrayY: [3, 3],
  rotation: -Math.PI / 4,
  color: colour,
})

/** Room for a name beside an axis, in pixels. */
export const nameWidth = (settings: DrawSettings): number => (settings.narrow ? 92 : 170)
