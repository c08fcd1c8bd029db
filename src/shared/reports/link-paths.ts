/** Pages whose address is a secret: whoever has it sees a report. */
const SHARED_PAGE = /^\/(shared|embed)\/./
export const isSharedPage = (path: string): boolean => SHARED_PAGE.test(path)
export const sharedPath = (token: string): string => `/shared/${token}`
export const embedPath = (token: string): string => `/embed/${token}`

/** What belongs to links: nothing of it is told to search engines, or by addresses to other sites. */
export const isOfLinks = (path: string): boolean => isSharedPage(path) || path.startsWith('/api/shared/')

export const LINK_HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow, noarchive' }

/** A path as it may be written down: without the secret in it. */
export const loggedPath = (path: string): string => path.replace(/^\/(shared|embed)\/.+/s, '/$1/•••')
