import type { PageData } from '../../src/shared/session'

/** What the server wrote into the page. Read once; afterwards the session store in `session.ts` holds it. */
export function readPageData(): PageData {
  const text = document.getElementById('page-data')?.textContent
  if (!text) throw new Error('The page carries no page data.')
  const data: PageData = JSON.parse(text)
  return data
}
