import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import type { Person } from '../http/person.ts'
import { arrived } from './arrived.ts'
import { LONG } from '../long.ts'
import { coldShifts } from './layout-shift.ts'

declare global {
  interface Window {
    /** Put into the page by `axeOffences`. */
    axe: typeof axe
  }
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const SCREENS = 'test/e2e/screens'
const LAYOUT_MS = 3_000

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH']
  if (!executablePath) throw new Error('CHROME_PATH names no browser: start the journeys by npm test.')
  mkdirSync(SCREENS, { recursive: true })
  // Without a language of the system the browser writes no “å” into the name of a file.
  return chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
}

let shared: Promise<Browser> | undefined
/** The browser of this process, for one file of journeys after the other: each opens windows of its own. It ends with the process. */
export const sharedBrowser = (): Promise<Browser> => (shared ??= openBrowser())

const SIZES = { wide: { width: 1280, height: 800 }, small: { width: 360, height: 740 } } as const
export type Viewport = { size: keyof typeof SIZES; theme: 'light' | 'dark' }
const ALL_VIEWPORTS: readonly Viewport[] = [
  { size: 'wide', theme: 'light' },
  { size: 'small', theme: 'dark' },
  { size: 'wide', theme: 'dark' },
  { size: 'small', theme: 'light' },
]
/** Both sizes and both themes, each once; in the long run all four of them. */
export const VIEWPORTS = LONG ? ALL_VIEWPORTS : ALL_VIEWPORTS.slice(0, 2)
/** Screenshots are for people to look at, and cost as much as everything else that is looked at: SCREENS=1, or the long run. */
const DRAWS = LONG || process.env['SCREENS'] === '1'

/** No faults of the page: a request that the server refused, and a socket that ended with its session or its page. */
const REFUSED = /Failed to load resource|^WebSocket connection to '[^']*\/live/

/** What the browser itself complained about: errors of scripts and refused loads (CSP). */
export function watchPage(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) complaints.push(message.text())
  })
  return complaints
}

/** Rows of a table are alike: the first ones stand for the rest. */
const FURTHER_ROWS = 'tbody tr:nth-child(n + 9)'

/** What a theme and a width decide, and what names the things that only one width shows. */
const RULES_OF_A_LOOK = [
  ...['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'nested-interactive'],
  ...['aria-hidden-focus', 'button-name', 'link-name', 'label'],
]

/** The same rules as `axe.source` in less than half its text: each load of a page has to be sent it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every accessibility offence axe finds on the page, as `rule: where`; of all rules or of those named. */
async function axeOffences(page: Page, rules: readonly string[] | null): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return page.evaluate(
    async ({ further, runOnly }) => {
      const { violations } = await window.axe.run(
        { exclude: [further] },
        // Selectors of every element it looked at are a third of its work, and not told.
        { ...runOnly, resultTypes: ['violations'], preload: false, selectors: false, elementRef: false },
      )
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
    },
    { further: FURTHER_ROWS, runOnly: rules ? { runOnly: [...rules] } : {} },
  )
}

export async function setViewport(page: Page, { size, theme }: Viewport): Promise<void> {
  await page.setViewportSize(SIZES[size])
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/** Waits until the page wears the theme it was given, and nothing on it moves or fades any more. */
async function settled(page: Page, theme: Viewport['theme']): Promise<void> {
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached' })
  await arrived(page)
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
    await frame()
    await frame()
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
    await frame()
  })
}

/** Whether the page is wider than a small window. What depends on the width of the window follows it a moment later. */
async function tooWide(page: Page): Promise<string[]> {
  const fits = (most: number): boolean => document.documentElement.scrollWidth <= most
  const late = { timeout: LAYOUT_MS }
  const fitted = await page.waitForFunction(fits, SIZES.small.width, late).catch(() => null)
  return fitted ? [] : [`${await page.evaluate(() => document.documentElement.scrollWidth)} px wide`]
}

/** What lies under the page is of the product's colour: where it is not, styles of a library have come after ours. */
async function wrongGround(page: Page): Promise<string[]> {
  const [ground, wanted] = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.background = 'var(--page)'
    const colours = [document.body, probe].map((element) => getComputedStyle(element).backgroundColor)
    probe.remove()
    return colours
  })
  return ground === wanted ? [] : [`the page lies on ${ground}, not on ${wanted}`]
}

