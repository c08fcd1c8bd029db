import { APP_CHECK_ORIGIN } from '../../src/shared/app-check'

/** The part of the browser's Trusted Types that is used. */
interface TrustedTypePolicyFactory {
  createPolicy: (name: string, rules: TrustedTypeRules) => unknown
}
interface TrustedTypeRules {
  createHTML: (html: string) => string | null
  createScriptURL: (url: string) => string | null
}
declare global {
  interface Window {
    trustedTypes?: TrustedTypePolicyFactory
  }
}

/** Elements of a chart's tooltip: they hold text and are styled; nothing that loads, links, listens or runs. */
const TOOLTIP_TAG = /<\/?(?:div|span|b|br)(?: style="[^"<>]*")?\s*\/?>/g

/** The text itself when it makes no element but those of a tooltip, else null. Without `<` it is text or a style sheet. */
export const harmlessHtml = (html: string): string | null =>
  html.replaceAll(TOOLTIP_TAG, ' ').includes('<') ? null : html

/** Where the build's files are; while developing, its sources. */
const OWN_FILES = import.meta.env.DEV ? /^\/(?:assets|client)\// : /^\/assets\//

/** The address itself when it is a file of the build, or the script of the check for programs; else null. */
export function ownScriptUrl(url: string, page: string): string | null {
  if (!URL.canParse(url, page)) return null
  const { origin, pathname, href } = new URL(url, page)
  if (origin === new URL(page).origin && OWN_FILES.test(pathname)) return href
  return href.startsWith(`${APP_CHECK_ORIGIN}/turnstile/`) ? href : null
}

/**
 * Gives the page its one policy, named `default`: libraries hand the browser strings (the theme its style sheet, charts
 * their tooltips), and the browser asks it about each. No rule for scripts: text never becomes one.
 */
export function installTrustedTypes(): void {
  window.trustedTypes?.createPolicy('default', {
    createHTML: harmlessHtml,
    createScriptURL: (url) => ownScriptUrl(url, window.location.href),
  })
}
