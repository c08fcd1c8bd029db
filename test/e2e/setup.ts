import { afterEach } from 'vitest'
import { openPages } from './browser.ts'

const SHOWN = 600

/** Says of every open page where it stands and what it shows when a journey fails: a wait that ended says neither. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of openPages()) {
    const shown = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch((error: unknown) => String(error))
    console.log(`${task.name}: ${page.url()} shows\n${shown.slice(0, SHOWN)}`)
  }
})
