import { afterAll, afterEach, beforeEach } from 'vitest'
import { closeWindows, endTraceOf, openPages, traceTest } from './browser.ts'

const SHOWN = 1500

afterAll(closeWindows)
beforeEach(traceTest)
afterEach(({ task }) => endTraceOf(task.name, task.result?.state === 'fail'))

/** Says of every open page where it stands and what it shows when a journey fails: a wait that ended says neither. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of openPages()) {
    const shown = await page
      .locator('main, [role="dialog"]')
      .allInnerTexts()
      .catch((error: unknown) => [String(error)])
    console.log(`${task.name}: ${page.url()} shows\n${shown.join('\n').slice(-SHOWN)}`)
  }
})
