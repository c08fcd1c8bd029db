import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { setViewport, openBrowser, openPage } from '../e2e/browser.ts'
import { ms, quantile, type Row } from './row.ts'

const TIMES = 5
const KB = 1024

/** W1: what the sign-in page loads; W2: sign-in → landing page drawn, and a change to a screen seen before. */
export async function browserRows(address: string, who: { email: string; password: string }): Promise<Row[]> {
  const browser = await openBrowser()
  try {
    const context = await browser.newContext()
    const page = await openPage(context)
    await setViewport(page, { size: 'wide', theme: 'light' })
    const bytes = await firstLoad(page, address)
    const landing: number[] = []
    const change: number[] = []
    for (let n = 0; n < TIMES; n++) {
      await context.clearCookies()
      await page.goto(`${address}/login`, { waitUntil: 'networkidle' })
      landing.push(await signIn(page, who))
      change.push(await routeChange(page))
    }
    const row = (id: string, what: string, ours: string): Row => ({ id, what, ours, reference: '–', ratio: '–' })
    return [
      row('W1', 'first load of /login, JS + CSS, gzipped', `${Math.round(bytes / KB)} kB`),
      row('W2', `sign-in to landing page drawn, median of ${TIMES}`, ms(quantile(landing, 0.5))),
      row('W2', `change to a screen seen before, median of ${TIMES}`, ms(quantile(change, 0.5))),
    ]
  } finally {
    await browser.close()
  }
}

async function firstLoad(page: Page, address: string): Promise<number> {
  const loaded: Response[] = []
  const keep = (response: Response): void => void loaded.push(response)
  page.on('response', keep)
  await page.goto(`${address}/login`, { waitUntil: 'networkidle' })
  page.off('response', keep)
  const sizes = loaded
    .filter((response) => /\.(js|css)(\?|$)/.test(response.url()))
    .map(async (response) => gzipSync(await response.body()).length)
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<number> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  const started = performance.now()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Data sources', level: 1 }).waitFor()
  await page.getByRole('table').first().waitFor()
  return performance.now() - started
}

/** Both screens are visited first; measured inside the page, from the click to the frame after the new heading. */
async function routeChange(page: Page): Promise<number> {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Insights', 'Data sources']) {
    await navigation.getByRole('link', { name }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
  }
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const started = performance.now()
        const drawn = (): void => {
          if (document.querySelector('h1')?.textContent !== 'Insights') return void requestAnimationFrame(drawn)
          requestAnimationFrame(() => resolve(performance.now() - started))
        }
        document.querySelector<HTMLAnchorElement>('nav a[href^="/insights"]')?.click()
        drawn()
      }),
  )
}
