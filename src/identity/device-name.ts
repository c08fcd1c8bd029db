/** What a browser says of itself, in words; the first that fits names it. Everybody also claims to be the ones below. */
const BROWSER_PATTERNS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]
const SYSTEM_PATTERNS: [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** “Firefox on Windows”, from a `User-Agent`; versions are left out, so that an update is no other device. */
export function describeDevice(userAgent: string | null): string {
  const find = (table: [RegExp, string][]): string | undefined =>
    table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [find(BROWSER_PATTERNS), find(SYSTEM_PATTERNS)]
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`
  if (browser !== undefined) return browser
  return system === undefined ? 'Unknown device' : `A browser on ${system}`
}
