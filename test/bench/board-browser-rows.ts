import type { Browser, Page } from 'playwright-core'
import { openAs, openBrowser, setViewport } from '../e2e/browser.ts'
import type { Person } from '../http/person.ts'
import { GROUPS, REGIONS } from './orders.ts'
import { reportOfTwelve, type Orders } from './report-rows.ts'
import { ms, p95, quantile, type Row } from './row.ts'

const TILES = 12
const OPENINGS = 5
const NAMED = ' on a board'
const CLICK_GOAL_MS = 150
const PAINT_GOAL_MS = 1_500

/** Measured inside the page, until the frame after the one in which no tile waits any more. */
const untilPainted = (page: Page, click: { tile: string; mark: string } | null): Promise<number> =>
  page.evaluate(
    ({ tiles, of }) =>
      new Promise<number>((resolve, reject) => {
        const all = (): Element[] => [...document.querySelectorAll('article[aria-busy]')]
        const isBusy = (): boolean =>
          all().length < tiles ||
          all().some(
            (tile) => tile.getAttribute('aria-busy') === 'true' || tile.querySelector('[aria-label="Loading"]'),
          )
        // Of a page that is opened its clock begins with the navigation.
        const started = of ? performance.now() : 0
        let isAsked = of === null
        if (of) {
          const tile = all().find((each) => each.getAttribute('aria-label') === of.tile)
          const cell = [...(tile?.querySelectorAll<HTMLElement>('tbody td') ?? [])].find(
            (each) => each.textContent === of.mark,
          )
          if (!cell) return reject(new Error(`no mark ${of.mark}`))
          cell.click()
        }
        const look = (): void => {
          isAsked ||= isBusy()
          if (!isAsked || isBusy()) return void requestAnimationFrame(look)
          requestAnimationFrame(() => resolve(performance.now() - started))
        }
        requestAnimationFrame(look)
      }),
    { tiles: TILES, of: click },
  )

async function opened(browser: Browser, person: Person, path: string): Promise<{ page: Page; paintedMs: number }> {
  const page = await openAs(browser, person)
  await setViewport(page, { size: 'wide', theme: 'light' })
  await page.goto(`${person.address}${path}`, { waitUntil: 'commit' })
  return { page, paintedMs: await untilPainted(page, null) }
}

/** Q4: a report of twelve tiles in a browser: opened by one that kept nothing, and after a click on a mark. */
export async function boardBrowserRows(person: Person, at: Orders): Promise<Row[]> {
  const path = `/reports/interactive/${await reportOfTwelve(person, at, NAMED)}`
  const browser = await openBrowser()
  try {
    const cold: number[] = []
    for (let n = 1; n < OPENINGS; n += 1) {
      // All days there are, each time said otherwise: no answer is kept.
      const { page, paintedMs } = await opened(browser, person, `${path}?period=2020-01-0${n}..2029-12-31`)
      cold.push(paintedMs)
      await page.context().close()
    }
    const { page, paintedMs } = await opened(browser, person, path)
    cold.push(paintedMs)
    const clicks: number[] = []
    const marks = [
      ...REGIONS.map((mark) => ({ tile: `by region${NAMED}`, mark })),
      ...GROUPS.map((mark) => ({ tile: `one year by group${NAMED}`, mark })),
    ]
    for (const mark of marks) {
      clicks.push(await untilPainted(page, mark))
      await page.keyboard.press('Escape')
      await page.getByRole('group', { name: 'Filtered by' }).waitFor({ state: 'detached' })
      await untilPainted(page, null)
    }
    const name = `a report of ${TILES} tiles over ${at.rows} rows in the browser`
    const row = (what: string, sample: number[], worst: number, goal: number): Row => ({
      ...{ id: 'B1', what: `${name}, ${what}`, ours: `${ms(worst)} (median ${ms(quantile(sample, 0.5))})` },
      ...{ reference: `${ms(goal)} (goal)`, ratio: (worst / goal).toFixed(2) },
    })
    return [
      row('a click until the last tile is painted, p95', clicks.slice(1), p95(clicks.slice(1)), CLICK_GOAL_MS),
      row(`opened cold until all is painted, worst of ${OPENINGS}`, cold, Math.max(...cold), PAINT_GOAL_MS),
    ]
  } finally {
    await browser.close()
  }
}
