import type { Page } from 'playwright-core'

/** What a page shows while something is on its way. */
const PENDING = '.route-progress, .mantine-Skeleton-root, [aria-busy="true"], .mantine-Button-loader'

/** Waits until the page has its heading, and nothing on it is still on its way. */
export async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(
    (pending) =>
      document.querySelector('h1') !== null &&
      [...document.querySelectorAll(pending)].every((each) => !each.checkVisibility()),
    PENDING,
  )
}
