import type { Page } from 'playwright-core'
import { arrived } from './arrived.ts'

declare global {
  /** A shift as the browser tells it. Source: the Layout Instability specification. */
  interface PerformanceEntry {
    value?: number
    hadRecentInput?: boolean
    sources?: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
  }
  interface Window {
    /** What moved on the page without input, as `LayoutShift` counts it. */
    layoutShift: number
    /** What moved, and by how much, in words. */
    layoutShiftSources: string[]
  }
}

/** The score from which a page is said to jump. */
const LAYOUT_SHIFT_MAX = 0.05
const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]

/** Adds up what moves on a page without input, and says of each what it was. */
function watchLayout(): void {
  window.layoutShift = 0
  window.layoutShiftSources = []
  const nameOf = (node: Node | null): string => {
    const element = node instanceof Element ? node : node?.parentElement
    return element ? `${element.tagName.toLowerCase()} “${element.textContent?.slice(0, 40)}”` : 'what is gone'
  }
  const placeOf = ({ x, y, width, height }: DOMRectReadOnly): string =>
    `${Math.round(width)}×${Math.round(height)} at ${Math.round(x)},${Math.round(y)}`
  const observer = new PerformanceObserver((list) => {
    for (const { value = 0, hadRecentInput, sources = [] } of list.getEntries()) {
      if (hadRecentInput) continue
      window.layoutShift += value
      for (const { node, previousRect: from, currentRect: to } of sources)
        window.layoutShiftSources.push(`${value.toFixed(3)} ${nameOf(node)} from ${placeOf(from)} to ${placeOf(to)}`)
    }
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}

/** Ms until an answer is let through: each by as much as its address says, so that they come apart alike at every run. */
function delayOf(url: string): number {
  let hash = 7
  for (const character of withoutIds(url)) hash = (hash * 31 + character.charCodeAt(0)) % 9973
  return 60 + (hash % 5) * 80
}

const withoutIds = (url: string): string => url.replaceAll(/_[0-9a-z]{20}/g, '')

/** Addresses that have been opened; a journey has one page for each of its own. */
const opened = new Set<string>()

/**
 * What moves without input on the page when it is opened anew over a slow line; each address is judged once a journey. In the long
 * run only: every page is opened twice more.
 */
export async function coldShifts(page: Page): Promise<string[]> {
  if (process.env['LONG'] !== '1') return []
  const address = page.url()
  if (opened.has(withoutIds(address))) return []
  opened.add(withoutIds(address))
  const shifts: string[] = []
  const window = await page.context().newPage()
  await window.addInitScript(watchLayout)
  await window.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayOf(route.request().url())))
    await route.continue().catch(() => undefined)
  })
  for (const size of SIZES) {
    await window.setViewportSize(size)
    await window.goto('about:blank')
    await window.goto(address)
    const { score, sources } = await shiftsOf(window)
    if (score > LAYOUT_SHIFT_MAX)
      shifts.push(`${size.width} px: moved by ${score.toFixed(3)} without input: ${sources.join('; ')}`)
  }
  await window.close()
  return shifts
}

/** What has moved once nothing on the page is on its way any more, and it has been drawn. */
async function shiftsOf(page: Page): Promise<{ score: number; sources: string[] }> {
  await arrived(page)
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
    await frame()
    await frame()
  })
  return page.evaluate(() => ({ score: window.layoutShift, sources: window.layoutShiftSources }))
}
