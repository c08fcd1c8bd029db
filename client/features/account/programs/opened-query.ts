/**
 * The query with which the page was opened, byte for byte. The router reads values as JSON: a long number that is a text
 * to others would come out as another one.
 * @param path of the page; opened elsewhere, the query of the address is taken
 */
export function openedQuery(path: string): URLSearchParams {
  const [opened] = performance.getEntriesByType('navigation')
  const url = opened && URL.canParse(opened.name) ? new URL(opened.name) : null
  const { search } = url?.pathname === path ? url : window.location
  return new URLSearchParams(search)
}