/** A picture of the page in the folder of screens, where they are asked for. */
export async function drawScreen(page: Page, name: string, fullPage = false): Promise<void> {
  if (DRAWS) await page.screenshot({ path: `${SCREENS}/${name}.png`, fullPage })
}

/** What axe says of the page in every look, that nothing is wider than a small window, and what moves; with screenshots. */
export async function checkAppearance(page: Page, name: string): Promise<string[]> {
  await arrived(page)
  const moved = coldShifts(page)
  const offences: string[] = []
  for (const look of VIEWPORTS) {
    await setViewport(page, look)
    await settled(page, look.theme)
    offences.push(...(await wrongGround(page)).map((ground) => `${name} ${look.theme}: ${ground}`))
    const small = look.size === 'small'
    if (small) offences.push(...(await tooWide(page)).map((width) => `${name} ${look.theme}: ${width}`))
    // What stands over a page is drawn where the window is.
    const fullPage = small && (await page.locator('[role="dialog"]').count()) === 0
    await drawScreen(page, `${name}-${look.size}-${look.theme}`, fullPage)
    // The rest of the rules says the same of every look; the long run asks all of them all the same.
    const found = await axeOffences(page, LONG || look === VIEWPORTS[0] ? null : RULES_OF_A_LOOK)
    offences.push(...found.map((offence) => `${name} ${look.size} ${look.theme}: ${offence}`))
  }
  await setViewport(page, { size: 'wide', theme: 'light' })
  return [...offences, ...(await moved).map((shift) => `${name} ${shift}`)]
}

/** A window of this person, who is signed in already. */
export async function openAs(browser: Browser, person: Person): Promise<Page> {
  const context = await browser.newContext({
    ...{ locale: 'sv-SE', timezoneId: 'Europe/Stockholm', acceptDownloads: true },
  })
  await context.addCookies(person.cookies().map((cookie) => ({ ...cookie, url: person.address })))
  return openPage(context)
}

const contexts: BrowserContext[] = []
export const openPages = (): Page[] => [...new Set(contexts)].flatMap((context) => context.pages())

/** Closes every window of a file of journeys, with all that it stored. */
export async function closeWindows(): Promise<void> {
  const browser = await shared
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
  contexts.length = 0
  traced.clear()
}

const TRACED = process.env['TRACE'] === '1'
const FAILED = `${SCREENS}/failed`
/** Windows whose trace is kept, and whether a part of it is under way. */
const traced = new Map<BrowserContext, boolean>()

/** Begins the part of the trace that belongs to one test, in every window there is. */
export async function traceTest(): Promise<void> {
  for (const [context, underWay] of traced) {
    if (underWay) continue
    traced.set(context, true)
    await context.tracing.startChunk().catch(() => traced.delete(context))
  }
}

/** Ends that part; of a failed test it is kept, with a picture of each open page. */
export async function endTraceOf(name: string, failed: boolean): Promise<void> {
  if (!TRACED) return
  const file = `${FAILED}/${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)}`
  for (const [at, page] of failed ? openPages().entries() : [])
    await page.screenshot({ path: `${file}-${at}.png`, timeout: 5_000 }).catch(() => undefined)
  for (const [at, context] of [...traced.keys()].entries()) {
    traced.set(context, false)
    await context.tracing.stopChunk(failed ? { path: `${file}-${at}.zip` } : {}).catch(() => traced.delete(context))
  }
}

export const openPage = async (context: BrowserContext): Promise<Page> => {
  contexts.push(context)
  context.setDefaultTimeout(60_000)
  if (TRACED && !traced.has(context)) {
    await context.tracing.start({ screenshots: true, snapshots: true })
    traced.set(context, true)
  }
  const page = await context.newPage()
  await setViewport(page, { size: 'wide', theme: 'light' })
  return page
}

/** Lines as browsers call them: `slow` is a 3G one, in bytes a second and ms until the first. */
const LINES = {
  fast: { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 },
  slow: { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 },
} as const

/** Puts the page on a line of this kind; answers how to put it back on its own. */
export async function putOnLine(page: Page, kind: keyof typeof LINES): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINES[kind])
  return async () => {
    await session.send('Network.emulateNetworkConditions', LINES.fast)
    await session.detach()
  }
}
